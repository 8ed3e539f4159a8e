// SPDX-License-Identifier: MIT
#pragma once
/// \file About the minimum of F on a sample of the rows.
#include <cstdint>
#include <linea/optimizers/numerics/line_search.hpp>
#include <linea/optimizers/smooth/kept_curvature.hpp>
#include <linea/optimizers/smooth/risk_of_scores.hpp>
#include <linea/samples/selected_rows.hpp>
#include <linea/samples/training_set.hpp>

namespace linea::smooth {

/// F on one row in `stride`, as a function of θ = (w, b), or w without offset. A hash draws the
/// rows, so that no period in x can meet that of the draw; those of a larger stride that it is a
/// divisor of are among them. Rows of weight 0 are left out.
template <class L, class Rows>
class SampledMinimum {
 public:
  using Real = core::DoubleFor<Rows>;

  /// Loss and set must outlive it.
  SampledMinimum(const L& loss, const samples::TrainingSet<Rows>& set, double lambda,
                 bool has_offset, Index stride)
      : lambda_(lambda),
        has_offset_(has_offset),
        d_(set.rows.cols()),
        members_(drawn(set, stride)),
        rows_(set.rows),
        y_(gathered(set.y)),
        weights_(normed(gathered(set.weights))),
        risk_(loss, y_, weights_) {
    rows_.take(members_);
  }
  SampledMinimum(const SampledMinimum&) = delete;
  SampledMinimum& operator=(const SampledMinimum&) = delete;

  Index samples() const { return y_.size(); }
  Index rows_read() const { return rows_read_; }

  /// Newton's method from θ until a step promises less than `enough`·F. Leaves the last curvature.
  /// False where it comes to nothing: θ and the curvature are then of no use.
  bool descend(double enough, Vector<Real>& theta, KeptCurvature<Real>& curvature) {
    constexpr int most_steps = 30;
    rows_read_ += samples();
    Vector<Real> scores = score(theta);
    Vector<Real> moves, direction;
    double value = evaluate(scores) + lambda_ / 2 * theta.head(d_).squaredNorm();
    for (int k = 0; k < most_steps; ++k) {
      const bool is_positive = curvature.take(
          d_, has_offset_, lambda_, samples(), rows_.in_row(),
          [this](Index i) { return at_.curvatures[i]; },
          [this](Index i, auto&& f) { rows_.for_each(static_cast<std::size_t>(i), f); });
      if (!is_positive) return false;
      const Vector<Real> gradient = gradient_at(theta);
      direction = -gradient;
      curvature.solve(direction);
      const double slope = gradient.dot(direction);
      if (!(slope <= 0) || !std::isfinite(value)) return false;
      if (-slope / 2 <= enough * value) return true;
      moves = score(direction);
      rows_read_ += 3 * samples();
      const double product = theta.head(d_).dot(direction.head(d_));
      const double square = direction.head(d_).squaredNorm();
      const double start = lambda_ / 2 * theta.head(d_).squaredNorm();
      const auto point = numerics::search_line({0, value, slope}, 1, {}, [&](double t) {
        const double risk = evaluate(scores + t * moves);
        return numerics::LinePoint{t, risk + start + lambda_ * t * (product + t * square / 2),
                                   at_.slopes.dot(moves) + lambda_ * (product + t * square)};
      });
      if (point.step == 0) return false;
      theta += point.step * direction;
      scores += point.step * moves;
      value = point.value;
    }
    return false;
  }

 private:
  static Sequence drawn(const samples::TrainingSet<Rows>& set, Index stride) {
    Sequence members;
    const auto every = static_cast<std::uint64_t>(stride);
    for (Index i = 0; i < set.rows.rows(); ++i) {
      const std::uint32_t hash = static_cast<std::uint32_t>(i) * 2654435769U;  // 2³²/golden ratio
      if ((hash * every) >> 32 == 0 && set.weight(i) > 0)
        members.push_back(static_cast<std::uint32_t>(i));
    }
    return members;
  }
  Vector<Real> gathered(const Vector<Real>& all) const {
    if (all.size() == 0) return {};
    Vector<Real> own(static_cast<Index>(members_.size()));
    for (std::size_t k = 0; k < members_.size(); ++k)
      own[static_cast<Index>(k)] = all[static_cast<Index>(members_[k])];
    return own;
  }
  static Vector<Real> normed(Vector<Real> weights) {
    if (weights.size() > 0) weights *= static_cast<double>(weights.size()) / weights.sum();
    return weights;
  }

  Vector<Real> score(const Vector<Real>& v) const {
    Vector<Real> scores(samples());
    for (Index i = 0; i < scores.size(); ++i)
      scores[i] = rows_.dot(static_cast<std::size_t>(i), v) + (has_offset_ ? v[d_] : 0);
    return scores;
  }
  /// The mean loss. Sets slopes and curvatures.
  double evaluate(const Vector<Real>& scores) {
    at_.slopes.resize(samples());
    at_.curvatures.resize(samples());
    return risk_.template evaluate<true>(scores, at_);
  }
  Vector<Real> gradient_at(const Vector<Real>& theta) const {
    Vector<Real> gradient = lambda_ * theta;
    for (Index i = 0; i < samples(); ++i)
      rows_.add(static_cast<std::size_t>(i), at_.slopes[i], gradient);
    if (has_offset_) gradient[d_] = at_.slopes.sum();
    return gradient;
  }

  double lambda_;
  bool has_offset_;
  Index d_;
  Sequence members_;
  samples::SelectedRows<Rows> rows_;
  Vector<Real> y_, weights_;
  RiskOfScores<L> risk_;
  typename RiskOfScores<L>::Samplewise at_{};
  Index rows_read_{0};
};

}  // namespace linea::smooth
