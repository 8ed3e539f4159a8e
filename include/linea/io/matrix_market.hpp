// SPDX-License-Identifier: MIT
#pragma once
/// \file Reader of Matrix Market files: a sparse or dense matrix as text.
#include <algorithm>  // find, min, sort, transform
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/io/text.hpp>
#include <linea/io/text_file.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace linea {

template <Scalar T, class J = int>
struct [[nodiscard]] MatrixMarketData {
  SparseMatrix<T, J> x{};  ///< (n × d), compressed; of a dense file every entry is stored
  bool is_dense{false};    ///< the file lists all entries ("array")
};

namespace io {

/// Reads one text: `read` is called once.
template <Scalar T, class J>
class MatrixMarketReader {
 public:
  MatrixMarketReader(std::string_view text, std::string_view name)
      : source_(text, name), at_(source_.begin()) {}

  MatrixMarketData<T, J> read() {
    take_kind();
    do next_line();
    while (line_.empty() || line_.front() == '%');
    rows_ = whole("the number of rows", 1, std::numeric_limits<J>::max());
    cols_ = whole("the number of columns", 1, std::numeric_limits<J>::max());
    if (!is_general_ && rows_ != cols_) fail("a symmetric matrix must be square");
    is_dense_ ? take_array() : take_coordinates();
    while (at_ != source_.end()) {
      next_line();
      if (!line_.empty()) fail("there is more than the header says");
    }
    return {matrix(), is_dense_};
  }

 private:
  struct Entry {
    Index row;
    Index col;
    T value;
  };

  void take_kind() {
    next_line();
    std::string kind(line_);
    std::transform(kind.begin(), kind.end(), kind.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    const auto has = [&](std::string_view word) {
      return (' ' + kind + ' ').find(' ' + std::string(word) + ' ') != std::string::npos;
    };
    if (kind.substr(0, 14) != "%%matrixmarket" || !has("matrix"))
      fail("a Matrix Market file begins with '%%MatrixMarket matrix'");
    is_dense_ = has("array");
    is_pattern_ = has("pattern");
    is_general_ = has("general");
    is_skew_ = has("skew-symmetric");
    if (!is_dense_ && !has("coordinate")) fail("the format is neither coordinate nor array");
    if (!has("real") && !has("integer") && !has("double") && !is_pattern_)
      fail("entries are neither real, integer nor pattern");
    if (is_pattern_ && is_dense_) fail("an array has no pattern");
    if (!is_general_ && !is_skew_ && !has("symmetric"))
      fail("the matrix is neither general, symmetric nor skew-symmetric");
  }

  void take_coordinates() {
    const Index most = std::numeric_limits<J>::max();
    const Index count = whole("the number of entries", 0, most);
    // A matrix takes memory for its rows, and what learns from it for its columns.
    if (std::max(rows_, cols_) > trusted_size(count))
      fail("a matrix of ", rows_, " x ", cols_, " with ", count, " entries: more than ",
           trusted_size(count), " rows or columns are too many for so few");
    end_line();
    for (Index k = 0; k < count; ++k) {
      sample_line();
      const Index row = whole("a row", 1, rows_) - 1;
      const Index col = whole("a column", 1, cols_) - 1;
      add(row, col, is_pattern_ ? T(1) : number());
      end_line();
    }
  }

  void take_array() {
    end_line();
    for (Index j = 0; j < cols_; ++j)
      for (Index i = is_general_ ? 0 : j + is_skew_; i < rows_; ++i) {
        sample_line();
        add(i, j, number());
        end_line();
      }
  }

  void add(Index row, Index col, T value) {
    entries_.push_back({row, col, value});
    if (!is_general_ && row != col) entries_.push_back({col, row, is_skew_ ? -value : value});
  }

  SparseMatrix<T, J> matrix() {
    require(entries_.size() <= static_cast<std::size_t>(std::numeric_limits<J>::max()),
            source_.name(), ": ", entries_.size(), " entries do not fit ", 8 * sizeof(J),
            "-bit offsets");
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
      return a.row != b.row ? a.row < b.row : a.col < b.col;
    });
    for (std::size_t k = 1; k < entries_.size(); ++k)
      require(entries_[k].row != entries_[k - 1].row || entries_[k].col != entries_[k - 1].col,
              source_.name(), ": entry (", entries_[k].row + 1, ", ", entries_[k].col + 1,
              ") is there twice");
    SparseMatrix<T, J> x(rows_, cols_);
    x.reserve(static_cast<Index>(entries_.size()));
    std::size_t k = 0;
    for (Index i = 0; i < rows_; ++i) {
      x.startVec(i);
      for (; k < entries_.size() && entries_[k].row == i; ++k)
        x.insertBack(i, entries_[k].col) = entries_[k].value;
    }
    x.finalize();
    return x;
  }

  /// The next line that is not blank.
  void sample_line() {
    do {
      if (at_ == source_.end()) source_.refuse_at(at_, at_, "entries are missing");
      next_line();
    } while (line_.empty());
  }

  /// Reads a line into line_, without the blanks around it.
  void next_line() {
    if (at_ == source_.end()) source_.refuse_at(at_, at_, "the header is cut off");
    const char* const end = std::find(at_, source_.end(), '\n');
    const auto is_space = [](char c) { return is_blank(c) || c == '\r'; };
    const char* last = end;
    while (at_ != last && is_space(*at_)) ++at_;
    while (last != at_ && is_space(last[-1])) --last;
    line_ = {at_, static_cast<std::size_t>(last - at_)};
    at_ = end == source_.end() ? end : end + 1;
  }

  T number() {
    skip_blanks();
    T value{};
    const char* const first = line_.data();
    const auto [end, fault] = scan_number(first, first + line_.size(), value);
    if (fault) fail("the entry ", fault);
    line_.remove_prefix(static_cast<std::size_t>(end - first));
    return value;
  }

  Index whole(const char* what, Index least, Index most) {
    skip_blanks();
    const char* const first = line_.data();
    Index value = 0;
    const auto [end, error] = std::from_chars(first, first + line_.size(), value);
    if (error != std::errc{}) fail(what, " is no whole number");
    if (value < least || value > most)
      fail(what, " is ", value, ", not from ", least, " to ", most);
    line_.remove_prefix(static_cast<std::size_t>(end - first));
    return value;
  }

  void skip_blanks() {
    line_.remove_prefix(std::min(line_.find_first_not_of(" \t"), line_.size()));
  }

  void end_line() {
    skip_blanks();
    if (!line_.empty()) fail("there is more on the line than belongs there");
  }

  template <class... What>
  [[noreturn]] void fail(const What&... what) const {
    source_.refuse_at(line_.data(), line_.data() + line_.size(), what...);
  }

  SourceText source_;
  const char* at_;
  std::string_view line_{};
  std::vector<Entry> entries_{};
  Index rows_{0};
  Index cols_{0};
  bool is_dense_{false};
  bool is_pattern_{false};
  bool is_general_{false};
  bool is_skew_{false};
};

}  // namespace io

/// Reads a Matrix Market text: coordinate or array; real, integer or pattern (entries 1); general,
/// symmetric or skew-symmetric, of which both halves are answered. `source_name` stands for it in
/// messages. Throws std::invalid_argument "source:line:column: what, got 'text'" for anything else,
/// NaN and infinity, indices beyond the size, an entry that is there twice, too few entries or too
/// many, and more rows or columns than 4,194,304 and 16 for each entry.
///
/// R. F. Boisvert, R. Pozo and K. A. Remington, The Matrix Market exchange formats, NISTIR 5935
/// (1996).
template <Scalar T, class J = int>
MatrixMarketData<T, J> parse_matrix_market(std::string_view text, std::string_view source_name) {
  return io::MatrixMarketReader<T, J>(text, source_name).read();
}

/// The same from a file, all of which is held in memory while it is read.
template <Scalar T, class J = int>
MatrixMarketData<T, J> read_matrix_market(const std::filesystem::path& path) {
  const auto bytes = io::read_text("read_matrix_market", path);
  return parse_matrix_market<T, J>(bytes.text(), path.string());
}

}  // namespace linea
