// SPDX-License-Identifier: MIT
#pragma once
/// \file Sparse rows of foreign arrays: out of order, with a stored zero, or with duplicates.
#include <linea/core/types.hpp>

namespace linea::test {

/// (2 × 4): row 0 is 2, 0, 3, 5 with entries out of order and one stored zero; row 1 is a stored
/// zero.
inline Eigen::Map<const SparseMatrix<double>> untidy_rows() {
  static const double values[] = {5, 0, 2, 3, 0};
  static const int columns[] = {3, 1, 0, 2, 0};
  static const int starts[] = {0, 4, 5};
  return {2, 4, 5, starts, columns, values};
}

/// (1 × 2) with column 1 twice.
inline Eigen::Map<const SparseMatrix<double>> doubled_row() {
  static const double values[] = {1, 2};
  static const int columns[] = {1, 1};
  static const int starts[] = {0, 2};
  return {1, 2, 2, starts, columns, values};
}

}  // namespace linea::test
