// SPDX-License-Identifier: MIT
#pragma once
/// \file What all JSON files of linea have: a format, its version and a checksum.
#include <cstdio>  // snprintf
#include <istream>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/io/checksum.hpp>
#include <linea/io/file.hpp>
#include <linea/io/json.hpp>
#include <string>
#include <string_view>

namespace linea::io {

/// Returns the checksum of a file whose text has been written or read up to the name of the member
/// "checksum": 16 hexadecimal digits for all bytes before this name.
inline std::string checksum_text(std::string_view text) {
  char digits[17];
  std::snprintf(
      digits, sizeof digits, "%016llx",
      static_cast<unsigned long long>(checksum(text.substr(0, text.rfind("\"checksum\"")))));
  return digits;
}

/// A kind of file: "model" or "learner", and the only version that this linea writes and reads.
struct DocumentKind {
  std::string_view what;
  Index version;
};

/// Returns the text of a file. pass(at) writes the members between version and checksum.
template <class Pass>
std::string document_text(const DocumentKind& kind, const Pass& pass) {
  JsonWriter at;
  at.open('{');
  at.key("format");
  at.text(detail::text_of({"linea ", kind.what}));
  at.key("version");
  at.whole(kind.version);
  pass(at);
  at.key("checksum");
  at.text(checksum_text(at.text()));
  at.close();
  return at.take() + '\n';
}

/// Reads the text of a file; pass(at) reads the members between version and checksum. Throws
/// std::invalid_argument with the reason and, if the text is damaged, with the line and column.
/// `hint` is for a text that begins as no file of linea, and `older` for one of a lower version.
template <class Pass>
void read_document(const DocumentKind& kind, std::string_view text, const std::string& name,
                   std::string_view hint, std::string_view older, const Pass& pass) {
  JsonReader at(text, name);
  require(!text.empty(), name, ": not a ", kind.what, " of linea: the file is empty");
  if (!(at.accept("{") && at.accept("\"format\"") && at.accept(":") &&
        at.accept(detail::text_of({"\"linea ", kind.what, "\""}))))
    refuse(name, ": not a ", kind.what, " of linea: it begins with '", escaped(text.substr(0, 20)),
           "'", hint);
  Index version = 0;
  at.key("version");
  at.whole(version);
  require(version >= kind.version, name, older);
  require(version == kind.version, name, ": a ", kind.what, " file of version ", version,
          ", but this linea reads no newer one than version ", kind.version);
  pass(at);
  at.key("checksum");
  const auto behind_key = static_cast<std::size_t>(at.rest().data() - text.data());
  const std::string sum = checksum_text(text.substr(0, behind_key));
  if (!at.accept("\"" + sum + "\""))
    at.refuse("the file is damaged: the checksum of its bytes is ", sum);
  at.close();
  if (!at.accept("") || !at.rest().empty()) at.refuse("expected the end of the ", kind.what);
}

/// Reads the text of a file at the current position of the stream, to the end of its last line,
/// which begins with "checksum". Reads no more than a byte of anything else.
inline std::string text_of_document(std::istream& in, const std::string& name) {
  std::string text;
  append_from(in, 1, text, name);
  for (std::string line; text.starts_with('{') && in && !line.starts_with("\"checksum\"");) {
    read_quietly(in, name, [&] { std::getline(in, line); });
    if (in) text.append(line).append(in.eof() ? "" : "\n");
  }
  return text;
}

}  // namespace linea::io
