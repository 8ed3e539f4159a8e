// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <linea/losses/hinge.hpp>
#include <linea/losses/squared.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/penalties/none.hpp>
#include <linea/rows/in_double.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "support/catch.hpp"
#include "support/predictions.hpp"
#include "support/synthetic.hpp"

namespace empirical_risk_test {

using namespace linea;
using namespace linea::test;

namespace {

/// Checks that three risks on x, computed together, each for its own weights and targets, have the
/// same bits as if computed alone, with any number of workers. Also checks that each is the
/// weighted mean of the losses.
template <class X, class T = scalar_t<X>>
void are_those_of_each_alone(const X& x, const Vector<T>& sample_weights) {
  const auto rows = rows_of(x);
  const Index n = rows.rows();
  std::vector<Vector<T>> w;
  std::vector<Vector<T>> y;
  for (std::uint64_t c = 0; c < 3; ++c) {
    w.push_back(synthetic::features<T>(1, rows.cols(), 10 + c).row(0));
    y.push_back(synthetic::features<T>(1, n, 20 + c).row(0));
  }
  std::vector<detail::samples::Candidate<T>> candidates;
  for (std::size_t c = 0; c < 3; ++c)
    candidates.push_back({&w[c], static_cast<T>(0.25 * static_cast<double>(c)), &y[c]});
  const auto risks_by = [&](Workers* workers) {
    std::vector<double> risks(3);
    detail::samples::find_risks(Squared{}, rows, sample_weights, candidates.data(), 3, risks.data(),
                                workers);
    return risks;
  };
  const auto risks = risks_by(nullptr);
  for (std::size_t c = 0; c < 3; ++c) {
    const T offset = candidates[c].offset;
    CHECK(detail::samples::risk_of_rows(Squared{}, rows, y[c], sample_weights, w[c], offset) ==
          risks[c]);
    double sum = 0;
    double total = 0;
    for (Index i = 0; i < n; ++i) {
      const auto s = static_cast<double>(sample_weights.size() ? sample_weights[i] : T(1));
      sum += s * static_cast<double>(Squared{}.value(rows.dot(i, w[c]) + offset, y[c][i]));
      total += s;
    }
    // A score in float is a sum of d products, whose order of addition depends on the layout.
    const double rounding = 1e-7 * std::max(10.0, std::sqrt(static_cast<double>(rows.cols())));
    CHECK_THAT(risks[c], WithinRel(sum / total, std::is_same_v<T, float> ? rounding : 1e-12));
  }
  for (const Index count : {1, 2, 5}) {
    Workers workers(count);
    CHECK(risks_by(&workers) == risks);
  }
}

template <class T>
void are_those_of_each_alone_in_every_layout(Index n, Index d) {
  const Matrix<T> x = synthetic::features<T>(n, d, 1, 0.5);
  for (const Vector<T>& weights : {Vector<T>(), Vector<T>(Vector<T>::LinSpaced(n, T(0.5), T(2)))}) {
    are_those_of_each_alone(x, weights);
    are_those_of_each_alone(Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>(x), weights);
    are_those_of_each_alone(synthetic::sparse(x), weights);
  }
}

}  // namespace

TEST_CASE("Risks: many candidates have the bits of each alone, for any workers", "[metrics]") {
  for (const Index n : {1, 256, 257, 4096, 4097})
    are_those_of_each_alone_in_every_layout<double>(n, 5);
  are_those_of_each_alone_in_every_layout<float>(4097, 5);
  are_those_of_each_alone_in_every_layout<double>(300, 700);  // x is divided into pieces of 11 rows
  are_those_of_each_alone_in_every_layout<float>(40, 20000);  // x is divided into pieces of one row
  const Matrix<float> narrow = synthetic::features<float>(5000, 4, 3);
  are_those_of_each_alone(in_double(narrow), V(V::LinSpaced(5000, 1, 2)));
}

TEST_CASE(
    "Objective value: agrees with the formula, for every layout, scalar and number of threads",
    "[metrics]") {
  const auto x = synthetic::features(9001, 5, 2, 0.5);  // 9001 rows are three blocks
  const auto targets = synthetic::signs(x, 3);
  const V w = vector({0.5, -1, 2, 0, 0.25});
  V weights(9001);
  for (Index i = 0; i < 9001; ++i) weights[i] = static_cast<double>(i % 3);
  const Objective objective{Hinge{}, L2{0.3}};
  const V losses = (1 - targets.array() * ((x * w).array() + 0.125)).cwiseMax(0);
  const double penalty = 0.15 * w.squaredNorm();
  const double weighted = losses.dot(weights) / weights.sum() + penalty;
  const auto check = [&](const auto& samples) {
    const double plain = objective_value(objective, samples, targets, w, 0.125);
    CHECK_THAT(plain, WithinRel(losses.mean() + penalty, 1e-13));
    const double found = objective_value(objective, samples, targets, w, 0.125, weights);
    CHECK_THAT(found, WithinRel(weighted, 1e-13));
    for (const Index threads : {1, 2, 3, 64}) {
      CHECK(objective_value(objective, samples, targets, w, 0.125, {}, threads) == plain);
      CHECK(objective_value(objective, samples, targets, w, 0.125, weights, threads) == found);
    }
  };
  check(x);
  check(Eigen::MatrixXd(x));
  check(synthetic::sparse(x));
  CHECK_THAT(objective_value(objective, Matrix<float>(x.cast<float>()), targets,
                             Vector<float>(w.cast<float>()), 0.125F),
             WithinRel(losses.mean() + penalty, 1e-6));  // the scores are float
  CHECK_THAT(empirical_risk(Hinge{}, (x * w).array() + 0.125, targets, weights),
             WithinRel(weighted - penalty, 1e-13));
}

TEST_CASE("Objective value: refuses invalid arguments", "[metrics]") {
  const Matrix<double> x = Matrix<double>::Ones(3, 2);
  const V three = V::Ones(3), two = V::Ones(2);
  const auto refused = [&](const char* why, const Matrix<double>& samples, const V& t, const V& v,
                           const V& weights = {}, Index threads = 1) {
    CHECK_THROWS_WITH(
        objective_value(Objective{Hinge{}, L2{0.3}}, samples, t, v, 0, weights, threads),
        std::string("objective_value: ") + why);
  };
  refused("x has 3 rows but y has 2: a sample is a row of x, so pass x.transpose()", x, two, two);
  refused("x has no rows", Matrix<double>(0, 2), {}, two);
  refused("x has 2 columns but there are 3 weights", x, three, three);
  refused("2 sample weights but y has 3", x, three, two, two);
  refused("all sample weights are zero", x, three, two, V::Zero(3));
  refused("sample weight 1 is 1e+200, but magnitudes above 1e150 are refused: use a larger unit", x,
          three, two, vector({1, 1e200, 1}));
  refused("-1 threads, but there must be 1 to 1024", x, three, two, {}, -1);
  refused("0 threads, but there must be 1 to 1024", x, three, two, {}, 0);
  refused("1025 threads, but there must be 1 to 1024", x, three, two, {}, 1025);
}

TEST_CASE("Objective value: sample weights count by their ratios", "[metrics]") {
  const Objective objective{Squared{}, NoPenalty{}};
  Matrix<double> x{{1}, {2}, {4}};
  const V w = V::Ones(1), zero = V::Zero(3);
  // The weights 1, 2, 4 give ½·(1·1 + 2·4 + 4·16)/7.
  for (const double scale : {1e149, 1.0, 1e-150}) {
    CAPTURE(scale);
    const V weights = scale * vector({1, 2, 4});
    CHECK_THAT(objective_value(objective, x, zero, w, 0, weights), WithinRel(73.0 / 14, 1e-15));
    CHECK_THAT(empirical_risk(Squared{}, V(x.col(0)), zero, weights), WithinRel(73.0 / 14, 1e-15));
  }
  // A sample of weight 0 is ignored, even if its loss is infinite.
  x(2, 0) = 1e300;
  CHECK_THAT(objective_value(objective, x, zero, w, 0, vector({1, 2, 0})), WithinRel(1.5, 1e-15));
}

}  // namespace empirical_risk_test
