// SPDX-License-Identifier: MIT
#include "programs/common/table.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <linea/core/require.hpp>
#include <linea/io/libsvm.hpp>
#include <linea/io/mapped_file.hpp>
#include <linea/io/matrix_market.hpp>
#include <linea/io/npy.hpp>
#include <linea/io/text_file.hpp>
#include <type_traits>
#include <utility>

#include "programs/common/byte_source.hpp"
#include "programs/common/system.hpp"

namespace program {
namespace {

using linea::Index;

constexpr std::string_view npy_magic{"\x93NUMPY"};

/// Rejects bytes that are not text, such as a byte 0, as soon as they are read. Does not check .npy
/// and binary files.
struct EarlyCheck {
  linea::io::TextCheck check;

  /// Checks the text from `from` on. The text before was checked by earlier calls.
  void operator()(std::string_view text, std::size_t from, bool is_endless) {
    if (!text.starts_with(npy_magic) && !text.starts_with(binary_magic))
      check(text, from, is_endless);
  }
};

/// Returns "csv" or "libsvm". The format is CSV if a separator is given. Else the end of the name
/// determines it, or else the first sample: LIBSVM has "number:" after a blank, only a label, or
/// a colon and no comma, semicolon, tab or bar. Text without samples counts as LIBSVM.
std::string text_format(std::string_view text, std::string name, char separator) {
  if (separator) return "csv";
  for (const char* end : {".gz", ".GZ"})
    if (name.ends_with(end)) name.resize(name.size() - 3);
  if (name.ends_with(".csv") || name.ends_with(".tsv")) return "csv";
  if (name.ends_with(".svm") || name.ends_with(".libsvm")) return "libsvm";
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find_first_of("\r\n"));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const auto first = line.find_first_not_of(" \t\r");
    if (first == line.npos || line[first] == '#') continue;
    const std::string_view sample = line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
    const auto colon = sample.find(':');
    const auto index = sample.find_last_of(" \t", colon) + 1;
    if (colon != sample.npos && index > 0 && index < colon &&
        sample.find_first_not_of("0123456789-", index) == colon)
      return "libsvm";
    const bool has_cells = sample.find_first_of(",;\t|") != sample.npos ||
                           (colon == sample.npos && sample.find(' ') != sample.npos);
    return has_cells ? "csv" : "libsvm";
  }
  return "libsvm";
}

template <class X>
void take_dense(const X& x, Table& table) {
  for (Index j = 0; j < x.cols(); ++j) {
    Column& column = table.columns.emplace_back();
    for (Index i = 0; i < x.rows(); ++i)
      column.numbers.push_back(static_cast<double>(x.coeff(i, j)));
  }
}

/// Maps a file of the binary format. Sparse samples of doubles with 32-bit indices stay in the
/// file, which may be larger than the memory. Other samples are copied.
template <class X>
void take_mapped(const std::string& path, Table& table) {
  auto mapped = linea::map_binary<X>(path_of(path), {.verify = true});
  table.y = mapped.y().template cast<double>();
  table.has_entries = linea::SparseSamples<X>;
  if constexpr (std::is_same_v<X, linea::SparseMatrix<double>>) {
    const EntriesView view = mapped.x();
    table.x = Entries(std::make_shared<const linea::MappedLabelled<X>>(std::move(mapped)), view);
  } else if constexpr (linea::SparseSamples<X>) {
    linea::require(mapped.x().nonZeros() <= std::numeric_limits<int>::max(), path,
                   ": more than 2^31 - 1 entries");
    table.x = linea::SparseMatrix<double>(mapped.x().template cast<double>());
  } else {
    take_dense(mapped.x(), table);
    Column& target = table.columns.emplace_back();
    target.numbers.assign(table.y.begin(), table.y.end());
  }
}

/// Maps a file of scalars T with this number of bits of an index, 0 for dense samples.
template <class T>
void take_scalars(std::uint32_t index_bits, const std::string& path, Table& table) {
  if (index_bits == 0)
    take_mapped<linea::Matrix<T>>(path, table);
  else if (index_bits == 64)
    take_mapped<linea::SparseMatrix<T, Index>>(path, table);
  else
    take_mapped<linea::SparseMatrix<T>>(path, table);
}

void read_binary(std::string_view bytes, const std::string& path, Table& table) {
  linea::io::BinaryHeader header;
  linea::require(bytes.size() >= sizeof header, path, ": no linea binary file");
  std::memcpy(&header, bytes.data(), sizeof header);
  const bool is_float = header.scalar_bits == 32;
  (is_float ? take_scalars<float> : take_scalars<double>)(header.index_bits, path, table);
}

/// Makes the last column of a sparse matrix the target, as in a table. If the matrix has
/// `known_features` > 0 columns, all are features and the targets are unknown. May clear `all`:
/// Eigen would copy a sparse matrix instead of moving it.
void split_last_column(linea::SparseMatrix<double>& all, Index known_features, Table& table) {
  if (known_features > 0 && all.cols() == known_features) {
    table.has_entries = true;
    table.y.setConstant(all.rows(), std::numeric_limits<double>::quiet_NaN());
    table.x = std::move(all);
    return;
  }
  linea::require(all.cols() >= 2, table.source, ": a target and a feature at least are needed");
  const Index d = all.cols() - 1;
  table.has_entries = true;
  table.y.setZero(all.rows());
  table.x = sparse_rows(all.rows(), d, [&](Index i, const auto& put) {
    for (linea::SparseMatrix<double>::InnerIterator entry(all, i); entry; ++entry)
      if (entry.col() < d)
        put(entry.col(), entry.value());
      else
        table.y[i] = entry.value();
  });
}

/// Returns the table in a text. `path` is not empty if the text comes from a file.
Table table_of(std::string_view text, const std::string& source, const std::string& path,
               const InputOptions& options) {
  Table table;
  table.source = source;
  const std::string format = format_of(text, source, options);
  if (format == "csv") {
    static_cast<linea::Table&>(table) = linea::parse_table(text, source, options);
  } else if (format == "npy") {
    take_dense(linea::parse_npy<double>(text, source), table);
  } else if (format == "mtx") {
    auto matrix = linea::parse_matrix_market<double>(text, source);
    if (matrix.is_dense)
      take_dense(matrix.x, table);
    else
      split_last_column(matrix.x, options.known_features, table);
  } else if (format == "binary") {
    linea::require(!path.empty(), source,
                   ": linea's binary form is mapped: it must be a file, and not compressed");
    read_binary(text, path, table);
  } else {
    auto data = linea::parse_libsvm<double>(
        text, source, {.most_features = options.most_features, .zero_based = options.zero_based});
    table.x = std::move(data.x);
    table.y = std::move(data.y);
    table.has_entries = true;
  }
  check_columns(table, options);
  if (format != "csv") linea::io::settle_columns(table, options);
  return table;
}

}  // namespace

std::string format_of(std::string_view beginning, const std::string& source,
                      const InputOptions& options) {
  if (options.file_format != "auto") return options.file_format;
  return beginning.starts_with(npy_magic)      ? "npy"
         : beginning.starts_with(binary_magic) ? "binary"
         : beginning.starts_with("%%MatrixMarket")
             ? "mtx"
             : text_format(beginning, source, options.format.separator);
}

Table Table::take(const std::vector<Index>& wanted) const {
  Table taken;
  static_cast<linea::Table&>(taken) = linea::Table::take(wanted);
  taken.has_entries = has_entries;
  if (!has_entries) return taken;
  const auto n = static_cast<Index>(wanted.size());
  const EntriesView& entries = x;
  taken.y.resize(n);
  taken.x = sparse_rows(n, x.cols(), [&](Index k, const auto& put) {
    const Index row = wanted[static_cast<std::size_t>(k)];
    taken.y[k] = y[row];
    for (EntriesView::InnerIterator entry(entries, row); entry; ++entry)
      put(entry.col(), entry.value());
  });
  return taken;
}

Table read_table(ByteSource& source, const InputOptions& options) {
  linea::require(options.most_features >= 0, "--most-features ", options.most_features,
                 " is not >= 0");
  const std::string& name = source.name();
  if (source.is_plain_file()) {
    if (source.beginning().starts_with(binary_magic) &&
        (options.file_format == "auto" || options.file_format == "binary"))
      return table_of(source.beginning(), name, name, options);
    const auto bytes =
        linea::io::read_file("reading", path_of(name), EarlyCheck{linea::io::TextCheck(name)});
    return table_of(bytes.text(), name, name, options);
  }
  EarlyCheck check{linea::io::TextCheck(name)};
  std::string text;
  while (source.stream().peek() != std::char_traits<char>::eof()) {
    const auto part = source.beginning();
    text += part;
    check(text, text.size() - part.size(), source.is_endless());
    source.stream().ignore(static_cast<std::streamsize>(part.size()));
  }
  return table_of(text, name, "", options);
}

Table read_table(const std::string& path, const InputOptions& options) {
  ByteSource source(path);
  return read_table(source, options);
}

}  // namespace program
