// SPDX-License-Identifier: MIT
#pragma once
/// \file The door of every optimizer: what has passed it is well-formed, and need not be asked
/// again.
#include <cmath>     // isfinite
#include <concepts>  // same_as
#include <limits>
#include <linea/core/extras.hpp>
#include <linea/core/objective.hpp>
#include <linea/core/parameters.hpp>
#include <linea/rows/in_double.hpp>
#include <string_view>

namespace linea::samples {

/// Rows (n × d) in place, with targets y (n) and sample weights scaled to mean 1 (n), or none.
template <class Rows>
struct TrainingSet {
  using T = typename Rows::Scalar;

  Rows rows;
  Vector<T> y;
  Vector<T> weights{};
};

/// Where a run starts: the extras' weights (d), or zero. Refuses another size and weights that are
/// not finite.
template <class T>
Vector<T> start_weights(std::string_view function, const Extras<T>& extras, Index d,
                        bool has_offset) {
  require(extras.start_offset == T(0) || (extras.start_weights.size() > 0 && has_offset), function,
          ": a start_offset goes with start_weights and an offset");
  require(extras.start_multipliers.size() == 0, function,
          ": start_multipliers are for DualCoordinateAscent; a start of this is start_weights");
  if (extras.start_weights.size() == 0) return Vector<T>::Zero(d);
  require(extras.start_weights.size() == d, function, ": ", extras.start_weights.size(),
          " start weights for ", d, " features");
  require(extras.start_weights.allFinite() && std::isfinite(extras.start_offset), function,
          ": the start is not finite");
  return extras.start_weights;
}

/// Refuses sizes that differ, an empty matrix, entries that are not finite, and sample weights that
/// are negative, not finite or all zero. Row and column count from 0.
template <Samples X, VectorLike Y>
auto admit_samples(std::string_view function, const X& x, const Y& y,
                   const Vector<scalar_t<X>>& sample_weights) {
  using T = scalar_t<X>;
  require(x.rows() > 0 && x.cols() > 0, function, ": x is empty (", x.rows(), " x ", x.cols(), ")");
  require(x.rows() == y.size(), function, ": x has ", x.rows(), " rows but y has ", y.size());
  require(static_cast<std::uint64_t>(x.rows()) <= std::numeric_limits<std::uint32_t>::max(),
          function, ": x has ", x.rows(), " rows, more than 2^32 - 1");

  static_assert(RowsOf<decltype(rows_of(x)), T>,
                "rows_of(x) lacks a member of RowsOf, core/rows.hpp");
  TrainingSet<decltype(rows_of(x))> set{rows_of(x), y.template cast<T>(), {}};
  rows::require_finite(function, set.rows);
  rows::require_distinct(function, set.rows);
  if (sample_weights.size() > 0) {
    require(sample_weights.size() == y.size(), function, ": ", sample_weights.size(),
            " sample weights but y has ", y.size());
    for (Index i = 0; i < sample_weights.size(); ++i) {
      const T s = sample_weights[i];
      require(std::isfinite(s) && s >= 0, function, ": sample weight ", i, " is ", s);
    }
    const auto largest = static_cast<double>(sample_weights.maxCoeff());
    require(largest > 0, function, ": all sample weights are zero");
    const Eigen::VectorXd shares = sample_weights.template cast<double>() / largest;
    set.weights = (shares * (static_cast<double>(y.size()) / shares.sum())).template cast<T>();
  }
  return set;
}

/// The same, and refuses targets that the loss does not take.
template <Loss L, Samples X, VectorLike Y>
auto admit(std::string_view function, const L& loss, const X& x, const Y& y,
           const Vector<scalar_t<X>>& sample_weights = {}) {
  auto set = admit_samples(function, x, y, sample_weights);
  for (Index i = 0; i < set.y.size(); ++i)
    if (!is_valid_target(loss, set.y[i])) [[unlikely]]
      refuse(function, ": y(", i, ") = ", y[i], " is no target of ", name_of(loss),
             ", which takes ", targets_of(loss));
  return set;
}

/// The same with all numbers of double, those of x converted as they are read.
template <Loss L, Samples X, VectorLike Y>
auto admit_in_double(std::string_view function, const L& loss, const X& x, const Y& y,
                     const Vector<scalar_t<X>>& sample_weights = {}) {
  if constexpr (std::same_as<scalar_t<X>, double>)
    return admit(function, loss, x, y, sample_weights);
  else
    return admit(function, loss, in_double(x), y, sample_weights.template cast<double>());
}

}  // namespace linea::samples
