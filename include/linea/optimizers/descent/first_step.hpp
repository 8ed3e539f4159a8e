// SPDX-License-Identifier: MIT
#pragma once
/// \file A first step size, chosen by trial on some of the samples.
#include <algorithm>  // max, min
#include <cstdint>
#include <linea/core/observer.hpp>
#include <linea/core/order.hpp>
#include <linea/core/random.hpp>
#include <linea/core/step_size.hpp>
#include <linea/optimizers/descent/visit.hpp>
#include <linea/samples/training_set.hpp>

namespace linea::detail::descent {

/// A rule whose first step size is found by trial.
template <class Rule>
concept HasFittedStep = requires {
  requires FittedStep<decltype(Rule::step_size)>;
};

/// Returns max(1000, 20·batch) rows for trial steps, drawn with replacement from the rows of weight
/// above 0. If there are no more such rows, returns all of them in random order.
template <class Rows>
Sequence trial_rows(const samples::TrainingSet<Rows>& set, Index batch, std::uint64_t seed) {
  Sequence present;  // with weights: the rows of weight above 0
  for (Index i = 0; i < set.weights.size(); ++i)
    if (set.weight(i) > 0) present.push_back(static_cast<std::uint32_t>(i));
  const bool is_weighted = set.weights.size() > 0;
  const auto count = is_weighted ? static_cast<Index>(present.size()) : set.rows.rows();
  const Index drawn = std::min(count, std::max<Index>(1000, 20 * batch));
  Random random(seed);
  Sequence rows(static_cast<std::size_t>(drawn));
  Epoch::number(rows.data(), drawn, 0);
  if (count == drawn)
    random.shuffle(rows.data(), rows.size());
  else
    for (auto& row : rows)
      row = static_cast<std::uint32_t>(random.below(static_cast<std::uint64_t>(count)));
  if (is_weighted)
    for (auto& row : rows) row = present[row];
  return rows;
}

/// Compares first steps by passes over some rows of a set, where each pass begins at the same
/// start.
template <class Rule, class Weights, class Rows>
class StepTrials {
 public:
  using T = typename Rows::Scalar;
  using StepSize = decltype(Rule::step_size);

  /// `steps` is the number of steps in an epoch. `set` and `rows` must outlive this object.
  StepTrials(const Rule& rule, const Weights& start, const samples::TrainingSet<Rows>& set,
             const Sequence& rows, Index steps, Index batch)
      : rule_(rule),
        start_{start.weights(), start.offset()},
        moved_(start),
        set_(set),
        rows_(rows),
        batch_(batch) {
    moved_.average(false);
    double sums[3] = {0, 0, 0};  // Σ s‖x‖², Σ s·(number of non-zeros) and Σ s for weights s
    for (const auto i : rows) {
      const auto s = static_cast<double>(set.weight(i));
      sums[0] += s * static_cast<double>(set.rows.squared_norm(i));
      set.rows.for_each(i, [&](Index, T value) { sums[1] += value != T(0) ? s : 0; });
      sums[2] += s;
    }
    set.all().sum(sums, 3);
    const double mean_square = sums[0] > 0 ? sums[0] / sums[1] : 1.0;
    rule_.step_size.scale_to(static_cast<double>(steps), mean_square);
    mean_norm_ = sums[0] / sums[2] + (rule.has_offset ? mean_square : 0);
  }

  /// Returns the step size with the first value that lowers F most in a pass, of all values tried.
  /// Multiplies the first value by factors, as Bottou's sgd does. But the number of trials is
  /// bounded, and a value for which F is not finite never counts as better.
  StepSize best() {
    double curvature = 1;
    if constexpr (requires { rule_.loss.curvature_bound(); })
      curvature = rule_.loss.curvature_bound();
    const double reference = 1 / (curvature * (mean_norm_ > 0 ? mean_norm_ : 1));
    const double unmoved = cost(0);
    double best = reference;
    double best_cost = cost(best);
    const auto improve = [&](double factor, int most) {
      for (int trial = 0; trial < most; ++trial) {
        const double next_cost = cost(best * factor);
        const bool hopeless = factor < 1 && !(best_cost < unmoved);
        if (!(next_cost < best_cost) && !hopeless) return trial > 0;
        best *= factor;
        best_cost = next_cost;
      }
      return true;
    };
    // If shrinking the step helped, do not try to grow it. After the factors of 4, one trial with
    // the factor 2 is enough: the second one would repeat a rejected step.
    if (!improve(0.25, 40)) improve(4, 40);
    if (!improve(0.5, 1)) improve(2, 1);
    // Possibly no step lowers F, for example if a derivative has the wrong sign. The run itself
    // then reports the failure.
    rule_.step_size.start_at(best_cost < unmoved ? best : reference);
    return rule_.step_size;
  }

 private:
  /// Returns F on the rows after a pass with the first step `first`; 0 means no pass.
  double cost(double first) {
    moved_.reset(start_.weights, start_.offset);
    if (first > 0) {
      Index t = 0;
      Rule trial = rule_;
      trial.step_size.start_at(first);
      visit(trial, moved_, set_.rows, labels_of(set_), visits_to(rows_), batch_, t, scratch_);
    }
    const Vector<T> w = moved_.weights();
    double sums[2] = {0, 0};  // sums of losses and of weights
    for (const auto i : rows_) {
      const double s = static_cast<double>(set_.weight(i));
      sums[0] += s * static_cast<double>(
                         rule_.loss.value(set_.rows.dot(i, w) + moved_.offset(), set_.y[i]));
      sums[1] += s;
    }
    set_.all().sum(sums, 2);
    return sums[0] / sums[1] + static_cast<double>(rule_.penalty.value(w));
  }

  Rule rule_;
  Point<T> start_;
  Weights moved_;  // weights of a trial
  const samples::TrainingSet<Rows>& set_;
  const Sequence& rows_;
  Index batch_;
  double mean_norm_{0};
  Vector<T> scratch_{};
};

/// Returns a step size for the set, chosen by trial on `rows`. Copies these rows if the entries of
/// a row are not adjacent, unless the set is divided among processes.
template <class Rule, class Weights, class Rows>
auto choose_step(const Rule& rule, const Weights& start, const samples::TrainingSet<Rows>& set,
                 Index batch, const Sequence& rows) {
  const Index steps = (set.all_rows() + batch - 1) / batch;
  if constexpr (Rows::is_packed || DividedRows<Rows>) {
    return StepTrials(rule, start, set, rows, steps, batch).best();
  } else {
    Sequence numbers(rows.size());
    Epoch::number(numbers.data(), static_cast<Index>(rows.size()), 0);
    Matrix<typename Rows::Scalar> copies(static_cast<Index>(rows.size()), set.rows.cols());
    set.rows.pack(rows, numbers, copies);
    samples::TrainingSet<decltype(rows_of(copies))> few{rows_of(copies), set.y(rows)};
    if (set.weights.size() > 0) few.weights = set.weights(rows);
    return StepTrials(rule, start, few, numbers, steps, batch).best();
  }
}

}  // namespace linea::detail::descent
