// SPDX-License-Identifier: MIT
#include "programs/linea_train_mpi/part.hpp"

#include <filesystem>
#include <fstream>
#include <linea/core/require.hpp>
#include <linea/core/workers.hpp>
#include <linea/io/libsvm.hpp>
#include <string_view>

namespace program {
namespace {

using linea::Index;

struct Bytes {
  Index first;  ///< the byte at which the first line begins
  std::string text;
};

/// Returns the lines that begin in the rank's part of the bytes of a file.
Bytes lines_of(const std::string& path, Index rank, Index ranks) {
  linea::require(std::filesystem::is_regular_file(path), "'", path,
                 "': ranks cannot read parts of this file");
  std::ifstream in(path, std::ios::binary);
  linea::require(in.good(), "'", path, "' cannot be opened");
  const auto [begin, end] =
      linea::share_of(static_cast<Index>(std::filesystem::file_size(path)), rank, ranks);
  Bytes bytes{begin, {}};
  std::string line;
  // A line that begins before `begin` belongs to an earlier rank, even if it ends in this part.
  if (begin > 0) {
    in.seekg(begin - 1);
    std::getline(in, line);
    bytes.first = begin + static_cast<Index>(line.size());
  }
  if (bytes.first >= end) return bytes;
  bytes.text.resize(static_cast<std::size_t>(end - bytes.first));
  in.read(bytes.text.data(), end - bytes.first);
  linea::require(in.gcount() == end - bytes.first, "'", path, "' cannot be read to its end");
  if (bytes.text.back() != '\n' && std::getline(in, line)) bytes.text += line;
  return bytes;
}

/// Returns this rank's rows of a file in the binary format. Every rank maps the whole file.
Table rows_of(Table table, const linea::Processes& processes) {
  const auto [begin, end] = linea::share_of(table.x.rows(), processes.rank(), processes.size());
  table.x = table.x.part(begin, end - begin, table.x.cols());
  table.y = linea::Vector<double>(table.y.segment(begin, end - begin));
  return table;
}

/// Returns the first bytes of a file.
std::string beginning_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string first(4096, '\0');
  in.read(first.data(), static_cast<std::streamsize>(first.size()));
  first.resize(static_cast<std::size_t>(in.gcount()));
  return first;
}

/// Throws unless the first bytes may be those of LIBSVM text, which can be divided at line ends.
void require_libsvm(const std::string& path, std::string_view first, const InputOptions& options) {
  const bool is_text = first.find('\0') == first.npos && first.substr(0, 2) != "\x1f\x8b" &&
                       first.substr(0, 2) != "%%";
  linea::require((options.file_format == "auto" || options.file_format == "libsvm") && is_text, "'",
                 path,
                 "': one file is divided among the ranks if it is LIBSVM text that is not "
                 "compressed, or sparse samples in linea's binary form; else give each a file of "
                 "its own, like part-%r.svm");
}

Table read_own(const std::string& path, const InputOptions& options,
               const linea::Processes& processes) {
  const bool has_own = path.find("%r") != path.npos;
  const std::string first = beginning_of(path);
  const bool is_binary = (options.file_format == "auto" || options.file_format == "binary") &&
                         first.starts_with(binary_magic);
  if (has_own || is_binary) {
    Table table = read_table(path_of_rank(path, processes.rank()), options);
    linea::require(table.has_entries, table.source,
                   ": a table; ranks learn from lists of entries, such as LIBSVM text");
    return has_own ? table : rows_of(std::move(table), processes);
  }
  require_libsvm(path, first, options);
  const Bytes bytes = lines_of(path, processes.rank(), processes.size());
  Table table;
  table.has_entries = true;
  table.source = bytes.first == 0 ? path : path + ", from byte " + std::to_string(bytes.first);
  const linea::io::SourceText text(bytes.text, table.source);
  if (!linea::io::has_libsvm_sample(text.text())) return table;
  auto data = linea::parse_libsvm<double>(
      bytes.text, table.source,
      {.most_features = options.most_features, .zero_based = options.zero_based});
  table.x = std::move(data.x);
  table.y = std::move(data.y);
  return table;
}

}  // namespace

std::string path_of_rank(const std::string& path, Index rank) {
  const auto at = path.find("%r");
  return at == path.npos ? path : path.substr(0, at) + std::to_string(rank) + path.substr(at + 2);
}

Table read_part(const std::string& path, const InputOptions& options,
                const linea::Processes& processes) {
  Table table = read_own(path, options, processes);
  const auto width = static_cast<Index>(processes.largest(static_cast<double>(table.x.cols())));
  linea::require(processes.any(table.x.rows() > 0), "'", path, "': there is no sample");
  table.x = table.x.part(0, table.x.rows(), width);
  return table;
}

}  // namespace program
