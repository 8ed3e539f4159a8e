// SPDX-License-Identifier: MIT
#pragma once
/// \file What a reader of comma-separated values is told, and what it answers.
#include <array>
#include <linea/core/types.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linea {

enum class CsvHeader {
  /// The first line is a header if it has text and, outside of a text target, no number, or if it
  /// is 0,1,2,… above a line that does not go on counting (of two columns: above one that is not
  /// all digits), as pandas writes columns without names.
  detect,
  present,  ///< the first line is a header
  absent,   ///< there is no header
};

/// The words that pandas takes for missing values by default.
inline constexpr std::array<std::string_view, 19> usual_missing_values{
    "",     "#N/A", "#N/A N/A", "#NA",  "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
    "<NA>", "N/A",  "NA",       "NULL", "NaN",     "None",     "n/a",  "nan",  "null"};

struct CsvOptions {
  char separator{','};  ///< a blank: runs of blanks and tabs
  CsvHeader header{CsvHeader::detect};
  /// Which column is the target: from 0, or from the right end when negative. None: all columns are
  /// features and y is empty.
  std::optional<Index> target_column{-1};
  /// Targets are names of classes: y holds their numbers, from 0, in the order of the sorted names.
  bool text_targets{false};
  /// Cells of features that are one of these words become NaN in x. None: missing cells are
  /// refused. `{usual_missing_values.begin(), usual_missing_values.end()}` takes those of pandas.
  std::vector<std::string> missing_values{};
  bool final_newline_required{false};  ///< see LibsvmOptions
};

/// x (n × d) and y (n), or y (0) where no column is the target. Targets are doubles, whatever x is.
template <Scalar T>
struct [[nodiscard]] CsvData {
  Matrix<T> x{};
  Vector<double> y{};
  std::vector<std::string> feature_names{};  ///< d of them, or none without a header
  std::string target_name{};
  std::vector<std::string> class_names{};  ///< of text targets, in ascending order of their bytes
};

}  // namespace linea
