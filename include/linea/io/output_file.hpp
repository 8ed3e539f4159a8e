// SPDX-License-Identifier: MIT
#pragma once
/// \file Output files, which appear under their name when they are complete.
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <ios>
#include <linea/core/platform.hpp>
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
#include <vector>

namespace linea::io {

/// A stream buffer for an open file. The buffer owns the file.
class FileBuffer : public std::streambuf {
 public:
  explicit FileBuffer(std::FILE* file) : file_(file) {}
  FileBuffer(const FileBuffer&) = delete;
  FileBuffer& operator=(const FileBuffer&) = delete;
  ~FileBuffer() override {
    if (file_) std::fclose(file_);
  }

  /// Writes the buffer, waits until the data are on disk if `to_disk`, and closes the file. Returns
  /// the code of the first failure, or 0.
  int close(bool to_disk) {
    note(std::fflush(file_) == 0);
    if (to_disk && failure_ == 0) note(detail::sync_file(file_));
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

/// The names of at most 64 drafts of this process; null pointers mark free places.
inline std::array<std::atomic<const std::filesystem::path*>, 64> drafts_of_process{};

/// A new empty file beside `target`, under an unused name. The destructor removes the file unless
/// it has replaced `target`.
class Draft {
 public:
  /// Creates the draft. If the target `exists`, the draft gets its permissions and, where the
  /// system allows it, its owner and group (see take_rights). If file() is null, no draft could be
  /// created, and errno has the reason.
  Draft(const std::filesystem::path& target, bool exists) {
    const auto name = target.filename().native().substr(0, 200);
    for (int k = 0; !file_ && k < 1000; ++k) {
      // File systems limit a name to 255 bytes.
      name_ = std::make_unique<std::filesystem::path>(target.parent_path() / name);
      *name_ += ".draft" + std::to_string(k);
      const detail::SignalsHeld held;  // no signal may come before remove_drafts knows the draft
      file_ = detail::stream_of(detail::open_file(
          name_->c_str(), exists ? detail::Access::create_private : detail::Access::create));
      if (file_)
        remember();
      else if (errno != EEXIST)
        return;
    }
    if (file_ && exists) detail::take_rights(file_, target.c_str());
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft() {
    const detail::SignalsHeld held;
    if (file_ && forget()) {
      std::error_code ignored;
      std::filesystem::remove(*name_, ignored);
    }
  }

  /// Returns the file to write to, which the caller must close.
  std::FILE* file() const { return file_; }

  const std::filesystem::path& name() const { return *name_; }

  /// Replaces `target` atomically: other processes see either the old file or the new one.
  std::error_code replace(const std::filesystem::path& target) {
    const detail::SignalsHeld held;
    std::error_code failure;
    std::filesystem::rename(*name_, target, failure);
    if (!failure) retain();
    return failure;
  }

  /// Leaves the draft under its own name.
  void retain() {
    if (forget()) file_ = nullptr;
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

  /// Removes the draft from drafts_of_process. Returns false if remove_drafts has already removed
  /// the draft. remove_drafts may then still read the name, so the name is not freed.
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

/// Removes the drafts of files that are still being written, at most 64; on Windows these remain,
/// because it removes no open file. This function is async-signal-safe: call it in a signal handler
/// that ends the process. linea installs no signal handler.
///
///     std::signal(SIGINT, [](int signal) {
///       linea::remove_drafts();
///       std::signal(signal, SIG_DFL);
///       std::raise(signal);
///     });
inline void remove_drafts() noexcept {
  for (auto& place : io::drafts_of_process)
    if (const auto* name = place.exchange(nullptr)) detail::remove_in_handler(name->c_str());
}

}  // namespace linea

namespace linea::io {

/// A file that appears under its name when it is complete and on disk. Until then the data are in a
/// draft beside that file, so that a failure leaves an existing file unchanged.
///
/// - The draft is a new file, `path.draft0` or with another number. The destructor or remove_drafts
///   removes it.
/// - Links are followed; their target is replaced or created. The new file gets the mode of the
///   file that it replaces, and its owner and group if the system allows it. Processes that have
///   the old file open, and other hard links, keep the old content.
/// - Pipes, terminals, /dev/null and other special files are written to in place. The same holds
///   for a file that is the standard output or error: writing continues at the position of that
///   stream.
/// - A file without write permission is not replaced.
/// - If the system refuses to replace a file that may be written, such as a mount point or another
///   user's file in a folder with the sticky bit, the complete draft is copied into it.
class OutputFile {
 public:
  /// Opens the file. Throws, with `function` and the system's reason, if the file is not writable.
  /// Open the file before long work, so that this error comes early. Opening a pipe waits for its
  /// reader.
  OutputFile(std::string_view function, const std::filesystem::path& path)
      : function_(function), path_(path), target_(target_of(path)), buffer_{open()} {}

  /// Returns the stream to write to.
  std::ostream& stream() { return stream_; }

  /// Ends writing, brings a draft to disk and gives it the file's name. Throws if something could
  /// not be written; an existing file is then unchanged. Call it once.
  void keep() {
    const bool good = stream_.good();
    const int failure = buffer_.close(draft_.has_value());
    if (!good || failure)
      refuse(function_, ": could not write all of '", path_.string(),
             "': ", system_error_text(failure));
    if (!draft_) return;
    const auto failed = draft_->replace(target_);
    if (failed && !overwrite())
      refuse(function_, ": cannot replace '", path_.string(), "': ", failed.message());
  }

  /// Follows symbolic links from `path`. Returns the path of their target, which need not exist.
  /// The text of a link in /proc may name another file than the one that the link opens; such a
  /// link is not followed.
  static std::filesystem::path target_of(const std::filesystem::path& path) {
    std::error_code failure;
    std::filesystem::path target = path;
    for (int links = 0; links < 40 && std::filesystem::is_symlink(target, failure); ++links)
      target = target.parent_path() / std::filesystem::read_symlink(target, failure);
    const bool exists = std::filesystem::exists(path, failure);
    return exists && !std::filesystem::equivalent(path, target, failure) ? path : target;
  }

 private:
  /// Copies the draft into the existing file, for files that may be written but not replaced.
  /// Returns false if the file cannot be opened. If the copy fails, the draft remains.
  bool overwrite() {
    std::filebuf from;
    if (!from.open(draft_->name(), std::ios::in | std::ios::binary)) return false;
    std::FILE* const file =
        detail::stream_of(detail::open_file(target_.c_str(), detail::Access::write_no_link));
    if (!file) return false;
    draft_->retain();
    FileBuffer to(file);
    std::vector<char> piece(std::size_t{1} << 16);
    detail::FileSize size = 0;
    bool good = true;
    for (std::streamsize count = 1; good && count > 0; size += count) {
      count = from.sgetn(piece.data(), static_cast<std::streamsize>(piece.size()));
      good = to.sputn(piece.data(), count) == count;
    }
    good = good && to.pubsync() == 0 && detail::truncate_file(file, size);
    const int failure = to.close(true);
    if (!good || failure)
      refuse(function_, ": could not write all of '", path_.string(),
             "': ", system_error_text(failure), "; '", draft_->name().string(), "' has all");
    std::error_code ignored;
    std::filesystem::remove(draft_->name(), ignored);
    return true;
  }

  /// Opens the draft, or the file in place.
  std::FILE* open() {
    using Kind = std::filesystem::file_type;
    std::error_code failure;
    const Kind kind = std::filesystem::status(target_, failure).type();
    if (kind == Kind::none) fail(failure.message());
    errno = 0;
    // This also serves a socket or another user's terminal, which no path opens again.
    std::FILE* file = detail::open_standard_stream(target_.c_str());
    if (file) return file;
    if (kind == Kind::not_found || kind == Kind::regular) {
      const bool exists = kind == Kind::regular;
      if (exists && !detail::may_write(target_.c_str())) fail(last_system_error());
      if (target_.filename().empty()) fail(system_error_text(ENOENT));
      draft_.emplace(target_, exists);
      file = draft_->file();
    } else {
      file = detail::stream_of(detail::open_file(target_.c_str(), detail::Access::write));
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
  std::optional<Draft> draft_{};  // before buffer_, which closes the file before its removal
  FileBuffer buffer_;
  std::ostream stream_{&buffer_};
};

/// Writes all bytes, whatever the format flags, width and locale of the stream. Throws
/// std::invalid_argument, with `function` in the message, if the stream fails, also if exceptions
/// of the stream are on.
inline void write_all(std::string_view function, std::ostream& out, std::string_view bytes) {
  try {
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  } catch (const std::ios_base::failure&) {
    // The state of the stream has the failure.
  }
  require(!out.fail(), function, ": the stream failed");
}

/// Calls write(stream) with a stream to the file, and gives the complete file its name. Throws if
/// the file cannot be opened or written completely; an existing file is then unchanged.
template <class Write>
void write_file(std::string_view function, const std::filesystem::path& path, Write&& write) {
  OutputFile file(function, path);
  write(file.stream());
  file.keep();
}

}  // namespace linea::io
