// SPDX-License-Identifier: MIT
#pragma once
/// \file Maps of sparse arrays from outside Eigen: with entries out of order, a stored zero, or
/// duplicates.
#include <linea/core/types.hpp>

namespace linea::test {

/// Returns x (2 × 4). Row 0 is 2, 0, 3, 5, with entries out of order and a stored zero. Row 1 has
/// only a stored zero.
inline Eigen::Map<const SparseMatrix<double>> untidy_rows() {
  static const double values[] = {5, 0, 2, 3, 0};
  static const int columns[] = {3, 1, 0, 2, 0};
  static const int starts[] = {0, 4, 5};
  return {2, 4, 5, starts, columns, values};
}

/// Returns x (1 × 2), in which column 1 occurs twice.
inline Eigen::Map<const SparseMatrix<double>> doubled_row() {
  static const double values[] = {1, 2};
  static const int columns[] = {1, 1};
  static const int starts[] = {0, 2};
  return {1, 2, 2, starts, columns, values};
}

}  // namespace linea::test
