// SPDX-License-Identifier: MIT
#pragma once
/// \file What classifiers that learn online are made of: learners of targets −1 and +1, and the
/// classifiers that those lead to.
#include <cmath>     // isnan
#include <concepts>  // copy_constructible, same_as
#include <initializer_list>
#include <linea/core/loss.hpp>
#include <linea/core/solution.hpp>
#include <linea/data/labels.hpp>
#include <linea/losses/log.hpp>
#include <linea/models/linear_model.hpp>
#include <string_view>
#include <type_traits>  // conditional, remove_cvref
#include <utility>      // declval, move

namespace linea::models {

/// What an optimizer's `start` makes, see Learner: it is fed samples with targets −1 and +1.
template <class L>
concept TargetLearner = std::copy_constructible<L> && requires(const L& learner) {
  learner.solution().weights;
  learner.updates();
  requires Loss<std::remove_cvref_t<decltype(learner.rule().loss)>>;
};

template <class L>
using learner_scalar_t =
    typename std::remove_cvref_t<decltype(std::declval<const L&>().solution().weights)>::Scalar;

template <class L>
using learner_loss_t = std::remove_cvref_t<decltype(std::declval<const L&>().rule().loss)>;

/// The classifier that such a learner leads to: one with probabilities for the log loss.
template <class L>
using learner_classifier_t = std::conditional_t<std::same_as<learner_loss_t<L>, Log>,
                                                ProbabilisticClassifier<learner_scalar_t<L>>,
                                                Classifier<learner_scalar_t<L>>>;

/// The classifier of the two labels at the learner's weights. Refuses weights that are not finite.
template <TargetLearner L>
learner_classifier_t<L> classifier_of(std::string_view function, const L& learner,
                                      const ClassLabels& labels) {
  using T = learner_scalar_t<L>;
  Solution<T> solution = learner.solution();
  require(solution.status != Status::diverged, function,
          ": the weights are not finite any more: the learner has diverged");
  return learner_classifier_t<L>{Classifier<T>{LinearModel<T>{std::move(solution)}, labels}};
}

inline ClassLabels labels_of(std::initializer_list<double> labels) {
  return ClassLabels(
      Eigen::Map<const Vector<double>>(labels.begin(), static_cast<Index>(labels.size())));
}

/// Refuses a learner whose loss is for other targets.
template <TargetLearner L>
void require_signs(std::string_view function, const L& learner) {
  using T = learner_scalar_t<L>;
  const auto& loss = learner.rule().loss;
  require(is_valid_target(loss, T(-1)) && is_valid_target(loss, T(1)), function,
          ": targets are -1 and +1, but ", name_of(loss), " takes ", targets_of(loss));
}

/// Does a learner start at other weights than zero? Then it can predict before the first sample.
template <TargetLearner L>
bool starts_elsewhere(const L& learner) {
  const auto solution = learner.solution();
  return !solution.weights.isZero(0) || solution.offset != 0;
}

/// Refuses to predict from nothing, and a score that is not a number.
inline void require_learnt(std::string_view function, bool has_learnt) {
  require(has_learnt, function, ": no sample has been learnt from yet");
}
inline void require_number(std::string_view function, double score) {
  require(!std::isnan(score), function,
          ": a score is not a number: the sample is not finite, or the learner has diverged");
}

}  // namespace linea::models
