// SPDX-License-Identifier: MIT
#pragma once
/// \file What a binary file of samples and targets looks like.
///
/// A header of 128 bytes; then, each at a multiple of 64 bytes with zeros up to it,
///
///     dense x:   y (n), x (n × d, row by row)
///     sparse x:  y (n), where each row begins and the last one ends (n + 1), columns, values
///
/// Numbers are as they are in memory: a machine of the other byte order refuses the file.
#include <array>
#include <bit>  // bit_cast
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>  // memcpy
#include <linea/core/types.hpp>
#include <string>

namespace linea {

namespace io {
template <class X>
inline constexpr bool is_binary_layout = false;
template <Scalar T>
inline constexpr bool is_binary_layout<Matrix<T>> = true;
template <Scalar T, std::signed_integral J>
inline constexpr bool is_binary_layout<SparseMatrix<T, J>> =
    sizeof(J) == 4 || (sizeof(J) == 8 && sizeof(Index) == 8);  // not wider than Eigen's sizes
}  // namespace io

/// What x of a binary file can be: Matrix<T>, or SparseMatrix<T, J> with a J of 32 or 64 bits.
template <class X>
concept BinarySamples = Samples<X> && io::is_binary_layout<X>;

namespace io {

/// A checksum of 64-bit words. Eight lanes take a word each in turn: xor, multiply and shift, as in
/// FNV-1a. Every step can be undone, so a change within one word always changes the sum.
class BinaryChecksum {
 public:
  /// `size` is a multiple of 64.
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
  std::uint64_t entries{0};  ///< those of x: rows · cols if it is dense
  std::uint64_t file_bytes{0};
  std::uint64_t sections_checksum{0};
  std::array<std::uint64_t, 7> reserved{};
  std::uint64_t header_checksum{0};

  /// The checksum of the other fields.
  std::uint64_t checksum() const {
    BinaryHeader rest = *this;
    rest.header_checksum = 0;
    const auto bytes = std::bit_cast<std::array<char, sizeof(BinaryHeader)>>(rest);
    BinaryChecksum sum;
    sum.add(bytes.data(), bytes.size());
    return sum.value();
  }

  /// In words, for messages.
  std::string kind() const {
    const std::string scalar = scalar_bits == 32 ? "float" : "double";
    if (index_bits == 0) return "dense " + scalar + " samples";
    return "sparse " + scalar + " samples with " + std::to_string(index_bits) + "-bit indices";
  }
};
static_assert(sizeof(BinaryHeader) == 128);

/// The header of x of type X, all sizes 0.
template <BinarySamples X>
BinaryHeader binary_header() {
  BinaryHeader header;
  header.scalar_bits = 8 * sizeof(scalar_t<X>);
  if constexpr (SparseSamples<X>) header.index_bits = 8 * sizeof(typename X::StorageIndex);
  return header;
}

constexpr std::uint64_t up_to_64(std::uint64_t bytes) { return (bytes + 63) / 64 * 64; }

/// Where the parts of a file begin, in bytes.
struct BinarySections {
  std::uint64_t targets;
  std::uint64_t starts;
  std::uint64_t columns;
  std::uint64_t values;
  std::uint64_t end;

  /// For rows and entries below 2⁵⁶, at which nothing overflows.
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
