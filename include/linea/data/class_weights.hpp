// SPDX-License-Identifier: MIT
#pragma once
/// \file Class weights, which give a rare class or a costly mistake more weight.
#include <algorithm>  // max, min
#include <initializer_list>
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/core/validate.hpp>
#include <linea/data/labels.hpp>
#include <string_view>
#include <utility>  // move, pair
#include <vector>

namespace linea {

struct Balanced {};

/// Class weights that give all classes the same total weight.
inline constexpr Balanced balanced{};

/// Factors of the sample weights, one for each class; 1 by default. With `balanced` a class of
/// weight S_c has the factor S/(k·S_c), where S is the total weight and k the number of classes
/// with S_c > 0. If all sample weights are 1, this is scikit-learn's "balanced". A list of (label,
/// factor), such as {{0, 1}, {1, 10}}, sets single factors; other labels have factor 1.
/// `Standardised` scales the columns by the sample weights, without these factors.
class ClassWeights {
 public:
  ClassWeights() = default;
  ClassWeights(Balanced) : balanced_(true) {}
  ClassWeights(std::initializer_list<std::pair<double, double>> factors) : factors_(factors) {}
  explicit ClassWeights(std::vector<std::pair<double, double>> factors)
      : factors_(std::move(factors)) {}

  /// Returns whether no factors are set, so that all are 1.
  bool are_equal() const { return !balanced_ && factors_.empty(); }
  bool are_balanced() const { return balanced_; }
  const std::vector<std::pair<double, double>>& factors() const { return factors_; }

  /// Returns the factor of each label (k). `sums` (k) are the total weights of the classes. Throws
  /// for a factor that is not in [0, 1e150], and for a label that is unknown or given twice.
  Vector<double> of_classes(std::string_view function, const ClassLabels& labels,
                            const Vector<double>& sums) const {
    Vector<double> factors = detail::filled(labels.size(), 1.0);
    double all = 0;
    double count = 0;
    for (const double sum : sums) {
      all += sum;
      count += sum > 0 ? 1 : 0;
    }
    for (Index k = 0; k < labels.size() && balanced_; ++k)
      if (sums[k] > 0) factors[k] = all / count / sums[k];
    for (std::size_t j = 0; j < factors_.size(); ++j) {
      const auto& [label, factor] = factors_[j];
      if (!labels.holds(label))
        refuse(function, ": class weights name label ", detail::number_text(label),
               ", which is not in y");
      for (std::size_t other = 0; other < j; ++other)
        if (factors_[other].first == label)
          refuse(function, ": class weights name label ", detail::number_text(label), " twice");
      detail::require_weight(function, factor, "the weight of class ", detail::number_text(label));
      factors[labels.index_of(label)] = factor;
    }
    return factors;
  }

  /// Returns the class weights without the factors of labels that are not in `labels`.
  ClassWeights among(const ClassLabels& labels) const {
    ClassWeights part;
    part.balanced_ = balanced_;
    for (const auto& one : factors_)
      if (labels.holds(one.first)) part.factors_.push_back(one);
    return part;
  }

  /// Returns for each sample (n) its weight, 1 if there are no sample weights, times the factor of
  /// its class. If T does not hold the products, returns their ratios to the largest. `classes` (n)
  /// has the index of each sample's label. Throws in the cases of of_classes, if the number of
  /// weights is not 0 or n, if a weight is invalid, and if all factors are 0.
  template <class T>
  Vector<T> times(std::string_view function, const ClassLabels& labels,
                  const Vector<Index>& classes, const Vector<T>& sample_weights) const {
    const Index n = classes.size();
    if (sample_weights.size() > 0) detail::largest_weight(function, n, sample_weights);
    Vector<double> weights = sample_weights.template cast<double>();
    if (weights.size() == 0) weights = detail::filled(n, 1.0);
    Vector<double> sums = detail::filled(labels.size(), 0.0);
    for (Index i = 0; i < n; ++i) sums[classes[i]] += weights[i];
    const Vector<double> factors = of_classes(function, labels, sums);
    double most = 0;
    for (const double factor : factors) most = std::max(most, factor);
    require(most > 0, function, ": all classes have weight 0");
    double largest = 0;
    for (Index i = 0; i < n; ++i) largest = std::max(largest, weights[i] *= factors[classes[i]]);
    // Where T does not hold the products, their ratios count.
    const double limit = std::min(1e150, 1e-8 * double{std::numeric_limits<T>::max()});
    if (largest > limit || largest < 1 / limit)
      for (double& weight : weights) weight /= largest > 0 ? largest : 1;
    return weights.template cast<T>();
  }

 private:
  bool balanced_{false};
  std::vector<std::pair<double, double>> factors_{};
};

}  // namespace linea
