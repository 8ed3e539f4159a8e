// SPDX-License-Identifier: MIT
#pragma once
/// \file Samples in the text format of LIBSVM.
#include <algorithm>  // count, find_if, max, min
#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/data/split.hpp>
#include <linea/io/file.hpp>
#include <linea/io/text.hpp>
#include <linea/io/text_file.hpp>
#include <string>
#include <string_view>
#include <system_error>  // errc

namespace linea::io {

/// Moves `rest` behind the next line with a sample; `line` is that line without comment and
/// surrounding blanks. Returns false if no line with a sample is left.
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

/// The largest number of columns or entries that J and Index can count.
template <std::signed_integral J>
inline constexpr Index largest_count = static_cast<Index>(
    std::min<std::int64_t>(std::numeric_limits<J>::max(), std::numeric_limits<Index>::max()));

/// Reads the label and the entries of a line. A function returns the end of the part that it reads,
/// or throws.
template <Scalar T, std::signed_integral J>
class LibsvmLineReader {
  static constexpr Index largest = largest_count<J>;

 public:
  /// `features` is LibsvmOptions::features. If `features` is 0, there may be up to `most_features`
  /// features.
  LibsvmLineReader(const SourceText& source, bool zero_based, Index features, Index most_features)
      : source_(source),
        base_(zero_based ? 0 : 1),
        features_(features),
        columns_limit_(std::min(features ? features : most_features, largest)) {}

  /// Reads the label at the beginning of the line.
  const char* label(const char* at, const char* last, double& label) const {
    const char* const end = number(at, last, "label", label);
    require_exact_label(source_, {at, end}, label, "number the labels 0, 1, 2, ...");
    return end;
  }

  /// Reads `index:value`. The column counts from 0 and must exceed `previous`.
  const char* entry(const char* at, const char* last, Index previous, Index& column,
                    T& value) const {
    Index index = 0;
    const char* const colon = column_index(at, last, index);
    column = static_cast<Index>(static_cast<std::size_t>(index) - static_cast<std::size_t>(base_));
    if (column <= previous || column >= columns_limit_) [[unlikely]]
      refuse_index(at, last, index, previous);
    return number(colon + 1, last, "value", value);
  }

 private:
  /// Returns the word at the beginning of the line's rest [at, last).
  static std::string_view word_at(const char* at, const char* last) {
    return {at, std::find_if(at, last, is_blank)};
  }

  /// Returns whether the text continues behind the line, which ends at `last`. If so, the character
  /// at `last` is not a digit.
  bool is_followed(const char* last) const { return last != source_.end(); }

  /// Returns whether `end` is the end of the text and follows a decimal point: the number may have
  /// been cut off.
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
    const auto [end, fault] = scan_number({at, last}, value);
    if (!fault && (end == last || is_blank(*end)) && !cut_off(end)) return end;
    refuse_number(at, last, end, what, fault);
  }

  /// Reads the index of an entry into `index`. Returns a pointer to the colon behind the index.
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
    const std::string_view word = word_at(at, last);
    const std::string_view rest(end, word.data() + word.size());
    if (what == "label" && end != at && rest.starts_with(','))
      source_.refuse_at(word, "a line can have only one label");
    if (word.empty() || (what == "label" && end != at && rest.starts_with(':')))
      source_.refuse_at(word, what, " is missing");
    if (!rest.empty()) source_.refuse_at(word, what, " is not a number");
    if (!fault) source_.refuse_at(word, what, " is cut off by the end of the text");
    source_.refuse_at(word, what, ' ', fault);
  }

  [[noreturn]] void refuse_entry(const char* at, const char* last, bool too_large) const {
    const std::string_view word = word_at(at, last);
    if (too_large) source_.refuse_at(word, "feature index is too large");
    if (word.starts_with("qid:")) source_.refuse_at(word, "query groups (qid) cannot be read");
    source_.refuse_at(word, "expected index:value with a whole number as index");
  }

  [[noreturn]] void refuse_index(const char* at, const char* last, Index index,
                                 Index previous) const {
    const std::string_view word = word_at(at, last);
    if (index == 0 && base_ == 1)
      source_.refuse_at(word, "feature indices begin at 1 unless LibsvmOptions::zero_based");
    if (index < base_) source_.refuse_at(word, "feature index is negative");
    if (index - base_ == previous) source_.refuse_at(word, "feature ", index, " is given twice");
    if (index - base_ < previous)
      source_.refuse_at(word, "feature indices must ascend: ", index, " comes after ",
                        previous + base_);
    if (features_ && index - base_ >= features_)
      source_.refuse_at(word, "feature ", index, " lies beyond the ", features_,
                        " features of LibsvmOptions");
    if (index - base_ >= largest)
      source_.refuse_at(word, "feature index does not fit ", 8 * sizeof(J),
                        " bits (std::int64_t as index type allows more)");
    source_.refuse_at(word, "feature ", index, " lies beyond the ", columns_limit_,
                      " features that a text of this size may have (most_features allows more)");
  }

  const SourceText& source_;
  Index base_;
  Index features_;
  Index columns_limit_;
};

}  // namespace linea::io

namespace linea {

struct LibsvmOptions {
  Index features{0};  ///< columns of x; 0: as few as the indices allow
  /// With `features` = 0, an index above this limit is an error: the index may be mistyped, and
  /// training takes memory for all columns of x. 0 means 16 times the number of entries in the
  /// text, and at least 4,194,304.
  Index most_features{0};
  bool zero_based{false};  ///< do the feature indices begin at 0, not at 1?
};

namespace io {

/// Allocates samples of the largest size that the text may need. There are at most as many samples
/// as lines, and at most as many entries as colons outside comments. In valid text without blank
/// lines and comments both numbers are exact. Throws if J cannot count the entries.
template <Scalar T, std::signed_integral J>
LabelledData<T, J> libsvm_buffer(const SourceText& source) {
  const auto [newlines, colons, comments] =
      count_characters(source.text(), std::array{'\n', ':', '#'});
  const Index samples = newlines + (source.end()[-1] != '\n');
  Index entries = colons;
  if (comments > 0) {
    entries = 0;
    std::string_view line;
    for (std::string_view rest = source.text(); next_libsvm_line(rest, line);)
      entries += std::count(line.begin(), line.end(), ':');
  }
  require(entries <= largest_count<J>, source.name(), ": ", entries, " entries do not fit ",
          8 * sizeof(J), "-bit offsets: read with std::int64_t as the index type");
  const std::uint64_t bytes =
      (static_cast<std::uint64_t>(samples) + static_cast<std::uint64_t>(entries)) *
      (sizeof(J) + sizeof(T));
  const std::string what =
      "x of " + std::to_string(samples) + " samples with " + std::to_string(entries) + " entries";
  LabelledData<T, J> data;
  allocated(source.name(), bytes, what, [&] {
    data.x.resize(samples, 0);
    data.x.resizeNonZeros(entries);
    data.y.resize(samples);
  });
  detail::prefer_large_pages(data.x.innerIndexPtr(), static_cast<std::size_t>(entries));
  detail::prefer_large_pages(data.x.valuePtr(), static_cast<std::size_t>(entries));
  return data;
}

/// Reads the samples of a text with at least one sample.
template <Scalar T, std::signed_integral J>
LabelledData<T, J> libsvm_samples(const SourceText& source, const LibsvmOptions& options) {
  auto data = libsvm_buffer<T, J>(source);
  J* const columns = data.x.innerIndexPtr();
  T* const values = data.x.valuePtr();
  const LibsvmLineReader<T, J> reader(
      source, options.zero_based, options.features,
      options.most_features > 0 ? options.most_features : trusted_size(data.x.data().size()));
  std::string_view rest;
  std::string_view line;
  Index samples = 0;
  Index k = 0;
  Index width = options.features;
  for (rest = source.text(); next_libsvm_line(rest, line); ++samples) {
    const char* const last = line.data() + line.size();
    const char* at = reader.label(line.data(), last, data.y[samples]);
    Index previous = -1;
    while (at != last) {
      do ++at;
      while (is_blank(*at));
      T value;
      at = reader.entry(at, last, previous, previous, value);
      columns[k] = static_cast<J>(previous);
      values[k++] = value;
    }
    data.x.outerIndexPtr()[samples + 1] = static_cast<J>(k);
    width = std::max(width, previous + 1);
  }
  data.y.conservativeResize(samples);
  data.x.conservativeResize(samples, width);
  return data;
}

/// Returns whether the text has a line that is neither blank nor only a comment.
inline bool has_libsvm_sample(std::string_view text) {
  std::string_view line;
  return next_libsvm_line(text, line);
}

inline void require_libsvm_options(std::string_view function, const LibsvmOptions& options) {
  require(options.features >= 0, function, ": features is ", options.features,
          ", but must not be negative");
  require(options.most_features >= 0, function, ": most_features is ", options.most_features,
          ", but must not be negative");
}

}  // namespace io

/// Reads LIBSVM text into x (n × d, sparse) and y (n). `source_name` is the name of the text in
/// messages.
///
/// The text may have blank lines, comments from '#' to the end of a line, blanks and tabs around
/// and between the parts, line ends CRLF or CR, no final newline, samples without entries, and
/// numbers such as +1, 1e-3 or .5. Entries of value 0 are stored, so that reading a file of
/// `write_libsvm` returns the same matrix. A number too small for T becomes 0.
///
/// Throws std::invalid_argument "source:line:column: what, got 'text'" for text that is not a
/// number where a number is expected, NaN and infinity, numbers too large for T, labels that are
/// whole numbers above 2⁵³ and no doubles, feature indices that do not strictly ascend or exceed
/// `features`, `most_features` or J, more than one label, query groups, text without samples, and a
/// last number that is cut to "1.", "1e" or "-". More than 2³¹ − 1 entries need std::int64_t as J.
/// Throws also for negative options and if memory is exhausted.
///
/// Source: C.-C. Chang, C.-J. Lin, LIBSVM, ACM TIST 2(3), 2011, and its README for the format.
template <Scalar T, std::signed_integral J = int>
LabelledData<T, J> parse_libsvm(std::string_view text, std::string_view source_name,
                                const LibsvmOptions& options = {}) {
  io::require_libsvm_options("parse_libsvm", options);
  const io::SourceText source(text, source_name);
  if (!io::has_libsvm_sample(source.text())) source.refuse_without_sample();
  return io::libsvm_samples<T, J>(source, options);
}

/// Reads a LIBSVM file as `parse_libsvm` does; the whole file is in memory meanwhile. Throws
/// std::invalid_argument "read_libsvm: cannot open 'path': reason" if the file cannot be opened.
/// Throws early if the file is not text: compressed data, an archive, UTF-16, a byte 0, or a pipe
/// with a line longer than 2²⁸ bytes.
template <Scalar T, std::signed_integral J = int>
LabelledData<T, J> read_libsvm(const std::filesystem::path& path,
                               const LibsvmOptions& options = {}) {
  const auto bytes = io::read_text("read_libsvm", path);
  return parse_libsvm<T, J>(bytes.text(), path.string(), options);
}

}  // namespace linea
