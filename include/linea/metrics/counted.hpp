// SPDX-License-Identifier: MIT
#pragma once
/// \file The common part of all metrics: input validation, sample weights, and the positive label.
#include <algorithm>  // max, min, sort
#include <cmath>      // isnan
#include <concepts>   // integral, same_as
#include <limits>
#include <linea/core/numbers.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/core/validate.hpp>
#include <optional>
#include <string_view>
#include <type_traits>  // remove_cvref
#include <utility>      // declval, move
#include <vector>

namespace linea {
namespace detail {

/// Class labels: numbers, or an object such as ClassLabels whose values() are numbers.
template <class L>
concept Labels = Numbers<L> || requires(const L& labels) {
  { labels.values() } -> NumberRange;
};

template <Numbers V>
using number_t =
    typename std::remove_cvref_t<decltype(vector_of(std::declval<const V&>()))>::Scalar;

/// Converts v (n) to doubles. An expression is evaluated only once.
template <Numbers V>
Vector<double> doubles_of(const V& v) {
  return vector_of(v).template cast<double>();
}

/// Converts labels (n) to doubles. Throws std::invalid_argument as label_of does.
template <Labels L>
Vector<double> labels_of(std::string_view metric, const L& labels) {
  if constexpr (!Numbers<L>) {
    return labels_of(metric, labels.values());
  } else {
    using Label = number_t<L>;
    if constexpr (std::integral<Label> && sizeof(Label) == sizeof(double)) {
      const Vector<Label> whole = vector_of(labels);
      for (const Label label : whole) label_of(metric, label);
    }
    return doubles_of(labels);
  }
}

/// Sample weights (n) from any vector of numbers. An empty object means that all weights are 1.
struct SampleWeights : VectorFrom<double> {
  using VectorFrom::VectorFrom;
  /// Returns the weight of sample i.
  double of(Index i) const { return size() > 0 ? coeff(i) : 1.0; }
};

/// Returns the permutation that sorts values (n) in ascending order. This function and its callers
/// are templates, so that a program that does not call them compiles no sort.
template <std::same_as<Vector<double>> V>
std::vector<Index> order_of(const V& values) {
  std::vector<Index> order;
  for (Index i = 0; i < values.size(); ++i) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return values[a] < values[b]; });
  return order;
}

/// The samples of positive weight, m of n.
struct Weighed {
  std::vector<Index> rows{};  ///< the indices of these samples (m)
  Vector<double> weights{};   ///< (m)
  double total{0};            ///< sum of `weights`

  Index size() const { return weights.size(); }
  Index row(Index i) const { return rows[static_cast<std::size_t>(i)]; }

  /// Returns the weighted mean of f(i) for i < m.
  template <class F>
  double mean_of(F&& f) const {
    double sum = 0;
    for (Index i = 0; i < size(); ++i) sum += weights[i] * f(i);
    return sum / total;
  }
};

/// Returns the samples of positive weight. Throws std::invalid_argument unless there are n > 0
/// predictions and n weights or none, which are valid and not all 0.
inline Weighed weighed(std::string_view metric, Index answers, Index n,
                       const SampleWeights& sample_weights) {
  require(answers == n, metric, ": ", answers, " predictions but y has ", n);
  require(n > 0, metric, ": no samples");
  if (sample_weights.size() > 0)
    require_any_weight(metric, largest_weight(metric, n, sample_weights));
  Weighed result;
  for (Index i = 0; i < n; ++i)
    if (sample_weights.of(i) > 0) result.rows.push_back(i);
  result.weights.resize(static_cast<Index>(result.rows.size()));
  for (Index i = 0; i < result.size(); ++i)
    result.total += result.weights[i] = sample_weights.of(result.row(i));
  return result;
}

/// The samples of positive weight with their predictions.
struct Counted : Weighed {
  Vector<double> predicted{};  ///< (m)
  Vector<double> y{};          ///< (m)
};

/// Returns the samples of positive weight with their predictions. Throws std::invalid_argument as
/// `weighed` does, and if a prediction or target of these samples is NaN.
template <Numbers P, Numbers Y>
Counted counted(std::string_view metric, const P& predicted, const Y& y,
                const SampleWeights& sample_weights) {
  const Vector<double> p = doubles_of(predicted);
  const Vector<double> t = doubles_of(y);
  Weighed counts = weighed(metric, p.size(), t.size(), sample_weights);
  const Index m = counts.size();
  Counted result{std::move(counts), Vector<double>(m), Vector<double>(m)};
  for (Index i = 0; i < m; ++i) {
    const Index row = result.row(i);
    require(!std::isnan(p[row]), metric, ": prediction ", row, " is not a number");
    require(!std::isnan(t[row]), metric, ": y(", row, ") is not a number");
    result.predicted[i] = p[row];
    result.y[i] = t[row];
  }
  return result;
}

/// Returns counted(…) for predicted labels and labels, with the check of labels_of.
template <Numbers P, Numbers Y>
Counted counted_labels(std::string_view metric, const P& predicted, const Y& y,
                       const SampleWeights& sample_weights) {
  const Vector<double> p = labels_of(metric, predicted);
  return counted(metric, p, labels_of(metric, y), sample_weights);
}

}  // namespace detail

/// The positive label, to whose probability, score or prediction a binary metric refers.
///
/// | argument     | positive label           | requirement                         |
/// |--------------|--------------------------|-------------------------------------|
/// | none, or {}  | the larger label         | the samples have exactly two labels |
/// | a number     | this number              | none: all other labels are negative |
/// | model.labels | the larger of two labels | the samples have no other labels    |
///
/// linea's classifiers return the probability of the larger label. If all samples have the same
/// label, the positive label must be given. A score for CrossValidation passes model.labels because
/// a fold may have samples of one label only. Samples of weight 0 are ignored.
class PositiveLabel {
 public:
  PositiveLabel() = default;
  PositiveLabel(double label) : named_(label) {}
  template <detail::Labels L>
    requires(!Numbers<L>)
  PositiveLabel(const L& labels) : known_(detail::labels_of("PositiveLabel", labels)) {}

  /// Returns the positive label for samples with these labels. Throws std::invalid_argument if they
  /// do not meet the requirement in the table.
  double among(std::string_view metric, const Vector<double>& labels) const {
    if (named_) {
      require(!std::isnan(*named_), metric, ": the positive label is not a number");
      return *named_;
    }
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const double label : is_of_model() ? known_ : labels) {
      low = std::min(low, label);
      high = std::max(high, label);
    }
    if (is_of_model())
      require(known_.size() == 2, metric, ": two labels are needed, but the model has ",
              known_.size());
    for (const double label : labels)
      if (label != low && label != high) {
        if (is_of_model())
          refuse(metric, ": the label ", label, " is neither ", low, " nor ", high);
        refuse(metric, ": there are more than two labels, such as ", low, ", ", label, " and ",
               high, ", so the positive one must be named");
      }
    require(low < high, metric, ": ", high,
            " is the only label, so the positive one must be named");
    return high;
  }

  /// Returns whether the positive label is a label of a model, which the samples need not have.
  bool is_of_model() const { return known_.size() > 0; }

 private:
  std::optional<double> named_{};
  Vector<double> known_{};  // the labels of a model
};

}  // namespace linea
