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

/// Support vector machine: hinge loss + λ/2·‖w‖². Each of many classes against its rest, it may
/// tell few apart: where most samples of a class lie among its rest, the minimum of the hinge loss
/// is to call all of them rest. SquaredHingeSvm, LogisticRegression or SoftmaxRegression are better
/// then.
using LinearSvm = ClassifierRecipe<Hinge, Classifier>;

/// Support vector machine with squared hinge loss, which LIBLINEAR and scikit-learn's LinearSVC
/// take unless told otherwise (theirs is twice linea's ½max(0, 1 − yp)²). Of many classes, each
/// against its rest, it tells more apart than the hinge.
using SquaredHingeSvm = ClassifierRecipe<SquaredHinge, Classifier>;

}  // namespace linea
