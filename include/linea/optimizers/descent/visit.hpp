// SPDX-License-Identifier: MIT
#pragma once
/// \file The loop of all stochastic optimizers: score a row, apply the rule, shrink and add,
/// prefetch.
///
/// Perceptron, stochastic and full gradient descent, Pegasos and dual coordinate ascent share this
/// loop: on dense and sparse rows, with one sample a step or mini-batches, online or on a training
/// set.
#include <algorithm>  // max, min
#include <cstdint>
#include <limits>
#include <linea/core/order.hpp>
#include <linea/core/rows.hpp>
#include <linea/core/rule.hpp>
#include <linea/core/types.hpp>
#include <linea/rows/dense.hpp>
#include <linea/samples/training_set.hpp>

namespace linea::detail::descent {

/// A stretch of visits: the rows in the order of their visits, and the rows of a later stretch to
/// prefetch. Visit k prefetches row upcoming[k].
struct Visits {
  const std::uint32_t* rows;
  std::size_t count;
  const std::uint32_t* upcoming{nullptr};
  std::size_t upcoming_count{0};

  std::size_t size() const { return count; }
  Index operator[](std::size_t k) const { return static_cast<Index>(rows[k]); }
  /// Returns the row of the visit after visit k, or of visit k if it is the last.
  Index next(std::size_t k) const { return (*this)[k + 1 < count ? k + 1 : k]; }
  /// Returns the row that visit k prefetches: an upcoming row, or the row of the visit if there is
  /// none.
  Index ahead(std::size_t k) const {
    return static_cast<Index>(k < upcoming_count ? upcoming[k] : rows[k]);
  }
};

/// Returns visits to these rows, without upcoming rows.
inline Visits visits_to(const Sequence& rows) { return {rows.data(), rows.size()}; }

/// Targets and sample weights. Without weights all weights are 1.
template <class T>
struct Labels {
  const T* y;
  const T* weights{nullptr};

  T weight(Index i) const { return weights ? weights[i] : T(1); }
  /// Prefetches the target and weight of row i into the cache.
  void fetch(Index i) const {
    __builtin_prefetch(y + i);
    if (weights) __builtin_prefetch(weights + i);
  }
};

/// Returns the labels of a training set, without a copy.
template <class Set>
auto labels_of(const Set& set) {
  using T = typename decltype(set.y)::Scalar;
  return Labels<T>{set.y.data(), set.weights.size() ? set.weights.data() : nullptr};
}

/// The labels of copied rows: row i is a copy of row origins[i] of the set.
template <class T>
class CopiedLabels {
 public:
  /// Copies the labels of the visited rows and returns a view of the copies, valid until the next
  /// call.
  template <class Rows>
  Labels<T> of(const samples::TrainingSet<Rows>& set, const Visits& visits,
               const Sequence& origins) {
    const bool weighted = set.weights.size() > 0;
    y_.resize(static_cast<Index>(origins.size()));
    weights_.resize(weighted ? y_.size() : 0);
    for (std::size_t k = 0; k < visits.size(); ++k) {
      const std::uint32_t row = visits.rows[k];
      y_[row] = set.y[origins[row]];
      if (weighted) weights_[row] = set.weights[origins[row]];
    }
    return {y_.data(), weighted ? weights_.data() : nullptr};
  }

 private:
  Vector<T> y_;
  Vector<T> weights_;
};

/// A batch of more than this many samples, and of more than d samples, sums its steps in a vector
/// of d numbers instead of keeping one coefficient for each sample.
inline constexpr Index largest_kept_batch = 1024;

/// Returns the rule for row i: `rule.at(i)` if the rule has a state for each sample (as in dual
/// ascent), otherwise the rule itself.
template <class Rule>
decltype(auto) rule_at(const Rule& rule, Index i) {
  if constexpr (requires { rule.at(i); })
    return rule.at(i);
  else
    return (rule);
}

/// Returns the part of step t that does not depend on the score: the rule's pace if it has one,
/// else t.
template <class Rule>
auto pace_of(const Rule& rule, Index t) {
  if constexpr (requires { rule.pace(t); })
    return rule.pace(t);
  else
    return t;
}

/// Makes the visits with one sample in each step. A score has a long latency, and the next score
/// depends on the step. So the loop computes everything that does not depend on a score before the
/// score. Returns how many visits changed the weights.
template <class Rule, class Weights, class Rows, class T>
[[gnu::flatten]] Index visit_each(const Rule& rule, Weights& weights, const Rows& rows,
                                  const Labels<T>& labels, const Visits& visits, Index& t) {
  Index moved = 0;
  for (std::size_t k = 0; k < visits.size(); ++k) {
    const Index i = visits[k];
    const Index ahead = visits.ahead(k);
    labels.fetch(ahead);
    if constexpr (requires { rows.fetch_start(i); }) rows.fetch_start(visits.next(k));
    if constexpr (requires { rule.fetch(i); }) rule.fetch(ahead);
    const auto pace = pace_of(rule, ++t);
    const Step<T> step =
        rule_at(rule, i)(weights.score(rows, i, ahead), labels.y[i], labels.weight(i), pace);
    weights.shrink(rows, step);
    if (step.coefficient != T(0)) {
      weights.add(rows, i, step.coefficient);
      ++moved;
    }
    weights.finish(step, step.offset, rule.average_weight(t));
  }
  return moved;
}

/// Makes the visits with one sample in each step. Presents a sample of weight k up to k times in a
/// row; a fractional part of k gives a last, shorter step. Stops at the first presentation that
/// changes nothing, because further presentations would change nothing either. Returns how many
/// presentations changed the weights.
template <class Rule, class Weights, class Rows, class T>
[[gnu::flatten]] Index visit_repeatedly(const Rule& rule, Weights& weights, const Rows& rows,
                                        const Labels<T>& labels, const Visits& visits, Index& t) {
  Index moved = 0;
  for (std::size_t k = 0; k < visits.size(); ++k) {
    const Index i = visits[k];
    T before = std::numeric_limits<T>::quiet_NaN();
    for (T remaining = labels.weight(i); remaining > 0; remaining -= T(1)) {
      const T score = weights.score(rows, i, visits.ahead(k));
      const T size = std::min(remaining, T(1));
      Step<T> step = rule(score, labels.y[i], size, ++t);
      if (score == before) step = {};  // no step changes this score, as for an empty row
      before = score;
      const bool moves = step.coefficient != T(0);
      if (moves) weights.add(rows, i, step.coefficient);
      weights.finish(step, step.offset, static_cast<double>(moves ? size : remaining));
      if (!moves) break;
      ++moved;
    }
  }
  return moved;
}

/// Adds the step of a batch to w. If `summed`, `parts` is the step itself, else it holds the
/// coefficient of each visit.
template <class Weights, class Rows, class T>
void add_batch(Weights& weights, const Rows& rows, const Visits& visits, const Vector<T>& parts,
               bool summed) {
  if (summed) {
    const auto sum = parts.transpose();
    const rows::DenseRows<T, true> row(sum);
    weights.add(row, 0, T(1));
    weights.complete(row);
    return;
  }
  for (std::size_t k = 0; k < visits.size(); ++k)
    if (const T coefficient = parts[static_cast<Index>(k)]; coefficient != T(0))
      weights.add(rows, visits[k], coefficient);
}

/// Makes the visits with `batch` samples in each step: applies the rule to these samples at the
/// same w and takes the mean step. The factor of shrinking and the step size depend on t alone: the
/// mean step has those of the last sample. Returns how many samples contributed to a step.
template <class Rule, class Weights, class Rows, class T>
[[gnu::flatten]] Index visit_batches(const Rule& rule, Weights& weights, const Rows& rows,
                                     const Labels<T>& labels, const Visits& visits, Index batch,
                                     Index& t, Vector<T>& scratch) {
  const auto size = std::min(static_cast<std::size_t>(batch), visits.size());
  // The rows of a large batch do not stay in the cache. Summing the steps at once reads the rows
  // once, not twice.
  const bool summed = static_cast<Index>(size) > std::max(largest_kept_batch, rows.cols());
  scratch.resize(summed ? rows.cols() : static_cast<Index>(size));
  Index moved = 0;
  for (std::size_t first = 0; first < visits.size(); first += size) {
    const std::size_t last = std::min(first + size, visits.size());
    const T fraction = T(1) / static_cast<T>(last - first);
    const auto pace = pace_of(rule, ++t);
    Step<T> step;
    T offset{0};
    if (summed) scratch.setZero();
    for (std::size_t k = first; k < last; ++k) {
      const Index i = visits[k];
      step = rule(weights.score(rows, i, visits.ahead(k)), labels.y[i], labels.weight(i), pace);
      const T coefficient = fraction * step.coefficient;
      offset += fraction * step.offset;
      if (coefficient != T(0)) ++moved;
      if (!summed)
        scratch[static_cast<Index>(k - first)] = coefficient;
      else if (coefficient != T(0))
        rows.add(i, coefficient, scratch);
    }
    weights.shrink(rows, step);
    add_batch(weights, rows, {visits.rows + first, last - first}, scratch, summed);
    weights.finish(step, offset, rule.average_weight(t));
  }
  return moved;
}

/// Makes the visits. A step consists of `batch` visits or, for a rule with `weight_repeats`, of one
/// presentation. t counts the steps, starting from its value at the call. Overwrites `scratch`.
/// Returns how many visits changed the weights.
template <class Rule, class Weights, class Rows, class T>
  requires RuleFor<Rule, T> && RowsOf<Rows, T> && WeightsFor<Weights, T, Rows> Index
  visit(const Rule& rule, Weights& weights, const Rows& rows, const Labels<T>& labels,
        const Visits& visits, Index batch, Index& t, Vector<T>& scratch) {
    Index moved = 0;
    if constexpr (Rule::weight_repeats)
      moved = visit_repeatedly(rule, weights, rows, labels, visits, t);
    else if (batch == 1)
      moved = visit_each(rule, weights, rows, labels, visits, t);
    else
      moved = visit_batches(rule, weights, rows, labels, visits, batch, t, scratch);
    weights.complete(rows);
    return moved;
  }

/// Makes one step of `visit_batches` whose batch consists of all rows of all processes. All
/// processes have the same bits of w before and after the step. A process may have no rows. See
/// `visit` for t, `scratch` and the return value.
template <class Rule, class Weights, class Rows, class T>
Index visit_together(const Rule& rule, Weights& weights, const samples::TrainingSet<Rows>& set,
                     Index& t, Vector<T>& scratch) {
  const auto labels = labels_of(set);
  const Index n = set.rows.rows();
  const T fraction = T(1) / static_cast<T>(set.all_rows());
  const auto pace = pace_of(rule, ++t);
  scratch.setZero(set.rows.cols());
  T offset{0};
  Index moved = 0;
  for (Index i = 0; i < n; ++i) {
    const T score = weights.score(set.rows, i, std::min(i + 1, n - 1));
    const Step<T> step = rule(score, labels.y[i], labels.weight(i), pace);
    offset += fraction * step.offset;
    if (step.coefficient == T(0)) continue;
    ++moved;
    set.rows.add(i, fraction * step.coefficient, scratch);
  }
  double sums[2] = {static_cast<double>(offset), static_cast<double>(moved)};
  set.all().sum_entries(scratch);
  set.all().sum(sums, 2);
  const Step<T> step = rule(T(0), T(0), T(0), pace);  // shrinking is the same for all rows
  weights.shrink(set.rows, step);
  add_batch(weights, set.rows, {nullptr, 0}, scratch, true);
  weights.finish(step, static_cast<T>(sums[0]), rule.average_weight(t));
  return static_cast<Index>(sums[1]);
}

}  // namespace linea::detail::descent
