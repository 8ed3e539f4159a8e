// SPDX-License-Identifier: MIT
#include "programs/common/preprocessing.hpp"

#include <algorithm>
#include <linea/core/require.hpp>
#include <linea/features/polynomial.hpp>
#include <map>
#include <unordered_set>
#include <vector>

namespace program {

using linea::Index;
using Sparse = linea::SparseMatrix<double>;

Preprocessing Preprocessing::learn(const Table& table, bool zero_based,
                                   const PreprocessingOptions& options) {
  Preprocessing learnt;
  learnt.encoder.missing = linea::missing_of(options.missing).value();
  learnt.encoder.hash_bits = options.hash_bits;
  learnt.has_entries = table.has_entries;
  learnt.zero_based = zero_based;
  learnt.width = table.x.cols();
  learnt.degree = options.degree;
  if (!table.has_entries) learnt.encoder = learnt.encoder.fit(table);
  linea::require(learnt.raw_features() > 0, table.source, ": x is empty: there is no feature");
  if (options.standardise)
    learnt.learn_scales(learnt.apply(table).x, table.weights_in(table.weights), options.centre);
  return learnt;
}

Index Preprocessing::raw_features() const {
  return has_entries && encoder.hash_bits == 0 ? width : encoder.features();
}

Index Preprocessing::features() const {
  const Index raw = raw_features();
  return degree > 1 ? linea::Polynomial{.degree = degree}.columns(raw) : raw;
}

std::string Preprocessing::raw_name(Index j) const {
  if (encoder.hash_bits > 0) return "hash " + std::to_string(j);
  if (has_entries) return "feature " + std::to_string(j + !zero_based);
  return encoder.feature_name(j);
}

std::string Preprocessing::name_of(Index j) const {
  if (degree <= 1) return raw_name(j);
  std::string name;
  for (const Index factor : linea::Polynomial{.degree = degree}.factors(j, raw_features()))
    name += (name.empty() ? "" : " * ") + raw_name(factor);
  return name;
}

Sparse Preprocessing::hash_entries(const Table& table) const {
  const EntriesView& entries = table.x;
  return sparse_rows(table.rows(), raw_features(), [&](Index i, const auto& put) {
    std::map<Index, double> row;
    for (EntriesView::InnerIterator entry(entries, i); entry; ++entry)
      linea::io::add_hashed(row, std::to_string(entry.col() + !zero_based), entry.value(),
                            encoder.hash_bits);
    for (const auto& [column, value] : row) put(column, value);
  });
}

Entries Preprocessing::encode(const Table& table, linea::UnknownValues& unknown) const {
  linea::require(has_entries == table.has_entries, table.source,
                 has_entries ? ": a table of columns, but the model is for lists of entries"
                             : ": a list of entries, but the model is for tables of columns");
  if (!has_entries) return encoder.apply(table, &unknown);
  if (encoder.hash_bits > 0) return hash_entries(table);
  if (table.x.cols() == width) return table.x;
  const EntriesView& entries = table.x;
  return sparse_rows(table.rows(), width, [&](Index i, const auto& put) {
    for (EntriesView::InnerIterator entry(entries, i); entry; ++entry)
      if (entry.col() < width)
        put(entry.col(), entry.value());
      else
        ++unknown.count;
  });
}

Encoded Preprocessing::apply(const Table& table) const {
  Encoded encoded;
  encoded.x = encode(table, encoded.unknown);
  if (degree > 1) {
    const linea::Polynomial polynomial{.degree = degree};
    encoded.x = polynomial.apply(Sparse(encoded.x.view()));
  }
  if (is_scaled()) encoded.x = scaled(encoded.x);
  return encoded;
}

void Preprocessing::take_columns(const Table& table) {
  auto& columns = encoder.columns;
  const bool has_names = !table.columns.empty() && !table.columns.front().name.empty();
  has_entries = false;
  columns.resize(static_cast<std::size_t>(width));
  const bool by_name = has_names && !columns.front().name.empty();
  std::unordered_set<std::string> known;
  for (const auto& column : columns) known.insert(column.name);
  linea::EncodedColumn target{.role = linea::ColumnRole::target};
  for (std::size_t j = 0; j < table.columns.size(); ++j)
    if (const auto& column = table.columns[j]; column.is_left_out) {
      const auto place = columns.begin() + static_cast<Index>(std::min(j, columns.size()));
      columns.insert(place, {.role = linea::ColumnRole::left_out});
    } else if (by_name && known.count(column.name) == 0) {
      target.name = column.name;  // of several such columns, the last is the target
    }
  columns.push_back(target);
}

void Preprocessing::learn_scales(const EntriesView& x, const linea::Vector<double>& weights,
                                 bool may_centre) {
  const auto entries = static_cast<double>(x.rows()) * static_cast<double>(x.cols());
  const bool is_full = 2 * static_cast<double>(x.nonZeros()) >= entries;
  scaling = linea::standardise(x, weights);  // without centring, as x is sparse
  std::vector<Index> others;                 // the columns that are not 0 or 1 for text
  const bool has_indicators = !has_entries && encoder.hash_bits == 0 && degree == 1;
  const auto first = has_indicators ? encoder.starts() : std::vector<Index>{};
  for (std::size_t k = 0; k + 1 < first.size(); ++k)
    if (encoder.columns[k].is_text)
      scaling.scale.segment(first[k], first[k + 1] - first[k]).setOnes();
    else if (encoder.columns[k].is_feature())
      others.push_back(first[k]);
  for (Index j = 0; !has_indicators && j < x.cols(); ++j) others.push_back(j);
  if ((has_entries && !is_full) || encoder.hash_bits > 0 || !may_centre) return;
  const Eigen::SparseMatrix<double> by_columns = x;
  constexpr std::size_t most = 64;  // dense columns in memory
  for (std::size_t at = 0; at < others.size(); at += most) {
    const std::size_t count = std::min(most, others.size() - at);
    linea::Matrix<double> part(x.rows(), static_cast<Index>(count));
    for (std::size_t c = 0; c < count; ++c)
      part.col(static_cast<Index>(c)) = by_columns.col(others[at + c]);
    const auto [mean, scale] = linea::standardise(part, weights);
    for (std::size_t c = 0; c < count; ++c) {
      scaling.mean[others[at + c]] = mean[static_cast<Index>(c)];
      scaling.scale[others[at + c]] = scale[static_cast<Index>(c)];
    }
  }
}

Sparse Preprocessing::scaled(const EntriesView& x) const {
  const auto& [mean, scale] = scaling;
  const Index centred = (mean.array() != 0).count();
  if (centred == 0) return scaling.apply(x);
  return sparse_rows(
      x.rows(), x.cols(),
      [&, &mean = mean, &scale = scale](Index i, const auto& put_scaled) {
        Index next = 0;  // the first column that is not written yet
        const auto put = [&](Index j, double value) {
          const double number = (value - mean[j]) / scale[j];
          if (number != 0) put_scaled(j, number);
        };
        const auto skip_to = [&](Index end) {
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
      x.nonZeros() + x.rows() * centred);
}

}  // namespace program
