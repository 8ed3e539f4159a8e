// SPDX-License-Identifier: MIT
#pragma once
/// \file Reader of LIBSVM (svmlight) text: one sample a line, `label index:value index:value …`.
#include <algorithm>  // count, max, min
#include <charconv>
#include <concepts>
#include <filesystem>
#include <limits>
#include <linea/core/require.hpp>
#include <linea/data/file.hpp>
#include <linea/data/labelled_data.hpp>
#include <linea/data/text.hpp>
#include <string>
#include <string_view>

namespace linea {

struct LibsvmOptions {
  Index features{0};       ///< columns of x; 0: as many as the largest index needs
  bool zero_based{false};  ///< the first feature is 0 rather than 1
  /// A file cut off inside its last number may still be a valid text ("3:1.5" cut to "3:1"). Files
  /// whose every line is known to end in a newline can be told from cut ones by asking for it.
  bool final_newline_required{false};
};

namespace detail {

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
template <Scalar T, std::signed_integral I>
class LibsvmLineReader {
 public:
  LibsvmLineReader(const SourceText& source, const LibsvmOptions& options)
      : source_(source), base_(options.zero_based ? 0 : 1), features_(options.features) {}

  const char* label(const char* at, const char* last, T& label) const {
    const auto [end, fault] = scan_number(at, last, label);
    if (ends(end, last) && !fault && !cut_off(end)) [[likely]]
      return end;
    const char* stop = token_end(at, last);
    if (end != at && end != stop && *end == ',')
      source_.refuse_at(at, stop, "only one label a line can be read");
    if (end != at && end != stop && *end == ':') source_.refuse_at(at, stop, "label is missing");
    refuse_number(at, last, end, "label", fault);
  }

  /// The column counts from 0 and must pass `previous`.
  const char* entry(const char* at, const char* last, Index previous, I& column, T& value) const {
    Index index = 0;
    const auto [colon, error] = std::from_chars(at, last, index);
    if (error != std::errc{} || colon == last || *colon != ':') [[unlikely]]
      refuse_entry(at, last, error == std::errc::result_out_of_range);
    if (index < base_ || index - base_ <= previous || index - base_ >= columns_limit()) [[unlikely]]
      refuse_index(at, last, index, previous);
    column = static_cast<I>(index - base_);
    const auto [end, fault] = scan_number(colon + 1, last, value);
    if (ends(end, last) && !fault && !cut_off(end)) [[likely]]
      return end;
    refuse_number(colon + 1, last, end, "value", fault);
  }

 private:
  static bool ends(const char* end, const char* last) { return end == last || is_blank(*end); }
  static const char* token_end(const char* at, const char* last) {
    return std::find_if(at, last, is_blank);
  }
  static constexpr Index largest() { return static_cast<Index>(std::numeric_limits<I>::max()); }
  Index columns_limit() const { return features_ ? std::min(features_, largest()) : largest(); }

  /// Nothing comes behind the point, not even the end of the line.
  bool cut_off(const char* end) const { return end == source_.end() && end[-1] == '.'; }

  [[noreturn]] void refuse_number(const char* at, const char* last, const char* end,
                                  std::string_view what, const char* fault) const {
    const char* stop = token_end(at, last);
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
    source_.refuse_at(at, stop, "feature index does not fit ", 8 * sizeof(I),
                      " bits (std::int64_t as index type allows more)");
  }

  const SourceText& source_;
  Index base_;
  Index features_;
};

}  // namespace detail

/// Reads LIBSVM text into x (n × d, sparse) and y (n); `source_name` stands for it in messages.
///
/// Allowed: blank lines, comments from '#' to the end of the line, blanks and tabs around and
/// between the parts, CRLF, no newline at the very end, samples without entries, numbers such as
/// +1, 1e-3 or .5. Entries of value 0 are stored like any other, so that reading what
/// `write_libsvm` wrote gives back the same matrix. A number too small for T becomes 0.
///
/// Refused, by std::invalid_argument "source:line:column: what, got 'text'": anything that is not a
/// number where one belongs, NaN and infinity, numbers too large for T, feature indices that are not
/// strictly ascending or beyond `features` or I, more than one label, query groups, text without
/// any sample, and a last number of which only "1.", "1e" or "-" is there. See LibsvmOptions for the
/// cuts that leave a valid text behind. More than 2³¹ − 1 entries need std::int64_t as I.
///
/// Source: C.-C. Chang, C.-J. Lin, LIBSVM, ACM TIST 2(3), 2011, and its README for the format.
template <Scalar T, std::signed_integral I = int>
LabelledData<T, I> parse_libsvm(std::string_view text, std::string_view source_name,
                                const LibsvmOptions& options = {}) {
  require(options.features >= 0, "parse_libsvm: features is ", options.features,
          ", but must not be negative");
  const detail::SourceText source(text, source_name);
  std::string_view line;
  Index samples = 0;
  Index entries = 0;  // an upper bound: each takes one colon
  for (std::string_view rest = source.text(); detail::next_libsvm_line(rest, line); ++samples)
    entries += std::count(line.begin(), line.end(), ':');
  if (samples == 0) source.refuse_at(source.end(), source.end(), "there is no sample");
  if (options.final_newline_required && source.end()[-1] != '\n')
    source.refuse_at(source.end(), source.end(), "the last line must end in a newline");
  require(entries <= static_cast<Index>(std::numeric_limits<I>::max()), source_name, ": ", entries,
          " entries do not fit ", 8 * sizeof(I), "-bit offsets: read with std::int64_t as I");

  LabelledData<T, I> data{SparseMatrix<T, I>(samples, 0), Vector<T>(samples)};
  data.x.resizeNonZeros(entries);
  I* const columns = data.x.innerIndexPtr();
  T* const values = data.x.valuePtr();
  const detail::LibsvmLineReader<T, I> reader(source, options);
  Index sample = 0;
  Index k = 0;
  Index width = options.features;
  for (std::string_view rest = source.text(); detail::next_libsvm_line(rest, line); ++sample) {
    const char* const last = line.data() + line.size();
    const char* at = reader.label(line.data(), last, data.y[sample]);
    Index previous = -1;
    while (at != last) {
      if (detail::is_blank(*at)) {
        ++at;
        continue;
      }
      I column{};
      T value{};
      at = reader.entry(at, last, previous, column, value);
      columns[k] = column;
      values[k++] = value;
      previous = static_cast<Index>(column);
    }
    data.x.outerIndexPtr()[sample + 1] = static_cast<I>(k);
    width = std::max(width, previous + 1);
  }
  data.x.conservativeResize(samples, width);
  return data;
}

/// The same from a file, all of which is held in memory while it is read. A file that cannot be
/// opened is refused by std::invalid_argument "read_libsvm: cannot open 'path': reason".
template <Scalar T, std::signed_integral I = int>
LabelledData<T, I> read_libsvm(const std::filesystem::path& path,
                               const LibsvmOptions& options = {}) {
  const std::string text = detail::read_file("read_libsvm", path);
  return parse_libsvm<T, I>(text, path.string(), options);
}

}  // namespace linea
