// SPDX-License-Identifier: MIT
#pragma once
/// \file Newton's method for the end of a run of dual coordinate ascent, if the loss has few
/// pieces: see BandLoss. Its steps usually need only the samples near the kinks of the loss.
#include <algorithm>  // clamp, max
#include <cmath>      // abs, isfinite, sqrt
#include <limits>
#include <linea/core/observer.hpp>
#include <linea/linear_algebra/line_search.hpp>
#include <linea/optimizers/dual/band.hpp>
#include <linea/optimizers/dual/free_system.hpp>
#include <linea/optimizers/dual/problem.hpp>
#include <linea/samples/risk_of_scores.hpp>
#include <memory>   // make_unique, unique_ptr
#include <utility>  // exchange, move
#include <vector>

namespace linea::detail::dual {

/// A method that continues a run of dual coordinate ascent, in rounds. Because of this interface,
/// programs whose losses have no joints do not compile BandNewton.
class Finish {
 public:
  virtual ~Finish() = default;
  virtual bool is_sound() const = 0;  ///< can it run?
  /// Begins or continues a round, which aims at a gap of at most `allowed`. Returns true if the
  /// round is not over: it makes a pause after some time.
  virtual bool run(double allowed) = 0;
  virtual bool is_in_round() const = 0;
  /// Ends a round. Returns false if further rounds are unlikely to make progress.
  virtual bool end_round() = 0;
  virtual Vector<double> multipliers() const = 0;  ///< the best dual variables (n)
  virtual double dual() const = 0;                 ///< an estimate of D there
  virtual const Point<double>& point() const = 0;  ///< the best point
  virtual Point<double> here() const = 0;          ///< the iterate, with F at NaN
};

/// Rounds of the method of multipliers. In each round the slopes u = −α have a proximal term
/// ρ/2·(u − u₀)², where u₀ is the slope after the previous round. This term makes F smooth in θ =
/// (w, b). Newton's method minimises the smooth function and changes only the slopes of a band of
/// samples: those that may end at a kink, or on the parabola of a box; or all samples, if the
/// equations cost more than a step over these. After each round one pass over x gives F, the gap
/// and the next band.
///
/// Coordinate ascent identifies the samples at kinks quickly, but then converges slowly: there are
/// hardly more such samples than columns, and an ill-conditioned problem couples their dual
/// variables strongly. The convergence of Newton's method does not depend on the condition.
///
/// Sources: Li, Sun and Toh, SIAM J. Optim. 28 (2018), for the semismooth Newton augmented
/// Lagrangian method; Bertsekas, Constrained Optimization and Lagrange Multiplier Methods (1982).
class BandNewton final : public Finish {
 public:
  using Reals = Vector<double>;

  /// Starts at the dual variables `multipliers` (n) in the domain of ℓ*, and at `point`, which
  /// should be near their w and b. `row_length` is about the root mean square of ‖xᵢ‖, or 0 without
  /// an offset. Makes two passes over x. The problem must outlive this object.
  BandNewton(const DualProblem& of, const Reals& multipliers, const Point<double>& point,
             double row_length)
      : of_(of),
        risk_(of.loss, of.y, of.weights),
        parts_(risk_.parts()),
        system_(d(), of.lambda, of.has_offset),
        slopes_(multipliers.size()),
        scores_(multipliers.size()),
        theta_(d() + (of.has_offset ? 1 : 0)),
        row_length_(row_length) {
    boxes_.reserve(static_cast<std::size_t>(of.y.size()));
    for (const double y : of.y) boxes_.push_back(of.loss.joint(y));
    set_units();
    for (Index i = 0; i < slopes_.size(); ++i) slopes_[i] = -multipliers[i];
    for (Index j = 0; j < d(); ++j) theta_[j] = point.weights[j];
    const Reals terms = risk_.in_parts(slopes_);
    const Reals sum = samples::weighted_sum(of.rows, terms);
    pull_.resize(theta_.size());
    for (Index j = 0; j < d(); ++j) pull_[j] = sum[j];
    if (of.has_offset) {
      theta_[d()] = point.offset;
      pull_[d()] = linear_algebra::sum_of(terms);
    }
    look();
    note_best();
    set_rho();
  }
  BandNewton(const BandNewton&) = delete;
  BandNewton& operator=(const BandNewton&) = delete;

  /// Is the scale of the scores positive and finite, and is D finite?
  bool is_sound() const override {
    return unit_ > 0 && std::isfinite(unit_) && std::isfinite(dual_);
  }

  /// Begins or continues a round, which aims at a gap of at most `allowed`. Returns false if the
  /// round is over, and true once its steps have cost as much as eight passes over x.
  bool run(double allowed) override {
    if (steps_ == 0) {
      before_ = lowest_.objective - best_.dual;
      target_ = 0.8 * allowed;
      choose_band();
      update();
      if (is_over()) return false;
    }
    const auto n = static_cast<double>(slopes_.size());
    const double most = system_.work() + 8 * n * row_cost(of_.rows);
    while (step())
      if (system_.work() >= most) return true;
    return false;
  }

  bool is_in_round() const override { return steps_ > 0; }

  /// Ends a round. Returns false if further rounds are unlikely to make progress.
  bool end_round() override {
    steps_ = 0;
    for (std::size_t k = 0; k < band_.size(); ++k)
      slopes_[static_cast<Index>(members_[k])] = band_[k].slope;
    width_ = std::isfinite(width_) ? std::max(width_ / 2, 0.02 * unit_) : 0.2 * unit_;
    const double missed = look();
    const double lost = best_.dual - dual_;
    if (lost < 0) note_best();
    const double gap = lowest_.objective - best_.dual;
    // Near the maximum of D, a few rounds may lower D by a negligible part of the gap.
    const bool may_fall = turns_back_ < most_turns_back && lost < 0.05 * gap;
    const bool is_nearer = gap < 0.9 * before_;
    if (lost < 0 || may_fall) {
      turns_back_ = is_nearer ? 0 : turns_back_ + (lost < 0 ? 0 : 1);
      if (missed > 0.3 * target_) rho_ *= std::clamp(0.25 * target_ / missed, 0.3, 0.7);
      return true;
    }
    slopes_ = best_.slopes;
    theta_ = best_.theta;
    pull_ = best_.pull;
    look();
    rho_ *= 10;
    width_ = std::numeric_limits<double>::infinity();  // all samples, in the next round
    return ++turns_back_ <= most_turns_back;
  }

  Reals multipliers() const override {
    Reals multipliers = best_.slopes;
    linear_algebra::scale(-1, multipliers);
    of_.loss.enter_domain(multipliers.data(), of_.y.data(), multipliers.size());
    return multipliers;
  }
  /// Returns an estimate of D at `multipliers()`. With an offset, Σᵢ sᵢαᵢ may differ from 0; the
  /// estimate is therefore reduced by about the cost of balancing the dual variables.
  double dual() const override { return best_.dual; }
  /// Returns the iterate with the lowest F of those after a round.
  const Point<double>& point() const override { return lowest_; }
  /// Returns the iterate, with F at NaN.
  Point<double> here() const override {
    return {linear_algebra::part_of(theta_, 0, d()), of_.has_offset ? theta_[d()] : 0};
  }

 private:
  Index d() const { return of_.rows.cols(); }
  BandSample sample(Index i) const {
    return {parts_[i], boxes_[static_cast<std::size_t>(i)], slopes_[i], slopes_[i], scores_[i], 0};
  }

  /// Sets the scales of the slopes and of the scores from the mean slope and the mean loss at the
  /// best constant for a loss of p − y with an offset, else at 0. Lines have slopes of scale 1.
  void set_units() {
    const bool moves = of_.loss.slope().is_of_residual && of_.has_offset;
    const double b = moves ? samples::best_constant(risk_) : 0;
    samples::RiskOfScores::Samplewise at;
    const double risk = risk_.evaluate(detail::filled(scores_.size(), b), at);
    if (boxes_[0].curvature > 0) slope_unit_ = linear_algebra::sizes_of(at.slopes);
    unit_ = risk / slope_unit_;
    width_ = 0.2 * unit_;
  }

  /// Sets the first ρ: four times the mean distance of free samples from the nearest kink, within
  /// limits. The upper limit is lower for an OpenBoxLoss, and if more than 4·d samples are free:
  /// these determine w.
  void set_rho() {
    double distance = 0, mass = 0;
    Index free = 0;
    for (Index i = 0; i < slopes_.size(); ++i) {
      const BandSample one = sample(i);
      if (!(one.part > 0) || !one.is_free()) continue;
      ++free;
      mass += one.part;
      distance += one.part * one.distance();
    }
    is_determined_ = free > 4 * d();
    const double most = of_.loss.traits().is_open_box || is_determined_ ? 0.3 : 3;
    const double first = mass > 0 ? 4 * distance / mass : 0;
    rho_ = std::clamp(first, 0.01 * unit_, most * unit_) / slope_unit_;
  }

  void set_gradient() {
    gradient_ = pull_;
    for (Index j = 0; j < d(); ++j) gradient_[j] += of_.lambda * theta_[j];
  }

  /// Evaluates F at θ and an estimate of D in one pass. Returns the mean Fenchel gap of the slopes.
  double look() {
    Point<double> now = here();
    scores_ = scores_at(of_, now);
    const double risk = risk_.value(scores_);
    double missed = 0, positive = 0;
    for (Index i = 0; i < slopes_.size(); ++i) {
      if (!(parts_[i] > 0)) continue;
      const BandSample one = sample(i);
      missed += one.part * one.excess();
      positive += one.part * std::max(one.slope, 0.0);
    }
    mass_ = positive > 0 ? risk / positive : 0;
    now.objective = risk + of_.lambda / 2 * linear_algebra::squares_of(now.weights);
    set_gradient();
    dual_ = now.objective - missed - rest();
    if (!(lowest_.objective <= now.objective)) lowest_ = std::move(now);
    return missed;
  }

  /// Returns the gap less the Fenchel gaps of the samples: ‖λw + (1/n) Σᵢ sᵢuᵢxᵢ‖²/(2λ), plus about
  /// the cost of balancing the slopes.
  double rest() const {
    const double imbalance = of_.has_offset ? std::abs(gradient_[d()]) : 0;
    const double length = std::sqrt(linear_algebra::dot(gradient_.data(), gradient_.data(), d())) +
                          imbalance * row_length_;
    return length * length / (2 * of_.lambda) + imbalance * mass_;
  }

  /// Does a step over all samples cost less than solving the equations, and copy at most
  /// `most_copied` numbers?
  bool takes_all() const {
    const Index n = slopes_.size();
    if (!of_.rows.is_packed() && n * d() > most_copied) return false;
    Index free = 0;
    for (Index i = 0; i < n; ++i) free += parts_[i] > 0 && sample(i).is_free();
    const double equations = FactorCosts(mean_entries(of_.rows), free, d()).least();
    return std::isfinite(equations) && static_cast<double>(n) * row_cost(of_.rows) < equations;
  }

  /// Selects all samples of positive weight if takes_all(), else only those that are not settled.
  void choose_band() {
    const bool all = takes_all();
    band_.clear();
    const Sequence before = std::exchange(members_, {});
    for (Index i = 0; i < slopes_.size(); ++i) {
      if (!(parts_[i] > 0)) continue;
      const BandSample one = sample(i);
      if (one.is_settled(width_) && !all) continue;
      band_.push_back(one);
      members_.push_back(static_cast<std::uint32_t>(i));
    }
    if (!members_.empty() && members_ == before) return;
    system_.take(of_.rows.selected(members_));
  }

  /// Makes a step. Returns false if the round is over: see is_over. A round also ends after
  /// `most_steps` steps, and when a step other than the first does not lower the smooth function.
  bool step() {
    Reals direction;
    find_direction(steps_ == 0 && !is_determined_, direction);
    const double length = step_along(direction);
    if (!(length > 0) && steps_ > 0) return false;
    linear_algebra::add(length, direction, theta_);
    for (BandSample& one : band_) one.score += length * one.move;
    update();
    return ++steps_ < most_steps && !is_over();
  }

  /// Is the gap that the band contributes at most `target_` or, after at least one step, mostly due
  /// to the smoothing by ρ?
  bool is_over() const {
    double missed = 0;
    for (const BandSample& one : band_) missed += one.part * one.excess();
    const double left = rest();
    return !std::isfinite(left) || missed + left <= target_ ||
           (steps_ > 0 && missed > 0.3 * target_ && left <= 0.1 * missed);
  }

  /// Sets the slopes of the band to slope_at their scores, and updates `pull_` and the gradient.
  void update() {
    Reals changes = filled();
    for (std::size_t k = 0; k < band_.size(); ++k) {
      BandSample& one = band_[k];
      const double slope = one.slope_at(one.score, rho_);
      changes[static_cast<Index>(k)] = one.part * (slope - one.slope);
      one.slope = slope;
    }
    system_.add_up(changes, pull_);
    set_gradient();
  }

  /// Solves (∇² of the smooth function)·direction = −gradient to about 3 %, and sets `move` of the
  /// band. If the free samples do not determine w, a ρ smaller than in the previous round drives
  /// their slopes far beyond their bounds at first. With `by_anchors`, samples whose u₀ is free
  /// therefore count as free, and their slopes as unbounded.
  void find_direction(bool by_anchors, Reals& direction) {
    Reals coefficients = filled(), changes = coefficients, right = gradient_;
    for (std::size_t k = 0; k < band_.size(); ++k) {
      const BandSample& one = band_[k];
      const bool joins = by_anchors && one.is_free(one.anchor);
      if (!joins && !one.is_free()) continue;
      coefficients[static_cast<Index>(k)] = one.part / (rho_ + one.box.curvature);
      if (joins)
        changes[static_cast<Index>(k)] =
            one.part * (one.open_slope_at(one.score, rho_) - one.slope);
    }
    if (by_anchors) system_.add_up(changes, right);
    linear_algebra::scale(-1, right);
    // A small diagonal entry gives the offset some curvature.
    system_.set_terms(std::move(coefficients), 1e-6 / rho_);
    system_.solve(right, direction);
    const Reals moves = system_.scores(direction);
    for (std::size_t k = 0; k < band_.size(); ++k) band_[k].move = moves[static_cast<Index>(k)];
  }

  /// Returns the length of the step that about minimises the smooth function along the direction,
  /// or 0 if it does not decrease.
  double step_along(const Reals& direction) const {
    const double product = linear_algebra::dot(theta_.data(), direction.data(), d());
    const double square = linear_algebra::dot(direction.data(), direction.data(), d());
    double rest = linear_algebra::dot(pull_, direction);  // slope due to samples outside the band
    for (const BandSample& one : band_) rest -= one.part * one.slope * one.move;
    const auto at = [&](double t) {
      linear_algebra::LinePoint point{t, 0, 0};
      for (const BandSample& one : band_) {
        const double p = one.score + t * one.move;
        const double u = one.slope_at(p, rho_);
        point.value += one.part * (u * (p - one.box.at - one.box.curvature / 2 * u) -
                                   one.box.flat * std::abs(u) -
                                   rho_ / 2 * (u - one.anchor) * (u - one.anchor));
        point.slope += one.part * u * one.move;
      }
      point.value += t * (rest + of_.lambda * product + t * of_.lambda * square / 2);
      point.slope += rest + of_.lambda * (product + t * square);
      return point;
    };
    const linear_algebra::LinePoint start = at(0);
    if (!start.is_finite() || !(start.slope < 0)) return 0;
    return linear_algebra::search_line(start, 1, {1e-4, is_determined_ ? 0.5 : 0.1}, at).step;
  }

  /// Returns a 0 for each sample of the band.
  Reals filled() const { return detail::filled(static_cast<Index>(band_.size()), 0.0); }

  void note_best() { best_ = {slopes_, theta_, pull_, dual_}; }

  static constexpr int most_steps = 60;                 // in a round
  static constexpr int most_turns_back = 8;             // limit of turns_back_
  static constexpr Index most_copied = Index{1} << 22;  // limit of the numbers that are copied

  struct Best {
    Reals slopes{}, theta{}, pull{};
    double dual{-std::numeric_limits<double>::infinity()};
  };

  const DualProblem& of_;
  samples::RiskOfScores risk_;
  Reals parts_;                 // sᵢ/n
  std::vector<Joint> boxes_{};  // the losses of the samples
  FreeSystem system_;
  std::vector<BandSample> band_{};
  Sequence members_{};  // the rows of the band
  Reals slopes_;        // u = −α
  Reals scores_;
  Reals theta_;
  Reals pull_{};  // (1/n) Σᵢ sᵢuᵢ·(xᵢ, 1), or of xᵢ without an offset; updated with the slopes
  Reals gradient_{};
  double unit_{0}, slope_unit_{1};  // scales of the scores and of the slopes
  double width_{0};
  double row_length_;  // about the root mean square of ‖x‖; 0 without an offset
  double rho_{1};      // weight of the proximal term
  double dual_{0};
  double mass_{0};  // about the decrease of D by balancing the slopes, divided by |Σᵢ sᵢuᵢ|/n
  Best best_{};
  Point<double> lowest_{{}, 0, std::numeric_limits<double>::infinity()};
  double before_{0}, target_{0};  // the gap before the round, and the gap that the band may have
  int steps_{0};                  // steps of the round so far
  bool is_determined_{false};     // are there enough free samples to determine w?
  int turns_back_{0};             // rounds without a larger D since the gap last fell by a tenth
};

/// Returns a BandNewton for these arguments. A template, and not inline, so that linea::compiled
/// can have its instance.
template <class Problem>
std::unique_ptr<Finish> band_newton(const Problem& problem, const Vector<double>& multipliers,
                                    const Point<double>& start, double row_length) {
  return std::make_unique<BandNewton>(problem, multipliers, start, row_length);
}

}  // namespace linea::detail::dual
