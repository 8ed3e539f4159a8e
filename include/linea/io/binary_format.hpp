// SPDX-License-Identifier: MIT
#pragma once
/// \file The binary format of samples, and the validation of its files.
#include <algorithm>  // find_if, upper_bound
#include <array>
#include <bit>  // bit_cast
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>  // memcpy
#include <limits>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/io/file.hpp>
#include <linea/io/text.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>  // move

// A binary file of samples and targets has a header of 128 bytes and then these sections, each
// padded with zeros to a multiple of 64 bytes:
//
//     dense x:   y (n), x (n × d, row-major)
//     sparse x:  y (n), offsets of rows (n + 1), columns, values
//
// Numbers have the byte order of the writing machine. A machine of the other byte order rejects the
// file.

namespace linea {

namespace io {
template <class X>
inline constexpr bool is_binary_layout = false;
template <Scalar T>
inline constexpr bool is_binary_layout<Matrix<T>> = true;
template <Scalar T, std::signed_integral J>
inline constexpr bool is_binary_layout<SparseMatrix<T, J>> =
    sizeof(J) == 4 || (sizeof(J) == 8 && sizeof(Index) == 8);  // no wider than an Index
}  // namespace io

/// The type of x in a binary file: Matrix<T>, or SparseMatrix<T, J> with J of 32 or 64 bits.
template <class X>
concept BinarySamples = Samples<X> && io::is_binary_layout<X>;

namespace io {

/// A checksum of 64-bit words. Word i changes lane i mod 8 by xor and a multiplication, as in
/// FNV-1a, and then by xor of the lane with its own upper half. Every step is invertible, so
/// changing one word always changes the sum.
class BinaryChecksum {
 public:
  /// Adds bytes to the sum. `size` must be a multiple of 64.
  void add(const char* bytes, std::size_t size) {
    auto lanes = lanes_;
    for (const char* const end = bytes + size; bytes != end; bytes += 64) {
      std::uint64_t words[8];
      std::memcpy(words, bytes, sizeof words);
      for (std::size_t k = 0; k < 8; ++k) lanes[k] = mix(lanes[k], words[k]);
    }
    lanes_ = lanes;
  }

  std::uint64_t value() const {
    std::uint64_t value = 0;
    for (const auto lane : lanes_) value = mix(value, lane);
    return value;
  }

 private:
  static std::uint64_t mix(std::uint64_t state, std::uint64_t word) {
    state = (state ^ word) * 0x9e3779b97f4a7c15U;
    return state ^ state >> 32;
  }

  std::array<std::uint64_t, 8> lanes_{1, 2, 3, 4, 5, 6, 7, 8};
};

struct BinaryHeader {
  std::array<char, 8> magic{'l', 'i', 'n', 'e', 'a', '\r', '\n', '\x1a'};
  std::uint32_t byte_order{0x01020304};
  std::uint32_t version{1};
  std::uint32_t scalar_bits{0};
  std::uint32_t index_bits{0};  ///< 0: x is dense
  std::uint64_t rows{0};
  std::uint64_t cols{0};
  std::uint64_t entries{0};  ///< stored entries of x; rows · cols if dense
  std::uint64_t file_bytes{0};
  std::uint64_t sections_checksum{0};
  std::array<std::uint64_t, 7> reserved{};
  std::uint64_t header_checksum{0};

  /// Returns the checksum of the header with header_checksum = 0.
  std::uint64_t checksum() const {
    BinaryHeader rest = *this;
    rest.header_checksum = 0;
    const auto bytes = std::bit_cast<std::array<char, sizeof(BinaryHeader)>>(rest);
    BinaryChecksum sum;
    sum.add(bytes.data(), bytes.size());
    return sum.value();
  }

  /// Returns a description of the samples for messages.
  std::string kind() const {
    const std::string scalar = scalar_bits == 32 ? "float" : "double";
    if (index_bits == 0) return "dense " + scalar + " samples";
    return "sparse " + scalar + " samples with " + std::to_string(index_bits) + "-bit indices";
  }
};
static_assert(sizeof(BinaryHeader) == 128);

/// Returns the header for x of type X, in which all sizes are 0.
template <BinarySamples X>
BinaryHeader binary_header() {
  BinaryHeader header;
  header.scalar_bits = 8 * sizeof(scalar_t<X>);
  if constexpr (SparseSamples<X>) header.index_bits = 8 * sizeof(typename X::StorageIndex);
  return header;
}

constexpr std::uint64_t up_to_64(std::uint64_t bytes) { return (bytes + 63) / 64 * 64; }

/// The offsets of the sections in a file, in bytes.
struct BinarySections {
  std::uint64_t targets;
  std::uint64_t starts;
  std::uint64_t columns;
  std::uint64_t values;
  std::uint64_t end;

  /// Computes the offsets. Requires fewer than 2⁵⁶ rows and entries, so that no product overflows.
  explicit BinarySections(const BinaryHeader& header)
      : targets(sizeof header),
        starts(targets + up_to_64(header.rows * (header.scalar_bits / 8))),
        columns(starts +
                (header.index_bits ? up_to_64((header.rows + 1) * (header.index_bits / 8)) : 0)),
        values(columns + up_to_64(header.entries * (header.index_bits / 8))),
        end(values + up_to_64(header.entries * (header.scalar_bits / 8))) {}
};

}  // namespace io
}  // namespace linea

namespace linea::io {

inline std::string hexadecimal(std::uint64_t value) {
  char digits[16];
  return "0x" + std::string(digits, std::to_chars(digits, digits + 16, value, 16).ptr);
}

/// Validates a file of samples of type X. The bytes of `file` begin at an address that is a
/// multiple of 64.
template <BinarySamples X>
class BinaryChecker {
 public:
  BinaryChecker(std::string_view file, std::string path) : file_(file), path_(std::move(path)) {}

  /// Returns the header. Throws if the header is not valid, is not for samples of type X, or states
  /// a size other than that of the file.
  BinaryHeader header() const {
    const BinaryHeader own = binary_header<X>();
    BinaryHeader header;
    const auto beginning = file_.substr(0, header.magic.size());
    demand(beginning == std::string_view(own.magic.data(), own.magic.size()),
           " is not a binary file of linea: it begins with '", excerpt(beginning), "'");
    demand(file_.size() >= sizeof header, " has ", file_.size(),
           " bytes, but the header alone has ", sizeof header);
    std::memcpy(&header, file_.data(), sizeof header);
    demand(header.byte_order == own.byte_order, " is of another byte order: its mark is ",
           hexadecimal(header.byte_order), ", but ", hexadecimal(own.byte_order), " here");
    demand(header.version == own.version, " has version ", header.version,
           " of the format, but only version ", own.version, " can be read");
    demand(header.header_checksum == header.checksum(),
           " is damaged: the checksum of its header is ", hexadecimal(header.checksum()), ", but ",
           hexadecimal(header.header_checksum), " is written there");
    demand(header.scalar_bits == own.scalar_bits && header.index_bits == own.index_bits, " holds ",
           header.kind(), ", but ", own.kind(), " were asked for");
    require_sizes(header);
    return header;
  }

  void require_checksum(const BinaryHeader& header) const {
    BinaryChecksum sum;
    sum.add(file_.data() + sizeof header, file_.size() - sizeof header);
    demand(sum.value() == header.sections_checksum, " is damaged: its checksum is ",
           hexadecimal(sum.value()), ", but ", hexadecimal(header.sections_checksum),
           " is written in the header");
  }

  /// Throws unless the rows of sparse x are consecutive ranges of entries, with columns within x.
  void require_bounds(const BinaryHeader& header) const {
    using J = typename X::StorageIndex;
    const BinarySections at(header);
    const auto* starts = reinterpret_cast<const J*>(file_.data() + at.starts);
    const auto* columns = reinterpret_cast<const J*>(file_.data() + at.columns);
    const auto rows = static_cast<Index>(header.rows);
    const auto cols = static_cast<Index>(header.cols);
    const auto entries = static_cast<Index>(header.entries);
    demand(starts[0] == 0 && static_cast<Index>(starts[rows]) == entries, " holds rows from entry ",
           starts[0], " to entry ", starts[rows], ", but there are ", entries, " entries");
    for (Index i = 0; i < rows; ++i)
      demand(starts[i] <= starts[i + 1], " holds a row ", i, " from entry ", starts[i],
             " to entry ", starts[i + 1]);
    const auto is_outside = [cols](J column) { return column < 0 || column >= cols; };
    const auto* const last = columns + entries;
    const auto* const bad = std::find_if(columns, last, is_outside);
    if (bad == last) return;
    const auto row = std::upper_bound(starts, starts + rows, bad - columns) - starts - 1;
    demand(false, " holds an entry of row ", row, " in column ", *bad, ", but x has ", cols,
           " columns");
  }

 private:
  void require_sizes(const BinaryHeader& header) const {
    constexpr std::uint64_t most = most_numbers;
    demand(header.rows < most && header.cols < most && header.entries < most, " holds x of ",
           header.rows, " rows, ", header.cols, " columns and ", header.entries, " entries, but ",
           most, " is too many");
    if constexpr (SparseSamples<X>) {
      constexpr auto largest = std::numeric_limits<typename X::StorageIndex>::max();
      demand(header.cols <= std::uint64_t{largest} && header.entries <= std::uint64_t{largest},
             " holds x of ", header.cols, " columns and ", header.entries, " entries, but ",
             header.index_bits, "-bit indices end at ", largest);
    } else {
      demand(header.cols == 0 || header.rows <= most / header.cols, " holds x of ", header.rows,
             " rows and ", header.cols, " columns, but ", most, " entries are too many");
      demand(header.entries == header.rows * header.cols, " holds x of ", header.rows, " rows and ",
             header.cols, " columns, but ", header.entries, " entries");
    }
    const std::uint64_t end = BinarySections(header).end;
    demand(file_.size() == end && header.file_bytes == end, " has ", file_.size(),
           " bytes, but its header asks for ", end);
  }

  template <class... What>
  void demand(bool condition, const What&... what) const {
    require(condition, "map_binary: '", path_, '\'', what...);
  }

  std::string_view file_;
  std::string path_;
};

}  // namespace linea::io
