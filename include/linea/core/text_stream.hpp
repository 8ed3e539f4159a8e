// SPDX-License-Identifier: MIT
#pragma once
/// \file A stream for the text of messages and reports.
#include <ios>  // also std::locale, without the facets of <locale>
#include <linea/core/compiler.hpp>
#include <sstream>

namespace linea::detail {

/// A stream whose numbers do not depend on the locale: 60000 is never written 60.000. If memory
/// runs out, it throws std::bad_alloc; a std::ostringstream would keep a part of the text without
/// an error.
class TextStream : public std::ostringstream {
 public:
  TextStream() {
    imbue(std::locale::classic());
    exceptions(std::ios::badbit);
  }
};

}  // namespace linea::detail
