// SPDX-License-Identifier: MIT
#pragma once
/// \file The contents of a file of samples, and reading it.
#include <functional>
#include <linea/core/types.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "programs/common/entries.hpp"

namespace program {

class ByteSource;

/// The first bytes of a file in linea's binary format.
inline constexpr std::string_view binary_magic{"linea\r\n\x1a"};

/// The options for splitting the text of a table into cells and numbers. A model stores them.
struct Reading {
  /// Separates cells; 0: detected in the first line. A blank also stands for runs of blanks and
  /// tabs.
  char separator{0};
  char decimal{0};    ///< the decimal mark; 0: a point
  char thousands{0};  ///< separates groups of digits; 0: none
  /// Texts that mean a missing value, besides the usual ones.
  std::vector<std::string> missing_values{};

  bool operator==(const Reading&) const = default;
};

/// One column of a table: numbers, or text if a cell is not a number or on request.
struct Column {
  std::string name{};                ///< empty if the file has no header
  std::vector<double> numbers{};     ///< (n) NaN for a missing cell; empty if the column is text
  std::vector<std::string> texts{};  ///< (n) "" for a missing cell; empty if the column has numbers
  /// Is the cell of this column in the header empty? `name` is then "column 1", "column 2", ….
  bool has_empty_name{false};
  bool is_left_out{false};  ///< is the column neither a feature nor the target?
  bool is_meant{false};     ///< do the options or the model declare the column as text?

  bool is_text() const { return !texts.empty(); }
  bool is_missing(std::size_t row) const {
    return is_text() ? texts[row].empty() : !(numbers[row] == numbers[row]);
  }
};

/// The samples of a file: columns of a table, including the target, or sparse rows.
struct Table {
  std::string source{};
  bool has_entries{false};             ///< are the samples x and y, not columns?
  Entries x{};                         ///< (n × d)
  linea::Vector<double> y{};           ///< (n)
  std::vector<Column> columns{};       ///< all of one length
  std::vector<linea::Index> lines{};   ///< the line of each row in the text; may be empty
  std::vector<std::string> remarks{};  ///< warnings for the user
  Reading reading{};                   ///< the format of the columns
  /// The index of the target's column, which options may select.
  std::size_t target{0};
  std::optional<std::size_t> weights{};  ///< the index of the column of sample weights

  linea::Index rows() const {
    if (has_entries) return x.rows();
    if (columns.empty()) return 0;
    const auto& first = columns.front();
    return static_cast<linea::Index>(first.is_text() ? first.texts.size() : first.numbers.size());
  }
  /// Returns "file:line" of a row, for messages.
  std::string place(std::size_t row) const {
    return source + ":" +
           (lines.empty() ? "row " + std::to_string(row + 1) : std::to_string(lines[row]));
  }
  Table take(const std::vector<linea::Index>& rows) const;
  /// Returns the index of the column of this name or number. Numbers count from 1, or from -1 at
  /// the right end. Throws if there is no such column.
  std::size_t column_of(const std::string& name_or_number) const;
};

struct InputOptions {
  std::string format{"auto"};               ///< auto, libsvm, csv, npy, mtx or binary
  std::string header{"auto"};               ///< does CSV have a header? auto, yes or no
  std::vector<std::string> text_columns{};  ///< names or numbers of columns to keep as text
  std::vector<std::string> drop{};          ///< names or numbers of columns to leave out
  std::string target{};                     ///< name or number of a column; empty: the last
  std::string weights{};                    ///< name or number of a column; empty: none
  Reading reading{};
  bool hashes_words{false};  ///< is any number of different text values accepted?
  bool has_model{false};     ///< does a model know the columns? If so, they are not checked
  /// The names in the header of the training file, empty if it has no header. Without a value, the
  /// first lines of the file decide whether there is a header.
  std::optional<std::vector<std::string>> known_names{};
  /// Returns the text columns, if they are known: by name in a file with a header, else by number
  /// in a file of `width` columns. Names that the file does not have are ignored.
  std::function<std::vector<std::string>(linea::Index width, bool has_names)> known_text{};
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

/// Finds the columns that options name, drops those that are not features, and warns of columns
/// that may be misread.
void settle_columns(Table& table, const InputOptions& options);

/// Writes the remarks to standard error, each on a line.
void print_remarks(const char* program, const std::vector<std::string>& remarks);

/// Returns the sample weights (n) in a column, or none without a column. Throws
/// std::invalid_argument for invalid weights.
linea::Vector<double> sample_weights_in(const Table& table, std::optional<std::size_t> column);

/// Returns the rows whose weight in the column is above 0, or nothing if all rows have such a
/// weight or there is no column. Throws std::invalid_argument for invalid weights, and if all are 0.
std::optional<Table> rows_with_weight(const Table& table, std::optional<std::size_t> column);

/// Reads a table from CSV text. Cells are missing if the options name their text, if pandas treats
/// them as missing, or if they are na, NAN or ?.
Table parse_csv_table(std::string_view text, const std::string& source,
                      const InputOptions& options);

/// Returns the number if the whole text is a number, else nothing.
std::optional<double> number_of(const std::string& text, const Reading& reading = {});

}  // namespace program
