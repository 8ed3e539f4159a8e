// SPDX-License-Identifier: MIT
#pragma once
/// \file The message with which something is refused.
#include <stdexcept>
#include <string>

namespace linea::test {

/// What the std::invalid_argument says that f throws; "" if it throws none.
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
