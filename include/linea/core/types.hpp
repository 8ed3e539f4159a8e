// SPDX-License-Identifier: MIT
#pragma once
/// \file Types and concepts of samples, the rows of x (n × d), and of targets y (n).
#include <linea/core/compiler.hpp>
// Other headers include Eigen only through this header, so that compiler.hpp first reports
// unsupported compilers and macros, and the version of Eigen is always checked.
#include <Eigen/Core>

#if EIGEN_WORLD_VERSION == 3 && EIGEN_MAJOR_VERSION < 4
#error "linea: this Eigen is too old: version 3.4 or later is needed"
#include <see the error above>
#endif

#include <Eigen/SparseCore>
#include <concepts>
#include <cstddef>  // ptrdiff_t
#include <type_traits>

namespace linea {

using Index = Eigen::Index;
static_assert(std::is_same_v<Index, std::ptrdiff_t>,
              "linea: Eigen's own index type is needed: compile without "
              "EIGEN_DEFAULT_DENSE_INDEX_TYPE");

// Storage orders are explicit because EIGEN_DEFAULT_TO_ROW_MAJOR changes the default.
template <class T>
using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1, Eigen::ColMajor>;

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// J holds column numbers and offsets into the non-zeros. std::int64_t allows more than 2³¹ − 1
/// non-zeros and takes four bytes more for each.
template <class T, class J = int>
using SparseMatrix = Eigen::SparseMatrix<T, Eigen::RowMajor, J>;

template <class T>
concept Scalar = std::is_same_v<T, float> ||  // samples are of float or double;
    std::is_same_v<T, double>;                // cast others by x.cast<double>().eval()

namespace detail {

/// Returns the number as a T, which must hold it. Where this is its type on some platforms only,
/// static_cast causes GCC's -Wuseless-cast there.
template <class T, class U>
constexpr T to(U number) {
  return static_cast<T>(number);
}

/// Like std::copy_constructible and std::copyable, which instantiate about a hundred classes for
/// each type.
template <class T>
concept CopyConstructible = requires(const T& from) {
  T(from);
};
template <class T>
concept Copyable = CopyConstructible<T> && requires(T& to, const T& from) {
  to = from;
};

/// The type U, made dependent on T: code with vectors of U is then compiled where a template is
/// instantiated, not in every file that includes the header.
template <class T, class U>
using TypeFor = std::conditional_t<std::is_void_v<T>, U, U>;
template <class T>
using DoubleFor = TypeFor<T, double>;

/// A dense column-major matrix.
template <class T>
using ColumnMatrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor>;

template <class D>
void take_dense(const Eigen::DenseBase<D>&);
template <class D>
void take_sparse(const Eigen::SparseCompressedBase<D>&);
}  // namespace detail

/// Any dense Eigen expression, including blocks of blocks.
template <class X>
concept DenseExpression = requires(const X& x) {
  detail::take_dense(
      x);  // must be of Eigen: pass a std::vector as Eigen::Map<const Eigen::VectorXd>
};

template <class X>
concept SparseExpression = requires(const X& x) {
  detail::take_sparse(x);
};

template <class X>
concept MatrixExpression = DenseExpression<X> || SparseExpression<X>;

template <class X>
inline constexpr bool is_unevaluated = false;
template <DenseExpression X>
inline constexpr bool is_unevaluated<X> = (int(Eigen::internal::traits<X>::Flags) &
                                           int(Eigen::DirectAccessBit)) == 0;

template <class X>
inline constexpr bool is_sparse_vector = false;
template <class T, int Options, class J>
inline constexpr bool is_sparse_vector<Eigen::SparseVector<T, Options, J>> = true;
template <class X>
inline constexpr bool is_sparse_vector<Eigen::Transpose<X>> =
    is_sparse_vector<std::remove_const_t<X>>;

template <class X>
inline constexpr bool is_column_major_sparse = false;
template <SparseExpression X>
inline constexpr bool is_column_major_sparse<X> = !bool(X::IsRowMajor);

/// Whether X is not a matrix but a view that rows_of accepts, such as in_double(x).
template <class X>
inline constexpr bool is_sample_view = false;

template <class X>
concept SampleView = is_sample_view<X>;

/// Whether X is this process's part of samples that are divided among processes (linea/mpi.hpp).
template <class X>
inline constexpr bool is_divided = false;

/// Samples, one in each row: a dense or sparse matrix, array, Map, Ref or Block in either storage
/// order, with any strides, compressed or not, or a view by in_double or rows_from. Most optimizers
/// read samples in place, except column-major sparse samples, which each call copies to row-major
/// order (detail::by_rows). Compilers show the comment beside a line in their errors: it states how
/// to meet the requirement. A view has only rows(), cols() and rows_of; functions that need more
/// require a SampleMatrix.
template <class X>
concept Samples =
    !is_divided<X> &&              // Newton, Lbfgs, GradientDescent and Ridge take divided samples
    (MatrixExpression<X> ||        // an Eigen matrix; pass eval() of a sparse expression
     SampleView<X>)&&              // or a view; copy a std::vector of rows to a matrix
    Scalar<typename X::Scalar> &&  // of float or double: use x.cast<double>().eval()
    !is_unevaluated<X> &&          // else each row read would compute it again: use x.eval()
    !is_sparse_vector<X>;          // one sample, not a matrix: see Learner::update, predict_one

/// Samples, or one process's part of divided samples.
template <class X>
concept AnySamples = Samples<X> || is_divided<X>;

/// Samples in an Eigen matrix, Map, Ref or block, but not a SampleView such as in_double(x).
template <class X>
concept SampleMatrix = MatrixExpression<X> && Samples<X>;

template <class X>
concept DenseSamples = DenseExpression<X> && Samples<X>;

template <class X>
concept SparseSamples = SparseExpression<X> && Samples<X>;

/// A vector of real or integer scalars, read element by element: targets, sample weights.
template <class V>
concept VectorLike = DenseExpression<V> && bool(V::IsVectorAtCompileTime) &&
                     std::is_arithmetic_v<typename V::Scalar>;

/// Targets in columns: a dense expression whose type is not that of a vector.
template <class Y>
concept TargetMatrix = DenseExpression<Y> && !bool(Y::IsVectorAtCompileTime) &&
                       std::is_arithmetic_v<typename Y::Scalar>;

/// Samples with scalar T, as a model that was fitted to scalar T requires.
template <class X, class T>
concept SamplesOf = Samples<X> && std::is_same_v<typename X::Scalar, T>;

namespace detail {
struct NotAnEigenMatrix;  // appears in compiler messages if X has no member X::Scalar
template <class X>
struct ScalarOf {
  using type = NotAnEigenMatrix;
};
template <class X>
  requires requires { typename X::Scalar; }
struct ScalarOf<X> {
  using type = typename X::Scalar;
};
}  // namespace detail

/// The scalar of samples. The alias is defined for all X, so that a compiler's message names the
/// concept that a function requires instead of this alias.
template <class X>
using scalar_t = typename detail::ScalarOf<X>::type;

}  // namespace linea
