// SPDX-License-Identifier: MIT
#pragma once
/// \file The one loop: score the row, ask the rule, shrink and add, fetch the rows to come.
///
/// Perceptron, stochastic gradient descent and Pegasos, on dense and sparse rows, one sample at a time
/// or in mini-batches, online or over a training set, all pass through `visit`.
#include <algorithm>  // max, min
#include <cstdint>
#include <limits>
#include <linea/core/step.hpp>
#include <linea/core/types.hpp>
#include <linea/rows/dense.hpp>
#include <span>

namespace linea::loop {

/// Targets and sample weights as the loop reads them; no weights means all 1.
template <class T>
struct Labels {
  const T* y;
  const T* weights{nullptr};

  T weight(Index i) const { return weights ? weights[i] : T(1); }
  /// Those of row i into the cache.
  void fetch(Index i) const {
    __builtin_prefetch(y + i);
    if (weights) __builtin_prefetch(weights + i);
  }
};

/// Samples a step, beyond which (and beyond d) their steps are summed up in d numbers.
inline constexpr Index largest_kept_batch = 1024;

/// A stretch of visits: the rows, in their order, and the rows to fetch into the cache meanwhile, one a visit.
struct Visits {
  std::span<const std::uint32_t> rows;
  std::span<const std::uint32_t> upcoming{};

  std::size_t size() const { return rows.size(); }
  Index operator[](std::size_t k) const { return static_cast<Index>(rows[k]); }
  Index ahead(std::size_t k) const {
    return static_cast<Index>(k < upcoming.size() ? upcoming[k] : rows[k]);
  }
};

/// The rule for row i: what `rule.at(i)` answers, should the rule keep something of every sample, else the rule.
template <class Rule>
decltype(auto) rule_at(const Rule& rule, Index i) {
  if constexpr (requires { rule.at(i); })
    return rule.at(i);
  else
    return (rule);
}

/// One sample a step.
template <class Rule, class Weights, class Rows, class T>
Index visit_each(const Rule& rule, Weights& weights, const Rows& rows, const Labels<T>& labels,
                 const Visits& visits, Index& t) {
  Index moved = 0;
  for (std::size_t k = 0; k < visits.size(); ++k) {
    const Index i = visits[k];
    const Index ahead = visits.ahead(k);
    labels.fetch(ahead);
    if constexpr (requires { rule.fetch(i); }) rule.fetch(ahead);
    ++t;
    const Step<T> step =
        rule_at(rule, i)(weights.score(rows, i, ahead), labels.y[i], labels.weight(i), t);
    weights.shrink(rows, step);
    if (step.coefficient != T(0)) {
      weights.add(rows, i, step.coefficient);
      ++moved;
    }
    weights.finish(step, step.offset, rule.average_weight(t));
  }
  return moved;
}

/// One sample a step, where weight k is k presentations in a row, a fraction a shorter last one. Once the rule
/// leaves the weights alone, it would do so for all that are left.
template <class Rule, class Weights, class Rows, class T>
Index visit_repeatedly(const Rule& rule, Weights& weights, const Rows& rows,
                       const Labels<T>& labels, const Visits& visits, Index& t) {
  Index moved = 0;
  for (std::size_t k = 0; k < visits.size(); ++k) {
    const Index i = visits[k];
    T before = std::numeric_limits<T>::quiet_NaN();
    for (T left = labels.weight(i); left > 0; left -= T(1)) {
      const T score = weights.score(rows, i, visits.ahead(k));
      Step<T> step = rule(score, labels.y[i], std::min(left, T(1)), ++t);
      if (score == before) step = {};  // an empty row: it would be wrong for ever
      before = score;
      const bool moves = step.coefficient != T(0);
      if (moves) weights.add(rows, i, step.coefficient);
      weights.finish(step, step.offset, static_cast<double>(moves ? std::min(left, T(1)) : left));
      if (!moves) break;
      ++moved;
    }
  }
  return moved;
}

/// A step takes the mean of the steps of `batch` samples, all asked for at the same w; what depends on t alone,
/// shrink and size, is the same for all of them.
template <class Rule, class Weights, class Rows, class T>
Index visit_batches(const Rule& rule, Weights& weights, const Rows& rows, const Labels<T>& labels,
                    const Visits& visits, Index batch, Index& t, Vector<T>& room) {
  const auto size = std::min(static_cast<std::size_t>(batch), visits.size());
  // Rows that do not stay in the cache are not read twice: their steps are summed up instead.
  const bool summed = static_cast<Index>(size) > std::max(largest_kept_batch, rows.cols());
  room.resize(summed ? rows.cols() : static_cast<Index>(size));
  Index moved = 0;
  for (std::size_t first = 0; first < visits.size(); first += size) {
    const std::size_t last = std::min(first + size, visits.size());
    const T share = T(1) / static_cast<T>(last - first);
    ++t;
    Step<T> step;
    T offset{0};
    if (summed) room.setZero();
    for (std::size_t k = first; k < last; ++k) {
      const Index i = visits[k];
      step = rule(weights.score(rows, i, visits.ahead(k)), labels.y[i], labels.weight(i), t);
      const T coefficient = share * step.coefficient;
      offset += share * step.offset;
      if (coefficient != T(0)) ++moved;
      if (!summed)
        room[static_cast<Index>(k - first)] = coefficient;
      else if (coefficient != T(0))
        rows.add(i, coefficient, room);
    }
    weights.shrink(rows, step);
    if (summed) {
      const auto sum = room.transpose();
      const rows::DenseRows<T, true> row(sum);
      weights.add(row, 0, T(1));
      weights.complete(row);
    } else {
      for (std::size_t k = first; k < last; ++k)
        if (const T coefficient = room[static_cast<Index>(k - first)]; coefficient != T(0))
          weights.add(rows, visits[k], coefficient);
    }
    weights.finish(step, offset, rule.average_weight(t));
  }
  return moved;
}

/// Makes the visits, `batch` to a step; t counts the steps and is carried on. `room` is scratch space.
/// Returns how many visits moved the weights.
template <class Rule, class Weights, class Rows, class T>
Index visit(const Rule& rule, Weights& weights, const Rows& rows, const Labels<T>& labels,
            const Visits& visits, Index batch, Index& t, Vector<T>& room) {
  Index moved = 0;
  if constexpr (Rule::weight_repeats)
    moved = visit_repeatedly(rule, weights, rows, labels, visits, t);
  else if (batch == 1)
    moved = visit_each(rule, weights, rows, labels, visits, t);
  else
    moved = visit_batches(rule, weights, rows, labels, visits, batch, t, room);
  weights.complete(rows);
  return moved;
}

}  // namespace linea::loop
