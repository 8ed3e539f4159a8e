// SPDX-License-Identifier: MIT
#pragma once
/// \file Online gradient descent with a step size for each column, which needs no tuning.
#include <cmath>  // isfinite
#include <cstdint>
#include <linea/core/extras.hpp>
#include <linea/core/objective.hpp>
#include <linea/core/parameters.hpp>
#include <linea/losses/log.hpp>
#include <linea/optimizers/descent/adaptive_weights.hpp>
#include <linea/optimizers/descent/learner.hpp>
#include <linea/orders/cyclic.hpp>
#include <linea/penalties/l2.hpp>
#include <string_view>
#include <utility>  // move

namespace linea {

/// Learners for streams of samples, for any loss and penalty. Column j has the step size
/// rate·u·√(t/N)/(sⱼ·√Gⱼ), where sⱼ is the largest |xⱼ| so far, Gⱼ the sum of the squared gradients
/// of sⱼ·wⱼ, t the number of samples, and N the sum of 1 + Σⱼ (xⱼ/sⱼ)² over the samples. For losses
/// of p − y, u is the root mean square of p − y before each step, else 1. So the units of columns
/// and of such targets do not matter, and rare columns make long steps. Steps are implicit: they
/// never go beyond the minimum of the loss of the sample. A sample whose slope overflows is
/// ignored. The penalty of all samples so far applies to every weight, and makes exact zeros where
/// it has kinks, as L1 does. `update_batch` makes a step on each sample.
///
/// Duchi, Hazan and Singer, JMLR 12 (2011); Ross, Mineiro and Langford, Normalized online learning,
/// UAI 2013, algorithm 2; Kulis and Bartlett, ICML 2010. Memory: 32 bytes for each column.
template <Order O = Cyclic>
struct BasicAdaptiveSgd {
  static constexpr std::string_view name = "AdaptiveSgd";

  double rate{1.5};                 ///< factor of all step sizes
  bool offset{true};                ///< learn b, or leave it 0
  std::uint64_t seed{0};            ///< seed of the order of `epoch`
  [[no_unique_address]] O order{};  ///< the order of visits in `epoch`

  /// Returns a learner for d features, to which the caller passes samples, batches or epochs. It
  /// uses the start in the extras and ignores their other members. Throws std::invalid_argument on
  /// invalid input.
  template <Scalar T, DifferentiableLoss L, Penalty P>
  [[nodiscard]] auto start(const Objective<L, P>& objective, Index d,
                           const Extras<T>& extras = {}) const {
    constexpr std::string_view function = "AdaptiveSgd::start";
    detail::require_valid(function, objective, d);
    require(d >= 1, function, ": ", d, " features");
    require(rate > 0 && std::isfinite(rate), function, ": rate = ", rate, " is not > 0");
    using Rule = detail::descent::AdaptiveRule<L, P>;
    using Weights = detail::descent::AdaptiveWeights<T, P>;
    Vector<T> weights = detail::samples::start_weights(function, extras, d, offset);
    if constexpr (!LazyPenalty<P>)
      weights = nearest_of_finite_penalty(objective.penalty, std::move(weights));
    return Learner<T, Rule, Weights, O>(
        Rule{objective.loss, objective.penalty, offset},
        Weights(weights, extras.start_offset, objective.penalty, rate),
        {.order = order, .seed = seed});
  }
};

using AdaptiveSgd = BasicAdaptiveSgd<>;

}  // namespace linea
