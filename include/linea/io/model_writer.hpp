// SPDX-License-Identifier: MIT
#pragma once
/// \file What the writers of models share: whole numbers as bytes, and text summed up on its
/// way into a stream.
#include <cstddef>
#include <cstdint>
#include <linea/core/checksum.hpp>
#include <linea/core/require.hpp>
#include <ostream>
#include <string>
#include <string_view>

namespace linea::io {

/// Appends a whole number as `bytes` bytes, 8 at most, the lowest first, whatever the machine's own
/// order is.
inline void append_little_endian(std::string& text, std::uint64_t value, std::size_t bytes) {
  char all[8];
  for (std::size_t k = 0; k < 8; ++k) all[k] = static_cast<char>(value >> (8 * k) & 0xff);
  text.append(all, bytes);
}

/// The whole number of the first `bytes` bytes, 8 at most, the lowest first.
inline std::uint64_t little_endian(const char* first, std::size_t bytes) {
  std::uint64_t value = 0;
  if (bytes == 8) {  // compilers make a plain load of this
    for (std::size_t k = 0; k < 8; ++k)
      value |= std::uint64_t{static_cast<unsigned char>(first[k])} << (8 * k);
    return value;
  }
  for (std::size_t k = bytes; k-- > 0;) value = value << 8 | static_cast<unsigned char>(first[k]);
  return value;
}

/// Text on its way into a stream, a buffer at a time.
class ModelWriter {
 public:
  explicit ModelWriter(std::ostream& out) : out_(out) {}

  /// Append here, and then call `pass_on`.
  std::string& text() { return text_; }

  /// Writes what has come together, if it is much.
  void pass_on() {
    if (text_.size() >= std::size_t{1} << 16) write();
  }

  /// The checksum of all that was appended.
  std::uint64_t checksum() {
    write();
    return sum_.value();
  }

  /// Bytes that were appended.
  std::uint64_t size() const { return written_ + text_.size(); }

  /// All is written. Refuses a stream that failed, in the name of `function`.
  void end(std::string_view function) {
    write();
    require(!out_.fail(), function, ": the stream failed");
  }

 private:
  void write() {
    sum_.add(text_);
    out_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
    written_ += text_.size();
    text_.clear();
  }

  std::ostream& out_;
  std::string text_{};
  std::uint64_t written_{0};
  core::Checksum sum_{};
};

}  // namespace linea::io
