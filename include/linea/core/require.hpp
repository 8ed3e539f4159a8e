// SPDX-License-Identifier: MIT
#pragma once
/// \file The door: wrong input is refused once, before any work, with a message that names both
/// facts.
#include <linea/core/compiler.hpp>
#include <locale>
#include <sstream>
#include <stdexcept>
#include <string>

namespace linea {

/// Throws std::invalid_argument, or a kind of it, with all parts written one after the other.
template <class Refusal = std::invalid_argument, class... Parts>
[[noreturn]] void refuse(const Parts&... parts) {
  std::ostringstream message;
  message.imbue(std::locale::classic());  // 60000 is never written 60.000
  (message << ... << parts);
  throw Refusal(message.str());
}

/// Refuses unless `condition` holds; the message is put together only when it does not.
template <class... Parts>
constexpr void require(bool condition, const Parts&... parts) {
  if (!condition) [[unlikely]]
    refuse(parts...);
}

}  // namespace linea
