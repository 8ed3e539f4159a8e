// SPDX-License-Identifier: MIT
#pragma once
/// \file Scores or probabilities of several classes, one column each, with the true labels.
#include <algorithm>  // lower_bound
#include <cmath>      // abs, isnan
#include <linea/metrics/counted.hpp>
#include <string_view>
#include <vector>

namespace linea::detail {

/// The samples of positive weight, with their scores.
struct ClassScores : Weighed {
  ColumnMatrix<double> scores{};  ///< (m × k)
  std::vector<Index> truth{};     ///< the column of the true label (m)

  Index classes() const { return scores.cols(); }
  Index truth_of(Index i) const { return truth[static_cast<std::size_t>(i)]; }
};

/// Validates the scores (n × k) of samples with labels y (n); column j is for labels[j]. Throws
/// std::invalid_argument if sizes differ, n = 0, a weight is invalid, a label has not exactly one
/// column, or a label or a score is NaN.
template <TargetMatrix M, Numbers Y, Labels L>
ClassScores class_scores(std::string_view metric, const M& scores, const Y& y, const L& labels,
                         const SampleWeights& sample_weights) {
  using Table = ColumnMatrix<DoubleFor<M>>;
  const Table all = scores.template cast<double>();
  const Vector<double> t = labels_of(metric, y);
  const Vector<double> names = labels_of(metric, labels);
  require(names.size() == all.cols(), metric, ": ", all.cols(), " columns but ", names.size(),
          " labels");
  for (Index k = 0; k < names.size(); ++k)
    require(!std::isnan(names[k]), metric, ": label ", k, " is not a number");
  const std::vector<Index> order = order_of(names);
  for (std::size_t k = 1; k < order.size(); ++k)
    require(names[order[k - 1]] != names[order[k]], metric, ": the label ", names[order[k]],
            " has two columns");
  ClassScores result{weighed(metric, all.rows(), t.size(), sample_weights)};
  result.scores.resize(result.size(), all.cols());
  for (const Index i : result.rows) {
    require(!std::isnan(t[i]), metric, ": y(", i, ") is not a number");
    const auto found = std::lower_bound(order.begin(), order.end(), t[i],
                                        [&](Index k, double label) { return names[k] < label; });
    require(found != order.end() && names[*found] == t[i], metric, ": y(", i, ") = ", t[i],
            " is none of the ", names.size(), " labels");
    for (Index k = 0; k < all.cols(); ++k) {
      require(!std::isnan(all(i, k)), metric, ": prediction (", i, ", ", k, ") is not a number");
      result.scores(static_cast<Index>(result.truth.size()), k) = all(i, k);
    }
    result.truth.push_back(*found);
  }
  return result;
}

/// Validates probabilities (n × k) as class_scores does. The probabilities of samples of positive
/// weight must also be in [0, 1] and sum to 1 ± 0.001 in each row.
template <TargetMatrix M, Numbers Y, Labels L>
ClassScores class_probabilities(std::string_view metric, const M& probabilities, const Y& y,
                                const L& labels, const SampleWeights& sample_weights) {
  ClassScores result = class_scores(metric, probabilities, y, labels, sample_weights);
  for (Index i = 0; i < result.size(); ++i) {
    double sum = 0;
    for (Index k = 0; k < result.classes(); ++k) {
      const double chance = result.scores(i, k);
      sum += chance;
      if (!(0 <= chance && chance <= 1))
        refuse(metric, ": a probability of label ", labels_of(metric, labels)[k], " is ", chance,
               ", which is outside [0, 1]");
    }
    require(std::abs(sum - 1) <= 1e-3, metric, ": the probabilities of a sample sum to ", sum,
            " instead of 1");
  }
  return result;
}

}  // namespace linea::detail
