// SPDX-License-Identifier: MIT
#pragma once
/// \file F of multinomial logistic regression, with its gradient and what its second derivative
/// makes of a direction.
#include <cmath>  // log
#include <linea/optimizers/numerics/line_search.hpp>
#include <linea/optimizers/softmax/likelihood.hpp>
#include <linea/optimizers/softmax/sums.hpp>
#include <linea/optimizers/softmax/table_passes.hpp>
#include <linea/samples/frame.hpp>
#include <linea/samples/unseen_columns.hpp>
#include <utility>  // move
#include <vector>

namespace linea::softmax {

/// F(θ) for θ (cols × stride) with rows w (d) and, with offset, b; a column a class. See
/// softmax_newton.hpp for F. Scores move linearly along a line in θ, so that F on a line costs no
/// pass over x.
template <class Rows>
class SoftmaxObjective {
 public:
  using Real = core::DoubleFor<Rows>;
  using Table = Matrix<Real>;

  /// The line of scores p + t·m. The row m of sample i begins at moves + i·move_stride: with stride
  /// 0 all samples have the same.
  struct Line {
    const Table& scores;
    const double* moves;
    Index move_stride;
    double square{0};            ///< ‖w‖² at t = 0
    double product{0};           ///< ⟨w, direction⟩
    double direction_square{0};  ///< of its weights
  };

  /// `classes` has for each row its class, from 0; that of rows of weight 0 is not asked for.
  SoftmaxObjective(samples::TrainingSet<Rows> set, Vector<Index> classes, Index count,
                   double lambda, bool has_offset, Index threads)
      : set_(std::move(set)),
        frame_(set_, has_offset),
        classes_(std::move(classes)),
        count_(count),
        lambda_(lambda),
        has_offset_(has_offset),
        passes_(set_, has_offset, count, threads) {}
  SoftmaxObjective(const SoftmaxObjective&) = delete;
  SoftmaxObjective& operator=(const SoftmaxObjective&) = delete;

  Index samples() const { return set_.rows.rows(); }
  Index features() const { return set_.rows.cols(); }
  Index cols() const { return passes_.cols(); }
  Index classes() const { return count_; }
  Index stride() const { return passes_.stride(); }
  double lambda() const { return lambda_; }
  bool has_offset() const { return has_offset_; }
  Status seen(Status s) const { return samples::status_of_seen(s, lambda_, set_, has_offset_); }
  const samples::Frame<>& frame() const { return frame_; }
  TablePasses<Rows>& passes() { return passes_; }
  const TablePasses<Rows>& passes() const { return passes_; }

  Index class_of(Index i) const { return classes_[i]; }
  /// sᵢ/S.
  double share(Index i) const {
    return (set_.weights.size() ? set_.weights[i] : 1.0) / static_cast<double>(samples());
  }

  /// ⟨w, w′⟩.
  double product(const Table& one, const Table& other) const {
    return one.topRows(features()).cwiseProduct(other.topRows(features())).sum();
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

  /// Subtracts from each row its mean over the classes, which F is blind to but for the penalty.
  void centre(Table& theta) const {
    auto classes = theta.leftCols(count_);
    for (Index j = 0; j < theta.rows(); ++j) classes.row(j).array() -= classes.row(j).mean();
  }

  /// F and its slope at t. Sets the probabilities q (n × stride) there, and the sums.
  numerics::LinePoint evaluate(const Line& line, double t, Table& q, Sums& sums) {
    q.resize(samples(), stride());
    std::vector<Sums> parts(static_cast<std::size_t>(passes_.shares()));
    passes_.for_each_share([&](Index share, Index first, Index last) {
      parts[static_cast<std::size_t>(share)] = sums_of(line, t, first, last, q);
    });
    sums = parts[0];
    for (std::size_t share = 1; share < parts.size(); ++share) sums += parts[share];
    const double square = line.square + t * (2 * line.product + t * line.direction_square);
    return {t, sums.value + lambda_ / 2 * square,
            sums.slope + lambda_ * (line.product + t * line.direction_square)};
  }

  /// F at θ with these scores.
  double evaluate(const Table& theta, const Table& scores, Table& q, Sums& sums) {
    const Line here{scores, scores.data(), stride(), product(theta, theta), 0, 0};
    return evaluate(here, 0, q, sums).value;
  }

  /// ∇F at θ, where the probabilities are q. One pass.
  void find_gradient(const Table& theta, const Table& q, Table& gradient) {
    passes_.add_up(
        [&](Index, Index first, Index count, Table& slopes) {
          for (Index k = 0; k < count; ++k) {
            const Index i = first + k;
            double* const row = slopes.data() + k * stride();
            slopes_of(q.data() + i * stride(), count_, classes_[i], share(i), row, stride());
          }
        },
        gradient);
    gradient.topRows(features()) += lambda_ * theta.topRows(features());
  }

  /// About the excess of F over its minimum, for λ = 0, where the probabilities are q and a step of
  /// Newton's method moves the scores so. Those after the step are multipliers, and it is
  /// a quarter more, as of smooth::SmoothObjective::excess_after. One pass.
  double excess_after(const Table& theta, const Table& q, const Table& direction,
                      const Table& moves) {
    Table after = q;
    double divergence = 0;
    for (Index i = 0; i < samples(); ++i) {
      if (!(share(i) > 0)) continue;
      const double mean = q.row(i).dot(moves.row(i));
      for (Index a = 0; a < classes(); ++a) {
        const double change = moves(i, a) - mean;
        after(i, a) *= 1 + change;
        divergence += share(i) * q(i, a) * ((1 + change) * std::log1p(change) - change);
      }
    }
    Table rest;
    find_gradient(theta, after, rest);
    return 1.25 * (divergence + rest.cwiseProduct(theta).sum() +
                   rest.cwiseProduct(theta + direction).cwiseAbs().sum());
  }

  /// image ← ∇²F·v. One pass.
  void find_curvature(Table& v, const Table& q, Table& image) {
    passes_.score_and_add_up(
        v,
        [&](Index, Index first, Index count, Table& moves) {
          for (Index k = 0; k < count; ++k) {
            const Index i = first + k;
            bend_row(q.data() + i * stride(), count_, classes_[i], share(i),
                     moves.data() + k * stride());
          }
        },
        image);
    image.topRows(features()) += lambda_ * v.topRows(features());
  }

  /// The diagonal of ∇²F, as a table. One pass.
  void find_diagonal(const Table& q, Table& diagonal) {
    passes_.add_up(
        [&](Index, Index first, Index count, Table& curvatures) {
          for (Index k = 0; k < count; ++k)
            for (Index a = 0; a < stride(); ++a) {
              const double chance = q(first + k, a);
              curvatures(k, a) = share(first + k) * chance * (1 - chance);
            }
        },
        diagonal, true);
    diagonal.topRows(features()).array() += lambda_;
  }

  /// The sums over the samples of each class, (1/S) Σᵢ sᵢ·e_yᵢ (xᵢ, 1)ᵀ: a table. One pass.
  void find_class_sums(Table& sums) {
    passes_.add_up(
        [&](Index, Index first, Index count, Table& chosen) {
          chosen.setZero();
          for (Index k = 0; k < count; ++k) chosen(k, classes_[first + k]) = share(first + k);
        },
        sums);
  }

 private:
  Sums sums_of(const Line& line, double t, Index first, Index last, Table& q) const {
    Sums sums;
    sums.balance = Vector<Real>::Zero(stride());
    Vector<Real> p(stride());
    Vector<Real> slopes(stride());
    for (Index i = first; i < last; ++i) {
      const double part = share(i);
      double* const chances = q.data() + i * stride();
      if (part == 0) {
        std::fill_n(chances, stride(), 0.0);
        continue;
      }
      const double* scores = line.scores.data() + i * stride();
      const double* moves = line.moves + i * line.move_stride;
      for (Index a = 0; a < count_; ++a) p[a] = t == 0 ? scores[a] : scores[a] + t * moves[a];
      const Index y = classes_[i];
      const RowLoss row = evaluate_row(p.data(), count_, y, chances, stride());
      slopes_of(chances, count_, y, part, slopes.data(), stride());
      for (Index a = 0; a < count_; ++a) {
        sums.slope += slopes[a] * (moves[a] - moves[y]);
        sums.balance[a] += slopes[a];
      }
      sums.value += part * row.loss;
      sums.negative_entropy += part * row.negative_entropy;
    }
    return sums;
  }

  samples::TrainingSet<Rows> set_;
  samples::Frame<> frame_;
  Vector<Index> classes_;
  Index count_;
  double lambda_;
  bool has_offset_;
  TablePasses<Rows> passes_;
};

/// The class of the most curvature, Σᵢ sᵢ·qᵢₖ(1 − qᵢₖ).
template <class Rows>
Index reference_of(const SoftmaxObjective<Rows>& problem, const Table& q) {
  using Real = core::DoubleFor<Rows>;
  Vector<Real> curvature = Vector<Real>::Zero(problem.classes());
  for (Index i = 0; i < problem.samples(); ++i)
    for (Index a = 0; a < problem.classes(); ++a)
      curvature[a] += problem.share(i) * q(i, a) * (1 - q(i, a));
  Index reference = 0;
  curvature.maxCoeff(&reference);
  return reference;
}

}  // namespace linea::softmax
