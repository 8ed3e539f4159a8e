// SPDX-License-Identifier: MIT
#pragma once
/// \file Names, numbers and tables as C++11 source.
#include <algorithm>  // find
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>  // snprintf
#include <linea/core/number_text.hpp>
#include <linea/core/require.hpp>
#include <linea/files/model_writer.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace linea::files {

/// Is this a word of C++ itself?
inline bool is_keyword(std::string_view word) {
  static constexpr std::array<std::string_view, 98> keywords{
      "alignas",       "alignof",      "and",
      "and_eq",        "asm",          "auto",
      "bitand",        "bitor",        "bool",
      "break",         "case",         "catch",
      "char",          "char8_t",      "char16_t",
      "char32_t",      "class",        "co_await",
      "co_return",     "co_yield",     "compl",
      "concept",       "const",        "const_cast",
      "consteval",     "constexpr",    "constinit",
      "continue",      "decltype",     "default",
      "delete",        "do",           "double",
      "dynamic_cast",  "else",         "enum",
      "explicit",      "export",       "extern",
      "false",         "float",        "for",
      "friend",        "goto",         "if",
      "inline",        "int",          "long",
      "mutable",       "namespace",    "new",
      "noexcept",      "not",          "not_eq",
      "nullptr",       "operator",     "or",
      "or_eq",         "private",      "protected",
      "public",        "register",     "reinterpret_cast",
      "requires",      "return",       "short",
      "signed",        "sizeof",       "static",
      "static_assert", "static_cast",  "std",
      "struct",        "switch",       "template",
      "this",          "thread_local", "throw",
      "true",          "try",          "typedef",
      "typeid",        "typename",     "union",
      "unsigned",      "using",        "virtual",
      "void",          "volatile",     "wchar_t",
      "while",         "xor",          "xor_eq",
      "linux",         "unix",         "main",
      "errno",         "NULL"};
  return std::find(keywords.begin(), keywords.end(), word) != keywords.end();
}

/// Can this name a namespace in any program? A letter, then letters, digits and single underscores.
inline bool is_identifier(std::string_view name) {
  const auto is_letter = [](char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z'); };
  if (name.empty() || !is_letter(name[0]) || is_keyword(name)) return false;
  for (const char c : name)
    if (!is_letter(c) && !('0' <= c && c <= '9') && c != '_') return false;
  return name.find("__") == name.npos;
}

/// The names between "::". Refuses, in the name of `function`, what cannot name a namespace.
template <class Names = std::vector<std::string>>
Names namespaces_of(std::string_view function, std::string_view path) {
  Names names;
  for (std::string_view rest = path; !rest.empty();) {
    const auto end = std::min(rest.find("::"), rest.size());
    names.emplace_back(rest.substr(0, end));
    require(is_identifier(names.back()), function, ": '", path,
            "' cannot name a namespace of C++ in any program");
    rest.remove_prefix(end);
    if (rest.size() > 2) rest.remove_prefix(2);
  }
  return names;
}

/// A text that cannot end a comment, or go on in the next line: printable ASCII without \ and ?.
inline std::string comment_text(std::string_view text) {
  std::string safe(text);
  for (char& c : safe)
    if (c < 0x20 || c > 0x7e || c == '\\' || c == '?') c = '.';
  return safe;
}

/// "text" as a literal: all but letters, digits and a few signs by three octal digits.
inline std::string string_literal(std::string_view text) {
  constexpr std::string_view plain = " !#$&'()*+,-./:;<=>@[]^_`{|}~%";
  std::string literal = "\"";
  for (const char c : text) {
    const bool is_plain = ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') ||
                          ('0' <= c && c <= '9') || plain.find(c) != plain.npos;
    if (is_plain) {
      literal += c;
    } else {
      char octal[6];
      std::snprintf(octal, sizeof octal, "\\%03o",
                    static_cast<unsigned>(static_cast<unsigned char>(c)));
      literal += octal;
    }
  }
  return literal += '"';
}

/// The shortest literal that compiles to the same double, or float.
inline std::string number_literal(double value, bool is_float = false) {
  std::string text =
      is_float ? core::number_text(static_cast<float>(value)) : core::number_text(value);
  if (text.find_first_of(".e") == text.npos) text += ".0";
  if (is_float) text += 'f';
  return text;
}

/// An inline function `name` that returns a table of `type`: `at(k)` are its `size` elements.
template <class At>
void append_table(ModelWriter& out, std::string_view type, std::string_view name, std::size_t size,
                  At&& at) {
  out.text().append("inline const ").append(type).append("* ").append(name).append("() {\n");
  out.text()
      .append("  static constexpr ")
      .append(type)
      .append(" table[")
      .append(core::number_text(size));
  out.text() += "] = {";
  std::size_t column = 100;
  for (std::size_t k = 0; k < size; ++k) {
    const std::string element = at(k);
    const bool is_last = k + 1 == size;
    if (column + 1 + element.size() + (is_last ? 2 : 1) > 100) {
      out.text() += "\n     ";
      column = 5;
    }
    out.text().append(" ").append(element).append(is_last ? "};\n" : ",");
    column += element.size() + 2;
    out.pass_on();
  }
  out.text() += "  return table;\n}\n";
}

}  // namespace linea::files
