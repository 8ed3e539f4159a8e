// SPDX-License-Identifier: MIT
#pragma once
/// \file What differs between operating systems.
#include <pthread.h>
#if !defined(_WIN32)
#include <unistd.h>  // sysconf
#endif

namespace linea::detail {

/// Returns the number of cores that the system has in use.
inline long count_cores() {
#if defined(_WIN32)
  return pthread_num_processors_np();  // of MinGW-w64's winpthreads
#else
  return sysconf(_SC_NPROCESSORS_ONLN);
#endif
}

}  // namespace linea::detail
