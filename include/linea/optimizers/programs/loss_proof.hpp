// SPDX-License-Identifier: MIT
#pragma once
/// \file What is taken from the dual of the losses for the bound on F that multipliers prove.
#include <cmath>
#include <limits>
#include <linea/core/point.hpp>
#include <linea/optimizers/programs/loss_boxes.hpp>
#include <linea/optimizers/programs/row_space.hpp>

namespace linea::programs {

/// What the bound rests on beside the multipliers.
struct ProofTerms {
  Vector<double> sum{};     ///< the dual sum (d) of the centred samples
  Vector<double> scales{};  ///< roots of the mean squares of the columns (d), or their length (1)
  bool has_offset{false};
  bool is_free{false};  ///< there is no penalty
  double missed{0};     ///< without a penalty: see LossProgram::missed, over n
};

/// The roots of the mean squares of the columns; of coordinates that are not the columns of x one
/// number, the length of all of them.
template <class Rows>
Vector<double> scales_of(const RowSpace<Rows>& space, const LossProgram<double>& program) {
  Vector<double> scales(program.rank());
  for (Index j = 0; j < scales.size(); ++j) scales[j] = program.scale(j);
  if (!space.is_rotated()) return scales;
  return numerics::constant(1, std::sqrt(numerics::squares_of(scales)));
}

/// What is taken from the dual of the losses: the conjugate of l1·‖w‖₁ + l2/2·‖w‖² at the dual sum,
/// with what sums miss of 0, and their rounding, at the weights that belong to them.
class ProofCost {
 public:
  /// For multipliers (n) of all samples of the set, and a point to measure rounding by, which must
  /// outlive this object as the terms must.
  template <class Rows>
  ProofCost(const ProofTerms& terms, const samples::TrainingSet<Rows>& set,
            const Vector<double>& multipliers, const PenaltyParts& penalty,
            const Point<double>& point)
      : terms_(terms), penalty_(penalty), point_(point) {
    double square = 0;
    for (Index i = 0; i < set.y.size(); ++i) {
      const double part = set.weight(i) / static_cast<double>(set.all_rows());
      total_ += part * multipliers[i];
      square += part * (multipliers[i] * multipliers[i]);
    }
    total_ = set.processes.sum(total_);
    size_ = std::sqrt(set.processes.sum(square));
    unit_ = std::numeric_limits<double>::epsilon() * size_;
  }

  /// For `scale` times the multipliers; may be infinite.
  double operator()(double scale) const {
    double sum = terms_.has_offset ? unit_ * std::abs(point_.offset) : 0;
    if (terms_.is_free) return sum + unit_ * length_in_scales(point_.weights) + terms_.missed;
    if (terms_.has_offset) sum += penalty_cost(total_, size_, 0, 0, point_.offset);
    if (is_rotated()) sum += unit_ * (scale / penalty_.l2 * length_in_scales(terms_.sum));
    for (Index j = 0; j < terms_.sum.size(); ++j)
      sum += penalty_cost(scale * widened(j), is_rotated() ? 0 : size_ * terms_.scales[j],
                          penalty_.l1, penalty_.l2, point_.weights[j]);
    return sum;
  }

  /// The sizes of the dual sum (d) with its rounding.
  Vector<double> widened() const {
    Vector<double> sizes(terms_.sum.size());
    for (Index j = 0; j < sizes.size(); ++j) sizes[j] = widened(j);
    return sizes;
  }

 private:
  bool is_rotated() const { return terms_.scales.size() != terms_.sum.size(); }
  double widened(Index j) const {
    return std::abs(terms_.sum[j]) + (is_rotated() ? 0 : unit_ * terms_.scales[j]);
  }
  /// Σⱼ scaleⱼ·|vⱼ|, or a number that it does not exceed.
  double length_in_scales(const Vector<double>& v) const {
    if (is_rotated()) return terms_.scales[0] * std::sqrt(numerics::squares_of(v));
    double sum = 0;
    for (Index j = 0; j < v.size(); ++j) sum += terms_.scales[j] * std::abs(v[j]);
    return sum;
  }

  const ProofTerms& terms_;
  PenaltyParts penalty_;
  const Point<double>& point_;
  double total_{0};  // the sum of the multipliers, over n
  double size_{0};   // the root of their mean square
  double unit_{0};   // how far rounding puts off a sum of a column of mean square 1
};

}  // namespace linea::programs
