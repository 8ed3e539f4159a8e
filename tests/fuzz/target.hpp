// SPDX-License-Identifier: MIT
#pragma once
/// \file What fuzz targets share: demands, and refusals that are none of their business.
#include <cstdlib>
#include <stdexcept>

inline void demand(bool condition) {
  if (!condition) std::abort();
}

/// Calls f, which may refuse its input. False if it does.
template <class F>
bool is_accepted(F&& f) {
  try {
    f();
  } catch (const std::invalid_argument&) {
    return false;
  }
  return true;
}
