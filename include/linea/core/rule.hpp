// SPDX-License-Identifier: MIT
#pragma once
/// \file What a rule is: the loop scores a sample, the rule says what to do with it.
///
/// A rule is a scalar function that knows neither vectors nor layouts. A rule that keeps something
/// of every sample, as dual coordinate ascent does, is not pure: `at(i)` is its part for sample i,
/// and to ask that part changes what it keeps.
///
/// | expression                   | meaning                                         | asked by    |
/// |------------------------------|-------------------------------------------------|-------------|
/// | rule(p, y, s, t)             | the Step for score p, target y, weight s        | the loop    |
/// | rule.pace(t)                 | optional: the Pace of step t, which the loop    | the loop    |
/// |                              | asks for before the score; rule(p, y, s, pace)  |             |
/// |                              | is then the Step                                |             |
/// | rule.at(i)                   | optional: what is called for row i in its place | the loop    |
/// | rule.fetch(i)                | optional: fetches what it keeps of row i        | the loop    |
/// | R::weight_repeats            | is weight k the same as k visits? else a longer | the loop    |
/// |                              | step                                            |             |
/// | rule.average_weight(t)       | what the iterate of step t counts in a mean;    | the loop    |
/// |                              | not asked where weight_repeats                  |             |
/// | rule.has_offset              | is b learnt?                                    | the learner |
/// | rule.loss                    | the loss, of which targets must be              | the learner |
/// | rule.factor                  | a double: of all steps                          | the learner |
/// | rule.step_size, rule.penalty | optional: with them, steps may be fitted        | the learner |
#include <concepts>
#include <linea/core/loss.hpp>
#include <linea/core/step.hpp>
#include <type_traits>  // remove_cvref

namespace linea {

template <class R, class T>
concept CallableRule = requires(const R& rule, T number, Index t) {
  { rule(number, number, number, t) } -> std::same_as<Step<T>>;
  requires !requires { rule.pace(t); }
  || requires {
    { rule(number, number, number, rule.pace(t)) } -> std::same_as<Step<T>>;
  };
};

/// What the loop asks of a rule.
template <class R, class T>
concept RuleFor = (CallableRule<R, T> ||
                   requires(const R& rule, Index i) {
                     { rule.at(i) } -> CallableRule<T>;
                   }) &&
                  requires(const R& rule, Index t) {
  { R::weight_repeats } -> std::convertible_to<bool>;
  requires R::weight_repeats || requires {
    { rule.average_weight(t) } -> std::convertible_to<double>;
  };
};

/// What a learner asks beyond.
template <class R, class T>
concept LearnerRuleFor = RuleFor<R, T> && std::copy_constructible<R> && requires(R& rule) {
  { rule.has_offset } -> std::convertible_to<bool>;
  requires Loss<std::remove_cvref_t<decltype(rule.loss)>>;
  {rule.factor *= 0.5};
};

}  // namespace linea
