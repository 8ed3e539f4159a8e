// SPDX-License-Identifier: MIT
#pragma once
/// \file How much each class counts: to make a rare class, or a costly mistake, weigh more.
#include <algorithm>  // max, min
#include <cmath>      // ilogb, isfinite, ldexp
#include <initializer_list>
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/data/labels.hpp>
#include <string_view>
#include <utility>  // pair
#include <vector>   // erase_if

namespace linea {

struct Balanced {};

/// Stands for class weights that make all classes count alike, whatever their size.
inline constexpr Balanced balanced{};

/// Factors on the weights of samples, by class. Nothing: all 1. `balanced`: S/(k·S_c) for a class
/// whose samples weigh S_c of S, with k classes; scikit-learn's "balanced" where all samples weigh
/// 1. Or a list of (label, factor): {{0, 1}, {1, 10}}; labels that are not in it have 1.
class ClassWeights {
 public:
  ClassWeights() = default;
  ClassWeights(Balanced) : balanced_(true) {}
  ClassWeights(std::initializer_list<std::pair<double, double>> factors) : factors_(factors) {}
  explicit ClassWeights(std::vector<std::pair<double, double>> factors)
      : factors_(std::move(factors)) {}

  /// Do all classes have factor 1?
  bool are_equal() const { return !balanced_ && factors_.empty(); }
  bool are_balanced() const { return balanced_; }
  const std::vector<std::pair<double, double>>& factors() const { return factors_; }

  /// The factor of each label (k), of samples whose classes weigh `sums` (k). Refuses a factor that
  /// is negative or not finite, and a label that is unknown or named twice.
  template <class Sums>
  Vector<double> of_classes(std::string_view function, const ClassLabels& labels,
                            const Sums& sums) const {
    Vector<double> factors = core::filled(labels.size(), 1.0);
    if (balanced_) {
      double weighty = 0;
      for (Index k = 0; k < sums.size(); ++k) weighty += sums[k] > 0 ? 1 : 0;
      for (Index k = 0; k < labels.size(); ++k)
        if (sums[k] > 0)
          factors[k] = std::min(sums.sum() / weighty / sums[k], std::numeric_limits<double>::max());
    }
    std::vector<bool> is_named(static_cast<std::size_t>(labels.size()), false);
    for (const auto& [label, factor] : factors_) {
      require(labels.holds(label), function, ": class weights name label ",
              core::number_text(label), ", which y has not");
      const Index k = labels.index_of(label);
      require(!is_named[static_cast<std::size_t>(k)], function, ": class weights name label ",
              core::number_text(label), " twice");
      is_named[static_cast<std::size_t>(k)] = true;
      require(std::isfinite(factor) && factor >= 0, function, ": the weight of class ",
              core::number_text(label), " is ", factor, ", but must be finite and >= 0");
      factors[k] = factor;
    }
    return factors;
  }

  /// The same without the factors of labels that are none of these: for a part of the samples.
  ClassWeights among(const ClassLabels& labels) const {
    ClassWeights part = *this;
    std::erase_if(part.factors_, [&](const auto& one) { return !labels.holds(one.first); });
    return part;
  }

  /// The sample weights (n) with these factors: those given, or 1 where none are. A class weighs
  /// what its samples weigh. `classes` (n) has the number of each sample's label. A product
  /// is 0 only where a factor is: one that underflows is the smallest normal number of T. Where the
  /// largest would overflow, all are divided by the same number. Refuses what of_classes does,
  /// weights of another size, and classes that all weigh 0.
  template <class T>
  Vector<T> times(std::string_view function, const ClassLabels& labels,
                  const Vector<Index>& classes, const Vector<T>& sample_weights) const {
    const bool has_weights = sample_weights.size() > 0;
    require(!has_weights || sample_weights.size() == classes.size(), function, ": ", classes.size(),
            " samples but ", sample_weights.size(), " sample weights");
    using Real = core::DoubleFor<T>;
    const auto given = [&](Index i) {
      return has_weights ? static_cast<double>(sample_weights[i]) : 1.0;
    };
    double largest = 0;
    for (Index i = 0; i < classes.size(); ++i) largest = std::max(largest, given(i));
    const int exponent = largest > 0 ? std::ilogb(largest) : 0;
    constexpr double least = std::numeric_limits<double>::min();
    const auto share = [&](Index i) {  // below 2, so that no sum overflows
      return given(i) > 0 ? std::max(std::ldexp(given(i), -exponent), least) : 0.0;
    };
    Vector<Real> sums = core::filled<Real>(labels.size(), 0);
    for (Index i = 0; i < classes.size(); ++i) sums[classes[i]] += share(i);
    const Vector<Real> factors = of_classes(function, labels, sums);
    const double most = factors.maxCoeff();
    require(most > 0, function, ": all classes have weight 0");
    const double limit = std::numeric_limits<T>::max();
    const bool overflows = !(most * largest <= limit);
    const double scale = std::min(1.0, limit / most) / 2;
    Vector<T> weights(classes.size());
    for (Index i = 0; i < classes.size(); ++i) {
      const double factor = factors[classes[i]];
      const double weight = overflows ? share(i) * (factor * scale) : given(i) * factor;
      weights[i] = static_cast<T>(weight);
      if (given(i) > 0 && factor > 0)
        weights[i] = std::max(weights[i], std::numeric_limits<T>::min());
    }
    return weights;
  }

 private:
  bool balanced_{false};
  std::vector<std::pair<double, double>> factors_{};
};

}  // namespace linea
