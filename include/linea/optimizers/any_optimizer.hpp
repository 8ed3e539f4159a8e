// SPDX-License-Identifier: MIT
#pragma once
/// \file An optimizer selected at run time by its name.
#include <cstdint>
#include <linea/core/extras.hpp>
#include <linea/core/loss.hpp>
#include <linea/core/objective.hpp>
#include <linea/core/penalty.hpp>
#include <linea/core/require.hpp>
#include <linea/core/solution.hpp>
#include <linea/core/types.hpp>
#include <linea/core/wrong_call.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>  // move

namespace linea {

/// One of `Optimizers`, selected by its name, with the most common options. The program compiles
/// every optimizer of the list that supports the objective, so list only the optimizers that the
/// program offers. For losses selected at run time see AnyLoss.
///
///     const AnyOptimizer<Auto, Newton, Sgd> optimizer{.choice = "Newton", .tolerance = 1e-6};
///     const auto solution = optimizer.minimize(objective, x, y);
template <class... Optimizers>
struct AnyOptimizer {
  std::string choice{};           ///< the name of an optimizer, such as "Newton"
  std::optional<Index> epochs{};  ///< limit of epochs or iterations; none: the optimizer's default
  double tolerance{1e-4};         ///< for optimizers with a tolerance
  bool offset{true};              ///< fit b, or leave it 0
  std::uint64_t seed{0};          ///< for optimizers with a random order
  Index threads{1};               ///< for optimizers with threads

  /// Minimises F over w and b for x (n × d), y (n). An optimizer that supports only some of the
  /// losses of an AnyLoss gets the loss that the AnyLoss holds. Throws std::invalid_argument if no
  /// optimizer of the list has this name, or if `epochs` is set and the optimizer has no limit of
  /// epochs or iterations. Throws std::invalid_argument also if the optimizer does not support the
  /// loss and the penalty; the message then names another optimizer of the list that supports them,
  /// if there is one.
  template <Loss L, Penalty P, class X, Numbers Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  AutoSolution<scalar_t<X>> minimize(const Objective<L, P>& objective, const X& x, const Y& y,
                                     const E& given = {}) const {
    using T = scalar_t<X>;
    const Extras<T>& extras = extras_of<T>(given);
    AutoSolution<T> found;
    const bool is_known = ((choice == Optimizers::name &&
                            (found = run<Optimizers, T>(objective, x, y, extras), true)) ||
                           ...);
    if (!is_known) {
      std::string names;
      ((names.append(names.empty() ? "" : ", ").append(Optimizers::name)), ...);
      refuse(function, ": no optimizer is called '", choice, "'; there are ", names);
    }
    return found;
  }
  template <class F, class X, class Y, class E = Extras<double>>
  detail::WrongCall<X, Y, E, F> minimize(const F&, const X&, const Y&, const E& = {}) const;

 private:
  static constexpr std::string_view function = "AnyOptimizer::minimize";

  template <class O, class T, class L, class P, class X, class Y>
  AutoSolution<T> run(const Objective<L, P>& objective, const X& x, const Y& y,
                      const Extras<T>& extras) const {
    if constexpr (detail::Takes<O, Objective<L, P>, X, Y>) {
      auto solution = optimizer_of<O>().minimize(objective, x, y, extras);
      AutoSolution<T> found;
      if constexpr (requires { solution.reason; }) found.reason = std::move(solution.reason);
      if constexpr (requires { solution.multipliers; })
        found.multipliers = std::move(solution.multipliers);
      static_cast<Solution<T>&>(found) = std::move(solution);
      return found;
    } else if constexpr (ChosenLoss<L>) {
      return objective.loss.visit([&]<class One>(const One& loss) {
        return run<O, T>(Objective<One, P>{loss, objective.penalty}, x, y, extras);
      });
    } else {
      std::string_view other = "another penalty";
      (void)((detail::Takes<Optimizers, Objective<L, P>, X, Y> &&
              (other = Optimizers::name, true)) ||
             ...);
      refuse(function, ": ", O::name, " does not take the loss ", name_of(objective.loss),
             " with this penalty; ", other, " does");
    }
  }

  template <class O>
  O optimizer_of() const {
    O optimizer;
    if constexpr (requires { optimizer.tolerance; }) optimizer.tolerance = tolerance;
    if constexpr (requires { optimizer.seed; }) optimizer.seed = seed;
    if constexpr (requires { optimizer.threads; }) optimizer.threads = threads;
    optimizer.offset = offset;
    if constexpr (requires { optimizer.epochs; })
      optimizer.epochs = epochs.value_or(optimizer.epochs);
    else if constexpr (requires { optimizer.iterations; })
      optimizer.iterations = epochs.value_or(optimizer.iterations);
    else
      require(!epochs, function, ": ", O::name, " has no limit of epochs");
    return optimizer;
  }
};

}  // namespace linea
