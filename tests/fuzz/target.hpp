// SPDX-License-Identifier: MIT
#pragma once
/// \file Common parts of fuzz targets: assertions, and detection of refused inputs.
#include <cstdlib>
#include <stdexcept>

inline void demand(bool condition) {
  if (!condition) std::abort();
}

/// Calls f. Returns false if f refuses its input with std::invalid_argument.
template <class F>
bool is_accepted(F&& f) {
  try {
    f();
  } catch (const std::invalid_argument&) {
    return false;
  }
  return true;
}
