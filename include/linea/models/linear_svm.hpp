// SPDX-License-Identifier: MIT
#pragma once
/// \file Support vector machines of two classes.
#include <linea/losses/hinge.hpp>
#include <linea/losses/squared_hinge.hpp>
#include <linea/models/classifier_recipe.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <string_view>

namespace linea {

namespace models {

struct DualAlone {
  using DualCoordinateAscent = linea::DualCoordinateAscent;
};
template <>
struct ClassifierOf<Hinge> {
  static constexpr std::string_view name = "LinearSvm";
  using Among = DualAlone;
};
template <>
struct ClassifierOf<SquaredHinge> {
  static constexpr std::string_view name = "SquaredHingeSvm";
  using Among = DualAlone;
};

}  // namespace models

/// Support vector machine: hinge loss + λ/2·‖w‖². With OneVsRest and many classes LinearSvm may
/// never predict some classes: if most samples of a class lie among those of the others, the
/// minimum of the hinge loss assigns all samples to the rest. In this case prefer SquaredHingeSvm,
/// LogisticRegression or SoftmaxRegression.
using LinearSvm = ClassifierRecipe<Hinge, Classifier>;

/// Support vector machine with squared hinge loss, the default of LIBLINEAR and scikit-learn's
/// LinearSVC (theirs is twice linea's ½max(0, 1 − yp)²). With OneVsRest and many classes
/// SquaredHingeSvm predicts more of the classes than LinearSvm.
using SquaredHingeSvm = ClassifierRecipe<SquaredHinge, Classifier>;

}  // namespace linea
