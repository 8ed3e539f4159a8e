// must fail with: delete
// SPDX-License-Identifier: MIT
#include <linea/io/mapped_file.hpp>

linea::Index rows(const char* path) {
#ifdef LINEA_MUST_FAIL
  const auto x = linea::map_binary<linea::Matrix<double>>(path).x();
#else
  const auto data = linea::map_binary<linea::Matrix<double>>(path);
  const auto x = data.x();
#endif
  return x.rows();
}
