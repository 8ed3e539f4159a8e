// SPDX-License-Identifier: MIT
#include <algorithm>  // max
#include <cmath>      // sqrt
#include <cstdint>
#include <linea/losses/hinge.hpp>
#include <linea/losses/squared.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/rows/in_double.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using V = Eigen::VectorXd;

namespace {

/// The risks of three candidates on x, with their own targets: as of each alone, by any workers, and near the
/// mean of the losses.
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
  std::vector<samples::Candidate<T>> candidates;
  for (std::size_t c = 0; c < 3; ++c)
    candidates.push_back({&w[c], static_cast<T>(0.25 * static_cast<double>(c)), &y[c]});
  const auto risks = samples::risks_of_rows(Squared{}, rows, sample_weights, candidates);
  REQUIRE(risks.size() == 3);
  for (std::size_t c = 0; c < 3; ++c) {
    const T offset = candidates[c].offset;
    CHECK(samples::risk_of_rows(Squared{}, rows, y[c], sample_weights, w[c], offset) == risks[c]);
    double sum = 0;
    double total = 0;
    for (Index i = 0; i < n; ++i) {
      const auto s = static_cast<double>(sample_weights.size() ? sample_weights[i] : T(1));
      sum += s * static_cast<double>(Squared{}.value(rows.dot(i, w[c]) + offset, y[c][i]));
      total += s;
    }
    // Scores of float: d products, added up in another order by columns.
    const double rounding = 1e-7 * std::max(10.0, std::sqrt(static_cast<double>(rows.cols())));
    CHECK_THAT(risks[c], WithinRel(sum / total, std::is_same_v<T, float> ? rounding : 1e-12));
  }
  for (const Index count : {1, 2, 5}) {
    Workers workers(count);
    CHECK(samples::risks_of_rows(Squared{}, rows, sample_weights, candidates, &workers) == risks);
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

TEST_CASE("Risks: many candidates have the bits of each alone, with any workers", "[metrics]") {
  for (const Index n : {1, 256, 257, 4096, 4097, 9001}) {
    are_those_of_each_alone_in_every_layout<double>(n, 5);
    are_those_of_each_alone_in_every_layout<float>(n, 5);
  }
  are_those_of_each_alone_in_every_layout<double>(300, 700);  // pieces of eleven rows
  are_those_of_each_alone_in_every_layout<float>(40, 20000);  // of one
  const Matrix<float> narrow = synthetic::features<float>(5000, 4, 3);
  are_those_of_each_alone(in_double(narrow), V(V::LinSpaced(5000, 1, 2)));
  CHECK(samples::risks_of_rows(Squared{}, rows_of(narrow), Vector<float>(), {}).empty());
}

TEST_CASE("Objective value: the same bits with any number of threads", "[metrics]") {
  const auto x = synthetic::features(9001, 4, 2, 0.5);  // three blocks
  const auto targets = synthetic::signs(x, 3);
  const V w = Eigen::Vector4d(0.5, -1, 2, 0.25);
  const V weights = V::LinSpaced(9001, 0, 2);
  const Objective objective{Hinge{}, L2{0.3}};
  const auto same = [&](const auto& samples) {
    for (const V& s : {V(), weights}) {
      const double alone = objective_value(objective, samples, targets, w, 0.125, s);
      for (const Index threads : {1, 2, 3, 64})
        CHECK(objective_value(objective, samples, targets, w, 0.125, s, threads) == alone);
    }
  };
  same(x);
  same(Eigen::MatrixXd(x));
  same(synthetic::sparse(x));
  for (const Index threads : {-1, 0, 1025})
    CHECK_THROWS_WITH(
        objective_value(objective, x, targets, w, 0, {}, threads),
        "objective_value: " + std::to_string(threads) + " threads, but from 1 to 1024 can be had");
}
