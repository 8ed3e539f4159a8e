// SPDX-License-Identifier: MIT
#pragma once
/// \file Samples of floats that are learnt from in double: each entry is converted as it is read,
/// without a copy.
#include <linea/rows/rows_of.hpp>
#include <type_traits>  // is_reference

namespace linea {

/// A view of X whose numbers are doubles, whatever X stores. See in_double.
template <SampleMatrix X>
class InDouble {
 public:
  using Scalar = double;
  /// How Eigen keeps it: a Map or Block by value, a matrix that owns its numbers by reference.
  using Held = typename Eigen::internal::ref_selector<X>::type;

  explicit InDouble(const X& x) : x_(x) {}

  Index rows() const { return x_.rows(); }
  Index cols() const { return x_.cols(); }
  /// As it is stored.
  const X& matrix() const { return x_; }

 private:
  Held x_;
};

template <class X>
inline constexpr bool is_sample_view<InDouble<X>> = true;

/// x (n × d), dense or sparse, as samples of doubles: weights, scores and sums over float entries
/// are then double, where those of x itself would be float. Takes half the memory and bandwidth of
/// a double copy.
///
///     const auto solution = Sgd{}.minimize(objective, in_double(x), y);  // weights in double
///
/// x must outlive it: a temporary matrix is refused, a temporary Map or Block of one that lives on
/// is not.
template <SampleMatrix X>
InDouble<X> in_double(const X& x) {
  return InDouble<X>(x);
}

template <SampleMatrix X>
  requires(std::is_reference_v<typename InDouble<X>::Held>)
void in_double(const X&&) = delete;  // name the matrix, so that it outlives the view

template <class X>
auto rows_of(const InDouble<X>& x) {
  return rows::rows_as<double>(x.matrix());
}

namespace rows {

/// The rows of x as numbers of double, whatever x stores.
template <Samples X>
auto rows_in_double(const X& x) {
  if constexpr (SampleMatrix<X>)
    return rows_as<double>(x);
  else
    return rows_of(x);
}

}  // namespace rows

/// in_double(sample) as one sample, where `sample` is one.
template <class X>
  requires requires(const X& sample) { row_of(sample); }
auto row_of(const InDouble<X>& sample) {
  if constexpr (X::ColsAtCompileTime == 1 && X::RowsAtCompileTime != 1)
    return rows::rows_as<double>(sample.matrix().transpose());
  else
    return rows::rows_as<double>(sample.matrix());
}

}  // namespace linea
