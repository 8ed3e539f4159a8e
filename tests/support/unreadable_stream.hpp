// SPDX-License-Identifier: MIT
#pragma once
/// \file A stream with a read error.
#include <ios>
#include <istream>
#include <streambuf>

namespace linea::test {

/// A stream that can be opened, but not read, such as that of a folder with libstdc++ on Linux.
class UnreadableStream : public std::istream {
 public:
  UnreadableStream() : std::istream(&buffer_) {}

 private:
  struct Buffer : std::streambuf {
    int_type underflow() override { throw std::ios_base::failure("read error"); }
  };
  Buffer buffer_{};
};

}  // namespace linea::test
