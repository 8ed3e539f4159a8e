// SPDX-License-Identifier: MIT
#pragma once
/// \file Compares data bit for bit: −0 differs from 0, and a stored zero from a missing one.
#include <bit>
#include <concepts>
#include <cstdint>
#include <linea/data/split.hpp>
#include <type_traits>

template <linea::Scalar T>
bool same_bits(T a, T b) {
  using Bits = std::conditional_t<std::same_as<T, float>, std::uint32_t, std::uint64_t>;
  return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}

template <linea::DenseSamples X>
bool same_bits(const X& a, const X& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (linea::Index i = 0; i < a.rows(); ++i)
    for (linea::Index j = 0; j < a.cols(); ++j)
      if (!same_bits(a(i, j), b(i, j))) return false;
  return true;
}

template <linea::SparseSamples X>
bool same_bits(const X& a, const X& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols() || a.nonZeros() != b.nonZeros()) return false;
  for (linea::Index i = 0; i < a.rows(); ++i) {
    typename X::InnerIterator left(a, i);
    typename X::InnerIterator right(b, i);
    for (; left && right; ++left, ++right)
      if (left.col() != right.col() || !same_bits(left.value(), right.value())) return false;
    if (left || right) return false;
  }
  return true;
}

template <class X>
bool same_bits(const linea::Labelled<X>& a, const linea::Labelled<X>& b) {
  return same_bits(a.x, b.x) && same_bits(a.y, b.y);
}
