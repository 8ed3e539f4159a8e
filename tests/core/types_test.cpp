// SPDX-License-Identifier: MIT
#include <cstdint>
#include <limits>
#include <linea/core/extras.hpp>
#include <linea/core/objective.hpp>
#include <linea/core/types.hpp>
#include <string>
#include <type_traits>

#include "support/catch.hpp"

using namespace linea;

namespace {

using Columns = Eigen::MatrixXd;
using Rows = Matrix<double>;
using Strides = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
using ColumnSparse = Eigen::SparseMatrix<double>;

/// The type of an expression in a, a matrix of type M.
template <class M, class F>
using type_of = std::remove_cvref_t<std::invoke_result_t<F, M&>>;

constexpr auto row = [](auto& a) { return a.row(0); };
constexpr auto column = [](auto& a) { return a.col(0); };
constexpr auto head = [](auto& a) { return a.col(0).head(2); };
constexpr auto block_of_block = [](auto& a) { return a.block(0, 0, 2, 2).leftCols(1); };
constexpr auto transpose = [](auto& a) { return a.transpose(); };
constexpr auto array = [](auto& a) { return a.array(); };
constexpr auto product = [](auto& a) { return a * a; };
constexpr auto twice = [](auto& a) { return 2 * a; };
constexpr auto as_float = [](auto& a) { return a.template cast<float>(); };
constexpr auto middle_rows = [](auto& a) { return a.middleRows(1, 1); };

// Dense samples: what holds its numbers in memory.
static_assert(DenseSamples<Rows> && DenseSamples<Columns>);
static_assert(DenseSamples<Matrix<float>> && DenseSamples<Eigen::ArrayXXf>);
static_assert(DenseSamples<Eigen::Matrix3d> && DenseSamples<Eigen::VectorXd>);
static_assert(DenseSamples<Eigen::RowVectorXd>);
static_assert(DenseSamples<Eigen::Map<const Columns, 0, Strides>>);
static_assert(DenseSamples<Eigen::Map<Rows>>);
static_assert(DenseSamples<Eigen::Ref<const Columns>>);
static_assert(DenseSamples<Eigen::Ref<Rows, 0, Strides>>);
static_assert(DenseSamples<type_of<Columns, decltype(row)>>);
static_assert(DenseSamples<type_of<Rows, decltype(column)>>);
static_assert(DenseSamples<type_of<Columns, decltype(head)>>);
static_assert(DenseSamples<type_of<const Rows, decltype(block_of_block)>>);
static_assert(DenseSamples<type_of<Columns, decltype(transpose)>>);
static_assert(DenseSamples<type_of<Columns, decltype(array)>>);
// … and not what would be computed, or holds other numbers.
static_assert(!Samples<type_of<Columns, decltype(product)>>);
static_assert(!Samples<type_of<Columns, decltype(twice)>>);
static_assert(!Samples<type_of<Columns, decltype(as_float)>>);
static_assert(!Samples<Eigen::MatrixXi> && !Samples<Eigen::MatrixXcd>);
static_assert(!Samples<Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>>);
static_assert(!Samples<double> && !Samples<double*> && !Samples<std::string>);

// Sparse samples: row-major, whatever the index.
static_assert(SparseSamples<SparseMatrix<double>> && SparseSamples<SparseMatrix<float>>);
static_assert(SparseSamples<SparseMatrix<double, std::int64_t>>);
static_assert(SparseSamples<Eigen::Map<const SparseMatrix<double>>>);
static_assert(SparseSamples<Eigen::Ref<const SparseMatrix<double>>>);
static_assert(SparseSamples<type_of<const SparseMatrix<double>, decltype(row)>>);
static_assert(SparseSamples<type_of<SparseMatrix<double>, decltype(middle_rows)>>);
static_assert(SparseSamples<type_of<ColumnSparse, decltype(transpose)>>);
static_assert(!Samples<ColumnSparse> && !Samples<Eigen::Map<const ColumnSparse>>);
static_assert(!Samples<type_of<SparseMatrix<double>, decltype(transpose)>>);
static_assert(!Samples<type_of<SparseMatrix<double>, decltype(product)>>);
static_assert(!Samples<SparseMatrix<int>>);
static_assert(!Samples<Eigen::SparseVector<double>>);
static_assert(!Samples<Eigen::SparseVector<double, Eigen::RowMajor>>);
static_assert(!DenseSamples<SparseMatrix<double>> && !SparseSamples<Columns>);

// Targets: any real or integer vector or expression of one.
static_assert(VectorLike<Eigen::VectorXd> && VectorLike<Eigen::RowVectorXf>);
static_assert(VectorLike<Eigen::VectorXi> && VectorLike<Eigen::ArrayXd>);
static_assert(VectorLike<Eigen::Array<bool, Eigen::Dynamic, 1>>);
static_assert(VectorLike<type_of<Columns, decltype(column)>>);
static_assert(VectorLike<type_of<Eigen::VectorXd, decltype(twice)>>);
static_assert(!VectorLike<Columns> && !VectorLike<Eigen::VectorXcd> && !VectorLike<double>);

}  // namespace
