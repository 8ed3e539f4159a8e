// SPDX-License-Identifier: MIT
#pragma once
/// \file Classifiers that learn online, from single samples, mini-batches or epochs:
/// OnlineClassifier for two labels, and OnlineOneVsRest for several.
#include <cmath>     // isfinite, isnan
#include <concepts>  // copy_constructible, same_as
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
namespace detail {

/// The result of an optimizer's `start` (see Learner), for targets −1 and +1.
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

/// The classifier type of a learner L: with probabilities for the log loss.
template <class L>
using learner_classifier_t = std::conditional_t<std::same_as<learner_loss_t<L>, Log>,
                                                ProbabilisticClassifier<learner_scalar_t<L>>,
                                                Classifier<learner_scalar_t<L>>>;

/// The base class of OnlineClassifier and OnlineOneVsRest. It has learners, each with target +1 for
/// its own label and −1 for all other labels. Derived has `name` and classifier_at(member). A call
/// that throws std::invalid_argument changes nothing.
template <class Derived, TargetLearner L>
class OnlineModel {
 public:
  using T = learner_scalar_t<L>;

  /// Makes one step on one sample, a row or vector (d), dense or sparse, in O(non-zeros) for each
  /// learner. In all member functions, a sample of weight 0 may have any label and adds no class.
  template <SingleSample<T> X>
  void update(const X& sample, double label, std::type_identity_t<T> weight = 1) {
    std::vector<double> found;
    if (weight > 0) note("update", label, found);
    feed(found, [&](L& learner, std::optional<double> its_label) {
      learner.update(sample, its_label == label ? T(1) : T(-1), weight);
    });
  }

  /// Makes one step on a mini-batch: x (m × d), labels y (m), sample weights (m) or none.
  template <Samples X, VectorLike Y>
  void update_batch(const X& x, const Y& y, const Vector<T>& sample_weights = {}) {
    feed(found_in("update_batch", x, y, sample_weights),
         [&](L& learner, std::optional<double> label) {
           learner.update_batch(x, signs_of(y, label), sample_weights);
         });
  }

  /// Makes one pass over x (n × d) and labels y (n), in the learner's order.
  template <Samples X, VectorLike Y>
  void epoch(const X& x, const Y& y, const Vector<T>& sample_weights = {}) {
    feed(found_in("epoch", x, y, sample_weights), [&](L& learner, std::optional<double> label) {
      learner.epoch(x, signs_of(y, label), sample_weights);
    });
  }

  /// Returns the current classifier, a copy with the labels known so far; learning may continue.
  /// O(d) for each learner. Throws if no label is known, if the weights are not finite, and before
  /// the first sample if the learner starts at 0.
  auto classifier() const { return fitted("classifier"); }

  /// Passes the state between two calls to visit(name, value), which may change it, for files of
  /// learners (io/learner_file.hpp).
  template <class Visit>
  void each_state(const Visit& visit) {
    const std::vector<double> own = labels_ ? labels_->values() : std::vector<double>{};
    std::vector<double> all = own;
    visit("labels", all);
    if (all != own) {
      visit.demand(rest_.has_value(), "other labels than this classifier");
      bool ascend = true;
      for (std::size_t k = 1; k < all.size(); ++k) ascend &= all[k - 1] < all[k];
      visit.demand(ascend, "labels that are not in ascending order");
      labels_.reset();
      if (!all.empty()) labels_ = ClassLabels(vector_of(all));
      learners_.assign(all.size(), *rest_);
    }
    visit("learners", learners_);
    if (rest_) visit("rest", *rest_);
    visit("starts_elsewhere", starts_elsewhere_);
  }

  /// Returns the predicted labels (m) for x (m × d).
  template <class Label = double, Samples X>
  [[nodiscard]] Vector<Label> predict(const X& x, Index threads = 1) const {
    return fitted("predict").template predict<Label>(x, threads);
  }
  /// Returns scores for x (m × d). OnlineClassifier returns (m) scores, which are ≥ 0 for the
  /// larger label; OnlineOneVsRest returns (m × k), one column for each label in ascending order.
  template <Samples X>
  [[nodiscard]] auto scores(const X& x, Index threads = 1) const {
    return fitted("scores").scores(x, threads);
  }
  /// Returns the probabilities of the larger label (m), or of each label (m × k), with the log
  /// loss.
  template <Samples X>
    requires(std::same_as<learner_loss_t<L>, Log>)
  [[nodiscard]] auto probabilities(const X& x, Index threads = 1) const {
    return fitted("probabilities").probabilities(x, threads);
  }

 protected:
  /// Checks the learner. Throws if its loss does not accept the targets −1 and +1.
  explicit OnlineModel(const L& learner) {
    const auto& loss = learner.rule().loss;
    require(is_valid_target(loss, T(-1)) && is_valid_target(loss, T(1)), Derived::name,
            ": targets are -1 and +1, but ", name_of(loss), " takes ", targets_of(loss));
    const auto solution = learner.solution();
    starts_elsewhere_ = !solution.weights.isZero(0) || solution.offset != 0;
  }

  /// Throws if there is no learner, or if the first learner has made no update and started at 0.
  void require_learnt(std::string_view member) const {
    require(!learners_.empty() && (starts_elsewhere_ || learners_.front().updates() > 0),
            Derived::name, "::", member, ": no sample has been learnt from yet");
  }

  /// Returns the classifier of two labels at the learner's weights. Throws if a weight is not
  /// finite.
  static learner_classifier_t<L> classifier_of(std::string_view member, const L& learner,
                                               const ClassLabels& labels) {
    Solution<T> solution = learner.solution();
    require(solution.status != Status::diverged, Derived::name, "::", member,
            ": the weights are not finite any more: the learner has diverged");
    return {Classifier<T>{LinearModel<T>{std::move(solution)}, labels}};
  }

  std::optional<ClassLabels> labels_{};
  std::vector<L> learners_{};  // one for each label, or one for the larger of two labels
  std::optional<L> rest_{};  // has learnt every sample with target −1; a new label's learner starts
                             // as a copy of rest_; empty if the labels are fixed

 private:
  auto fitted(std::string_view member) const {
    require_learnt(member);
    return static_cast<const Derived*>(this)->classifier_at(member);
  }

  /// Adds an unknown label to `found`, once. Throws if it is not finite or the labels are fixed.
  void note(std::string_view member, double label, std::vector<double>& found) const {
    if (labels_ && labels_->holds(label)) return;
    require(std::isfinite(label), Derived::name, "::", member, ": the label is not finite");
    if (!rest_) labels_->index_of(label);
    for (const double other : found)
      if (other == label) return;
    found.push_back(label + 0.0);  // turns -0 into 0
  }

  template <class X, class Y>
  std::vector<double> found_in(std::string_view member, const X& x, const Y& y,
                               const Vector<T>& sample_weights) const {
    detail::require_targets(text_of({Derived::name, "::", member}), x.rows(), x.cols(), y.size());
    const bool weighted = sample_weights.size() == y.size();  // else the learner throws
    std::vector<double> found;
    for (Index i = 0; i < y.size(); ++i)
      if (!weighted || sample_weights[i] > T(0))
        note(member, ClassLabels::label_of(y.coeff(i)), found);
    return found;
  }

  /// Returns targets (n): +1 for the label, if any, and −1 for all other labels.
  template <VectorLike Y>
  static Vector<T> signs_of(const Y& y, std::optional<double> label) {
    Vector<T> targets(y.size());
    for (Index i = 0; i < y.size(); ++i)
      targets[i] = label == static_cast<double>(y.coeff(i)) ? T(1) : T(-1);
    return targets;
  }

  /// Adds a learner for each label in `found`. Calls step(learner, its label) for all learners, and
  /// step(rest_, nullopt) if there is a rest_. All learners reject the same samples, so that the
  /// first call of `step` throws for invalid samples, before anything changes.
  template <class Step>
  void feed(const std::vector<double>& found, const Step& step) {
    std::optional<L> before;
    if (!found.empty()) before = *rest_;
    if (rest_) step(*rest_, std::nullopt);
    for (const double label : found) add(label, *before);
    // OnlineClassifier has one learner, which is for the last of two labels.
    for (std::size_t k = 0; k < learners_.size(); ++k)
      step(learners_[k], labels_->values()[labels_->values().size() - learners_.size() + k]);
  }

  void add(double label, const L& learner) {
    std::vector<double> all = labels_ ? labels_->values() : std::vector<double>{};
    auto place = all.begin();
    while (place != all.end() && *place < label) ++place;
    learners_.insert(learners_.begin() + (place - all.begin()), learner);
    all.insert(place, label);
    labels_ = ClassLabels(vector_of(all));
  }

  bool starts_elsewhere_{false};
};

}  // namespace detail

/// An online classifier of any two labels, which can predict between updates (partial_fit in
/// scikit-learn). It trains a learner, which `start` of Sgd, Pegasos or Perceptron returns, with
/// target +1 for the larger label and −1 for the smaller label. With labels −1 and +1 its results
/// are bitwise those of the learner alone. For more labels, or labels that are not known
/// beforehand, use OnlineOneVsRest.
///
///     OnlineClassifier learner(Sgd{}.start<double>(Objective{Log{}, L2{1e-4}}, d), {0, 1});
///     learner.update(x.row(i), y[i]);  // or learner.epoch(x, y), a pass over the samples
///     learner.predict(x);              // labels, and learner.probabilities(x) for the log loss
template <detail::TargetLearner L>
class OnlineClassifier : public detail::OnlineModel<OnlineClassifier<L>, L> {
  using Base = detail::OnlineModel<OnlineClassifier<L>, L>;
  friend Base;

 public:
  static constexpr std::string_view name = "OnlineClassifier";
  using T = detail::learner_scalar_t<L>;
  using Fitted = detail::learner_classifier_t<L>;

  /// Continues from the state of the learner. Throws unless there are two labels and the loss
  /// accepts the targets −1 and +1.
  OnlineClassifier(L learner, const ClassLabels& labels) : Base(learner) {
    require(labels.size() == 2, "OnlineClassifier: two classes are needed, but there ",
            labels.size() == 1 ? "is " : "are ", labels.size(), "; OnlineOneVsRest takes more");
    this->labels_ = labels;
    this->learners_.push_back(std::move(learner));
  }

  /// Returns the label of one sample at the current weights in O(non-zeros): the larger label if
  /// the score is ≥ 0. `classifier` and `predict` use the averaged weights of a learner that
  /// averages; this function does not.
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

/// An online classifier of several labels. It trains k copies of a learner, one for each class,
/// with target +1 for the class and −1 for all other classes. The results are bitwise those of k
/// separate learners. All copies have the same seed and so visit the samples in the same order.
///
///     const auto start = Sgd{}.start<double>(Objective{Hinge{}, L2{1e-4}}, d);
///     OnlineOneVsRest learner(start, {3, 5, 8});  // labels that are known beforehand
///     OnlineOneVsRest growing(start);             // or labels as they appear
///
/// A class may appear late. For the new class the target of all earlier samples is −1. Therefore an
/// additional learner, which costs as much as one class, learns −1 from every sample, and the
/// learner of a new class starts as a copy of it. The results are bitwise the same as if the label
/// had been known from the start. While all samples have one label, the classifier predicts this
/// label.
///
/// Two labels need two models here, because a third may appear; OnlineClassifier needs one.
template <detail::TargetLearner L>
class OnlineOneVsRest : public detail::OnlineModel<OnlineOneVsRest<L>, L> {
  using Base = detail::OnlineModel<OnlineOneVsRest<L>, L>;
  friend Base;

 public:
  static constexpr std::string_view name = "OnlineOneVsRest";
  using T = detail::learner_scalar_t<L>;
  using Fitted = OneVsRestClassifier<T, detail::learner_classifier_t<L>>;

  /// Starts without labels and adds each label when it first appears. Throws if the learner has
  /// already made a step, or if its loss does not accept the targets −1 and +1.
  explicit OnlineOneVsRest(L learner) : Base(learner) {
    require(learner.updates() == 0, name, ": the learner has made ", learner.updates(),
            " steps already, but must be new");
    this->rest_ = std::move(learner);
  }

  /// Starts with these labels, at least two. Samples of positive weight must not have other labels.
  /// Throws as the constructor without labels does, and for a single label.
  OnlineOneVsRest(const L& learner, const ClassLabels& labels) : OnlineOneVsRest(learner) {
    require(labels.size() >= 2, "OnlineOneVsRest: two classes are needed, but there is 1");
    this->rest_.reset();
    this->labels_ = labels;
    this->learners_.assign(static_cast<std::size_t>(labels.size()), learner);
  }

  /// Returns the scores ⟨wⱼ, x⟩ + bⱼ of one sample for each class (k), at the current weights, in
  /// O(k·non-zeros).
  template <SingleSample<T> X>
  Vector<T> scores_of(const X& sample) {
    Base::require_learnt("scores_of");
    Vector<T> scores(static_cast<Index>(this->learners_.size()));
    for (Index k = 0; k < scores.size(); ++k)
      scores[k] = this->learners_[static_cast<std::size_t>(k)].score(sample);
    return scores;
  }

  /// Returns the label of one sample with the highest score at the current weights, the smaller
  /// label of equal scores. `classifier` and `predict` use the averaged weights of learners that
  /// average; this function does not.
  template <SingleSample<T> X>
  [[nodiscard]] double predict_one(const X& sample) {
    Base::require_learnt("predict_one");
    const auto& row = row_of(sample);
    return (*this->labels_)[detail::highest_score("OnlineOneVsRest::predict_one", scores_of(sample),
                                                  row, 0, "the sample")];
  }

  /// Returns the known labels, ascending; none before the first sample unless the constructor got
  /// them.
  std::vector<double> labels() const {
    return this->labels_ ? this->labels_->values() : std::vector<double>{};
  }

 private:
  Fitted classifier_at(std::string_view member) const {
    const ClassLabels signs{-1, 1};
    Fitted fitted{*this->labels_, {}};
    for (const L& learner : this->learners_)
      fitted.models.push_back(Base::classifier_of(member, learner, signs));
    return fitted;
  }
};

}  // namespace linea
