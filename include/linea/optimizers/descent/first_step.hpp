// SPDX-License-Identifier: MIT
#pragma once
/// \file A first step size, chosen by trial on some of the samples.
#include <algorithm>  // max, min
#include <cmath>      // abs
#include <linea/core/order.hpp>
#include <linea/core/random.hpp>
#include <linea/core/step_size.hpp>
#include <linea/core/weights.hpp>
#include <linea/optimizers/descent/visit.hpp>
#include <linea/optimizers/descent/visit_together.hpp>
#include <linea/samples/training_set.hpp>
#include <numeric>  // iota
#include <utility>  // pair
#include <vector>

namespace linea::descent {

/// Has the rule a step size whose first step is found by trial?
template <class Rule>
inline constexpr bool has_fitted_step = [] {
  if constexpr (requires(Rule & rule) { rule.step_size; })
    return FittedStep<decltype(Rule::step_size)>;
  return false;
}();
/// Has it one that follows from the moments of the samples?
template <class Rule>
inline constexpr bool has_moment_step = [] {
  if constexpr (requires(Rule & rule) { rule.step_size; })
    return MomentStep<decltype(Rule::step_size)>;
  return false;
}();

/// The rows to try steps on: at most 1000 or 20 batches of the n rows, drawn with the seed from
/// those whose weight is not 0.
template <class T>
Sequence trial_rows(Index n, const Vector<T>& weights, Index batch, std::uint64_t seed) {
  if (weights.size() > 0 && (weights.array() == T(0)).any()) {
    Sequence present;
    for (Index i = 0; i < n; ++i)
      if (weights[i] != T(0)) present.push_back(static_cast<std::uint32_t>(i));
    Sequence rows = trial_rows(static_cast<Index>(present.size()), Vector<T>{}, batch, seed);
    for (auto& row : rows) row = present[row];
    return rows;
  }
  Random random(seed);
  const Index drawn = std::min(n, std::max<Index>(1000, 20 * batch));
  Sequence rows(static_cast<std::size_t>(drawn));
  if (n > drawn) {
    for (auto& row : rows)
      row = static_cast<std::uint32_t>(random.below(static_cast<std::uint64_t>(n)));
  } else {
    std::iota(rows.begin(), rows.end(), 0U);
    random.shuffle(std::span(rows));
  }
  return rows;
}

/// Passes over some rows of a set, each from the same start, to compare first steps. Where
/// the rows are a part of more, a pass is one step on all of them, judged by all.
template <class Rule, class Weights, class Rows>
class StepTrials {
 public:
  using T = typename Rows::Scalar;
  using StepSize = decltype(Rule::step_size);

  /// All but `batch` and `seed` must outlive it.
  StepTrials(const Rule& rule, const Weights& start, const samples::TrainingSet<Rows>& set,
             Index batch, std::uint64_t seed)
      : rule_(rule),
        start_(start),
        moved_(start),
        set_(set),
        labels_(descent::labels_of(set)),
        batch_(batch),
        rows_(trial_rows(set.rows.rows(), set.weights, batch, seed)),
        step_size_(rule.step_size) {
    moved_.average(false);
    double squares = 0;
    double entries = 0;
    for (const auto i : rows_) {
      squares += static_cast<double>(set.rows.squared_norm(i));
      set.rows.for_each(i, [&](Index, T value) { entries += value != T(0); });
    }
    double sums[3] = {squares, entries, static_cast<double>(rows_.size())};
    set.all().sum(sums, 3);
    const double mean_square = sums[0] > 0 ? sums[0] / sums[1] : 1.0;
    const Index batches = (set.all_rows() + batch - 1) / batch;
    step_size_.scale_to(static_cast<double>(batches), mean_square);
    mean_norm_ = sums[0] / sums[2] + (rule.has_offset ? mean_square : 0);
  }

  /// 1/(curvature · mean squared norm): where to begin.
  double reference() const {
    double curvature = 1;
    if constexpr (requires { rule_.loss.curvature_bound(); })
      curvature = rule_.loss.curvature_bound();
    return std::max(1 / (curvature * (mean_norm_ > 0 ? mean_norm_ : 1)), 1e-300);
  }

  /// F on the rows after a pass over them whose first step is `first`, or at the start if that is
  /// 0.
  double cost(double first) {
    Rule trial = rule_;
    w_ = core::view_of(start_);
    moved_.reset(w_, start_.offset());
    if (first > 0) {
      Index t = 0;
      trial.step_size = with_first(first);
      if constexpr (requires { set_.rows.all(); })
        descent::visit_together(trial, moved_, set_, t, scratch_);
      else
        descent::visit(trial, moved_, set_.rows, labels_, descent::Visits{rows_}, batch_, t,
                       scratch_);
    }
    w_ = core::view_of(moved_);
    double sum = 0;
    double total = 0;
    for (const auto i : rows_) {
      const double s = static_cast<double>(labels_.weight(static_cast<Index>(i)));
      sum += s * static_cast<double>(
                     rule_.loss.value(set_.rows.dot(i, w_) + moved_.offset(), set_.y[i]));
      total += s;
    }
    const double own = (total > 0 ? sum / total : 0) + static_cast<double>(rule_.penalty.value(w_));
    if constexpr (requires { set_.rows.all(); }) {
      double sums[2] = {total > 0 ? total * own : 0, total};
      set_.all().sum(sums, 2);
      return sums[0] / sums[1];
    }
    return own;
  }

  StepSize with_first(double first) const {
    StepSize chosen = step_size_;
    chosen.start_at(first);
    return chosen;
  }

 private:
  const Rule& rule_;
  const Weights& start_;
  Weights moved_;  // by a trial, from the start; without an average
  Vector<T> w_;    // that they stand for
  const samples::TrainingSet<Rows>& set_;
  descent::Labels<T> labels_;
  Index batch_;
  Sequence rows_;
  StepSize step_size_;
  double mean_norm_{0};
  Vector<T> scratch_;
};

/// The step size whose first value brings a pass over some of the rows furthest down. The search
/// goes by factors, as Bottou's sgd does; but here the number of trials is bounded, and a trial
/// whose F is not finite never wins.
template <class Rule, class Weights, class Rows>
auto choose_step(const Rule& rule, const Weights& start, const samples::TrainingSet<Rows>& set,
                 Index batch, std::uint64_t seed) {
  StepTrials<Rule, Weights, Rows> trials(rule, start, set, batch, seed);
  std::vector<std::pair<double, double>> known;  // first steps and their costs
  const auto cost_of = [&](double first) {
    for (const auto& [step, cost] : known)
      if (step == first) return cost;
    return known.emplace_back(first, trials.cost(first)).second;
  };
  const double unmoved = trials.cost(0);
  const double reference = trials.reference();
  double best = reference;
  double best_cost = cost_of(best);
  const auto improve = [&](double factor) {
    for (int trial = 0; trial < 40; ++trial) {
      const double next_cost = cost_of(best * factor);
      const bool hopeless = factor < 1 && !(best_cost < unmoved);
      if (!(next_cost < best_cost) && !hopeless) return trial > 0;
      best *= factor;
      best_cost = next_cost;
    }
    return true;
  };
  // Whence a shorter step has come it need not go back.
  for (const double factor : {4.0, 2.0})
    if (!improve(1 / factor)) improve(factor);
  // No step may help, if a derivative has the wrong sign, say. Then the run itself will fail, and
  // say so.
  return trials.with_first(best_cost < unmoved ? best : reference);
}

}  // namespace linea::descent
