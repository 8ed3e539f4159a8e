// SPDX-License-Identifier: MIT
#pragma once
/// \file The contents of a file of samples, and reading it.
#include <linea/core/types.hpp>
#include <linea/io/table.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>  // move
#include <vector>

namespace program {

class ByteSource;

/// Sparse samples in memory or in a mapped file, passed without copies.
using EntriesView = Eigen::Map<const linea::SparseMatrix<double>>;

/// Returns sparse samples, built row by row: fill(i, put) calls put(column, value) for the entries
/// of row i, in ascending columns. `expected` is the number of entries, or 0 if it is unknown.
template <class Fill>
linea::SparseMatrix<double> sparse_rows(linea::Index rows, linea::Index cols, Fill&& fill,
                                        linea::Index expected = 0) {
  linea::SparseMatrix<double> x(rows, cols);
  x.reserve(expected);
  for (linea::Index i = 0; i < rows; ++i) {
    x.startVec(i);
    fill(i, [&](linea::Index column, double value) { x.insertBack(i, column) = value; });
  }
  x.finalize();
  return x;
}

/// Immutable sparse samples (n × d). Copies share the data, and the last copy frees them.
class Entries {
 public:
  Entries() : Entries(linea::SparseMatrix<double>(0, 0)) {}

  Entries(linea::SparseMatrix<double>&& given) {
    const auto x = std::make_shared<linea::SparseMatrix<double>>();
    x->swap(given);
    x->makeCompressed();
    *this = {x, EntriesView(x->rows(), x->cols(), x->nonZeros(), x->outerIndexPtr(),
                            x->innerIndexPtr(), x->valuePtr())};
  }

  /// Holds a view of data owned by `owner`.
  Entries(std::shared_ptr<const void> owner, const EntriesView& view)
      : owner_(std::move(owner)), view_(std::make_shared<const EntriesView>(view)) {}

  const EntriesView& view() const { return *view_; }
  operator const EntriesView&() const { return *view_; }

  linea::Index rows() const { return view_->rows(); }
  linea::Index cols() const { return view_->cols(); }
  linea::Index nonZeros() const { return view_->nonZeros(); }

  /// Returns the rows [begin, begin + count) with `cols` columns, which must include all entries.
  Entries part(linea::Index begin, linea::Index count, linea::Index cols) const {
    const EntriesView& all = *view_;
    const int* const starts = all.outerIndexPtr() + begin;
    return {owner_, EntriesView(count, cols, starts[count] - starts[0], starts, all.innerIndexPtr(),
                                all.valuePtr())};
  }

 private:
  std::shared_ptr<const void> owner_{};
  std::shared_ptr<const EntriesView> view_{};
};

/// The first bytes of a file in linea's binary format.
inline constexpr std::string_view binary_magic{"linea\r\n\x1a"};

using Column = linea::TableColumn;

/// The samples of a file: columns of a table, including the target, or sparse rows.
struct Table : linea::Table {
  bool has_entries{false};    ///< are the samples x and y, not columns?
  Entries x{};                ///< (n × d)
  linea::Vector<double> y{};  ///< (n)

  linea::Index rows() const { return has_entries ? x.rows() : linea::Table::rows(); }
  Table take(const std::vector<linea::Index>& rows) const;
};

struct InputOptions : linea::TableOptions {
  std::string file_format{"auto"};  ///< auto, libsvm, csv, npy, mtx or binary
  bool hashes_words{false};         ///< is any number of different text values accepted?
  linea::Index known_features{0};  ///< columns of a Matrix Market file without a target; 0: unknown
  /// The largest index allowed in LIBSVM text. 0: a limit that grows with the size of the text.
  linea::Index most_features{0};
  bool zero_based{false};  ///< do LIBSVM indices count from 0?
};

/// Reads a file in one of these formats: LIBSVM, CSV (with commas, semicolons, tabs or the
/// separator of the options), NumPy's .npy, Matrix Market, or linea's binary format. All but the
/// last may be compressed by gzip. "-" is standard input. Unless an option states the format,
/// `format_of` detects it. Throws std::invalid_argument, which names the file and, for text, the
/// line.
Table read_table(const std::string& path, const InputOptions& options);

/// Reads a source in the same way. Only `beginning` may have been called before.
Table read_table(ByteSource& source, const InputOptions& options);

/// Returns the format: libsvm, csv, npy, mtx or binary. If the options do not state it, the
/// beginning of the file and, for text, a separator in the options and the end of the name
/// determine it.
std::string format_of(std::string_view beginning, const std::string& source,
                      const InputOptions& options);

/// Warns of columns of text that may be misread. Throws for options that are for tables if the
/// samples are sparse rows.
void check_columns(Table& table, const InputOptions& options);

/// Writes the remarks to standard error, each on a line.
void print_remarks(const char* program, const std::vector<std::string>& remarks);

/// Returns the rows whose weight in the column is above 0, or nothing if all rows have such a
/// weight or there is no column. Throws std::invalid_argument for invalid weights, and if all are 0.
std::optional<Table> rows_with_weight(const Table& table, std::optional<std::size_t> column);

}  // namespace program
