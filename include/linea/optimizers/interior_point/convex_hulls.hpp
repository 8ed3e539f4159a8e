// SPDX-License-Identifier: MIT
#pragma once
/// \file The nearest points of two convex hulls: the quadratic program for the largest margin.
#include <algorithm>  // max, min
#include <cmath>
#include <limits>
#include <linea/optimizers/interior_point/active_set.hpp>
#include <linea/optimizers/interior_point/central_path.hpp>
#include <vector>

namespace linea::detail::interior_point {

/// The direction with the largest margin, for coordinates cᵢ (n × r) with targets −1 and +1, or 0
/// for samples to ignore. The dual variables αᵢ ≥ 0 give an upper bound on the margins of all
/// directions. They sum to 1 in each class, or to 1 in total without an offset.
template <class Real = double>
class ConvexHulls {
  using Reals = Vector<Real>;
  static constexpr double infinity = std::numeric_limits<double>::infinity();

 public:
  Reals weights{};  ///< direction (r)
  Reals terms{};    ///< αᵢyᵢ (n), with Σᵢ αᵢyᵢcᵢ = weights up to scale and rounding
  double margin{-infinity};  ///< margin of the direction
  Reals multipliers{};       ///< dual variables αᵢ (n)
  std::vector<Index> support{};
  double bound{infinity};  ///< upper bound on the margins of all directions
  Index iterations{0};

  ConvexHulls(const Matrix<Real>& coordinates, const Reals& targets, bool offset, double tolerance,
              Index limit)
      : targets_(targets),
        rank_(coordinates.cols()),
        sides_(offset ? 2 : 1),
        program_(program_of(coordinates)) {
    const Reals start = scaled(linear_algebra::constant(program_.size(), 1));
    Reals primal = linear_algebra::transposed_times(program_.rows, start);
    for (Index j = rank_; j < primal.size(); ++j) primal[j] = 0;
    keep(start);
    CentralPath<Real> path(program_, start, primal);
    const BoxPoint<Real> point =
        path.solve(1e-3 * tolerance, 1e-24, limit, [](const auto&) { return false; });
    iterations = path.iterations();
    consider(point);
    solve_active_sets(program_, point, [&](const BoxPoint<Real>& solved) {
      consider(solved);
      return false;
    });
  }

 private:
  Index sample(Index k) const { return present_[static_cast<std::size_t>(k)]; }
  /// Returns the class of row k of the program; without an offset all rows are of class 0.
  Index side(Index k) const { return sides_ == 2 && targets_[sample(k)] < 0 ? 1 : 0; }

  /// Returns the program. Row k is yᵢcᵢ for i = sample(k), followed by an indicator of side(k).
  BoxProgram<Real> program_of(const Matrix<Real>& coordinates) {
    for (Index i = 0; i < targets_.size(); ++i)
      if (targets_[i] != 0) present_.push_back(i);
    BoxProgram<Real> program(static_cast<Index>(present_.size()), rank_ + sides_, false);
    for (Index k = 0; k < program.size(); ++k) {
      const double target = targets_[sample(k)];
      for (Index j = 0; j < rank_; ++j) program.rows(k, j) = target * coordinates(sample(k), j);
      program.rows(k, rank_ + side(k)) = 1;
    }
    for (Index j = 0; j < rank_; ++j) program.strengths[j] = 1;
    for (Index j = rank_; j < rank_ + sides_; ++j) program.totals[j] = 1;
    return program;
  }

  /// Returns `a` with negative entries set to 0, scaled to the sum 1 in each class or, without an
  /// offset, in total.
  Reals scaled(Reals a) const {
    double sums[2] = {0, 0};
    for (Index k = 0; k < a.size(); ++k) sums[side(k)] += a[k] = std::max(a[k], 0.0);
    for (Index k = 0; k < a.size(); ++k) a[k] /= sums[side(k)];
    return a;
  }

  /// Stores dual variables that `scaled` returned, and their support.
  void keep(const Reals& a) {
    multipliers = linear_algebra::constant(targets_.size(), 0);
    support.clear();
    double largest = 0;
    for (Index k = 0; k < a.size(); ++k) largest = std::max(largest, a[k]);
    for (Index k = 0; k < a.size(); ++k) {
      multipliers[sample(k)] = a[k];
      if (a[k] > 1e-8 * largest) support.push_back(sample(k));
    }
  }

  void consider(const BoxPoint<Real>& point) {
    const Reals a = scaled(point.multipliers);
    Reals between =
        linear_algebra::transposed_times(program_.rows, a);  // from one hull to the other
    between.conservativeResize(rank_);
    const double least =
        std::sqrt(linear_algebra::squares_of(between)) / static_cast<double>(sides_);
    if (least < bound) {
      bound = least;
      keep(a);
    }
    Reals w = point.primal;
    w.conservativeResize(rank_);
    consider_direction(w, a);
    consider_direction(between, a);
  }

  /// Keeps a direction if its margin, from halfway between the classes, is the largest so far.
  void consider_direction(const Reals& w, const Reals& a) {
    double least[2] = {infinity, sides_ == 2 ? infinity : 0};
    for (Index k = 0; k < program_.size(); ++k)
      least[side(k)] =
          std::min(least[side(k)], linear_algebra::dot(program_.row(k), w.data(), rank_));
    const double found = (least[0] + least[1]) /
                         (static_cast<double>(sides_) * std::sqrt(linear_algebra::squares_of(w)));
    if (!(found > margin)) return;
    margin = found;
    weights = w;
    terms = linear_algebra::constant(targets_.size(), 0);
    for (Index k = 0; k < a.size(); ++k) terms[sample(k)] = a[k] * targets_[sample(k)];
  }

  const Reals& targets_;
  Index rank_;
  Index sides_;
  std::vector<Index> present_{};  // the sample of each row of the program
  BoxProgram<Real> program_;
};

}  // namespace linea::detail::interior_point
