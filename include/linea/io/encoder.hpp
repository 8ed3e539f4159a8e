// SPDX-License-Identifier: MIT
#pragma once
/// \file Converts a table of numbers and text to samples.
#include <algorithm>  // any_of, lower_bound, min, sort, unique, upper_bound
#include <array>
#include <cmath>  // isfinite
#include <cstddef>
#include <cstdint>
#include <limits>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/io/checksum.hpp>
#include <linea/io/table_columns.hpp>
#include <linea/io/table_format.hpp>
#include <linea/io/text.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linea {

/// What an Encoder does with missing cells.
enum class Missing {
  refuse,  ///< refuses them
  mean,    ///< takes the mean of the column for a number, and no category for a text
  zero,    ///< takes 0 for a number, and no category for a text
};

constexpr std::string_view name_of(Missing missing) {
  constexpr std::array<std::string_view, 3> names{"refuse", "mean", "zero"};
  return names[static_cast<std::size_t>(missing)];
}

/// Returns the Missing of this name, or nothing.
constexpr std::optional<Missing> missing_of(std::string_view name) {
  for (const auto missing : {Missing::refuse, Missing::mean, Missing::zero})
    if (name == name_of(missing)) return missing;
  return std::nullopt;
}

/// Cells of text columns with a text that `fit` did not see.
struct UnknownValues {
  Index count{0};
  std::string first{};  ///< the first of them, as "file:line: column is 'value'"
};

}  // namespace linea

namespace linea::io {

/// Returns the sorted distinct texts that are not empty.
inline std::vector<std::string> distinct_texts(std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  if (!texts.empty() && texts.front().empty()) texts.erase(texts.begin());
  return texts;
}

/// Returns the index of a text in a sorted list, or -1.
inline Index index_in(const std::vector<std::string>& sorted, std::string_view text) {
  const auto found = std::lower_bound(sorted.begin(), sorted.end(), text);
  return found != sorted.end() && *found == text ? found - sorted.begin() : -1;
}

/// Returns the class (n) of each cell of a column: the index of its text in the sorted `names`, NaN
/// for other texts and for missing cells.
inline Vector<double> classes_in(const TableColumn& column, const std::vector<std::string>& names) {
  Vector<double> y(column.rows());
  for (Index i = 0; i < y.size(); ++i) {
    const auto row = static_cast<std::size_t>(i);
    const Index k = column.is_missing(row) ? -1 : index_in(names, column.text(row));
    y[i] = k < 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(k);
  }
  return y;
}

/// Adds a feature by its name to one of 2^bits columns. The name determines its sign, so that
/// collisions cancel out on average. Weinberger and others, Feature Hashing for Large Scale
/// Multitask Learning, ICML 2009. The hash is FNV-1a after the final mix of MurmurHash3, so that
/// every bit depends on all bytes.
inline void add_hashed(std::map<Index, double>& row, std::string_view name, double value,
                       int bits) {
  std::uint64_t hash = checksum(name);
  hash = (hash ^ hash >> 33) * 0xff51afd7ed558ccdU;
  hash = (hash ^ hash >> 33) * 0xc4ceb9fe1a85ec53U;
  hash ^= hash >> 33;
  const auto column = static_cast<Index>(hash & ((std::uint64_t{1} << bits) - 1));
  row[column] += hash >> 63 ? -value : value;
}

/// Adds the words of a text, which blanks separate, as `add_hashed` does.
inline void add_hashed_words(std::map<Index, double>& row, const std::string& name,
                             std::string_view text, int bits) {
  constexpr std::string_view blanks = " \t\r\n";
  for (std::size_t end = 0;;) {
    const std::size_t at = text.find_first_not_of(blanks, end);
    if (at == text.npos) return;
    end = std::min(text.find_first_of(blanks, at), text.size());
    add_hashed(row, (name + "=").append(text.substr(at, end - at)), 1, bits);
  }
}

}  // namespace linea::io

namespace linea {

/// The map from the columns of a table to features: a column of numbers is one feature, and a
/// column of text one feature for each of its values, which is 1 for this value and else 0. With
/// hashing, features are one of 2^hash_bits columns, and each word of a text counts.
///
/// `Encoder{.missing = Missing::mean}.fit(table)` returns the fitted encoder, whose members are
/// plain data. Scaling is left to `Standardised`.
struct Encoder {
  Missing missing{Missing::refuse};
  int hash_bits{0};                      ///< 0: no hashing; at most 30
  std::vector<EncodedColumn> columns{};  ///< all columns of the table of `fit`, in order
  TableFormat format{};                  ///< of the text of this table

  /// Returns an encoder for tables like this one. Rows of sample weight 0 are ignored, and means
  /// are weighted. Throws std::invalid_argument for missing cells if they are refused, numbers that
  /// are not finite, a table without features, and hash_bits outside [0, 30].
  [[nodiscard]] Encoder fit(const Table& table) const {
    validate(table);
    Encoder fitted{missing, hash_bits, {}, table.format};
    const auto weights = table.weights_in(table.weights);
    for (std::size_t j = 0; j < table.columns.size(); ++j)
      fitted.columns.push_back(fitted_column(table, j, weights));
    const auto is_feature = [](const EncodedColumn& column) { return column.is_feature(); };
    require(std::any_of(fitted.columns.begin(), fitted.columns.end(), is_feature) &&
                fitted.features() > 0,
            table.source, ": x is empty: there is no feature");
    return fitted;
  }

  /// Returns x (n × d) for the rows of a table. Columns are found by name, or by position if a
  /// table has no names; the target may be absent. A text that is no category counts as none, and
  /// in `unknown`. Throws std::invalid_argument for missing columns and for cells that are not
  /// numbers in a column of numbers, missing if this is refused, or not finite.
  [[nodiscard]] SparseMatrix<double> apply(const Table& table,
                                           UnknownValues* unknown = nullptr) const {
    const auto cells = cells_in(table);
    UnknownValues ignored;
    SparseMatrix<double> x(table.rows(), features());
    std::map<Index, double> hashed;
    for (Index i = 0; i < x.rows(); ++i) {
      const auto put = [&](Index column, double value) {
        if (value != 0) x.insertBack(i, column) = value;
      };
      x.startVec(i);
      for (const Cells& of : cells) {
        const auto row = static_cast<std::size_t>(i);
        if (!of.to->is_text && hash_bits > 0)
          io::add_hashed(hashed, of.name, number_of(table, of, row), hash_bits);
        else if (!of.to->is_text)
          put(of.feature, number_of(table, of, row));
        else if (is_missing(table, of, row))
          continue;
        else if (hash_bits > 0)
          io::add_hashed_words(hashed, of.name, of.from->text(row), hash_bits);
        else if (const Index category = category_of(table, of, row, unknown ? *unknown : ignored);
                 category >= 0)
          put(of.feature + category, 1);
      }
      for (const auto& [column, value] : hashed) put(column, value);
      hashed.clear();
    }
    x.finalize();
    return x;
  }

  /// Returns x (1 × d) for the raw cells of one row: the columns of features, or all columns of the
  /// table of `fit`, or all but the target, in the order of that table.
  [[nodiscard]] SparseMatrix<double> apply(const std::vector<std::string>& cells,
                                           UnknownValues* unknown = nullptr) const {
    Table table{.source = "Encoder::apply", .format = format};
    for (const auto& cell : cells) {
      const auto number = io::number_of(cell, format);
      const bool is_gone =
          format.is_missing(cell) || (number && io::is_missing_number(*number, format));
      table.columns.emplace_back().texts = {is_gone ? std::string() : cell};
    }
    return apply(table, unknown);
  }

  /// Returns the targets (n) of a table: numbers, or for a text target indices in class_names().
  /// Targets that are missing, or unknown classes, are NaN. Throws std::invalid_argument if there
  /// is no target, and for text if the targets of `fit` were numbers.
  [[nodiscard]] Vector<double> targets(const Table& table) const {
    validate(table);
    const auto j = find(table, ColumnRole::target);
    require(j.has_value(), table.source, ": there is no target");
    const TableColumn& column = table.columns[*j];
    const auto names = class_names();
    if (!names.empty()) return io::classes_in(column, names);
    Vector<double> y(table.rows());
    for (std::size_t i = 0; i < static_cast<std::size_t>(y.size()); ++i) {
      const double number = y[static_cast<Index>(i)] = table.number_in(*j, i);
      if (number != number && !column.is_missing(i))
        refuse(table.place(i), ": the target '", column.text(i), "' is not a number");
    }
    return y;
  }

  /// Returns the classes of a text target, sorted by their bytes, or none.
  std::vector<std::string> class_names() const {
    for (const auto& column : columns)
      if (column.role == ColumnRole::target) return column.categories;
    return {};
  }

  /// Returns d.
  Index features() const { return hash_bits > 0 ? Index{1} << hash_bits : starts().back(); }

  /// Returns the name of feature j, such as "rooms" or "town=Ulm". Not for hashed features.
  std::string feature_name(Index j) const {
    const auto first = starts();
    const auto k = static_cast<std::size_t>(std::upper_bound(first.begin(), first.end(), j) -
                                            first.begin() - 1);
    std::string name = name_of(columns[k].name, k);
    if (!columns[k].is_text) return name;
    return name + "=" + columns[k].categories[static_cast<std::size_t>(j - first[k])];
  }
  /// Returns the names of all features (d), or none with hashing.
  std::vector<std::string> feature_names() const {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < columns.size() && hash_bits == 0; ++k) {
      if (!columns[k].is_feature()) continue;
      const std::string name = name_of(columns[k].name, k);
      if (!columns[k].is_text) names.push_back(name);
      for (const auto& category : columns[k].categories)
        names.emplace_back(name).append("=").append(category);
    }
    return names;
  }

  /// Returns the first feature of each column, and d at the end. Not for hashed features.
  std::vector<Index> starts() const {
    std::vector<Index> first(1, 0);
    for (const auto& column : columns) {
      const auto count = column.is_text ? static_cast<Index>(column.categories.size()) : 1;
      first.push_back(first.back() + (column.is_feature() ? count : 0));
    }
    return first;
  }

  /// Returns the options to read another table like that of `fit`.
  TableOptions table_options() const { return {.format = format, .like = columns}; }

  /// Returns the index of the column with the role in another table, or nothing if it is absent.
  std::optional<std::size_t> find(const Table& table, ColumnRole role) const {
    const auto places = io::places_in(table.columns, columns);
    for (std::size_t k = 0; k < places.size(); ++k)
      if (columns[k].role == role && places[k] >= 0) return static_cast<std::size_t>(places[k]);
    return std::nullopt;
  }

 private:
  /// The cells of one column of features in a table.
  struct Cells {
    const EncodedColumn* to;
    const TableColumn* from;
    std::size_t place;  ///< in the table
    Index feature;      ///< the first feature of the column
    std::string name;   ///< for hashing; the number in it counts columns of features only
  };

  static std::string name_of(const std::string& name, std::size_t place) {
    return name.empty() ? "column " + std::to_string(place + 1) : name;
  }

  void validate(const Table& table) const {
    require(0 <= hash_bits && hash_bits <= 30, "Encoder::hash_bits is ", hash_bits,
            ", which is not in [0, 30]");
    table.validate();
  }

  std::vector<Cells> cells_in(const Table& table) const {
    validate(table);
    const auto places = io::places_in(table.columns, columns);
    const auto first = starts();
    std::vector<Cells> cells;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (!columns[k].is_feature()) continue;
      if (places[k] < 0) refuse_columns(table, columns[k]);
      const auto j = static_cast<std::size_t>(places[k]);
      cells.push_back(
          {&columns[k], &table.columns[j], j, first[k], name_of(columns[k].name, cells.size())});
    }
    require(!cells.empty(), table.source, ": the encoder has no columns");
    return cells;
  }

  [[noreturn]] void refuse_columns(const Table& table, const EncodedColumn& missed) const {
    if (!missed.name.empty() && !table.columns.empty() && !table.columns[0].name.empty())
      (void)table.column_of(missed.name);  // throws
    std::size_t others = 0;
    bool are_all_used = true;
    for (const auto& column : columns) {
      others += column.role != ColumnRole::target;
      are_all_used = are_all_used && (column.is_feature() || column.role == ColumnRole::target);
    }
    refuse(table.source, ": ", table.columns.size(), " columns, but the model is for ", others,
           ", with or without the target",
           are_all_used ? "" : ", or those that are features alone");
  }

  template <class... What>
  [[noreturn]] static void refuse_cell(const Table& table, const Cells& of, std::size_t row,
                                       const What&... what) {
    refuse(table.place(row), ": ", name_of(of.to->name, of.place), what...);
  }

  /// Returns whether the cell is missing. Throws if this is refused.
  bool is_missing(const Table& table, const Cells& of, std::size_t row) const {
    if (!of.from->is_missing(row)) return false;
    if (missing == Missing::refuse)
      refuse_cell(table, of, row,
                  " is missing: fit the encoder with Missing::mean or Missing::zero");
    return true;
  }

  double number_of(const Table& table, const Cells& of, std::size_t row) const {
    if (is_missing(table, of, row)) return of.to->fill;
    const double value = table.number_in(of.place, row);
    if (of.from->is_text() && value != value)
      refuse_cell(table, of, row, " is '", of.from->texts[row].substr(0, 60),
                  "', but in training it was a number");
    if (!std::isfinite(value)) refuse_cell(table, of, row, " is not finite");
    return value;
  }

  /// Returns the index of the category of a cell, or -1 if it is unknown.
  static Index category_of(const Table& table, const Cells& of, std::size_t row,
                           UnknownValues& unknown) {
    const std::string text = of.from->text(row);
    const Index category = io::index_in(of.to->categories, text);
    if (category < 0 && ++unknown.count == 1)
      unknown.first = table.place(row) + ": " + name_of(of.to->name, of.place) + " is '" +
                      io::excerpt(text) + "'";
    return category;
  }

  EncodedColumn fitted_column(const Table& table, std::size_t j,
                              const Vector<double>& weights) const {
    const TableColumn& column = table.columns[j];
    EncodedColumn fitted{.name = column.name, .is_text = column.is_text()};
    fitted.role = table.weights == j   ? ColumnRole::weights
                  : column.is_left_out ? ColumnRole::left_out
                  : j == table.target  ? ColumnRole::target
                                       : ColumnRole::feature;
    if (fitted.role == ColumnRole::target) fitted.categories = io::distinct_texts(column.texts);
    if (!fitted.is_feature()) return fitted;
    const Cells cells{&fitted, &column, j, 0, {}};
    double mean = 0;
    double total = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(table.rows()); ++i) {
      const double weight = weights.size() > 0 ? weights[static_cast<Index>(i)] : 1;
      if (weight == 0 || is_missing(table, cells, i)) continue;
      if (!fitted.is_text) {
        total += weight;
        mean += (number_of(table, cells, i) - mean) * (weight / total);
      } else if (hash_bits == 0) {
        fitted.categories.push_back(column.texts[i]);
      }
    }
    if (missing == Missing::mean) fitted.fill = mean;
    fitted.categories = io::distinct_texts(std::move(fitted.categories));
    return fitted;
  }
};

}  // namespace linea
