// SPDX-License-Identifier: MIT
#pragma once
/// \file Scores of several classes: the highest one, and logarithms of probabilities.
#include <cmath>  // exp, log
#include <linea/core/types.hpp>
#include <linea/data/labels.hpp>
#include <linea/samples/scores.hpp>
#include <string_view>

namespace linea::models {

/// The index of the highest of the scores (k) of row i, the first of those that are equal. Throws
/// std::invalid_argument, naming the row by `what`, where one is not a number.
template <class S, class Rows, class... What>
Index highest_score(std::string_view function, const S& scores, const Rows& rows, Index i,
                    const What&... what) {
  if (scores.hasNaN()) [[unlikely]]
    samples::refuse_score(function, rows, i, what...);
  Index best = 0;
  for (Index k = 1; k < scores.size(); ++k)
    if (scores[k] > scores[best]) best = k;
  return best;
}

/// The label of the highest score in each row of scores (m × k), of rows of samples: (m).
template <class Rows, class T>
Vector<double> highest_labels(std::string_view function, const ClassLabels& labels,
                              const Rows& rows, const Matrix<T>& scores) {
  Vector<double> predicted(scores.rows());
  for (Index i = 0; i < scores.rows(); ++i)
    predicted[i] = labels[highest_score(function, scores.row(i), rows, i, "row ", i, " of x")];
  return predicted;
}

/// Scores (m × k) become ln(exp(pⱼ)/Σ exp(p)) in each row, which neither overflows nor becomes −∞.
template <class T>
void to_log_probabilities(Matrix<T>& scores) {
  for (Index i = 0; i < scores.rows(); ++i) {
    const T top = scores.row(i).maxCoeff();
    T sum{0};
    for (T& score : scores.row(i)) sum += std::exp(score -= top);
    scores.row(i).array() -= std::log(sum);
  }
}

}  // namespace linea::models
