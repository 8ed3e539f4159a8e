// SPDX-License-Identifier: MIT
#pragma once
/// \file The message of an error.
#include <stdexcept>
#include <string>

namespace linea::test {

/// The message of the std::invalid_argument of f; "" if it throws none.
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
