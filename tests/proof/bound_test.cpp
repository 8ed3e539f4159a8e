// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <linea/core/random.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l1.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/proof/dual_certificate.hpp>
#include <linea/proof/rounded_bound.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using namespace linea::detail::proof;

namespace {

using Exact = long double;

/// What the bounds need of a loss, a penalty and samples.
template <class L, class P>
struct Proofs {
  Proofs(const L& of, const P& with, const Matrix<double>& x, const Vector<double>& y)
      : loss(of),
        of_columns(with),
        set(detail::samples::admit("test", loss, x, y)),
        rows(set.rows) {}

  /// Returns D(α), with the rounding of its sums.
  double dual(const Vector<double>& a) const {
    return risk.dual(a) - penalty.conjugate(dual_sum_of(rows, risk, a), 1);
  }
  double rounded(const Vector<double>& a) const {
    return rounded_bound(rows, risk, penalty, a, true);
  }

  L loss;
  P of_columns;
  detail::samples::TrainingSet<detail::rows::DenseRows<double, true>> set;
  detail::samples::RowBlocksOf<detail::rows::DenseRows<double, true>> rows;
  detail::samples::LossBlocksOf<L> blocks{loss};
  detail::samples::RiskOfScores risk{blocks, set.y, set.weights};
  SeparablePenaltyOf<P> penalty{of_columns};
};

template <class P>
double largest_scale(const P& penalty, const Vector<double>& v) {
  return SeparablePenaltyOf<P>(penalty).largest_scale(v);
}

/// Returns D for the hinge loss and an elastic net, computed from the definition in long double.
/// First balances the dual variables: scales down those of the sign whose sum is larger.
Exact exact_dual(const Matrix<double>& x, const Vector<double>& y, const Vector<double>& a,
                 double l1, double l2) {
  const Vector<Exact> above = a.cast<Exact>().cwiseMax(0), below = -a.cast<Exact>().cwiseMin(0);
  const Exact least = std::min(above.sum(), below.sum());
  Vector<Exact> balanced = above * (least / above.sum()) - below * (least / below.sum());
  balanced /= static_cast<Exact>(x.rows());
  const Vector<Exact> sums = x.cast<Exact>().transpose() * balanced;
  const Vector<Exact> beyond = (sums.array().abs() - Exact{l1}).max(0);
  return balanced.dot(y.cast<Exact>()) - beyond.squaredNorm() / (2 * Exact{l2});
}

}  // namespace

// The conjugate Ω* of the penalty must be finite at the exact product scale·sum as well as at the
// rounded product, because a fused multiply-add does not round it.
TEST_CASE("largest_scale: the conjugate of the penalty is finite up to it", "[proof]") {
  const Vector<double> sums{{0.5, -4, 3}};
  CHECK(largest_scale(L1{5}, sums) == 1);
  CHECK(largest_scale(L1{0}, sums) == 0);
  CHECK(largest_scale(L2{1e-3}, sums) == 1);
  Random random(5);
  for (int k = 0; k < 2000; ++k) {
    const double lambda = 0.1 + random.uniform();
    const Vector<double> pull{{(1 + 9 * random.uniform()) * (k % 2 ? 1 : -1), 0.5}};
    CAPTURE(lambda, pull[0]);
    const double scale = largest_scale(L1{lambda}, pull);
    const long double farthest = std::abs(static_cast<long double>(scale) * pull[0]);
    CHECK(farthest <= lambda);
    if (lambda < std::abs(pull[0])) CHECK(farthest >= lambda * (1 - 2e-15L));
  }
}

TEST_CASE("DualCertificate: its dual variables give its bound", "[proof]") {
  const auto x = synthetic::features(60, 4, 1, 0.8);
  const Proofs hinge(Hinge{}, L2{0.01}, x, synthetic::signs(x, 2, 1.0));
  const Vector<double> scores = x * Vector<double>::Constant(4, 0.25);
  for (const bool offset : {false, true}) {
    const DualCertificate found(hinge.rows, hinge.risk, hinge.penalty, offset, scores, 0);
    const double dual = hinge.dual(found.multipliers());
    CHECK_THAT(found.bound(), WithinAbs(dual, 1e-13));
    CHECK(dual > 0);
  }
}

TEST_CASE("Rounded bound: is at most D in long double", "[proof]") {
  Random random(7);
  int naive_above = 0;
  for (int trial = 0; trial < 200; ++trial) {
    // Pairs of samples have opposite dual variables and are far from 0, so that the terms of Σᵢ
    // aᵢxᵢ cancel.
    Matrix<double> x(8, 3);
    Vector<double> y(8), a(8);
    for (Index i = 0; i < 8; ++i) {
      for (Index j = 0; j < 3; ++j) x(i, j) = 1e5 + synthetic::normal(random);
      y[i] = i % 2 == 0 ? 1 : -1;
      a[i] = i % 2 == 0 ? random.uniform() : -a[i - 1];
    }
    const double l1 = trial % 2 == 0 ? 0 : 1e-3;
    const double l2 = 1e-2;
    const Proofs hinge(Hinge{}, ElasticNet{l1, l2}, x, y);
    const Exact exact = exact_dual(x, y, a, l1, l2);
    const double bound = hinge.rounded(a);
    const Exact rounding = 1e-16L * (1 + std::abs(exact));
    CHECK(static_cast<Exact>(bound) <= exact + rounding);
    // The sums are of the size of 1, with rounding errors of terms of 1e5. D contains their squares
    // divided by l2 = 1e-2.
    CHECK(static_cast<Exact>(bound) >= exact - 1e-6L * (1 + std::abs(exact)));
    naive_above += static_cast<Exact>(hinge.dual(a)) > exact + rounding;
    // The relative imbalance is from 1e-10 down to 1e-17, which is below the rounding error of a.
    const double excess = std::pow(10.0, -10 - trial % 8);
    a[0] *= 1 + excess;
    const Exact balanced = exact_dual(x, y, a, l1, l2);
    const double proven = hinge.rounded(a);
    CHECK(static_cast<Exact>(proven) <= balanced + 1e-16L * (1 + std::abs(balanced)));
    const Exact lost = 1e-6L + 1e8L * static_cast<Exact>(excess);
    CHECK(static_cast<Exact>(proven) >= balanced - lost * (1 + std::abs(balanced)));
  }
  CHECK(naive_above > 20);
}
