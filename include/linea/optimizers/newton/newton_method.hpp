// SPDX-License-Identifier: MIT
#pragma once
/// \file The solver::Method of Newton: see solver/solve.hpp.
#include <algorithm>  // clamp
#include <cmath>      // abs, sqrt
#include <limits>
#include <linea/optimizers/newton/factored_direction.hpp>
#include <linea/optimizers/newton/iterate.hpp>
#include <linea/optimizers/newton/newton_direction.hpp>
#include <linea/optimizers/newton/objective.hpp>
#include <utility>  // move

namespace linea::detail::newton {

/// Newton's method with a line search for the Wolfe conditions. FactoredDirection finds the
/// directions while it is active, and NewtonDirection finds all later directions.
template <class L, class Rows>
class NewtonMethod : public Iterate<SmoothObjective<L, Rows>> {
 public:
  NewtonMethod(const L& loss, double lambda, samples::TrainingSet<Rows> set,
               const Point<double>& start, bool has_offset, Index threads)
      : Iterate<SmoothObjective<L, Rows>>(start, loss, lambda, std::move(set), has_offset, threads),
        loss_(loss),
        next_(problem_.reads_single_rows() && problem_.all_samples() >= 8192 ? 8 : 1),
        factored_(loss, problem_, start.weights.size() > 0) {}

  bool iterate(double allowed) {
    while (!this->is_stuck()) {
      double slope =
          factored_.is_at_work() ? factored_.find(loss_, problem_, *this, allowed, next_) : 0;
      const bool is_factored = factored_.is_at_work();
      if (!is_factored) slope = find_direction();
      const bool has_moved = this->advance(next_.direction, next_.moves, slope, next_.first_step);
      const bool has_learnt =
          is_factored ? factored_.learn(this->step_) : next_.learn(problem_, *this, this->step_);
      if (has_moved) return true;
      if (!this->refresh() && !has_learnt) return false;
    }
    return false;
  }

 private:
  using Iterate<SmoothObjective<L, Rows>>::problem_;

  /// Finds the direction by conjugate gradients, with a residual of at most a tenth of ∇F. Without
  /// a bound on F*, this fraction decreases towards the minimum. Returns ⟨∇F, direction⟩.
  double find_direction() {
    if (problem_.has_bound()) return next_.find(problem_, *this);
    const double near = this->promised() / std::abs(this->value());
    const double slope = next_.find(problem_, *this, std::clamp(std::sqrt(near), 1e-6, 0.1));
    this->promise(next_.is_whole() ? slope : -std::numeric_limits<double>::infinity());
    return slope;
  }

  const L& loss_;
  NewtonDirection<> next_;
  FactoredDirection<> factored_;
};

}  // namespace linea::detail::newton
