// SPDX-License-Identifier: MIT
#pragma once
/// \file Drafts: files that are written beside their place, and take it when they are complete.
#include <algorithm>  // min
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <linea/io/native_file.hpp>
#include <memory>
#include <string>
#include <system_error>
#include <utility>  // exchange

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
/// the process: linea handles none itself. Safe within a handler of a POSIX system.
///
///     std::signal(SIGINT, [](int signal) {
///       linea::remove_drafts();
///       std::signal(signal, SIG_DFL);
///       std::raise(signal);
///     });
inline void remove_drafts() noexcept {
  for (auto& place : io::drafts_of_process)
    if (const auto* name = place.exchange(nullptr)) {
#ifdef LINEA_HAS_POSIX_FILES
      ::unlink(name->c_str());
#else
      std::error_code ignored;
      std::filesystem::remove(*name, ignored);
#endif
    }
}

}  // namespace linea
