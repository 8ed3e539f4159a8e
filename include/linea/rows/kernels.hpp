// SPDX-License-Identifier: MIT
#pragma once
/// \file The inner loops over contiguous entries: dot, add, both in one pass, and checks.
///
/// The vector registers have at most 32 bytes. Registers of 64 bytes would be slower: few rows are
/// aligned to 64 bytes, and in all others every load would cross a cache line. A pass over one row
/// may fetch another row into the cache, one line for each line that it reads: more requests would
/// delay the loads of the pass.
#include <algorithm>  // min
#include <bit>        // bit_cast
#include <cstddef>    // size_t
#include <cstdint>
#include <cstring>  // memcpy
#include <limits>
#include <linea/core/types.hpp>
#include <linea/core/validate.hpp>
#include <type_traits>  // conditional_t, is_same
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace linea::detail::rows {

#if defined(__AVX__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif
inline constexpr Index line_bytes = 64;

/// Loads a `Packed` of entries from any address and converts them from T to U.
template <class Packed, class U, class T>
Packed load(const T* entries) {
  typedef T Part __attribute__((vector_size(sizeof(Packed) / sizeof(U) * sizeof(T))));
#if defined(__SSE2__)
  if constexpr (std::is_same_v<T, float> && std::is_same_v<U, double> && sizeof(Part) == 8) {
    // GCC 12 converts a vector of eight bytes entry by entry.
    return _mm_cvtps_pd(
        _mm_castsi128_ps(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(entries))));
  } else
#endif
  {
    Part part;
    std::memcpy(&part, entries, sizeof part);
    if constexpr (std::is_same_v<T, U>)
      return part;
    else
      return __builtin_convertvector(part, Packed);
  }
}

/// A vector register with entries of type U.
template <class U>
struct Pack {
  static constexpr Index lanes = vector_bytes / static_cast<int>(sizeof(U));
  typedef U Type __attribute__((vector_size(vector_bytes)));

  template <class T>
  static Type load(const T* entries) {
    return rows::load<Type, U>(entries);
  }
  static void store(U* entries, const Type& pack) { std::memcpy(entries, &pack, sizeof pack); }
};

/// Returns the sum of the entries. Adds the upper half to the lower half until one entry is left.
template <class U, class Packed>
U sum_of(const Packed& pack) {
  constexpr Index lanes = Pack<U>::lanes;
  U sums[std::size_t{lanes}];
  std::memcpy(sums, &pack, sizeof pack);
  for (Index width = lanes / 2; width > 0; width /= 2)
    for (Index k = 0; k < width; ++k) sums[k] += sums[k + width];
  return sums[0];
}

/// If `adds`, sets v ← v + a·added. Then, if `scores`, returns ⟨v, scored⟩, summed in U, and
/// fetches the d entries of `ahead` into the second-level cache. All vectors have d entries. If
/// `relative`, subtracts `origin` from `added` and `scored` as it reads them.
template <bool adds, bool scores, bool relative, class U, class T, class V>
[[gnu::always_inline]] inline U sweep(const T* added, U a, V* v, const T* scored, Index d,
                                      const T* ahead, const U* origin) {
  using P = Pack<U>;
  using Packed = typename P::Type;
  constexpr Index unrolled = 4 * P::lanes;
  constexpr Index ahead_step = line_bytes / static_cast<Index>(sizeof(T));
  Packed first{}, second{}, third{}, fourth{};  // no array: the compiler would keep it in memory
  const auto read = [&](const T* row, Index j) {
    if constexpr (relative)
      return P::load(row + j) - P::load(origin + j);
    else
      return P::load(row + j);
  };
  const auto read_one = [&](const T* row, Index j) {
    return static_cast<U>(row[j]) - (relative ? origin[j] : U(0));
  };
  const auto step = [&](Index j, Packed& sum) {
    Packed pack = P::load(v + j);
    if constexpr (adds) {
      pack += a * read(added, j);
      P::store(v + j, pack);
    }
    if constexpr (scores) sum += pack * read(scored, j);
  };

  Index j = 0;
  for (; j + unrolled <= d; j += unrolled) {
    if constexpr (scores)
      for (Index k = 0; k < unrolled; k += ahead_step) __builtin_prefetch(ahead + j + k, 0, 2);
    step(j, first);
    step(j + P::lanes, second);
    step(j + 2 * P::lanes, third);
    step(j + 3 * P::lanes, fourth);
  }
  if constexpr (scores)
    for (Index k = 0; k < unrolled; k += ahead_step)
      __builtin_prefetch(ahead + std::min(j + k, d), 0, 2);
  if (j + P::lanes <= d) {
    step(j, first);
    j += P::lanes;
    if (j + P::lanes <= d) {
      step(j, second);
      j += P::lanes;
      if (j + P::lanes <= d) {
        step(j, third);
        j += P::lanes;
      }
    }
  }
  U rest{0};
  for (Index left = d & (P::lanes - 1); left > 0; --left, ++j) {
    if constexpr (adds) v[j] += a * read_one(added, j);
    if constexpr (scores) rest += static_cast<U>(v[j]) * read_one(scored, j);
  }
  if constexpr (scores) rest += sum_of<U>((first + second) + (third + fourth));
  return rest;
}

/// Calls `sweep` with an origin. Not inlined, because few samples have an origin.
template <bool adds, bool scores, class U, class T, class V>
[[gnu::noinline]] U moved_sweep(const U* origin, const T* added, U a, V* v, const T* scored,
                                Index d, const T* ahead) {
  return sweep<adds, scores, true, U>(added, a, v, scored, d, ahead, origin);
}

/// Calls `sweep`, which subtracts the origin if there is one.
template <bool adds, bool scores, class U, class T, class V>
[[gnu::always_inline]] inline U sweep_from(const U* origin, const T* added, U a, V* v,
                                           const T* scored, Index d, const T* ahead) {
  if (origin) [[unlikely]]
    return moved_sweep<adds, scores>(origin, added, a, v, scored, d, ahead);
  return sweep<adds, scores, false, U>(added, a, v, scored, d, ahead, origin);
}

/// Returns ⟨x, w⟩ for d entries, summed in U. Fetches the d entries of `ahead` into the cache.
template <class U, class T, class V>
[[gnu::always_inline]] inline U dot(const T* x, const V* w, Index d, const T* ahead,
                                    const U* origin = nullptr) {
  return sweep_from<false, true, U>(origin, static_cast<const T*>(nullptr), U(0), w, x, d, ahead);
}

/// Sets v ← v + a·x for d entries.
template <class U, class T>
[[gnu::always_inline]] inline void add(const T* x, U a, U* v, Index d, const U* origin = nullptr) {
  constexpr const T* none = nullptr;
  sweep_from<true, false, U>(origin, x, a, v, none, d, none);
}

/// Sets v ← v + a·added, then returns ⟨v, scored⟩. The results have the same bits as those of `add`
/// and `dot`, but v is read only once.
template <class U, class T>
[[gnu::always_inline]] inline U add_then_dot(const T* added, U a, U* v, const T* scored, Index d,
                                             const T* ahead, const U* origin = nullptr) {
  return sweep_from<true, true, U>(origin, added, a, v, scored, d, ahead);
}

/// Returns whether the magnitudes of all `count` entries are at most largest_number, or finite for
/// floats. The loop has no branches, so that compilers vectorize it.
template <Scalar T>
bool all_in_range(const T* entries, Index count) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  // Magnitudes are in the order of their bits, with ∞ and NaN above all numbers. For all larger
  // than `most`, the sum carries into the sign bit.
  constexpr T most = sizeof(T) == 4 ? std::numeric_limits<T>::max() : to<T>(largest_number);
  constexpr Bits sign = Bits{1} << (8 * sizeof(T) - 1);
  constexpr Bits rest = sign - 1 - std::bit_cast<Bits>(most);
  Bits carried{0};
  for (Index k = 0; k < count; ++k) carried |= (std::bit_cast<Bits>(entries[k]) & ~sign) + rest;
  return (carried & sign) == 0;
}

/// Returns how many of `count` numbers are followed by a number that is not greater. J must be able
/// to hold `count`. Compares a register of numbers at a time, which GCC 12 does not at -O2.
template <class J>
Index descents(const J* numbers, Index count) {
  using Numbers = Pack<J>;
  typename Numbers::Type found{};  // a true comparison is −1
  Index k = 0;
  for (; k + Numbers::lanes < count; k += Numbers::lanes)
    found += Numbers::load(numbers + k) >= Numbers::load(numbers + k + 1);
  Index descents = 0;
  for (Index lane = 0; lane < Numbers::lanes; ++lane) descents -= static_cast<Index>(found[lane]);
  for (; k + 1 < count; ++k) descents += numbers[k] >= numbers[k + 1];
  return descents;
}

}  // namespace linea::detail::rows
