// SPDX-License-Identifier: MIT
#pragma once
/// \file How all files are written: whole or not at all.
#include <cerrno>
#include <filesystem>
#include <linea/core/require.hpp>
#include <linea/io/draft.hpp>
#include <linea/io/file_buffer.hpp>
#include <linea/io/native_file.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>  // exchange

namespace linea::io {

/// A file that takes its name when all of it is written and on the disk. Until then, whatever goes
/// wrong, what was there stays as it was: a draft is written beside it.
///
/// - The draft is a new file of its own, `path.draft0` or with another number. It is gone when this
///   object is, and when a handler of signals calls remove_drafts.
/// - Links are followed: what they lead to is replaced or created. A file that is replaced gives
///   its mode to the new one, and its owner and group as far as the system allows. Those who have
///   it open, or under another name, keep what was there.
/// - Whatever else stands there (a pipe, a terminal, /dev/null) is written to in place and stays
///   what it is; so is a file that is the standard output or error, behind what it has.
/// - A file that may not be written to is refused even where it could be replaced.
class OutputFile {
 public:
  /// Opens the file. Opened before long work, it finds out early what cannot be written. Refuses it
  /// in the name of `function`, with the system's reason. A pipe waits for its reader.
  OutputFile(std::string_view function, const std::filesystem::path& path)
      : function_(function),
        path_(path),
        target_(target_of(path)),
        buffer_{open(), draft_.has_value()} {}

  /// Where to write.
  std::ostream& stream() { return stream_; }

  /// All is written: brings it to the disk. Refuses when not all could be written.
  void finish() {
    if (std::exchange(is_finished_, true)) return;
    const bool good = stream_.good();
    const int failure = buffer_.close(draft_.has_value());
    if (!good || failure)
      refuse(function_, ": could not write all of '", path_.string(),
             "': ", system_error_text(failure));
  }

  /// The file is complete, and takes its name. Refuses when not all could be written, and leaves
  /// what was there.
  void keep() {
    finish();
    if (!draft_) return;
    const auto failed = draft_->replace(target_);
    if (failed) refuse(function_, ": cannot replace '", path_.string(), "': ", failed.message());
  }

  /// Where links lead, which need not exist. Those of /proc lead to open files under any name, so
  /// one that leads astray is not followed.
  static std::filesystem::path target_of(const std::filesystem::path& path) {
    std::error_code failure;
    std::filesystem::path target = path;
    for (int links = 0; links < 40 && std::filesystem::is_symlink(target, failure); ++links)
      target = target.parent_path() / std::filesystem::read_symlink(target, failure);
    const bool exists = std::filesystem::exists(path, failure);
    return exists && !std::filesystem::equivalent(path, target, failure) ? path : target;
  }

 private:
  /// Opens the draft, or in place.
  std::FILE* open() {
    using Kind = std::filesystem::file_type;
    std::error_code failure;
    const Kind kind = std::filesystem::status(target_, failure).type();
    if (kind == Kind::none) fail(failure.message());
    errno = 0;
    std::FILE* file = nullptr;
    if (kind == Kind::not_found || kind == Kind::regular) {
      const bool exists = kind == Kind::regular;
      if (exists) file = open_standard_stream(target_);
      if (file) return file;
      if (exists && !may_write(target_)) fail(last_system_error());
      if (target_.filename().empty()) fail(system_error_text(ENOENT));
      draft_.emplace(target_, exists);
      file = draft_->file();
    } else {
      file = open_in_place(target_);
    }
    if (!file) fail(last_system_error());
    return file;
  }

  [[noreturn]] void fail(const std::string& why) const {
    refuse(function_, ": cannot write '", path_.string(), "': ", why);
  }

  std::string function_;
  std::filesystem::path path_;
  std::filesystem::path target_;
  std::optional<Draft> draft_{};  // before the buffer: removed when that has closed the file
  FileBuffer buffer_;
  std::ostream stream_{&buffer_};
  bool is_finished_{false};
};

/// Calls write(stream) with a stream to the file, which is then complete. Refuses when the file
/// cannot be opened or not all of it can be written, and then leaves what was there.
template <class Write>
void write_file(std::string_view function, const std::filesystem::path& path, Write&& write) {
  OutputFile file(function, path);
  write(file.stream());
  file.keep();
}

}  // namespace linea::io
