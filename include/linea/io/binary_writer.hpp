// SPDX-License-Identifier: MIT
#pragma once
/// \file Writes samples in the binary format block by block.
#include <algorithm>  // max, min
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ios>
#include <limits>
#include <linea/core/by_rows.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/io/binary_format.hpp>
#include <linea/io/file.hpp>
#include <linea/io/output_file.hpp>
#include <linea/io/write_binary.hpp>
#include <type_traits>  // type_identity
#include <vector>

namespace linea::io {

/// A list of V in a temporary file beside `target`. The destructor removes the file.
template <class V>
class SectionSpool {
 public:
  /// Throws if the folder is not writable.
  explicit SectionSpool(const std::filesystem::path& target)
      : draft_(target, true), file_(opened(target)) {
    buffer_.reserve(values_of_a_buffer);
  }

  void put(V value) {
    if (buffer_.size() == values_of_a_buffer) flush();
    buffer_.push_back(value);
    ++size_;
  }

  Index size() const { return size_; }

  /// Calls visit(value) for the values [begin, begin + count). Throws if the values could not be
  /// written or cannot be read again.
  template <class Visit>
  void read(Index begin, Index count, Visit&& visit) {
    flush();
    const bool written = file_.pubsync() == 0;
    require(written, "write_binary: could not write all of '", draft_.name().string(),
            "': ", last_system_error());
    std::ifstream in(draft_.name(), std::ios::binary);
    in.seekg(static_cast<std::streamoff>(begin) * static_cast<std::streamoff>(sizeof(V)));
    std::vector<V> part(values_of_a_buffer);
    while (count > 0) {
      const Index size = std::min(count, static_cast<Index>(part.size()));
      in.read(reinterpret_cast<char*>(part.data()), size * static_cast<Index>(sizeof(V)));
      require(in.good(), "write_binary: cannot read '", draft_.name().string(), "' again");
      for (Index k = 0; k < size; ++k) visit(part[static_cast<std::size_t>(k)]);
      count -= size;
    }
  }

 private:
  static constexpr std::size_t values_of_a_buffer = (std::size_t{1} << 18) / sizeof(V);

  std::FILE* opened(const std::filesystem::path& target) const {
    require(draft_.file() != nullptr, "write_binary: cannot write '", target.string(),
            "': ", last_system_error());
    return draft_.file();
  }

  void flush() {
    const auto bytes = static_cast<std::streamsize>(buffer_.size() * sizeof(V));
    const auto written = file_.sputn(reinterpret_cast<const char*>(buffer_.data()), bytes);
    require(written == bytes, "write_binary: could not write all of '", draft_.name().string(),
            "': ", last_system_error());
    buffer_.clear();
  }

  Draft draft_;
  FileBuffer file_;
  std::vector<V> buffer_{};
  Index size_{0};
};

}  // namespace linea::io

namespace linea {

namespace io {

/// The type of a column index in a sparse file. Dense files have none.
template <SampleMatrix X>
struct spool_index : std::type_identity<std::int32_t> {};
template <SparseSamples X>
struct spool_index<X> : std::type_identity<typename X::StorageIndex> {};

}  // namespace io

/// Collects samples that do not fit in memory, and writes them as `write_binary` would write all of
/// them together, into one file or into several files of consecutive rows:
///
///     BinaryWriter<SparseMatrix<float>> all("train.linea");
///     while (const auto block = blocks.next()) all.add(block->x, block->y);
///     all.write("train.linea");
///
/// Temporary files beside the path of the constructor hold the added samples; the destructor
/// removes these files. On disk the writer and the result need about twice the size of the result;
/// in memory the writer needs a few buffers for any number of samples.
template <BinarySamples X>
class BinaryWriter {
  using T = scalar_t<X>;
  using J = typename io::spool_index<X>::type;
  static constexpr bool is_sparse = SparseSamples<X>;

 public:
  /// Throws if the folder is not writable.
  explicit BinaryWriter(const std::filesystem::path& beside)
      : targets_(beside), ends_(beside), columns_(beside), values_(beside) {}

  /// Appends x (m × d) and y (m); m may be 0. Sparse blocks may differ in d; the result has the
  /// largest d. Throws if dense blocks differ in d, and for invalid numbers and columns as
  /// `write_binary` does, with the row's index among all samples in the message. Rows of the block
  /// before an invalid row may have been added.
  template <SampleMatrix B, VectorLike Y>
  void add(const B& given, const Y& y) {
    const auto& x = detail::by_rows(given);
    static_assert(SparseSamples<B> == is_sparse, "BinaryWriter: x is dense or sparse as X is");
    require(x.rows() == y.size(), "BinaryWriter: x has ", x.rows(), " rows but y has ", y.size());
    require(is_sparse || rows() == 0 || x.cols() == cols_, "BinaryWriter: x has ", x.cols(),
            " columns, but those before it ", cols_);
    cols_ = std::max<Index>(cols_, x.cols());
    for (Index i = 0; i < x.rows(); ++i) {
      const T target = io::sound_target<T>("BinaryWriter", y, i, rows());
      io::for_each_sound<T>("BinaryWriter", x, i, rows(), [&](Index j, T value) {
        if constexpr (is_sparse) columns_.put(static_cast<J>(j));
        values_.put(value);
      });
      if constexpr (is_sparse) ends_.put(static_cast<std::uint64_t>(values_.size()));
      targets_.put(target);
    }
  }

  Index rows() const { return targets_.size(); }
  Index cols() const { return cols_; }
  Index entries() const { return values_.size(); }  ///< rows · cols if x is dense

  /// Writes the rows [begin, begin + count) with all columns; may be called repeatedly. Throws if
  /// there are no such rows, if `count` is 0, if the index type of X cannot count the entries, and
  /// as `write_binary` does for a file.
  void write(const std::filesystem::path& path, Index begin, Index count) {
    require(begin >= 0 && count > 0 && begin <= rows() - count, "BinaryWriter: rows ", begin,
            " to ", begin + count, " of ", rows());
    const Index first = start_of(begin);
    const Index entries = start_of(begin + count) - first;
    require(!is_sparse || entries <= static_cast<Index>(std::numeric_limits<J>::max()),
            "BinaryWriter: ", entries, " entries do not fit ", 8 * sizeof(J),
            "-bit offsets: take more parts, or SparseMatrix<T, std::int64_t>");
    io::write_sections<X>(path, count, cols_, entries, [&](io::BinarySectionWriter& sections) {
      put_sections(sections, begin, count, first, entries);
    });
  }

  void write(const std::filesystem::path& path) { write(path, 0, rows()); }

 private:
  /// Returns the number of entries before `row`, which may be rows().
  Index start_of(Index row) {
    if (!is_sparse || row == 0) return row * (is_sparse ? 1 : cols_);
    Index start = 0;
    ends_.read(row - 1, 1, [&](std::uint64_t end) { start = static_cast<Index>(end); });
    return start;
  }

  void put_sections(io::BinarySectionWriter& sections, Index begin, Index count, Index first,
                    Index entries) {
    targets_.read(begin, count, [&](T target) { sections.put(target); });
    sections.end_section();
    if constexpr (is_sparse) {
      sections.put(J{0});
      ends_.read(begin, count, [&](std::uint64_t end) {
        sections.put(static_cast<J>(static_cast<Index>(end) - first));
      });
      sections.end_section();
      columns_.read(first, entries, [&](J column) { sections.put(column); });
      sections.end_section();
    }
    values_.read(first, entries, [&](T value) { sections.put(value); });
    sections.end_section();
  }

  io::SectionSpool<T> targets_;
  io::SectionSpool<std::uint64_t> ends_;  ///< entries up to the end of each row; unused for dense x
  io::SectionSpool<J> columns_;           ///< unused for dense x
  io::SectionSpool<T> values_;
  Index cols_{0};
};

}  // namespace linea
