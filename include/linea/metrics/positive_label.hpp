// SPDX-License-Identifier: MIT
#pragma once
/// \file Which of two labels a metric calls the positive one.
#include <algorithm>  // max, min
#include <cmath>      // isnan
#include <limits>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/metrics/numbers.hpp>
#include <optional>
#include <string_view>

namespace linea {

/// The positive label: the one whose probability, score or prediction a metric is about.
///
/// | argument     | positive                 | requirement                         |
/// |--------------|--------------------------|-------------------------------------|
/// | none, or {}  | the larger label         | the samples have exactly two labels |
/// | a number     | this label               | none: all other labels are negative |
/// | model.labels | the larger of two labels | the samples have no other labels    |
///
/// The larger label is the one whose probability classifiers give. Samples of one label do not show
/// whether it is the larger one, so it must be named then. A score for CrossValidation passes
/// model.labels, because a fold may have samples of one label only. Samples of weight 0 are
/// ignored.
class PositiveLabel {
 public:
  PositiveLabel() = default;
  PositiveLabel(double label) : named_(label) {}
  template <metrics::Labels L>
    requires(!Numbers<L>)
  PositiveLabel(const L& labels) : known_(metrics::labels_of(labels)) {}

  /// The positive one of the labels that samples have. Throws
  /// std::invalid_argument where the table above is not met.
  double among(std::string_view metric, const Vector<double>& labels) const {
    if (named_) {
      require(!std::isnan(*named_), metric, ": the positive label is not a number");
      return *named_;
    }
    return known_.size() > 0 ? of_model(metric, labels) : larger_of(metric, labels);
  }

  /// Is it one of a model's labels, though samples need not have it?
  bool is_of_model() const { return known_.size() > 0; }

 private:
  double of_model(std::string_view metric, const Vector<double>& labels) const {
    require(known_.size() == 2, metric, ": two labels are needed, but the model has ",
            known_.size());
    for (const double label : labels)
      require(label == known_[0] || label == known_[1], metric, ": the label ", label,
              " is neither ", known_[0], " nor ", known_[1]);
    return std::max(known_[0], known_[1]);
  }

  static double larger_of(std::string_view metric, const Vector<double>& labels) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const double label : labels) {
      low = std::min(low, label);
      high = std::max(high, label);
    }
    for (const double label : labels)
      require(label == low || label == high, metric, ": there are more than two labels, such as ",
              low, ", ", label, " and ", high, ", so the positive one must be named");
    require(low < high, metric, ": ", high,
            " is the only label, so the positive one must be named");
    return high;
  }

  std::optional<double> named_{};
  Vector<double> known_{};  // of a model
};

}  // namespace linea
