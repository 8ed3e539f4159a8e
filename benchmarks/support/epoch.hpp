// SPDX-License-Identifier: MIT
#pragma once
/// \file Runs the epochs of an optimizer, without the validation before and the evaluation of F
/// after them.
#include <functional>
#include <linea/samples/training_set.hpp>
#include <memory>

namespace bench {

/// Returns a function that makes one epoch over x (n × d) and y (n) per call, continuing from the
/// previous one. x must outlive it.
template <class Objective, class Optimizer, class X, class Y>
std::function<void()> epoch(const Objective& objective, const Optimizer& optimizer, const X& x,
                            const Y& y) {
  using T = linea::scalar_t<X>;
  auto set = linea::detail::samples::admit("epoch", objective.loss, x, y);
  auto learner = optimizer.template start<T>(objective, x.cols());
  learner.prepare(set, false);
  return [set = std::make_shared<const decltype(set)>(std::move(set)),
          learner = std::make_shared<decltype(learner)>(std::move(learner))] {
    learner->run_epoch(*set);
  };
}

}  // namespace bench
