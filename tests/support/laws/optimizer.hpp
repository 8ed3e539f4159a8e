// SPDX-License-Identifier: MIT
#pragma once
/// \file Checks all properties of an optimizer.
#include <string_view>

#include "support/laws/optimizer_laws.hpp"
#include "support/laws/optimizer_trial.hpp"
#include "support/laws/optimizer_validation.hpp"

namespace linea::check {

/// Checks the input validation of the optimizer of the trial: see `optimizer`.
inline void optimizer_validation(const OptimizerTrial& trial) {
  INFO(trial.name);
  refuses_samples(trial);
  refuses_sample_weights(trial);
  refuses_starts(trial);
  refuses_parameters(trial);
  refuses_columns_named_twice(trial);
}

/// Checks all properties of an optimizer, as assertions of Catch2. `optimizer` has a const member
/// `minimize` of (objective, x, y, extras), with an Extras of the scalar of x, which returns a
/// Solution or a similar type. Its members `offset` and `seed`, if any, are tested with other
/// values. In a test, for an optimizer of your own:
///
///     const Objective objective{Log{}, L2{0.1}};
///     const auto problem = check::optimizer_problem(objective.loss, 40, 4);
///     check::optimizer("Mine::minimize", Mine{}, objective, problem);
///
/// Throws std::invalid_argument if the problem has fewer than two samples, no features, or another
/// number of targets than of samples.
template <class M, Loss L, Penalty P>
void optimizer(std::string_view name, const M& optimizer, const Objective<L, P>& objective,
               const OptimizerProblem& problem, const OptimizerOptions& options = {}) {
  const auto trial = optimizer_trial(name, optimizer, objective, problem, options);
  INFO(name);
  reaches_the_minimum(trial);
  same_minimum_in_every_layout(trial);
  weights_count_as_repeats(trial);
  weights_have_no_scale(trial);
  offset_follows(trial);
  reports_are_so(trial);
  repeats_itself(trial);
  observer_is_told(trial);
  start_is_no_harm(trial);
  extremes_are_met_honestly(trial);
  optimizer_validation(trial);
}

}  // namespace linea::check
