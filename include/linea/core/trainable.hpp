// SPDX-License-Identifier: MIT
#pragma once
/// \file What a training run asks of the learner that it trains, epoch by epoch.
///
/// | expression                   | meaning                                                   |
/// |------------------------------|-----------------------------------------------------------|
/// | learner.run_epoch(set, most) | an epoch on the set, of `most` steps at most; answers how |
/// |                              | many visits moved the weights                             |
/// | learner.solution()           | the iterate to judge: the last one, or the average        |
/// | learner.is_finite()          | are its weights, whatever its average is?                 |
/// | learner.rewind(w, b, factor) | goes on from there, with steps `factor` times as long     |
/// | learner.restart_average(on)  | begins a new average, or none                             |
/// | learner.current_weights(),   | where it stands                                           |
/// | current_offset()             |                                                           |
/// | learner.updates(), epochs(), | steps and epochs so far, and η of the last step           |
/// | step_size()                  |                                                           |
/// | learner.rule().loss          | the loss, which is all of F at w = 0                      |
#include <concepts>
#include <linea/core/loss.hpp>
#include <linea/core/solution.hpp>
#include <type_traits>  // remove_cvref

namespace linea {

/// A learner of weights of T that can be trained on a set of type S.
template <class L, class T, class S>
concept TrainableOn = requires(L& learner, const L& kept, const S& set, const Vector<T>& w, T b) {
  { learner.run_epoch(set, Index{}) } -> std::same_as<Index>;
  { kept.solution() } -> std::convertible_to<Solution<T>>;
  { kept.is_finite() } -> std::convertible_to<bool>;
  learner.rewind(w, b, 0.25);
  learner.restart_average(true);
  { kept.current_weights() } -> std::convertible_to<Vector<T>>;
  { kept.current_offset() } -> std::convertible_to<T>;
  { kept.updates() } -> std::same_as<Index>;
  { kept.epochs() } -> std::same_as<Index>;
  { kept.step_size() } -> std::convertible_to<double>;
  requires Loss<std::remove_cvref_t<decltype(kept.rule().loss)>>;
};

}  // namespace linea
