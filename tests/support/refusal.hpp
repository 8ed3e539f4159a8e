// SPDX-License-Identifier: MIT
#pragma once
/// \file Returns the message of an error.
#include <stdexcept>
#include <string>

namespace linea::test {

/// Calls f. Returns the message of its std::invalid_argument, or "" if f throws none.
template <class F>
std::string refusal_of(F&& f) {
  try {
    f();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace linea::test
