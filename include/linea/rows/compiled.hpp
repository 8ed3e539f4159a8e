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

/// How the compiler lays out what library and program share: by the version of Eigen, its
/// alignment of memory, and the width of the vectors of linea.
template <int EigenVersion, int Alignment, int VectorBytes>
struct LayoutOf {
  static void differs_from_linea_compiled_so_compile_both_with_the_same_march();
};
using Layout = LayoutOf<EIGEN_MAJOR_VERSION, EIGEN_MAX_ALIGN_BYTES, vector_bytes>;

#if defined(LINEA_COMPILED)
// The library defines this function for its own layout alone: a program of another layout does not
// link, where it would free memory that was allocated otherwise.
[[gnu::used]] static void (*const layout)() =
    &Layout::differs_from_linea_compiled_so_compile_both_with_the_same_march;
#endif

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
