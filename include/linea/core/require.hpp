// SPDX-License-Identifier: MIT
#pragma once
/// \file The door: wrong input is refused once, before any work, with a message that names both
/// facts.
#include <linea/core/compiler.hpp>
#include <linea/core/text_stream.hpp>
#include <stdexcept>
#include <string>

namespace linea {

/// Throws std::invalid_argument, or a kind of it, with all parts written one after the other.
template <class Refusal = std::invalid_argument, class... Parts>
[[noreturn]] void refuse(const Parts&... parts) {
  core::TextStream message;
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
