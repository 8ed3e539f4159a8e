// SPDX-License-Identifier: MIT
#pragma once
/// \file A stream for the text of messages and reports.
#include <ios>  // also std::locale, without the facets of <locale>
#include <linea/core/compiler.hpp>
#include <sstream>

namespace linea::core {

/// Numbers do not depend on the locale: 60000 is never written 60.000. When memory runs out, the
/// stream throws std::bad_alloc; a plain stream would keep half of the text and go on.
class TextStream : public std::ostringstream {
 public:
  TextStream() {
    imbue(std::locale::classic());
    exceptions(std::ios::badbit);
  }
};

}  // namespace linea::core
