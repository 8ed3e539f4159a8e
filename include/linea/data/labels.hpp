// SPDX-License-Identifier: MIT
#pragma once
/// \file Class labels, and their conversion to the targets of losses.
#include <algorithm>  // lower_bound, min
#include <cmath>      // isfinite, ldexp
#include <concepts>   // floating_point, integral, same_as
#include <cstdlib>    // qsort
#include <initializer_list>
#include <limits>
#include <linea/core/numbers.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <string>
#include <string_view>
#include <type_traits>  // is_unsigned
#include <utility>      // move
#include <vector>

namespace linea {

namespace detail {

/// Sorts numbers, removes duplicates and frees the memory of the duplicates.
inline void keep_distinct(std::vector<double>& numbers) {
  if (numbers.empty()) return;
  std::qsort(numbers.data(), numbers.size(), sizeof(double), [](const void* a, const void* b) {
    const double left = *static_cast<const double*>(a);
    const double right = *static_cast<const double*>(b);
    return (left > right) - (left < right);
  });
  std::vector<double> distinct;
  for (const double number : numbers)
    if (distinct.empty() || number != distinct.back()) distinct.push_back(number);
  numbers.swap(distinct);
}

}  // namespace detail

/// The distinct labels of the training samples, in ascending order, as doubles. Converts the labels
/// of any samples to class indices and targets. Errors are std::invalid_argument.
class ClassLabels {
 public:
  ClassLabels() = delete;  // a model needs labels
  ClassLabels(std::initializer_list<double> labels)
      : ClassLabels(Eigen::Map<const Vector<double>>(labels.begin(), Index(labels.size()))) {}

  /// Collects the labels of y (n), n > 0. Throws for labels that are not finite, and in the cases
  /// of label_of. Memory grows with the number of distinct labels, not with n.
  template <VectorLike Y>
  explicit ClassLabels(const Y& y) {
    require(y.size() > 0, "ClassLabels: y is empty");
    std::size_t most = 1024;
    for (Index i = 0; i < y.size(); ++i) {
      const double label = label_of(y.coeff(i));
      require(std::isfinite(label), "ClassLabels: y(", i, ") is not finite");
      if (labels_.size() == most) {
        detail::keep_distinct(labels_);
        most = 2 * labels_.size() + 1024;
      }
      labels_.push_back(label + 0.0);  // turns -0 into 0
    }
    detail::keep_distinct(labels_);
  }

  Index size() const { return static_cast<Index>(labels_.size()); }
  double operator[](Index k) const { return labels_[static_cast<std::size_t>(k)]; }
  const std::vector<double>& values() const& { return labels_; }
  std::vector<double> values() && { return std::move(labels_); }

  /// Returns the labels whose count in `counts` (k) is positive.
  ClassLabels present(const Vector<double>& counts) const {
    ClassLabels some = *this;
    some.labels_.clear();
    for (Index k = 0; k < size(); ++k)
      if (counts[k] > 0) some.labels_.push_back((*this)[k]);
    return some;
  }

  /// Returns whether `label` is one of the labels.
  bool holds(double label) const { return place_of(label) >= 0; }

  /// Returns the index of a label, 0 ≤ index < size(). Throws for an unknown label.
  Index index_of(double label) const { return find("ClassLabels::index_of", label); }

  /// Returns the index of each label of y (n). Throws for labels that this object does not hold.
  template <VectorLike Y>
  Vector<Index> indices_of(const Y& y) const {
    Vector<Index> indices(y.size());
    for (Index i = 0; i < y.size(); ++i)
      indices[i] = find("ClassLabels::indices_of", label_of(y.coeff(i)));
    return indices;
  }

  /// Returns targets for two classes: −1 for the smaller label, +1 for the larger label. With
  /// sample weights (n), samples of weight 0 may have any label, and their targets are −1. Throws
  /// if another sample has a third label, and unless this object holds exactly two labels.
  template <VectorLike Y, class T = double>
  Vector<double> encode(const Y& y, const Vector<T>& sample_weights = {}) const {
    require_two("ClassLabels::encode");
    Vector<double> targets(y.size());
    for (Index i = 0; i < y.size(); ++i) {
      const bool is_ignored = i < sample_weights.size() && sample_weights[i] == T(0);
      const double label = label_of(y.coeff(i));
      targets[i] = !is_ignored && find("ClassLabels::encode", label) == 1 ? 1.0 : -1.0;
    }
    return targets;
  }

  /// Returns the labels for targets or predictions −1 and +1 (n). Throws for other numbers, and
  /// unless this object holds exactly two labels.
  template <VectorLike Y>
  Vector<double> decode(const Y& targets) const {
    require_two("ClassLabels::decode");
    Vector<double> labels(targets.size());
    for (Index i = 0; i < targets.size(); ++i) {
      const auto target = targets.coeff(i);
      require(target == 1 || target == -1, "ClassLabels::decode: element ", i, " is ", target,
              ", but only -1 and +1 stand for labels");
      labels[i] = target == 1 ? labels_[1] : labels_[0];
    }
    return labels;
  }

  /// Returns targets (n) for labels y (n): +1 for class k, 0 ≤ k < size(), and −1 for all other
  /// classes. Throws for other k and other labels.
  template <VectorLike Y>
  Vector<double> one_against_rest(const Y& y, Index k) const {
    require(0 <= k && k < size(), "ClassLabels::one_against_rest: class ", k, " of ", size());
    Vector<double> targets(y.size());
    for (Index i = 0; i < y.size(); ++i)
      targets[i] = find("ClassLabels::one_against_rest", label_of(y.coeff(i))) == k ? 1.0 : -1.0;
    return targets;
  }

  /// Converts a label to double. Throws for an integer of 64 bits whose magnitude is 2⁵³ or more,
  /// because double cannot represent all such integers.
  template <class Label>
  static double label_of(Label label) {
    return detail::label_of("ClassLabels", label);
  }

 private:
  /// Returns the index of a label, or −1 if this object does not hold the label, as for NaN.
  Index place_of(double label) const {
    const auto found = std::lower_bound(labels_.begin(), labels_.end(), label);
    return found != labels_.end() && *found == label ? found - labels_.begin() : -1;
  }

  Index find(std::string_view function, double label) const {
    const Index place = place_of(label);
    if (place < 0) [[unlikely]]
      refuse(function, ": label ", detail::number_text(label), " is none of the ", size(),
             " known ones (", listed(), ")");
    return place;
  }

  void require_two(std::string_view function) const {
    if (size() == 2) return;
    refuse(function, ": two classes are needed, but there ", size() == 1 ? "is " : "are ", size(),
           " (", listed(), ")");
  }

  std::string listed() const {
    constexpr std::size_t limit = 10;
    std::string list;
    for (std::size_t k = 0; k < std::min(limit, labels_.size()); ++k) {
      if (k) list += ", ";
      detail::append_number(list, labels_[k]);
    }
    if (labels_.size() > limit) list += ", ...";
    return list;
  }

  std::vector<double> labels_;
};

namespace detail {

/// Returns the name of a type of labels, such as int32_t.
template <class Label>
std::string name_of_number() {
  if constexpr (std::same_as<Label, bool>) return "bool";
  if constexpr (std::floating_point<Label>)
    return sizeof(Label) == sizeof(float) ? "float" : "double";
  return text_of({std::is_unsigned_v<Label> ? "uint" : "int", 8 * sizeof(Label), "_t"});
}

/// Returns the labels (k) as numbers of type Label. Throws for a label that Label does not hold.
template <class Label>
Vector<Label> labels_as(std::string_view function, const ClassLabels& labels) {
  using Limits = std::numeric_limits<Label>;
  constexpr bool is_whole = std::integral<Label>;
  Vector<Label> converted(labels.size());
  for (Index k = 0; k < labels.size(); ++k) {
    const double label = labels[k];
    // The bounds are powers of two or 0: max() itself may not be a double.
    bool fits = !is_whole || (label >= static_cast<double>(Limits::lowest()) &&
                              label < std::ldexp(1.0, Limits::digits));
    if (fits) converted[k] = static_cast<Label>(label);
    fits = fits && static_cast<double>(converted[k]) == label;
    if (!fits)
      refuse(function, ": label ", number_text(label), " is no number of ", name_of_number<Label>(),
             "; predict<double> returns every label");
  }
  return converted;
}

}  // namespace detail

}  // namespace linea
