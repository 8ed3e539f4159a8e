// SPDX-License-Identifier: MIT
#pragma once
/// \file Two classes learnt from one sample, one batch or one epoch after the other.
#include <concepts>  // same_as
#include <initializer_list>
#include <linea/data/labels.hpp>
#include <linea/losses/log.hpp>
#include <linea/models/target_learner.hpp>
#include <linea/rows/in_double.hpp>
#include <string_view>
#include <type_traits>  // type_identity
#include <utility>      // move

namespace linea {

/// A learner of targets −1 and +1, as `start` of Sgd, Pegasos and Perceptron makes it, that is fed
/// two labels and predicts them at any time; scikit-learn calls this partial_fit. The larger label
/// is +1. With labels −1 and +1 it has the bits of the learner alone. For more labels, or labels
/// that are not known beforehand, there is OnlineOneVsRest.
///
///     OnlineClassifier learner(Sgd{}.start<double>(Objective{Log{}, L2{1e-4}}, d), {0, 1});
///     learner.update(x.row(i), y[i]);  // or learner.epoch(x, y), a pass over what is at hand
///     learner.predict(x);              // labels, and learner.probabilities(x) for the log loss
///
/// Whatever is refused, by std::invalid_argument, changes nothing.
template <models::TargetLearner L>
class OnlineClassifier {
 public:
  using T = models::learner_scalar_t<L>;
  using Fitted = models::learner_classifier_t<L>;

  /// Goes on from where the learner is. Refuses other than two labels, and a loss that does not
  /// take −1 and +1.
  OnlineClassifier(L learner, const ClassLabels& labels)
      : learner_(std::move(learner)), labels_(labels) {
    require(labels.size() == 2, "OnlineClassifier: two classes are needed, but there ",
            labels.size() == 1 ? "is " : "are ", labels.size(), "; OnlineOneVsRest takes more");
    models::require_signs("OnlineClassifier", learner_);
    starts_elsewhere_ = models::starts_elsewhere(learner_);
  }
  OnlineClassifier(L learner, std::initializer_list<double> labels)
      : OnlineClassifier(std::move(learner), models::labels_of(labels)) {}

  /// One step on one sample, a row or vector (d), dense or sparse, of a known label: O(non-zeros).
  /// Here and below a sample of weight 0 may have any label.
  template <SingleSample<T> X>
  void update(const X& sample, double label, std::type_identity_t<T> weight = 1) {
    const bool is_ignored = weight == T(0);
    learner_.update(sample, !is_ignored && labels_.index_of(label) == 1 ? T(1) : T(-1), weight);
  }

  /// One step on a mini-batch: x (m × d), y (m) of known labels, sample weights (m) or none.
  template <Samples X, VectorLike Y>
  void update_batch(const X& x, const Y& y, const Vector<T>& sample_weights = {}) {
    learner_.update_batch(x, labels_.encode(y, sample_weights), sample_weights);
  }

  /// One pass over x (n × d), y (n), in the learner's order.
  template <Samples X, VectorLike Y>
  void epoch(const X& x, const Y& y, const Vector<T>& sample_weights = {}) {
    learner_.epoch(x, labels_.encode(y, sample_weights), sample_weights);
  }

  /// The label of one sample at the current weights, O(non-zeros): the larger where the score is
  /// ≥ 0. A learner that averages has its mean in `classifier` and `predict`, not here.
  template <SingleSample<T> X>
  double predict_one(const X& sample) {
    models::require_learnt("OnlineClassifier::predict_one", has_learnt());
    const T score = learner_.score(sample);
    models::require_number("OnlineClassifier::predict_one", static_cast<double>(score));
    return labels_[score >= T(0) ? 1 : 0];
  }

  /// What is learnt so far, as a value of its own; learning goes on after it. O(d). Refused before
  /// the first sample, unless the learner started at other weights than zero.
  Fitted classifier() const { return classifier("OnlineClassifier::classifier"); }

  /// Labels (m) for x (m × d).
  template <Samples X>
  [[nodiscard]] Vector<double> predict(const X& x, Index threads = 1) const {
    return classifier("OnlineClassifier::predict").predict(x, threads);
  }
  /// ⟨w, xᵢ⟩ + b, (m): above 0 for the larger label.
  template <Samples X>
  [[nodiscard]] Vector<T> scores(const X& x, Index threads = 1) const {
    return classifier("OnlineClassifier::scores").scores(x, threads);
  }
  /// Of the larger label, (m). Where the loss is Log.
  template <Samples X>
    requires(std::same_as<models::learner_loss_t<L>, Log>)
  [[nodiscard]] Vector<T> probabilities(const X& x, Index threads = 1) const {
    return classifier("OnlineClassifier::probabilities").probabilities(x, threads);
  }

  const ClassLabels& labels() const { return labels_; }
  const L& learner() const { return learner_; }

 private:
  bool has_learnt() const { return starts_elsewhere_ || learner_.updates() > 0; }

  Fitted classifier(std::string_view function) const {
    models::require_learnt(function, has_learnt());
    return models::classifier_of(function, learner_, labels_);
  }

  L learner_;
  ClassLabels labels_;
  bool starts_elsewhere_{false};
};

}  // namespace linea
