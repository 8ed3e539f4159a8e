// SPDX-License-Identifier: MIT
#pragma once
/// \file A temporary folder, removed with its contents at the end of the test.
#include <filesystem>
#include <random>  // random_device
#include <set>
#include <string>

class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& prefix = "linea_test_")
      : path_(std::filesystem::temp_directory_path() /
              (prefix + std::to_string(std::random_device{}()) + "_" +
               std::to_string(std::random_device{}()))) {
    std::filesystem::create_directory(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  /// Returns the names of all entries of the folder.
  std::set<std::string> names() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      names.insert(entry.path().filename().string());
    return names;
  }

 private:
  std::filesystem::path path_;
};
