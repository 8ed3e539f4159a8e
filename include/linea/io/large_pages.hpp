// SPDX-License-Identifier: MIT
#pragma once
/// \file Large arrays in large pages of memory.
#include <cstddef>
#include <cstdint>
#include <linea/core/compiler.hpp>
#if defined(__linux__) && __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

namespace linea::io {

/// Asks the system to use pages of 2 MB for memory that has not been written to yet, as NumPy does.
/// The first write to each small page would cost more than to read its content from a file. A hint
/// with no other effect.
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

}  // namespace linea::io
