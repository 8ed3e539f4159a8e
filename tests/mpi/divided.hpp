// SPDX-License-Identifier: MIT
#pragma once
/// \file Samples whose rows are divided among the processes of a test program.
#include <algorithm>  // stable_sort
#include <linea/core/random.hpp>
#include <linea/core/workers.hpp>
#include <linea/mpi.hpp>
#include <utility>  // pair
#include <vector>

#include "support/catch.hpp"

namespace divided {

using namespace linea;

/// Returns the communicator of this program.
inline MpiCommunicator& world() {
  static auto* communicator = new MpiCommunicator;  // not destroyed, because MPI ends earlier
  return *communicator;
}

/// The division of rows among ranks.
enum class Division {
  even,        ///< each rank has about the same number of rows
  last_empty,  ///< the last rank has no rows, if there are two or more
  by_target,   ///< sorted by target, so that some ranks have only one class
};

/// A problem: all rows, which every rank has, and the rows of this rank.
template <class X>
struct Problem {
  X all_x;
  Vector<double> all_y, all_weights;
  X x;
  Vector<double> y, weights;
};

/// Returns the range [first, last) of the n rows that belong to `rank`, by default this rank.
inline std::pair<Index, Index> own_rows(Index n, Division division, Index rank = world().rank()) {
  Index ranks = world().size();
  if (division == Division::last_empty && ranks > 1) {
    --ranks;
    if (rank == ranks) return {n, n};
  }
  return share_of(n, rank, ranks);
}

/// Divides samples among the ranks. `weights` may be empty.
template <class X>
Problem<X> divide(const X& x, const Vector<double>& y, const Vector<double>& weights,
                  Division division) {
  Problem<X> problem{x, y, weights, {}, {}, {}};
  if (division == Division::by_target) {
    std::vector<Index> order(static_cast<std::size_t>(y.size()));
    for (Index i = 0; i < y.size(); ++i) order[static_cast<std::size_t>(i)] = i;
    std::stable_sort(order.begin(), order.end(), [&](Index i, Index j) { return y[i] < y[j]; });
    Matrix<double> moved(x.rows(), x.cols());
    const Matrix<double> dense(x);
    for (Index i = 0; i < y.size(); ++i) {
      const Index from = order[static_cast<std::size_t>(i)];
      moved.row(i) = dense.row(from);
      problem.all_y[i] = y[from];
      if (weights.size() > 0) problem.all_weights[i] = weights[from];
    }
    if constexpr (SparseSamples<X>)
      problem.all_x = moved.sparseView();
    else
      problem.all_x = moved;
  }
  const auto [first, last] = own_rows(y.size(), division);
  problem.x = problem.all_x.middleRows(first, last - first);
  problem.y = problem.all_y.segment(first, last - first);
  if (weights.size() > 0) problem.weights = problem.all_weights.segment(first, last - first);
  return problem;
}

/// Returns x (n × d), of which about a third of the entries are 0, and targets ±1 of a linear
/// function of x with noise. `far` is added to column 0.
inline std::pair<Matrix<double>, Vector<double>> made_up(Index n, Index d, double far = 0) {
  Random random(7);
  const auto draw = [&] { return 2 * random.uniform() - 1; };
  Matrix<double> x(n, d);
  Vector<double> y(n), w(d);
  for (Index j = 0; j < d; ++j) w[j] = draw();
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < d; ++j) x(i, j) = random.uniform() < 0.33 ? 0 : draw();
    y[i] = x.row(i).dot(w) + 0.7 * draw() > 0.1 ? 1 : -1;
    x(i, 0) += far;
  }
  return {x, y};
}

/// Do all ranks have the same numbers?
template <class V>
bool is_same_everywhere(const V& numbers) {
  std::vector<double> both;
  for (const double number : numbers) {
    both.push_back(number);
    both.push_back(-number);
  }
  const std::vector<double> own = both;
  world().largest(both.data(), static_cast<Index>(both.size()));
  return own == both;
}

/// Returns weights, offset and objective in one vector.
template <class S>
std::vector<double> numbers_of(const S& solution) {
  std::vector<double> numbers(solution.weights.data(),
                              solution.weights.data() + solution.weights.size());
  numbers.push_back(static_cast<double>(solution.offset));
  numbers.push_back(solution.objective);
  return numbers;
}

/// Returns the solutions for all rows on one process and for the divided rows. Checks that all
/// ranks agree on the second.
template <class M, class O, class X>
auto alone_and_shared(const M& optimizer, const O& objective, const Problem<X>& problem) {
  std::pair both{
      optimizer.minimize(objective, problem.all_x, problem.all_y,
                         {.sample_weights = problem.all_weights}),
      optimizer.minimize(objective, mpi::divided(problem.x, world()), problem.y, problem.weights)};
  REQUIRE(is_same_everywhere(numbers_of(both.second)));
  return both;
}

/// Returns targets: a linear function of x (n × d) with noise.
inline Vector<double> made_up_numbers(const Matrix<double>& x) {
  Random random(3);
  Vector<double> y(x.rows());
  for (Index i = 0; i < y.size(); ++i) y[i] = 2 + x.row(i).sum() + 0.3 * x(i, 0) + random.uniform();
  return y;
}

inline Vector<double> made_up_weights(Index n) {
  Vector<double> weights(n);
  for (Index i = 0; i < n; ++i) weights[i] = static_cast<double>(i % 4);
  return weights;
}

}  // namespace divided
