// must fail with: delete
// SPDX-License-Identifier: MIT
#include <linea/io/mapped_file.hpp>

using Samples = linea::SparseMatrix<float>;

linea::Index rows(const char* path) {
#ifdef LINEA_MUST_FAIL
  const auto y = linea::map_binary<Samples>(path).y();
#else
  const auto data = linea::map_binary<Samples>(path);
  const auto y = data.y();
#endif
  return y.size();
}
