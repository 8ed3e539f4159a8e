// SPDX-License-Identifier: MIT
#pragma once
/// \file Targets and sample weights in Eigen vectors, std::vector, std::span and other lists.
#include <cmath>  // abs
#include <concepts>
#include <iterator>  // begin, data, iter_value_t, size
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <string_view>
#include <type_traits>

namespace linea {

/// A list of numbers that is not an Eigen vector, such as a std::vector, std::array, std::span or C
/// array.
template <class V>
concept NumberRange = !MatrixExpression<V> && !SampleView<V> && requires(const V& list) {
  { std::size(list) } -> std::convertible_to<Index>;
  requires std::is_arithmetic_v<std::iter_value_t<decltype(std::begin(list))>>;
};

namespace detail {
// One condition keeps the compiler's error message to one line.
template <class V>
inline constexpr bool are_numbers = VectorLike<V> || NumberRange<V>;
}  // namespace detail

/// An Eigen vector, or a list of numbers such as a std::vector or a std::span.
template <class V>
concept Numbers = detail::are_numbers<V>;  // must be a vector of numbers; of a matrix pass y.col(0)

/// Targets y (n), or the targets y (n × k) of k fits, one in each column.
template <class Y>
concept AnyTargets = Numbers<Y> || TargetMatrix<Y>;

namespace detail {

/// Returns the numbers as an Eigen object: an Eigen vector or matrix itself, a Map of a contiguous
/// list, or a copy of any other list, such as a std::vector<bool>. The Map is valid as long as the
/// list.
template <AnyTargets V>
decltype(auto) vector_of(const V& numbers) {
  if constexpr (!NumberRange<V>) {
    return (numbers);
  } else {
    using Number = std::iter_value_t<decltype(std::begin(numbers))>;
    const auto count = static_cast<Index>(std::size(numbers));
    if constexpr (requires {
                    { std::data(numbers) } -> std::convertible_to<const Number*>;
                  }) {
      return Eigen::Map<const Vector<Number>>(std::data(numbers), count);
    } else {
      Vector<Number> copy(count);
      Index i = 0;
      for (const Number number : numbers) copy[i++] = number;
      return copy;
    }
  }
}

/// Converts a label to double. Throws for an integer of 64 bits whose magnitude is 2⁵³ or more,
/// because double cannot represent all such integers.
template <class Label>
double label_of(std::string_view function, Label label) {
  const auto number = static_cast<double>(label);
  if constexpr (std::integral<Label> && sizeof(Label) == sizeof(double))
    require(std::abs(number) < 0x1p53, function, ": label ", label,
            " is of 2^53 or more, where double does not hold every whole number");
  return number;
}

/// A vector of T that can be constructed from numbers of any kind.
template <class T>
struct VectorFrom : Vector<T> {
  VectorFrom() = default;
  template <Numbers V>
  VectorFrom(const V& numbers) : Vector<T>(vector_of(numbers).template cast<T>()) {}
};

}  // namespace detail
}  // namespace linea
