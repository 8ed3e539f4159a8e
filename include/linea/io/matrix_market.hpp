// SPDX-License-Identifier: MIT
#pragma once
/// \file Reader of Matrix Market files: a sparse or dense matrix as text.
#include <algorithm>  // max, sort
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
  SparseMatrix<T, J> x{};  ///< (n × d), compressed; stores the zeros that the file lists
  bool is_dense{false};    ///< is the format of the file "array", not "coordinate"?
};

namespace io {

/// Reads one Matrix Market text. `read` can be called once.
template <Scalar T, class J>
class MatrixMarketReader {
 public:
  MatrixMarketReader(std::string_view text, std::string_view name) : words_(text, name) {}

  MatrixMarketData<T, J> read() {
    constexpr Index most = std::numeric_limits<J>::max();
    take_kind();
    std::string_view word = words_.next();
    for (; word.starts_with('%'); word = words_.next())
      while (!words_.next_in_line().empty()) continue;
    rows_ = words_.whole(word, "the number of rows", 1, most);
    cols_ = words_.whole(words_.next_in_line(), "the number of columns", 1, most);
    if (!is_general_ && rows_ != cols_) words_.refuse(word, "a symmetric matrix must be square");
    is_dense_ ? take_array() : take_coordinates();
    if (const auto rest = words_.next(); !rest.empty())
      words_.refuse(rest, "there is text behind the last entry");
    return {matrix(), is_dense_};
  }

 private:
  struct Entry {
    Index row;
    Index col;
    T value;
  };

  void take_kind() {
    std::string kind = " ";
    const auto first = words_.next();
    for (auto word = first; !word.empty(); word = words_.next_in_line()) kind.append(word) += ' ';
    for (char& c : kind)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    const auto has = [&](std::string_view word) {
      return kind.find(std::string(" ").append(word) + " ") != kind.npos;
    };
    const auto demand = [&](bool condition, std::string_view what) {
      if (!condition) words_.refuse(first, what);
    };
    demand(has("%%matrixmarket") && has("matrix"),
           "a Matrix Market file begins with '%%MatrixMarket matrix'");
    is_dense_ = has("array");
    is_pattern_ = has("pattern");
    is_general_ = has("general");
    is_skew_ = has("skew-symmetric");
    demand(is_dense_ || has("coordinate"), "the format is neither coordinate nor array");
    demand(has("real") || has("integer") || has("double") || is_pattern_,
           "entries are neither real, integer nor pattern");
    demand(!is_pattern_ || !is_dense_, "an array has no pattern");
    demand(is_general_ || is_skew_ || has("symmetric"),
           "the matrix is neither general, symmetric nor skew-symmetric");
  }

  void take_coordinates() {
    const auto word = words_.next_in_line();
    const Index count =
        words_.whole(word, "the number of entries", 0, std::numeric_limits<J>::max());
    // A matrix takes memory for its rows, and training on it takes memory for its columns.
    if (std::max(rows_, cols_) > trusted_size(count))
      words_.refuse(word, "a matrix of ", rows_, " x ", cols_, " with ", count,
                    " entries: more than ", trusted_size(count),
                    " rows or columns are too many for so few");
    end_line();
    for (Index k = 0; k < count; ++k) {
      const Index row = words_.whole(first_word(), "a row", 1, rows_) - 1;
      const Index col = words_.whole(words_.next_in_line(), "a column", 1, cols_) - 1;
      add(row, col, is_pattern_ ? T(1) : words_.number<T>(words_.next_in_line(), "the entry"));
    }
  }

  void take_array() {
    end_line();
    for (Index j = 0; j < cols_; ++j)
      for (Index i = is_general_ ? 0 : j + is_skew_; i < rows_; ++i)
        add(i, j, words_.number<T>(first_word(), "the entry"));
  }

  /// Returns the first word of an entry.
  std::string_view first_word() {
    const auto word = words_.next();
    if (word.empty()) words_.refuse(word, "entries are missing");
    return word;
  }

  void add(Index row, Index col, T value) {
    entries_.push_back({row, col, value});
    if (!is_general_ && row != col) entries_.push_back({col, row, is_skew_ ? -value : value});
    end_line();
  }

  void end_line() {
    if (const auto rest = words_.next_in_line(); !rest.empty())
      words_.refuse(rest, "there is unexpected text on the line");
  }

  SparseMatrix<T, J> matrix() {
    require(entries_.size() <= static_cast<std::size_t>(std::numeric_limits<J>::max()),
            words_.name(), ": ", entries_.size(), " entries do not fit ", 8 * sizeof(J),
            "-bit offsets");
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
      return a.row != b.row ? a.row < b.row : a.col < b.col;
    });
    SparseMatrix<T, J> x(rows_, cols_);
    x.reserve(static_cast<Index>(entries_.size()));
    auto entry = entries_.begin();
    for (Index i = 0; i < rows_; ++i) {
      x.startVec(i);
      for (Index last = -1; entry != entries_.end() && entry->row == i; ++entry) {
        require(entry->col != last, words_.name(), ": entry (", i + 1, ", ", last + 1,
                ") occurs twice");
        x.insertBack(i, last = entry->col) = entry->value;
      }
    }
    x.finalize();
    return x;
  }

  Words words_;
  std::vector<Entry> entries_{};
  Index rows_{0};
  Index cols_{0};
  bool is_dense_{false};
  bool is_pattern_{false};
  bool is_general_{false};
  bool is_skew_{false};
};

}  // namespace io

/// Reads a Matrix Market text: coordinate or array; real, integer or pattern (all entries 1);
/// general, symmetric or skew-symmetric (x has both halves). `source_name` is the name of the text
/// in messages. Throws std::invalid_argument "source:line:column: what, got 'text'" for other
/// formats, NaN and infinity, indices beyond the size, repeated entries, too few or too many
/// entries, and, for coordinates, more rows or columns than both 4,194,304 and 16 for each entry.
///
/// R. F. Boisvert, R. Pozo and K. A. Remington, The Matrix Market exchange formats, NISTIR 5935
/// (1996).
template <Scalar T, class J = int>
MatrixMarketData<T, J> parse_matrix_market(std::string_view text, std::string_view source_name) {
  return io::MatrixMarketReader<T, J>(text, source_name).read();
}

/// Reads a Matrix Market file as `parse_matrix_market` does; the whole file is in memory meanwhile.
/// Throws also if the file cannot be opened or is not text.
template <Scalar T, class J = int>
MatrixMarketData<T, J> read_matrix_market(const std::filesystem::path& path) {
  const auto bytes = io::read_text("read_matrix_market", path);
  return parse_matrix_market<T, J>(bytes.text(), path.string());
}

}  // namespace linea
