// SPDX-License-Identifier: MIT
#pragma once
/// \file What linea::compiled has: runs of the usual losses over the usual matrices.
///
/// Headers alone are enough. But where the macro LINEA_COMPILED is defined, as CMake's target
/// linea::compiled does for those who link it, optimizers leave the runs of this list to that
/// library: a source that fits one of them compiles in a fraction of the time. Each optimizer says
/// at its end what of it is compiled, by a macro with the parameters
///
/// | parameter | is                                                            |
/// |-----------|---------------------------------------------------------------|
/// | how       | `extern template` in headers, `template` in the library       |
/// | L         | a loss, which need not be known yet                           |
/// | T         | of the weights: double, or float                              |
/// | R         | ByRow, ByColumn, Compressed, FloatsByRow: rows of x in double |
///
/// or, for those that add up in T, ByRow, ByColumn, Compressed and SinglesByRow.
#include <linea/rows/dense.hpp>
#include <linea/rows/sparse.hpp>

namespace linea {

struct Hinge;
struct Log;
struct Squared;

namespace rows {

using ByRow = DenseRows<double, true>;
using ByColumn = DenseRows<double, false>;
using Compressed = SparseRows<double, int>;
using FloatsByRow = DenseRows<float, true, double>;
using SinglesByRow = DenseRows<float, true>;

}  // namespace rows

}  // namespace linea

// clang-format off
#define LINEA_EACH_ROWS(compiled, how, L)    \
  compiled(how, L, double, rows::ByRow)      \
  compiled(how, L, double, rows::ByColumn)   \
  compiled(how, L, double, rows::Compressed) \
  compiled(how, L, float, rows::FloatsByRow)
#define LINEA_EACH_ROWS_IN_T(compiled, how, L) \
  compiled(how, L, double, rows::ByRow)        \
  compiled(how, L, double, rows::ByColumn)     \
  compiled(how, L, double, rows::Compressed)   \
  compiled(how, L, float, rows::SinglesByRow)
// clang-format on
