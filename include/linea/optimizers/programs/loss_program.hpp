// SPDX-License-Identifier: MIT
#pragma once
/// \file A mean of losses made of lines and parabolas, with an absolute and a squared penalty, as a
/// BoxProgram.
#include <algorithm>  // clamp, max, min
#include <cmath>
#include <limits>
#include <linea/core/loss.hpp>
#include <linea/optimizers/programs/box_program.hpp>
#include <linea/optimizers/programs/free_columns.hpp>
#include <optional>
#include <utility>  // move
#include <vector>

namespace linea::programs {

/// What l1·|w| + l2/2·w² takes from a bound on a sum of losses, where `sum` is that of the slopes
/// times the column, and no such sum is above `size`: the conjugate, ∞ off its domain. What is off
/// by rounding alone counts as far as it matters at the weight that was found, twice; without l1
/// there is nothing to draw the sum to but 0, and rounding may be more.
inline double penalty_cost(double sum, double size, double l1, double l2, double weight) {
  const double beyond = std::max(std::abs(sum) - l1, 0.0);
  if (beyond == 0) return 0;
  const double cost =
      l2 > 0 ? beyond * (beyond / (2 * l2)) : std::numeric_limits<double>::infinity();
  const double rounding = (l1 > 0 || l2 > 0 ? 1e-13 : 1e-9) * size;
  return beyond <= rounding ? std::min(cost, 2 * beyond * std::abs(weight)) : cost;
}

/// The losses of n samples, `pieces` boxes for each, one sample after the other.
struct Boxes {
  std::vector<DualBox> boxes{};
  Index pieces{1};

  const DualBox& operator()(Index i, Index piece) const {
    return boxes[static_cast<std::size_t>(i * pieces + piece)];
  }
};

/// Minimises n·F = Σᵢ aᵢℓᵢ(⟨v, cᵢ⟩ + b) + n·l1·Σⱼ |vⱼ| + n·l2/2·‖v‖² over v (r) and b, for weights
/// a (n) of mean 1, as the twin of a BoxProgram:
///
/// | here    | is                                                                            |
/// |---------|-------------------------------------------------------------------------------|
/// | q       | (σⱼvⱼ; b), σⱼ being the root of the mean of aᵢcᵢⱼ²: a box knows no scale      |
/// | a row   | a piece of the loss of a sample: (cᵢⱼ/σⱼ; 1)                                  |
/// | U       | aᵢ times a slope of that piece, in [aᵢ·low, aᵢ·high]                          |
/// | α       | aᵢ·high − U                                                                   |
/// | the last rows | unit vectors, for n·l1·|vⱼ| is a loss as well, of slopes up to n·l1/σⱼ  |
///
/// Samples with next to no weight have no rows.
template <class Real = double>
class LossProgram {
  using Reals = Vector<Real>;

 public:
  /// For coordinates C (n × r) and a point to begin at, v = 0 and b = `constant`. Are all columns
  /// of C in the same `units`, so that a very small one is rounding? The columns are known up to
  /// `roundings` (r).
  LossProgram(const Matrix<Real>& coordinates, const Boxes& boxes, const Reals& weights, double l1,
              double l2, bool has_offset, double constant, bool units, Reals roundings)
      : samples_(coordinates.rows()),
        count_(static_cast<double>(samples_)),
        rank_(coordinates.cols()),
        pieces_(boxes.pieces) {
    for (Index i = 0; i < samples_; ++i)
      if (weights[i] > 1e-18) present_.push_back(i);
    find_scales(coordinates, weights, units);
    const Index pieces = static_cast<Index>(present_.size()) * pieces_;
    absolute_ = numerics::constant(rank_, 0);
    for (Index j = 0; j < rank_; ++j) absolute_[j] = count_ * l1 / scales_[j];
    resize(pieces + (l1 > 0 ? rank_ : 0), rank_ + (has_offset ? 1 : 0));
    for (Index k = 0; k < pieces; ++k) {
      const Index i = sample(k);
      double* row = program_.rows.data() + k * program_.rows.cols();
      for (Index j = 0; j < rank_; ++j) row[j] = coordinates(i, j) / scales_[j];
      if (has_offset) row[rank_] = 1;
      enter(k, boxes(i, k % pieces_), weights[i]);
    }
    for (Index k = pieces; k < program_.size(); ++k) {
      program_.rows(k, k - pieces) = 1;
      enter(k, {-absolute_[k - pieces], absolute_[k - pieces], 0}, 1);
    }
    for (Index j = 0; j < rank_ && l2 > 0; ++j)
      program_.strengths[j] = std::min(count_ * l2 / (scales_[j] * scales_[j]), 1e200);
    if (l1 == 0 && l2 == 0) free_ = free_columns(weights, std::move(roundings));
    program_.totals = program_.transposed_times(program_.origins);
    start_ = numerics::constant(program_.rows.cols(), 0);
    if (has_offset) start_[rank_] = constant;
  }

  const BoxProgram<Real>& program() const { return program_; }
  Index rank() const { return rank_; }
  bool has_offset() const { return program_.rows.cols() > rank_; }
  /// Rows of samples; those of the absolute penalty come after them.
  Index pieces() const { return static_cast<Index>(present_.size()) * pieces_; }
  /// n·l1 for each qⱼ, (r).
  const Reals& absolute() const { return absolute_; }
  double scale(Index j) const { return scales_[j]; }
  /// Is there no penalty? Then some columns may have no weights of their own.
  bool is_free() const { return free_.has_value(); }
  const Reals& start_primal() const { return start_; }

  /// Where to begin: U = 0, but within the box for losses with slopes of one sign, those of either
  /// sign in balance as far as that goes.
  Reals start_multipliers() const {
    Reals slopes(program_.size());
    double up = 0;
    double down = 0;
    for (Index k = 0; k < program_.size(); ++k) {
      const double high = program_.origins[k];
      const double low = high - program_.bounds[k];
      slopes[k] = std::min(high, -low) > 0.01 * program_.bounds[k] ? 0 : (low + high) / 2;
      (slopes[k] > 0 ? up : down) += std::abs(slopes[k]);
    }
    const double even = std::max(std::min(up, down), 0.01 * std::max(up, down));
    Reals start = program_.origins;
    for (Index k = 0; k < program_.size(); ++k)
      start[k] -= slopes[k] * (slopes[k] == 0 ? 0 : even / (slopes[k] > 0 ? up : down));
    return start;
  }

  /// The value n·F at q.
  double value(const Reals& q) const {
    const Reals scores = numerics::times(program_.rows, q);
    double sum = 0;
    for (Index j = 0; j < rank_; ++j) sum += program_.strengths[j] / 2 * q[j] * q[j];
    for (Index k = 0; k < program_.size(); ++k) {
      const double high = program_.origins[k];
      const double c = program_.curvatures[k];
      const double r = scores[k] - (program_.levels[k] - c * high);
      double u = r > 0 ? high : high - program_.bounds[k];
      if (c > 0) u = std::clamp(r / c, high - program_.bounds[k], high);
      sum += u * (r - c / 2 * u);
    }
    return sum;
  }

  /// Without a penalty: see FreeColumns::missed.
  double missed(const Reals& slopes, const Reals& q) const {
    return free_->missed(program_, slopes, q);
  }

  /// The slopes U of the rows for multipliers (n) of the samples, minus those of their losses.
  Reals slopes_of_rows(const Reals& multipliers, const Reals& weights) const {
    Reals slopes = numerics::constant(program_.size(), 0);
    for (Index k = 0; k < pieces(); k += pieces_)
      slopes[k] = -weights[sample(k)] * multipliers[sample(k)];
    return slopes;
  }

  /// The slopes of the losses of the samples that α stands for, not weighted.
  Reals slopes(const Reals& multipliers, const Reals& weights) const {
    Reals slopes = numerics::constant(samples_, 0);
    for (Index k = 0; k < pieces(); ++k)
      slopes[sample(k)] += (program_.origins[k] - multipliers[k]) / weights[sample(k)];
    return slopes;
  }

 private:
  Index sample(Index k) const { return present_[static_cast<std::size_t>(k / pieces_)]; }

  /// σ; 1 for a column of zeros.
  void find_scales(const Matrix<Real>& coordinates, const Reals& weights, bool units) {
    scales_ = numerics::constant(rank_, 0);
    Reals largest = scales_;
    for (Index i : present_)
      for (Index j = 0; j < rank_; ++j)
        largest[j] = std::max(largest[j], std::abs(coordinates(i, j)));
    for (Index i : present_)
      for (Index j = 0; j < rank_; ++j)
        if (largest[j] > 0) {
          const double part = coordinates(i, j) / largest[j];
          scales_[j] += weights[i] * (part * part);
        }
    for (Index j = 0; j < rank_; ++j) {
      scales_[j] = largest[j] * std::sqrt(scales_[j] / count_);
      if (!(scales_[j] > 0)) scales_[j] = 1;
    }
    if (!units) return;
    double most = 0;
    for (Index j = 0; j < rank_; ++j) most = std::max(most, scales_[j]);
    for (Index j = 0; j < rank_; ++j)
      if (scales_[j] < 1e-12 * most) scales_[j] = most;
  }

  FreeColumns<Real> free_columns(const Reals& weights, Reals roundings) {
    Reals roots = numerics::constant(program_.size(), 0);
    for (Index k = 0; k < pieces(); k += pieces_) roots[k] = std::sqrt(weights[sample(k)]);
    for (Index j = 0; j < rank_; ++j) roundings[j] /= scales_[j];
    return {program_, std::move(roots), std::move(roundings), count_};
  }

  void resize(Index rows, Index cols) {
    program_.rows = Matrix<Real>::Zero(rows, cols);
    program_.levels = program_.bounds = program_.curvatures = program_.origins =
        numerics::constant(rows, 0);
    program_.strengths = numerics::constant(cols, 0);
  }

  void enter(Index k, const DualBox& box, double weight) {
    program_.bounds[k] = weight * (box.high - box.low);
    program_.origins[k] = weight * box.high;
    program_.curvatures[k] = box.curvature / weight;
    program_.levels[k] = box.at + box.curvature * box.high;
  }

  Index samples_;
  double count_;  // the same as a number
  Index rank_;
  Index pieces_;
  std::vector<Index> present_{};             // the samples that have rows
  Reals scales_{};                           // σ
  std::optional<FreeColumns<Real>> free_{};  // without a penalty
  Reals absolute_{};
  Reals start_{};
  BoxProgram<Real> program_{};
};

}  // namespace linea::programs
