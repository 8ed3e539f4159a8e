// SPDX-License-Identifier: MIT
#pragma once
/// \file Every law of an optimizer at once.
#include <exception>
#include <linea/check/points.hpp>
#include <string_view>
#include <vector>

#include "support/laws/optimizer_door.hpp"
#include "support/laws/optimizer_laws.hpp"
#include "support/laws/optimizer_run_laws.hpp"
#include "support/laws/optimizer_trial.hpp"

namespace linea::check {

/// A law with the name that it is reported under.
struct OptimizerLaw {
  std::string_view name;
  Finding (*holds)(const OptimizerTrial&);
};

/// What is refused, and how.
inline const std::vector<OptimizerLaw>& optimizer_door_laws() {
  static const std::vector<OptimizerLaw> laws{
      {"refuses_empty_samples", refuses_empty_samples},
      {"refuses_sizes_that_differ", refuses_sizes_that_differ},
      {"refuses_what_is_not_finite", refuses_what_is_not_finite},
      {"refuses_targets_of_other_losses", refuses_targets_of_other_losses},
      {"refuses_sample_weights", refuses_sample_weights},
      {"refuses_starts", refuses_starts},
      {"refuses_parameters", refuses_parameters},
      {"refuses_columns_named_twice", refuses_columns_named_twice}};
  return laws;
}

/// All others.
inline const std::vector<OptimizerLaw>& optimizer_laws() {
  static const std::vector<OptimizerLaw> laws{
      {"reaches_the_minimum", reaches_the_minimum},
      {"same_minimum_in_every_layout", same_minimum_in_every_layout},
      {"same_bits_in_alike_layouts", same_bits_in_alike_layouts},
      {"weights_count_as_repeats", weights_count_as_repeats},
      {"weights_have_no_scale", weights_have_no_scale},
      {"offset_follows_targets", offset_follows_targets},
      {"offset_follows_columns", offset_follows_columns},
      {"offset_can_stay_zero", offset_can_stay_zero},
      {"reported_objective_is_so", reported_objective_is_so},
      {"gap_bounds_the_distance", gap_bounds_the_distance},
      {"same_bits_again", same_bits_again},
      {"seeds_share_the_minimum", seeds_share_the_minimum},
      {"observer_is_told", observer_is_told},
      {"observer_can_stop", observer_can_stop},
      {"needless_start_is_ignored", needless_start_is_ignored},
      {"warm_start_is_no_worse", warm_start_is_no_worse},
      {"extremes_are_met_honestly", extremes_are_met_honestly}};
  return laws;
}

/// The first violation of each of these laws. What a law's calls throw breaks it.
inline std::vector<Violation> broken_of(const std::vector<OptimizerLaw>& laws,
                                        const OptimizerTrial& trial) {
  std::vector<Violation> found;
  for (const auto& [name, holds] : laws) try {
      if (const auto message = holds(trial))
        found.push_back({std::string(name), trial.name + ": " + *message});
    } catch (const std::exception& thrown) {
      found.push_back({std::string(name), trial.name + ": throws \"" + thrown.what() + "\""});
    }
  return found;
}

/// The laws of the door for `optimizer`, whose refusals begin with `name`: see optimizer.
template <Layouts which = Layouts::main, class M, Loss L, Penalty P>
std::vector<Violation> optimizer_door(std::string_view name, const M& optimizer,
                                      const Objective<L, P>& objective,
                                      const OptimizerProblem& problem,
                                      const OptimizerOptions& options = {}) {
  return broken_of(optimizer_door_laws(),
                   optimizer_trial<which>(name, optimizer, objective, problem, options));
}

/// The first violation of each law that an optimizer must obey; empty if it obeys them all.
/// `optimizer` is called as (objective, x, y, extras), extras an Extras of the scalar of x, or has
/// a const member `minimize` that is; it answers with a Solution or its like. Its members `offset`
/// and `seed` are tried with other values, where there are any. In a test, for an optimizer of your
/// own:
///
///     const Objective objective{Log{}, L2{0.1}};
///     const auto problem = check::optimizer_problem(objective.loss, 40, 4);
///     CHECK(check::optimizer("Mine::minimize", Mine{}, objective, problem).empty());
///
/// Throws std::invalid_argument when the problem has fewer than two samples or another number of
/// targets.
template <Layouts which = Layouts::main, class M, Loss L, Penalty P>
std::vector<Violation> optimizer(std::string_view name, const M& optimizer,
                                 const Objective<L, P>& objective, const OptimizerProblem& problem,
                                 const OptimizerOptions& options = {}) {
  const auto trial = optimizer_trial<which>(name, optimizer, objective, problem, options);
  std::vector<Violation> found = broken_of(optimizer_laws(), trial);
  for (Violation& violation : broken_of(optimizer_door_laws(), trial))
    found.push_back(std::move(violation));
  return found;
}

}  // namespace linea::check
