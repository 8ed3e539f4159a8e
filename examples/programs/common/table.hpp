// SPDX-License-Identifier: MIT
#pragma once
/// \file What a file of samples holds, as it stands there, and how it is read.
#include <functional>
#include <linea/core/types.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "programs/common/entries.hpp"

namespace program {

class ByteSource;

/// How the text of a table becomes cells and numbers; kept with a model.
struct Reading {
  char separator{0};  ///< of cells; 0: seen from the first line. A blank: runs of blanks and tabs
  char decimal{0};    ///< of numbers; 0: a point
  char thousands{0};  ///< between groups of digits; 0: none
  std::vector<std::string> missing_values{};  ///< beside the usual ones

  bool operator==(const Reading&) const = default;
};

/// One column of a table: numbers, or text where a cell is none or was asked to be kept as it is.
struct Column {
  std::string name{};                ///< empty without a header
  std::vector<double> numbers{};     ///< (n), not a number where a cell is missing; else empty
  std::vector<std::string> texts{};  ///< (n), empty where a cell is missing; else empty
  bool has_empty_name{false};        ///< in a header; `name` is then its number
  bool is_left_out{false};           ///< it is no feature
  bool is_meant{false};              ///< as text, by the options or the model

  bool is_text() const { return !texts.empty(); }
  bool is_missing(std::size_t row) const {
    return is_text() ? texts[row].empty() : !(numbers[row] == numbers[row]);
  }
};

/// The samples of a file: columns of a table, the target among them, or lists of entries.
struct Table {
  std::string source{};
  bool has_entries{false};               ///< the samples are x and y, not columns
  Entries x{};                           ///< (n × d)
  linea::Vector<double> y{};             ///< (n)
  std::vector<Column> columns{};         ///< all of one length
  std::vector<linea::Index> lines{};     ///< where each row stands in the text; may be empty
  std::vector<std::string> remarks{};    ///< what may not be as it was meant
  Reading reading{};                     ///< of the columns
  std::size_t target{0};                 ///< its column, where the options may name it
  std::optional<std::size_t> weights{};  ///< the column of sample weights

  linea::Index rows() const {
    if (has_entries) return x.rows();
    if (columns.empty()) return 0;
    const auto& first = columns.front();
    return static_cast<linea::Index>(first.is_text() ? first.texts.size() : first.numbers.size());
  }
  /// "file:line" of a row, for messages.
  std::string place(std::size_t row) const {
    return source + ":" +
           (lines.empty() ? "row " + std::to_string(row + 1) : std::to_string(lines[row]));
  }
  Table take(const std::vector<linea::Index>& rows) const;
  /// The column of this name, or of this number: from 1, or from -1 at the right end. Refuses what
  /// is neither.
  std::size_t column_of(const std::string& name_or_number) const;
};

struct InputOptions {
  std::string format{"auto"};               ///< auto, libsvm, csv, npy, mtx or binary
  std::string header{"auto"};               ///< of CSV: auto, yes or no
  std::vector<std::string> text_columns{};  ///< names or numbers of columns to keep as text
  std::vector<std::string> drop{};          ///< names or numbers of columns to leave out
  std::string target{};                     ///< name or number of a column; empty: the last
  std::string weights{};                    ///< name or number of a column; empty: none
  Reading reading{};
  bool hashes_words{false};  ///< text has any number of values
  bool has_model{false};     ///< which knows the columns: none is judged
  /// What is known of files like it: the names that a header holds, none if there is no header. Not
  /// known: a first line of names alone is one.
  std::optional<std::vector<std::string>> known_names{};
  /// Names of a file with a header, or numbers of one of `width` columns, to keep as text, where that
  /// is known; names that the file does not have are passed over.
  std::function<std::vector<std::string>(linea::Index width, bool has_names)> known_text{};
  linea::Index known_features{
      0};                         ///< of Matrix Market: one column more is the target; 0: not known
  linea::Index most_features{0};  ///< of LIBSVM: refuse a larger index; 0: by the size
  bool zero_based{false};         ///< LIBSVM indices count from 0
};

/// Reads a file: LIBSVM, CSV (commas, semicolons, tabs or what the options say), NumPy .npy, Matrix Market or linea's
/// binary form, each also compressed by gzip but the last; "-" is standard input. What it is, is
/// seen from its first bytes unless the options say it. Throws std::invalid_argument that names the
/// file, and the line where there are lines.
Table read_table(const std::string& path, const InputOptions& options);

/// The same of what is left of a source: any form but linea's binary one.
Table read_table(ByteSource& source, const InputOptions& options);

/// libsvm, csv, npy, mtx or binary: what the options say, else what a file that begins like this is.
std::string format_of(std::string_view beginning, const std::string& source,
                      const InputOptions& options);

/// Finds the columns that the options name, drops those that are no features, and warns of columns
/// that look misread.
void settle_columns(Table& table, const InputOptions& options);

/// Writes the remarks to standard error, a line each.
void print_remarks(const char* program, const std::vector<std::string>& remarks);

/// The weights of the samples (n) in a column, or none without one. Throws std::invalid_argument for
/// what is no weight.
linea::Vector<double> sample_weights_in(const Table& table, std::optional<std::size_t> column);

/// CSV text, kept apart for its length. Cells that are missing to pandas, na, NAN and ? are missing.
Table parse_csv_table(std::string_view text, const std::string& source,
                      const InputOptions& options);

/// The number that a text is, from its first character to its last.
std::optional<double> number_of(const std::string& text, const Reading& reading = {});

}  // namespace program
