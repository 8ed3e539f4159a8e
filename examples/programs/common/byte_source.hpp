// SPDX-License-Identifier: MIT
#pragma once
/// \file A stream of the bytes of a file or a pipe, which decompresses gzip.
#include <istream>
#include <memory>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

struct gzFile_s;  // of zlib

namespace program {

/// A stream of bytes with a buffer. The call that detects an error of reading or decompression
/// throws std::invalid_argument with the name of the source.
class ByteSource : private std::streambuf {
 public:
  /// Opens a file, or standard input if `path` is "-".
  explicit ByteSource(const std::string& path);
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  ~ByteSource() override = default;

  std::istream& stream() { return stream_; }
  const std::string& name() const { return name_; }

  /// Returns whether `name` is a regular file that is not compressed.
  bool is_plain_file() const;
  /// Returns whether the source may have no end, as a pipe.
  bool is_endless() const;

  /// Returns the next bytes in the buffer, valid until the stream is read. The result is empty at
  /// the end of the source, or when the whole buffer has been read.
  std::string_view beginning() { return {gptr(), static_cast<std::size_t>(egptr() - gptr())}; }

 private:
  struct Close {
    void operator()(gzFile_s* file) const;
  };

  int_type underflow() override;
  void fill();

  std::string name_;
  bool is_standard_;
  bool is_regular_{false};
  std::unique_ptr<gzFile_s, Close> file_{};
  std::vector<char> buffer_;
  std::istream stream_{this};
};

}  // namespace program
