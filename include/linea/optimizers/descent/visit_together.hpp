// SPDX-License-Identifier: MIT
#pragma once
/// \file One step on all rows, where those at hand are a part.
#include <algorithm>  // min
#include <linea/optimizers/descent/visit.hpp>
#include <linea/samples/training_set.hpp>

namespace linea::descent {

/// The batch of `visit_batches` that has all rows: the rule is asked about every row at the same w,
/// and the step is the mean of its answers, summed over all parts, which have the same bits of w
/// before and after it. A part may have no rows. t, `scratch` and the answer are as those of
/// `visit`.
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
  const Step<T> step = rule(T(0), T(0), T(0), pace);  // how w shrinks does not depend on the row
  weights.shrink(set.rows, step);
  add_batch(weights, set.rows, {}, scratch, true);
  weights.finish(step, static_cast<T>(sums[0]), rule.average_weight(t));
  return static_cast<Index>(sums[1]);
}

}  // namespace linea::descent
