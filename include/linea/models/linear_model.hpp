// SPDX-License-Identifier: MIT
#pragma once
/// \file Fitted values: what the recipes answer with. There is no unfitted model.
///
/// All members are const and keep no state, so one model may serve many threads.
#include <cmath>  // isnan
#include <linea/activations/sigmoid.hpp>
#include <linea/core/activation.hpp>
#include <linea/core/numbers.hpp>
#include <linea/core/solution.hpp>
#include <linea/data/labels.hpp>
#include <linea/rows/rows_of.hpp>
#include <linea/samples/one_sample.hpp>
#include <linea/samples/scores.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace linea {

/// Weights and offset that can score samples, and how they were found.
template <Scalar T>
struct [[nodiscard]] LinearModel : Solution<T> {
  std::string reason{};                 ///< why this optimizer was taken, for people
  std::string loss{};                   ///< that was minimised, with its parameters
  std::string penalty{};                ///< with its strength
  std::vector<std::string> features{};  ///< names of the columns (d), or none: yours to set

  /// ⟨w, xᵢ⟩ + b for the rows of x (m × d), dense or sparse: (m), the same bits with any number of
  /// threads. Throws std::invalid_argument for another d, or for less than one thread or more than
  /// 1024.
  template <SamplesOf<T> X>
  [[nodiscard]] Vector<T> scores(const X& x, Index threads = 1) const {
    require(x.cols() == this->weights.size(), "LinearModel::scores: x has ", x.cols(),
            " columns but the model has ", this->weights.size(), " weights");
    return samples::scores_of_rows("LinearModel::scores", rows_of(x), this->weights, this->offset,
                                   threads);
  }

  /// The score of one sample: a row or vector (d), dense or sparse. Throws std::invalid_argument
  /// for another d.
  template <class X>
    requires(SingleSample<X, T>)
  [[nodiscard]] T score(const X& sample) const {
    return score_of_one("LinearModel::score", sample);
  }

 protected:
  template <class X>
  T score_of_one(std::string_view function, const X& sample) const {
    if constexpr (NumberRange<X>) {
      return score_of_one(function, core::vector_of(sample));
    } else {
      const auto& row = row_of(sample);
      samples::require_one_sample(function, row, this->weights.size());
      return row.dot(0, this->weights) + this->offset;
    }
  }
};

/// A linear model whose score is the prediction.
template <Scalar T>
struct [[nodiscard]] Regressor : LinearModel<T> {
  /// Predicted targets (m) for x (m × d).
  template <Samples X>
  [[nodiscard]] Vector<T> predict(const X& x, Index threads = 1) const {
    return this->scores(x, threads);
  }

  /// The predicted target of one sample, a row or vector (d), dense or sparse.
  template <class X>
  T predict_one(const X& sample) const {
    return this->score_of_one("Regressor::predict_one", sample);
  }
};

/// k linear functions at once, the predictions of k targets: weights (d × k), offset (k).
template <Scalar T>
struct [[nodiscard]] MultiTargetRegressor : Solution<T, Matrix<T>, Vector<T>> {
  /// Predicted targets (m × k) for x (m × d), dense or sparse. Throws std::invalid_argument for
  /// another d.
  template <SamplesOf<T> X>
  [[nodiscard]] Matrix<T> predict(const X& x, Index threads = 1) const {
    require(x.cols() == this->weights.rows(), "MultiTargetRegressor::predict: x has ", x.cols(),
            " columns but the model has ", this->weights.rows(), " weights a target");
    Matrix<T> predicted(x.rows(), this->weights.cols());
    for (Index k = 0; k < predicted.cols(); ++k)
      predicted.col(k) =
          samples::scores_of_rows("MultiTargetRegressor::predict", rows_of(x),
                                  Vector<T>(this->weights.col(k)), this->offset[k], threads);
    return predicted;
  }
};

/// A generalised linear model: the prediction is g of the score.
template <Scalar T, Activation G>
struct [[nodiscard]] ActivatedModel : LinearModel<T> {
  G activation{};

  /// Predicted targets g(⟨w, xᵢ⟩ + b), (m) for x (m × d).
  template <Samples X>
  [[nodiscard]] Vector<T> predict(const X& x, Index threads = 1) const {
    return this->scores(x, threads).unaryExpr([this](T score) {
      return static_cast<T>(activation.value(score));
    });
  }

  /// g of the score of one sample, a row or vector (d), dense or sparse.
  template <class X>
  T predict_one(const X& sample) const {
    return static_cast<T>(
        activation.value(this->score_of_one("ActivatedModel::predict_one", sample)));
  }
};

/// A linear model that tells two classes apart and remembers what they were called.
template <Scalar T>
struct [[nodiscard]] Classifier : LinearModel<T> {
  ClassLabels labels;

  /// The larger label where the score is ≥ 0, else the smaller: (m) for x (m × d). Throws
  /// std::invalid_argument where a score is not a number: the row is not finite, or terms overflow.
  template <Samples X>
  [[nodiscard]] Vector<double> predict(const X& x, Index threads = 1) const {
    const Vector<T> scores = this->scores(x, threads);
    Vector<double> predicted(scores.size());
    for (Index i = 0; i < scores.size(); ++i) {
      if (std::isnan(scores[i])) [[unlikely]]
        samples::refuse_score("Classifier::predict", rows_of(x), i, "row ", i, " of x");
      predicted[i] = labels[scores[i] >= T(0) ? 1 : 0];
    }
    return predicted;
  }

  /// The label of one sample, a row or vector (d), dense or sparse.
  template <class X>
  double predict_one(const X& sample) const {
    constexpr std::string_view function = "Classifier::predict_one";
    if constexpr (NumberRange<X>) {
      return predict_one(core::vector_of(sample));
    } else {
      const T score = this->score_of_one(function, sample);
      if (std::isnan(score)) [[unlikely]]
        samples::refuse_score(function, row_of(sample), 0, "the sample");
      return labels[score >= T(0) ? 1 : 0];
    }
  }
};

/// A classifier trained on the log loss, whose score is the log-odds of the larger label.
template <Scalar T>
struct [[nodiscard]] ProbabilisticClassifier : Classifier<T> {
  /// The probability of the larger label, 1/(1 + exp(−score)), in [0, 1]: (m) for x (m × d). Not a
  /// number where the row is not.
  template <Samples X>
  [[nodiscard]] Vector<T> probabilities(const X& x, Index threads = 1) const {
    return this->scores(x, threads).unaryExpr([](T score) { return Sigmoid{}.value(score); });
  }

  /// The probability of the larger label for one sample, a row or vector (d), dense or sparse.
  template <class X>
  [[nodiscard]] T probability(const X& sample) const {
    return Sigmoid{}.value(this->score_of_one("ProbabilisticClassifier::probability", sample));
  }
};

}  // namespace linea
