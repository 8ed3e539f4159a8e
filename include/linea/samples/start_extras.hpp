// SPDX-License-Identifier: MIT
#pragma once
/// \file The start that extras hold, for those who have no use for all of it.
#include <cmath>  // isfinite
#include <linea/core/entries.hpp>
#include <linea/core/extras.hpp>
#include <linea/core/require.hpp>
#include <string_view>

namespace linea::samples {

/// Refuses start multipliers that are not finite or not n, where they are of no use.
template <class T>
void require_start_multipliers(std::string_view function, const Extras<T>& extras, Index n) {
  const auto& start = extras.start_multipliers;
  require(start.size() == 0 || (start.size() == n && core::all_finite(start)), function, ": ",
          start.size(), " start multipliers, not all finite or not ", n);
}

/// Refuses a start of weights and offset that are not finite or not d, where it is of no use.
template <class T>
void require_start_weights(std::string_view function, const Extras<T>& extras, Index d) {
  const auto& start = extras.start_weights;
  require(start.size() == 0 || (start.size() == d && core::all_finite(start)), function, ": ",
          start.size(), " start weights, not all finite or not ", d);
  require(std::isfinite(extras.start_offset), function, ": start_offset = ", extras.start_offset,
          " is not finite");
}

/// Refuses either start that is not well-formed, where none is of use, for x (n × d).
template <class T>
void require_start(std::string_view function, const Extras<T>& extras, Index n, Index d) {
  require_start_multipliers(function, extras, n);
  require_start_weights(function, extras, d);
}

/// The extras without start weights; a start_offset that comes alone stays, to be refused.
template <class T>
Extras<T> without_start_weights(Extras<T> extras) {
  if (extras.start_weights.size() > 0) extras.start_offset = 0;
  extras.start_weights.resize(0);
  return extras;
}

/// The extras without start multipliers, unless these are all that there is to start from.
template <class T>
Extras<T> without_start_multipliers(Extras<T> extras) {
  if (extras.start_weights.size() > 0) extras.start_multipliers.resize(0);
  return extras;
}

}  // namespace linea::samples
