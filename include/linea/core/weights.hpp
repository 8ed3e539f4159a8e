// SPDX-License-Identifier: MIT
#pragma once
/// \file What the loop asks of whoever keeps the weights w (d), the offset b and their average.
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
#include <concepts>
#include <linea/core/step.hpp>
#include <linea/core/types.hpp>

namespace linea {

/// Weights of numbers of T that rows of type R move.
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
