// SPDX-License-Identifier: MIT
#pragma once
/// \file The same samples held in memory in every way that an optimizer must be able to read.
#include <array>
#include <cstdint>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/rows/in_double.hpp>
#include <string_view>
#include <vector>

namespace linea::check {

/// How samples (n × d) lie in memory.
enum class Layout {
  row_major,           ///< Matrix<double>
  column_major,        ///< Eigen::MatrixXd
  strided,             ///< a Map with gaps between the rows and between the entries of a row
  sparse,              ///< SparseMatrix<double>
  sparse_zeros,        ///< the same with some of its zeros stored
  sparse_loose,        ///< the same with gaps between the rows, not compressed
  sparse_long_index,   ///< SparseMatrix<double, std::int64_t>
  float_row_major,     ///< Matrix<float>
  float_sparse,        ///< SparseMatrix<float>
  in_double,           ///< in_double of Matrix<float>
  in_double_sparse,    ///< in_double of SparseMatrix<float>
  block,               ///< the middle of a larger Eigen::MatrixXd
  map,                 ///< a Map of rows that lie one after the other
  reference,           ///< an Eigen::Ref to columns
  sparse_map,          ///< a Map of a SparseMatrix<double>
  sparse_block,        ///< some rows of a SparseMatrix<double>
  float_column_major,  ///< core::ColumnMatrix<float>
  in_double_columns,   ///< in_double of Eigen::MatrixXf
};

/// Which of them an optimizer is tried in: it is compiled once for each.
enum class Layouts {
  rows,  ///< row_major and sparse, for an optimizer that takes no others
  main,  ///< all that are read in ways of their own
  all,   ///< other expressions of Eigen too
};

constexpr std::string_view layout_name(Layout layout) {
  constexpr std::array<std::string_view, 18> names{"row-major samples",
                                                   "column-major samples",
                                                   "strided samples",
                                                   "sparse samples",
                                                   "sparse samples with explicit zeros",
                                                   "sparse samples that are not compressed",
                                                   "sparse samples with 64-bit indices",
                                                   "row-major samples of float",
                                                   "sparse samples of float",
                                                   "in_double(row-major samples)",
                                                   "in_double(sparse samples)",
                                                   "a block of columns",
                                                   "a map of rows",
                                                   "an Eigen::Ref to columns",
                                                   "a map of sparse samples",
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
  const Layout end = which == Layouts::main ? Layout::block : Layout::in_double_columns;
  if (which == Layouts::rows)
    return {Layout::row_major, Layout::sparse, Layout::sparse_zeros, Layout::sparse_loose};
  std::vector<Layout> all(static_cast<std::size_t>(end) + (which == Layouts::all ? 1 : 0));
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<Layout>(k);
  return all;
}

namespace detail {

/// The entries of x that are not 0, and with `zeros` a third of the others too.
template <class T, class J>
SparseMatrix<T, J> sparse_of(const Matrix<double>& x, bool zeros = false) {
  SparseMatrix<T, J> sparse(x.rows(), x.cols());
  sparse.reserve(static_cast<J>(x.size()));
  for (Index i = 0; i < x.rows(); ++i) {
    sparse.startVec(i);
    for (Index j = 0; j < x.cols(); ++j)
      if (x(i, j) != 0 || (zeros && (i + j) % 3 == 0))
        sparse.insertBack(i, j) = static_cast<T>(x(i, j));
  }
  sparse.finalize();
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

/// f of x as an expression that stands for other numbers than its own.
template <class F>
auto in_expression(Layout layout, const Matrix<double>& x, const F& f) {
  const Index n = x.rows();
  const Index d = x.cols();
  core::ColumnMatrix<double> framed = core::ColumnMatrix<double>::Constant(n + 5, d + 3, 99);
  framed.block(2, 1, n, d) = x;
  const auto sparse = sparse_of<double, int>(x);
  SparseMatrix<double> taller(n + 4, d);
  taller.middleRows(3, n) = sparse;
  const core::ColumnMatrix<float> columns = x.cast<float>();
  switch (layout) {
    case Layout::block:
      return f(framed.block(2, 1, n, d));
    case Layout::map:
      return f(Eigen::Map<const Matrix<double>>(x.data(), n, d));
    case Layout::reference:
      return f(Eigen::Ref<const core::ColumnMatrix<double>>(framed.block(2, 1, n, d)));
    case Layout::sparse_map:
      return f(Eigen::Map<const SparseMatrix<double>>(n, d, sparse.nonZeros(),
                                                      sparse.outerIndexPtr(),
                                                      sparse.innerIndexPtr(), sparse.valuePtr()));
    case Layout::sparse_block:
      return f(taller.middleRows(3, n));
    case Layout::float_column_major:
      return f(columns);
    case Layout::in_double_columns:
      return f(linea::in_double(columns));
    default:
      refuse("check::in_layout: ", layout_name(layout), " are no expression");
  }
}

/// f of x in one of the layouts beyond Layouts::rows.
template <class F>
auto in_main_layout(Layout layout, const Matrix<double>& x, const F& f) {
  const Matrix<float> rows = x.cast<float>();
  const auto sparse = sparse_of<float, int>(x);
  switch (layout) {
    case Layout::column_major:
      return f(core::ColumnMatrix<double>(x));
    case Layout::strided:
      return in_strides(x, f);
    case Layout::sparse_long_index:
      return f(sparse_of<double, std::int64_t>(x));
    case Layout::float_row_major:
      return f(rows);
    case Layout::float_sparse:
      return f(sparse);
    case Layout::in_double:
      return f(linea::in_double(rows));
    case Layout::in_double_sparse:
      return f(linea::in_double(sparse));
    default:
      refuse("check::in_layout: ", layout_name(layout), " are not among the main layouts");
  }
}

/// f(samples), the samples being those of x in this layout. Throws std::invalid_argument if it is
/// not among `which`.
template <Layouts which, class F>
auto in_layout(Layout layout, const Matrix<double>& x, const F& f) {
  if (layout == Layout::row_major) return f(x);
  if (layout == Layout::sparse || layout == Layout::sparse_zeros ||
      layout == Layout::sparse_loose) {
    auto sparse = sparse_of<double, int>(x, layout == Layout::sparse_zeros);
    if (layout == Layout::sparse_loose) {
      sparse.uncompress();
      sparse.reserve(Eigen::VectorXi::Constant(x.rows(), 3));
    }
    const auto& samples = sparse;
    return f(samples);
  }
  if constexpr (which != Layouts::rows)
    if (layout < Layout::block) return in_main_layout(layout, x, f);
  if constexpr (which == Layouts::all)
    return in_expression(layout, x, f);
  else
    refuse("check::in_layout: no ", layout_name(layout), " here");
}

}  // namespace detail
}  // namespace linea::check
