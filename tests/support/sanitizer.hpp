// SPDX-License-Identifier: MIT
#pragma once
/// \file Whether a sanitizer watches this build, which makes it some twenty times as slow.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LINEA_TEST_OF_A_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define LINEA_TEST_OF_A_SANITIZER
#endif
#endif

namespace linea::test {

/// So many epochs or samples, which make a run last: a tenth where each takes so much longer.
constexpr int long_run(int number) {
#ifdef LINEA_TEST_OF_A_SANITIZER
  return number / 10;
#else
  return number;
#endif
}

}  // namespace linea::test
