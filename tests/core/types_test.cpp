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

/// The type of the expression that F forms of a matrix of type M.
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

template <class... X>
constexpr bool are_dense = (DenseSamples<X> && ...);
template <class... X>
constexpr bool are_sparse = (SparseSamples<X> && ...);
template <class... X>
constexpr bool are_refused = !(Samples<X> || ...);

// These types are dense samples: their numbers are in memory.
static_assert(are_dense<Rows, Columns, Matrix<float>, Eigen::ArrayXXf, Eigen::Matrix3d,
                        Eigen::VectorXd, Eigen::RowVectorXd, Eigen::Map<const Columns, 0, Strides>,
                        Eigen::Map<Rows>, Eigen::Ref<const Columns>, Eigen::Ref<Rows, 0, Strides>>);
static_assert(
    are_dense<type_of<Columns, decltype(row)>, type_of<Rows, decltype(column)>,
              type_of<Columns, decltype(head)>, type_of<const Rows, decltype(block_of_block)>,
              type_of<Columns, decltype(transpose)>, type_of<Columns, decltype(array)>>);
// These types are not samples: expressions that would have to be computed, and other scalars.
static_assert(are_refused<type_of<Columns, decltype(product)>, type_of<Columns, decltype(twice)>,
                          type_of<Columns, decltype(as_float)>, Eigen::MatrixXi, Eigen::MatrixXcd,
                          Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>, double,
                          double*, std::string>);

// Sparse samples may have any storage order and index type.
static_assert(
    are_sparse<ColumnSparse, Eigen::Map<const ColumnSparse>, Eigen::Ref<const ColumnSparse>,
               type_of<SparseMatrix<double>, decltype(transpose)>, SparseMatrix<double>,
               SparseMatrix<float>, SparseMatrix<double, std::int64_t>,
               Eigen::Map<const SparseMatrix<double>>, Eigen::Ref<const SparseMatrix<double>>,
               type_of<const SparseMatrix<double>, decltype(row)>,
               type_of<SparseMatrix<double>, decltype(middle_rows)>,
               type_of<ColumnSparse, decltype(transpose)>>);
static_assert(are_refused<type_of<SparseMatrix<double>, decltype(product)>, SparseMatrix<int>,
                          Eigen::SparseVector<double>, Eigen::SparseVector<double, Eigen::RowMajor>,
                          type_of<Eigen::SparseVector<double>, decltype(transpose)>,
                          type_of<const Eigen::SparseVector<double>, decltype(transpose)>>);
static_assert(!DenseSamples<SparseMatrix<double>> && !SparseSamples<Columns>);

// Targets may be any vector of real numbers, integers or bool, or an expression of one.
static_assert(VectorLike<Eigen::VectorXd> && VectorLike<Eigen::RowVectorXf> &&
              VectorLike<Eigen::VectorXi> && VectorLike<Eigen::ArrayXd> &&
              VectorLike<Eigen::Array<bool, Eigen::Dynamic, 1>> &&
              VectorLike<type_of<Columns, decltype(column)>> &&
              VectorLike<type_of<Eigen::VectorXd, decltype(twice)>>);
static_assert(!VectorLike<Columns> && !VectorLike<Eigen::VectorXcd> && !VectorLike<double>);

}  // namespace
