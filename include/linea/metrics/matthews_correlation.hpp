// SPDX-License-Identifier: MIT
#pragma once
/// \file The correlation of predicted labels with the true ones.
#include <algorithm>  // clamp
#include <cmath>      // sqrt
#include <linea/metrics/class_counts.hpp>

namespace linea {

/// The correlation coefficient of `predicted` (n) and y (n), from −1 to 1, of two labels or more: 0
/// for guessing, and for a prediction that is always the same. Throws std::invalid_argument where y
/// has one label only, for there it is undefined, and for sizes that differ, no samples, a label
/// that is not a number, and wrong weights. Matthews, Biochimica et Biophysica Acta 405 (1975); of
/// several classes Gorodkin, Computational Biology and Chemistry 28 (2004), equation 8.
template <Numbers P, Numbers Y>
[[nodiscard]] double matthews_correlation(const P& predicted, const Y& y,
                                          const metrics::SampleWeights& sample_weights = {}) {
  const auto counts = metrics::count_classes("matthews_correlation", predicted, y, sample_weights);
  const Vector<double> guesses = counts.predicted / counts.total;
  const Vector<double> truth = counts.actual / counts.total;
  Index present = 0;
  for (Index k = 0; k < counts.size(); ++k) present += truth[k] > 0 ? 1 : 0;
  require(present > 1, "matthews_correlation: y has one label only");
  // 1 − Σpₖ² as Σpₖ(1 − pₖ), which is 0 for a prediction that is always the same.
  double spread_of_guesses = 0;
  double spread = 0;
  for (Index k = 0; k < counts.size(); ++k) {
    spread_of_guesses += guesses[k] * (1 - guesses[k]);
    spread += truth[k] * (1 - truth[k]);
  }
  if (!(spread_of_guesses > 0)) return 0;
  const double together = counts.hits.sum() / counts.total - guesses.dot(truth);
  return std::clamp(together / std::sqrt(spread_of_guesses) / std::sqrt(spread), -1.0, 1.0);
}

}  // namespace linea
