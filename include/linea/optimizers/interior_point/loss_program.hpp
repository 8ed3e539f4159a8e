// SPDX-License-Identifier: MIT
#pragma once
/// \file A mean of piecewise linear and quadratic losses, with an L1 and a squared penalty, as a
/// BoxProgram.
#include <algorithm>  // clamp, max, min
#include <cmath>
#include <limits>
#include <linea/core/loss.hpp>
#include <linea/linear_algebra/block_sums.hpp>
#include <linea/linear_algebra/qr.hpp>
#include <linea/optimizers/interior_point/box_program.hpp>
#include <utility>  // move
#include <vector>

namespace linea::detail::interior_point {

/// Returns the boxes of a BoxLoss for the targets y (n), equally many for each target, in the order
/// of y. A row holds low, high, at and curvature.
template <class L>
Matrix<double> boxes_of(const L& loss, const Vector<double>& y) {
  const auto pieces = static_cast<Index>(loss.dual_boxes(y[0]).size());
  Matrix<double> boxes(y.size() * pieces, 4);
  double* at = boxes.data();
  for (Index i = 0; i < y.size(); ++i)
    for (const DualBox& box : loss.dual_boxes(y[i]))
      for (const double number : {box.low, box.high, box.at, box.curvature}) *at++ = number;
  return boxes;
}

/// The columns of a program without a penalty that are linearly independent up to the rounding of
/// x. Dependent columns are replaced by zeros, with a strength that keeps their weights at 0.
/// Without a penalty, slopes U (see LossProgram) give a lower bound on F only if GᵀU = 0; `missed`
/// bounds the effect of rounding errors in this equation.
template <class Real = double>
class IndependentColumns {
  using Reals = Vector<Real>;

 public:
  IndependentColumns() = default;

  /// Selects independent columns among the first r columns of the program. Row k has the factor
  /// roots[k], which is 0 for all but one row of a sample. The entries of a column, times these
  /// factors, have mean square 1 over `count` samples, and errors of at most `roundings` (r).
  IndependentColumns(BoxProgram<Real>& program, Reals roots, const Reals& roundings, double count)
      : roots_(std::move(roots)), root_of_count_(std::sqrt(count)) {
    const Index r = roundings.size();
    triangle_ = Matrix<Real>::Zero(r, r);
    decompose(program);
    const Reals of_sums = linear_algebra::constant(r, 1e-13);
    for (Index j = 0; j < r; ++j) {
      const double rest = std::abs(triangle_(j, j)) / root_of_count_;
      const double least = rounding_of_rest(j, of_sums);
      if (rest > std::max(least, rounding_of_rest(j, roundings))) continue;
      is_certain_ = is_certain_ && rest <= least;
      linear_algebra::drop_column(triangle_, j);
      for (Index k = 0; k < program.size(); ++k) program.rows(k, j) = 0;
      program.strengths[j] = 1;
    }
    inverse_norms_ = linear_algebra::constant(r, 0);
    for (Index j = 0; j < r; ++j) {
      Reals unit = linear_algebra::constant(r, 0);
      unit[j] = 1;
      linear_algebra::triangle_of(triangle_).solve_transposed(unit.data());
      inverse_norms_[j] = std::sqrt(linear_algebra::squares_of(unit));
    }
  }

  /// Returns false if a dropped column differs from the others by less than the errors of its
  /// entries, but by more than the rounding of sums. Then very large weights on this column may
  /// lower F.
  bool is_certain() const { return is_certain_; }

  /// Returns a bound on how far n·F can be below the dual value of `slopes`, which has an entry U
  /// for each row. The bound holds for weights whose scores have at most twice the norm of the
  /// vector of |score at q| + |score at the kink|.
  double missed(const BoxProgram<Real>& program, const Reals& slopes, const Reals& q) const {
    const Reals scores = linear_algebra::times(program.rows, q);
    linear_algebra::BlockSums terms(program.rows.cols());
    double length = 0;
    for (Index k = 0; k < program.size(); ++k) {
      const double kink = program.levels[k] - program.curvatures[k] * program.origins[k];
      const double size = roots_[k] * (std::abs(scores[k]) + std::abs(kink));
      length += size * size;
      for (Index j = 0; j < program.rows.cols(); ++j) terms.add(j, slopes[k] * program.rows(k, j));
      terms.end_row(k, program.size());
    }
    const Index r = triangle_.rows();
    const double unit = linear_algebra::BlockSums::unit(program.size());
    double miss = 0;
    for (Index j = 0; j < r; ++j) miss += unit * terms.sizes[j] * inverse_norms_[j];
    // The offset is orthogonal to centred columns.
    for (Index j = r; j < program.rows.cols(); ++j)
      miss += (std::abs(terms.sums[j]) + unit * terms.sizes[j]) / root_of_count_;
    linear_algebra::triangle_of(triangle_).solve_transposed(terms.sums.data());
    miss += std::sqrt(linear_algebra::dot(terms.sums.data(), terms.sums.data(), r));
    return miss * 2 * std::sqrt(length);
  }

 private:
  /// Computes R of the QR decomposition of the rows times their roots.
  void decompose(const BoxProgram<Real>& program) {
    const Index r = triangle_.rows();
    for (Index k = 0; k < program.size();) {
      Matrix<Real> block = Matrix<Real>::Zero(std::min<Index>(128, program.size() - k), r);
      for (Index i = 0; i < block.rows(); ++i, ++k)
        for (Index j = 0; j < r; ++j) block(i, j) = roots_[k] * program.rows(k, j);
      linear_algebra::append_rows(triangle_, block);
    }
  }

  /// Returns a bound on the error of the residual of column j from the columns before j, as a root
  /// mean square over the samples. The errors of the columns are at most `roundings` (r).
  double rounding_of_rest(Index j, const Reals& roundings) const {
    Reals terms = linear_algebra::constant(triangle_.rows(), 0);
    for (Index k = 0; k < j; ++k) terms[k] = triangle_(k, j);
    linear_algebra::Triangle{triangle_.data(), j, triangle_.cols()}.solve(terms.data());
    double sum = roundings[j];
    for (Index k = 0; k < j; ++k) sum += std::abs(terms[k]) * roundings[k];
    return sum;
  }

  Reals roots_{};
  double root_of_count_{1};
  Matrix<Real> triangle_{};  // R, with rows and columns of the unit matrix for dropped columns
  Reals inverse_norms_{};    // norms of the columns of R⁻ᵀ
  bool is_certain_{true};
};

/// The minimisation of n·F = Σᵢ aᵢℓᵢ(⟨v, cᵢ⟩ + b) + n·l1·Σⱼ |vⱼ| + n·l2/2·‖v‖² over v (r) and b
/// with sample weights a (n) of mean 1, as the Lagrange dual of a BoxProgram:
///
/// | here          | is                                                                      |
/// |---------------|-------------------------------------------------------------------------|
/// | q             | (σⱼvⱼ; b), scaled by the root mean square σⱼ of cᵢⱼ under the weights a |
/// | a row         | a piece of the loss of a sample: (cᵢⱼ/σⱼ; 1)                            |
/// | U             | aᵢ times a slope of that piece, in [aᵢ·low, aᵢ·high]                    |
/// | α             | aᵢ·high − U                                                             |
/// | the last rows | unit vectors: n·l1·abs(vⱼ) is a loss with slopes up to n·l1/σⱼ          |
///
/// Samples of a negligible weight have no rows.
template <class Real = double>
class LossProgram {
  using Reals = Vector<Real>;

 public:
  /// Builds the program for coordinates C (n × r) and the start v = 0, b = `constant`. `units`: do
  /// all columns of C have the same unit, so that a very small column is rounding? The columns have
  /// errors of at most `roundings` (r).
  LossProgram(const Matrix<Real>& coordinates, const Matrix<Real>& boxes, const Reals& weights,
              double l1, double l2, bool has_offset, double constant, bool units, Reals roundings)
      : samples_(coordinates.rows()),
        count_(static_cast<double>(samples_)),
        rank_(coordinates.cols()),
        pieces_(boxes.rows() / samples_) {
    for (Index i = 0; i < samples_; ++i)
      if (weights[i] > 1e-18) present_.push_back(i);
    find_scales(coordinates, weights, units);
    const Index pieces = static_cast<Index>(present_.size()) * pieces_;
    absolute_ = linear_algebra::constant(rank_, 0);
    for (Index j = 0; j < rank_; ++j) absolute_[j] = count_ * l1 / scales_[j];
    program_ = BoxProgram<Real>(pieces + (l1 > 0 ? rank_ : 0), rank_ + (has_offset ? 1 : 0), true);
    for (Index k = 0; k < pieces; ++k) {
      const Index i = sample(k);
      double* row = program_.rows.data() + k * program_.rows.cols();
      for (Index j = 0; j < rank_; ++j) row[j] = coordinates(i, j) / scales_[j];
      if (has_offset) row[rank_] = 1;
      const double* box = boxes.data() + 4 * (i * pieces_ + k % pieces_);
      enter(k, {box[0], box[1], box[2], box[3]}, weights[i]);
    }
    for (Index k = pieces; k < program_.size(); ++k) {
      program_.rows(k, k - pieces) = 1;
      enter(k, {-absolute_[k - pieces], absolute_[k - pieces], 0}, 1);
    }
    for (Index j = 0; j < rank_ && l2 > 0; ++j)
      program_.strengths[j] = std::min(count_ * l2 / (scales_[j] * scales_[j]), 1e200);
    is_free_ = l1 == 0 && l2 == 0;
    if (is_free_) free_ = independent_columns(weights, std::move(roundings));
    program_.totals = linear_algebra::transposed_times(program_.rows, program_.origins);
    start_ = linear_algebra::constant(program_.rows.cols(), 0);
    if (has_offset) start_[rank_] = constant;
  }

  const BoxProgram<Real>& program() const { return program_; }
  Index rank() const { return rank_; }
  bool has_offset() const { return program_.rows.cols() > rank_; }
  /// Returns the number of rows that belong to samples. The rows of an L1 penalty follow.
  Index pieces() const { return static_cast<Index>(present_.size()) * pieces_; }
  /// Returns n·l1/σⱼ for each j (r).
  const Reals& absolute() const { return absolute_; }
  /// Returns v (r) for q.
  Reals unscaled(const Reals& q) const {
    Reals v(rank_);
    for (Index j = 0; j < rank_; ++j) v[j] = q[j] / scales_[j];
    return v;
  }
  /// Is there no penalty? Then dependent columns have no unique weights.
  bool is_free() const { return is_free_; }
  /// Returns false if slopes give no bound on F: see IndependentColumns::is_certain.
  bool has_bounds() const { return free_.is_certain(); }
  const Reals& start_primal() const { return start_; }

  /// Returns an α strictly inside the box, with U = 0 for pieces that have slopes of both signs.
  /// All other pieces have slopes of (nearly) one sign, and U near the middle of these slopes; the
  /// positive and the negative U are scaled so that they cancel as far as possible.
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

  /// Returns n·F at q.
  double value(const Reals& q) const {
    const Reals scores = linear_algebra::times(program_.rows, q);
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

  /// Returns IndependentColumns::missed. Call it only without a penalty.
  double missed(const Reals& slopes, const Reals& q) const {
    return free_.missed(program_, slopes, q);
  }
  /// Returns the U that has the weighted slopes (n) of the losses in the first row of each sample,
  /// and 0 in all other rows.
  Reals slopes_of_rows(const Reals& slopes) const {
    Reals of_rows = linear_algebra::constant(program_.size(), 0);
    for (Index k = 0; k < pieces(); k += pieces_) of_rows[k] = slopes[sample(k)];
    return of_rows;
  }
  /// Returns the slopes (n) of the losses for dual variables α, divided by the sample weights.
  Reals slopes(const Reals& multipliers, const Reals& weights) const {
    Reals slopes = linear_algebra::constant(samples_, 0);
    for (Index k = 0; k < pieces(); ++k)
      slopes[sample(k)] += (program_.origins[k] - multipliers[k]) / weights[sample(k)];
    return slopes;
  }

 private:
  Index sample(Index k) const { return present_[static_cast<std::size_t>(k / pieces_)]; }

  /// Computes σ, with 1 for a column of zeros. If `units`, a very small column gets the largest σ.
  void find_scales(const Matrix<Real>& coordinates, const Reals& weights, bool units) {
    scales_ = linear_algebra::constant(rank_, 1);
    double most = 0;
    for (Index j = 0; j < rank_; ++j) {
      double largest = 0;
      double square = 0;
      for (Index i : present_) largest = std::max(largest, std::abs(coordinates(i, j)));
      for (Index i : present_) {
        const double part = largest > 0 ? coordinates(i, j) / largest : 0;
        square += weights[i] * (part * part);
      }
      if (square > 0) scales_[j] = largest * std::sqrt(square / count_);
      most = std::max(most, scales_[j]);
    }
    for (Index j = 0; j < rank_ && units; ++j)
      if (scales_[j] < 1e-12 * most) scales_[j] = most;
  }

  IndependentColumns<Real> independent_columns(const Reals& weights, Reals roundings) {
    Reals roots = linear_algebra::constant(program_.size(), 0);
    for (Index k = 0; k < pieces(); k += pieces_) roots[k] = std::sqrt(weights[sample(k)]);
    for (Index j = 0; j < rank_; ++j) roundings[j] /= scales_[j];
    return {program_, std::move(roots), roundings, count_};
  }

  void enter(Index k, const DualBox& box, double weight) {
    program_.bounds[k] = weight * (box.high - box.low);
    program_.origins[k] = weight * box.high;
    program_.curvatures[k] = box.curvature / weight;
    program_.levels[k] = box.at + box.curvature * box.high;
  }

  Index samples_;
  double count_;  // n as a double
  Index rank_;
  Index pieces_;
  std::vector<Index> present_{};  // the samples that have rows
  Reals scales_{};                // σ
  bool is_free_{false};
  IndependentColumns<Real> free_{};  // used only without a penalty
  Reals absolute_{};
  Reals start_{};
  BoxProgram<Real> program_{0, 0, true};
};

}  // namespace linea::detail::interior_point
