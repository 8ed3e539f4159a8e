// SPDX-License-Identifier: MIT
#pragma once
/// \file Support vector machines of two classes.
#include <linea/losses/hinge.hpp>
#include <linea/losses/squared_hinge.hpp>
#include <linea/models/classifier_recipe.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <string_view>

namespace linea {

namespace detail {

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

}  // namespace detail

/// Support vector machine: hinge loss + λ/2·‖w‖². Within OneVsRest, LinearSvm sometimes never
/// predicts a class: if most samples of the class lie among samples of other classes, the minimum
/// of the hinge loss assigns all samples to the rest. In this case prefer SquaredHingeSvm,
/// LogisticRegression or SoftmaxRegression.
using LinearSvm = ClassifierRecipe<Hinge, Classifier>;

/// Support vector machine with squared hinge loss ½·max(0, 1 − yp)². LIBLINEAR and scikit-learn's
/// LinearSVC by default use the same loss without the factor ½. Within OneVsRest, SquaredHingeSvm
/// leaves fewer classes without predictions than LinearSvm.
using SquaredHingeSvm = ClassifierRecipe<SquaredHinge, Classifier>;

}  // namespace linea
