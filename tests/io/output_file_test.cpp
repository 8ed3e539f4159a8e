// SPDX-License-Identifier: MIT
#include <filesystem>
#include <linea/io/output_file.hpp>
#include <new>
#include <ostream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <utility>

#include "support/binary_file.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"
#include "support/temporary_folder.hpp"

namespace output_file_test {

namespace fs = std::filesystem;
using namespace linea::test;
using linea::io::OutputFile;
using linea::io::write_file;
using Names = std::set<std::string>;

namespace {

void write_text(const fs::path& path, const std::string& text) {
  write_file("f", path, [&](std::ostream& out) { out << text; });
}
/// Returns the error of writing to the path, or "" if there is none.
std::string refusal(const fs::path& path) {
  return refusal_of([&] { write_text(path, "new"); });
}

}  // namespace

TEST_CASE("write_file: a file appears only when it is complete") {
  const TemporaryFolder folder;
  {
    OutputFile file("f", folder / "a");
    file.stream() << "one ";
    CHECK_FALSE(fs::exists(folder / "a"));
    file.stream().put('t').put('w').put('o') << std::string(300000, '.') << std::flush;
    CHECK_FALSE(fs::exists(folder / "a"));
    file.keep();
  }
  CHECK(slurp(folder / "a") == "one two" + std::string(300000, '.'));
  write_text(folder / "a", "three");
  CHECK(slurp(folder / "a") == "three");
  write_text(folder / "b", "");
  CHECK(fs::file_size(folder / "b") == 0);
  const fs::path here = fs::current_path();
  fs::current_path(folder.path());
  write_text("c", "relative");
  fs::current_path(here);
  CHECK(slurp(folder / "c") == "relative");
  write_text(folder / std::string(255, 'n'), "a name as long as it may be");
  CHECK(folder.names() == Names{"a", "b", "c", std::string(255, 'n')});
}

TEST_CASE("write_file: an exception keeps the old file, and leaves no other") {
  const TemporaryFolder folder;
  spill(folder / "a", "before");
  for (const char* name : {"a", "b"}) {
    const auto write = [&](const auto& what) {
      write_file("f", folder / name, [&](std::ostream& out) {
        out << std::string(100000, 'x') << std::flush;
        throw what;
      });
    };
    CHECK_THROWS_AS(write(std::bad_alloc()), std::bad_alloc);
    CHECK_THROWS_AS(write(1), int);
    const std::string message =
        "f: could not write all of '" + (folder / name).string() + "': unknown reason";
    CHECK_THROWS_WITH(
        write_file("f", folder / name, [](std::ostream& out) { out.setstate(std::ios::badbit); }),
        message);
    const OutputFile forgotten("f", folder / name);
  }
  CHECK(slurp(folder / "a") == "before");
  CHECK(folder.names() == Names{"a"});
}

TEST_CASE("write_file: errors give the system's reason") {
  const TemporaryFolder folder;
  const auto refused = [&](const fs::path& path, const std::string& reason) {
    CHECK(refusal(path) == "f: cannot write '" + path.string() + "': " + reason);
  };
  refused(folder.path(), "Is a directory");
  refused(folder / "none" / "a", "No such file or directory");
  refused(folder / "none/", "No such file or directory");
  refused("", "No such file or directory");
  spill(folder / "file", "before");
  refused(folder / "file" / "a", "Not a directory");
  fs::create_symlink("loop", folder / "loop");
  refused(folder / "loop", "Too many levels of symbolic links");
  // A folder that appears at the path during the write is not replaced.
  const auto late = [&](std::ostream& out) {
    out << "new";
    fs::create_directory(folder / "late");
  };
  CHECK_THROWS_WITH(write_file("f", folder / "late", late),
                    "f: cannot replace '" + (folder / "late").string() + "': Is a directory");
  CHECK(folder.names() == Names{"file", "late", "loop"});
}

TEST_CASE("write_file: a draft gets an unused name") {
  const TemporaryFolder folder;
  spill(folder / "a.part", "of somebody");
  spill(folder / "a.draft0", "of somebody");
  spill(folder / "victim", "of somebody");
  fs::create_symlink("victim", folder / "a.draft1");
  fs::create_symlink("nothing", folder / "a.draft2");
  {  // two concurrent writers each leave a complete file
    OutputFile first("f", folder / "a");
    OutputFile second("f", folder / "a");
    first.stream() << std::string(100000, '1') << std::flush;
    second.stream() << "2";
    first.keep();
    CHECK(slurp(folder / "a") == std::string(100000, '1'));
    second.keep();
    CHECK(slurp(folder / "a") == "2");
  }
  for (const char* name : {"a.part", "a.draft0", "victim", "a.draft1"})
    CHECK(slurp(folder / name) == "of somebody");
  CHECK(folder.names() == Names{"a", "a.part", "a.draft0", "a.draft1", "a.draft2", "victim"});
}

TEST_CASE("write_file: follows links") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "deep");
  spill(folder / "deep" / "file", "before");
  fs::create_symlink("deep/file", folder / "link");
  fs::create_symlink(folder / "link", folder / "deep" / "back");
  fs::create_symlink("../new", folder / "deep" / "dangling");
  write_text(folder / "deep" / "back", "after");
  CHECK(slurp(folder / "deep" / "file") == "after");
  write_text(folder / "deep" / "dangling", "made");
  CHECK(slurp(folder / "new") == "made");
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(fs::is_symlink(folder / "deep" / "back"));
  CHECK(fs::is_symlink(folder / "deep" / "dangling"));
  CHECK(folder.names() == Names{"deep", "link", "new"});

  // Another hard link to the file keeps the old contents.
  fs::create_hard_link(folder / "new", folder / "other");
  write_text(folder / "new", "again");
  CHECK(slurp(folder / "other") == "made");
}

TEST_CASE("write_all: refuses a stream that fails, with or without exceptions") {
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  CHECK_THROWS_WITH(linea::io::write_all("f", out, "text"), "f: the stream failed");
  struct : std::streambuf {
  } buffer;  // has no room
  std::ostream failing(&buffer);
  failing.exceptions(std::ios::badbit | std::ios::failbit);
  CHECK_THROWS_WITH(linea::io::write_all("f", failing, "text"), "f: the stream failed");
}

}  // namespace output_file_test
