// SPDX-License-Identifier: MIT
#pragma once
/// \file The solver::Method of SoftmaxCoordinateDescent: see solver/solve.hpp.
#include <algorithm>  // max, nth_element
#include <cmath>      // exp, log, log1p
#include <cstddef>    // ptrdiff_t
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/linear_algebra/vector_level.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/losses/log.hpp>
#include <linea/optimizers/newton/classes.hpp>
#include <linea/optimizers/newton/conjugate_direction.hpp>
#include <linea/optimizers/newton/coordinate_method.hpp>
#include <linea/optimizers/newton/softmax_curvature.hpp>
#include <linea/optimizers/newton/softmax_kernels.hpp>
#include <linea/optimizers/newton/support_minimum.hpp>
#include <linea/optimizers/solver/solve.hpp>
#include <linea/proof/separable_penalty.hpp>
#include <linea/samples/columns.hpp>
#include <linea/samples/frame.hpp>
#include <linea/samples/loss_blocks.hpp>
#include <utility>  // move
#include <vector>

namespace linea::detail::newton {

/// Validated and centred samples of k = `count` classes, with the class of each sample (n), sample
/// weights (n), and a penalty. All members must outlive the run.
struct SoftmaxCoordinateProblem {
  const proof::SeparablePenalty& penalty;
  const Vector<Index>& classes;
  Index count;
  const Vector<double>& weights;
  const samples::Frame<>& frame;
  const samples::Columns& columns;
  bool has_offset;
};

/// Multinomial logistic regression by coordinate descent on one class after the other. With the
/// scores of the other classes fixed, F as a function of class k is, up to a constant, that of the
/// log loss of k against the others, at the scores pᵢₖ − ln Σ_{l≠k} exp(pᵢₗ). A step of coordinate
/// descent lowers this F (Friedman, Hastie and Tibshirani, Journal of Statistical Software 33
/// (2010), section 4). Such steps find the non-zero weights, but approach their values slowly if
/// columns are dependent. So each round of them ends with a Newton step on the non-zero weights and
/// the offsets of all classes.
///
class SoftmaxCoordinateMethod : public solver::MethodBase {
 public:
  using Table = detail::ColumnMatrix<double>;

  SoftmaxCoordinateMethod(const SoftmaxCoordinateProblem& of, const solver::ClassPoint& start)
      : classes_(of.classes),
        frame_(of.frame),
        has_offset_(of.has_offset),
        penalty_(of.penalty),
        signs_(detail::filled(classes_.size(), 1.0)),
        one_({log_, penalty_, signs_, of.weights, frame_, of.columns, has_offset_}),
        parts_(one_.risk.parts()),
        shares_(detail::filled(of.count, 0.0)),
        sums_{of.columns, penalty_} {
    for (Index i = 0; i < classes_.size(); ++i) shares_[classes_[i]] += parts_[i];
    constant_ =
        best_constant(has_offset_ ? shares_ : detail::filled(of.count, 1.0), of.columns.cols());
    constant_.objective = value_at(constant_);
    if (start.weights.size() > 0) start_at(start);
    prove();
  }

  double value() const { return point_.objective; }
  const solver::ClassPoint& point() const { return point_; }
  const solver::ClassPoint& constant() const { return constant_; }
  const samples::Frame<>& frame() const { return frame_; }
  double estimate() const { return sums_.least_gap; }
  Index passes() const { return (sums_.visits + one_.model.visits()) / one_.columns.cols(); }
  /// Returns D at the dual variables that `prove` sets. SoftmaxObjective::bound has the formula of
  /// D.
  double bound_here() const {
    return sums_.bound(value(), point_.weights, [this](double t) {
      double entropy = 0;
      for (Index k = 0; k < r_.cols(); ++k)
        for (Index i = 0; i < r_.rows(); ++i)
          if (const double q = t * r_(i, k); parts_[i] > 0 && q != 0 && q > -1)
            entropy -= parts_[i] * (k == classes_[i] ? (1 + q) * std::log1p(q) : q * std::log(q));
      return entropy;
    });
  }
  void describe(Progress& progress) const { progress.step_size = one_.pace.step; }

  /// Moves to the point, recomputes the scores, and returns F.
  double value_at(const solver::ClassPoint& point) {
    point_ = point;
    scores_.resize(signs_.size(), shares_.size());
    for (Index k = 0; k < shares_.size(); ++k) {
      one_.move_to(linear_algebra::column_of(point.weights, k), point.offset[k]);
      std::copy(one_.scores.begin(), one_.scores.end(), &scores_(0, k));
    }
    return point_.objective = find_value();
  }

  /// Makes a step for each class, and a step for all classes. Returns false if no step lowers F, or
  /// if CoordinatePace::is_open is false.
  bool iterate(double allowed) {
    double promise = 0;
    const double gap = estimate();
    for (Index k = 0; k < shares_.size(); ++k)
      if (moves(k, [&] {
            return one_.step(one_.working_set(linear_algebra::column_of(sums_.sums, k), false), 0);
          }))
        promise += one_.pace.promise;
    level();
    const double before = point_.objective = find_value();
    if (!step_together(allowed) && promise == 0) return false;
    one_.pace.promise = promise + (before - value());
    prove();
    idle_ = estimate() > 0.9 * gap ? idle_ + 1 : 0;
    return one_.pace.is_open(value(), estimate());
  }

 private:
  /// Returns ln Σ exp(pᵢₗ) over the classes l ≠ k, for sample i.
  double log_sum(Index i, Index k) const {
    double top = -std::numeric_limits<double>::infinity(), sum = 0;
    for (Index l = 0; l < shares_.size(); ++l)
      if (l != k) top = std::max(top, double(scores_(i, l)));
    for (Index l = 0; l < shares_.size(); ++l)
      if (l != k) sum += std::exp(scores_(i, l) - top);
    return top + std::log(sum);
  }

  /// Returns F at the scores and weights. Sets slopes_.
  double find_value() {
    double value = 0;
    const Index count = shares_.size(), stride = samples::stride_of(count);
    slopes_.resize(signs_.size(), count);
    Vector<double> scores = detail::filled(stride, 0.0), slopes = scores;
    Sums sums(stride);
    const auto level = samples::level_for(stride);
    const double share = 1;
    for (Index i = 0; i < signs_.size(); ++i) {
      for (Index k = 0; k < count; ++k) scores[k] = scores_(i, k);
      sums.value = 0;
      linear_algebra::run_at(
          level, EvaluateRows({0, 1, count, stride, &classes_[i], &share}, scores.data(),
                              scores.data(), 0, 0, slopes.data(), sums));
      for (Index k = 0; k < count; ++k) slopes_(i, k) = slopes[k];
      if (parts_[i] > 0) value += parts_[i] * sums.value;
    }
    for (Index k = 0; k < shares_.size(); ++k)
      value += penalty_.value(linear_algebra::column_of(point_.weights, k));
    return value;
  }

  /// Starts at these weights, with offsets that are about optimal for them.
  void start_at(const solver::ClassPoint& start) {
    value_at(start);
    for (Index k = 0; has_offset_ && k < 10 * shares_.size(); ++k)
      moves(k % shares_.size(), [&] {
        const double move = samples::best_move(one_.risk, one_.scores, 1, one_.at);
        one_.offset += move;
        for (double& score : one_.scores) score += move;
        return true;
      });
    point_.objective = find_value();
  }

  /// Sets `one_` to the problem of class k against the others, and calls move(). If move() returns
  /// true, stores the weights, offset and scores that move() has set in `one_`.
  template <class Move>
  bool moves(Index k, const Move& move) {
    Vector<double> others(signs_.size());
    for (Index i = 0; i < signs_.size(); ++i) {
      signs_[i] = classes_[i] == k ? 1 : -1;
      others[i] = log_sum(i, k);
    }
    one_.move_to(linear_algebra::column_of(point_.weights, k), point_.offset[k],
                 linear_algebra::difference(linear_algebra::column_of(scores_, k), others));
    if (!move()) return false;
    for (Index j = 0; j < one_.weights.size(); ++j) point_.weights(j, k) = one_.weights[j];
    point_.offset[k] = one_.offset;
    for (Index i = 0; i < others.size(); ++i) scores_(i, k) = one_.scores[i] + others[i];
    return true;
  }

  /// Makes a step towards the minimum of a quadratic model over the weights that are not 0, with
  /// fixed signs, and over the offsets. Uses conjugate gradients or, for at most 1024 weights,
  /// factors if three rounds in a row have hardly reduced the gap. Rounds with conjugate gradients
  /// may stop a weight at 0 that the next steps on single classes free again. Returns false if no
  /// step lowers F.
  bool step_together(double allowed) {
    const double l2 = penalty_.l2(0), l1 = penalty_.l1(0);
    SoftmaxCurvature curvature(one_.columns, classes_, parts_, slopes_, l2, has_offset_);
    curvature.list(point_.weights);
    const auto size = static_cast<Index>(curvature.support().size());
    if (size == 0) return false;
    Vector<double> weights(size), slopes = curvature.slopes();
    for (Index p = 0; p < size; ++p) {
      weights[p] = weight(curvature.support(), p);
      slopes[p] += l2 * weights[p];
    }
    SupportMinimum minimum(detail::filled(size, l1), detail::filled(size, 2 * l1),
                           std::move(slopes), weights);
    Index products = 0;
    const double sizes = linear_algebra::sizes_of(weights);
    if (idle_ > 2 && size <= 1024) {
      minimum.descend(curvature.matrix(), 10 + 2 * signs_.size() / size);
      products = size;
    } else {
      products = step_off_zero(curvature, minimum, allowed / (4 * sizes), 300);
    }
    sums_.visits += products * size;
    Vector<double> direction = minimum.weights();
    linear_algebra::add(-1, weights, direction);
    curvature.move(direction);
    return search(curvature, direction, minimum.weights());
  }

  double& weight(const std::vector<ClassWeight>& support, Index p) {
    const auto [j, k] = support[static_cast<std::size_t>(p)];
    return point_.weights(j, k);
  }

  /// Backtracks along the step to the target (m), with step lengths 1, ½, ¼, …, until F does not
  /// rise by more than its rounding error: such a step may still reduce the gap.
  bool search(const SoftmaxCurvature& step, const Vector<double>& direction,
              const Vector<double>& target) {
    const solver::ClassPoint before = point_;
    const Table scores = scores_;
    const double most = value() + 16 * std::numeric_limits<double>::epsilon() * std::abs(value());
    for (double t = 1; t > 1e-6; t /= 2) {
      for (Index p = 0; p < target.size(); ++p)
        weight(step.support(), p) = target[p] - (1 - t) * direction[p];
      for (Index k = 0; k < shares_.size(); ++k) {
        point_.offset[k] = before.offset[k] + t * step.offset_move(k);
        for (Index i = 0; i < scores.rows(); ++i)
          scores_(i, k) = scores(i, k) + t * step.moves(k)[i];
      }
      point_.objective = find_value();
      if (point_.objective <= most) return true;
    }
    point_ = before;
    scores_ = scores;
    find_value();
    return false;
  }

  /// Subtracts the same number from the weights of all classes for a feature: the number that
  /// minimises the penalty. This changes no probability. Steps on single classes approach this
  /// minimum slowly.
  void level() {
    for (Index j = 0; j < point_.weights.rows(); ++j)
      if (const double v = best_level(j); v != 0)
        for (Index k = 0; k < shares_.size(); ++k) point_.weights(j, k) -= v;
  }

  /// Returns the v where Σₖ l1·|v − wⱼₖ| + l2/2·(v − wⱼₖ)² is least, for the k weights of feature j
  /// with the mean m: the median of the weights and of m + l1·(k − 2i)/(l2·k), i = 0, …, k. Without
  /// an L2 part it is a median of the weights, the one nearest to 0.
  double best_level(Index j) const {
    const double l2 = penalty_.l2(0);
    const double l1 = penalty_.l1(0);
    const Index count = shares_.size();
    std::vector<double> points;
    for (Index k = 0; k < count; ++k) points.push_back(point_.weights(j, k));
    double mean = 0;
    for (const double point : points) mean += point / static_cast<double>(count);
    for (Index i = 0; l2 > 0 && i <= count; ++i)
      points.push_back(mean +
                       l1 * static_cast<double>(count - 2 * i) / (l2 * static_cast<double>(count)));
    if (points.size() % 2 == 0) points.push_back(0);
    const auto middle = points.begin() + static_cast<std::ptrdiff_t>(points.size() / 2);
    std::nth_element(points.begin(), middle, points.end());
    return *middle;
  }

  /// Sets the dual variables to the probabilities qᵢ of the scores. With an offset, replaces qᵢ by
  /// (1 − μ)·qᵢ + μ·t: see Mixture. `bound_here` evaluates D at c·qᵢ + (1 − c)·e_yᵢ, where e_yᵢ is
  /// the unit vector of the true class and c ≤ 1 is the largest factor with a finite Ω*. Stores
  /// rᵢ = qᵢ − e_yᵢ, because its entries may be far less than the rounding error of 1.
  void prove() {
    r_ = slopes_;
    Vector<double> balance = detail::filled(r_.cols(), 0.0);
    for (Index i = 0; i < r_.rows(); ++i)
      for (Index k = 0; k < r_.cols(); ++k) balance[k] += parts_[i] * r_(i, k);
    if (const Mixture mixture(shares_, balance); has_offset_ && mixture.mu > 0)
      for (Index k = 0; k < r_.cols(); ++k)
        for (Index i = 0; i < r_.rows(); ++i)
          r_(i, k) = (1 - mixture.mu) * r_(i, k) +
                     mixture.mu * (mixture.t[k] - (classes_[i] == k ? 1 : 0));
    Table terms(r_.rows(), r_.cols());
    for (Index k = 0; k < r_.cols(); ++k)
      for (Index i = 0; i < r_.rows(); ++i) terms(i, k) = -parts_[i] * r_(i, k);
    sums_.find(std::move(terms), point_.weights, scores_);
  }

  const Vector<Index>& classes_;
  const samples::Frame<>& frame_;
  bool has_offset_;
  const proof::SeparablePenalty& penalty_;
  static constexpr Log log{};
  samples::LossBlocksOf<Log> log_{log};
  Vector<double> signs_;  // 1 for the class that makes a step, −1 for the others
  CoordinateIterate one_;
  Vector<double> parts_, shares_;  // sᵢ/S, and the sum of sᵢ/S for each class
  DualSums sums_;
  solver::ClassPoint constant_{}, point_{};
  Table scores_{};           // up to a number common to all classes of a sample
  Matrix<double> slopes_{};  // qᵢ − e_yᵢ (n × k) at the scores, set by find_value
  Matrix<double> r_{};       // of the dual variables, set by prove
  Index idle_{0};            // rounds in a row that reduced the gap by less than a tenth
};

}  // namespace linea::detail::newton
