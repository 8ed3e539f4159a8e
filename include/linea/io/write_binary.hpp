// SPDX-License-Identifier: MIT
#pragma once
/// \file Samples written in the binary format.
#include <cmath>  // isfinite
#include <cstddef>
#include <cstdint>
#include <cstring>  // memcpy, memset
#include <filesystem>
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

template <DenseSamples X>
void put_samples(BinarySectionWriter& out, const X& x) {
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < x.cols(); ++j) {
      require(std::isfinite(x.coeff(i, j)), "write_binary: x(", i, ", ", j, ") is not finite");
      out.put(x.coeff(i, j));
    }
  out.end_section();
}

template <SparseSamples X>
void put_samples(BinarySectionWriter& out, const X& x) {
  using J = typename X::StorageIndex;
  J start = 0;
  out.put(start);
  for (Index i = 0; i < x.rows(); ++i) {
    for (typename X::InnerIterator entry(x, i); entry; ++entry) ++start;
    out.put(start);
  }
  out.end_section();
  for (Index i = 0; i < x.rows(); ++i) {
    Index previous = -1;
    for (typename X::InnerIterator entry(x, i); entry; ++entry) {
      const auto j = static_cast<Index>(entry.col());
      require(j > previous, "write_binary: columns must ascend, but in row ", i, " column ", j,
              " comes after ", previous);
      previous = j;
      out.put(static_cast<J>(j));
    }
  }
  out.end_section();
  for (Index i = 0; i < x.rows(); ++i)
    for (typename X::InnerIterator entry(x, i); entry; ++entry) {
      require(std::isfinite(entry.value()), "write_binary: x(", i, ", ", entry.col(),
              ") is not finite");
      out.put(entry.value());
    }
  out.end_section();
}

template <DenseSamples X>
Index stored_entries(const X& x) {
  return x.size();
}

template <SparseSamples X>
Index stored_entries(const X& x) {
  return x.nonZeros();
}

/// Writes the header and the sections. Afterwards the header has their checksums.
template <SampleMatrix X, VectorLike Y>
void put_binary(std::ostream& out, BinaryHeader& header, const X& x, const Y& y) {
  using T = scalar_t<X>;
  out.write(reinterpret_cast<const char*>(&header), sizeof header);
  BinarySectionWriter sections(out);
  for (Index i = 0; i < y.size(); ++i) {
    const T target = static_cast<T>(y.coeff(i));
    require(std::isfinite(target), "write_binary: y(", i, ") is not finite");
    sections.put(target);
  }
  sections.end_section();
  put_samples(sections, x);
  header.sections_checksum = sections.checksum();
  header.header_checksum = header.checksum();
}

/// A stream's buffer that takes everything and keeps nothing.
class Nowhere : public std::streambuf {
 protected:
  std::streamsize xsputn(const char*, std::streamsize size) override { return size; }
  int_type overflow(int_type c) override { return traits_type::not_eof(c); }
};

/// Writes a file whose header has sums of what comes behind it. put(out) writes all of it, and
/// leaves the sums in `header`; it is called once for a file, and twice for a pipe, which cannot be
/// gone back in.
template <class Put>
void write_summed(const std::filesystem::path& path, const BinaryHeader& header, Put&& put) {
  write_file("write_binary", path, [&](std::ostream& out) {
    if (out.tellp() == std::ostream::pos_type(-1)) {  // a pipe: what it has, it has
      Nowhere nowhere;
      std::ostream first(&nowhere);
      put(first);
      put(out);
      return;
    }
    put(out);
    out.seekp(0);
    out.write(reinterpret_cast<const char*>(&header), sizeof header);
  });
}

}  // namespace io

/// Writes x (n × d) and y (n), from which `map_binary` gives back the same bits: of x as Matrix<T>
/// if it is dense and as SparseMatrix<T, J> if it is sparse, of y in the scalar type of x. Entries
/// of value 0 stay stored entries. Costs one pass over the file; the memory is that of a buffer.
///
/// The file takes its name when all of it is written, see files/output_file.hpp. One of that name
/// is replaced rather than changed: who has mapped it keeps what was there. A pipe gets the same
/// bytes; x and y are then read twice.
///
/// Refuses, by std::invalid_argument, no rows, sizes that differ, numbers that are not finite,
/// sparse rows whose columns do not ascend, and a file that cannot be opened, replaced or written
/// in full.
template <SampleMatrix X, VectorLike Y>
  requires BinarySamples<typename io::binary_layout<X>::type>
void write_binary(const std::filesystem::path& path, const X& x, const Y& y) {
  require(x.rows() == y.size(), "write_binary: x has ", x.rows(), " rows but y has ", y.size());
  require(x.rows() > 0, "write_binary: x has no rows");
  auto header = io::binary_header<typename io::binary_layout<X>::type>();
  header.rows = static_cast<std::uint64_t>(x.rows());
  header.cols = static_cast<std::uint64_t>(x.cols());
  header.entries = static_cast<std::uint64_t>(io::stored_entries(x));
  header.file_bytes = io::BinarySections(header).end;
  io::write_summed(path, header, [&](std::ostream& out) { io::put_binary(out, header, x, y); });
}

}  // namespace linea
