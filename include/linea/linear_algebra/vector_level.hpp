// SPDX-License-Identifier: MIT
#pragma once
/// \file Selection of the processor's widest vector instructions at run time.
#include <linea/core/platform.hpp>
#include <linea/rows/kernels.hpp>

namespace linea::detail::linear_algebra {

/// Vector instructions selected at run time. `baseline` stands for those of the compiler's target.
/// The other levels exist only on x86-64, only if the target itself does not have AVX-512, and only
/// if the stack can hold such vectors. Each level orders and rounds sums differently, so results
/// may differ between machines. On one machine the optimizers always use best_vector_level().
enum class VectorLevel { baseline, avx2, avx512 };

/// A vector of `Width` doubles at any address that is aligned for a double. As a type of parameters
/// or results, PackOf<Width>::type would lose this alignment: use references to PackOf<Width>.
template <int Width>
struct [[gnu::may_alias]] PackOf {
  typedef double type __attribute__((vector_size(Width * sizeof(double)), aligned(8), may_alias));
  type lanes;
};

template <int Width>
[[gnu::always_inline]] inline PackOf<Width>& pack_at(double* p) {
  return *reinterpret_cast<PackOf<Width>*>(p);
}
template <int Width>
[[gnu::always_inline]] inline const PackOf<Width>& pack_at(const double* p) {
  return *reinterpret_cast<const PackOf<Width>*>(p);
}

/// Returns the sum of the lanes.
template <int Width>
[[gnu::always_inline]] inline double sum_of(const PackOf<Width>& pack) {
  const auto& lanes = pack.lanes;
  if constexpr (Width == 8)
    return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) +
           ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
  else if constexpr (Width == 4)
    return (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
  else
    return lanes[0] + lanes[1];
}

/// The number of doubles in the widest vectors of the baseline.
#if defined(__AVX512F__)
inline constexpr int baseline_width = 8;
#else
inline constexpr int baseline_width = rows::vector_bytes / static_cast<int>(sizeof(double));
#endif

/// run_baseline, run_avx2 and run_avx512 call task.run<W>(), compiled for vectors of W doubles.
/// `run`, and every function it calls, must be always_inline: other functions would be compiled for
/// the baseline.
template <class Task>
void run_baseline(const Task& task) {
  task.template run<baseline_width>();
}

#if defined(__x86_64__) && !defined(__AVX512F__)
#define LINEA_VECTOR_LEVELS
template <class Task>
__attribute__((target("avx2,fma"))) void run_avx2(const Task& task) {
  task.template run<4>();
}

template <class Task>
__attribute__((target("avx512f"))) void run_avx512(const Task& task) {
  task.template run<8>();
}
#endif

inline bool is_offered(VectorLevel level) {
#ifdef LINEA_VECTOR_LEVELS
  if (level != VectorLevel::baseline && !stack_holds_wide_vectors) return false;
  if (level == VectorLevel::avx512) return __builtin_cpu_supports("avx512f");
  if (level == VectorLevel::avx2)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
  return level == VectorLevel::baseline;
}

inline VectorLevel best_vector_level() {
  if (is_offered(VectorLevel::avx512)) return VectorLevel::avx512;
  return is_offered(VectorLevel::avx2) ? VectorLevel::avx2 : VectorLevel::baseline;
}

/// Calls task.run<W>() compiled for the vectors of `level`, which the processor must support.
template <class Task>
void run_at([[maybe_unused]] VectorLevel level, const Task& task) {
#ifdef LINEA_VECTOR_LEVELS
  if constexpr (stack_holds_wide_vectors) {
    if (level == VectorLevel::avx512) return run_avx512(task);
    if (level == VectorLevel::avx2) return run_avx2(task);
  }
#endif
  run_baseline(task);
}
#undef LINEA_VECTOR_LEVELS

}  // namespace linea::detail::linear_algebra
