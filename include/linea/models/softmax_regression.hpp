// SPDX-License-Identifier: MIT
#pragma once
/// \file Softmax regression (multinomial logistic regression): several classes in one model.
#include <cmath>  // exp
#include <linea/core/extras.hpp>
#include <linea/core/numbers.hpp>
#include <linea/core/solution.hpp>
#include <linea/core/wrong_call.hpp>
#include <linea/models/linear_model.hpp>
#include <linea/models/recipe.hpp>
#include <linea/optimizers/softmax_newton.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/rows/rows_of.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace linea {

/// One linear function for each class: weights (d × k) and offset (k). Column j is for labels[j].
///
/// No member function changes the model, so that threads may share a model.
template <Scalar T>
struct [[nodiscard]] SoftmaxClassifier : Solution<T, Matrix<T>, Vector<T>> {
  ClassLabels labels;
  std::string loss{"softmax"};          ///< the minimised loss
  std::string penalty{};                ///< the minimised penalty, with its strength
  std::vector<std::string> features{};  ///< names of the columns (d), or none; set by the user

  /// Returns the scores ⟨wⱼ, xᵢ⟩ + bⱼ (m × k) of the rows of x (m × d), dense or sparse. Any number
  /// of threads gives the same bits. Throws std::invalid_argument unless x has d columns and
  /// `threads` is in [1, 1024].
  template <SamplesOf<T> X>
  [[nodiscard]] Matrix<T> scores(const X& x, Index threads = 1) const {
    constexpr std::string_view function = "SoftmaxClassifier::scores";
    require_columns(function);
    return detail::scores_of_columns(function, detail::rows::valid_rows(function, x), this->weights,
                                     this->offset, threads);
  }

  /// Returns the scores (k) of one sample: a row or vector (d), dense or sparse, or pairs (column,
  /// value). Throws std::invalid_argument unless the sample has d features.
  template <class X>
    requires(SingleSample<X, T> || detail::EntryList<X>)
  [[nodiscard]] Vector<T> score(const X& sample) const {
    constexpr std::string_view function = "SoftmaxClassifier::score";
    require_columns(function);
    return detail::with_row<T>(function, sample, this->weights.rows(),
                               [&](const auto& row) { return score_of_row(row); });
  }

  /// Returns the probabilities (m × k) of the classes, exp(pⱼ)/Σ exp(p) for scores p of x (m × d).
  /// Each row has sum 1 up to rounding. The probabilities of a row with NaN are NaN.
  template <SamplesOf<T> X>
  [[nodiscard]] Matrix<T> probabilities(const X& x, Index threads = 1) const {
    Matrix<T> chances = log_probabilities(x, threads);
    for (Index i = 0; i < chances.size(); ++i) chances.data()[i] = std::exp(chances.data()[i]);
    return chances;
  }

  /// Returns the logarithms of the probabilities (m × k), finite even if a probability underflows
  /// in T.
  template <SamplesOf<T> X>
  Matrix<T> log_probabilities(const X& x, Index threads = 1) const {
    Matrix<T> logs = scores(x, threads);
    detail::to_log_probabilities(logs);
    return logs;
  }

  /// Returns the labels (m) with the highest scores for x (m × d), the smaller label of equal
  /// scores. Throws as `scores` does, and std::invalid_argument if a score is NaN.
  template <class Label = double, SamplesOf<T> X>
  [[nodiscard]] Vector<Label> predict(const X& x, Index threads = 1) const {
    constexpr std::string_view function = "SoftmaxClassifier::predict";
    const Vector<Label> names = detail::labels_as<Label>(function, labels);
    return detail::highest_labels(function, names, rows_of(x), scores(x, threads));
  }
  template <class Label = double, class X>
  detail::WrongSamples<X, Vector<Label>> predict(const X&, Index = 1) const;

  /// Returns the label of one sample: a row or vector (d), dense or sparse. Throws
  /// std::invalid_argument unless the sample has d features, and if a score is NaN.
  template <class X>
  [[nodiscard]] double predict_one(const X& sample) const {
    constexpr std::string_view function = "SoftmaxClassifier::predict_one";
    require_columns(function);
    return detail::with_row<T>(function, sample, this->weights.rows(), [&](const auto& row) {
      return labels[detail::highest_score(function, score_of_row(row), row, 0, "the sample")];
    });
  }

 private:
  void require_columns(std::string_view function) const {
    const Index k = labels.size();
    require(this->weights.cols() == k && this->offset.size() == k, function, ": the model has ",
            this->weights.cols(), " columns of weights and ", this->offset.size(), " offsets but ",
            k, " labels");
  }

  template <class Row>
  Vector<T> score_of_row(const Row& row) const {
    Vector<T> all(labels.size());
    for (Index j = 0; j < labels.size(); ++j)
      all[j] = row.dot(0, Vector<T>(this->weights.col(j))) + this->offset[j];
    return all;
  }
};

/// Multinomial logistic regression: minimises the mean of −ln(probability of the true class) plus
/// λ/2·‖w‖² by SoftmaxNewton, to a proven tolerance. OneVsRest{LogisticRegression{}} instead fits
/// each class separately against the rest and normalises the probabilities afterwards.
struct SoftmaxRegression {
  static constexpr std::string_view name = "SoftmaxRegression";

  double lambda{1e-4};     ///< 1/(C·n) for scikit-learn's C; 0: no penalty
  double tolerance{1e-6};  ///< largest F − F*, relative to F
  bool offset{true};
  ClassWeights class_weights{};  ///< `balanced`, or {{label, weight}, …}
  Index threads{1};              ///< any number gives the same bits

  L2 penalty() const { return {lambda}; }
  SoftmaxNewton optimizer() const {
    return {.tolerance = tolerance, .offset = offset, .threads = threads};
  }

  /// Fits x (n × d) to y (n), which holds two or more labels; a label is any finite number. The
  /// model omits labels with a total weight of 0. Throws std::invalid_argument for a single class,
  /// and whatever SoftmaxNewton throws.
  template <Samples X, Numbers Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  SoftmaxClassifier<scalar_t<X>> fit(const X& x, const Y& y, const E& given = {}) const {
    return detail::fit_by(*this, optimizer(), x, y, extras_of<scalar_t<X>>(given));
  }
  template <class X, class Y, class E = Extras<double>>
  detail::WrongCall<X, Y, E> fit(const X&, const Y&, const E& = {}) const;
};

}  // namespace linea
