// SPDX-License-Identifier: MIT
/// \file Metrics of samples that are divided among processes, against those of all samples.
#include <limits>
#include <linea/losses/huber.hpp>
#include <linea/metrics/classification.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/metrics/likelihood.hpp>
#include <linea/metrics/regression.hpp>
#include <stdexcept>
#include <string>

#include "mpi/divided.hpp"
#include "support/catch.hpp"

namespace mpi_metrics_test {

using namespace linea;
using namespace divided;

namespace {

constexpr Division divisions[] = {Division::even, Division::last_empty, Division::by_target};

/// metric(predicted, y, weights, processes) of divided samples is that of all; predictions are the
/// only column of x.
template <class F>
void is_that_of_all(const Problem<Matrix<double>>& problem, const F& metric) {
  const double all = metric(problem.all_x.col(0), problem.all_y, problem.all_weights, Processes{});
  const double shared = metric(problem.x.col(0), problem.y, problem.weights, Processes(world()));
  REQUIRE_THAT(shared, WithinRel(all, 1e-13));
  REQUIRE(is_same_everywhere(std::vector<double>{shared}));
  if (world().size() == 1) REQUIRE(shared == all);
}

}  // namespace

TEST_CASE("Metrics: means over divided samples are those of all samples", "[mpi]") {
  const auto [x, y] = made_up(101, 2);
  for (const auto division : divisions)
    for (const bool weighted : {false, true}) {
      CAPTURE(division, weighted);
      const Vector<double> weights =
          weighted ? Vector<double>(1e305 * made_up_weights(101)) : Vector<double>{};
      const Matrix<double> p = x.leftCols(1);
      const auto numbers = divide(p, made_up_numbers(x), weights, division);
      is_that_of_all(numbers, [](const auto&... all) { return mean_squared_error(all...); });
      is_that_of_all(numbers, [](const auto&... all) { return root_mean_squared_error(all...); });
      is_that_of_all(numbers, [](const auto&... all) { return mean_absolute_error(all...); });
      is_that_of_all(numbers, [](const auto&... all) { return r2(all...); });
      is_that_of_all(numbers,
                     [](const auto&... all) { return empirical_risk(Huber{0.5}, all...); });
      const Matrix<double> signs =
          x.leftCols(1).unaryExpr([](double v) { return v < 0 ? -1.0 : 1.0; });
      const auto classes = divide(signs, y, weights, division);
      is_that_of_all(classes, [](const auto&... all) { return accuracy(all...); });
      is_that_of_all(classes, [](const auto&... all) { return error_rate(all...); });
      const Matrix<double> chances = (x.leftCols(1).array() + 1.5) / 3;
      is_that_of_all(divide(chances, y, weights, division),
                     [](const auto& q, const auto& t, const auto& s, const Processes& processes) {
                       return log_loss(q, t, 1, s, processes);
                     });
    }
  // y is constant on every rank, and yet not constant.
  Vector<double> steps(101);
  for (Index i = 0; i < 101; ++i) steps[i] = x(i, 0) > 0 ? 1 : 0;
  is_that_of_all(divide(Matrix<double>(x.leftCols(1)), steps, {}, Division::by_target),
                 [](const auto&... all) { return r2(all...); });
}

TEST_CASE("Metrics: a fault of one rank is the same error on all", "[mpi]") {
  const Index size = world().size();
  const bool is_last = world().rank() == size - 1;
  const std::string rank =
      size == 1 ? "" : " (rank " + std::to_string(size - 1) + " of " + std::to_string(size) + ")";
  const auto thrown = [](auto&& run) {
    try {
      run();
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  Vector<double> q = Vector<double>::Constant(3, 0.5), y = Vector<double>::Ones(3), weights;
  if (is_last) q[1] = 1.5;
  REQUIRE(thrown([&] { (void)log_loss(q, y, 1, {}, world()); }) ==
          "log_loss: probability 1 is 1.5, which is outside [0, 1]" + rank);
  if (is_last) q.resize(2);
  REQUIRE(thrown([&] { (void)mean_squared_error(q, y, {}, world()); }) ==
          "mean_squared_error: 2 predictions but y has 3" + rank);
  if (size > 1) {
    if (!is_last) weights = y;
    REQUIRE(thrown([&] { (void)accuracy(y, y, weights, world()); }) ==
            "accuracy: 0 sample weights but y has 3" + rank);
  }
  weights = Vector<double>::Zero(3);
  REQUIRE(thrown([&] { (void)r2(y, y, weights, world()); }) == "r2: all sample weights are zero");
  y.resize(0);
  REQUIRE(thrown([&] { (void)accuracy(y, y, {}, world()); }) == "accuracy: no samples");
}

}  // namespace mpi_metrics_test
