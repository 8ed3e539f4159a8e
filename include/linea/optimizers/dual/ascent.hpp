// SPDX-License-Identifier: MIT
#pragma once
/// \file A run of dual coordinate ascent: epochs over the samples, and estimates of the dual
/// objective D and of the duality gap.
#include <algorithm>  // equal, max
#include <cmath>      // isfinite, isnan, sqrt
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/core/observer.hpp>
#include <linea/core/order.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/losses/joint.hpp>
#include <linea/optimizers/descent/sampler.hpp>
#include <linea/optimizers/descent/scaled_weights.hpp>
#include <linea/optimizers/descent/visit.hpp>
#include <linea/optimizers/dual/band_newton.hpp>
#include <linea/optimizers/dual/problem.hpp>
#include <linea/optimizers/dual/rule.hpp>
#include <linea/proof/bound.hpp>
#include <linea/samples/loss_blocks.hpp>
#include <linea/samples/risk_of_scores.hpp>
#include <linea/samples/row_blocks.hpp>
#include <linea/samples/training_set.hpp>
#include <memory>   // unique_ptr
#include <utility>  // exchange, move
#include <vector>

namespace linea::detail::dual {

/// Maximises the dual objective D of a DualProblem, which must outlive this object. Its samples are
/// not divided.
///
/// An offset b adds the constraint Σᵢ sᵢαᵢ = 0. The method of multipliers (Bertsekas, Constrained
/// Optimization and Lagrange Multiplier Methods, 1982) enforces the constraint. During an epoch F
/// has the additional penalty λ/(2κ²)·(b − c)², as if (b − c)/κ were the weight of a constant
/// feature κ. After the epoch the centre c moves to b. Rows are centred at their weighted mean m
/// implicitly (see DualRule). κ² is λ·score_by_slope plus a twentieth of the mean of ‖xᵢ − m‖². A
/// larger κ² couples the samples more strongly through b. With a smaller κ², c converges more
/// slowly.
///
/// AscentOf adds the visits, whose code depends on the types of the loss and of the rows.
class Ascent {
 public:
  Ascent(const Ascent&) = delete;
  virtual ~Ascent() = default;

  /// Starts at the dual variables α = `multipliers` (n). Each ℓ*(−αᵢ, yᵢ) must be finite. Call it
  /// once, before all other functions. It is not part of the constructor, which every source that
  /// fits compiles, while linea::compiled has this function.
  void start(const Vector<double>& multipliers) {
    if (of_.has_offset) mean_ = proof::dual_sum_of(of_.rows, risk_, detail::filled(n(), 1.0));
    set_states(multipliers);
    set_weights(multipliers);
  }

  /// Runs one epoch over the active dual variables. Returns how many of them changed.
  Index run_epoch() {
    shrinking_.draw(due_);
    const Index moved = due_.empty() ? 0 : visit();
    weights_.finish({}, constant_ * shift_, 0);  // c moves to b, and b to c + κ²·shift
    ++epochs_;
    const double newest = std::max(0.1, 2 / static_cast<double>(epochs_ + 1));
    mean_excess_ += epochs_ > 1 ? newest * (excess_ - mean_excess_) : excess_;
    const auto now = here();
    for (Index j = 0; j < now.weights.size(); ++j)
      average_.weights[j] += newest * (now.weights[j] - average_.weights[j]);
    average_.offset += newest * (now.offset - average_.offset);
    return moved;
  }

  /// Are all quantities of the steps finite? If not, the caller must not run epochs. For example,
  /// the squares of entries as large as 1e160 overflow.
  bool is_finite() const { return is_finite_ && std::isfinite(shift_) && !std::isnan(excess_); }

  /// Returns an estimate of the duality gap from the last epoch's visits, without a pass over x.
  double excess() const { return excess_; }
  double mean_excess() const { return mean_excess_; }  ///< running mean of `excess` over the epochs
  Index updates() const { return updates_; }           ///< number of visits
  Index epochs() const { return epochs_; }

  /// Returns an estimate of D. With an offset, Σᵢ sᵢαᵢ may differ from 0, and D is then not a lower
  /// bound on F.
  double dual_estimate() const { return risk_.dual(multipliers()) - penalty_of(here().weights); }

  /// Returns F at a point. Makes one pass over x, or none at the best point if F is known there.
  double value(const Point<double>& point) const {
    if (is_evaluated_ && point.offset == best_.offset &&
        std::equal(point.weights.begin(), point.weights.end(), best_.weights.begin()))
      return best_.objective;
    return risk_.value(scores_at(of_, point)) + penalty_of(point.weights);
  }
  /// Evaluates F at the current iterate or, if `at_mean`, at the running mean of the iterates at
  /// the ends of epochs. Keeps the best point so far, and returns whether its F is above `enough`.
  bool look(bool at_mean, double enough) {
    Point<double> point = at_mean ? average_ : here();
    point.objective = value(point);
    note(std::move(point), true);
    return best_.objective > enough;
  }
  const Point<double>& best() const { return best_; }
  /// Returns the approximate cost of a visit, in the unit of FactorCosts.
  double visit_cost() const { return (of_.rows.is_packed() ? 1 : 10) * row_cost(of_.rows); }
  /// Returns the approximate cost, in the unit of FactorCosts, of Newton's method for the rest of
  /// the run. `free` dual variables are between their bounds, and the gap must shrink by a factor
  /// of exp(left). Assumes 5 + 4·left steps in 2 + left/2 rounds; both numbers are empirical.
  /// Returns infinity if the loss is not a Joint, or if the matrices are too large.
  double finish_cost(Index free, double left) const {
    if (!of_.loss.traits().has_joints || !std::isfinite(of_.loss.joint(of_.y[0]).at))
      return std::numeric_limits<double>::infinity();
    const auto present = static_cast<double>(shrinking_.present());
    const Index d = of_.rows.cols();
    return (5 + 4 * left) *
               FactorCosts(samples::mean_entries(of_.rows), std::min(free, d + 1), d).least() +
           (2 + left / 2) * present * row_cost(of_.rows);
  }
  /// Returns Newton's method, started at the current iterate, for a loss with joints; else null.
  virtual std::unique_ptr<Finish> finish() const = 0;
  /// Replaces the dual variables and the offset, and the best point if `point` has a lower F. Makes
  /// all dual variables active. Counts as an epoch. Returns how many dual variables changed. The
  /// next call of `renew` updates the weights.
  Index take(const Vector<double>& multipliers, const Point<double>& point) {
    Index moved = 0;
    for (Index i = 0; i < n(); ++i)
      moved += std::exchange(sample(i).multiplier, multipliers[i]) != multipliers[i];
    weights_.replace(weights_.weights(), point.offset);
    note(point, false);
    shrinking_.wake();
    ++epochs_;
    return moved;
  }

  /// Returns the best point with w = 0, and F there. Does not read x.
  Point<double> constant_point() const {
    Point<double> point{detail::filled(of_.rows.cols(), 0.0),
                        of_.has_offset ? samples::best_constant(risk_) : 0};
    point.objective = risk_.value(detail::filled(n(), point.offset));
    return point;
  }

  /// Returns the Proof of the current dual variables.
  proof::Proof proof() const {
    return proof::proof_of(of_.rows, risk_, of_.lambda, of_.has_offset, multipliers());
  }
  /// Recomputes w from the dual variables, which removes the rounding errors of the steps. `proof`
  /// must be the Proof of the current dual variables.
  void renew(const proof::Proof& proof) {
    const Vector<double> now = multipliers();
    move_to(now, of_.has_offset ? proof::dual_sum_of(of_.rows, risk_, now) : proof.dual_sum,
            weights_.offset());
  }

  /// Returns w and b of the current iterate. Leaves F at NaN.
  Point<double> here() const {
    Point<double> point{weights_.weights(), weights_.offset()};
    if (of_.has_offset) linear_algebra::add(-shift_, mean_, point.weights);
    return point;
  }

 protected:
  explicit Ascent(const DualProblem& of)
      : of_(of),
        risk_(of.loss, of.y, of.weights),
        shrinking_(n()),
        samples_(static_cast<std::size_t>(n())),
        mean_(detail::filled(of.rows.cols(), 0.0)) {}

  /// Visits the samples of due_, which is not empty. Returns how many dual variables changed. Sets
  /// excess_.
  virtual Index visit() = 0;

  Index n() const { return of_.samples(); }
  double scale() const { return 1 / (of_.lambda * static_cast<double>(n())); }
  /// Returns about the root mean square of ‖xᵢ‖, or 0 without an offset.
  double row_length() const {
    if (!of_.has_offset) return 0;
    const double squares = 20 * (constant_ - of_.lambda * score_by_slope(of_, risk_)) +
                           linear_algebra::squares_of(mean_);
    return std::sqrt(std::max(squares, 0.0));
  }
  Vector<double> multipliers() const {
    Vector<double> multipliers(n());
    for (std::size_t i = 0; i < samples_.size(); ++i)
      multipliers[static_cast<Index>(i)] = samples_[i].multiplier;
    return multipliers;
  }

  const DualProblem& of_;
  samples::RiskOfScores risk_;
  double constant_{0};  // κ²; 0 without an offset
  double shift_{0};     // Σᵢ sᵢαᵢ/(λn): tends to 0 with an offset, stays 0 without one
  Shrinking shrinking_;
  Sequence due_{};  // the samples to visit in this epoch
  std::vector<SampleState> samples_;
  Vector<double> mean_;                       // m; 0 without an offset
  descent::ScaledWeights<double> weights_{};  // v and b: w = v − shift·m
  Index updates_{0};
  double excess_{std::numeric_limits<double>::infinity()};

 private:
  double penalty_of(const Vector<double>& w) const {
    return of_.lambda / 2 * linear_algebra::squares_of(w);
  }
  /// Sets κ² and the states of the samples. Leaves out samples of weight 0.
  void set_states(const Vector<double>& multipliers) {
    if (of_.has_offset) constant_ = of_.lambda * score_by_slope(of_, risk_);
    const double center = linear_algebra::squares_of(mean_);
    Vector<double> norms(n()), along_mean;
    of_.rows.squares(0, n(), norms.data());
    if (of_.has_offset) along_mean = samples::scores_of(of_.rows, mean_);
    for (Index i = 0; i < n(); ++i) {
      SampleState& one = sample(i);
      one.multiplier = multipliers[i];
      if (!(of_.weight(i) > 0)) {
        shrinking_.leave_out(static_cast<std::size_t>(i));
        continue;
      }
      one.curvature = norms[i];
      if (!of_.has_offset) continue;
      one.along_mean = along_mean[i];
      // Steps would be too long if rounding made the distance too small: add the rounding error.
      const double rounding = 16 * std::numeric_limits<double>::epsilon() * (norms[i] + center);
      one.curvature = std::max(norms[i] - 2 * one.along_mean + center, 0.0) + rounding;
      constant_ += of_.weight(i) * one.curvature / (20 * static_cast<double>(n()));
    }
    for (Index i = 0; i < n(); ++i) {
      if (!(of_.weight(i) > 0)) continue;
      SampleState& one = sample(i);
      one.curvature = of_.weight(i) * (one.curvature + constant_) * scale();
      is_finite_ = is_finite_ && std::isfinite(one.curvature);
    }
  }

  /// Keeps a point if its F is the lowest so far. `is_evaluated`: did `value` compute this F?
  void note(Point<double> point, bool is_evaluated) {
    if (best_.objective <= point.objective) return;
    best_ = std::move(point);
    is_evaluated_ = is_evaluated;
  }

  SampleState& sample(Index i) { return samples_[static_cast<std::size_t>(i)]; }
  /// Sets v = dual_sum/λ = (1/(λn)) Σᵢ sᵢαᵢxᵢ, the shift, and the offset.
  void move_to(const Vector<double>& multipliers, const Vector<double>& dual_sum, double offset) {
    Vector<double> weights = dual_sum;
    for (double& weight : weights) weight /= of_.lambda;
    weights_.replace(weights, offset);
    shift_ = 0;
    if (of_.has_offset)
      for (Index i = 0; i < n(); ++i) shift_ += scale() * of_.weight(i) * multipliers[i];
  }

  /// Sets w from the dual variables, and b to about the best for these weights, but to 0 if F is no
  /// higher there, or without an offset. Does not read x if all dual variables are 0.
  void set_weights(const Vector<double>& multipliers) {
    const bool at_zero = linear_algebra::is_zero(multipliers.data(), n());
    move_to(multipliers, proof::dual_sum_of(of_.rows, risk_, multipliers), 0);
    best_ = {here().weights, 0, 0};
    const Vector<double> scores =
        at_zero ? detail::filled(n(), 0.0) : samples::scores_of(of_.rows, best_.weights);
    const auto risk = [&](double b) {
      Vector<double> moved = scores;
      for (double& score : moved) score += b;
      return risk_.value(moved);
    };
    double at_best = risk(0);
    if (of_.has_offset) {
      samples::RiskOfScores::Samplewise at;
      const double b =
          at_zero ? samples::best_constant(risk_) : samples::best_move(risk_, scores, 1, at);
      if (const double at_b = risk(b); at_b < at_best) {
        best_.offset = b;
        at_best = at_b;
      }
    }
    best_.objective = at_best + penalty_of(best_.weights);
    weights_.finish({}, best_.offset, 0);
    average_ = best_;
  }

  Point<double> average_{};  // running mean of the iterates at the ends of epochs
  Point<double> best_{};     // the point of the lowest F so far
  Index epochs_{0};
  double mean_excess_{0};
  bool is_finite_{true}, is_evaluated_{false};  // is_evaluated_: see note
};

/// An Ascent with the visits in the order O.
template <class L, class Rows, Order O>
class AscentOf final : DualBlocks<L, Rows>, public Ascent {
  using Blocks = DualBlocks<L, Rows>;

 public:
  /// Loss and set must outlive this object.
  AscentOf(const L& loss, const samples::TrainingSet<Rows>& set, double lambda, bool has_offset,
           const descent::VisitOptions<O>& options)
      : Blocks(loss, set, lambda, has_offset),
        Ascent(Blocks::problem),
        loss_(loss),
        set_(set),
        sampler_(options) {
    sampler_.fit(set);
  }

  std::unique_ptr<Finish> finish() const override {
    if constexpr (BandLoss<L>)
      return band_newton(Blocks::problem, multipliers(), here(), row_length());
    else
      return nullptr;
  }

 private:
  Index visit() override;

  const L& loss_;
  const samples::TrainingSet<Rows>& set_;
  descent::Sampler<double, O> sampler_;
};

// Not inline, because `extern template` has no effect on inline functions: see rows/compiled.hpp.
template <class L, class Rows, Order O>
Index AscentOf<L, Rows, O>::visit() {
  const auto count = static_cast<Index>(due_.size());
  Epoch epoch = sampler_.drawn_epoch(count);
  epoch.among = due_;
  sampler_.begin_epoch(std::move(epoch));
  DualRule<L> rule(loss_, samples_, shrinking_, shift_, scale(),
                   constant_ + linear_algebra::squares_of(mean_));
  Index moved = 0;
  sampler_.deal(set_.rows, count, count, [&](const auto& rows, const descent::Visits& visits) {
    if constexpr (!Rows::is_packed) rule.read_copies_of(sampler_.origins());
    moved +=
        descent::visit_each(rule, weights_, rows, sampler_.labels(set_, visits), visits, updates_);
    weights_.complete(rows);
  });
  sampler_.end_epoch();
  excess_ = rule.excess() / static_cast<double>(n());
  return moved;
}

}  // namespace linea::detail::dual
