// SPDX-License-Identifier: MIT
#pragma once
/// \file The solver::Method of SoftmaxNewton: see solver/solve.hpp.
#include <algorithm>  // clamp
#include <cmath>      // sqrt
#include <limits>
#include <linea/optimizers/newton/iterate.hpp>
#include <linea/optimizers/newton/softmax_direction.hpp>
#include <utility>  // move

namespace linea::detail::newton {

/// Truncated Newton for all classes at once, with a line search for the Wolfe conditions.
template <class Rows>
class SoftmaxMethod : public Iterate<SoftmaxObjective<Rows>> {
 public:
  /// Starts at `start`, or at the best constant if `start` is empty.
  SoftmaxMethod(const solver::ClassPoint& start, samples::TrainingSet<Rows> set,
                Vector<Index> classes, Index count, double lambda, bool has_offset, Index threads)
      : Iterate<SoftmaxObjective<Rows>>(start, std::move(set), std::move(classes), count, lambda,
                                        has_offset, threads) {}

  bool iterate(double) {
    while (!this->is_stuck()) {
      const double slope = find_direction();
      problem_.score(next_.direction, moves_);
      if (this->advance(next_.direction, moves_, slope, 1, {1e-4, 0.5})) return true;
      if (!this->refresh()) return false;
    }
    return false;
  }

 private:
  using Iterate<SoftmaxObjective<Rows>>::problem_;

  /// Finds the direction by conjugate gradients, with a residual of at most a tenth of ∇F. Without
  /// a bound on F*, this fraction decreases towards the minimum. Returns ⟨∇F, direction⟩.
  double find_direction() {
    double enough = 0.1;
    if (!problem_.has_bound())
      enough = std::clamp(std::sqrt(this->promised() / this->value()), 1e-6, 0.1);
    next_.find(problem_, this->at.q, this->gradient, enough, 500);
    const double slope = dot(this->gradient, next_.direction);
    this->promise(next_.is_flat ? -std::numeric_limits<double>::infinity() : slope);
    return slope;
  }

  IterativeDirection<> next_{};
  Table moves_{};
};

}  // namespace linea::detail::newton
