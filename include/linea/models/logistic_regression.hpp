// SPDX-License-Identifier: MIT
#pragma once
/// \file Logistic regression of two classes.
#include <linea/losses/log.hpp>
#include <linea/models/classifier_recipe.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/newton.hpp>
#include <string_view>

namespace linea {

namespace detail {

template <>
struct ClassifierOf<Log> {
  static constexpr std::string_view name = "LogisticRegression";
  struct Among {
    using DualCoordinateAscent = linea::DualCoordinateAscent;
    using Newton = linea::Newton;
  };
};

}  // namespace detail

/// Logistic regression: log loss + λ/2·‖w‖².
using LogisticRegression = ClassifierRecipe<Log, ProbabilisticClassifier>;

}  // namespace linea
