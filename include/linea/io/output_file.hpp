// SPDX-License-Identifier: MIT
#pragma once
/// \file Files that are written, which appear under their name when they are whole.
#include <algorithm>  // min
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <linea/core/require.hpp>
#include <linea/io/file.hpp>
#include <memory>
#include <optional>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>  // exchange

namespace linea::io {

/// A std::filebuf for a file that is already open. Owns the file.
class FileBuffer : public std::streambuf {
 public:
  explicit FileBuffer(std::FILE* file) : file_(file) {}
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

 private:
  void note(bool success) {
    if (!success && failure_ == 0) failure_ = errno ? errno : EIO;
  }

  std::FILE* file_;
  int failure_{0};
};

}  // namespace linea::io

namespace linea {

namespace io {

/// The names of the drafts that this process has, of the first 64 at least.
inline std::array<std::atomic<const std::filesystem::path*>, 64> drafts_of_process{};

/// An empty file beside `target`, under a name that no file had. It is gone with this object, or
/// takes the place of `target`.
class Draft {
 public:
  /// `exists`: is there a target? Then the draft has its rights. Without `file()`, no draft could
  /// be created, for the reason in errno.
  Draft(const std::filesystem::path& target, bool exists) {
    const std::string name = target.filename().string();
    for (int k = 0; !file_ && k < 1000; ++k) {
      // A file system has room for 255 bytes in a name.
      name_ = std::make_unique<std::filesystem::path>(
          target.parent_path() / (name.substr(0, 200) + ".draft" + std::to_string(k)));
      const SignalsHeld held;  // else one could come before the draft is known to remove_drafts
      file_ = create_new_file(*name_, exists);
      if (file_)
        remember();
      else if (errno != EEXIST)
        return;
    }
    if (file_ && exists) take_rights(file_, target);
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft() {
    const SignalsHeld held;
    if (file_ && forget()) {
      std::error_code ignored;
      std::filesystem::remove(*name_, ignored);
    }
  }

  /// To be written to and closed by the caller.
  std::FILE* file() const { return file_; }

  const std::filesystem::path& name() const { return *name_; }

  /// Takes the place of `target`, which others see whole at any time: the old one or this one.
  std::error_code replace(const std::filesystem::path& target) {
    const SignalsHeld held;
    std::error_code failure;
    std::filesystem::rename(*name_, target, failure);
    if (!failure && forget()) file_ = nullptr;
    return failure;
  }

 private:
  void remember() {
    for (auto& place : drafts_of_process) {
      const std::filesystem::path* nobody = nullptr;
      if (!place.compare_exchange_strong(nobody, name_.get())) continue;
      place_ = &place;
      return;
    }
  }

  /// False if remove_drafts has come before. It may still read the name, which is then never freed.
  bool forget() {
    const std::filesystem::path* mine = name_.get();
    const auto place = std::exchange(place_, nullptr);
    if (!place || place->compare_exchange_strong(mine, nullptr)) return true;
    file_ = nullptr;
    static_cast<void>(name_.release());
    return false;
  }

  std::unique_ptr<std::filesystem::path> name_{};
  std::FILE* file_{nullptr};
  std::atomic<const std::filesystem::path*>* place_{nullptr};
};

}  // namespace io

/// Removes what is there of files that are still being written, for a handler of signals that ends
/// the process: linea handles none itself. Safe within a handler.
///
///     std::signal(SIGINT, [](int signal) {
///       linea::remove_drafts();
///       std::signal(signal, SIG_DFL);
///       std::raise(signal);
///     });
inline void remove_drafts() noexcept {
  for (auto& place : io::drafts_of_process)
    if (const auto* name = place.exchange(nullptr)) ::unlink(name->c_str());
}

}  // namespace linea

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
      : function_(function), path_(path), target_(target_of(path)), buffer_{open()} {}

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

/// Writes all bytes. Refuses a stream that failed, in the name of `function`.
inline void write_all(std::string_view function, std::ostream& out, std::string_view bytes) {
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  require(!out.fail(), function, ": the stream failed");
}

/// Calls write(stream) with a stream to the file, which is then complete. Refuses when the file
/// cannot be opened or not all of it can be written, and then leaves what was there.
template <class Write>
void write_file(std::string_view function, const std::filesystem::path& path, Write&& write) {
  OutputFile file(function, path);
  write(file.stream());
  file.keep();
}

}  // namespace linea::io
