// SPDX-License-Identifier: MIT
// Tests of io that need POSIX: pipes, devices, permissions, signals and child processes.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <future>
#include <linea/io/csv.hpp>
#include <linea/io/libsvm.hpp>
#include <linea/io/mapped_file.hpp>
#include <linea/io/output_file.hpp>
#include <linea/io/text_file.hpp>
#include <linea/io/write_binary.hpp>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#if __has_include(<sys/sysmacros.h>)
#include <sys/sysmacros.h>  // makedev
#endif

#include "support/binary_file.hpp"
#include "support/catch.hpp"
#include "support/child_process.hpp"
#include "support/refusal.hpp"
#include "support/temporary_folder.hpp"

namespace posix_test {

namespace fs = std::filesystem;
using namespace linea::test;
using linea::Matrix;
using linea::io::OutputFile;
using linea::io::read_text;
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

/// Writes `text` repeatedly into a pipe. Returns the error of `read` for the pipe, without the
/// pipe's path, or "" if there is none.
template <class Read>
std::string refusal_of_pipe(const std::string& text, const Read& read) {
  const TemporaryFolder folder;
  const auto pipe = folder / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  auto written = std::async(std::launch::async, [&] {
    std::ofstream out(pipe, std::ios::binary);
    while (out << text) continue;
  });
  std::string message = refusal_of([&] { read(pipe); });
  written.get();
  std::signal(SIGPIPE, before);
  const auto at = message.find(pipe.string());
  return at == message.npos ? message : message.erase(at, pipe.string().size());
}

}  // namespace

TEST_CASE("read_text: endless zeros and endless lines are refused early") {
  const auto libsvm = [](const auto& path) { (void)linea::read_libsvm<double>(path); };
  const auto csv = [](const auto& path) { (void)linea::read_csv<double>(path); };
  const std::string zero = ":1:1: a text cannot have a byte 0, got '\\x00'";
  CHECK(refusal_of_pipe(std::string(4096, '\0'), libsvm) == zero);
  CHECK(refusal_of_pipe(std::string(4096, '\0'), csv) == zero);
  const auto text = [](const auto& path) { read_text("f", path, 1 << 20); };
  CHECK(refusal_of_pipe(std::string(4096, 'x'), text) ==
        ":1:1: a line of a pipe is longer than 1048576 bytes, got '" + std::string(40, 'x') +
            "...'");
}

TEMPLATE_TEST_CASE("write_binary: writes the same bytes to a pipe as to a file", "[io]",
                   Matrix<double>, Double) {
  const TemporaryFolder folder;
  const auto pipe = folder / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const auto x = samples_of<TestType>(40, 900);
  auto read =
      std::async(std::launch::async, [&] { return linea::map_binary<TestType>(pipe, {true}); });
  linea::write_binary(pipe, x, targets<double>(40));
  const auto mapped = read.get();
  CHECK(std::filesystem::is_fifo(pipe));
  CHECK(mapped.y() == targets<double>(40));
  CHECK(Matrix<double>(mapped.x()) == Matrix<double>(x));
  CHECK(folder.names() == Names{"pipe"});
}

TEST_CASE("read_file: an error of reading gives the system's reason") {
  // /proc/self/mem opens, but its first byte cannot be read: nothing is mapped at address 0.
  const fs::path unreadable = "/proc/self/mem";
  if (!fs::exists(unreadable)) return;
  CHECK_THROWS_WITH(linea::io::read_file("f", unreadable),
                    "f: cannot read '/proc/self/mem': Input/output error");
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

TEST_CASE("write_file: standard output may be a socket") {
  int ends[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  CHECK(in_child([&] {
          if (::dup2(ends[1], 1) != 1) return 1;
          write_text("/dev/stdout", "new");
          return 0;
        }) == 0);
  ::close(ends[1]);
  char text[4] = {};
  CHECK(::read(ends[0], text, 3) == 3);
  CHECK(std::string(text) == "new");
  ::close(ends[0]);
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

}  // namespace posix_test
