// SPDX-License-Identifier: MIT
#pragma once
/// \file Writes samples in the binary format, all at once or block by block.
#include <algorithm>  // max, min
#include <cstddef>
#include <cstdint>
#include <cstring>  // memcpy, memset
#include <filesystem>
#include <fstream>
#include <ios>
#include <limits>
#include <linea/core/by_rows.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/core/validate.hpp>
#include <linea/io/binary_format.hpp>
#include <linea/io/file.hpp>
#include <linea/io/output_file.hpp>
#include <linea/io/written_samples.hpp>
#include <ostream>
#include <type_traits>
#include <vector>

namespace linea::io {

/// Writes sections of a file, padded with zeros to 64 bytes, and computes their checksum.
class BinarySectionWriter {
 public:
  /// With `out` = nullptr the writer only computes the checksum.
  explicit BinarySectionWriter(std::ostream* out) : out_(out), buffer_(std::size_t{1} << 18) {}

  template <class V>
  void put(V value) {
    if (buffer_.size() - used_ < sizeof value) flush();
    std::memcpy(buffer_.data() + used_, &value, sizeof value);
    used_ += sizeof value;
  }

  void end_section() {
    const auto padded = detail::to<std::size_t>(up_to_64(used_));
    std::memset(buffer_.data() + used_, 0, padded - used_);
    used_ = padded;
    flush();
  }

  std::uint64_t checksum() const { return checksum_.value(); }

 private:
  /// Writes the buffer, which holds complete blocks of 64 bytes: the size of a value divides the
  /// size of the buffer, and sections are padded.
  void flush() {
    checksum_.add(buffer_.data(), used_);
    if (out_) out_->write(buffer_.data(), static_cast<std::streamsize>(used_));
    used_ = 0;
  }

  std::ostream* out_;
  std::vector<char> buffer_;
  std::size_t used_{0};
  BinaryChecksum checksum_{};
};

/// A list of V in a temporary file beside `target`. The destructor removes the file.
template <class V>
class SectionSpool {
 public:
  /// Throws if the folder is not writable.
  explicit SectionSpool(const std::filesystem::path& target)
      : draft_(target, true), file_(draft_.file()) {
    require(draft_.file() != nullptr, "write_binary: cannot write '", target.string(),
            "': ", last_system_error());
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
    std::ifstream in(draft_.name(), std::ios::binary);
    in.seekg(std::streamoff{begin} * std::streamoff{sizeof(V)});
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

  void flush() {
    const auto bytes = static_cast<std::streamsize>(buffer_.size() * sizeof(V));
    const bool written =
        file_.sputn(reinterpret_cast<const char*>(buffer_.data()), bytes) == bytes &&
        file_.pubsync() == 0;
    require(written, "write_binary: could not write all of '", draft_.name().string(),
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

/// The type of x in a file for samples of type X.
template <SampleMatrix X>
using BinaryLayout =
    std::conditional_t<SparseSamples<X>, SparseMatrix<scalar_t<X>, typename X::StorageIndex>,
                       Matrix<scalar_t<X>>>;

template <SampleMatrix X, VectorLike Y>
void put_samples(BinarySectionWriter& out, const X& x, const Y& y) {
  using T = scalar_t<X>;
  const auto for_each = [&](Index i, const auto& f) {
    for_each_sound<T>("write_binary", x, i, i, f);
  };
  for (Index i = 0; i < y.size(); ++i) out.put(sound_target<T>("write_binary", y, i, i));
  out.end_section();
  if constexpr (SparseSamples<X>) {
    using J = typename X::StorageIndex;
    J start = 0;
    out.put(start);
    for (Index i = 0; i < x.rows(); ++i) {
      const auto [begin, end] = detail::entries_of_row("write_binary", x, i);
      start += static_cast<J>(end - begin);
      out.put(start);
    }
    out.end_section();
    for (Index i = 0; i < x.rows(); ++i)
      for_each(i, [&](Index j, T) { out.put(static_cast<J>(j)); });
    out.end_section();
  }
  for (Index i = 0; i < x.rows(); ++i) for_each(i, [&](Index, T value) { out.put(value); });
  out.end_section();
}

/// Writes a file of samples of type X. put(sections) writes everything behind the header. This
/// function calls `put` twice because the checksums are in the header.
template <BinarySamples X, class Put>
void write_sections(const std::filesystem::path& path, Index rows, Index cols, Index entries,
                    Put&& put) {
  auto header = binary_header<X>();
  header.rows = static_cast<std::uint64_t>(rows);
  header.cols = static_cast<std::uint64_t>(cols);
  header.entries = static_cast<std::uint64_t>(entries);
  header.file_bytes = BinarySections(header).end;
  write_file("write_binary", path, [&](std::ostream& out) {
    BinarySectionWriter first(nullptr);
    put(first);
    header.sections_checksum = first.checksum();
    header.header_checksum = header.checksum();
    out.write(reinterpret_cast<const char*>(&header), sizeof header);
    BinarySectionWriter sections(&out);
    put(sections);
  });
}

}  // namespace io

/// Writes x (n × d) and y (n). `map_binary` returns the same bits: x as Matrix<T>, or as
/// SparseMatrix<T, J> if it is sparse, and y in the scalar of x. Stored entries of value 0 remain.
/// x and y are read twice because the checksums come before them. Takes memory for two buffers, and
/// for a copy of column-major sparse x.
///
/// The file appears under its name when it is complete (see io/output_file.hpp). An existing file
/// is replaced, not changed: processes that have mapped it keep the old content. A pipe gets the
/// same bytes.
///
/// Throws std::invalid_argument for x without rows, sizes that differ, numbers that are not finite,
/// sparse rows whose columns do not ascend, and a file that cannot be opened, replaced or written
/// completely.
template <SampleMatrix X, VectorLike Y>
  requires BinarySamples<io::BinaryLayout<X>>
void write_binary(const std::filesystem::path& path, const X& given, const Y& y) {
  const auto& x = detail::by_rows(given);
  io::require_samples("write_binary", x, y);
  Index entries = x.size();
  if constexpr (SparseSamples<X>) entries = x.nonZeros();
  io::write_sections<io::BinaryLayout<X>>(
      path, x.rows(), x.cols(), entries,
      [&](io::BinarySectionWriter& sections) { io::put_samples(sections, x, y); });
}

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
  using J = typename X::StorageIndex;
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
    detail::require_targets("BinaryWriter", x.rows(), x.cols(), y.size());
    require(is_sparse || rows() == 0 || x.cols() == cols_, "BinaryWriter: x has ", x.cols(),
            " columns, but those before it ", cols_);
    cols_ = std::max<Index>(cols_, x.cols());
    for (Index i = 0; i < x.rows(); ++i) {
      const T target = io::sound_target<T>("BinaryWriter", y, i, rows());
      io::for_each_sound<T>("BinaryWriter", x, i, rows(), [&](Index j, T value) {
        if constexpr (is_sparse) columns_.put(static_cast<J>(j));
        values_.put(value);
      });
      if constexpr (is_sparse) ends_.put(values_.size());
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
    ends_.read(row - 1, 1, [&](Index end) { start = end; });
    return start;
  }

  void put_sections(io::BinarySectionWriter& sections, Index begin, Index count, Index first,
                    Index entries) {
    targets_.read(begin, count, [&](T target) { sections.put(target); });
    sections.end_section();
    if constexpr (is_sparse) {
      sections.put(J{0});
      ends_.read(begin, count, [&](Index end) { sections.put(static_cast<J>(end - first)); });
      sections.end_section();
      columns_.read(first, entries, [&](J column) { sections.put(column); });
      sections.end_section();
    }
    values_.read(first, entries, [&](T value) { sections.put(value); });
    sections.end_section();
  }

  io::SectionSpool<T> targets_;
  io::SectionSpool<Index> ends_;  ///< entries up to the end of each row; unused for dense x
  io::SectionSpool<J> columns_;   ///< unused for dense x
  io::SectionSpool<T> values_;
  Index cols_{0};
};

}  // namespace linea
