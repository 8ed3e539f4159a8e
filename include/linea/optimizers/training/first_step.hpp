// SPDX-License-Identifier: MIT
#pragma once
/// \file A first step size, chosen by trial on some of the samples.
#include <algorithm>  // max, min
#include <cmath>      // abs
#include <linea/core/order.hpp>
#include <linea/core/random.hpp>
#include <linea/optimizers/loop/visit.hpp>
#include <linea/samples/training_set.hpp>
#include <numeric>  // iota

namespace linea::training {

/// The first step that brings a pass over a sample of the rows, at most 1000 or 20 batches drawn with
/// the seed, furthest down:
/// a search by factors from 1/(curvature · mean squared norm), as in Bottou's sgd, here with a bound
/// on the number of trials and with no reward for a trial that is not finite.
template <class Rule, class Weights, class Rows>
auto choose_step(const Rule& rule, const Weights& start, const samples::TrainingSet<Rows>& set,
                 Index batch, std::uint64_t seed) {
  using T = typename Rows::Scalar;
  const Index n = set.rows.rows();
  Random random(seed);
  const Index drawn = std::min(n, std::max<Index>(1000, 20 * batch));
  Sequence sample(static_cast<std::size_t>(drawn));
  if (n > drawn) {
    for (auto& row : sample)
      row = static_cast<std::uint32_t>(random.below(static_cast<std::uint64_t>(n)));
  } else {
    std::iota(sample.begin(), sample.end(), 0U);
    random.shuffle(std::span(sample));
  }

  double squares = 0;
  double entries = 0;
  for (const auto i : sample) {
    squares += static_cast<double>(set.rows.squared_norm(i));
    set.rows.for_each(i, [&](Index, T value) { entries += value != T(0); });
  }
  auto step_size = rule.step_size;
  step_size.horizon = static_cast<double>((n + batch - 1) / batch);
  step_size.offset_scale = squares > 0 ? squares / entries : 1.0;
  const double mean_norm =
      squares / static_cast<double>(sample.size()) + (rule.has_offset ? step_size.offset_scale : 0);

  Vector<T> room;
  const loop::Labels<T> labels{set.y.data(), set.weights.size() ? set.weights.data() : nullptr};
  const auto cost = [&](double first) {
    Rule trial = rule;
    Weights weights = start;
    weights.average(false);
    if (first > 0) {
      Index t = 0;
      trial.step_size = step_size;
      trial.step_size.first = first;
      loop::visit(trial, weights, set.rows, labels, loop::Visits{sample}, batch, t, room);
    }
    const Vector<T> w = weights.weights();
    double sum = 0;
    double total = 0;
    for (const auto i : sample) {
      const double s = static_cast<double>(labels.weight(static_cast<Index>(i)));
      sum +=
          s * static_cast<double>(rule.loss.value(set.rows.dot(i, w) + weights.offset(), set.y[i]));
      total += s;
    }
    return (total > 0 ? sum / total : 0) + static_cast<double>(rule.penalty.value(w));
  };

  const double unmoved = cost(0);
  const double reference =
      std::max(1 / (step_size.facts.curvature * (mean_norm > 0 ? mean_norm : 1)), 1e-300);
  double best = reference;
  double best_cost = cost(best);
  const auto improve = [&](double factor) {
    for (int trial = 0; trial < 40; ++trial) {
      const double next_cost = cost(best * factor);
      const bool hopeless = factor < 1 && !(best_cost < unmoved);
      if (!(next_cost < best_cost) && !hopeless) return;
      best *= factor;
      best_cost = next_cost;
    }
  };
  improve(0.25);
  improve(4);
  improve(0.5);
  improve(2);
  // Where no step helps (a derivative of the wrong sign, say) the run itself will tell.
  step_size.first = best_cost < unmoved ? best : reference;
  return step_size;
}

}  // namespace linea::training
