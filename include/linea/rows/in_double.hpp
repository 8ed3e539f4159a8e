// SPDX-License-Identifier: MIT
#pragma once
/// \file Views of float samples as double. A view converts each entry when the entry is read.
#include <linea/rows/rows_from.hpp>
#include <linea/rows/rows_of.hpp>
#include <type_traits>  // is_reference

namespace linea {

/// A view of X whose entries have type double. See in_double.
template <SampleMatrix X>
class InDouble {
 public:
  using Scalar = double;
  /// How Eigen nests X: a Map or Block by value, a matrix that owns memory by reference.
  using Held = typename Eigen::internal::ref_selector<X>::type;

  explicit InDouble(const X& x) : x_(x) {}

  Index rows() const { return x_.rows(); }
  Index cols() const { return x_.cols(); }
  /// Returns the matrix as stored.
  const X& matrix() const { return x_; }

 private:
  Held x_;
};

template <class X>
inline constexpr bool is_sample_view<InDouble<X>> = true;

/// Returns a view of x (n × d), dense or sparse, whose entries have type double. Optimizers then
/// compute weights, scores and sums in double. Unlike a copy, the view takes no memory, and float
/// entries take half the bandwidth of doubles.
///
///     const auto solution = Sgd{}.minimize(objective, in_double(x), y);  // weights in double
///
/// x must outlive the view. A temporary matrix is a compile error; a temporary Map or Block is not.
template <SampleMatrix X>
InDouble<X> in_double(const X& x) {
  return InDouble<X>(x);
}

template <SampleMatrix X>
  requires(std::is_reference_v<typename InDouble<X>::Held>)
void in_double(const X&&) = delete;  // name the matrix, so that it outlives the view

namespace detail::rows {

/// A RowFunction of doubles, which are those of F as T.
template <class T, class F>
struct DoublesOf {
  F f;
  template <class V>
  void operator()(Index i, V&& visit) const {
    f(i, [&](Index j, T value) { visit(j, static_cast<double>(value)); });
  }
};

}  // namespace detail::rows

/// Returns samples that rows_from produces, with each entry converted from T to double. Calls the
/// function once for every row.
template <Scalar T, class F>
auto in_double(const RowsFrom<T, F>& x) {
  return rows_from<double>(x.rows(), x.cols(), detail::rows::DoublesOf<T, F>{x.function()});
}

template <class X>
auto rows_of(const InDouble<X>& x) {
  return detail::rows::rows_as<double>(x.matrix());
}

/// Returns one sample as a row with entries of type double.
template <class X>
  requires requires(const X& sample) { row_of(sample); }
auto row_of(const InDouble<X>& sample) { return detail::rows::row_as<double>(sample.matrix()); }

}  // namespace linea
