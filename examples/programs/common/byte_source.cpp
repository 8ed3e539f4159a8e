// SPDX-License-Identifier: MIT
#include "programs/common/byte_source.hpp"

#include <zlib.h>

#include <filesystem>
#include <linea/core/require.hpp>
#include <linea/io/file.hpp>
#include <system_error>

#include "programs/common/system.hpp"

namespace program {

void ByteSource::Close::operator()(gzFile_s* file) const { gzclose(file); }

ByteSource::ByteSource(const std::string& path)
    : name_(path == "-" ? "standard input" : path),
      is_standard_(path == "-"),
      buffer_(std::size_t{1} << 18) {
  const int descriptor = is_standard_ ? standard_input : open_to_read(path);
  const std::string reason = linea::io::last_system_error();
  std::error_code unknown;
  linea::require(is_standard_ || !std::filesystem::is_directory(path_of(path), unknown),
                 "reading: cannot open '", path, "': it is a directory");
  linea::require(descriptor >= 0, "reading: cannot open '", path, "': ", reason);
  is_regular_ = is_regular(descriptor);
  file_.reset(gzdopen(descriptor, "rb"));
  linea::require(file_ != nullptr, "zlib cannot be initialised");
  gzbuffer(file_.get(), 1 << 17);
  stream_.exceptions(std::ios::badbit);
  fill();
}

bool ByteSource::is_plain_file() const {
  return is_regular_ && !is_standard_ && gzdirect(file_.get());
}

bool ByteSource::is_endless() const { return !is_regular_ && gzdirect(file_.get()); }

ByteSource::int_type ByteSource::underflow() {
  if (gptr() == egptr()) fill();
  return gptr() == egptr() ? traits_type::eof() : traits_type::to_int_type(*gptr());
}

void ByteSource::fill() {
  const int size = gzread(file_.get(), buffer_.data(), static_cast<unsigned>(buffer_.size()));
  int error = Z_OK;
  gzerror(file_.get(), &error);
  linea::require(error != Z_ERRNO, "reading: cannot read '", name_,
                 "': ", linea::io::last_system_error());
  linea::require(error != Z_BUF_ERROR, name_, ": the compressed data is truncated");
  linea::require(size >= 0, name_, ": the compressed data is damaged");
  setg(buffer_.data(), buffer_.data(), buffer_.data() + size);
}

}  // namespace program
