// SPDX-License-Identifier: MIT
#pragma once
/// \file Samples in a binary file, read in place by mapping the file into memory.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <linea/core/platform.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/io/binary_format.hpp>
#include <linea/io/file.hpp>
#include <string_view>
#include <system_error>
#include <utility>  // move

namespace linea::io {

/// Maps a file into memory, read-only. Reads a file that cannot be mapped, such as a pipe, into
/// memory instead. Throws, with `function` and the system's reason, if the file cannot be opened or
/// read. Nobody may shorten the file or write to it while the bytes are in use.
inline FileBytes map_file(std::string_view function, const std::filesystem::path& path) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return read_file(function, path);
  const InputFile file(function, path);
  constexpr std::uintmax_t most = std::numeric_limits<std::ptrdiff_t>::max();
  if (file.size() == 0 || file.size() > most) return read_file(function, path);
  const auto size = detail::to<std::size_t>(file.size());
  char* const bytes = detail::map_bytes(file.number(), size);
  if (!bytes) return read_file(function, path);
  return {bytes, size, &detail::unmap_bytes};
}

}  // namespace linea::io

namespace linea {

struct BinaryOptions {
  bool verify{false};  ///< compare the checksum of the sections? This reads the whole file
};

/// Owns a mapped file. x() and y() return Maps that are valid as long as this object lives, so
/// these functions cannot be called on a temporary object. The object can be moved, not copied; a
/// moved-from object can only be assigned to.
template <BinarySamples X>
class [[nodiscard]] MappedLabelled {
  using T = scalar_t<X>;

 public:
  /// Returns x (n × d) in the file.
  Eigen::Map<const X> x() const& {
    if constexpr (SparseSamples<X>) {
      using J = typename X::StorageIndex;
      return {size(header_.rows),        size(header_.cols),         size(header_.entries),
              part<J>(sections_.starts), part<J>(sections_.columns), part<T>(sections_.values)};
    } else {
      return {part<T>(sections_.values), size(header_.rows), size(header_.cols)};
    }
  }

  /// Returns y (n) in the file.
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

/// Maps a file of `write_binary` for x of type X: Matrix<T> or SparseMatrix<T, J>. No number is
/// copied or converted, and all processes that map the file share its memory:
///
///     const auto train = map_binary<SparseMatrix<float>>("train.linea");
///     Sgd{}.minimize(objective, train.x(), train.y());
///
/// If the file cannot be mapped, as on Windows, it is read into memory. Nobody may write to a
/// mapped file or shorten it: the system ends a process that reads beyond the end by SIGBUS.
/// `write_binary` does neither, unless the system refuses to replace the file (see
/// io/output_file.hpp).
///
/// Throws std::invalid_argument "map_binary: 'path' what" for a file that cannot be opened, or that
/// has another format, version, byte order, layout, scalar or index type. Throws also for a damaged
/// header, a file of another size than the header states, and, for sparse x, rows that overlap and
/// columns out of range. No file causes reads out of bounds. For sparse x the checks take one pass
/// over the row offsets and the columns, for dense x none; `verify` also compares the checksum of
/// all sections.
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
