// SPDX-License-Identifier: MIT
#pragma once
/// \file What the loop asks of rules and weights: it scores a sample, the rule answers with a step,
/// and whoever keeps the weights takes it.
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
#include <linea/core/types.hpp>
#include <type_traits>  // remove_cvref

namespace linea {

/// What the loop does with sample i:  w ← shrink·w + coefficient·xᵢ,  b ← b + offset, and then the
/// part of the penalty that `shrink` does not express, with step size `size`.
template <class T>
struct Step {
  double shrink{1};  // in double: 1 − ηλ is often nearer to 1 than a float can be
  T coefficient{0};
  T offset{0};
  double size{0};
};

/// What of step t is known before any score: it depends on t alone.
struct Pace {
  double shrink{1};       // that of the step
  double size{0};         // η of the weights
  double offset_size{0};  // η of the offset
};

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

/// What the loop asks of whoever keeps the weights w (d) of numbers of T, the offset b and their
/// average, which rows of type R move.
///
/// | expression                       | meaning                                                   |
/// |----------------------------------|-----------------------------------------------------------|
/// | v.size(), v.weights(),           | d, w and b                                                |
/// | v.offset()                       |                                                           |
/// | v.weight(j)                      | wⱼ                                                        |
/// | v.score(rows, i, ahead)          | ⟨w, xᵢ⟩ + b; may fetch row `ahead` meanwhile              |
/// | v.shrink(rows, step)             | a step, first part: w ← step.shrink·w                     |
/// | v.foreseen(shrink)               | optional: what a step with that shrink needs beside rows; |
/// |                                  | v.shrink(rows, step, foreseen) is then its first part     |
/// | v.add(rows, i, c)                | second part, once a sample of the step: w ← w + c·xᵢ; may |
/// |                                  | wait until the next call                                  |
/// | v.finish(step, offset, count)    | last part: the penalty's step, b ← b + offset; the        |
/// |                                  | iterate counts that often in the average                  |
/// | v.complete(rows)                 | does what waits, before anything but a score looks at w   |
/// | v.refresh()                      | once an epoch: removes rounding that has gathered         |
/// | v.reset(w, b), v.replace(w, b)   | goes on from there, with a new average, or with the old   |
/// | v.average(on)                    | begins a new average, or none                             |
/// | v.has_average(), average_weights | the average, once there is one                            |
/// | (), average_offset()             |                                                           |
template <class W, class T, class R>
concept WeightsFor = std::copyable<W> &&
    requires(W& v, const W& kept, const R& rows, const Vector<T>& w, T number, Index i,
             const Step<T>& step) {
  { kept.size() } -> std::convertible_to<Index>;
  { kept.weights() } -> std::convertible_to<Vector<T>>;
  { kept.offset() } -> std::convertible_to<T>;
  { kept.weight(i) } -> std::convertible_to<T>;
  { v.score(rows, i, i) } -> std::convertible_to<T>;
  v.shrink(rows, step);
  v.add(rows, i, number);
  v.finish(step, number, 1.0);
  v.complete(rows);
  v.refresh();
  v.reset(w, number);
  v.replace(w, number);
  v.average(true);
  { kept.has_average() } -> std::convertible_to<bool>;
  { kept.average_weights() } -> std::convertible_to<Vector<T>>;
  { kept.average_offset() } -> std::convertible_to<T>;
};

}  // namespace linea
