// SPDX-License-Identifier: MIT
#pragma once
/// \file Does the address, thread or memory sanitizer instrument this build? A sanitizer makes the
/// tests far slower.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LINEA_TEST_OF_A_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define LINEA_TEST_OF_A_SANITIZER
#endif
#endif

namespace linea::test {

#ifdef LINEA_TEST_OF_A_SANITIZER
inline constexpr bool is_watched = true;
#else
inline constexpr bool is_watched = false;
#endif

/// Returns the number of epochs or samples for a long run: `number`, or a tenth of it with a
/// sanitizer.
constexpr int long_run(int number) { return is_watched ? number / 10 : number; }

}  // namespace linea::test
