// SPDX-License-Identifier: MIT
#pragma once
/// \file A folder in which linea's programs run, as a shell runs them.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "support/catch.hpp"

namespace linea::test {

inline std::string contents(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

struct Outcome {
  int code{-1};
  std::string out{};
  std::string err{};
};

/// An empty folder in which programs run, gone when the test is.
class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() /
              ("linea programs " + std::to_string(std::random_device{}()))) {
    std::filesystem::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
  }

  /// The names of all that is there but what `run` leaves.
  std::set<std::string> names() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      names.insert(entry.path().filename().string());
    names.erase(".out");
    names.erase(".err");
    return names;
  }

  /// Starts a program without a shell, and without waiting for its end.
  ::pid_t start(const std::string& program, std::vector<std::string> arguments) const {
    std::vector<char*> given{const_cast<char*>(program.c_str())};
    for (auto& argument : arguments) given.push_back(argument.data());
    given.push_back(nullptr);
    const ::pid_t child = ::fork();
    if (child != 0) return child;
    ::alarm(60);
    if (::chdir(path_.c_str()) == 0 && std::freopen(".out", "w", stdout) &&
        std::freopen(".err", "w", stderr))
      ::execv(program.c_str(), given.data());
    ::_exit(99);
  }

  Outcome run(const std::string& program, const std::string& arguments) const {
    const std::string command =
        "cd '" + path_.string() + "' && '" + program + "' " + arguments + " >.out 2>.err";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(path_ / ".out"),
            contents(path_ / ".err")};
  }

 private:
  std::filesystem::path path_;
};

// Not inline: clang 14 may make an inline one after those of a test that are made of it.
const std::string data = "'" LINEA_SOURCE_DIR "/examples/data/";
const std::string cancer = data + "wdbc.svm' ";
const std::string diabetes = data + "diabetes.svm' ";
const std::string iris = data + "iris.svm' ";

/// Trains with --json, which must succeed and print one line.
inline nlohmann::json trained(const Folder& folder, const std::string& arguments) {
  const auto outcome = folder.run(LINEA_TRAIN, "--json " + arguments);
  INFO(arguments << '\n' << outcome.err);
  REQUIRE(outcome.code == 0);
  REQUIRE(outcome.out.find('\n') + 1 == outcome.out.size());
  return nlohmann::json::parse(outcome.out);
}

/// The program refuses that with code 2 and this message, in one line, and leaves no file behind.
inline void refuses(const Folder& folder, const std::string& program, const std::string& arguments,
                    const std::string& message) {
  const auto before = folder.names();
  const auto outcome = folder.run(program, arguments);
  INFO(arguments << '\n' << outcome.out << outcome.err);
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.err, ContainsSubstring(message));
  CHECK(outcome.err.find('\n') + 1 == outcome.err.size());
  CHECK(outcome.out.empty());
  CHECK(folder.names() == before);
}

}  // namespace linea::test
