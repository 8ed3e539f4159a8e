// SPDX-License-Identifier: MIT
#pragma once
/// \file Converts a table to numbers. The model stores the parameters of the conversion, so that
/// prediction can read files like the training file.
#include <linea/core/types.hpp>
#include <map>
#include <string>
#include <vector>

#include "programs/common/table.hpp"

namespace program {

/// The conversion of one column of a table.
struct ColumnPlan {
  std::string name{};
  std::vector<std::string> categories{};  ///< of a text column, sorted: each is a feature
  bool is_text{false};
  double fill{0};  ///< replaces missing numbers
};

struct PreprocessingOptions {
  std::string missing{"refuse"};  ///< refuse, mean or zero
  bool standardise{false};
  bool centre{true};  ///< with `standardise`: true only if the model has an offset
  int degree{1};      ///< the degree of polynomial features
  int hash_bits{0};   ///< 0: no hashing, else there are 2^bits features
};

/// Converted samples, and the values in them that the model does not know.
struct Encoded {
  Entries x{};                  ///< (n × d)
  linea::Index unknown{0};      ///< entries of new features, and cells with new texts
  std::string first_unknown{};  ///< a cell as "file:line: column is 'value'"
};

/// The entries of a row under construction.
using Row = std::map<linea::Index, double>;

/// The steps of preprocessing, in this order. First the columns of a table become numbers: text
/// becomes one feature for each value, or is hashed. Then products are added if the degree is above
/// 1. Then features are scaled, with `standardise`, to mean 0 and deviation 1. They are scaled to
/// root mean square 1 instead without `centre`, with hashing, and for sparse rows that store fewer
/// than half of the entries. Centred features that are constant, and features of 0 or 1 for text
/// (without products), keep their scale.
struct Preprocessing {
  PreprocessingOptions options{};
  bool has_entries{true};
  bool zero_based{false};
  std::vector<ColumnPlan> columns{};  ///< the columns of a table, without the target
  std::string target_name{};
  linea::Index target_column{-1};  ///< the position of the target in a table, from 0
  /// For lists of entries: the number of features of the training file.
  linea::Index width{0};
  std::vector<linea::Index> left_out{};  ///< columns of the training file, from 0, ascending
  /// The name of the column of sample weights, one of left_out.
  std::string weights_name{};
  linea::Index weights_column{-1};
  Reading reading{};             ///< the format of the training file
  linea::Vector<double> mean{};  ///< (d) if standardised, else empty
  linea::Vector<double> scale{};

  /// Determines the preprocessing from a table, without the column `target` and those left out.
  /// Means and deviations are weighted if the table has sample weights, which must be > 0. Throws
  /// std::invalid_argument for missing cells if they are refused, for cells that are not finite, and
  /// if there are no features or more than an index can count.
  static Preprocessing learn(const Table& table, std::size_t target, bool zero_based,
                             const PreprocessingOptions& options);

  /// Returns x (n × d) for the rows of a table. Columns are found by name, or by position if there
  /// are no names. Throws std::invalid_argument for missing columns, and for cells that it cannot
  /// convert.
  Encoded apply(const Table& table) const;

  /// Returns the column of targets, or none in a file of features.
  std::optional<std::size_t> target_in(const Table& table) const;
  /// Returns the column of sample weights, or none.
  std::optional<std::size_t> weights_in(const Table& table) const;

  linea::Index features() const;              ///< d
  std::string name_of(linea::Index j) const;  ///< returns the name of feature j, for output
  /// Returns the names of the columns, or none if the file has none.
  std::vector<std::string> names() const;
  /// Returns the columns of text by name, or by number in a file of `width` columns without names.
  /// The target is included if it is text; by number, only if the file has as many columns as the
  /// training file.
  std::vector<std::string> text_columns(linea::Index width, bool has_names,
                                        bool target_is_text) const;

 private:
  /// Returns the first feature of each column of a table, followed by the number of features, all
  /// before products.
  const std::vector<linea::Index>& starts() const;
  /// Returns the column of a table from which feature j, before products, is computed. O(log
  /// columns).
  std::size_t column_at(linea::Index j) const;
  /// Returns the position of column k in the training file. `place_in` converts a position to one
  /// in a file of `file_width` columns without names.
  linea::Index place_of(std::size_t k) const;
  linea::Index place_in(linea::Index file_width, linea::Index place) const;
  linea::Index file_width() const;  ///< the number of columns of the training file
  std::optional<std::size_t> column_in(const Table& table, const std::string& name,
                                       linea::Index place) const;
  void encode_cell(const Table& table, const Column& column, std::size_t row, std::size_t k,
                   Row& entries, Encoded& seen) const;
  linea::Index raw_features() const;
  std::string raw_name(linea::Index j) const;
  bool is_indicator(linea::Index j) const;
  Entries encode(const Table& table, Encoded& seen) const;
  linea::SparseMatrix<double> encode_columns(const Table& table, Encoded& seen) const;
  linea::SparseMatrix<double> hash_entries(const Table& table) const;
  std::vector<const Column*> columns_in(const Table& table) const;
  linea::SparseMatrix<double> standardised(const EntriesView& x) const;
  void learn_scales(const EntriesView& x, const linea::Vector<double>& weights);

  mutable std::vector<linea::Index> starts_{};  // computed on first use
};

}  // namespace program
