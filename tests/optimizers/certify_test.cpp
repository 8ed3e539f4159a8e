// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <linea/losses.hpp>
#include <linea/optimizers/certify.hpp>
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "losses/all_losses.hpp"
#include "support/catch.hpp"
#include "support/problems.hpp"
#include "support/synthetic.hpp"

namespace certify_test {

using namespace linea;
using namespace linea::test;

namespace {

const auto x = synthetic::features(60, 4, 1, 0.8);
const auto signs = synthetic::signs(x, 2, 1.0);
const auto numbers = synthetic::numbers(x, 3, 1.0);

template <class L>
const Vector<double>& targets_for(const L&) {
  if constexpr (L::targets == std::string_view("-1 or +1"))
    return signs;
  else
    return numbers;
}

Solution<double> at(const Vector<double>& weights, double offset) {
  Solution<double> solution;
  solution.weights = weights;
  solution.offset = offset;
  return solution;
}

Vector<double> sample_weights() {
  Vector<double> weights(60);
  for (Index i = 0; i < 60; ++i) weights[i] = static_cast<double>(i % 5);
  return weights;
}

/// The mean loss, from the definition.
template <class L>
double risk(const L& loss, const Solution<double>& s, const Vector<double>& weights) {
  const auto& y = targets_for(loss);
  double sum = 0;
  double total = 0;
  for (Index i = 0; i < 60; ++i) {
    const double weight = weights.size() ? weights[i] : 1.0;
    sum += weight * loss.value(x.row(i).dot(s.weights) + s.offset, y[i]);
    total += weight;
  }
  return sum / total;
}

}  // namespace

TEST_CASE("certify: no bound is above the minimum, for any weights, loss, offset and weighting",
          "[optimizers]") {
  test::for_each_loss([](const auto& loss, const std::vector<double>&) {
    const auto& y = targets_for(loss);
    for (const bool weighted : {false, true})
      for (const bool offset : {false, true})
        for (const double lambda : {1e-2, 1.0}) {
          CAPTURE(loss.name, weighted, offset, lambda);
          const Objective objective{loss, L2{lambda}};
          const auto weights = weighted ? sample_weights() : Vector<double>{};
          const auto best =
              DualCoordinateAscent{.epochs = 4000, .tolerance = 1e-6, .offset = offset}.minimize(
                  objective, x, y, {.sample_weights = weights});
          REQUIRE(best.certificate().relative_gap() < 1e-4);
          const auto sgd = Sgd{.epochs = 5, .offset = offset}.minimize(objective, x, y,
                                                                       {.sample_weights = weights});
          for (const auto& weights_of :
               {at(Vector<double>::Zero(4), 0), static_cast<const Solution<double>&>(sgd),
                static_cast<const Solution<double>&>(best),
                at(Vector<double>::Random(4), offset ? -0.7 : 0.0),
                at(100 * Vector<double>::Random(4), offset ? 30.0 : 0.0)}) {
            double before = std::numeric_limits<double>::lowest();
            for (const Index epochs : {0, 1, 20}) {
              const auto certificate =
                  certify(objective, weights_of, x, y,
                          {.offset = offset, .sample_weights = weights, .epochs = epochs});
              const double primal =
                  risk(loss, weights_of, weights) + lambda / 2 * weights_of.weights.squaredNorm();
              CHECK_THAT(certificate.primal, WithinAbs(primal, 1e-13 * (1 + primal)));
              CHECK(certificate.dual <= best.objective + 1e-13);
              CHECK(certificate.gap() >= certificate.primal - best.objective - 1e-13);
              CHECK(certificate.dual >= before - 1e-15 * std::abs(before));  // at the top: rounding
              before = certificate.dual;
            }
          }
        }
  });
}

TEST_CASE("certify: at the minimum the bound is the minimum, of kinked losses after some epochs",
          "[optimizers]") {
  const auto check = [](const auto& loss) {
    using L = std::remove_cvref_t<decltype(loss)>;
    for (const bool offset : {false, true})
      for (const double lambda : {1e-2, 0.1, 1.0}) {
        if (!SmoothLoss<L> && lambda < 0.1) continue;
        CAPTURE(loss.name, offset, lambda);
        const Objective objective{loss, L2{lambda}};
        const double tolerance = SmoothLoss<L> ? 1e-12 : 1e-9;
        const auto best =
            DualCoordinateAscent{.epochs = 20000, .tolerance = tolerance, .offset = offset}
                .minimize(objective, x, targets_for(loss));
        double before = 1;
        for (const Index epochs : {0, 20, 500}) {
          const auto certificate =
              certify(objective, best, x, targets_for(loss), {.offset = offset, .epochs = epochs});
          CHECK_THAT(certificate.primal, WithinRel(best.objective, 1e-13));
          CHECK(certificate.relative_gap() <= before + (SmoothLoss<L> ? 1e-15 : 0));  // rounding
          before = certificate.relative_gap();
          if (SmoothLoss<L>) CHECK(before < 1e-8);
        }
        CHECK(before < 1e-4);
      }
  };
  check(Squared{});
  check(Log{});
  check(Huber{});
  check(SquaredHinge{});
  check(SmoothHinge{});
  check(Hinge{});
  check(Absolute{});
  check(Quantile{0.3});
  check(EpsilonInsensitive{});
}

TEST_CASE("certify: other penalties are bounded too", "[optimizers]") {
  // No F that a long run finds, from wherever, is below the bound.
  const auto check = [](const auto& loss, const auto& penalty, double tight) {
    for (const bool offset : {false, true}) {
      CAPTURE(loss.name, penalty.name, offset);
      const auto& y = targets_for(loss);
      const Objective objective{loss, penalty};
      const auto best =
          Sgd{.epochs = 2000, .tolerance = 1e-9, .offset = offset}.minimize(objective, x, y);
      for (const auto& s : {static_cast<const Solution<double>&>(best),
                            at(Vector<double>::Zero(4), 0), at(Vector<double>::Random(4), 0)}) {
        const auto certificate = certify(objective, s, x, y, {.offset = offset});
        CHECK_THAT(certificate.primal,
                   WithinAbs(risk(loss, s, {}) + penalty.value(s.weights), 1e-12));
        CHECK(certificate.dual <= best.objective + 1e-13);
        CHECK(certificate.dual >= 0);  // that of α = 0
      }
      CHECK(certify(objective, best, x, y, {.offset = offset}).relative_gap() < tight);
    }
  };
  // How near the bound comes: without an L2 part as far as multiples of the multipliers take it.
  check(Log{}, ElasticNet{0.01, 0.05}, 1e-2);
  check(Squared{}, ElasticNet{0.05, 0.05}, 1e-2);
  check(Hinge{}, ElasticNet{0.01, 0.05}, 0.3);
  check(Log{}, L1{0.05}, 0.05);
  check(Squared{}, L1{0.1}, 0.1);
  check(Absolute{}, L1{0.05}, 0.6);
  check(Log{}, NoPenalty{}, 1.01);
  check(Hinge{}, NoPenalty{}, 1.01);
}

TEST_CASE("certify: floats, columns and sparse samples give the same bound", "[optimizers]") {
  const Objective objective{Log{}, L2{0.1}};
  const auto s = at(Vector<double>::Constant(4, 0.25), 0.5);
  const auto expected = certify(objective, s, x, signs);
  const Eigen::MatrixXd columns = x;
  for (const auto& other : {certify(objective, s, columns, signs),
                            certify(objective, s, synthetic::sparse(x), signs)}) {
    CHECK_THAT(other.primal, WithinRel(expected.primal, 1e-13));
    CHECK_THAT(other.dual,
               WithinRel(expected.dual, 1e-6));  // epochs go another way through the rows
  }
  Solution<float> single;
  single.weights = s.weights.cast<float>();
  single.offset = 0.5F;
  const Matrix<float> floats = x.cast<float>();
  const auto of_floats = certify(objective, single, floats, Vector<float>(signs.cast<float>()));
  CHECK_THAT(of_floats.primal, WithinRel(expected.primal, 1e-6));
  CHECK_THAT(of_floats.dual, WithinRel(expected.dual, 1e-5));
}

TEST_CASE("certify: at the minimum of an absolute penalty the bound is F but for rounding",
          "[optimizers]") {
  const Objective objective{Log{}, L1{0.05}};
  for (const bool offset : {false, true}) {
    const auto solution =
        CoordinateDescent{.offset = offset, .tolerance = 1e-13}.minimize(objective, x, signs);
    REQUIRE(solution.status == Status::converged);
    CHECK(certify(objective, solution, x, signs, {.offset = offset}).relative_gap() < 1e-12);
  }
  // λ above the largest |∂/∂wⱼ| at the best constant: w = 0 is the minimum.
  const auto zero = at(Vector<double>::Zero(4), numbers.mean());
  CHECK(certify(Objective{Squared{}, L1{100}}, zero, x, numbers).relative_gap() < 1e-12);
}

TEST_CASE("certify: weights whose scores overflow prove no more than that F >= 0", "[optimizers]") {
  const Matrix<double> large = 1e10 * x;
  const auto far = at(Vector<double>::Constant(4, 1e300), 0);
  for (const bool offset : {false, true}) {
    const CertifyOptions<double> options{.offset = offset, .epochs = 0};
    const auto squared = certify(Objective{Squared{}, L2{1}}, far, large, numbers, options);
    CHECK(squared.dual == 0);
    CHECK_FALSE(squared.primal < 1e300);
    CHECK(certify(Objective{SquaredHinge{}, L2{1}}, far, large, signs, options).dual == 0);
    // From there dual coordinate ascent goes on.
    const auto raised = certify(Objective{Hinge{}, L2{1}}, far, large, signs, {.offset = offset});
    CHECK(raised.dual >= 0);
    CHECK(raised.dual < 1);
  }
}

TEST_CASE("certify: proves the closed form, for large targets and small lambda too",
          "[optimizers]") {
  // The offset is about 3e5, beside which the sum of the slopes is known to 1e-8 and not better.
  Matrix<double> centred = x.rowwise() - x.colwise().mean();
  const Vector<double> prices = 1e5 * (numbers.array() + 3);
  for (const double lambda : {1.0, 1e-2, 1e-6}) {
    const Objective objective{Squared{}, L2{lambda}};
    const auto found = Ridge{}.minimize(objective, centred, prices);
    for (const Index epochs : {0, 20}) {
      CAPTURE(lambda, epochs);
      const auto proof = certify(objective, found, centred, prices, {.epochs = epochs});
      CHECK(proof.gap() <= 1e-9 * found.objective);
      CHECK(proof.dual <= found.objective * (1 + 1e-12));
    }
  }
}

TEST_CASE("certify: refuses an offset where there is none, and epochs below 0", "[optimizers]") {
  const Objective objective{Hinge{}, L2{0.1}};
  const auto refused = [&](const Solution<double>& s, const CertifyOptions<double>& options,
                           const std::string& words) {
    CHECK_THROWS_WITH(certify(objective, s, x, signs, options), ContainsSubstring(words));
  };
  refused(at(Vector<double>::Zero(4), 1), {.offset = false}, "the offset is 1");
  refused(at(Vector<double>::Zero(4), 0), {.epochs = -2}, "-2 epochs");
  refused(at(Vector<double>::Zero(3), 0), {}, "3 weights for 4 features");
}

TEST_CASE("certify: a row of weight 0 is not felt, whatever is in it", "[optimizers]") {
  test::for_each_loss([](const auto& loss, const std::vector<double>&) {
    auto p = synthetic::problem_for(loss, 60, 4, 11, true);
    const Objective objective{loss, L2{0.1}};
    const auto s = at(Vector<double>::Constant(4, 0.3), 0.1);
    const auto without = certify(objective, s, p.x, p.y, {.sample_weights = p.weights});
    p.x.row(30).setConstant(1e308);
    const auto with = certify(objective, s, p.x, p.y, {.sample_weights = p.weights});
    CAPTURE(loss.name);
    CHECK(std::isfinite(with.gap()));
    CHECK(with.primal == without.primal);
    CHECK(with.dual == without.dual);
  });
}

}  // namespace certify_test
