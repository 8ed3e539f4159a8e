// SPDX-License-Identifier: MIT
#pragma once
/// \file What metrics read: vectors of numbers, of Eigen or of the standard library.
#include <linea/core/numbers.hpp>
#include <linea/core/types.hpp>
#include <type_traits>  // is_arithmetic, remove_cvref
#include <utility>      // declval

namespace linea::metrics {

/// The labels of classes: numbers, or what has them as its values(), such as ClassLabels.
template <class L>
concept Labels = Numbers<L> || requires(const L& labels) {
  { labels.values() } -> NumberRange;
};

template <Numbers V>
using number_t =
    typename std::remove_cvref_t<decltype(core::vector_of(std::declval<const V&>()))>::Scalar;

/// v (n) as doubles. An expression is evaluated once, here, and not at every element.
template <Numbers V>
Vector<double> doubles_of(const V& v) {
  return core::vector_of(v).template cast<double>();
}

/// The labels (k) as doubles.
template <Labels L>
Vector<double> labels_of(const L& labels) {
  if constexpr (Numbers<L>)
    return doubles_of(labels);
  else
    return doubles_of(labels.values());
}

/// Sample weights (n), or none: then all are 1. Made from any vector of numbers.
class SampleWeights {
 public:
  SampleWeights() = default;
  template <Numbers W>
  SampleWeights(const W& weights) : values_(doubles_of(weights)) {}

  Index size() const { return values_.size(); }
  double operator[](Index i) const { return values_[i]; }
  /// The weight of sample i.
  double of(Index i) const { return size() > 0 ? values_[i] : 1.0; }
  /// Empty if there are none.
  const Vector<double>& values() const { return values_; }

 private:
  Vector<double> values_{};
};

}  // namespace linea::metrics
