// SPDX-License-Identifier: MIT
#pragma once
/// \file Multipliers of a LossProgram that meet its conditions, and the bounds they prove.
#include <algorithm>  // max, min
#include <cmath>
#include <linea/optimizers/programs/box_newton.hpp>
#include <linea/optimizers/programs/loss_program.hpp>

namespace linea::programs {

/// Knows the program, and no point of it.
template <class Real = double>
class LossBounds {
  using Reals = Vector<Real>;

 public:
  /// The program must outlive this object.
  explicit LossBounds(const LossProgram<Real>& losses)
      : losses_(losses), program_(losses.program()) {}

  /// Multipliers within the box that meet the conditions: most of what they miss is laid on those
  /// that are away from both ends of the box.
  Reals feasible(Reals a) const {
    const Reals& u = program_.bounds;
    const bool all = are_all_conditions();
    for (int round = 0;; ++round) {
      Reals room = u;
      for (Index k = 0; k < a.size(); ++k) {
        a[k] = a[k] > 0 ? std::min(a[k], u[k]) : 0;
        room[k] = a[k] * ((u[k] - a[k]) / u[k]);
      }
      if (round == 4 || !(all || losses_.has_offset())) return a;
      Reals missing = all ? precise_sums(program_, slopes_at(a)) : program_.transposed_times(a);
      for (Index j = 0; j < missing.size() && !all; ++j)
        missing[j] = program_.total(j) - missing[j];
      if (all) {
        const Reals none = numerics::constant(a.size(), 0);
        auto step = BoxNewton<Real>(program_, room, BoxFactor::cholesky).solve(none, missing);
        if (!step.accurate)
          step = BoxNewton<Real>(program_, room, BoxFactor::qr).solve(none, missing);
        numerics::add(1, step.multipliers, a);
      } else {
        double total = 0;
        for (Index k = 0; k < losses_.pieces(); ++k) total += room[k];
        if (!(total > 0)) continue;
        const double share = missing[losses_.rank()] / total;
        for (Index k = 0; k < losses_.pieces(); ++k) a[k] += share * room[k];
      }
    }
  }

  /// What n·F is nowhere below. First draws all slopes towards 0 as far as an absolute penalty
  /// without a squared one asks for. What equations miss by rounding counts at the point `primal`.
  double of(Reals& multipliers, const Reals& primal) const {
    if (losses_.is_free()) {
      const Reals slopes = slopes_at(multipliers);
      return of_slopes(slopes) - losses_.missed(slopes, primal);
    }
    double size = 0;
    const Reals sums = sums_of(multipliers, size);
    double scale = 1;
    for (Index j = 0; j < losses_.rank(); ++j)
      if (losses_.absolute()[j] > 0 && std::isinf(cost_of(j, sums[j], size, primal[j])))
        scale = std::min(scale, losses_.absolute()[j] / std::abs(sums[j]));
    Reals slopes = slopes_at(multipliers);
    for (Index k = 0; k < slopes.size(); ++k) {
      slopes[k] *= k < losses_.pieces() ? scale : 0;
      multipliers[k] = program_.origins[k] - slopes[k];
    }
    double bound = of_slopes(slopes);
    for (Index j = 0; j < sums.size(); ++j)
      bound -= cost_of(j, scale * sums[j], scale * size, primal[j]);
    return bound;
  }

  /// Is there a condition for each column with a weight? Then `feasible` takes four factorizations.
  bool are_all_conditions() const { return losses_.is_free(); }

 private:
  /// U = o − α.
  Reals slopes_at(const Reals& multipliers) const {
    Reals slopes = program_.origins;
    numerics::add(-1, multipliers, slopes);
    return slopes;
  }

  /// The dual of the losses: minus their conjugates at slopes U.
  double of_slopes(const Reals& slopes) const {
    double sum = 0;
    for (Index k = 0; k < slopes.size(); ++k) {
      const double c = program_.curvatures[k];
      sum -= slopes[k] * (program_.levels[k] - c * program_.origins[k] + c / 2 * slopes[k]);
    }
    return sum;
  }

  /// Σᵢ Uᵢ·row i over the rows of samples. `size` becomes √n·‖U‖: no sum of a column of mean square
  /// 1 is larger.
  Reals sums_of(const Reals& multipliers, double& size) const {
    Reals sums = numerics::constant(program_.rows.cols(), 0);
    double squares = 0;
    for (Index k = 0; k < losses_.pieces(); ++k) {
      const double slope = program_.origins[k] - multipliers[k];
      rows::add(program_.rows.data() + k * sums.size(), slope, sums.data(), sums.size());
      squares += slope * slope;
    }
    size = std::sqrt(squares * static_cast<double>(losses_.pieces()));
    return sums;
  }

  double cost_of(Index j, double sum, double size, double weight) const {
    const double l1 = j < losses_.rank() ? losses_.absolute()[j] : 0;
    return penalty_cost(sum, size, l1, program_.strength(j), weight);
  }

  const LossProgram<Real>& losses_;
  const BoxProgram<Real>& program_;
};

}  // namespace linea::programs
