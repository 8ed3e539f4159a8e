// SPDX-License-Identifier: MIT
#pragma once
/// \file What rows are: the one way in which the loop and the passes read samples.
///
/// Rows are a light view of n samples of d features, copied freely. They are numbers of Scalar = T,
/// whatever is stored. `rows_of(x)` makes them of x; rows_from.hpp makes them of a function.
///
/// | expression                            | meaning                                             |
/// |---------------------------------------|-----------------------------------------------------|
/// | R::Scalar                             | float or double                                     |
/// | R::is_sparse                          | are entries that are 0 left out?                    |
/// | R::is_packed                          | may rows be visited in place? else they are packed  |
/// | rows.rows(), cols(), entries()        | n, d, and the stored entries                        |
/// | rows.row_bytes()                      | memory of a row, in the mean                        |
/// | rows.stretch_rows()                   | rows to read in one go; 1: any                      |
/// | rows.dot(i, w), dot(i, w, ahead)      | ⟨xᵢ, w⟩; may fetch row `ahead` meanwhile            |
/// | rows.add(i, a, v)                     | v ← v + a·xᵢ                                        |
/// | rows.squared_norm(i)                  | ‖xᵢ‖²                                               |
/// | rows.for_each(i, f)                   | f(j, xᵢⱼ) for every stored entry                    |
/// | rows.for_each_between(i, from, to, f) | the same for from ≤ j < to                          |
/// | rows.scores(i, count, w, p)           | p[k] = ⟨x_{i+k}, w⟩ for count rows                  |
/// | rows.add_up(i, count, c, v)           | v ← v + Σₖ c[k]·x_{i+k} for count rows              |
/// | rows.all_finite()                     | for the door                                        |
/// | rows.all_ascending()                  | where sparse: are columns in order, and all of x?   |
/// | rows.pack(arrivals, slots, packed)    | not packed: copies row arrivals[k] to slots[k]      |
/// | rows.add_then_dot(i, a, v, k, ahead)  | optional: add(i, a, v), dot(k, v) in one            |
#include <concepts>
#include <cstdint>
#include <linea/core/types.hpp>
#include <span>

namespace linea {

/// Stands for the function that for_each calls.
template <class T>
struct EntryVisitor {
  void operator()(Index, T) const {}
};

template <class R, class T>
concept RowsOf = std::same_as<typename R::Scalar, T> &&
    requires(const R& rows, Index i, T a, Vector<T>& v, const Vector<T>& w, T* numbers,
             const T* given, EntryVisitor<T> f) {
  { R::is_sparse } -> std::convertible_to<bool>;
  { R::is_packed } -> std::convertible_to<bool>;
  { rows.rows() } -> std::same_as<Index>;
  { rows.cols() } -> std::same_as<Index>;
  { rows.entries() } -> std::same_as<Index>;
  { rows.row_bytes() } -> std::same_as<Index>;
  { rows.stretch_rows() } -> std::same_as<Index>;
  { rows.dot(i, w) } -> std::same_as<T>;
  { rows.dot(i, w, i) } -> std::same_as<T>;
  rows.add(i, a, v);
  { rows.squared_norm(i) } -> std::same_as<T>;
  rows.for_each(i, f);
  rows.for_each_between(i, i, i, f);
  rows.scores(i, i, w, numbers);
  rows.add_up(i, i, given, v);
  { rows.all_finite() } -> std::same_as<bool>;
  requires !R::is_sparse || requires {
    { rows.all_ascending() } -> std::same_as<bool>;
  };
  requires R::is_packed || requires(std::span<const std::uint32_t> numbered, Matrix<T> & packed) {
    rows.pack(numbered, numbered, packed);
  };
};

}  // namespace linea
