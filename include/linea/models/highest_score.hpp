// SPDX-License-Identifier: MIT
#pragma once
/// \file Of several classes, the one with the highest score.
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/data/labels.hpp>
#include <string_view>

namespace linea::models {

/// The place of the highest of a sample's scores (k), the first of those that are equal. Throws
/// std::invalid_argument, naming the sample, where one is not a number.
template <class S, class... What>
Index highest_score(std::string_view function, const S& scores, const What&... sample) {
  require(!scores.hasNaN(), function, ": ", sample..., " is not finite");
  Index best = 0;
  for (Index k = 1; k < scores.size(); ++k)
    if (scores[k] > scores[best]) best = k;
  return best;
}

/// The label of the highest score in each row of scores (m × k): (m).
template <class T>
Vector<double> highest_labels(std::string_view function, const ClassLabels& labels,
                              const Matrix<T>& scores) {
  Vector<double> predicted(scores.rows());
  for (Index i = 0; i < scores.rows(); ++i)
    predicted[i] = labels[highest_score(function, scores.row(i), "row ", i, " of x")];
  return predicted;
}

}  // namespace linea::models
