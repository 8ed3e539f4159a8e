// SPDX-License-Identifier: MIT
#pragma once
/// \file A temporary file, removed at the end of the test.
#include <filesystem>
#include <fstream>
#include <string_view>

#include "support/temporary_folder.hpp"

class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view text = "") : path_(folder_ / "file") {
    std::ofstream(path_, std::ios::binary) << text;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  TemporaryFolder folder_{};
  std::filesystem::path path_;
};
