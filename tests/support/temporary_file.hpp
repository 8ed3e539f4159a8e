// SPDX-License-Identifier: MIT
#pragma once
/// \file A file of a test's own, gone when the test is.
#include <filesystem>
#include <fstream>
#include <random>  // random_device
#include <string>
#include <string_view>
#include <system_error>

class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view text = "")
      : path_(std::filesystem::temp_directory_path() /
              ("linea_test_" + std::to_string(std::random_device{}()) + "_" +
               std::to_string(std::random_device{}()))) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};
