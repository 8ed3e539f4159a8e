// SPDX-License-Identifier: MIT
#pragma once
/// \file What is taken from the dual of the losses for the bound on F that multipliers prove.
#include <cmath>
#include <limits>
#include <linea/core/point.hpp>
#include <linea/optimizers/programs/loss_boxes.hpp>
#include <linea/optimizers/programs/row_space.hpp>

namespace linea::programs {

/// sᵢαᵢ/S for multipliers α, (n).
template <class Rows>
Vector<double> weighted_parts(const samples::TrainingSet<Rows>& set,
                              const Vector<double>& multipliers) {
  const auto n = static_cast<double>(set.all_rows());
  Vector<double> parts(multipliers.size());
  for (Index i = 0; i < parts.size(); ++i) parts[i] = set.weight(i) * multipliers[i] / n;
  return parts;
}

/// The multipliers of the sign that outweighs the other, which are those to scale towards 0 by a
/// share μ until all sum up to 0. Rounding leaves μ so small that 1 − μ may be 1: the bound takes
/// away what the share does to it.
struct HeavierSide {
  Vector<double> multipliers{};  ///< (n), 0 for the others
  Vector<double> sum{};          ///< their dual sum (d), of the centred samples
  double total{0};               ///< Σᵢ sᵢαᵢ/S over all samples
  double weight{0};              ///< the size of that sum over this side alone

  double share() const { return weight > 0 ? std::abs(total) / weight : 0; }
};

/// That of multipliers (n).
template <class Rows>
HeavierSide heavier_side(const RowSpace<Rows>& space, const samples::TrainingSet<Rows>& set,
                         const Vector<double>& multipliers) {
  double sums[2] = {0, 0};
  for (Index i = 0; i < multipliers.size(); ++i)
    sums[multipliers[i] > 0 ? 0 : 1] += set.weight(i) * std::abs(multipliers[i]);
  const bool is_positive = sums[0] > sums[1];
  HeavierSide side{multipliers, {}, sums[0] - sums[1], is_positive ? sums[0] : sums[1]};
  for (double& multiplier : side.multipliers)
    if ((multiplier > 0) != is_positive) multiplier = 0;
  const auto n = static_cast<double>(set.all_rows());
  side.total /= n;
  side.weight /= n;
  side.sum = space.sum(weighted_parts(set, side.multipliers));
  return side;
}

/// What the bound rests on beside the multipliers.
struct ProofTerms {
  Vector<double> sum{};     ///< the dual sum (d) of the centred samples
  Vector<double> scales{};  ///< roots of the mean squares of the columns (d), or their length (1)
  bool has_offset{false};
  bool is_free{false};  ///< there is no penalty
  double missed{0};     ///< without a penalty: see LossProgram::missed, over n
  HeavierSide side{};   ///< with a penalty and an offset
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
      square += part * (multipliers[i] * multipliers[i]);
    }
    size_ = std::sqrt(square);
    unit_ = std::numeric_limits<double>::epsilon() * size_;
  }

  /// For `scale` times the multipliers, where the dual of the losses of the heavier side alone is
  /// `side_dual`; may be infinite.
  double operator()(double scale, double side_dual) const {
    if (terms_.is_free) {
      const double of_offset = terms_.has_offset ? unit_ * std::abs(point_.offset) : 0;
      return of_offset + unit_ * length_in_scales(point_.weights) + terms_.missed;
    }
    double sum = terms_.side.share() * side_dual + share_in_doubt() * std::abs(side_dual);
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
  /// The share of the heavier side that the rounding of its total may come to.
  double share_in_doubt() const { return terms_.side.weight > 0 ? unit_ / terms_.side.weight : 0; }
  double widened(Index j) const {
    const double rounding = is_rotated() ? 0 : unit_ * terms_.scales[j];
    if (terms_.side.sum.size() == 0) return std::abs(terms_.sum[j]) + rounding;
    const double of_side = terms_.side.sum[j];
    return std::abs(terms_.sum[j] - terms_.side.share() * of_side) +
           share_in_doubt() * std::abs(of_side) + rounding;
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
  double size_{0};  // the root of the mean square of the multipliers
  double unit_{0};  // how far rounding puts off a sum of a column of mean square 1
};

}  // namespace linea::programs
