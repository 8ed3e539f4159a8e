// SPDX-License-Identifier: MIT
#pragma once
/// \file Step sizes by name, and sizes of batches.
#include <linea/core/require.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/step_sizes/automatic.hpp>
#include <linea/step_sizes/constant.hpp>
#include <linea/step_sizes/inverse_lambda.hpp>
#include <linea/step_sizes/inverse_scaling.hpp>
#include <linea/step_sizes/inverse_time.hpp>
#include <string>

#include "programs/common/losses_by_name.hpp"

namespace program {

using linea::Index;

/// One of the step sizes in `Kind`, selected at run time, so that an optimizer is compiled only
/// once for each loss.
struct Step : linea::AutomaticStep {
  enum class Kind { automatic, constant, inverse_time, inverse_scaling, inverse_lambda };
  Kind kind{Kind::automatic};
  double value{0};
  double shift{0};

  double operator()(Index t) const {
    switch (kind) {
      case Kind::automatic:
        return AutomaticStep::operator()(t);
      case Kind::constant:
        return linea::ConstantStep{value}(t);
      case Kind::inverse_time:
        return linea::InverseTime{value, shift}(t);
      case Kind::inverse_scaling:
        return linea::InverseScaling{value, 0.5}(t);
      case Kind::inverse_lambda:
        return linea::InverseLambda{facts.strong_convexity, shift}(t);
    }
    return 0;
  }
  double offset_step(Index t) const {
    if (kind == Kind::automatic) return AutomaticStep::offset_step(t);
    if (kind == Kind::inverse_lambda)
      return linea::InverseLambda{facts.strong_convexity, shift}.offset_step(t);
    return (*this)(t);
  }
  Step shortened(double factor, Index t) const {
    Step shorter = *this;
    if (kind == Kind::automatic)
      shorter.first *= factor;
    else if (kind == Kind::inverse_lambda)
      shorter.shift = linea::InverseLambda{1, shift}.shortened(factor, t).shift;
    else
      shorter.value *= factor;
    return shorter;
  }
  Step bound_to(const linea::ProblemFacts& problem) const {
    linea::require(kind != Kind::inverse_lambda || problem.strong_convexity > 0,
                   "the step inverse-lambda needs --lambda > 0");
    Step bound = *this;
    bound.facts = problem;
    return bound;
  }
};

/// Returns the step size that a text "name" or "name:value" states, or one of kind `by_default` if
/// the text is empty. Throws std::invalid_argument for an unknown name.
inline Step step_from(const std::string& text, Step::Kind by_default) {
  Step step;
  step.kind = by_default;
  const Named named(text);
  const auto given = [&](double value) { return named.value.value_or(value); };
  if (named.name == "automatic") {
    step.kind = Step::Kind::automatic;
    step.first = given(0);
  } else if (named.name == "constant") {
    step.kind = Step::Kind::constant;
    step.value = given(0.01);
  } else if (named.name == "inverse-time") {
    step.kind = Step::Kind::inverse_time;
    step.value = given(1);
    step.shift = 1;
  } else if (named.name == "inverse-scaling") {
    step.kind = Step::Kind::inverse_scaling;
    step.value = given(0.01);
  } else if (named.name == "inverse-lambda") {
    step.kind = Step::Kind::inverse_lambda;
    step.shift = given(0);
  } else {
    linea::require(named.name.empty(), "unknown step size '", named.name,
                   "': see --help for the names");
  }
  if (step.kind != Step::Kind::automatic) step.first = 1;  // no trial steps are needed
  return step;
}

/// Returns the batch size that a text states: "all", or a number of samples. Throws
/// std::invalid_argument for another text.
inline Index batch_from(const std::string& text) {
  if (text == "all") return linea::all_samples;
  const auto batch = whole_text<Index>(text);
  linea::require(batch.value_or(0) >= 1, "--batch ", text,
                 " is neither 'all' nor a number of samples");
  return *batch;
}

}  // namespace program
