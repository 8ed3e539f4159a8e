// SPDX-License-Identifier: MIT
#pragma once
/// \file A stream of the bytes of a file or a pipe, decompressed if gzip compressed them.
#include <cstdio>
#include <istream>
#include <memory>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

namespace program {

/// A stream of bytes with a buffer. Errors of reading or decompression throw std::invalid_argument,
/// which names the source, from the call that detects them.
class ByteSource : private std::streambuf {
 public:
  /// "-" is standard input.
  explicit ByteSource(const std::string& path);
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  ~ByteSource() override;  // where Inflation is known

  std::istream& stream() { return stream_; }
  const std::string& name() const { return name_; }

  /// The next bytes in the buffer, valid until the stream is read. None at the end, or if the whole
  /// buffer has been read.
  std::string_view beginning() { return {gptr(), static_cast<std::size_t>(egptr() - gptr())}; }

 private:
  struct Inflation;
  struct Close {
    void operator()(std::FILE* file) const {
      if (file != stdin) std::fclose(file);
    }
  };

  int_type underflow() override;
  void fill();
  std::size_t inflate_into(char* out, std::size_t size);
  std::size_t read_into(char* out, std::size_t size);

  std::string name_;
  std::unique_ptr<std::FILE, Close> file_;
  std::unique_ptr<Inflation> inflation_{};
  std::vector<char> compressed_{};
  std::vector<char> buffer_;
  std::istream stream_{this};
};

}  // namespace program
