// SPDX-License-Identifier: MIT
#pragma once
/// \file The concept of rows, through which all algorithms read samples.
///
/// Rows are a view of n samples of d features that is cheap to copy. Entries are read as type
/// Scalar, whatever type they are stored in. `rows_of(x)` returns the rows of x; rows_from.hpp
/// makes rows from a function.
///
/// | expression                            | meaning                                            |
/// |---------------------------------------|----------------------------------------------------|
/// | R::Scalar                             | float or double                                    |
/// | R::is_sparse                          | are zeros left out?                                |
/// | R::is_packed                          | are rows read in place? If not, `pack` copies them |
/// | rows.rows(), cols(), entries()        | n, d, and the number of stored entries             |
/// | rows.row_bytes()                      | mean number of bytes of a row                      |
/// | rows.dot(i, w), dot(i, w, ahead)      | ⟨xᵢ, w⟩; may also fetch row `ahead` into the cache |
/// | rows.add(i, a, v)                     | v ← v + a·xᵢ                                       |
/// | rows.squared_norm(i)                  | ‖xᵢ‖²                                              |
/// | rows.for_each(i, f)                   | f(j, xᵢⱼ) for every stored entry                   |
/// | rows.for_each_between(i, from, to, f) | the same for from ≤ j < to                         |
/// | rows.scores(i, count, w, p)           | p[k] = ⟨x_{i+k}, w⟩ for count rows                 |
/// | rows.add_up(i, count, c, v)           | v ← v + Σₖ c[k]·x_{i+k} for count rows             |
/// | rows.all_in_range()                   | are all stored entries finite and at most 1e150?   |
/// | rows.all_ascending()                  | if is_sparse: are columns within d and ascending?  |
/// | rows.pack(arrivals, places, packed)   | unless is_packed: row places[k] ← row arrivals[k]  |
/// | rows.read(first, count, f)            | unless is_packed: f(the rows as a count × d block) |
/// | rows.relative_to(o)                   | optional: the same rows minus o (d)                |
/// | rows.add_then_dot(i, a, v, k, ahead)  | optional: add(i, a, v), then dot(k, v, ahead)      |
/// | rows.fetch_start(i)                   | optional: fetches the beginning of row i           |
#include <concepts>
#include <cstdint>
#include <linea/core/types.hpp>
#include <span>

namespace linea {

/// An example of a function that for_each calls, for use in concepts.
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
  { rows.dot(i, w) } -> std::same_as<T>;
  { rows.dot(i, w, i) } -> std::same_as<T>;
  rows.add(i, a, v);
  { rows.squared_norm(i) } -> std::same_as<T>;
  rows.for_each(i, f);
  rows.for_each_between(i, i, i, f);
  rows.scores(i, i, w, numbers);
  rows.add_up(i, i, given, v);
  { rows.all_in_range() } -> std::same_as<bool>;
  requires !R::is_sparse || requires {
    { rows.all_ascending() } -> std::same_as<bool>;
  };
  requires R::is_packed || requires(std::span<const std::uint32_t> numbered, Matrix<T> & packed) {
    rows.pack(numbered, numbered, packed);
  };
};

}  // namespace linea
