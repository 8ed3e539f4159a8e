// SPDX-License-Identifier: MIT
#include "faults/allocations.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

extern "C" {
void* __real_malloc(std::size_t size);
void* __real_calloc(std::size_t count, std::size_t size);
void* __real_realloc(void* old, std::size_t size);
void __real_free(void* memory);
}

namespace {

std::atomic<std::int64_t> count{0};
std::atomic<std::int64_t> live{0};
std::atomic<std::int64_t> failing{0};  // the index of the failing allocation; 0: none
std::atomic<bool> all_after{false};

/// Counts an allocation, and returns whether it may succeed.
bool is_granted() {
  const std::int64_t number = ++count;
  const std::int64_t first = failing;
  return first == 0 || (all_after ? number < first : number != first);
}

void* counted(void* memory) {
  live += memory != nullptr;
  return memory;
}

void* allocate(std::size_t size) {
  void* const memory = is_granted() ? counted(__real_malloc(size ? size : 1)) : nullptr;
  if (!memory) throw std::bad_alloc();
  return memory;
}

void* allocate(std::size_t size, std::align_val_t alignment) {
  const auto bytes = static_cast<std::size_t>(alignment);
  void* const memory = is_granted()
                           ? counted(std::aligned_alloc(bytes, (size + bytes - 1) / bytes * bytes))
                           : nullptr;
  if (!memory) throw std::bad_alloc();
  return memory;
}

void release(void* memory) {
  live -= memory != nullptr;
  __real_free(memory);
}

}  // namespace

extern "C" {
void* __wrap_malloc(std::size_t size) {
  return is_granted() ? counted(__real_malloc(size)) : nullptr;
}
void* __wrap_calloc(std::size_t number, std::size_t size) {
  return is_granted() ? counted(__real_calloc(number, size)) : nullptr;
}
void* __wrap_realloc(void* old, std::size_t size) {
  if (!is_granted()) return nullptr;
  void* const memory = __real_realloc(old, size);
  live += memory && !old;
  return memory;
}
void __wrap_free(void* memory) { release(memory); }
}

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return is_granted() ? counted(__real_malloc(size ? size : 1)) : nullptr;
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return is_granted() ? counted(__real_malloc(size ? size : 1)) : nullptr;
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, alignment);
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate(size, alignment);
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { release(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }

namespace linea::test {

std::int64_t allocations() { return count; }
std::int64_t live_allocations() { return live; }

void fail_allocation(std::int64_t k, bool and_all_after) {
  all_after = and_all_after;
  failing = k == 0 ? 0 : count + k;
}

void survives(const std::function<std::uint64_t()>& run, const std::function<bool()>& intact) {
  std::string first;    // the description of the first failure
  first.reserve(1000);  // so that recording it does not allocate
  std::int64_t refused = 0, wrong = 0;
  const auto note = [&](std::int64_t k, std::string_view what) {
    if (first.empty())
      first.append("allocation ").append(std::to_string(k)).append(": ").append(what);
    ++wrong;
  };
  const std::uint64_t expected = run();  // this run also makes the one-time allocations
  const std::int64_t before = allocations();
  if (run() != expected) note(0, "no two runs are alike");
  const std::int64_t count_of_run = allocations() - before;
  for (const bool and_all_after : {false, true})
    for (std::int64_t k = 1; k <= count_of_run; ++k) {
      const std::int64_t had = live_allocations();
      const char* what = nullptr;
      fail_allocation(k, and_all_after);
      try {
        if (run() != expected) what = "other bits";
      } catch (const std::bad_alloc&) {
        ++refused;
      } catch (const std::invalid_argument& error) {
        ++refused;
        if (!std::string_view(error.what()).ends_with("bytes of memory, more than there are"))
          note(k, error.what());
      } catch (...) {
        what = "another exception";
      }
      fail_allocation(0, false);
      if (what) note(k, what);
      if (live_allocations() != had) note(k, "a leak");
      if (!intact()) note(k, "something is half done");
    }
  if (run() != expected) note(0, "other bits afterwards");
  INFO(count_of_run << " allocations; " << first);
  CHECK(refused > 0);
  CHECK(wrong == 0);
  CHECK(intact());
}

}  // namespace linea::test
