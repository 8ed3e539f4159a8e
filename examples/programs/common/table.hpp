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

/// How the text of a table is split into cells and numbers; stored with a model.
struct Reading {
  char separator{0};  ///< of cells; 0: detected from the first line. A blank: runs of blanks and
                      ///< tabs
  char decimal{0};    ///< of numbers; 0: a point
  char thousands{0};  ///< between groups of digits; 0: none
  std::vector<std::string> missing_values{};  ///< in addition to the usual ones

  bool operator==(const Reading&) const = default;
};

/// One column of a table: numbers, or text if a cell is not a number or on request.
struct Column {
  std::string name{};                ///< empty without a header
  std::vector<double> numbers{};     ///< (n), NaN for a missing cell; else empty
  std::vector<std::string> texts{};  ///< (n), empty for a missing cell; else empty
  bool has_empty_name{false};        ///< in a header; `name` is then its number
  bool is_left_out{false};           ///< not a feature
  bool is_meant{false};              ///< text on purpose, by the options or the model

  bool is_text() const { return !texts.empty(); }
  bool is_missing(std::size_t row) const {
    return is_text() ? texts[row].empty() : !(numbers[row] == numbers[row]);
  }
};

/// The samples of a file: columns of a table, including the target, or sparse rows.
struct Table {
  std::string source{};
  bool has_entries{false};               ///< the samples are x and y, not columns
  Entries x{};                           ///< (n × d)
  linea::Vector<double> y{};             ///< (n)
  std::vector<Column> columns{};         ///< all of one length
  std::vector<linea::Index> lines{};     ///< the line of each row in the text; may be empty
  std::vector<std::string> remarks{};    ///< warnings
  Reading reading{};                     ///< of the columns
  std::size_t target{0};                 ///< its column, which options may select
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
  /// The column of this name, or of this number: from 1, or from -1 at the right end. Throws if
  /// there is none.
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
  bool hashes_words{false};  ///< any number of text values is accepted
  bool has_model{false};     ///< the model knows the columns: none is checked
  /// What is known of similar files: the names in a header, none if there is no header. Unknown: a
  /// first line of names only is one.
  std::optional<std::vector<std::string>> known_names{};
  /// Names, in a file with a header, or numbers, in one of `width` columns, of text columns, if
  /// known; names that the file does not have are ignored.
  std::function<std::vector<std::string>(linea::Index width, bool has_names)> known_text{};
  linea::Index known_features{0};  ///< of Matrix Market, without a target; 0: unknown
  linea::Index most_features{0};   ///< of LIBSVM: refuse a larger index; 0: by the size
  bool zero_based{false};          ///< LIBSVM indices count from 0
};

/// Reads a file: LIBSVM, CSV (commas, semicolons, tabs or the option's separator), NumPy .npy,
/// Matrix Market or linea's binary form, all but the last also compressed by gzip; "-" is standard
/// input. The format is detected from its first bytes unless an option gives it. Throws
/// std::invalid_argument, which names the file, and the line of text.
Table read_table(const std::string& path, const InputOptions& options);

/// The same for the rest of a source, in any format but linea's binary one.
Table read_table(ByteSource& source, const InputOptions& options);

/// libsvm, csv, npy, mtx or binary: from the options, else detected from the beginning of the file.
std::string format_of(std::string_view beginning, const std::string& source,
                      const InputOptions& options);

/// Finds the columns given by options, drops those that are not features, and warns of columns that
/// may be misread.
void settle_columns(Table& table, const InputOptions& options);

/// Writes the remarks to standard error, a line each.
void print_remarks(const char* program, const std::vector<std::string>& remarks);

/// The sample weights (n) in a column, or none without one. Throws std::invalid_argument for
/// invalid weights.
linea::Vector<double> sample_weights_in(const Table& table, std::optional<std::size_t> column);

/// CSV text, in its own source for its length. Cells that pandas treats as missing, na, NAN and ?
/// are missing.
Table parse_csv_table(std::string_view text, const std::string& source,
                      const InputOptions& options);

/// The number in a text, if it is one from its first to its last character.
std::optional<double> number_of(const std::string& text, const Reading& reading = {});

}  // namespace program
