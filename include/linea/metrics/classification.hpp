// SPDX-License-Identifier: MIT
#pragma once
/// \file How well predicted labels, or probabilities, fit the true ones.
#include <algorithm>  // lower_bound, sort, unique
#include <cmath>      // log
#include <linea/metrics/scores.hpp>
#include <vector>

namespace linea {

/// The share of samples whose predicted label (n) equals y (n), in [0, 1].
template <VectorLike P, VectorLike Y>
double accuracy(const P& predicted, const Y& y, const Eigen::VectorXd& sample_weights = {}) {
  return weighted_mean("accuracy", predicted.size(), y.size(), sample_weights, [&](Index i) {
    return static_cast<double>(predicted[i]) == static_cast<double>(y[i]) ? 1.0 : 0.0;
  });
}

/// 1 − accuracy.
template <VectorLike P, VectorLike Y>
double error_rate(const P& predicted, const Y& y, const Eigen::VectorXd& sample_weights = {}) {
  return weighted_mean("error_rate", predicted.size(), y.size(), sample_weights, [&](Index i) {
    return static_cast<double>(predicted[i]) == static_cast<double>(y[i]) ? 0.0 : 1.0;
  });
}

/// The mean of −ln q, q the probability given to the true label: `probabilities` (n) are those of the
/// label `positive`, every other label has the rest. ∞ when a true label was given none.
/// Throws std::invalid_argument for a probability outside [0, 1].
template <VectorLike P, VectorLike Y>
double log_loss(const P& probabilities, const Y& y, double positive = 1,
                const Eigen::VectorXd& sample_weights = {}) {
  return weighted_mean("log_loss", probabilities.size(), y.size(), sample_weights, [&](Index i) {
    const auto q = static_cast<double>(probabilities[i]);
    require(0 <= q && q <= 1, "log_loss: probability ", i, " is ", q);
    return -(static_cast<double>(y[i]) == positive ? std::log(q) : std::log1p(-q));
  });
}

/// counts(i, j): the weight of samples with label labels[i] that were predicted to be labels[j].
struct ConfusionMatrix {
  Eigen::VectorXd labels;  ///< all that occur in either vector, ascending (k)
  Eigen::MatrixXd counts;  ///< (k × k)
};

template <VectorLike P, VectorLike Y>
ConfusionMatrix confusion_matrix(const P& predicted, const Y& y,
                                 const Eigen::VectorXd& sample_weights = {}) {
  std::vector<double> labels;
  for (Index i = 0; i < predicted.size(); ++i) labels.push_back(static_cast<double>(predicted[i]));
  for (Index i = 0; i < y.size(); ++i) labels.push_back(static_cast<double>(y[i]));
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  const auto size = static_cast<Index>(labels.size());
  ConfusionMatrix matrix{Eigen::Map<const Eigen::VectorXd>(labels.data(), size),
                         Eigen::MatrixXd::Zero(size, size)};
  const auto place = [&](auto label) {
    return std::lower_bound(labels.begin(), labels.end(), static_cast<double>(label)) -
           labels.begin();
  };
  weighted_mean("confusion_matrix", predicted.size(), y.size(), sample_weights, [&](Index i) {
    matrix.counts(place(y[i]), place(predicted[i])) +=
        sample_weights.size() ? sample_weights[i] : 1.0;
    return 0.0;
  });
  return matrix;
}

}  // namespace linea
