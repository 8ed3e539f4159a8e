// SPDX-License-Identifier: MIT
#pragma once
/// \file A folder in which linea's programs run, as from a shell.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace linea::test {

inline std::string contents(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Outcome {
  int code{-1};
  std::string out{};
  std::string err{};
};

/// The fixture of tests of programs: an empty folder, with a blank in its name, in which programs
/// run. It is removed at the end of the test.
class Folder : public TemporaryFolder {
 public:
  Folder() : TemporaryFolder("linea programs ") {}

  std::filesystem::path at(const std::string& name) const { return *this / name; }
  std::string contents(const std::filesystem::path& name) const {
    return test::contents(path() / name);
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(*this / name, std::ios::binary) << text;
  }

  /// Returns the names of all files except those that `run` creates.
  std::set<std::string> names() const {
    auto names = TemporaryFolder::names();
    names.erase(".out");
    names.erase(".err");
    return names;
  }

  /// Starts a program without a shell and does not wait for its end. Returns the process.
  ::pid_t start(const std::string& program, std::vector<std::string> arguments) const {
    std::vector<char*> given{const_cast<char*>(program.c_str())};
    for (auto& argument : arguments) given.push_back(argument.data());
    given.push_back(nullptr);
    const ::pid_t child = ::fork();
    if (child != 0) return child;
    ::alarm(60);
    if (::chdir(path().c_str()) == 0 && std::freopen(".out", "w", stdout) &&
        std::freopen(".err", "w", stderr))
      ::execv(program.c_str(), given.data());
    ::_exit(99);
  }

  Outcome run(const std::string& program, const std::string& arguments) const {
    const std::string command =
        "cd '" + path().string() + "' && '" + program + "' " + arguments + " >.out 2>.err";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(".out"), contents(".err")};
  }

  Outcome run_shell(const std::string& command) const {
    return run("/bin/sh", "-c '" + command + "'");
  }

  /// Runs a program that must succeed.
  Outcome succeeds(const std::string& program, const std::string& arguments) const {
    auto outcome = run(program, arguments);
    INFO(arguments << '\n' << outcome.err);
    REQUIRE(outcome.code == 0);
    return outcome;
  }

  /// Runs a program with --json, which must succeed and print one line. Returns the report.
  nlohmann::json reported(const std::string& program, const std::string& arguments) const {
    const auto outcome = succeeds(program, "--json " + arguments);
    REQUIRE(outcome.out.find('\n') + 1 == outcome.out.size());
    return nlohmann::json::parse(outcome.out);
  }

  nlohmann::json trained(const std::string& arguments) const {
    return reported(LINEA_TRAIN, arguments);
  }

  nlohmann::json predicted(const std::string& arguments) const {
    return reported(LINEA_PREDICT, arguments);
  }

  Outcome converted(const std::string& arguments) const {
    return succeeds(LINEA_CONVERT, arguments);
  }

  /// Checks that the program fails with code 2 and this message in one line, prints nothing else,
  /// and leaves no new file. Returns the line.
  std::string refuses(const std::string& program, const std::string& arguments,
                      const std::string& message) const {
    const auto before = names();
    const auto outcome = run(program, arguments);
    INFO(arguments << '\n' << outcome.out << outcome.err);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, ContainsSubstring(message));
    CHECK(outcome.err.substr(0, 6) == "linea_");
    CHECK(outcome.err.find('\n') + 1 == outcome.err.size());
    CHECK(outcome.out.empty());
    CHECK(names() == before);
    return outcome.err;
  }
};

// These variables are not inline: clang 14 may initialise inline variables after variables of a
// test that depend on them.
const std::string data = "'" LINEA_SOURCE_DIR "/examples/data/";
const std::string cancer = data + "wdbc.svm' ";
const std::string cancer_file = LINEA_SOURCE_DIR "/examples/data/wdbc.svm";
const std::string diabetes = data + "diabetes.svm' ";
const std::string iris = data + "iris.svm' ";

/// Returns the cells, separated by commas.
template <class... Cells>
std::string csv(const Cells&... cells) {
  std::ostringstream text;
  const char* between = "";
  ((text << between << cells, between = ","), ...);
  return text.str();
}

/// Returns a table of the lines `row(i)` for from ≤ i < to, after a header unless it is empty.
template <class Row>
std::string table(const std::string& header, int from, int to, const Row& row) {
  std::string text = header.empty() ? "" : header + '\n';
  for (int i = from; i < to; ++i) text += row(i) + '\n';
  return text;
}

/// Checks that a program refuses arguments. `behind` is appended to the arguments of every check.
struct Refusals {
  const Folder& folder;
  std::string program;
  std::string behind;
  void operator()(const std::string& arguments, const std::string& message) const {
    folder.refuses(program, arguments + behind, message);
  }
};

}  // namespace linea::test
