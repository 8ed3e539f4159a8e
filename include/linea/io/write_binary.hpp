// SPDX-License-Identifier: MIT
#pragma once
/// \file Writes samples in the binary format.
#include <cstddef>
#include <cstdint>
#include <cstring>  // memcpy, memset
#include <filesystem>
#include <linea/core/by_rows.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/io/binary_format.hpp>
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
    const auto padded = static_cast<std::size_t>(up_to_64(used_));
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

}  // namespace linea::io

namespace linea {

namespace io {

/// The type of x in a file for samples of type X.
template <SampleMatrix X>
struct binary_layout : std::type_identity<Matrix<scalar_t<X>>> {};
template <SparseSamples X>
struct binary_layout<X> : std::type_identity<SparseMatrix<scalar_t<X>, typename X::StorageIndex>> {
};

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
      for (typename X::InnerIterator entry(x, i); entry; ++entry) ++start;
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
  requires BinarySamples<typename io::binary_layout<X>::type>
void write_binary(const std::filesystem::path& path, const X& given, const Y& y) {
  const auto& x = detail::by_rows(given);
  io::require_samples("write_binary", x, y);
  Index entries = x.size();
  if constexpr (SparseSamples<X>) entries = x.nonZeros();
  io::write_sections<typename io::binary_layout<X>::type>(
      path, x.rows(), x.cols(), entries,
      [&](io::BinarySectionWriter& sections) { io::put_samples(sections, x, y); });
}

}  // namespace linea
