// SPDX-License-Identifier: MIT
#pragma once
/// \file Numbers that are put by on the disk, to be read once they are all there.
#include <algorithm>  // min
#include <cstddef>
#include <cstring>  // memcpy
#include <filesystem>
#include <fstream>
#include <ios>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/io/draft.hpp>
#include <linea/io/file_buffer.hpp>
#include <linea/io/native_file.hpp>
#include <vector>

namespace linea::io {

/// A list of V that grows in a file beside `target` and is gone with this object. Memory: a buffer.
template <class V>
class SectionSpool {
 public:
  /// Refuses a folder that cannot be written to.
  explicit SectionSpool(const std::filesystem::path& target)
      : draft_(target, true), file_(opened(target), false) {
    buffer_.reserve(values_of_a_buffer);
  }

  void put(V value) {
    if (buffer_.size() == values_of_a_buffer) flush();
    buffer_.push_back(value);
    ++size_;
  }

  Index size() const { return size_; }

  /// Calls visit(value) for the values [begin, begin + count). Refuses what could not be written,
  /// or cannot be read again.
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
