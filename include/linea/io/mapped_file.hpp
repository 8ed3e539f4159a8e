// SPDX-License-Identifier: MIT
#pragma once
/// \file Samples of a binary file that are read in place, where the system maps the file.
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/io/binary_format.hpp>
#include <linea/io/file.hpp>
#include <string_view>
#include <system_error>
#include <utility>  // move

namespace linea::io {

/// The bytes of a file, not to be written to. They are a copy where the file cannot be mapped, as a
/// pipe. Refuses what cannot be opened, in the name of `function`, with the system's reason. As
/// long as the bytes live, nobody may shorten the file or write into it.
inline FileBytes map_file(std::string_view function, const std::filesystem::path& path) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return read_file(function, path);
  const InputFile file(function, path);
  constexpr std::uintmax_t most = std::numeric_limits<std::ptrdiff_t>::max();
  if (file.size() == 0 || file.size() > most) return read_file(function, path);
  const auto size = static_cast<std::size_t>(file.size());
  void* const bytes = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.number(), 0);
  if (bytes == MAP_FAILED) return read_file(function, path);
  return {static_cast<char*>(bytes), size,
          [](char* mapped, std::size_t length) { ::munmap(mapped, length); }};
}

}  // namespace linea::io

namespace linea {

struct BinaryOptions {
  bool verify{false};  ///< compare checksums too, at the price of reading all of the file
};

/// Owner of a mapped file: x and y last as long as it does, so it has to be a variable: they cannot
/// be asked of a temporary. Moves, but does not copy; one moved from may only be assigned to.
template <BinarySamples X>
class [[nodiscard]] MappedLabelled {
  using T = scalar_t<X>;

 public:
  /// (n × d)
  Eigen::Map<const X> x() const& {
    if constexpr (SparseSamples<X>) {
      using J = typename X::StorageIndex;
      return {size(header_.rows),        size(header_.cols),         size(header_.entries),
              part<J>(sections_.starts), part<J>(sections_.columns), part<T>(sections_.values)};
    } else {
      return {part<T>(sections_.values), size(header_.rows), size(header_.cols)};
    }
  }

  /// (n)
  Eigen::Map<const Vector<T>> y() const& {
    return {part<T>(sections_.targets), size(header_.rows)};
  }

  void x() const&& = delete;
  void y() const&& = delete;

 private:
  template <BinarySamples Y>
  friend MappedLabelled<Y> map_binary(const std::filesystem::path&, const BinaryOptions&);

  MappedLabelled(io::FileBytes bytes, const io::BinaryHeader& header)
      : bytes_(std::move(bytes)), header_(header), sections_(header) {}

  static Index size(std::uint64_t size) { return static_cast<Index>(size); }

  template <class V>
  const V* part(std::uint64_t offset) const {
    return reinterpret_cast<const V*>(bytes_.data() + offset);
  }

  io::FileBytes bytes_;
  io::BinaryHeader header_;
  io::BinarySections sections_;
};

template <Scalar T, class J = int>
using MappedData = MappedLabelled<SparseMatrix<T, J>>;

template <Scalar T>
using MappedRows = MappedLabelled<Matrix<T>>;

/// Maps what `write_binary` wrote of x of type X: Matrix<T> or SparseMatrix<T, J>. No number is
/// copied or converted, and the system shares the memory between all who map the file:
///
///     const auto train = map_binary<SparseMatrix<float>>("train.linea");
///     Sgd{}.minimize(objective, train.x(), train.y());
///
/// Where files cannot be mapped they are read into memory instead. While mapped, a file must not be
/// written into or shortened; `write_binary` does neither.
///
/// Refuses, by std::invalid_argument "map_binary: 'path' what": a file that cannot be opened or
/// that is not of this format, its version, byte order, layout, scalar or index type; a damaged
/// header, a file longer or shorter than the header says, and, of sparse x, rows that overlap and
/// columns out of range: whatever the bytes, nothing is read out of bounds. That costs one pass
/// over the columns and none over the values; `verify` refuses any other damage.
template <BinarySamples X>
MappedLabelled<X> map_binary(const std::filesystem::path& path, const BinaryOptions& options = {}) {
  io::FileBytes bytes = io::map_file("map_binary", path);
  const io::BinaryChecker<X> checker(bytes.text(), path.string());
  const io::BinaryHeader header = checker.header();
  if (options.verify) checker.require_checksum(header);
  if constexpr (SparseSamples<X>) checker.require_bounds(header);
  return MappedLabelled<X>(std::move(bytes), header);
}

}  // namespace linea
