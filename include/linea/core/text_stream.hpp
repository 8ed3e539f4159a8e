// SPDX-License-Identifier: MIT
#pragma once
/// \file A stream that makes the text of a message or a report.
#include <ios>  // and std::locale, without the facets of <locale>
#include <linea/core/compiler.hpp>
#include <sstream>

namespace linea::core {

/// Numbers are written the same whatever the locale is: 60000 is never written 60.000. Where memory
/// runs out std::bad_alloc comes through; a plain stream would keep it, and half of the text.
class TextStream : public std::ostringstream {
 public:
  TextStream() {
    imbue(std::locale::classic());
    exceptions(std::ios::badbit);
  }
};

}  // namespace linea::core
