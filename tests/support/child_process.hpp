// SPDX-License-Identifier: MIT
#pragma once
/// \file Functions that run a part of a test in a child process, and limit its time and memory.
#if __has_include(<sys/wait.h>)
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <cstddef>
#include <cstdio>
#include <fstream>
#include <string>

#include "support/refusal.hpp"
#include "support/sanitizer.hpp"

namespace linea::test {

#if __has_include(<sys/wait.h>)

/// Runs f in a child process. Returns the result of f, which must be from 0 to 255; 99 if f throws;
/// minus the number of the signal that ended the child, −14 (SIGALRM) after `seconds`; or −1000 if
/// fork or waitpid fails. f cannot use Catch's assertions.
template <class F>
int in_child(F&& f, unsigned seconds = 30) {
  std::fflush(nullptr);
  const ::pid_t child = ::fork();
  if (child == 0) {
    ::alarm(seconds);
    int code = 99;
    try {
      code = f();
    } catch (...) {
    }
    ::_exit(code);
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child) return -1000;
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/// Can this build limit the address space? Only on Linux, and not with a sanitizer: sanitizers need
/// much address space, and end the process if it is exhausted.
#if defined(__linux__)
inline constexpr bool build_allows_limits = !is_watched;
#else
inline constexpr bool build_allows_limits = false;
#endif

/// Limits this process to `more` bytes of address space beyond its current use. Returns false if
/// the current use is unknown or the limit cannot be set.
inline bool limit_memory(std::size_t more) {
  std::size_t pages = 0;
  if (!(std::ifstream("/proc/self/statm") >> pages)) return false;
  ::rlimit limit{};
  ::getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + more;
  return ::setrlimit(RLIMIT_AS, &limit) == 0;
}

/// Can the memory of a process be limited? Tries it, because qemu accepts the limit and ignores it.
inline bool can_limit_memory() {
  return build_allows_limits &&
         in_child([] {
           if (!limit_memory(std::size_t{64} << 20)) return 1;
           const void* const found =
               ::mmap(nullptr, std::size_t{1} << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
           return found == MAP_FAILED ? 0 : 2;
         }) == 0;
}

#else  // a system without child processes

template <class F>
int in_child(F&&, unsigned = 30) {
  return -1000;
}
inline bool limit_memory(std::size_t) { return false; }
inline bool can_limit_memory() { return false; }

#endif

/// Does f, in a child process with at most `bytes` bytes of additional memory, throw
/// std::invalid_argument? If `message` is not empty, the exception must have this message. Returns
/// false if the memory cannot be limited.
template <class F>
bool is_refused_within(std::size_t bytes, const std::string& message, F&& f) {
  return in_child([&] {
           if (!limit_memory(bytes)) return 1;
           const std::string said = refusal_of(f);
           return !said.empty() && (message.empty() || said == message) ? 0 : 2;
         }) == 0;
}

}  // namespace linea::test
