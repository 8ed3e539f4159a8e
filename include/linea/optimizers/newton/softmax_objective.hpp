// SPDX-License-Identifier: MIT
#pragma once
/// \file F of multinomial logistic regression, its gradient, and products with its second
/// derivative.
#include <algorithm>  // clamp, fill_n, max, min
#include <cmath>      // exp, log, sqrt
#include <limits>
#include <linea/core/validate.hpp>
#include <linea/linear_algebra/cholesky.hpp>
#include <linea/linear_algebra/line_search.hpp>
#include <linea/linear_algebra/product.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/optimizers/newton/classes.hpp>
#include <linea/optimizers/newton/softmax_kernels.hpp>
#include <linea/optimizers/solver/stored.hpp>
#include <linea/samples/frame.hpp>
#include <linea/samples/passes.hpp>
#include <linea/samples/row_block.hpp>
#include <linea/samples/row_blocks.hpp>
#include <utility>  // move
#include <vector>

namespace linea::detail::newton {

/// Validated samples, centred if the offset is free, with the class of each row, counted from 0.
/// The classes of rows of weight 0 are ignored.
struct SoftmaxSamples {
  const samples::RowBlocks& rows;  ///< (n × d)
  const Vector<double>& weights;   ///< sample weights (n) of mean 1, or none
  const samples::Frame<>& frame;
  const Vector<Index>& of_class;  ///< (n)
  Index classes;                  ///< k
};

/// F as a function of θ (cols × stride), which has d rows of w and, with an offset, a row b; each
/// class has a column. softmax_newton.hpp defines F. Scores are linear along a line in θ, so
/// evaluating F on a line costs no pass over x.
class SoftmaxObjective {
 public:
  using Theta = Table;
  using Scores = Table;
  /// Slopes sᵢ/S·(qᵢ − e_yᵢ) (n × stride) at some scores, with the probabilities qᵢ there, and sums
  /// over the samples.
  struct State {
    Table slopes{};
    Sums sums{};
  };
  static constexpr bool is_curved() { return true; }

  /// The line of scores p + t·m. The changes m of sample i begin at moves + i·move_stride. With
  /// move_stride 0 all samples share the changes.
  struct Line {
    const Table& scores;
    const double* moves;
    Index move_stride;
    double square{0};            ///< ‖w‖² at t = 0
    double product{0};           ///< ⟨w, direction⟩
    double direction_square{0};  ///< ‖w‖² of the direction
  };

  /// The samples must outlive this object.
  SoftmaxObjective(const SoftmaxSamples& given, double lambda, bool has_offset, Index threads)
      : samples_(given),
        classes_(given.of_class),
        count_(given.classes),
        lambda_(lambda),
        has_offset_(has_offset),
        passes_(given.rows, has_offset, threads, samples::stride_of(count_)),
        parts_(given.weights.size() > 0 ? given.weights : detail::filled(given.rows.rows(), 1.0)) {
    for (double& part : parts_) part /= static_cast<double>(samples());
    passes_.add_up_classes(parts_, classes_, class_sums_);
    means_ = detail::filled(cols(), 0.0);
    for (Index j = 0; j < cols(); ++j)
      for (Index k = 0; k < count_; ++k) means_[j] += class_sums_(j, k);
  }
  SoftmaxObjective(const SoftmaxObjective&) = delete;

  const samples::RowBlocks& rows() const { return samples_.rows; }
  Index samples() const { return samples_.rows.rows(); }
  Index features() const { return samples_.rows.cols(); }
  Index cols() const { return passes_.cols(); }
  Index classes() const { return count_; }
  Index stride() const { return passes_.stride(); }
  double lambda() const { return lambda_; }
  bool has_offset() const { return has_offset_; }
  const samples::Frame<>& frame() const { return samples_.frame; }
  Index passes() const { return passes_.passes(); }
  void count_pass() { passes_.count_pass(); }
  /// Calls task(k) for each class k, on the threads.
  template <class Task>
  void for_each_class(Task&& task) {
    passes_.for_each_part(count_, task);
  }

  /// Returns sᵢ/S.
  double share(Index i) const { return parts_[i]; }

  /// Returns ⟨w, w′⟩ for the weights of two θ.
  double product(const Table& one, const Table& other) const {
    return linear_algebra::dot(one.data(), other.data(), features() * stride());
  }
  Line line(const Table& theta, const Table& direction, const Table& scores,
            const Table& moves) const {
    return {scores,
            moves.data(),
            stride(),
            product(theta, theta),
            product(theta, direction),
            product(direction, direction)};
  }

  /// Subtracts from each row its mean over the classes. This changes the penalty but no
  /// probability.
  void centre(Table& theta) const {
    for (Index j = 0; j < theta.rows(); ++j) {
      double sum = 0;
      for (Index k = 0; k < count_; ++k) sum += theta(j, k);
      for (Index k = 0; k < count_; ++k) theta(j, k) -= sum / static_cast<double>(count_);
    }
  }

  /// Returns F and its slope at t. Sets `at` to the state at t.
  linear_algebra::LinePoint evaluate(const Line& line, double t, State& at, bool = true) {
    at.slopes.resize(samples(), stride());
    std::vector<Sums> parts(static_cast<std::size_t>(passes_.shares()));
    passes_.for_each_share([&](Index share, Index first, Index last) {
      parts[static_cast<std::size_t>(share)] = sums_of(line, t, first, last, at.slopes);
    });
    at.sums = parts[0];
    for (std::size_t share = 1; share < parts.size(); ++share) at.sums += parts[share];
    const double square = line.square + t * (2 * line.product + t * line.direction_square);
    return {t, at.sums.value + lambda_ / 2 * square,
            at.sums.slope + lambda_ * (line.product + t * line.direction_square)};
  }

  /// Returns F at θ with these scores. Sets `at` to the state at θ.
  double evaluate(const Table& theta, const Table& scores, State& at, bool = true) {
    const Line here{scores, scores.data(), stride(), product(theta, theta), 0, 0};
    return evaluate(here, 0, at).value;
  }

  /// Returns F at θ. Makes one pass.
  double value_of(const Table& theta) {
    std::vector<Sums> parts(static_cast<std::size_t>(passes_.shares()), Sums(stride()));
    passes_.visit_scores(theta, [&](Index share, Index first, const Table& scores, Table& slopes) {
      const SoftmaxRows rows{0,        scores.rows(),           count_,
                             stride(), classes_.data() + first, parts_.data() + first};
      linear_algebra::run_at(
          level_, EvaluateRows(rows, scores.data(), scores.data(), stride(), 0, slopes.data(),
                               parts[static_cast<std::size_t>(share)]));
    });
    double value = 0;
    for (const Sums& part : parts) value += part.value;
    return value + lambda_ / 2 * product(theta, theta);
  }

  /// Sets scores (n × stride) to those of θ. Makes one pass, or none if w = 0. Samples of weight 0
  /// then get the scores 0, so that huge entries in their rows have no effect.
  void score(const Table& theta, Table& scores) {
    if (!linear_algebra::is_zero(theta.data(), features() * stride())) {
      passes_.score(theta, scores);
      for (Index i = 0; i < samples(); ++i)
        if (share(i) == 0) std::fill_n(scores.data() + i * stride(), stride(), 0.0);
      return;
    }
    scores = linear_algebra::zeros<Table>(samples(), stride());
    for (Index i = 0; has_offset_ && i < samples(); ++i)
      for (Index a = 0; a < count_; ++a) scores(i, a) = theta(features(), a);
  }

  /// Computes ∇F at θ in one pass; `at` has the slopes at θ.
  void find_gradient(const Table& theta, const State& at, Table& gradient) {
    passes_.add_up(at.slopes, gradient);
    add_penalty(theta, gradient);
  }

  /// Computes image ← ∇²F·v in one pass, from the slopes at θ.
  void find_curvature(const Table& v, const Table& slopes, Table& image) {
    passes_.score_and_add_up(
        v,
        [&](Index first, const Table& moves, Table& products) {
          const double* const here = slopes.data() + first * stride();
          linear_algebra::run_at(level_, CurvatureRows(rows_of(first, first + moves.rows()), here,
                                                       moves.data(), products.data()));
        },
        image);
    add_penalty(v, image);
  }

  /// Returns (1/S) Σᵢ sᵢ·x²ᵢⱼ for every column, and 1 for the offset. The first call makes a pass.
  const Vector<double>& mean_squares() {
    if (squares_.size() == 0) passes_.add_up_squares(parts_, squares_);
    return squares_;
  }

  /// Is there a lower bound on F*?
  bool has_bound() const { return lambda_ >= least_number; }
  /// Returns 0, so that every iteration computes the bound, which costs no pass.
  double estimate(const Table&, const State&) const { return 0; }

  /// Returns a lower bound on F*, from the gradient at θ and the probabilities qᵢ at θ. The
  /// inequality below holds for any qᵢ on the simplex. But if b is free, the mean (1/S) Σᵢ sᵢqᵢ
  /// must be π, the share of each class.
  ///
  ///     F ≥ D(q) = (1/S) Σᵢ sᵢ·H(qᵢ) − ‖A‖²/(2λ),   A = (1/S) Σᵢ sᵢ·xᵢ(qᵢ − e_yᵢ)ᵀ,
  ///
  /// with the entropy H and the unit vector e_yᵢ of the class of sample i (Yu, Huang and Lin,
  /// Machine Learning 85 (2011), for the dual problem). The qᵢ of an iterate have the mean π + δ.
  /// The bound takes (1 − μ)·qᵢ + μ·t instead, which has the mean π: see Mixture. As H is concave,
  /// D is at least (1 − μ)·mean H(qᵢ) + μ·H(t) − ‖(1 − μ)·A + μ·A_t‖²/(2λ), where A_t is A for qᵢ =
  /// t.
  double bound(double, const Table& theta, const Table& gradient, const Table&,
               const State& at) const {
    Table slopes(features(), stride());
    for (Index j = 0; j < features(); ++j)
      for (Index k = 0; k < stride(); ++k) slopes(j, k) = gradient(j, k) - lambda_ * theta(j, k);
    double entropy = -at.sums.negative_entropy;
    if (has_offset_) {
      const Mixture mixture(shares(), at.sums.balance);
      if (!(mixture.mu < 1)) return -std::numeric_limits<double>::infinity();
      if (mixture.mu > 0) mix(mixture, slopes, entropy);
    }
    return entropy - linear_algebra::squares_of(slopes) / (2 * lambda_);
  }

  double unit(double constant) const { return constant; }
  solver::ClassPoint constant() {
    solver::ClassPoint point =
        best_constant(has_offset_ ? shares() : detail::filled(count_, 1.0), features());
    double sum = 0;
    for (const double offset : point.offset) sum += std::exp(offset);
    point.objective = std::log(sum);
    for (Index k = 0; has_offset_ && k < count_; ++k)
      point.objective -= class_sums_(features(), k) * point.offset[k];
    return point;
  }
  solver::ClassPoint point(const Table& theta, double value) const {
    solver::ClassPoint point{Matrix<double>(features(), count_), detail::filled(count_, 0.0),
                             value};
    for (Index j = 0; j < features(); ++j)
      for (Index k = 0; k < count_; ++k) point.weights(j, k) = theta(j, k);
    for (Index k = 0; has_offset_ && k < count_; ++k) point.offset[k] = theta(features(), k);
    return point;
  }
  /// Returns θ of a point. Every row has the sum 0 over the classes, as in every direction.
  Table theta_of_stored(const solver::ClassPoint& point) const {
    Table theta = theta_of(point);
    centre(theta);
    return theta;
  }
  Table theta_of(const solver::ClassPoint& point) const {
    auto theta = linear_algebra::zeros<Table>(cols(), stride());
    for (Index j = 0; j < features(); ++j)
      for (Index k = 0; k < count_; ++k) theta(j, k) = point.weights(j, k);
    for (Index k = 0; has_offset_ && k < count_; ++k) theta(features(), k) = point.offset[k];
    return theta;
  }

  /// Minimises F over a free b in θ by Newton's method on b alone, which costs no pass over x.
  /// Updates the scores, state and F of θ. Takes a few iterations of O(n·k²) each. The part of ∇F
  /// for b is then nearly 0, as the dual requires. With a bound on F*, it ends when the μ of
  /// Mixture is at most enough/100: the bound falls by at most about μ times the range of the
  /// scores.
  void polish(Table& theta, Table& scores, State& at, double& value, double enough) {
    for (int round = 0; has_offset_ && round < 20; ++round) {
      const double missed = at.sums.imbalance();
      if (!(missed > 1e-14)) return;  // no more than rounding
      if (has_bound() && Mixture(shares(), at.sums.balance).mu <= 0.01 * enough) return;
      Vector<double> direction = offset_direction(at);
      double slope = 0;
      for (Index a = 0; a < count_; ++a) slope += at.sums.balance[a] * direction[a];
      if (!(slope < 0)) return;
      const Line line{scores, direction.data(), 0, product(theta, theta), 0, 0};
      const auto found = linear_algebra::search_line(
          {0, value, slope}, 1, {}, [&](double t) { return evaluate(line, t, at); });
      if (found.step == 0 || !(at.sums.imbalance() < missed)) {
        value = evaluate(line, 0, at).value;
        return;
      }
      value = found.value;
      for (Index a = 0; a < count_; ++a) {
        direction[a] *= found.step;
        theta(features(), a) += direction[a];
      }
      for (Index i = 0; i < samples(); ++i)
        for (Index a = 0; a < count_; ++a) scores(i, a) += direction[a];
    }
  }

 private:
  Sums sums_of(const Line& line, double t, Index first, Index last, Table& slopes) const {
    Sums sums(stride());
    linear_algebra::run_at(
        level_, EvaluateRows(rows_of(first, last), line.scores.data(), line.moves, line.move_stride,
                             t, slopes.data(), sums));
    sums.finish();
    return sums;
  }
  SoftmaxRows rows_of(Index first, Index last) const {
    return {first, last, count_, stride(), classes_.data(), parts_.data()};
  }

  void add_penalty(const Table& v, Table& image) const {
    rows::add(v.data(), lambda_, image.data(), features() * stride());
  }

  /// Returns the share of each class (k). Call it only with an offset.
  Vector<double> shares() const {
    Vector<double> shares(count_);
    for (Index k = 0; k < count_; ++k) shares[k] = class_sums_(features(), k);
    return shares;
  }

  void mix(const Mixture& mixture, Table& slopes, double& entropy) const {
    const double mu = mixture.mu;
    Vector<double> t = detail::filled(stride(), 0.0);
    double of_t = 0;
    for (Index k = 0; k < count_; ++k) {
      t[k] = mixture.t[k];
      if (t[k] > 0) of_t -= t[k] * std::log(t[k]);
    }
    entropy = (1 - mu) * entropy + mu * of_t;
    for (Index j = 0; j < features(); ++j)
      for (Index k = 0; k < stride(); ++k)
        slopes(j, k) = (1 - mu) * slopes(j, k) + mu * (means_[j] * t[k] - class_sums_(j, k));
  }

  /// Returns the lower triangle of Σᵢ sᵢ/S·(diag qᵢ − qᵢqᵢᵀ), (k × k), which is ∇²F for b. Each row
  /// sums to 0, so the diagonal is computed from the other entries, without cancellation.
  detail::ColumnMatrix<double> offset_curvature(const Table& slopes) {
    using Square = detail::ColumnMatrix<double>;
    const Index count = std::clamp<Index>(samples() / (8 * count_), 1, passes_.shares());
    std::vector<Square> parts(static_cast<std::size_t>(count));
    passes_.for_each_part(count, [&](Index share) {
      const auto [begin, end] = linea::share_of(samples(), share, count);
      Square& part = parts[static_cast<std::size_t>(share)] =
          linear_algebra::zeros<Square>(count_, count_);
      linear_algebra::add_full_gram(part, end - begin, [&, first = begin](Index k, auto&& put) {
        const Index i = first + k;
        const double root = std::sqrt(this->share(i));
        for (Index a = 0; root > 0 && a < count_; ++a)
          put(a, std::max(slopes(i, a) / root + (a == classes_[i] ? root : 0), 0.0));
      });
    });
    auto all = linear_algebra::zeros<Square>(count_, count_);
    for (const Square& part : parts)
      for (Index k = 0; k < all.size(); ++k) all.data()[k] -= part.data()[k];
    for (Index a = 0; a < count_; ++a) all(a, a) = 0;
    for (Index a = 0; a < count_; ++a)
      for (Index b = a + 1; b < count_; ++b) {
        all(a, a) -= all(b, a);
        all(b, b) -= all(b, a);
      }
    return all;
  }

  /// Returns the Newton step for b, (stride), with the sum 0. F does not change when the same
  /// number is added to all offsets, so the system of equations holds the class with the most
  /// curvature fixed. Without curvature the step is 0.
  Vector<double> offset_direction(const State& at) {
    auto all = offset_curvature(at.slopes);
    Index fixed = 0;
    for (Index a = 1; a < count_; ++a)
      if (all(a, a) > all(fixed, fixed)) fixed = a;
    Vector<double> unknowns(count_);
    for (Index a = 0; a < count_; ++a) {
      unknowns[a] = a == fixed ? 0 : -at.sums.balance[a];
      all(std::max(a, fixed), std::min(a, fixed)) = a == fixed ? 1 : 0;
    }
    Vector<double> direction = detail::filled(stride(), 0.0);
    const linear_algebra::Cholesky<> factor(std::move(all));
    if (!factor.is_positive()) return direction;
    factor.solve(unknowns.data());
    const double mean = linear_algebra::sum_of(unknowns) / static_cast<double>(count_);
    for (Index a = 0; a < count_; ++a) direction[a] = unknowns[a] - mean;
    return direction;
  }

  const SoftmaxSamples& samples_;
  const Vector<Index>& classes_;
  Index count_;
  double lambda_;
  bool has_offset_;
  samples::Passes passes_;
  Vector<double> parts_;  // sᵢ/S (n)
  linear_algebra::VectorLevel level_{samples::level_for(stride())};
  Vector<double> squares_{};
  Table class_sums_{};      // (1/S) Σᵢ sᵢ·(xᵢ, 1)e_yᵢᵀ
  Vector<double> means_{};  // weighted means of the columns of x, or of (x, 1) with an offset
};

}  // namespace linea::detail::newton
