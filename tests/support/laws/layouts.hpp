// SPDX-License-Identifier: MIT
#pragma once
/// \file The same samples in every memory layout that an optimizer must support.
#include <array>
#include <cstdint>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/rows/in_double.hpp>
#include <string_view>
#include <utility>  // as_const
#include <vector>

namespace linea::check {

/// The memory layout of samples (n × d): see layout_name.
enum class Layout {
  row_major,
  sparse,
  sparse_zeros,
  sparse_loose,
  column_major,
  strided,
  sparse_long_index,
  sparse_columns,
  float_row_major,
  float_sparse,
  in_double,
  in_double_sparse,
  block,
  sparse_block,
  float_column_major,
  in_double_columns,
};

/// Sets of layouts to test. An optimizer is compiled once for each type in the set.
enum class Layouts {
  rows,  ///< row-major and sparse layouts, for optimizers that support no others
  main,  ///< all layouts that have their own code paths
  all,   ///< the main layouts, blocks of Eigen matrices, and column-major float
};

constexpr std::string_view layout_name(Layout layout) {
  constexpr std::array<std::string_view, 16> names{"row-major samples",
                                                   "sparse samples",
                                                   "sparse samples with explicit zeros",
                                                   "sparse samples that are not compressed",
                                                   "column-major samples",
                                                   "strided samples",
                                                   "sparse samples with 64-bit indices",
                                                   "column-major sparse samples",
                                                   "row-major samples of float",
                                                   "sparse samples of float",
                                                   "in_double(row-major samples)",
                                                   "in_double(sparse samples)",
                                                   "a block of columns",
                                                   "rows of sparse samples",
                                                   "column-major samples of float",
                                                   "in_double(column-major samples)"};
  return names[static_cast<std::size_t>(layout)];
}

constexpr bool is_float(Layout layout) {
  return layout == Layout::float_row_major || layout == Layout::float_sparse ||
         layout == Layout::float_column_major;
}

inline std::vector<Layout> layouts_of(Layouts which) {
  const Layout last = which == Layouts::rows   ? Layout::sparse_loose
                      : which == Layouts::main ? Layout::in_double_sparse
                                               : Layout::in_double_columns;
  std::vector<Layout> all;
  for (int k = 0; k <= static_cast<int>(last); ++k) all.push_back(static_cast<Layout>(k));
  return all;
}

namespace detail {

/// Returns the non-zero entries of x. With `zeros` also stores the zeros at (i + j) % 3 = 0.
inline SparseMatrix<double> sparse_of(const Matrix<double>& x, bool zeros) {
  SparseMatrix<double> sparse(x.rows(), x.cols());
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < x.cols(); ++j)
      if (x(i, j) != 0 || (zeros && (i + j) % 3 == 0)) sparse.insert(i, j) = x(i, j);
  sparse.makeCompressed();
  return sparse;
}

template <class F>
auto in_strides(const Matrix<double>& x, const F& f) {
  using Stride = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
  Matrix<double> wide = Matrix<double>::Constant(2 * x.rows(), 2 * x.cols(), 99);
  Eigen::Map<Matrix<double>, 0, Stride> strided(wide.data(), x.rows(), x.cols(),
                                                Stride(4 * x.cols(), 2));
  strided = x;
  return f(strided);
}

/// Calls f(samples) with x in this layout. Throws std::invalid_argument if the layout is not in the
/// set `which`.
template <Layouts which, class F>
auto in_layout(Layout layout, const Matrix<double>& x, const F& f) {
  const Index n = x.rows();
  const Index d = x.cols();
  SparseMatrix<double> sparse = sparse_of(x, layout == Layout::sparse_zeros);
  if (layout == Layout::sparse_loose) {
    sparse.uncompress();
    sparse.reserve(Eigen::VectorXi::Constant(n, 3));
  }
  const Matrix<float> floats = x.cast<float>();
  if (layout == Layout::row_major) return f(x);
  if (layout <= Layout::sparse_loose) return f(std::as_const(sparse));
  if constexpr (which != Layouts::rows) {
    const SparseMatrix<float> sparse_floats = sparse.cast<float>();
    switch (layout) {
      case Layout::column_major:
        return f(linea::detail::ColumnMatrix<double>(x));
      case Layout::strided:
        return in_strides(x, f);
      case Layout::sparse_long_index:
        return f(SparseMatrix<double, std::int64_t>(sparse));
      case Layout::sparse_columns:
        return f(Eigen::SparseMatrix<double>(sparse));
      case Layout::float_row_major:
        return f(floats);
      case Layout::float_sparse:
        return f(sparse_floats);
      case Layout::in_double:
        return f(linea::in_double(floats));
      case Layout::in_double_sparse:
        return f(linea::in_double(sparse_floats));
      default:
        break;
    }
  }
  if constexpr (which == Layouts::all) {
    linea::detail::ColumnMatrix<double> framed =
        linea::detail::ColumnMatrix<double>::Constant(n + 5, d + 3, 99);
    framed.block(2, 1, n, d) = x;
    SparseMatrix<double> taller(n + 4, d);
    taller.middleRows(3, n) = sparse;
    const linea::detail::ColumnMatrix<float> columns = floats;
    if (layout == Layout::block) return f(framed.block(2, 1, n, d));
    if (layout == Layout::sparse_block) return f(taller.middleRows(3, n));
    if (layout == Layout::float_column_major) return f(columns);
    if (layout == Layout::in_double_columns) return f(linea::in_double(columns));
  }
  refuse("check::in_layout: no ", layout_name(layout), " here");
}

}  // namespace detail
}  // namespace linea::check
