// SPDX-License-Identifier: MIT
#pragma once
/// \file Validation of the start in extras, for optimizers that ignore a part of it.
#include <cmath>  // isfinite
#include <linea/core/entries.hpp>
#include <linea/core/extras.hpp>
#include <linea/core/require.hpp>
#include <string_view>

namespace linea::detail::samples {

/// Throws unless the start of dual variables, if any, has n finite entries.
template <class T>
void require_start_multipliers(std::string_view function, const Extras<T>& extras, Index n) {
  const auto& start = extras.start_multipliers;
  require(start.size() == 0 || (start.size() == n && detail::all_finite(start)), function, ": ",
          start.size(), " start multipliers, but ", n, " finite ones are needed");
}

/// Throws unless the start weights, if any, have d finite entries, and the start offset is finite.
template <class T>
void require_start_weights(std::string_view function, const Extras<T>& extras, Index d) {
  const auto& start = extras.start_weights;
  require(start.size() == 0 || (start.size() == d && detail::all_finite(start)), function, ": ",
          start.size(), " start weights, but ", d, " finite ones are needed");
  require(std::isfinite(extras.start_offset), function, ": start_offset = ", extras.start_offset,
          " is not finite");
}

/// Throws unless the dual variables and the weights of the start are valid for x (n × d).
template <class T>
void require_start(std::string_view function, const Extras<T>& extras, Index n, Index d) {
  require_start_multipliers(function, extras, n);
  require_start_weights(function, extras, d);
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

}  // namespace linea::detail::samples
