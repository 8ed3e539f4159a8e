// SPDX-License-Identifier: MIT
#pragma once
/// \file What Sgd and Pegasos share beyond the loop: from options to a learner, and the run on a set.
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/gradient_rule.hpp>
#include <linea/optimizers/learner.hpp>
#include <linea/optimizers/train.hpp>

namespace linea {

/// A learner for d features from an optimizer's options and the extras' start. A positive radius bounds
/// ‖w‖. Throws std::invalid_argument, naming `function`, for options out of their domain.
template <class T, class Options, class L, class P>
auto gradient_learner(std::string_view function, const Options& options,
                      const Objective<L, P>& objective, Index d, const Extras<T>& extras,
                      double radius = 0) {
  using S = decltype(options.step);
  using O = decltype(options.order);
  require_valid(function, objective);
  require(options.epochs >= 0, function, ": ", options.epochs, " epochs");
  require(options.batch >= 1, function, ": a batch of ", options.batch, " samples");
  require(options.tolerance >= 0, function, ": tolerance = ", options.tolerance, " is not >= 0");
  require(options.average_power >= 0 && options.average_power <= 3, function,
          ": average_power = ", options.average_power, " is not in [0, 3]");
  require(options.average_from >= 1, function, ": average_from = ", options.average_from,
          ", but epochs count from 1");
  require(d >= 1, function, ": ", d, " features");

  ProblemFacts facts{strong_convexity_of(objective.penalty), 1};
  if constexpr (SmoothLoss<L>) facts.curvature = objective.loss.curvature_bound();
  const GradientRule<L, P, S> rule{objective.loss, objective.penalty,
                                   bound_step(options.step, facts), options.offset,
                                   options.average_power};
  const auto first = static_cast<double>(rule.step_size(1));
  require(first > 0 && std::isfinite(first), function, ": the step size at t = 1 is ", first);
  auto weights = weights_for(objective.penalty, start_weights(function, extras, d, options.offset),
                             extras.start_offset, radius);
  return Learner<T, GradientRule<L, P, S>, decltype(weights), O>(
      rule, std::move(weights),
      {options.order, options.batch, options.iterate == Iterate::average, options.seed});
}

/// Trains a learner that is prepared for the set until the options say stop.
template <class T, class Learner, class Rows, class Options, class L, class P>
Solution<T> train_gradients(Learner& learner, const TrainingSet<Rows>& set, const Options& options,
                            Index retries, const Objective<L, P>& objective,
                            const Extras<T>& extras, Account& account) {
  const Plan plan{options.epochs, options.tolerance, options.iterate, options.average_from,
                  retries};
  return train(learner, set, plan, extras, account, [&](const Vector<T>& w, T b) {
    return risk_of_rows(objective.loss, set.rows, set.y, set.weights, w, b) +
           static_cast<double>(objective.penalty.value(w));
  });
}

}  // namespace linea
