// SPDX-License-Identifier: MIT
#pragma once
/// \file Validation of samples before they are written: readers would reject the same samples.
#include <cmath>  // isfinite
#include <linea/core/by_rows.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/core/validate.hpp>
#include <string_view>

namespace linea::io {

/// Throws unless there are as many targets as samples, and at least one sample.
template <class X, class Y>
void require_samples(std::string_view function, const X& x, const Y& y) {
  detail::require_targets(function, x.rows(), x.cols(), y.size());
  require(x.rows() > 0, function, ": x has no rows");
}

/// Returns y[i] as T. Throws if the target is not finite; `shown` is the index in the message.
template <class T, class Y>
T sound_target(std::string_view function, const Y& y, Index i, Index shown) {
  const T target = static_cast<T>(y.coeff(i));
  require(std::isfinite(target), function, ": y(", shown, ") is not finite");
  return target;
}

/// Calls f(j, xᵢⱼ as T) for the entries of row i. Throws, with `shown` as the row in the message,
/// for numbers that are not finite and columns that do not ascend or are not in [0, d).
template <Scalar T, SampleMatrix X, class F>
void for_each_sound(std::string_view function, const X& x, Index i, Index shown, const F& f) {
  Index previous = -1;
  const auto pass = [&](Index j, T value) {
    require(0 <= j && j < x.cols(), function, ": row ", shown, " of x names column ", j,
            ", but x has ", x.cols(), " columns");
    require(std::isfinite(value), function, ": x(", shown, ", ", j, ") is not finite");
    require(j > previous, function, ": columns must ascend, but in row ", shown, " column ", j,
            " comes after ", previous);
    previous = j;
    f(j, value);
  };
  if constexpr (SparseSamples<X>) {
    const auto [begin, end] = detail::entries_of_row(function, x, i);
    for (Index k = begin; k < end; ++k)
      pass(static_cast<Index>(x.innerIndexPtr()[k]), static_cast<T>(x.valuePtr()[k]));
  } else {
    for (Index j = 0; j < x.cols(); ++j) pass(j, static_cast<T>(x.coeff(i, j)));
  }
}

}  // namespace linea::io
