// SPDX-License-Identifier: MIT
#include "programs/common/preprocessing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <linea/core/require.hpp>
#include <linea/features/polynomial.hpp>
#include <linea/io/checksum.hpp>
#include <linea/io/text.hpp>
#include <unordered_map>

#include "programs/common/numbers.hpp"

namespace program {

using linea::Index;
using Sparse = linea::SparseMatrix<double>;

namespace {

/// Returns the FNV-1a hash after the final mix of MurmurHash3, so that every bit depends on all
/// bytes.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = linea::io::checksum(text);
  hash = (hash ^ hash >> 33) * 0xff51afd7ed558ccdU;
  hash = (hash ^ hash >> 33) * 0xc4ceb9fe1a85ec53U;
  return hash ^ hash >> 33;
}

/// Adds a feature by its name. The name determines its sign, so that collisions cancel out on
/// average. Weinberger and others, Feature Hashing for Large Scale Multitask Learning, ICML 2009.
void add_hashed(Row& row, std::string_view name, double value, int bits) {
  const std::uint64_t hash = hash_of(name);
  const auto column = static_cast<Index>(hash & ((std::uint64_t{1} << bits) - 1));
  row[column] += hash >> 63 ? -value : value;
}

/// Calls f with each word of a text.
template <class F>
void for_each_word(const std::string& text, F&& f) {
  for (std::size_t at = 0;;) {
    at = text.find_first_not_of(" \t\r\n", at);
    if (at == text.npos) return;
    const std::size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
    f(text.substr(at, end - at));
    at = end;
  }
}

std::string column_name(const std::string& name, std::size_t number) {
  return name.empty() ? "column " + std::to_string(number + 1) : name;
}

/// Returns the plan of column j. Rows have sample weights > 0, or none.
ColumnPlan plan_of(const Table& table, std::size_t j, const linea::Vector<double>& weights,
                   const PreprocessingOptions& options) {
  const Column& column = table.columns[j];
  ColumnPlan plan;
  plan.name = column.name;
  plan.is_text = column.is_text();
  double sum = 0;
  double count = 0;
  const auto n = static_cast<std::size_t>(table.rows());
  for (std::size_t i = 0; i < n; ++i) {
    if (column.is_missing(i)) {
      linea::require(options.missing != "refuse", table.place(i), ": ", column_name(column.name, j),
                     " is missing: --missing mean or --missing zero ",
                     plan.is_text ? "takes a missing text as none" : "fills it in");
    } else if (plan.is_text) {
      plan.categories.push_back(column.texts[i]);
    } else {
      linea::require(std::isfinite(column.numbers[i]), table.place(i), ": ",
                     column_name(column.name, j), " is not finite");
      const double weight = weights.size() > 0 ? weights[static_cast<Index>(i)] : 1;
      count += weight;
      sum += (column.numbers[i] - sum) / (count / weight);  // updates the running mean
    }
  }
  if (options.missing == "mean") plan.fill = sum;
  plan.categories = distinct(std::move(plan.categories));
  if (options.hash_bits > 0) plan.categories.clear();
  return plan;
}

}  // namespace

Preprocessing Preprocessing::learn(const Table& table, std::size_t target, bool zero_based,
                                   const PreprocessingOptions& options) {
  Preprocessing learnt;
  learnt.options = options;
  learnt.has_entries = table.has_entries;
  learnt.zero_based = zero_based;
  learnt.width = table.x.cols();
  const auto weights = sample_weights_in(table, table.weights);
  if (!table.has_entries) {
    learnt.target_name = table.columns[target].name;
    learnt.target_column = static_cast<Index>(target);
    learnt.reading = table.reading;
    for (std::size_t j = 0; j < table.columns.size(); ++j)
      if (table.columns[j].is_left_out)
        learnt.left_out.push_back(static_cast<Index>(j));
      else if (j != target)
        learnt.columns.push_back(plan_of(table, j, weights, options));
    if (table.weights) {
      learnt.weights_column = static_cast<Index>(*table.weights);
      learnt.weights_name = table.columns[*table.weights].name;
    }
  }
  linea::require(learnt.raw_features() > 0, table.source, ": x is empty: there is no feature");
  if (options.standardise) {
    Preprocessing plain = learnt;
    plain.options.standardise = false;
    learnt.learn_scales(plain.apply(table).x, weights);
  }
  return learnt;
}

Index Preprocessing::raw_features() const {
  if (options.hash_bits > 0) return Index{1} << options.hash_bits;
  if (has_entries) return width;
  return starts().back();
}

Index Preprocessing::features() const {
  const Index raw = raw_features();
  return options.degree > 1 ? linea::Polynomial{.degree = options.degree}.columns(raw) : raw;
}

std::string Preprocessing::raw_name(Index j) const {
  if (options.hash_bits > 0) return "hash " + std::to_string(j);
  if (has_entries) return "feature " + std::to_string(j + !zero_based);
  const std::size_t k = column_at(j);
  const auto& column = columns[k];
  std::string name = column_name(column.name, static_cast<std::size_t>(place_of(k)));
  if (!column.is_text) return name;
  return name + "=" + column.categories[static_cast<std::size_t>(j - starts()[k])];
}

const std::vector<Index>& Preprocessing::starts() const {
  if (starts_.size() == columns.size() + 1) return starts_;
  starts_.assign(1, 0);
  for (const auto& column : columns)
    starts_.push_back(starts_.back() +
                      (column.is_text ? static_cast<Index>(column.categories.size()) : 1));
  return starts_;
}

std::size_t Preprocessing::column_at(Index j) const {
  const auto& all = starts();
  return static_cast<std::size_t>(std::upper_bound(all.begin(), all.end(), j) - all.begin()) - 1;
}

Index Preprocessing::file_width() const {
  return static_cast<Index>(columns.size() + left_out.size()) + 1;
}

Index Preprocessing::place_of(std::size_t k) const {
  std::vector<Index> others = left_out;
  others.insert(std::upper_bound(others.begin(), others.end(), target_column), target_column);
  auto place = static_cast<Index>(k);
  for (const Index other : others) place += other >= 0 && other <= place;
  return place;
}

Index Preprocessing::place_in(Index width_of_file, Index place) const {
  if (width_of_file == file_width()) return place;
  const auto is_before = [&](Index other) { return other < place; };
  const Index others = width_of_file + 1 == file_width()
                           ? 0
                           : std::count_if(left_out.begin(), left_out.end(), is_before);
  return place - others - (place > target_column);
}

std::string Preprocessing::name_of(Index j) const {
  if (options.degree <= 1) return raw_name(j);
  std::string name;
  for (const Index factor : linea::Polynomial{.degree = options.degree}.factors(j, raw_features()))
    name += (name.empty() ? "" : " * ") + raw_name(factor);
  return name;
}

bool Preprocessing::is_indicator(Index j) const {
  if (has_entries || options.hash_bits > 0 || options.degree > 1) return false;
  return columns[column_at(j)].is_text;
}

std::vector<std::string> Preprocessing::names() const {
  std::vector<std::string> all;
  for (const auto& column : columns)
    if (!column.name.empty()) all.push_back(column.name);
  return all;
}

std::vector<std::string> Preprocessing::text_columns(Index width_of_file, bool has_names,
                                                     bool target_is_text) const {
  std::vector<std::string> wanted;
  const auto add = [&](const std::string& name, Index place) {
    if (!has_names)
      wanted.push_back(std::to_string(place_in(width_of_file, place) + 1));
    else if (!name.empty())
      wanted.push_back(name);
  };
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (columns[k].is_text) add(columns[k].name, place_of(k));
  if (target_is_text && (has_names || width_of_file == file_width()))
    add(target_name, target_column);
  return wanted;
}

std::optional<std::size_t> Preprocessing::target_in(const Table& table) const {
  return column_in(table, target_name, target_column);
}

std::optional<std::size_t> Preprocessing::weights_in(const Table& table) const {
  if (weights_column < 0 || table.has_entries) return std::nullopt;
  return column_in(table, weights_name, weights_column);
}

std::optional<std::size_t> Preprocessing::column_in(const Table& table, const std::string& name,
                                                    Index place) const {
  if (!name.empty() && !table.columns.empty() && !table.columns[0].name.empty()) {
    for (std::size_t j = 0; j < table.columns.size(); ++j)
      if (table.columns[j].name == name) return j;
    return std::nullopt;
  }
  const auto found = static_cast<Index>(table.columns.size());
  const bool is_there =
      found == file_width() || (found + 1 == file_width() && place != target_column);
  // A file with one column less is the training file without its target.
  if (!is_there) return std::nullopt;
  return static_cast<std::size_t>(place_in(found, place));
}

std::vector<const Column*> Preprocessing::columns_in(const Table& table) const {
  linea::require(!table.has_entries, table.source,
                 ": a list of entries, but the model is for tables of ", columns.size(),
                 " columns");
  std::vector<const Column*> found;
  const bool has_names = !table.columns[0].name.empty() && !columns[0].name.empty();
  const auto found_width = static_cast<Index>(table.columns.size());
  if (!has_names) {
    const bool fits = found_width == file_width() || found_width + 1 == file_width() ||
                      table.columns.size() == columns.size();
    linea::require(fits, table.source, ": ", found_width, " columns, but the model is for ",
                   columns.size() + left_out.size(), ", with or without the target",
                   left_out.empty() ? "" : ", or those that are features alone");
  }
  std::unordered_map<std::string, std::size_t> by_name;
  for (std::size_t j = 0; has_names && j < table.columns.size(); ++j)
    by_name.emplace(table.columns[j].name, j);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    auto j = static_cast<std::size_t>(place_in(found_width, place_of(k)));
    if (has_names) {
      const auto named = by_name.find(columns[k].name);
      j = named != by_name.end() ? named->second : table.column_of(columns[k].name);
    }
    found.push_back(&table.columns[j]);
  }
  return found;
}

/// Returns the text of a cell. Its column may hold numbers in this file.
static std::string text_in(const Column& column, std::size_t row) {
  return column.is_text() ? column.texts[row] : linea::detail::number_text(column.numbers[row]);
}

/// Returns the number in a cell, or NaN if there is none. Its column may be text in this file
/// because of other cells.
static double number_in(const Table& table, const Column& column, std::size_t row) {
  if (!column.is_text()) return column.numbers[row];
  return number_of(column.texts[row], table.reading)
      .value_or(std::numeric_limits<double>::quiet_NaN());
}

void Preprocessing::encode_cell(const Table& table, const Column& column, std::size_t row,
                                std::size_t k, Row& entries, Encoded& seen) const {
  const auto& plan = columns[k];
  const int bits = options.hash_bits;
  // Messages have the number of the column in the file. Hashed names count features only.
  const auto name = [&] {
    return column_name(plan.name, static_cast<std::size_t>(&column - table.columns.data()));
  };
  const auto hashed_name = [&] { return column_name(plan.name, k); };
  const bool missing = column.is_missing(row);
  const auto refuse = [&](const char* what) {
    linea::refuse(table.place(row), ": ", name(), what);
  };
  if (missing && options.missing == "refuse")
    refuse(" is missing, which the model does not fill in: train with --missing mean or zero");
  if (!plan.is_text) {
    const double value = missing ? plan.fill : number_in(table, column, row);
    if (!missing && column.is_text() && std::isnan(value))
      linea::refuse(table.place(row), ": ", name(), " is '", column.texts[row].substr(0, 60),
                    "', but in training it was a number");
    if (!std::isfinite(value)) refuse(" is not finite");
    if (bits > 0)
      add_hashed(entries, hashed_name(), value, bits);
    else if (value != 0)
      entries[starts()[k]] += value;
  } else if (!missing && bits > 0) {
    for_each_word(text_in(column, row), [&](const std::string& word) {
      add_hashed(entries, hashed_name() + "=" + word, 1, bits);
    });
  } else if (!missing) {
    const auto& known = plan.categories;
    const std::string text = text_in(column, row);
    const auto category = std::lower_bound(known.begin(), known.end(), text);
    if (category != known.end() && *category == text)
      entries[starts()[k] + (category - known.begin())] += 1;
    else if (++seen.unknown == 1)
      seen.first_unknown =
          table.place(row) + ": " + name() + " is '" + linea::io::excerpt(text) + "'";
  }
}

Sparse Preprocessing::encode_columns(const Table& table, Encoded& seen) const {
  const auto found = columns_in(table);
  return sparse_rows(table.rows(), raw_features(), [&](Index i, const auto& put) {
    Row row;
    for (std::size_t k = 0; k < columns.size(); ++k)
      encode_cell(table, *found[k], static_cast<std::size_t>(i), k, row, seen);
    for (const auto& [column, value] : row) put(column, value);
  });
}

Sparse Preprocessing::hash_entries(const Table& table) const {
  const EntriesView& entries = table.x;
  return sparse_rows(table.rows(), raw_features(), [&](Index i, const auto& put) {
    Row row;
    for (EntriesView::InnerIterator entry(entries, i); entry; ++entry)
      add_hashed(row, std::to_string(entry.col() + !zero_based), entry.value(), options.hash_bits);
    for (const auto& [column, value] : row) put(column, value);
  });
}

Entries Preprocessing::encode(const Table& table, Encoded& seen) const {
  if (!has_entries) return encode_columns(table, seen);
  linea::require(table.has_entries, table.source,
                 ": a table of columns, but the model is for lists of entries");
  if (options.hash_bits > 0) return hash_entries(table);
  if (table.x.cols() == width) return table.x;
  const EntriesView& entries = table.x;
  return sparse_rows(table.rows(), width, [&](Index i, const auto& put) {
    for (EntriesView::InnerIterator entry(entries, i); entry; ++entry)
      if (entry.col() < width)
        put(entry.col(), entry.value());
      else
        ++seen.unknown;
  });
}

Encoded Preprocessing::apply(const Table& table) const {
  Encoded encoded;
  encoded.x = encode(table, encoded);
  if (options.degree > 1) {
    const linea::Polynomial polynomial{.degree = options.degree};
    encoded.x = polynomial.apply(Sparse(encoded.x.view()));
  }
  if (scale.size() > 0) encoded.x = standardised(encoded.x);
  return encoded;
}

void Preprocessing::learn_scales(const EntriesView& x, const linea::Vector<double>& weights) {
  const auto weight_of = [&](Index i) { return weights.size() > 0 ? weights[i] : 1; };
  double total = 0;
  for (Index i = 0; i < x.rows(); ++i) total += weight_of(i);
  mean.setZero(x.cols());
  scale.setOnes(x.cols());
  linea::Vector<double> largest = linea::Vector<double>::Zero(x.cols());
  for (Index i = 0; i < x.rows(); ++i)
    for (EntriesView::InnerIterator entry(x, i); entry; ++entry)
      largest[entry.col()] = std::max(largest[entry.col()], std::abs(entry.value()));
  const auto stored = static_cast<double>(x.nonZeros());
  const bool is_full = 2 * stored >= static_cast<double>(x.rows()) * static_cast<double>(x.cols());
  const bool centre = (!has_entries || is_full) && options.hash_bits == 0 && options.centre;
  if (centre)
    for (Index i = 0; i < x.rows(); ++i)
      for (EntriesView::InnerIterator entry(x, i); entry; ++entry)
        if (!is_indicator(entry.col())) mean[entry.col()] += entry.value() / (total / weight_of(i));
  linea::Vector<double> squares = linea::Vector<double>::Zero(x.cols());
  linea::Vector<double> entries = linea::Vector<double>::Zero(x.cols());
  const auto add = [&](Index j, double value, double times) {
    const double unit = largest[j] > 0 ? (value - mean[j]) / largest[j] : 0;
    squares[j] += times * unit * unit / total;
  };
  for (Index i = 0; i < x.rows(); ++i)
    for (EntriesView::InnerIterator entry(x, i); entry; ++entry) {
      add(entry.col(), entry.value(), weight_of(i));
      entries[entry.col()] += weight_of(i);
    }
  for (Index j = 0; j < x.cols(); ++j) {
    add(j, 0, std::max(total - entries[j], 0.0));
    const double deviation = largest[j] * std::sqrt(squares[j]);
    const bool is_constant = !(deviation > 1e-13 * std::abs(mean[j]));
    if (!is_indicator(j) && !is_constant) scale[j] = deviation;
  }
}

Sparse Preprocessing::standardised(const EntriesView& x) const {
  const bool is_centred = (mean.array() != 0).any();
  return sparse_rows(
      x.rows(), x.cols(),
      [&](Index i, const auto& put_scaled) {
        Index next = 0;  // the first column that is not written yet
        const auto put = [&](Index j, double value) {
          const double centred = (value - mean[j]) / scale[j];
          if (centred != 0) put_scaled(j, centred);
        };
        const auto skip_to = [&](Index end) {
          if (!is_centred) return;
          for (; next < end; ++next)
            if (mean[next] != 0) put(next, 0);
        };
        for (EntriesView::InnerIterator entry(x, i); entry; ++entry) {
          skip_to(entry.col());
          put(entry.col(), entry.value());
          next = entry.col() + 1;
        }
        skip_to(x.cols());
      },
      x.nonZeros() + x.rows() * (mean.array() != 0).count());
}

}  // namespace program
