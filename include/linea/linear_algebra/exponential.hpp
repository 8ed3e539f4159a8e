// SPDX-License-Identifier: MIT
#pragma once
/// \file exp of several numbers at once.
#include <cstdint>
#include <linea/linear_algebra/vector_level.hpp>

namespace linea::detail::linear_algebra {

/// The numbers whose exp `exponentiate` computes are between this and 0.
inline constexpr double least_exponent = -708;

/// Computes p ← exp(p) for `Width` numbers from least_exponent to 0, with a relative error of at
/// most 5e-16.
template <int Width>
[[gnu::always_inline]] inline void exponentiate(double* p) {
#if defined(__clang__)  // of g++, core/compiler.hpp refuses the flags that reassociate sums
#pragma clang fp reassociate(off)
#endif
  using Pack = typename PackOf<Width>::type;
  typedef std::int64_t Bits __attribute__((vector_size(Width * sizeof(double))));
  constexpr double round = 6755399441055744.0;  // 1.5·2⁵²: adding it rounds to an integer
  const Pack v = pack_at<Width>(p).lanes;
  const Pack shifted = v * 1.4426950408889634 + round;  // v = whole·ln 2 + r, |r| ≤ ½·ln 2
  const Pack whole = shifted - round;
  const Pack r = (v - whole * 6.93147180369123816490e-01) - whole * 1.90821492927058770002e-10;
  const Pack r2 = r * r;
  const Pack r4 = r2 * r2;
  const Pack low = (1 + r) + r2 * (0.5 + r * (1.0 / 6));
  const Pack middle = (1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720 + r * (1.0 / 5040));
  const Pack high = (1.0 / 40320 + r * (1.0 / 362880)) +
                    r2 * (1.0 / 3628800 + r * (1.0 / 39916800)) + r4 * (1.0 / 479001600);
  const Bits power = (reinterpret_cast<Bits>(shifted) + 1023) << 52;  // 2^whole
  pack_at<Width>(p).lanes = (low + r4 * (middle + r4 * high)) * reinterpret_cast<Pack>(power);
}

}  // namespace linea::detail::linear_algebra
