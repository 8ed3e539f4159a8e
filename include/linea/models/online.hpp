// SPDX-License-Identifier: MIT
#pragma once
/// \file Classifiers that learn from one sample, one batch or one epoch after the other: of two
/// labels, or of several, each against all others.
#include <cmath>     // isfinite, isnan
#include <concepts>  // copy_constructible, same_as
#include <initializer_list>
#include <linea/core/loss.hpp>
#include <linea/core/solution.hpp>
#include <linea/data/labels.hpp>
#include <linea/losses/log.hpp>
#include <linea/models/linear_model.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/rows/in_double.hpp>
#include <optional>
#include <string_view>
#include <type_traits>  // conditional, remove_cvref, type_identity
#include <utility>      // declval, move
#include <vector>

namespace linea {
namespace models {

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

inline ClassLabels labels_of(std::initializer_list<double> labels) {
  return ClassLabels(
      Eigen::Map<const Vector<double>>(labels.begin(), static_cast<Index>(labels.size())));
}

/// What both classifiers below share: learners, each fed its own label as +1 and all others as −1.
/// Derived has `name` and classifier_at(member). Whatever is refused, by std::invalid_argument,
/// changes nothing.
template <class Derived, TargetLearner L>
class OnlineModel {
 public:
  using T = learner_scalar_t<L>;

  /// One step on one sample, a row or vector (d), dense or sparse: O(non-zeros) a learner. Here and
  /// below a sample of weight 0 may have any label, and makes no new class.
  template <SingleSample<T> X>
  void update(const X& sample, double label, std::type_identity_t<T> weight = 1) {
    std::vector<double> found;
    if (weight > 0) note("update", label, found);
    feed(found, [&](L& learner, std::optional<double> its_label) {
      learner.update(sample, its_label == label ? T(1) : T(-1), weight);
    });
  }

  /// One step on a mini-batch: x (m × d), labels y (m), sample weights (m) or none.
  template <Samples X, VectorLike Y>
  void update_batch(const X& x, const Y& y, const Vector<T>& sample_weights = {}) {
    feed(found_in("update_batch", x, y, sample_weights),
         [&](L& learner, std::optional<double> label) {
           learner.update_batch(x, signs_of(y, label), sample_weights);
         });
  }

  /// One pass over x (n × d), labels y (n), in the learner's order.
  template <Samples X, VectorLike Y>
  void epoch(const X& x, const Y& y, const Vector<T>& sample_weights = {}) {
    feed(found_in("epoch", x, y, sample_weights), [&](L& learner, std::optional<double> label) {
      learner.epoch(x, signs_of(y, label), sample_weights);
    });
  }

  /// What is learnt so far, as a value of its own, with the labels that are known by now; learning
  /// goes on after it. O(d) a learner. Refused before the first sample, unless the learner started
  /// at other weights than zero.
  auto classifier() const { return fitted("classifier"); }

  /// Labels (m) for x (m × d).
  template <class Label = double, Samples X>
  [[nodiscard]] Vector<Label> predict(const X& x, Index threads = 1) const {
    return fitted("predict").template predict<Label>(x, threads);
  }
  /// Scores: (m), above 0 for the larger label; or (m × k), a column a class, in ascending order of
  /// the labels.
  template <Samples X>
  [[nodiscard]] auto scores(const X& x, Index threads = 1) const {
    return fitted("scores").scores(x, threads);
  }
  /// Probabilities: of the larger label (m); or of each class (m × k). Where the loss is Log.
  template <Samples X>
    requires(std::same_as<learner_loss_t<L>, Log>)
  [[nodiscard]] auto probabilities(const X& x, Index threads = 1) const {
    return fitted("probabilities").probabilities(x, threads);
  }

 protected:
  /// Refuses a learner whose loss is for other targets than −1 and +1.
  explicit OnlineModel(const L& learner) {
    const auto& loss = learner.rule().loss;
    require(is_valid_target(loss, T(-1)) && is_valid_target(loss, T(1)), Derived::name,
            ": targets are -1 and +1, but ", name_of(loss), " takes ", targets_of(loss));
    const auto solution = learner.solution();
    starts_elsewhere_ = !solution.weights.isZero(0) || solution.offset != 0;
  }

  /// Refuses to predict from nothing.
  void require_learnt(std::string_view member) const {
    require(!learners_.empty() && (starts_elsewhere_ || learners_.front().updates() > 0),
            Derived::name, "::", member, ": no sample has been learnt from yet");
  }

  /// The classifier of two labels at the learner's weights. Refuses weights that are not finite.
  static learner_classifier_t<L> classifier_of(std::string_view member, const L& learner,
                                               const ClassLabels& labels) {
    Solution<T> solution = learner.solution();
    require(solution.status != Status::diverged, Derived::name, "::", member,
            ": the weights are not finite any more: the learner has diverged");
    return {Classifier<T>{LinearModel<T>{std::move(solution)}, labels}};
  }

  std::optional<ClassLabels> labels_{};
  std::vector<L> learners_{};  // of the labels, or of the larger of two
  std::optional<L> rest_{};    // fed −1 for every sample; none where no label can be new

 private:
  auto fitted(std::string_view member) const {
    require_learnt(member);
    return static_cast<const Derived*>(this)->classifier_at(member);
  }

  /// Enters a label that is not known among those found, or refuses it where none can be new.
  void note(std::string_view member, double label, std::vector<double>& found) const {
    if (labels_ && labels_->holds(label)) return;
    require(std::isfinite(label), Derived::name, "::", member, ": the label is not finite");
    if (!rest_) labels_->index_of(label);
    for (const double other : found)
      if (other == label) return;
    found.push_back(label + 0.0);  // -0 is 0
  }

  template <class X, class Y>
  std::vector<double> found_in(std::string_view member, const X& x, const Y& y,
                               const Vector<T>& sample_weights) const {
    require(x.rows() == y.size(), Derived::name, "::", member, ": x has ", x.rows(),
            " rows but y has ", y.size());
    const bool weighted = sample_weights.size() == y.size();  // else the learner refuses them
    std::vector<double> found;
    for (Index i = 0; i < y.size(); ++i)
      if (!weighted || sample_weights[i] > T(0))
        note(member, ClassLabels::label_of(y.coeff(i)), found);
    return found;
  }

  /// +1 for the label, −1 for all others; without one, −1 for all.
  template <VectorLike Y>
  static Vector<T> signs_of(const Y& y, std::optional<double> label) {
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
    for (std::size_t k = 0; k < learners_.size(); ++k)  // theirs are the last labels
      step(learners_[k], labels_->values()[labels_->values().size() - learners_.size() + k]);
  }

  void add(double label, const L& learner) {
    std::vector<double> all = labels_ ? labels_->values() : std::vector<double>{};
    auto place = all.begin();
    while (place != all.end() && *place < label) ++place;
    learners_.insert(learners_.begin() + (place - all.begin()), learner);
    all.insert(place, label);
    labels_ = ClassLabels(core::vector_of(all));
  }

  bool starts_elsewhere_{false};
};

}  // namespace models

/// A learner of targets −1 and +1, as `start` of Sgd, Pegasos and Perceptron makes it, that is fed
/// two labels and predicts them at any time; scikit-learn calls this partial_fit. The larger label
/// is +1. With labels −1 and +1 it has the bits of the learner alone. For more labels, or labels
/// that are not known beforehand, there is OnlineOneVsRest.
///
///     OnlineClassifier learner(Sgd{}.start<double>(Objective{Log{}, L2{1e-4}}, d), {0, 1});
///     learner.update(x.row(i), y[i]);  // or learner.epoch(x, y), a pass over what is at hand
///     learner.predict(x);              // labels, and learner.probabilities(x) for the log loss
template <models::TargetLearner L>
class OnlineClassifier : public models::OnlineModel<OnlineClassifier<L>, L> {
  using Base = models::OnlineModel<OnlineClassifier<L>, L>;
  friend Base;

 public:
  static constexpr std::string_view name = "OnlineClassifier";
  using T = models::learner_scalar_t<L>;
  using Fitted = models::learner_classifier_t<L>;

  /// Goes on from where the learner is. Refuses other than two labels, and a loss that does not
  /// take −1 and +1.
  OnlineClassifier(L learner, const ClassLabels& labels) : Base(learner) {
    require(labels.size() == 2, "OnlineClassifier: two classes are needed, but there ",
            labels.size() == 1 ? "is " : "are ", labels.size(), "; OnlineOneVsRest takes more");
    this->labels_ = labels;
    this->learners_.push_back(std::move(learner));
  }
  OnlineClassifier(L learner, std::initializer_list<double> labels)
      : OnlineClassifier(std::move(learner), models::labels_of(labels)) {}

  /// The label of one sample at the current weights, O(non-zeros): the larger where the score is
  /// ≥ 0. A learner that averages has its mean in `classifier` and `predict`, not here.
  template <SingleSample<T> X>
  [[nodiscard]] double predict_one(const X& sample) {
    Base::require_learnt("predict_one");
    const T score = this->learners_[0].score(sample);
    require(!std::isnan(score), name, "::predict_one",
            ": a score is not a number: the sample is not finite, or the learner has diverged");
    return labels()[score >= T(0) ? 1 : 0];
  }

  const ClassLabels& labels() const { return *this->labels_; }
  const L& learner() const { return this->learners_[0]; }

 private:
  Fitted classifier_at(std::string_view member) const {
    return Base::classifier_of(member, learner(), labels());
  }
};

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
/// the same bits as if its label had been known from the start. That costs one model more. While
/// all samples had one label, that is the label it predicts.
///
/// Two labels are two models here, since a third may come; where two are known to be all,
/// OnlineClassifier needs one.
template <models::TargetLearner L>
class OnlineOneVsRest : public models::OnlineModel<OnlineOneVsRest<L>, L> {
  using Base = models::OnlineModel<OnlineOneVsRest<L>, L>;
  friend Base;

 public:
  static constexpr std::string_view name = "OnlineOneVsRest";
  using T = models::learner_scalar_t<L>;
  using Fitted = OneVsRestClassifier<T, models::learner_classifier_t<L>>;

  /// For labels as they come. Refuses a learner that has made a step already, and a loss that does
  /// not take −1 and +1.
  explicit OnlineOneVsRest(L learner) : Base(learner) {
    require(learner.updates() == 0, name, ": the learner has made ", learner.updates(),
            " steps already, but not for a class");
    this->rest_ = std::move(learner);
  }

  /// For these labels, two at least: any other is refused.
  OnlineOneVsRest(const L& learner, const ClassLabels& labels) : OnlineOneVsRest(learner) {
    require(labels.size() >= 2, "OnlineOneVsRest: two classes are needed, but there is 1");
    this->rest_.reset();
    this->labels_ = labels;
    this->learners_.assign(static_cast<std::size_t>(labels.size()), learner);
  }
  OnlineOneVsRest(const L& learner, std::initializer_list<double> labels)
      : OnlineOneVsRest(learner, models::labels_of(labels)) {}

  /// ⟨wⱼ, x⟩ + bⱼ of one sample for each class (k), at the current weights: O(k·non-zeros).
  template <SingleSample<T> X>
  Vector<T> scores_of(const X& sample) {
    Base::require_learnt("scores_of");
    Vector<T> scores(static_cast<Index>(this->learners_.size()));
    for (Index k = 0; k < scores.size(); ++k)
      scores[k] = this->learners_[static_cast<std::size_t>(k)].score(sample);
    return scores;
  }

  /// The label of one sample at the current weights: that of the highest score, the smaller of two
  /// that are equal. A learner that averages has its mean in `classifier` and `predict`, not here.
  template <SingleSample<T> X>
  [[nodiscard]] double predict_one(const X& sample) {
    Base::require_learnt("predict_one");
    const auto& row = row_of(sample);
    return (*this->labels_)[models::highest_score("OnlineOneVsRest::predict_one", scores_of(sample),
                                                  row, 0, "the sample")];
  }

  /// Those known so far, ascending; none before the first sample of a growing set.
  std::vector<double> labels() const {
    return this->labels_ ? this->labels_->values() : std::vector<double>{};
  }

 private:
  Fitted classifier_at(std::string_view member) const {
    const ClassLabels signs = models::labels_of({-1, 1});
    Fitted fitted{*this->labels_, {}};
    for (const L& learner : this->learners_)
      fitted.models.push_back(Base::classifier_of(member, learner, signs));
    return fitted;
  }
};

}  // namespace linea
