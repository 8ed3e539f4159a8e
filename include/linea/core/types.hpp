// SPDX-License-Identifier: MIT
#pragma once
/// \file The shapes everything speaks of: samples are the rows of x (n × d), targets are y (n).
#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <concepts>
#include <type_traits>

namespace linea {

using Index = Eigen::Index;

template <class T>
using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// I holds both column numbers and offsets into the non-zeros: std::int64_t allows more than 2³¹ of
/// them at the price of four more bytes for each.
template <class T, class I = int>
using SparseMatrix = Eigen::SparseMatrix<T, Eigen::RowMajor, I>;

template <class T>
concept Scalar = std::same_as<T, float> || std::same_as<T, double>;

/// Any dense Eigen expression, blocks of blocks included.
template <class X>
concept DenseExpression = requires(const X& x) {
  []<class D>(const Eigen::DenseBase<D>&) {}(x);
};

template <class X>
concept SparseExpression = requires(const X& x) {
  []<class D>(const Eigen::SparseCompressedBase<D>&) {}(x);
};

template <class X>
inline constexpr bool has_direct_access = (int(Eigen::internal::traits<X>::Flags) &
                                           int(Eigen::DirectAccessBit)) != 0;

/// Dense samples that can be read in place: a matrix, Map, Ref or Block of any strides, in either
/// storage order. An unevaluated product is none: each row read would compute it again.
template <class X>
concept DenseSamples = DenseExpression<X> && Scalar<typename X::Scalar> && has_direct_access<X>;

template <class X>
inline constexpr bool is_sparse_vector = false;
template <class T, int Options, class I>
inline constexpr bool is_sparse_vector<Eigen::SparseVector<T, Options, I>> = true;

/// Sparse samples that can be read in place, row by row. Column-major storage is refused: one row
/// would cost a search of every column. Assign it to a linea::SparseMatrix first. An
/// Eigen::SparseVector is none: it has no table of where rows start.
template <class X>
concept SparseSamples = SparseExpression<X> && Scalar<typename X::Scalar> && bool(X::IsRowMajor) &&
                        !is_sparse_vector<X>;

template <class X>
concept Samples = DenseSamples<X> || SparseSamples<X>;

/// A vector to be read element by element: targets, sample weights. Any real or integer scalar.
template <class V>
concept VectorLike = DenseExpression<V> && bool(V::IsVectorAtCompileTime) &&
                     std::is_arithmetic_v<typename V::Scalar>;

/// The scalar of samples. Unconstrained, so that a compiler's message names the concept that a function
/// asks for rather than this alias.
template <class X>
using scalar_t = typename X::Scalar;

}  // namespace linea
