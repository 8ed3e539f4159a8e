// SPDX-License-Identifier: MIT
#include "programs/common/byte_source.hpp"

#include <zlib.h>

#include <filesystem>
#include <linea/core/require.hpp>
#include <linea/io/file.hpp>
#include <system_error>

#include "programs/common/system.hpp"

namespace program {

struct ByteSource::Inflation {
  z_stream stream{};
  int state{Z_OK};

  Inflation() {
    linea::require(inflateInit2(&stream, 15 + 16) == Z_OK, "zlib cannot be initialised");
  }
  Inflation(const Inflation&) = delete;
  Inflation& operator=(const Inflation&) = delete;
  ~Inflation() { inflateEnd(&stream); }
};

ByteSource::ByteSource(const std::string& path)
    : name_(path == "-" ? "standard input" : path),
      file_(path == "-" ? stdin : open_to_read(path)),
      buffer_(std::size_t{1} << 18) {
  const std::string reason = linea::io::last_system_error();
  std::error_code unknown;
  linea::require(path == "-" || !std::filesystem::is_directory(path_of(path), unknown),
                 "reading: cannot open '", path, "': it is a directory");
  linea::require(file_ != nullptr, "reading: cannot open '", path, "': ", reason);
  is_regular_ = is_regular(file_.get());
  stream_.exceptions(std::ios::badbit);
  fill();
  if (beginning().substr(0, 2) != "\x1f\x8b") return;
  inflation_ = std::make_unique<Inflation>();
  compressed_.assign(gptr(), egptr());
  inflation_->stream.avail_in = static_cast<uInt>(compressed_.size());
  compressed_.resize(buffer_.size());
  inflation_->stream.next_in = reinterpret_cast<Bytef*>(compressed_.data());
  fill();
}

ByteSource::~ByteSource() = default;

ByteSource::int_type ByteSource::underflow() {
  if (gptr() == egptr()) fill();
  return gptr() == egptr() ? traits_type::eof() : traits_type::to_int_type(*gptr());
}

void ByteSource::fill() {
  const std::size_t size = inflation_ ? inflate_into(buffer_.data(), buffer_.size())
                                      : read_into(buffer_.data(), buffer_.size());
  setg(buffer_.data(), buffer_.data(), buffer_.data() + size);
}

std::size_t ByteSource::read_into(char* out, std::size_t size) {
  const std::size_t count = std::fread(out, 1, size, file_.get());
  linea::require(!std::ferror(file_.get()), "reading: cannot read '", name_,
                 "': ", linea::io::last_system_error());
  return count;
}

/// Decompresses several compressed parts as one stream, as gzip does. Zeros after the last part are
/// padding.
std::size_t ByteSource::inflate_into(char* out, std::size_t size) {
  z_stream& stream = inflation_->stream;
  int& state = inflation_->state;
  stream.next_out = reinterpret_cast<Bytef*>(out);
  stream.avail_out = static_cast<uInt>(size);
  while (stream.avail_out > 0) {
    if (stream.avail_in == 0) {
      stream.next_in = reinterpret_cast<Bytef*>(compressed_.data());
      stream.avail_in = static_cast<uInt>(read_into(compressed_.data(), compressed_.size()));
    }
    const bool has_ended = stream.avail_in == 0;
    if (state == Z_STREAM_END) {
      if (has_ended || *stream.next_in == 0) break;
      inflateReset(&stream);
    }
    state = inflate(&stream, Z_NO_FLUSH);
    linea::require(!(has_ended && (state == Z_BUF_ERROR || state == Z_OK) && stream.avail_out > 0),
                   name_, ": the compressed data is truncated");
    linea::require(state == Z_OK || state == Z_STREAM_END || state == Z_BUF_ERROR, name_,
                   ": the compressed data is damaged");
  }
  return size - stream.avail_out;
}

}  // namespace program
