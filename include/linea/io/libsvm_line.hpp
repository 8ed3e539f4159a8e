// SPDX-License-Identifier: MIT
#pragma once
/// \file One line of LIBSVM text, taken apart into label and entries.
#include <algorithm>  // find_if, min
#include <charconv>
#include <concepts>
#include <cstdint>
#include <limits>
#include <linea/core/types.hpp>
#include <linea/io/decimal.hpp>
#include <linea/io/text.hpp>
#include <string_view>
#include <system_error>  // errc

namespace linea::io {

/// The next line of `rest` that holds a sample, without comment and surrounding blanks; moves
/// `rest` behind it. False at the end.
inline bool next_libsvm_line(std::string_view& rest, std::string_view& line) {
  const auto is_space = [](char c) { return is_blank(c) || c == '\r'; };
  while (!rest.empty()) {
    const auto length = std::min(rest.find('\n'), rest.size());
    line = rest.substr(0, length);
    rest.remove_prefix(std::min(length + 1, rest.size()));
    line = line.substr(0, line.find('#'));
    while (!line.empty() && is_space(line.back())) line.remove_suffix(1);
    while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
    if (!line.empty()) return true;
  }
  return false;
}

/// Reads the parts of a line; each function returns where its part ends, or refuses.
template <Scalar T, std::signed_integral J>
class LibsvmLineReader {
 public:
  /// `features`: as in LibsvmOptions. If it is 0, there are at most `most_features`.
  LibsvmLineReader(const SourceText& source, bool zero_based, Index features, Index most_features)
      : source_(source),
        base_(zero_based ? 0 : 1),
        features_(features),
        columns_limit_(std::min(features ? features : most_features, largest())) {}

  /// Reads the label, which stands first.
  const char* label(const char* at, const char* last, double& label) const {
    return number(at, last, "label", label);
  }

  /// Reads `index:value`. The column counts from 0 and must be greater than `previous`.
  const char* entry(const char* at, const char* last, Index previous, Index& column,
                    T& value) const {
    Index index = 0;
    const char* const colon = column_index(at, last, index);
    column = index - base_;
    if (column <= previous || column >= columns_limit_) [[unlikely]]
      refuse_index(at, last, index, previous);
    return number(colon + 1, last, "value", value);
  }

 private:
  static const char* token_end(const char* at, const char* last) {
    return std::find_if(at, last, is_blank);
  }
  /// The largest column that J and Index hold.
  static constexpr Index largest() {
    return static_cast<Index>(
        std::min<std::int64_t>(std::numeric_limits<J>::max(), std::numeric_limits<Index>::max()));
  }

  /// Is there a character at `last`? If so, it is not a digit.
  bool is_followed(const char* last) const { return last != source_.end(); }

  /// Does the text end right behind a point? Then it may have been cut off.
  bool cut_off(const char* end) const { return end == source_.end() && end[-1] == '.'; }

  template <class Number>
  const char* number(const char* at, const char* last, std::string_view what, Number& value) const {
    if (is_followed(last)) [[likely]] {
      const char* const end = short_decimal(at, source_.end(), value);
      if (end && (is_blank(*end) || end == last)) [[likely]]
        return end;
    }
    return long_number(at, last, what, value);
  }

  template <class Number>
  const char* long_number(const char* at, const char* last, std::string_view what,
                          Number& value) const {
    const auto [end, fault] = scan_number(at, last, value);
    if (!fault && (end == last || is_blank(*end)) && !cut_off(end)) return end;
    refuse_number(at, last, end, what, fault);
  }

  /// Reads the index. Returns where its colon stands.
  const char* column_index(const char* at, const char* last, Index& index) const {
    if (is_followed(last)) [[likely]] {
      std::uint64_t digits = 0;
      const char* const colon = append_digits(at, digits);
      if (*colon == ':' && colon != at && colon - at <= std::numeric_limits<Index>::digits10)
          [[likely]] {
        index = static_cast<Index>(digits);
        return colon;
      }
    }
    const auto [colon, error] = std::from_chars(at, last, index);
    if (error != std::errc{} || colon == last || *colon != ':' || (index == 0 && *at == '-'))
      refuse_entry(at, last, error == std::errc::result_out_of_range);
    return colon;
  }

  [[noreturn]] void refuse_number(const char* at, const char* last, const char* end,
                                  std::string_view what, const char* fault) const {
    const char* stop = token_end(at, last);
    if (what == "label" && end != at && end != stop && *end == ',')
      source_.refuse_at(at, stop, "only one label a line can be read");
    if (what == "label" && end != at && end != stop && *end == ':')
      source_.refuse_at(at, stop, "label is missing");
    if (at == stop) source_.refuse_at(at, stop, what, " is missing");
    if (end != stop) source_.refuse_at(at, stop, what, " is not a number");
    if (!fault) source_.refuse_at(at, stop, what, " is cut off by the end of the text");
    source_.refuse_at(at, stop, what, ' ', fault);
  }

  [[noreturn]] void refuse_entry(const char* at, const char* last, bool too_large) const {
    const char* stop = token_end(at, last);
    if (too_large) source_.refuse_at(at, stop, "feature index is too large");
    if (std::string_view(at, static_cast<std::size_t>(stop - at)).substr(0, 4) == "qid:")
      source_.refuse_at(at, stop, "query groups (qid) cannot be read");
    source_.refuse_at(at, stop, "expected index:value with a whole number as index");
  }

  [[noreturn]] void refuse_index(const char* at, const char* last, Index index,
                                 Index previous) const {
    const char* stop = token_end(at, last);
    if (index == 0 && base_ == 1)
      source_.refuse_at(at, stop, "feature indices begin at 1 unless LibsvmOptions::zero_based");
    if (index < base_) source_.refuse_at(at, stop, "feature index is negative");
    if (index - base_ == previous)
      source_.refuse_at(at, stop, "feature ", index, " is given twice");
    if (index - base_ < previous)
      source_.refuse_at(at, stop, "feature indices must ascend: ", index, " comes after ",
                        previous + base_);
    if (features_ && index - base_ >= features_)
      source_.refuse_at(at, stop, "feature ", index, " lies beyond the ", features_,
                        " features of LibsvmOptions");
    if (index - base_ >= largest())
      source_.refuse_at(at, stop, "feature index does not fit ", 8 * sizeof(J),
                        " bits (std::int64_t as index type allows more)");
    source_.refuse_at(at, stop, "feature ", index, " lies beyond the ", columns_limit_,
                      " features that a text of this size is trusted with (most_features allows "
                      "more)");
  }

  const SourceText& source_;
  Index base_;
  Index features_;
  Index columns_limit_;
};

}  // namespace linea::io
