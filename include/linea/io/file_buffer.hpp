// SPDX-License-Identifier: MIT
#pragma once
/// \file A stream over a file of C, which says why it failed.
#include <cerrno>
#include <cstdio>
#include <ios>
#include <linea/io/native_file.hpp>
#include <streambuf>
#include <utility>  // exchange

namespace linea::io {

/// What std::filebuf is for a file that is open already. Owns the file.
class FileBuffer : public std::streambuf {
 public:
  /// `can_seek`: may what was written be written over? Not in a pipe, nor behind what others wrote.
  FileBuffer(std::FILE* file, bool can_seek) : file_(file), can_seek_(can_seek) {}
  FileBuffer(const FileBuffer&) = delete;
  FileBuffer& operator=(const FileBuffer&) = delete;
  ~FileBuffer() override {
    if (file_) std::fclose(file_);
  }

  /// Writes the rest, brings all of it `to_disk` if asked to, and closes the file. Answers with the
  /// code of the first failure, 0 if all went well.
  int close(bool to_disk) {
    note(std::fflush(file_) == 0);
    if (to_disk && failure_ == 0) note(bring_to_disk(file_));
    note(std::fclose(std::exchange(file_, nullptr)) == 0);
    return failure_;
  }

 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    const auto bytes = static_cast<std::size_t>(size);
    const std::size_t written = std::fwrite(text, 1, bytes, file_);
    note(written == bytes);
    return static_cast<std::streamsize>(written);
  }
  int_type overflow(int_type c) override {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    const bool written = std::fputc(c, file_) != EOF;
    note(written);
    return written ? c : traits_type::eof();
  }
  int sync() override {
    note(std::fflush(file_) == 0);
    return failure_ == 0 ? 0 : -1;
  }
  pos_type seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode) override {
    const int origin = from == std::ios_base::beg   ? SEEK_SET
                       : from == std::ios_base::cur ? SEEK_CUR
                                                    : SEEK_END;
    if (!can_seek_) return off_type(-1);
    const bool moved = move_in_file(file_, offset, origin);
    note(moved);  // what is left to be written goes first, and may fail
    return moved ? off_type(place_in_file(file_)) : off_type(-1);
  }
  pos_type seekpos(pos_type position, std::ios_base::openmode which) override {
    return seekoff(off_type(position), std::ios_base::beg, which);
  }

 private:
  void note(bool success) {
    if (!success && failure_ == 0) failure_ = errno ? errno : EIO;
  }

  std::FILE* file_;
  bool can_seek_;
  int failure_{0};
};

}  // namespace linea::io
