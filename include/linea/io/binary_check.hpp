// SPDX-License-Identifier: MIT
#pragma once
/// \file Checks that a file is one that `write_binary` wrote.
#include <charconv>
#include <cstdint>
#include <cstring>  // memcpy
#include <limits>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/io/binary_format.hpp>
#include <linea/io/file.hpp>
#include <linea/io/text.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>  // move

namespace linea::io {

inline std::string hexadecimal(std::uint64_t value) {
  char digits[16];
  return "0x" + std::string(digits, std::to_chars(digits, digits + 16, value, 16).ptr);
}

/// Refuses what is not a file of X; `file` begins at a multiple of 64.
template <BinarySamples X>
class BinaryChecker {
 public:
  BinaryChecker(std::string_view file, std::string path) : file_(file), path_(std::move(path)) {}

  /// The header, if it is sound and asks for as many bytes as there are.
  BinaryHeader header() const {
    const BinaryHeader own = binary_header<X>();
    BinaryHeader header;
    const auto beginning = file_.substr(0, header.magic.size());
    demand(beginning == std::string_view(own.magic.data(), own.magic.size()),
           " is no binary file of linea: it begins with '",
           excerpt(beginning.data(), beginning.data() + beginning.size()), "'");
    demand(file_.size() >= sizeof header, " has ", file_.size(),
           " bytes, but the header alone has ", sizeof header);
    std::memcpy(&header, file_.data(), sizeof header);
    demand(header.byte_order == own.byte_order, " is of another byte order: its mark is ",
           hexadecimal(header.byte_order), ", but ", hexadecimal(own.byte_order), " here");
    demand(header.version == own.version, " has version ", header.version,
           " of the format, but version ", own.version, " can be read");
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

  /// Of sparse x: rows that follow one another within the entries, columns within x.
  void require_bounds(const BinaryHeader& header) const {
    using J = typename X::StorageIndex;
    using U = std::make_unsigned_t<J>;
    const BinarySections at(header);
    const auto* starts = reinterpret_cast<const J*>(file_.data() + at.starts);
    const auto* columns = reinterpret_cast<const J*>(file_.data() + at.columns);
    const auto rows = static_cast<Index>(header.rows);
    const auto cols = static_cast<Index>(header.cols);
    const auto entries = static_cast<Index>(header.entries);
    demand(starts[0] == 0 && static_cast<Index>(starts[rows]) == entries, " holds rows from entry ",
           starts[0], " to entry ", starts[rows], ", but there are ", entries, " entries");
    // Without a branch: the sign bit of `bad` is set by a start that is negative or below the one
    // before it, and then by a column that is negative or beyond the last.
    U bad = 0;
    for (Index i = 0; i < rows; ++i)
      bad |= U(U(starts[i + 1]) | U(U(starts[i + 1]) - U(starts[i])));
    if (is_negative(bad)) refuse_rows(starts, rows);
    const U last = static_cast<U>(cols - 1);
    for (Index k = 0; k < entries; ++k) bad |= U(U(columns[k]) | U(last - U(columns[k])));
    if (is_negative(bad)) refuse_columns(starts, columns, rows, cols);
  }

 private:
  template <class U>
  static bool is_negative(U bits) {
    return bits >> (8 * sizeof bits - 1) != 0;
  }

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

  template <class J>
  [[noreturn]] void refuse_rows(const J* starts, Index rows) const {
    Index i = 0;
    while (i + 1 < rows && starts[i + 1] >= starts[i]) ++i;
    refuse("map_binary: '", path_, "' holds a row ", i, " from entry ", starts[i], " to entry ",
           starts[i + 1]);
  }

  template <class J>
  [[noreturn]] void refuse_columns(const J* starts, const J* columns, Index rows,
                                   Index cols) const {
    for (Index i = 0; i < rows; ++i)
      for (J k = starts[i]; k < starts[i + 1]; ++k)
        demand(0 <= columns[k] && static_cast<Index>(columns[k]) < cols, " holds an entry of row ",
               i, " in column ", columns[k], ", but x has ", cols, " columns");
    refuse("map_binary: '", path_, "' holds a column that is out of range");
  }

  template <class... What>
  void demand(bool condition, const What&... what) const {
    require(condition, "map_binary: '", path_, '\'', what...);
  }

  std::string_view file_;
  std::string path_;
};

}  // namespace linea::io
