// SPDX-License-Identifier: MIT
#pragma once
/// \file Validation of samples, targets, weights and starts for every optimizer.
#include <algorithm>  // max
#include <cmath>      // abs, isfinite
#include <concepts>   // same_as
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/core/extras.hpp>
#include <linea/core/numbers.hpp>
#include <linea/core/objective.hpp>
#include <linea/core/parameters.hpp>
#include <linea/core/validate.hpp>
#include <linea/rows/in_double.hpp>
#include <linea/samples/all_rows.hpp>
#include <memory>  // shared_ptr
#include <string_view>
#include <vector>

namespace linea::detail::samples {

/// The columns of x that a run keeps, ascending: see present_columns.hpp.
struct KeptColumns {
  std::vector<Index> columns;
  Index all;  ///< number of columns of x

  Index size() const { return static_cast<Index>(columns.size()); }
  Index at(Index k) const { return columns[static_cast<std::size_t>(k)]; }
};

/// Rows (n × d) in place, targets y (n), and sample weights (n) scaled to mean 1, or no weights.
/// The rows may be relative to an origin (d), see origin.hpp, and may have only some columns of x.
template <class Rows>
struct TrainingSet {
  using T = typename Rows::Scalar;

  Rows rows;
  Vector<T> y{};
  Vector<T> weights{};
  std::shared_ptr<const Vector<T>> origin{};
  std::shared_ptr<const KeptColumns> columns{};  ///< null: all

  /// Returns the object that combines values of all parts of divided samples: see all_rows.hpp.
  decltype(auto) all() const { return all_of(rows); }
  Index all_rows() const { return count_of_all(rows); }
  /// Returns sᵢ, scaled to mean 1 over all rows.
  T weight(Index i) const { return weights.size() ? weights[i] : T(1); }
};

/// Returns the start weights (d) of the extras, or zeros if there are none. Throws if the start is
/// not finite, its size is not 0 or d, or this optimizer cannot use it.
template <class T>
Vector<T> start_weights(std::string_view function, const Extras<T>& extras, Index d,
                        bool has_offset) {
  require(extras.start_offset == T(0) || (extras.start_weights.size() > 0 && has_offset), function,
          ": a start_offset needs start_weights and an offset");
  require(extras.start_multipliers.size() == 0, function,
          ": start_multipliers are for DualCoordinateAscent; use start_weights");
  if (extras.start_weights.size() == 0) return Vector<T>::Zero(d);
  require(extras.start_weights.size() == d, function, ": ", extras.start_weights.size(),
          " start weights for ", d, " features");
  require(detail::all_finite(extras.start_weights) && std::isfinite(extras.start_offset), function,
          ": the start is not finite");
  return extras.start_weights;
}

/// Throws unless the start dual variables (n) and the start weights (d), if any, are finite, and so
/// is the start offset. For optimizers that ignore a part of the start.
template <class T>
void require_start(std::string_view function, const Extras<T>& extras, Index n, Index d) {
  const auto require_finite = [&](const auto& start, std::string_view name, Index size) {
    require(start.size() == 0 || (start.size() == size && detail::all_finite(start)), function,
            ": ", start.size(), " start ", name, ", but ", size, " finite ones are needed");
  };
  require_finite(extras.start_multipliers, "multipliers", n);
  require_finite(extras.start_weights, "weights", d);
  require(std::isfinite(extras.start_offset), function, ": start_offset = ", extras.start_offset,
          " is not finite");
}

/// Returns the extras without the start weights and their start offset. A start offset without
/// start weights stays, so that the optimizer rejects this offset.
template <class T>
Extras<T> without_start_weights(Extras<T> extras) {
  if (extras.start_weights.size() > 0) extras.start_offset = 0;
  extras.start_weights.resize(0);
  return extras;
}

/// Returns the extras without the start of dual variables if there are start weights.
template <class T>
Extras<T> without_start_multipliers(Extras<T> extras) {
  if (extras.start_weights.size() > 0) extras.start_multipliers.resize(0);
  return extras;
}

/// Returns the sample weights (n) scaled to mean 1 over all rows, or an empty vector if no part has
/// sample weights. Throws unless there are n weights, all in [0, 1e150], and one weight of all
/// parts is at least 1e-150.
template <class T, class All = AllRowsHere>
Vector<T> admit_weights(std::string_view function, Index n, const Vector<T>& sample_weights,
                        const All& all = {}) {
  if (!all.any(sample_weights.size() > 0)) return {};
  const double largest = all.largest(detail::largest_weight(function, n, sample_weights));
  detail::require_any_weight(function, largest);
  const Vector<detail::DoubleFor<T>> shares = sample_weights.template cast<double>() / largest;
  const auto count = static_cast<double>(all.sum(n));
  return (shares * (count / all.sum(shares.sum()))).template cast<T>();
}

/// Throws if x has no rows or no columns, or if the parts of x differ in their number of columns.
template <class Rows>
void require_shape(std::string_view function, const Rows& rows) {
  const auto most = static_cast<Index>(all_of(rows).largest(static_cast<double>(rows.cols())));
  require(rows.cols() == most, function, ": x has ", rows.cols(), " columns, but ", most,
          " on another rank");
  require(count_of_all(rows) > 0 && rows.cols() > 0, function, ": x is empty (", count_of_all(rows),
          " x ", rows.cols(), ")");
}

/// Returns the validated samples without targets. `targets` is the number of targets. Throws if
/// sizes differ, x is empty or has more than 2³² − 1 rows, an entry is not finite or above 1e150, a
/// sparse row has a column twice or a column outside [0, d), or the sample weights are not valid.
/// Rows and columns in messages count from 0.
template <AnySamples X>
auto admit_samples(std::string_view function, const X& x, Index targets,
                   const Vector<scalar_t<X>>& sample_weights) {
  TrainingSet<decltype(rows_of(x))> set{rows_of(x), {}, {}};
  static_assert(RowsOf<decltype(set.rows), scalar_t<X>>,
                "rows_of(x) lacks a member of RowsOf, core/rows.hpp");
  require_shape(function, set.rows);
  detail::require_targets(function, x.rows(), x.cols(), targets);
  require(static_cast<std::uint64_t>(x.rows()) <= std::numeric_limits<std::uint32_t>::max(),
          function, ": x has ", x.rows(), " rows, more than 2^32 - 1");
  rows::require_distinct(function, set.rows);
  rows::require_entries(function, set.rows);
  set.weights = admit_weights(function, targets, sample_weights, set.all());
  return set;
}

/// Validates samples as `admit_samples` does, and returns them in double; entries of x are
/// converted as they are read.
template <AnySamples X>
auto admit_samples_in_double(std::string_view function, const X& x, Index targets,
                             const Vector<scalar_t<X>>& sample_weights) {
  if constexpr (std::same_as<scalar_t<X>, double>)
    return admit_samples(function, x, targets, sample_weights);
  else
    return admit_samples(function, in_double(x), targets, sample_weights.template cast<double>());
}

/// Throws unless the target is valid for the loss, as a number of type T, and at most 1e150 in
/// magnitude. `what` is the name of the target in the message.
template <class T, Loss L, class... What>
void require_target(std::string_view function, const L& loss, double target, const What&... what) {
  if (!is_valid_target(loss, static_cast<T>(target))) [[unlikely]]
    refuse(function, ": ", what..., " = ", target, " is no target of ", name_of(loss),
           ", which takes ", targets_of(loss),
           takes_labels(loss) ? ": ClassLabels(y).encode(y) turns two labels into these; "
                                "recipes and OneVsRest take any labels"
                              : "");
  detail::require_in_range(function, target, what...);
}

/// Returns y with scalar T. Throws for an element that is not a target of the loss.
template <class T, Loss L, Numbers Y>
Vector<T> admit_targets(std::string_view function, const L& loss, const Y& y) {
  const auto& numbers = detail::vector_of(y);
  Vector<T> targets = numbers.template cast<T>();
  for (Index i = 0; i < targets.size(); ++i)
    require_target<T>(function, loss, static_cast<double>(numbers[i]), "y(", i, ")");
  return targets;
}

/// Throws if the targets of samples of positive weight are all below least_number and not all 0, in
/// y (n) or a column of y (n × k).
template <class Rows, class Y>
void require_target_sizes(std::string_view function, const TrainingSet<Rows>& set, const Y& y) {
  for (Index k = 0; k < y.cols(); ++k) {
    double largest = 0;
    for (Index i = 0; i < y.rows(); ++i)
      if (set.weight(i) > 0) largest = std::max(largest, std::abs(static_cast<double>(y(i, k))));
    detail::require_not_tiny(function, set.all().largest(largest),
                             y.cols() == 1 ? "y" : "a column of y");
  }
}

/// Returns the validated samples with targets.
template <Loss L, AnySamples X, Numbers Y>
auto admit(std::string_view function, const L& loss, const X& x, const Y& y,
           const Vector<scalar_t<X>>& sample_weights = {}) {
  auto set = admit_samples(function, x, detail::vector_of(y).size(), sample_weights);
  set.y = admit_targets<scalar_t<X>>(function, loss, y);
  require_target_sizes(function, set, set.y);
  return set;
}

/// Validates samples with targets as `admit` does, and returns them in double.
template <Loss L, AnySamples X, Numbers Y>
auto admit_in_double(std::string_view function, const L& loss, const X& x, const Y& y,
                     const Vector<scalar_t<X>>& sample_weights = {}) {
  auto set = admit_samples_in_double(function, x, detail::vector_of(y).size(), sample_weights);
  set.y = admit_targets<double>(function, loss, y);
  require_target_sizes(function, set, set.y);
  return set;
}

}  // namespace linea::detail::samples
