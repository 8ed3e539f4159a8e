// SPDX-License-Identifier: MIT
#pragma once
/// \file The one loop: score the row, ask the rule, shrink and add, prefetch the rows to come.
///
/// Perceptron, stochastic gradient descent and Pegasos, on dense and sparse rows, one sample at a time
/// or in mini-batches, online or over a training set, all pass through `visit`.
#include <algorithm>  // min
#include <cstdint>
#include <limits>
#include <linea/core/step.hpp>
#include <linea/core/types.hpp>
#include <span>
#include <vector>

namespace linea {

/// Targets and sample weights as the loop reads them; no weights means all 1.
template <class T>
struct Labels {
  const T* y;
  const T* weights{nullptr};

  T weight(std::uint32_t i) const { return weights ? weights[i] : T(1); }
};

/// Visits the rows named by `sequence`, `batch` to a step; t counts the steps and is carried on.
/// A batch takes the mean of its members' steps, all asked for at the same w; what depends on t alone,
/// shrink and size, is the same for all of them. `room` is scratch space, a number for each member.
/// Returns how many visits moved the weights.
template <class Rule, class Weights, class Rows, class T>
Index visit(const Rule& rule, Weights& weights, const Rows& rows, const Labels<T>& labels,
            std::span<const std::uint32_t> sequence, Index batch, Index& t, std::vector<T>& room) {
  constexpr std::size_t ahead = 4;
  const auto size = std::min(static_cast<std::size_t>(batch), sequence.size());
  Index moved = 0;
  room.resize(size);
  for (std::size_t first = 0; first < sequence.size(); first += size) {
    const auto members = sequence.subspan(first, std::min(size, sequence.size() - first));
    const std::size_t next = first + size * ahead;
    if (next < sequence.size()) rows.prefetch(sequence[next]);

    if constexpr (Rule::weight_repeats) {
      // Weight k is k presentations in a row, a fraction a shorter last one. Once the rule leaves the
      // weights alone, it would do so for all that are left.
      const std::uint32_t i = members.front();
      T before = std::numeric_limits<T>::quiet_NaN();
      for (T left = labels.weight(i); left > 0; left -= T(1)) {
        const T score = weights.score(rows, i);
        Step<T> step = rule(score, labels.y[i], std::min(left, T(1)), ++t);
        if (score == before) step = {};  // an empty row: it would be wrong for ever
        before = score;
        const bool moves = step.coefficient != T(0);
        if (moves) weights.add(rows, i, step.coefficient);
        weights.finish(step, step.offset, static_cast<double>(moves ? std::min(left, T(1)) : left));
        if (!moves) break;
        ++moved;
      }
    } else {
      ++t;
      const T share = T(1) / static_cast<T>(members.size());
      Step<T> step;
      T offset{0};
      for (std::size_t k = 0; k < members.size(); ++k) {
        const std::uint32_t i = members[k];
        step = rule(weights.score(rows, i), labels.y[i], labels.weight(i), t);
        room[k] = share * step.coefficient;
        offset += share * step.offset;
      }
      weights.shrink(step);
      for (std::size_t k = 0; k < members.size(); ++k) {
        if (room[k] == T(0)) continue;
        weights.add(rows, members[k], room[k]);
        ++moved;
      }
      weights.finish(step, offset, rule.average_weight(t));
    }
  }
  return moved;
}

}  // namespace linea
