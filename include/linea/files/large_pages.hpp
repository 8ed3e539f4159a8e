// SPDX-License-Identifier: MIT
#pragma once
/// \file Large arrays in large pages of memory.
#include <cstddef>
#include <cstdint>
#if defined(__linux__) && __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

namespace linea::files {

/// Asks the system to back memory that nobody has touched yet by pages of 2 MB where it can, as NumPy
/// does: the first touch of each small page costs more than reading what a file has for it. Only a
/// hint, of no other effect.
inline void prefer_large_pages(void* begin, std::size_t bytes) {
#if defined(__linux__) && __has_include(<sys/mman.h>) && defined(MADV_HUGEPAGE)
  constexpr std::size_t page = 4096;
  if (bytes < std::size_t{1} << 22) return;
  const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(begin) % page) % page;
  ::madvise(static_cast<char*>(begin) + before, (bytes - before) / page * page, MADV_HUGEPAGE);
#else
  static_cast<void>(begin);
  static_cast<void>(bytes);
#endif
}

}  // namespace linea::files
