// SPDX-License-Identifier: MIT
/// \file Softmax regression on rows that are divided among processes, against all rows on one.
#include <limits>
#include <linea/models/softmax_regression.hpp>
#include <linea/models/standardised.hpp>
#include <linea/penalties/none.hpp>
#include <stdexcept>
#include <string>

#include "mpi/divided.hpp"
#include "support/catch.hpp"

namespace mpi_softmax_test {

using namespace linea;
using namespace divided;

namespace {

/// Weights, offsets and F.
template <class S>
std::vector<double> all_numbers_of(const S& solution) {
  std::vector<double> numbers(solution.weights.data(),
                              solution.weights.data() + solution.weights.size());
  for (const auto b : solution.offset) numbers.push_back(b);
  numbers.push_back(solution.objective);
  return numbers;
}

/// n samples of d features in three classes, which overlap.
std::pair<Matrix<double>, Vector<double>> three_classes(Index n, Index d, double far = 0) {
  auto [x, y] = made_up(n, d, far);
  for (Index i = 0; i < n; ++i) y[i] = y[i] > 0 ? 1 : x(i, 1) > 0.2 ? 2 : 0;
  return {x, y};
}

/// F from its definition.
double value_of(const Problem<Matrix<double>>& problem, const Matrix<double>& weights,
                const Vector<double>& offset, double lambda) {
  double sum = 0, total = 0;
  for (Index i = 0; i < problem.all_y.size(); ++i) {
    const double s = problem.all_weights.size() > 0 ? problem.all_weights[i] : 1;
    const Vector<double> p = weights.transpose() * problem.all_x.row(i).transpose() + offset;
    const double top = p.maxCoeff();
    sum += s * (top + std::log((p.array() - top).exp().sum()) -
                p[static_cast<Index>(problem.all_y[i])]);
    total += s;
  }
  return sum / total + lambda / 2 * weights.squaredNorm();
}

template <class P>
void agrees(const SoftmaxNewton& newton, const P& penalty, const Problem<Matrix<double>>& problem,
            double tolerance) {
  const auto alone = newton.minimize(penalty, problem.all_x, problem.all_y,
                                     {.sample_weights = problem.all_weights});
  const auto shared = newton.minimize(penalty, problem.x, problem.y,
                                      {.sample_weights = problem.weights, .processes = world()});
  REQUIRE(shared.status == Status::converged);
  REQUIRE(is_same_everywhere(all_numbers_of(shared)));
  REQUIRE_THAT(shared.objective, WithinRel(alone.objective, newton.tolerance));
  REQUIRE((shared.weights - alone.weights).norm() <= tolerance * alone.weights.norm());
  REQUIRE((shared.offset - alone.offset).norm() <= tolerance * (1 + alone.offset.norm()));
  REQUIRE_THAT(shared.objective, WithinRel(value_of(problem, shared.weights, shared.offset,
                                                    strong_convexity_of(penalty)),
                                           1e-9));
  REQUIRE(shared.gap.has_value() == alone.gap.has_value());
  if (shared.gap) REQUIRE(*shared.gap <= newton.tolerance * shared.objective);
  REQUIRE(shared.iterations <= alone.iterations + 3);
}

}  // namespace

TEST_CASE("SoftmaxNewton: divided rows have the minimum of all rows", "[mpi]") {
  const auto [x, y] = three_classes(211, 5);
  for (const auto division : {Division::even, Division::last_empty, Division::by_target})
    for (const bool is_exact : {true, false}) {
      CAPTURE(division, is_exact);
      const SoftmaxNewton newton{
          .tolerance = 1e-10, .threads = is_exact ? 1 : 2, .exact_up_to = is_exact ? 200 : 0};
      agrees(newton, L2{1e-3}, divide(x, y, {}, division), 1e-4);
      agrees(newton, L2{1e-3}, divide(x, y, made_up_weights(211), division), 1e-4);
      agrees(newton, NoPenalty{}, divide(x, y, {}, division), 1e-3);
    }
}

TEST_CASE("SoftmaxNewton: divided rows, columns far from 0, no offset, more columns than rows",
          "[mpi]") {
  const auto [x, y] = three_classes(151, 4, 1e5);
  agrees({.tolerance = 1e-9}, L2{1e-3}, divide(x, y, {}, Division::last_empty), 1e-3);
  agrees({.offset = false, .tolerance = 1e-9}, L2{1e-2}, divide(x, y, {}, Division::even), 1e-3);
  const auto [wide, classes] = three_classes(40, 60);  // preconditioned by the diagonal
  agrees({.tolerance = 1e-9, .exact_up_to = 0}, L2{1e-2}, divide(wide, classes, {}, Division::even),
         1e-3);
}

TEST_CASE("SoftmaxNewton: sampled curvatures of divided rows", "[mpi]") {
  const auto [x, y] = three_classes(4000, 5);  // more than four rows a column
  const auto problem = divide(x, y, {}, Division::last_empty);
  const SoftmaxNewton newton{.tolerance = 1e-9, .exact_up_to = 0};
  agrees(newton, L2{1e-4}, problem, 1e-3);
  const auto alone = newton.minimize(L2{1e-4}, problem.all_x, problem.all_y);
  const auto shared = newton.minimize(L2{1e-4}, problem.x, problem.y, {.processes = world()});
  REQUIRE(shared.epochs <= 2 * alone.epochs);
}

TEST_CASE("SoftmaxRegression: divided rows, sparse and of one class on a rank", "[mpi]") {
  auto [x, y] = three_classes(151, 6);
  y.array() = 2.5 * y.array() + 3;  // labels 3, 5.5 and 8
  const SparseMatrix<double> sparse = x.sparseView();
  const auto problem = divide(sparse, y, made_up_weights(151), Division::by_target);
  SoftmaxRegression recipe{.lambda = 1e-2, .tolerance = 1e-9, .class_weights = balanced};
  const auto alone =
      recipe.fit(problem.all_x, problem.all_y, {.sample_weights = problem.all_weights});
  const auto shared =
      recipe.fit(problem.x, problem.y, {.sample_weights = problem.weights, .processes = world()});
  REQUIRE(shared.labels.values() == std::vector<double>{3, 5.5, 8});
  REQUIRE(is_same_everywhere(all_numbers_of(shared)));
  REQUIRE_THAT(shared.objective, WithinRel(alone.objective, 1e-8));
  REQUIRE((shared.weights - alone.weights).norm() <= 1e-4 * alone.weights.norm());
}

TEST_CASE("SoftmaxRegression: standardised columns of divided rows", "[mpi]") {
  auto [x, y] = three_classes(151, 5, 1e3);
  x.col(1) *= 1e-4;
  const Standardised recipe{SoftmaxRegression{.lambda = 1e-2, .tolerance = 1e-9}};
  const auto problem = divide(x, y, {}, Division::last_empty);
  const auto alone = recipe.fit(problem.all_x, problem.all_y);
  const auto shared = recipe.fit(problem.x, problem.y, {.processes = world()});
  REQUIRE(is_same_everywhere(all_numbers_of(shared)));
  REQUIRE_THAT(shared.objective, WithinRel(alone.objective, 1e-8));
  REQUIRE((shared.probabilities(x) - alone.probabilities(x)).norm() <= 1e-3);
}

TEST_CASE("SoftmaxNewton: a fault of one rank is the same error on all", "[mpi]") {
  const Index size = world().size();
  const bool is_last = world().rank() == size - 1;
  const std::string rank =
      size == 1 ? "" : " (rank " + std::to_string(size - 1) + " of " + std::to_string(size) + ")";
  const auto [x, y] = three_classes(40, 3);
  const auto thrown = [](auto&& run) {
    try {
      run();
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  auto problem = divide(x, y, {}, Division::even);
  Extras<double> extras{.processes = world()};
  const auto refusal = [&] {
    return thrown([&] { (void)SoftmaxNewton{}.minimize(L2{1e-3}, problem.x, problem.y, extras); });
  };
  if (is_last) problem.y[0] = 0.5;
  REQUIRE(refusal() ==
          "SoftmaxNewton::minimize: y(0) = 0.5 is no class, which are 0, 1, 2, ..." + rank);
  problem = divide(x, y, {}, Division::even);
  problem.y = 2 * problem.y;  // classes 0, 2 and 4: of some there is no sample on any rank
  REQUIRE(refusal() == "SoftmaxNewton::minimize: class 1 of 5 has no sample of weight above 0");
  problem.y.setZero();
  REQUIRE(refusal() ==
          "SoftmaxNewton::minimize: two classes are needed, but all samples of weight "
          "above 0 are of class 0");
  REQUIRE(thrown([&] { (void)SoftmaxRegression{}.fit(problem.x, problem.y, extras); }) ==
          "SoftmaxRegression::fit: two classes are needed, but all 40 samples are of class 0");
  problem = divide(x, y, {}, Division::even);
  if (is_last)
    extras.observer = [](const Progress& progress) -> Control {
      if (progress.epoch == 2) throw std::runtime_error("the disk is full");
      return Control::proceed;
    };
  REQUIRE(thrown([&] {
            (void)SoftmaxNewton{.tolerance = 0}.minimize(L2{1e-3}, problem.x, problem.y, extras);
          }) == "the disk is full" + (is_last ? "" : rank));
}

}  // namespace mpi_softmax_test
