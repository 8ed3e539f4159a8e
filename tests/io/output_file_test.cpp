// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <future>
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
#include "support/child_process.hpp"
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
unsigned mode_of(const fs::path& path) {
  return static_cast<unsigned>(fs::status(path).permissions()) & 07777U;
}
/// Returns the error of writing to the path, or "" if there is none.
std::string refusal(const fs::path& path) {
  return refusal_of([&] { write_text(path, "new"); });
}
/// Makes this process run as nobody, so that the file permissions for others apply. Returns false
/// if the process may not change its user.
bool become_nobody() { return ::setgid(65534) == 0 && ::setuid(65534) == 0; }

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

TEST_CASE("write_file: a replaced file keeps its mode") {
  const TemporaryFolder folder;
  const auto before = ::umask(022);
  write_text(folder / "new", "x");
  CHECK(mode_of(folder / "new") == 0644);
  ::umask(077);
  write_text(folder / "secret", "x");
  CHECK(mode_of(folder / "secret") == 0600);
  ::umask(before);
  for (const unsigned mode : {0600U, 0640U, 0666U, 0755U, 0200U}) {
    spill(folder / "old", "x");
    fs::permissions(folder / "old", static_cast<fs::perms>(mode));
    write_text(folder / "old", "y");
    CHECK(mode_of(folder / "old") == mode);
  }
  CHECK(folder.names() == Names{"new", "old", "secret"});
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

TEST_CASE("write_file: writes to a pipe, which stays a pipe") {
  const TemporaryFolder folder;
  const fs::path pipe = folder / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  fs::create_symlink("pipe", folder / "link");
  for (const auto& [name, text] : {std::pair("pipe", std::string("short")),
                                   {"pipe", std::string(300000, 'l')},
                                   {"link", "by a link"}}) {
    auto read = std::async(std::launch::async, [&] { return slurp(pipe); });
    write_text(folder / name, text);
    CHECK(read.get() == text);
    CHECK(fs::is_fifo(pipe));
  }
  CHECK(folder.names() == Names{"link", "pipe"});
}

TEST_CASE("write_file: writes to devices, which stay devices") {
  const TemporaryFolder folder;
  // Create copies of /dev/null and /dev/full that belong to the test.
  if (::mknod((folder / "null").c_str(), S_IFCHR | 0600, makedev(1, 3)) != 0 ||
      ::mknod((folder / "full").c_str(), S_IFCHR | 0600, makedev(1, 7)) != 0)
    return;
  const int usable = ::open((folder / "null").c_str(), O_WRONLY);
  if (usable < 0) return;  // the file system does not support devices
  ::close(usable);
  write_text(folder / "null", "nothing");
  CHECK(fs::is_character_file(folder / "null"));
  CHECK(refusal(folder / "full") ==
        "f: could not write all of '" + (folder / "full").string() + "': No space left on device");
  CHECK(fs::is_character_file(folder / "full"));
  CHECK(folder.names() == Names{"full", "null"});
}

TEST_CASE("write_file: a file too large for the disk keeps the old one") {
  const TemporaryFolder folder;
  spill(folder / "a", "before");
  CHECK(in_child([&] {
          std::signal(SIGXFSZ, SIG_IGN);
          const ::rlimit limit{100000, 100000};
          if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
          return refusal_of([&] {
                   write_text(folder / "a", std::string(1000000, 'x'));
                 }) == "f: could not write all of '" + (folder / "a").string() + "': File too large"
                     ? 0
                     : 2;
        }) == 0);
  CHECK(slurp(folder / "a") == "before");
  CHECK(folder.names() == Names{"a"});
}

TEST_CASE("write_file: replacing a file needs the right to write to it") {
  const TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms::all);
  spill(folder / "fixed", "before");
  spill(folder / "shared", "before");
  fs::permissions(folder / "fixed", static_cast<fs::perms>(0444));
  fs::permissions(folder / "shared", static_cast<fs::perms>(0666));
  const bool is_root = ::geteuid() == 0;
  CHECK(in_child([&] {
          if (is_root && !become_nobody()) return 1;
          if (refusal(folder / "fixed") !=
              "f: cannot write '" + (folder / "fixed").string() + "': Permission denied")
            return 2;
          return refusal(folder / "shared").empty() ? 0 : 3;
        }) == 0);
  CHECK(slurp(folder / "fixed") == "before");
  CHECK(slurp(folder / "shared") == "new");
  // nobody is not in root's group, so the new file has no permissions for the group.
  CHECK(mode_of(folder / "shared") == (is_root ? 0606 : 0666));
  CHECK(folder.names() == Names{"fixed", "shared"});
  if (!is_root) return;
  REQUIRE(::chown((folder / "shared").c_str(), 1234, 2345) == 0);
  write_text(folder / "shared", "root's");
  struct ::stat facts {};
  REQUIRE(::stat((folder / "shared").c_str(), &facts) == 0);
  CHECK(facts.st_uid == 1234);
  CHECK(facts.st_gid == 2345);
  CHECK(mode_of(folder / "shared") == 0606);
}

TEST_CASE("write_file: a file that may be written but not replaced is overwritten") {
  if (::geteuid() != 0) return;  // takes a file of another user
  const TemporaryFolder folder;
  const fs::path path = folder / "a";
  for (const std::string& before : {std::string("old"), std::string(300000, 'o')})
    for (const bool has_room : {true, false}) {
      spill(path, before);
      REQUIRE(::chown(path.c_str(), 1234, 1234) == 0);
      fs::permissions(path, static_cast<fs::perms>(0666));
      fs::permissions(folder.path(), fs::perms::all | fs::perms::sticky_bit);
      const std::string text = "new" + std::string(200000, 'n');
      CHECK(in_child([&] {
              if (!become_nobody()) return 1;
              std::signal(SIGXFSZ, SIG_IGN);
              const std::string refused = refusal_of([&] {
                write_file("f", path, [&](std::ostream& out) {
                  out << text << std::flush;
                  const ::rlimit limit{100000, 100000};
                  if (!has_room) ::setrlimit(RLIMIT_FSIZE, &limit);
                });
              });
              const std::string expected = "f: could not write all of '" + path.string() +
                                           "': File too large; '" + path.string() +
                                           ".draft0' has all";
              return refused == (has_room ? "" : expected) ? 0 : 2;
            }) == 0);
      // If there is no room, the draft remains, because the file is damaged.
      CHECK(slurp(has_room ? path : folder / "a.draft0") == text);
      CHECK(folder.names() == (has_room ? Names{"a"} : Names{"a", "a.draft0"}));
      fs::remove(folder / "a.draft0");
    }
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

TEST_CASE("write_file: standard output is appended to") {
  const TemporaryFolder folder;
  CHECK(in_child([&] {
          const int file = ::open((folder / "out").c_str(), O_WRONLY | O_CREAT, 0600);
          if (file < 0 || ::dup2(file, 1) != 1) return 1;
          std::fputs("before ", stdout);
          write_text("/dev/stdout", "new ");
          write_text(folder / "out", "again ");
          std::fputs("after", stdout);
          std::fflush(stdout);
          return 0;
        }) == 0);
  CHECK(slurp(folder / "out") == "before new again after");
}

TEST_CASE("write_file: other output never ends up in the file") {
  const TemporaryFolder folder;
  CHECK(in_child([&] {
          ::close(1);
          OutputFile file("f", folder / "a");
          file.stream() << "mine";
          std::fputs("of others", stdout);
          std::fflush(stdout);
          file.keep();
          return 0;
        }) == 0);
  CHECK(slurp(folder / "a") == "mine");
}

TEST_CASE("remove_drafts: in a signal handler keeps the old file, and leaves no other") {
  const TemporaryFolder folder;
  spill(folder / "a", "before");
  const auto handle = [](int signal) {
    linea::remove_drafts();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    CHECK(in_child([&] {
            std::signal(signal, handle);
            OutputFile a("f", folder / "a");
            OutputFile b("f", folder / "b");
            OutputFile kept("f", folder / "c");
            kept.keep();
            a.stream() << "half" << std::flush;
            if (folder.names() != Names{"a", "a.draft0", "b.draft0", "c"}) return 1;
            std::raise(signal);
            return 2;
          }) == -signal);
  CHECK(slurp(folder / "a") == "before");
  CHECK(folder.names() == Names{"a", "c"});
  // If the process goes on after remove_drafts, its drafts must not replace files.
  CHECK(in_child([&] {
          OutputFile a("f", folder / "a");
          linea::remove_drafts();
          return refusal_of([&] { a.keep(); }).empty() ? 1 : 0;
        }) == 0);
  CHECK(slurp(folder / "a") == "before");
}

TEST_CASE("remove_drafts: at any moment") {
  // A child writes the same file repeatedly until it is killed, possibly while it creates or
  // renames a file.
  const TemporaryFolder folder;
  spill(folder / "a", std::string(5000, '.'));
  for (int turn = 0; turn < 40; ++turn) {
    const auto before = std::signal(SIGTERM, [](int) {
      linea::remove_drafts();
      ::_exit(0);
    });
    const ::pid_t child = ::fork();
    if (child == 0) {
      ::alarm(30);
      for (char c = 'a';; c = c == 'z' ? 'a' : static_cast<char>(c + 1))
        write_text(folder / "a", std::string(5000, c));
    }
    std::signal(SIGTERM, before);
    REQUIRE(child > 0);
    ::usleep(static_cast<::useconds_t>(1000 + 137 * turn));
    ::kill(child, SIGTERM);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    const std::string text = slurp(folder / "a");
    CHECK(text == std::string(5000, text.empty() ? '?' : text[0]));
    CHECK(folder.names() == Names{"a"});
  }
}

}  // namespace output_file_test
