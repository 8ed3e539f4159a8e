// SPDX-License-Identifier: MIT
#pragma once
/// \file The concepts of rules and weights. The update loop scores a sample, the rule returns a
/// step, and the weights apply the step.
///
/// A rule is a function of scalars and does not depend on how vectors are stored. A rule with state
/// for every sample, such as that of dual coordinate ascent, is not pure: `at(i)` returns the
/// function for sample i, and calling that function changes the state of sample i.
///
/// | expression                   | meaning                                         | used by     |
/// |------------------------------|-------------------------------------------------|-------------|
/// | rule(p, y, s, t)             | Step number t for score p, target y, weight s   | the loop    |
/// | rule.pace(t)                 | optional: the Pace of step t, which the loop    | the loop    |
/// |                              | computes before the score; the loop then calls  |             |
/// |                              | rule(p, y, s, pace)                             |             |
/// | rule.at(i)                   | optional: the rule to call for row i            | the loop    |
/// | rule.fetch(i)                | optional: prefetches the state of row i         | the loop    |
/// | R::weight_repeats            | does weight k mean k visits? else a longer step | the loop    |
/// | rule.average_weight(t)       | weight of iterate t in an average; not called   | the loop    |
/// |                              | if weight_repeats                               |             |
/// | rule.has_offset              | is b learnt?                                    | the learner |
/// | rule.loss                    | the loss, which validates the targets           | the learner |
/// | rule.factor                  | a double that multiplies all steps              | the learner |
/// | rule.step_size, rule.penalty | optional: needed to fit the step size           | the learner |
#include <concepts>
#include <linea/core/loss.hpp>
#include <linea/core/types.hpp>
#include <type_traits>  // remove_cvref

namespace linea {

/// The update for sample i: w ← shrink·w + coefficient·xᵢ, b ← b + offset, and then the part of the
/// penalty that `shrink` does not express, with step size `size`.
template <class T>
struct Step {
  double shrink{1};  // double, because 1 − ηλ may round to 1 in float
  T coefficient{0};
  T offset{0};
  double size{0};
};

/// The part of step t that depends on t alone.
struct Pace {
  double shrink{1};       // factor of w
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

/// A rule that the update loop can call.
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

/// A rule that a learner can use.
template <class R, class T>
concept LearnerRuleFor = RuleFor<R, T> && detail::CopyConstructible<R> && requires(R& rule) {
  { rule.has_offset } -> std::convertible_to<bool>;
  requires Loss<std::remove_cvref_t<decltype(rule.loss)>>;
  {rule.factor *= 0.5};
};

/// Weights that the update loop can change: w (d) of scalar T, the offset b, and their average. R
/// is the type of the rows.
///
/// | expression                       | meaning                                                 |
/// |----------------------------------|---------------------------------------------------------|
/// | v.size(), v.weights(),           | d, w and b                                              |
/// | v.offset()                       |                                                         |
/// | v.score(rows, i, ahead)          | ⟨w, xᵢ⟩ + b; may also fetch row `ahead` into the cache  |
/// | v.shrink(rows, step)             | first part of a step: w ← step.shrink·w                 |
/// | v.add(rows, i, c)                | second part, for each sample of the step: w ← w + c·xᵢ; |
/// |                                  | may be deferred until the next call                     |
/// | v.finish(step, offset, count)    | last part: the penalty's step and b ← b + offset; the   |
/// |                                  | average counts the iterate `count` times                |
/// | v.complete(rows)                 | makes a deferred change; needed before w is read        |
/// | v.refresh()                      | once an epoch: removes accumulated rounding errors      |
/// | v.reset(w, b)                    | sets w and b, and starts a new average                  |
/// | v.replace(w, b)                  | sets w and b, and continues the average                 |
/// | v.average(on)                    | starts a new average if `on`, else discards the average |
/// | v.has_average(), average_weights | the average, if there is one                            |
/// | (), average_offset()             |                                                         |
template <class W, class T, class R>
concept WeightsFor = detail::Copyable<W> &&
    requires(W& v, const W& kept, const R& rows, const Vector<T>& w, T number, Index i,
             const Step<T>& step) {
  { kept.size() } -> std::convertible_to<Index>;
  { kept.weights() } -> std::convertible_to<Vector<T>>;
  { kept.offset() } -> std::convertible_to<T>;
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
