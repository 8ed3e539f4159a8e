// SPDX-License-Identifier: MIT
#pragma once
/// \file The instances of optimizers that the library linea::compiled contains: those for common
/// losses and matrices.
///
/// The library is optional. The CMake target linea::compiled defines the macro LINEA_COMPILED. The
/// headers then do not instantiate these optimizers, so a source file that needs no other instances
/// compiles in a fraction of the time. Each optimizer lists its compiled instances at the end of
/// its header, in a macro with the parameters
///
/// | parameter | meaning                                                       |
/// |-----------|---------------------------------------------------------------|
/// | how       | `extern template` in headers, `template` in the library       |
/// | L         | a loss, which may be an incomplete type                       |
/// | T         | the scalar of the weights, double or float                    |
/// | R         | ByRow, ByColumn, Compressed, FloatsByRow: rows of x in double |
///
/// Newton, L-BFGS, coordinate descent, softmax and interior point read x and the loss through
/// virtual functions, so their instances serve every loss and every x, and have the parameter T
/// alone. Optimizers that sum in T have ByRow, ByColumn, Compressed and SinglesByRow for R.
#include <linea/rows/dense.hpp>
#include <linea/rows/sparse.hpp>

namespace linea {

struct Hinge;
struct Log;
struct Squared;

namespace detail::rows {

using ByRow = DenseRows<double, true>;
using ByColumn = DenseRows<double, false>;
using Compressed = SparseRows<double, int>;
using FloatsByRow = DenseRows<float, true, double>;
using SinglesByRow = DenseRows<float, true>;

/// A type for each memory layout. The library and the program must have the same layout, which
/// depends on the version and alignment of Eigen and on the width of linea's vector registers.
template <int EigenVersion, int Alignment, int VectorBytes>
struct LayoutOf {
  static void differs_from_linea_compiled_so_compile_both_with_the_same_march();
};
using Layout = LayoutOf<EIGEN_MAJOR_VERSION, EIGEN_MAX_ALIGN_BYTES, vector_bytes>;

#if defined(LINEA_COMPILED)
// The library defines this function for its own layout only, so a program with another layout does
// not link. Such a program could free memory that the library allocated in a different way.
[[gnu::used]] static void (*const layout)() =
    &Layout::differs_from_linea_compiled_so_compile_both_with_the_same_march;
#endif

}  // namespace detail::rows

}  // namespace linea

// clang-format off
#define LINEA_EACH_ROWS(compiled, how, L)    \
  compiled(how, L, double, detail::rows::ByRow)      \
  compiled(how, L, double, detail::rows::ByColumn)   \
  compiled(how, L, double, detail::rows::Compressed) \
  compiled(how, L, float, detail::rows::FloatsByRow)
#define LINEA_EACH_ROWS_IN_T(compiled, how, L) \
  compiled(how, L, double, detail::rows::ByRow)        \
  compiled(how, L, double, detail::rows::ByColumn)     \
  compiled(how, L, double, detail::rows::Compressed)   \
  compiled(how, L, float, detail::rows::SinglesByRow)
// clang-format on
