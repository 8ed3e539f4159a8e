// SPDX-License-Identifier: MIT
#pragma once
/// \file The fitted models that recipes return. There is no unfitted model.
///
/// No member function changes the model, so that threads may share a model.
#include <cmath>     // exp, isnan, log
#include <concepts>  // convertible_to
#include <iterator>  // begin
#include <linea/activations/sigmoid.hpp>
#include <linea/core/activation.hpp>
#include <linea/core/numbers.hpp>
#include <linea/core/solution.hpp>
#include <linea/core/wrong_call.hpp>
#include <linea/data/labels.hpp>
#include <linea/rows/rows_from.hpp>
#include <linea/rows/rows_of.hpp>
#include <linea/samples/scores.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace linea {
namespace detail {

/// The entries of one sparse sample: pairs (column, value), as in a std::map.
template <class X>
concept EntryList = requires(const X& list) {
  { std::begin(list)->first } -> std::convertible_to<Index>;
  { std::begin(list)->second } -> std::convertible_to<double>;
};

/// Returns f(row) for the row of a sample: an Eigen row or vector, dense or sparse, a list of
/// numbers, or of pairs, where pairs of the same column add up. Throws unless the sample has d
/// features, and for a column that is not in [0, d) or, without pairs, occurs twice.
template <class T, class X, class F>
auto with_row(std::string_view function, const X& sample, Index d, F&& f) {
  const auto call = [&](const auto& row) {
    samples::require_one_sample(function, row, d);
    if constexpr (!EntryList<X>) rows::require_distinct(function, row);  // rows_from has checked
    return f(row);
  };
  if constexpr (NumberRange<X>)
    return call(row_of(vector_of(sample)));
  else if constexpr (EntryList<X>)
    return call(rows_from<T>(1, d, [&](Index, auto&& entry) {
      for (const auto& [j, value] : sample) entry(static_cast<Index>(j), static_cast<T>(value));
    }));
  else
    return call(row_of(sample));
}

/// Returns the scores ⟨wⱼ, xᵢ⟩ + bⱼ (m × k) of rows (m × d) for weights (d × k) and offsets (k).
/// Throws if the two d or the two k differ, or `threads` is not in [1, 1024].
template <class Rows, class T>
Matrix<T> scores_of_columns(std::string_view function, const Rows& rows, const Matrix<T>& weights,
                            const Vector<T>& offsets, Index threads) {
  require(rows.cols() == weights.rows(), function, ": x has ", rows.cols(),
          " columns but the model has ", weights.rows(), " weights a column");
  require(offsets.size() == weights.cols(), function, ": the model has ", weights.cols(),
          " columns of weights but ", offsets.size(), " offsets");
  Matrix<T> scores(rows.rows(), weights.cols());
  for (Index k = 0; k < scores.cols(); ++k)
    scores.col(k) =
        samples::scores_of_rows(function, rows, Vector<T>(weights.col(k)), offsets[k], threads);
  return scores;
}

/// Returns the index of the highest of the scores (k) of row i, the first index of equal scores.
/// Throws std::invalid_argument if a score is NaN; `what` is the name of the row in the message.
template <class S, class Rows, class... What>
Index highest_score(std::string_view function, const S& scores, const Rows& rows, Index i,
                    const What&... what) {
  Index best = 0;
  for (Index k = 0; k < scores.size(); ++k) {
    if (std::isnan(scores[k])) [[unlikely]]
      samples::refuse_score(function, rows, i, what...);
    if (scores[k] > scores[best]) best = k;
  }
  return best;
}

/// Returns the labels (m) of the highest score in each row of scores (m × k), of `labels` (k).
template <class Label, class Rows, class T>
Vector<Label> highest_labels(std::string_view function, const Vector<Label>& labels,
                             const Rows& rows, const Matrix<T>& scores) {
  Vector<Label> predicted(scores.rows());
  for (Index i = 0; i < scores.rows(); ++i)
    predicted[i] = labels[highest_score(function, scores.row(i), rows, i, "row ", i, " of x")];
  return predicted;
}

/// Converts scores (m × k) to ln(exp(pⱼ)/Σ exp(p)) in each row, without overflow and without ln 0.
template <class T>
void to_log_probabilities(Matrix<T>& scores) {
  for (Index i = 0; i < scores.rows(); ++i) {
    const T top = scores.row(i).maxCoeff();
    T sum{0};
    for (T& score : scores.row(i)) sum += std::exp(score -= top);
    scores.row(i).array() -= std::log(sum);
  }
}

/// Converts scores (m × k) to qⱼ/Σq in each row, where qⱼ is the sigmoid of score j. If all scores
/// are below −40, qⱼ is exp(score − top): the quotients are the same, and no q underflows.
template <class T>
void to_shares(Matrix<T>& scores) {
  for (Index i = 0; i < scores.rows(); ++i) {
    const T top = scores.row(i).maxCoeff();
    T sum{0};
    for (T& score : scores.row(i))
      sum += score = top < T(-40) ? std::exp(score - top) : Sigmoid{}.value(score);
    scores.row(i) /= sum;
  }
}

}  // namespace detail

/// A linear function with the details of its training.
template <Scalar T>
struct [[nodiscard]] LinearModel : Solution<T> {
  std::string reason{};                 ///< why this optimizer was selected, as text
  std::string loss{};                   ///< the minimised loss, with its parameters
  std::string penalty{};                ///< the minimised penalty, with its strength
  std::vector<std::string> features{};  ///< names of the columns (d), or none; set by the user

  /// Returns the scores ⟨w, xᵢ⟩ + b (m) of the rows of x (m × d), dense or sparse. Any number of
  /// threads gives the same bits. Throws std::invalid_argument unless x has d columns and `threads`
  /// is in [1, 1024], and if a sparse row has a column twice or a column outside [0, d).
  template <SamplesOf<T> X>
  [[nodiscard]] Vector<T> scores(const X& x, Index threads = 1) const {
    require(x.cols() == this->weights.size(), "LinearModel::scores: x has ", x.cols(),
            " columns but the model has ", this->weights.size(), " weights");
    constexpr std::string_view function = "LinearModel::scores";
    return detail::samples::scores_of_rows(function, detail::rows::valid_rows(function, x),
                                           this->weights, this->offset, threads);
  }

  /// Returns the score of one sample: a row or vector (d), dense or sparse, or pairs (column,
  /// value). Throws std::invalid_argument unless the sample has d features.
  template <class X>
    requires(SingleSample<X, T> || detail::EntryList<X>)
  [[nodiscard]] T score(const X& sample) const {
    return score_of_one("LinearModel::score", sample);
  }

 protected:
  template <class X>
  T score_of_one(std::string_view function, const X& sample) const {
    return detail::with_row<T>(function, sample, this->weights.size(), [&](const auto& row) -> T {
      return row.dot(0, this->weights) + this->offset;
    });
  }
};

/// A linear model whose score is the prediction.
template <Scalar T>
struct [[nodiscard]] Regressor : LinearModel<T> {
  /// Returns the predicted targets (m) for x (m × d).
  template <SamplesOf<T> X>
  [[nodiscard]] Vector<T> predict(const X& x, Index threads = 1) const {
    return this->scores(x, threads);
  }
  template <class X>
  detail::WrongSamples<X, Vector<T>> predict(const X&, Index = 1) const;

  /// Returns the predicted target of one sample: a row or vector (d), dense or sparse.
  template <class X>
  [[nodiscard]] T predict_one(const X& sample) const {
    return this->score_of_one("Regressor::predict_one", sample);
  }
};

/// k linear functions that predict k targets: weights (d × k), offset (k).
template <Scalar T>
struct [[nodiscard]] MultiTargetRegressor : Solution<T, Matrix<T>, Vector<T>> {
  /// Returns the predicted targets (m × k) for x (m × d), dense or sparse. Throws
  /// std::invalid_argument unless x has d columns.
  template <SamplesOf<T> X>
  [[nodiscard]] Matrix<T> predict(const X& x, Index threads = 1) const {
    constexpr std::string_view function = "MultiTargetRegressor::predict";
    return detail::scores_of_columns(function, detail::rows::valid_rows(function, x), this->weights,
                                     this->offset, threads);
  }
  template <class X>
  detail::WrongSamples<X, Matrix<T>> predict(const X&, Index = 1) const;
};

/// A generalised linear model: the prediction is g of the score.
template <Scalar T, Activation G>
struct [[nodiscard]] ActivatedModel : LinearModel<T> {
  G activation{};

  /// Returns the predicted targets g(⟨w, xᵢ⟩ + b), (m), for x (m × d).
  template <SamplesOf<T> X>
  [[nodiscard]] Vector<T> predict(const X& x, Index threads = 1) const {
    return this->scores(x, threads).unaryExpr([this](T score) {
      return static_cast<T>(activation.value(score));
    });
  }
  template <class X>
  detail::WrongSamples<X, Vector<T>> predict(const X&, Index = 1) const;

  /// Returns g(score), the predicted target of one sample: a row or vector (d), dense or sparse.
  template <class X>
  [[nodiscard]] T predict_one(const X& sample) const {
    return static_cast<T>(
        activation.value(this->score_of_one("ActivatedModel::predict_one", sample)));
  }
};

/// A linear model of two classes with their labels.
template <Scalar T>
struct [[nodiscard]] Classifier : LinearModel<T> {
  ClassLabels labels;

  /// Returns labels (m) for x (m × d): the larger label where the score is ≥ 0, else the smaller
  /// label. predict<int>(x) returns integers. Throws as `scores` does, and std::invalid_argument
  /// if a score is NaN, because the row or the weights are not finite, or terms overflow, and for a
  /// label that is no number of type Label.
  template <class Label = double, SamplesOf<T> X>
  [[nodiscard]] Vector<Label> predict(const X& x, Index threads = 1) const {
    require_two("Classifier::predict");
    const Vector<Label> names = detail::labels_as<Label>("Classifier::predict", labels);
    const Vector<T> scores = this->scores(x, threads);
    Vector<Label> predicted(scores.size());
    for (Index i = 0; i < scores.size(); ++i) {
      if (std::isnan(scores[i])) [[unlikely]]
        detail::samples::refuse_score("Classifier::predict", rows_of(x), i, "row ", i, " of x");
      predicted[i] = names[scores[i] >= T(0) ? 1 : 0];
    }
    return predicted;
  }
  template <class Label = double, class X>
  detail::WrongSamples<X, Vector<Label>> predict(const X&, Index = 1) const;

  /// Returns the predicted label of one sample: a row or vector (d), dense or sparse.
  template <class X>
  [[nodiscard]] double predict_one(const X& sample) const {
    constexpr std::string_view function = "Classifier::predict_one";
    require_two(function);
    return detail::with_row<T>(function, sample, this->weights.size(), [&](const auto& row) {
      const T score = row.dot(0, this->weights) + this->offset;
      if (std::isnan(score)) [[unlikely]]
        detail::samples::refuse_score(function, row, 0, "the sample");
      return labels[score >= T(0) ? 1 : 0];
    });
  }

 private:
  void require_two(std::string_view function) const {
    require(labels.size() == 2, function, ": the model has one score a sample but ", labels.size(),
            labels.size() == 1 ? " label" : " labels");
  }
};

/// A classifier trained on the log loss, whose score is the log-odds of the larger label.
template <Scalar T>
struct [[nodiscard]] ProbabilisticClassifier : Classifier<T> {
  /// Returns the probabilities (m) of the larger label, 1/(1 + exp(−score)), for the rows of
  /// x (m × d). The probability of a row with NaN is NaN.
  template <SamplesOf<T> X>
  [[nodiscard]] Vector<T> probabilities(const X& x, Index threads = 1) const {
    return this->scores(x, threads).unaryExpr([](T score) { return Sigmoid{}.value(score); });
  }

  /// Returns the probability of the larger label for one sample: a row or vector (d), dense or
  /// sparse.
  template <class X>
  [[nodiscard]] T probability(const X& sample) const {
    return Sigmoid{}.value(this->score_of_one("ProbabilisticClassifier::probability", sample));
  }
};

}  // namespace linea
