// SPDX-License-Identifier: MIT
#pragma once
/// \file What a reader of comma-separated values is told, and what it answers.
#include <linea/core/types.hpp>
#include <optional>
#include <string>
#include <vector>

namespace linea {

enum class CsvHeader {
  detect,   ///< the first line is a header if it has text and, outside of a text target, no number
  present,  ///< the first line is a header
  absent,   ///< there is no header
};

struct CsvOptions {
  char separator{','};
  CsvHeader header{CsvHeader::detect};
  /// Which column is the target: from 0, or from the right end when negative. None: all columns are
  /// features and y is empty.
  std::optional<Index> target_column{-1};
  /// Targets are names of classes: y holds their numbers, from 0, in the order of the sorted names.
  bool text_targets{false};
  bool final_newline_required{false};  ///< see LibsvmOptions
};

/// x (n × d) and y (n), or y (0) where no column is the target. Targets are doubles, whatever x is.
template <Scalar T>
struct CsvData {
  Matrix<T> x{};
  Vector<double> y{};
  std::vector<std::string> feature_names{};  ///< d of them, or none without a header
  std::string target_name{};
  std::vector<std::string> class_names{};  ///< of text targets, in ascending order of their bytes
};

}  // namespace linea
