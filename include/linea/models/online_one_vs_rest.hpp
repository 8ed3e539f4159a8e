// SPDX-License-Identifier: MIT
#pragma once
/// \file Several classes learnt from one sample, one batch or one epoch after the other: each
/// against all others.
#include <algorithm>  // lower_bound
#include <cmath>      // isfinite
#include <concepts>   // same_as
#include <initializer_list>
#include <linea/data/labels.hpp>
#include <linea/losses/log.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/models/target_learner.hpp>
#include <linea/rows/in_double.hpp>
#include <optional>
#include <string_view>
#include <type_traits>  // type_identity
#include <utility>      // move
#include <vector>

namespace linea {

/// k copies of a learner of targets −1 and +1, one a class, each fed its class as +1 and all others
/// as −1: the bits of k learners on those targets. All have the learner's seed, so they visit the
/// samples in the same order.
///
///     const auto start = Sgd{}.start<double>(Objective{Hinge{}, L2{1e-4}}, d);
///     OnlineOneVsRest learner(start, {3, 5, 8});  // labels that are known beforehand
///     OnlineOneVsRest growing(start);             // or any, as they come
///
/// A class that comes late is not behind. For all samples before its first it would have been fed
/// the target −1; so one learner more is fed that alone, and a new class begins as its copy. It has
/// the same bits as if its label had been known from the start. That costs one model more.
///
/// Two labels are two models here, since a third may come; where two are known to be all,
/// OnlineClassifier needs one. Whatever is refused, by std::invalid_argument, changes nothing.
template <models::TargetLearner L>
class OnlineOneVsRest {
 public:
  using T = models::learner_scalar_t<L>;
  using Fitted = OneVsRestClassifier<T, models::learner_classifier_t<L>>;

  /// For labels as they come. Refuses a learner that has made a step already, and a loss that does
  /// not take −1 and +1.
  explicit OnlineOneVsRest(L learner) : rest_(std::move(learner)) { admit(*rest_); }

  /// For these labels, two at least: any other is refused.
  OnlineOneVsRest(const L& learner, const ClassLabels& labels) : labels_(labels) {
    admit(learner);
    require(labels.size() >= 2, "OnlineOneVsRest: two classes are needed, but there is 1");
    learners_.assign(static_cast<std::size_t>(labels.size()), learner);
  }
  OnlineOneVsRest(const L& learner, std::initializer_list<double> labels)
      : OnlineOneVsRest(learner, models::labels_of(labels)) {}

  /// One step of every model on one sample, a row or vector (d), dense or sparse: O(k·non-zeros).
  /// A sample of weight 0 makes no new class.
  template <SingleSample<T> X>
  void update(const X& sample, double label, std::type_identity_t<T> weight = 1) {
    require(std::isfinite(label), "OnlineOneVsRest::update: the label is not finite");
    std::vector<double> found;
    if (!rest_ && weight > 0) labels_->index_of(label);  // refuses one that is not known
    if (rest_ && weight > 0 && !knows(label)) found.push_back(label + 0.0);  // -0 is 0
    feed(found, [&](L& learner, std::optional<double> its_label) {
      learner.update(sample, its_label == label ? T(1) : T(-1), weight);
    });
  }

  /// One step on a mini-batch: x (m × d), labels y (m), sample weights (m) or none.
  template <Samples X, VectorLike Y>
  void update_batch(const X& x, const Y& y, const Vector<T>& sample_weights = {}) {
    require_sizes("OnlineOneVsRest::update_batch", x, y);
    feed(found_in(y, sample_weights), [&](L& learner, std::optional<double> label) {
      learner.update_batch(x, targets_of(y, label), sample_weights);
    });
  }

  /// One pass of every model over x (n × d), labels y (n), in the learner's order.
  template <Samples X, VectorLike Y>
  void epoch(const X& x, const Y& y, const Vector<T>& sample_weights = {}) {
    require_sizes("OnlineOneVsRest::epoch", x, y);
    feed(found_in(y, sample_weights), [&](L& learner, std::optional<double> label) {
      learner.epoch(x, targets_of(y, label), sample_weights);
    });
  }

  /// ⟨wⱼ, x⟩ + bⱼ of one sample for each class (k), at the current weights: O(k·non-zeros).
  template <SingleSample<T> X>
  Vector<T> scores_of(const X& sample) {
    models::require_learnt("OnlineOneVsRest::scores_of", has_learnt());
    Vector<T> scores(static_cast<Index>(learners_.size()));
    for (std::size_t k = 0; k < learners_.size(); ++k)
      scores[static_cast<Index>(k)] = learners_[k].score(sample);
    return scores;
  }

  /// The label of one sample at the current weights: that of the highest score, the smaller of two
  /// that are equal. A learner that averages has its mean in `classifier` and `predict`, not here.
  template <SingleSample<T> X>
  double predict_one(const X& sample) {
    models::require_learnt("OnlineOneVsRest::predict_one", has_learnt());
    const auto& row = row_of(sample);
    return (*labels_)[models::highest_score("OnlineOneVsRest::predict_one", scores_of(sample), row,
                                            0, "the sample")];
  }

  /// What is learnt so far, as a value of its own, with the labels that are known by now; learning
  /// goes on after it. While all samples had one label, that is the label it predicts. O(k·d).
  /// Refused before the first sample.
  Fitted classifier() const { return classifier("OnlineOneVsRest::classifier"); }

  /// Labels (m) for x (m × d).
  template <Samples X>
  [[nodiscard]] Vector<double> predict(const X& x, Index threads = 1) const {
    return classifier("OnlineOneVsRest::predict").predict(x, threads);
  }
  /// (m × k), a column a class, in ascending order of the labels.
  template <Samples X>
  [[nodiscard]] Matrix<T> scores(const X& x, Index threads = 1) const {
    return classifier("OnlineOneVsRest::scores").scores(x, threads);
  }
  /// (m × k), of each class: they sum to 1 in a row. Where the loss is Log.
  template <Samples X>
    requires(std::same_as<models::learner_loss_t<L>, Log>)
  [[nodiscard]] Matrix<T> probabilities(const X& x, Index threads = 1) const {
    return classifier("OnlineOneVsRest::probabilities").probabilities(x, threads);
  }

  /// Those known so far, ascending; none before the first sample of a growing set.
  std::vector<double> labels() const { return labels_ ? labels_->values() : std::vector<double>{}; }

 private:
  void admit(const L& learner) {
    constexpr std::string_view function = "OnlineOneVsRest";
    require(learner.updates() == 0, function, ": the learner has made ", learner.updates(),
            " steps already, but not for a class");
    models::require_signs(function, learner);
    starts_elsewhere_ = models::starts_elsewhere(learner);
  }

  template <class X, class Y>
  static void require_sizes(std::string_view function, const X& x, const Y& y) {
    require(x.rows() == y.size(), function, ": x has ", x.rows(), " rows but y has ", y.size());
  }

  bool knows(double label) const { return labels_ && labels_->holds(label); }

  /// The labels of y that are new, where they may be; in a set that does not grow they are refused.
  /// Those of weight 0 are ignored.
  template <VectorLike Y>
  std::vector<double> found_in(const Y& y, const Vector<T>& sample_weights) const {
    const bool weighted = sample_weights.size() == y.size();  // else the learner refuses them
    std::vector<double> found;
    const ClassLabels all(y);
    for (const double label : all.values()) {
      if (knows(label)) continue;
      bool counts = !weighted;
      for (Index i = 0; i < y.size() && !counts; ++i)
        counts = sample_weights[i] > T(0) && static_cast<double>(y.coeff(i)) == label;
      if (counts && !rest_) labels_->index_of(label);  // refuses it
      if (counts) found.push_back(label);
    }
    return found;
  }

  /// +1 for the label, −1 for all others; without one, −1 for all.
  template <VectorLike Y>
  static Vector<T> targets_of(const Y& y, std::optional<double> label) {
    Vector<T> targets(y.size());
    for (Index i = 0; i < y.size(); ++i)
      targets[i] = label == static_cast<double>(y.coeff(i)) ? T(1) : T(-1);
    return targets;
  }

  /// Calls step(learner, its label) for all, those of the new labels included. All refuse the same
  /// samples, so it is the first that does, and nothing has changed by then.
  template <class Step>
  void feed(const std::vector<double>& found, const Step& step) {
    std::optional<L> before;
    if (!found.empty()) before = *rest_;
    if (rest_) step(*rest_, std::nullopt);
    for (const double label : found) add(label, *before);
    for (std::size_t k = 0; k < learners_.size(); ++k)
      step(learners_[k], (*labels_)[static_cast<Index>(k)]);
  }

  void add(double label, const L& learner) {
    std::vector<double> all = labels();
    const auto place = std::lower_bound(all.begin(), all.end(), label);
    learners_.insert(learners_.begin() + (place - all.begin()), learner);
    all.insert(place, label);
    labels_ =
        ClassLabels(Eigen::Map<const Vector<double>>(all.data(), static_cast<Index>(all.size())));
  }

  bool has_learnt() const {
    return !learners_.empty() && (starts_elsewhere_ || learners_.front().updates() > 0);
  }

  Fitted classifier(std::string_view function) const {
    models::require_learnt(function, has_learnt());
    const ClassLabels signs = models::labels_of({-1, 1});
    Fitted fitted{*labels_, {}};
    for (const L& learner : learners_)
      fitted.models.push_back(models::classifier_of(function, learner, signs));
    return fitted;
  }

  std::optional<ClassLabels> labels_;
  std::vector<L> learners_;  // one a label
  std::optional<L> rest_;    // fed −1 for every sample; none where no label can be new
  bool starts_elsewhere_{false};
};

}  // namespace linea
