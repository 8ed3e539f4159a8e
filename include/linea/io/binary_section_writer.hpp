// SPDX-License-Identifier: MIT
#pragma once
/// \file Writer of the sections of a binary file.
#include <cstddef>
#include <cstdint>
#include <cstring>  // memcpy, memset
#include <linea/io/binary_format.hpp>
#include <ostream>
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
