// SPDX-License-Identifier: MIT
#pragma once
/// \file What recipes ask of samples and labels before they fit, and which classes they fit.
#include <linea/core/entries.hpp>
#include <linea/core/extras.hpp>
#include <linea/core/numbers.hpp>
#include <linea/data/class_weights.hpp>
#include <linea/data/labels.hpp>
#include <linea/samples/training_set.hpp>
#include <string_view>
#include <utility>  // move
#include <vector>

namespace linea::models {

/// Refuses an empty x, and another number of targets than of rows.
template <class X>
void require_samples(std::string_view function, const X& x, Index targets) {
  require(x.rows() > 0 && x.cols() > 0, function, ": x is empty (", x.rows(), " x ", x.cols(), ")");
  require(targets == x.rows(), function, ": x has ", x.rows(), " rows but y has ", targets);
}

/// The classes that a classifier is fitted to.
template <class T>
struct WeightedClasses {
  ClassLabels labels;       ///< of samples whose weight times class weight is above 0
  Vector<Index> classes{};  ///< (n) the number of each sample's label; 0 for samples of weight 0
  Extras<T> extras{};       ///< the caller's, with these products for sample weights
};

/// Weighs the samples, and only then decides which classes there are. Refuses samples, labels,
/// sample weights and class weights that are not well-formed, and fewer than two classes.
template <class X, VectorLike Y, class T>
WeightedClasses<T> weighted_classes(std::string_view function, const ClassWeights& class_weights,
                                    const X& x, const Y& y, const Extras<T>& given) {
  require_samples(function, x, y.size());
  if (given.sample_weights.size() > 0)
    samples::largest_weight(function, y.size(), given.sample_weights);
  const ClassLabels all = ClassLabels(y);
  WeightedClasses<T> found{all, all.indices_of(y), given};
  Vector<T>& weights = found.extras.sample_weights;
  if (!class_weights.are_equal())
    weights = class_weights.times(function, all, found.classes, weights);
  Vector<double> counts = core::filled(all.size(), 0.0);
  for (Index i = 0; i < y.size(); ++i)
    counts[found.classes[i]] += weights.size() == 0 || weights[i] > T(0) ? 1 : 0;

  std::vector<double> labels;
  std::vector<Index> place(static_cast<std::size_t>(all.size()), 0);
  for (Index k = 0; k < all.size(); ++k)
    if (counts[k] > 0) {
      place[static_cast<std::size_t>(k)] = static_cast<Index>(labels.size());
      labels.push_back(all[k]);
    }
  require(!labels.empty(), function, ": all sample weights are zero");
  require(labels.size() > 1 || all.size() > 1, function, ": two classes are needed, but all ",
          y.size(), " samples are of class ", labels[0]);
  require(labels.size() > 1, function,
          ": two classes are needed, but all samples of weight above 0 are of class ", labels[0]);
  if (static_cast<Index>(labels.size()) == all.size()) return found;
  found.labels = ClassLabels(core::vector_of(labels));
  for (Index& k : found.classes) k = place[static_cast<std::size_t>(k)];
  return found;
}

}  // namespace linea::models
