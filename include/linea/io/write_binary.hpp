// SPDX-License-Identifier: MIT
#pragma once
/// \file Samples written in the binary format.
#include <cmath>  // isfinite
#include <cstddef>
#include <cstdint>
#include <cstring>  // memcpy, memset
#include <filesystem>
#include <linea/core/by_rows.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/io/binary_format.hpp>
#include <linea/io/output_file.hpp>
#include <ostream>
#include <streambuf>
#include <type_traits>
#include <vector>

namespace linea::io {

/// Parts of a file, each padded with zeros to a multiple of 64 bytes, and their checksum.
class BinarySectionWriter {
 public:
  explicit BinarySectionWriter(std::ostream& out) : out_(out), buffer_(std::size_t{1} << 18) {}

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
  /// Writes the buffer. It holds whole blocks of 64 bytes: the size of a value divides that of the
  /// buffer, and sections are padded.
  void flush() {
    checksum_.add(buffer_.data(), used_);
    out_.write(buffer_.data(), static_cast<std::streamsize>(used_));
    used_ = 0;
  }

  std::ostream& out_;
  std::vector<char> buffer_;
  std::size_t used_{0};
  BinaryChecksum checksum_{};
};

}  // namespace linea::io

namespace linea {

namespace io {

/// What a file holds for samples of type X.
template <SampleMatrix X>
struct binary_layout : std::type_identity<Matrix<scalar_t<X>>> {};
template <SparseSamples X>
struct binary_layout<X> : std::type_identity<SparseMatrix<scalar_t<X>, typename X::StorageIndex>> {
};

/// Calls f(j, xᵢⱼ) for the entries of row i that a file holds.
template <SampleMatrix X, class F>
void for_each_stored(const X& x, Index i, F&& f) {
  if constexpr (SparseSamples<X>)
    for (typename X::InnerIterator entry(x, i); entry; ++entry)
      f(static_cast<Index>(entry.col()), entry.value());
  else
    for (Index j = 0; j < x.cols(); ++j) f(j, x.coeff(i, j));
}

/// Where the rows of sparse x begin and the last one ends, and the columns.
template <SparseSamples X>
void put_pattern(BinarySectionWriter& out, const X& x) {
  using J = typename X::StorageIndex;
  J start = 0;
  out.put(start);
  for (Index i = 0; i < x.rows(); ++i) {
    for_each_stored(x, i, [&](Index, auto) { ++start; });
    out.put(start);
  }
  out.end_section();
  for (Index i = 0; i < x.rows(); ++i) {
    Index previous = -1;
    for_each_stored(x, i, [&](Index j, auto) {
      require(j > previous, "write_binary: columns must ascend, but in row ", i, " column ", j,
              " comes after ", previous);
      previous = j;
      out.put(static_cast<J>(j));
    });
  }
  out.end_section();
}

template <SampleMatrix X, VectorLike Y>
void put_samples(BinarySectionWriter& out, const X& x, const Y& y) {
  for (Index i = 0; i < y.size(); ++i) {
    const auto target = static_cast<scalar_t<X>>(y.coeff(i));
    require(std::isfinite(target), "write_binary: y(", i, ") is not finite");
    out.put(target);
  }
  out.end_section();
  if constexpr (SparseSamples<X>) put_pattern(out, x);
  for (Index i = 0; i < x.rows(); ++i)
    for_each_stored(x, i, [&](Index j, auto value) {
      require(std::isfinite(value), "write_binary: x(", i, ", ", j, ") is not finite");
      out.put(value);
    });
  out.end_section();
}

/// A stream's buffer that takes everything and keeps nothing.
class Nowhere : public std::streambuf {
 protected:
  std::streamsize xsputn(const char*, std::streamsize size) override { return size; }
  int_type overflow(int_type c) override { return traits_type::not_eof(c); }
};

/// Writes a file of samples of type X: put(sections) writes what is behind the header. It is called
/// once for a file, and twice for a pipe, which cannot be gone back in to write the checksums.
template <BinarySamples X, class Put>
void write_sections(const std::filesystem::path& path, Index rows, Index cols, Index entries,
                    Put&& put) {
  auto header = binary_header<X>();
  header.rows = static_cast<std::uint64_t>(rows);
  header.cols = static_cast<std::uint64_t>(cols);
  header.entries = static_cast<std::uint64_t>(entries);
  header.file_bytes = BinarySections(header).end;
  const auto write_header = [&](std::ostream& out) {
    out.write(reinterpret_cast<const char*>(&header), sizeof header);
  };
  const auto write_all = [&](std::ostream& out) {
    write_header(out);
    BinarySectionWriter sections(out);
    put(sections);
    header.sections_checksum = sections.checksum();
    header.header_checksum = header.checksum();
  };
  write_file("write_binary", path, [&](std::ostream& out) {
    const bool is_pipe = out.tellp() == std::ostream::pos_type(-1);
    if (is_pipe) {
      Nowhere nowhere;
      std::ostream first(&nowhere);
      write_all(first);
    }
    write_all(out);
    if (is_pipe) return;
    out.seekp(0);
    write_header(out);
  });
}

}  // namespace io

/// Writes x (n × d) and y (n), from which `map_binary` gives back the same bits: of x as Matrix<T>
/// if it is dense and as SparseMatrix<T, J> if it is sparse, of y in the scalar type of x. Entries
/// of value 0 stay stored entries. Costs one pass over the file; the memory is that of a buffer.
///
/// The file takes its name when all of it is written, see io/output_file.hpp. One of that name
/// is replaced rather than changed: who has mapped it keeps what was there. A pipe gets the same
/// bytes; x and y are then read twice.
///
/// Refuses, by std::invalid_argument, no rows, sizes that differ, numbers that are not finite,
/// sparse rows whose columns do not ascend, and a file that cannot be opened, replaced or written
/// in full.
template <SampleMatrix X, VectorLike Y>
  requires BinarySamples<typename io::binary_layout<X>::type>
void write_binary(const std::filesystem::path& path, const X& given, const Y& y) {
  const auto& x = core::by_rows(given);
  require(x.rows() == y.size(), "write_binary: x has ", x.rows(), " rows but y has ", y.size());
  require(x.rows() > 0, "write_binary: x has no rows");
  Index entries = x.size();
  if constexpr (SparseSamples<X>) entries = x.nonZeros();
  io::write_sections<typename io::binary_layout<X>::type>(
      path, x.rows(), x.cols(), entries,
      [&](io::BinarySectionWriter& sections) { io::put_samples(sections, x, y); });
}

}  // namespace linea
