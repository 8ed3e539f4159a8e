// SPDX-License-Identifier: MIT
#pragma once
/// \file What a broken law is reported as. All of check/ shares this header and points.hpp.
#include <linea/core/text_stream.hpp>
#include <ostream>
#include <string>

namespace linea::check {

/// The law that does not hold, by the name of its function, and where, with both numbers.
struct Violation {
  std::string law;
  std::string message;

  friend bool operator==(const Violation&, const Violation&) = default;

  friend std::ostream& operator<<(std::ostream& out, const Violation& violation) {
    return out << violation.law << ": " << violation.message;
  }
};

namespace detail {

/// All parts written one after the other, numbers with every digit.
template <class... Parts>
std::string written(const Parts&... parts) {
  core::TextStream text;
  text.precision(17);
  (text << ... << parts);
  return text.str();
}

}  // namespace detail
}  // namespace linea::check
