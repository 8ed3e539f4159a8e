// SPDX-License-Identifier: MIT
#pragma once
/// \file The state of a training run, which learns from one sample, mini-batch or epoch at a time.
#include <algorithm>  // max, min
#include <cmath>      // isfinite
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/core/penalty.hpp>
#include <linea/core/rule.hpp>
#include <linea/core/solution.hpp>
#include <linea/core/step_size.hpp>
#include <linea/data/take_rows.hpp>
#include <linea/optimizers/descent/adaptive_weights.hpp>
#include <linea/optimizers/descent/first_step.hpp>
#include <linea/optimizers/descent/importance_rule.hpp>
#include <linea/optimizers/descent/sampler.hpp>
#include <linea/optimizers/descent/visit.hpp>
#include <linea/samples/best_constant.hpp>
#include <linea/samples/scores.hpp>
#include <linea/samples/second_moment.hpp>
#include <string_view>
#include <vector>

namespace linea {

/// A rule, its weights, and the state from step to step. An optimizer's `start` returns a learner,
/// and its `minimize` runs a learner until a stopping criterion holds. So k calls of `epoch` give
/// the same bits as `minimize` with k epochs on one thread, under these conditions: both start at
/// w = 0; `minimize` returns its last iterate, runs all epochs and does not roll back; x has at
/// least d entries; no column is far from 0 (samples/origin.hpp); and there are no sample weights,
/// or positive ones of mean 1 that are not above the usual one (see below).
///
/// Sample weights are not normalised, so that a weight means the same in every call: a sample of
/// weight s moves the weights nearly as s samples in a row do, but never beyond the minimum of its
/// loss (ImportanceRule). `minimize`, in contrast, knows all weights and scales them to mean 1. A
/// learner validates a sample of weight 0 and otherwise ignores it. `update` also shortens a step
/// of weight 1 that might diverge, such as a constant step that is too long.
template <class T, class Rule, class Weights, Order O>
class Learner {
  static_assert(LearnerRuleFor<Rule, T>,
                "the rule lacks a member of LearnerRuleFor, core/rule.hpp");

 public:
  Learner(Rule rule, Weights weights, const detail::descent::VisitOptions<O>& options)
      : rule_(std::move(rule)),
        weights_(std::move(weights)),
        seed_(options.seed),
        sampler_(options) {
    weights_.average(options.average);
  }

  /// Makes one step on one sample: a row or vector (d), dense or sparse, with its target and
  /// weight. Throws std::invalid_argument, and changes nothing, if the size of the sample is not d,
  /// if it is not finite, or if its weight or target is invalid. Cost: O(non-zeros), or O(d) for
  /// penalties that use ProximalWeights.
  template <SingleSample<T> X>
  void update(const X& sample, std::type_identity_t<T> target, std::type_identity_t<T> weight = 1) {
    update_row(row_of(sample), target, weight);
  }

  /// Makes one step on a mini-batch: x (m × d), y (m), sample weights (m) or none. The step is the
  /// mean of the steps of the samples whose weight is not 0. A perceptron and AdaptiveSgd make a
  /// step on each sample instead.
  template <Samples X, Numbers Y>
    requires std::same_as<scalar_t<X>, T>
  void update_batch(const X& x, const Y& y, const Vector<T>& sample_weights = {}) {
    feed("Learner::update_batch", x, y, sample_weights, [&](const auto& set) {
      observe(set.rows);
      visit_all<Source::block>(set);
    });
  }

  /// Makes one pass over x (n × d) and y (n) in the learner's order. Validates x in every call. If
  /// some weights are 0, copies the samples whose weight is not 0.
  template <Samples X, Numbers Y>
    requires std::same_as<scalar_t<X>, T>
  void epoch(const X& x, const Y& y, const Vector<T>& sample_weights = {}) {
    feed("Learner::epoch", x, y, sample_weights, [&](const auto& set) {
      prepare(set, true);
      observe(set.rows);
      run_epoch<Source::block>(set);
    });
  }

  /// Returns the current weights, or their average if the learner keeps one. The objective is NaN.
  Solution<T> solution() const {
    Solution<T> solution;
    const bool averaged = weights_.has_average();
    solution.weights = averaged ? weights_.average_weights() : weights_.weights();
    solution.offset = averaged ? weights_.average_offset() : weights_.offset();
    solution.iterate = averaged ? Iterate::average : Iterate::last;
    solution.epochs = epochs_;
    solution.updates = steps_;
    if (!detail::all_finite(solution.weights) || !std::isfinite(solution.offset))
      solution.status = Status::diverged;
    return solution;
  }

  /// Are the current weights finite? Ignores their average.
  bool is_finite() const {
    return std::isfinite(weights_.offset()) && detail::all_finite(weights_.weights());
  }

  /// Returns ⟨w, x⟩ + b of a sample (d) at the current weights. Throws std::invalid_argument for a
  /// wrong size, and for a column that occurs twice or is not in [0, d).
  template <SingleSample<T> X>
  T score(const X& sample) {
    const auto& row = row_of(sample);
    detail::samples::require_one_sample("Learner::score", row, weights_.size());
    detail::rows::require_distinct("Learner::score", row);
    if constexpr (requires { weights_.known_score(row, 0); })
      return weights_.known_score(row, 0);
    else
      return weights_.score(row, 0, 0);
  }

  /// Continues the run of another learner, which has returned the solution `before`, from the
  /// weights, the number of steps and the number of epochs of this solution. Without this call the
  /// steps of a learner begin at t = 1. The largest ‖x‖² of the other run, which AutomaticStep
  /// uses, is not part of a solution, and neither are the scales and step sizes of AdaptiveSgd.
  /// Throws std::invalid_argument unless `before` has d finite weights, a finite offset, and
  /// numbers of steps and epochs ≥ 0.
  void resume(const Solution<T>& before) {
    require(before.weights.size() == weights_.size(), "Learner::resume: ", before.weights.size(),
            " weights but the learner has ", weights_.size());
    require(detail::all_finite(before.weights) && std::isfinite(before.offset),
            "Learner::resume: the weights are not finite");
    require(before.updates >= 0 && before.epochs >= 0, "Learner::resume: ", before.updates,
            " updates and ", before.epochs, " epochs, but both must be >= 0");
    weights_.reset(before.weights, before.offset);
    steps_ = before.updates;
    epochs_ = before.epochs;
  }

  /// Passes the state between two calls to visit(name, value), which may change it, for files of
  /// learners (io/learner_file.hpp).
  template <class Visit>
  void each_state(const Visit& visit) {
    if constexpr (requires { Weights::name; }) visit.same("kind", Weights::name);
    visit("updates", steps_);
    visit("moved", moved_);
    visit("epochs", epochs_);
    visit("unrefreshed", unrefreshed_);
    visit("usual_weight", usual_weight_);
    visit("factor", rule_.factor);
    if constexpr (requires { rule_.step_size.each_state(visit); })
      visit("step_size", rule_.step_size);
    else if constexpr (requires { rule_.step_size; })
      static_assert(
          !FittedStep<decltype(Rule::step_size)> && !MomentStep<decltype(Rule::step_size)>,
          "a step size that is fitted also needs `each_state` here");
    visit("sampler", sampler_);
    visit("weights", weights_);
  }

  Index updates() const { return steps_; }
  /// Returns the number of visits that changed the weights: the mistakes of a perceptron.
  Index mistakes() const { return moved_; }
  const Rule& rule() const { return rule_; }

  // The following functions are for optimizers, which pass validated sets.

  /// Fits order and step size to the set if they depend on the samples. Does nothing after the
  /// first step or epoch. Before trials of a first step size, sets the offset to that of the best
  /// constant model if `choose_offset` is true, the offset is free and 0, and the weights are 0,
  /// or 1 where the penalty holds a weight at 1.
  template <class Rows>
  void prepare(const detail::samples::TrainingSet<Rows>& set, bool choose_offset) {
    if (epochs_ > 0 || steps_ > 0) return;
    sampler_.fit(set);
    if constexpr (requires { requires MomentStep<decltype(Rule::step_size)>; })
      if (!rule_.step_size.is_fitted()) {
        rule_.step_size = rule_.step_size.fitted_to(
            detail::samples::largest_second_moment(set, rule_.has_offset));
        usual_weight_ = heaviest_of(set.weights);
      }
    if constexpr (detail::descent::HasFittedStep<Rule>) {
      if (rule_.step_size.is_fitted()) return;
      const Vector<T> w = weights_.weights();
      Vector<T> fixed = Vector<T>::Zero(w.size());
      if constexpr (!LazyPenalty<decltype(rule_.penalty)>)
        fixed = nearest_of_finite_penalty(rule_.penalty, fixed);
      if (choose_offset && rule_.has_offset && weights_.offset() == 0 && w == fixed)
        weights_.reset(w, detail::samples::best_constant(rule_.loss, set, 4096,
                                                         detail::samples::known_scores(set, w)));
      const Index batch = sampler_.batch_of(set.all_rows());
      const Sequence rows = detail::descent::trial_rows(set, batch, seed_);
      rule_.step_size = detail::descent::choose_step(rule_, weights_, set, batch, rows);
      if (set.weights.size() > 0) usual_weight_ = heaviest_of(set.weights(rows));
    }
  }

  /// Where samples come from: an optimizer, which scales their weights to mean 1, or a call of
  /// `epoch` or `update_batch`, or of `update`.
  enum class Source { optimizer, block, single };

  /// Runs one epoch of at most `most_steps` steps.
  template <Source source = Source::optimizer, class Rows>
  void run_epoch(const detail::samples::TrainingSet<Rows>& set,
                 Index most_steps = std::numeric_limits<Index>::max()) {
    if constexpr (detail::descent::DividedRows<Rows>) {
      visit_all(set);
    } else {
      const Index n = set.rows.rows();
      sampler_.begin_epoch(sampler_.drawn_epoch(n));
      run_part<source>(set, sampler_.rows_in(most_steps, n));
    }
    // Small blocks need not pay for the O(d) of `refresh` each.
    unrefreshed_ += set.rows.entries();
    end_epoch(source != Source::block || unrefreshed_ >= weights_.size());
  }

  // The following functions make parts of an epoch, along the sampler of this or another learner.

  detail::descent::Sampler<T, O>& sampler() { return sampler_; }
  /// Visits the next `count` rows, or fewer at the end of the epoch. Returns their number.
  template <Source source = Source::optimizer, class Rows>
  Index run_part(const detail::samples::TrainingSet<Rows>& set, Index count) {
    const Index batch = sampler_.batch_of(set.rows.rows());
    return sampler_.deal(set.rows, count, count,
                         [&](const auto& rows, const detail::descent::Visits& visits) {
                           visit<source>(rows, sampler_.labels(set, visits), visits, batch);
                         });
  }
  /// Visits rows with these labels.
  template <Source source = Source::optimizer, class Rows>
  void visit(const Rows& rows, const detail::descent::Labels<T>& labels,
             const detail::descent::Visits& visits, Index batch) {
    const auto visit_by = [&](const auto& rule) {
      moved_ +=
          detail::descent::visit(rule, weights_, rows, labels, visits, batch, steps_, scratch_);
    };
    if constexpr (detail::descent::HasColumnSteps<Weights, Rows>) {
      visit_by(detail::descent::ImplicitRule<Rule, Weights, Rows>{rule_, weights_, rows});
    } else {
      if constexpr (source != Source::optimizer && !Rule::weight_repeats)
        if (labels.weights)
          return visit_by(detail::descent::ImportanceRule(
              rule_, rows, usual_weight_, source == Source::single && !has_safe_steps()));
      visit_by(rule_);
    }
  }
  void end_epoch(bool refreshes = true) {
    if (refreshes) {
      weights_.refresh();
      unrefreshed_ = 0;
    }
    ++epochs_;
    sampler_.end_epoch();
  }

  void restart_average(bool on) { weights_.average(on); }
  /// Sets (w, b). The average keeps its iterates.
  void replace(const Vector<T>& w, T offset) { weights_.replace(w, offset); }
  /// Sets (w, b), restarts the average and multiplies later steps by `factor`.
  void rewind(const Vector<T>& w, T offset, double factor) {
    weights_.reset(w, offset);
    if constexpr (requires { rule_.step_size.shortened(factor, steps_); })
      rule_.step_size = rule_.step_size.shortened(factor, steps_);
    else
      rule_.factor *= factor;
  }
  /// Returns η of step t, or 0 for a rule without step size.
  double step_size_at(Index t) const {
    if constexpr (requires { rule_.step_size(t); })
      return rule_.factor * static_cast<double>(rule_.step_size(t));
    else
      return 0;
  }
  double step_size() const { return step_size_at(std::max<Index>(steps_, 1)); }  ///< the last η
  Index epochs() const { return epochs_; }
  Index size() const { return weights_.size(); }  ///< d
  Vector<T> current_weights() const { return weights_.weights(); }
  T current_offset() const { return weights_.offset(); }

 private:
  /// Validates the samples and weights. Calls learn(set) with the samples whose weight is not 0, if
  /// there are any. The weights of the set are not normalised.
  template <Samples X, Numbers Y, class Learn>
  void feed(std::string_view function, const X& x, const Y& y, const Vector<T>& sample_weights,
            const Learn& learn) {
    require(x.cols() == weights_.size(), function, ": x has ", x.cols(),
            " columns but the learner has ", weights_.size(), " weights");
    auto set = detail::samples::admit(function, rule_.loss, x, y);
    if (sample_weights.size() == 0) return learn(set);
    detail::descent::require_visits<Rule>(
        function, detail::largest_weight(function, set.rows.rows(), sample_weights));
    std::vector<Index> present;
    for (Index i = 0; i < sample_weights.size(); ++i)
      if (sample_weights[i] != T(0)) present.push_back(i);
    set.weights = sample_weights(present);
    if (set.weights.size() == set.y.size()) return learn(set);
    if (present.empty()) return;
    const auto rows = take_rows(x, present);
    learn(detail::samples::TrainingSet<decltype(rows_of(rows))>{rows_of(rows), set.y(present),
                                                                set.weights});
  }

  /// Is every step of the usual weight at most 1/(the curvature of the sample's loss)?
  bool has_safe_steps() const {
    if constexpr (detail::descent::HasFittedStep<Rule> &&
                  requires { rule_.loss.curvature_bound(); })
      return !rule_.step_size.is_fitted();  // it depends on the largest sample so far
    return false;
  }

  /// Passes the rows to a FittedStep, unless its first step is already known.
  template <class Rows>
  void observe(const Rows& rows) {
    if constexpr (detail::descent::HasFittedStep<Rule>)
      for (Index i = 0; i < rows.rows() && !rule_.step_size.is_fitted(); ++i) {
        Index entries = 0;
        rows.for_each(i, [&](Index, T value) { entries += value != T(0); });
        rule_.step_size.observe(static_cast<double>(rows.squared_norm(i)), entries);
      }
  }

  static double heaviest_of(const Vector<T>& weights) {
    return weights.size() > 0 ? static_cast<double>(weights.maxCoeff()) : 1;
  }

  template <class Rows>
  void update_row(const Rows& row, T target, T weight) {
    detail::samples::require_sample("Learner::update", rule_.loss, row, weights_.size(), target,
                                    weight);
    detail::descent::require_visits<Rule>("Learner::update", static_cast<double>(weight));
    if (weight == T(0)) return;
    observe(row);
    constexpr std::uint32_t first[] = {0};
    visit<Source::single>(row, {&target, &weight}, {first, 1}, 1);
  }

  /// Visits all rows in their order, as one batch.
  template <Source source = Source::optimizer, class Rows>
  void visit_all(const detail::samples::TrainingSet<Rows>& set) {
    Sequence all(static_cast<std::size_t>(set.rows.rows()));
    Epoch::number(all.data(), set.rows.rows(), 0);
    constexpr bool is_each = detail::descent::HasColumnSteps<Weights, Rows>;
    visit<source>(set.rows, detail::descent::labels_of(set), detail::descent::visits_to(all),
                  is_each ? 1 : set.all_rows());
  }

  Rule rule_;
  Weights weights_;
  std::uint64_t seed_;
  Index steps_{0};
  Index moved_{0};
  Index epochs_{0};
  Index unrefreshed_{0};    // entries of the epochs since the weights were refreshed
  double usual_weight_{1};  // steps of weights up to this are explicit: see ImportanceRule
  detail::descent::Sampler<T, O> sampler_;
  Vector<T> scratch_;
};

}  // namespace linea
