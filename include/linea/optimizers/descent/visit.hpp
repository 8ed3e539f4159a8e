// SPDX-License-Identifier: MIT
#pragma once
/// \file The loop of all stochastic optimizers: score a row, apply the rule, shrink and add,
/// prefetch. Perceptron, stochastic and full gradient descent, Pegasos and dual coordinate ascent
/// share this loop.
#include <algorithm>  // max, min
#include <cstdint>
#include <limits>
#include <linea/core/order.hpp>
#include <linea/core/require.hpp>
#include <linea/core/rows.hpp>
#include <linea/core/rule.hpp>
#include <linea/core/types.hpp>
#include <linea/rows/dense.hpp>
#include <linea/samples/training_set.hpp>
#include <string_view>

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
  /// Returns the row that visit k prefetches.
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

/// A batch of more than this many samples, and of more than d samples, sums its steps in a vector
/// of d numbers instead of keeping one coefficient for each sample.
inline constexpr Index largest_kept_batch = 1024;

/// Returns the rule for row i. The rule of dual ascent has a state for each sample.
template <class Rule>
decltype(auto) rule_at(const Rule& rule, Index i) {
  if constexpr (requires { rule.at(i); })
    return rule.at(i);
  else
    return (rule);
}

/// Returns the rule's pace at step t, or t if the rule has none.
template <class Rule>
auto pace_of(const Rule& rule, Index t) {
  if constexpr (requires { rule.pace(t); })
    return rule.pace(t);
  else
    return t;
}

/// Makes the visits with one sample in each step. Computes all that does not depend on a score
/// before the score, which has a long latency. Returns how many visits changed the weights.
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
/// row, until a presentation changes nothing; a fractional part of k gives a last, shorter step.
/// Returns how many presentations changed the weights.
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

/// Rows that are divided among processes: see samples/all_rows.hpp.
template <class Rows>
concept DividedRows = requires(const Rows& rows) {
  rows.all();
};

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
///
/// If rows are divided among processes, `batch` must be the number of rows of all processes, and
/// each process must visit all its rows, of which it may have none. All processes have the same
/// bits of w before and after the step.
template <class Rule, class Weights, class Rows, class T>
[[gnu::flatten]] Index visit_batches(const Rule& rule, Weights& weights, const Rows& rows,
                                     const Labels<T>& labels, const Visits& visits, Index batch,
                                     Index& t, Vector<T>& scratch) {
  constexpr bool divided = DividedRows<Rows>;
  const auto size = std::min(static_cast<std::size_t>(batch), visits.size());
  // The rows of a large batch do not stay in the cache. Summing the steps at once reads the rows
  // once, not twice.
  const bool summed =
      divided || static_cast<Index>(size) > std::max(largest_kept_batch, rows.cols());
  scratch.resize(summed ? rows.cols() : static_cast<Index>(size));
  Index moved = 0;
  std::size_t first = 0;
  do {
    const std::size_t last = std::min(first + size, visits.size());
    const T fraction = T(1) / static_cast<T>(divided ? samples::count_of_all(rows)
                                                     : static_cast<Index>(last - first));
    const auto pace = pace_of(rule, ++t);
    Step<T> step;
    T offset{0};
    if (summed) scratch.setZero();
    for (std::size_t k = first; k < last; ++k) {
      const Index i = visits[k];
      step = rule_at(rule, i)(weights.score(rows, i, visits.ahead(k)), labels.y[i],
                              labels.weight(i), pace);
      const T coefficient = fraction * step.coefficient;
      offset += fraction * step.offset;
      if (coefficient != T(0)) ++moved;
      if (!summed)
        scratch[static_cast<Index>(k - first)] = coefficient;
      else if (coefficient != T(0))
        rows.add(i, coefficient, scratch);
    }
    if constexpr (divided) {
      double sums[2] = {static_cast<double>(offset), static_cast<double>(moved)};
      rows.all().sum_entries(scratch);
      rows.all().sum(sums, 2);
      offset = static_cast<T>(sums[0]);
      moved = static_cast<Index>(sums[1]);
      step = rule(T(0), T(0), T(0), pace);  // shrinks without a visit, too
    }
    weights.shrink(rows, step);
    add_batch(weights, rows, {visits.rows + first, last - first}, scratch, summed);
    weights.finish(step, offset, rule.average_weight(t));
    first = last;
  } while (first < visits.size());
  return moved;
}

/// Throws for a weight that would mean too many visits.
template <class Rule>
void require_visits(std::string_view function, double weight) {
  require(!Rule::weight_repeats || weight <= 1e6, function,
          ": a sample weight counts presentations, at most 1e6 of them");
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
    else if (batch == 1 && !DividedRows<Rows>)
      moved = visit_each(rule, weights, rows, labels, visits, t);
    else
      moved = visit_batches(rule, weights, rows, labels, visits, batch, t, scratch);
    weights.complete(rows);
    return moved;
  }

}  // namespace linea::detail::descent
