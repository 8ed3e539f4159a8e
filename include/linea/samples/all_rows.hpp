// SPDX-License-Identifier: MIT
#pragma once
/// \file Sums over the rows at hand, and over all rows where these are a part.
///
/// Rows may be a part of all samples, the others being on other machines (see linea/mpi.hpp). Then
/// they have three members more:
///
/// | expression       | meaning                                                             |
/// |------------------|---------------------------------------------------------------------|
/// | rows.all()       | turns numbers of these rows into those of all, as AllRowsHere shows |
/// | rows.all_rows()  | how many rows there are in all                                      |
/// | rows.first_row() | the number of row 0 among all                                       |
#include <linea/core/types.hpp>

namespace linea::samples {

/// For rows that are all there are: every number stays what it is.
struct AllRowsHere {
  static void sum(double*, Index) {}  ///< numbers become their sums
  template <class N>
  static N sum(N own) {
    return own;
  }
  template <class V>
  static void sum_entries(V&) {}          ///< the same for a vector or matrix
  static void largest(double*, Index) {}  ///< numbers become the largest of all
  static double largest(double own) { return own; }
  template <class M>
  static const M& stacked(const M& own) {  ///< matrices one below the other
    return own;
  }
  static bool any(bool own) { return own; }
  static bool is_first(bool own) { return own; }  ///< is this the first part that has one?
  static Index parts() { return 1; }
};

template <class Rows>
decltype(auto) all_of(const Rows& rows) {
  if constexpr (requires { rows.all(); })
    return rows.all();
  else
    return AllRowsHere{};
}

template <class Rows>
Index count_of_all(const Rows& rows) {
  if constexpr (requires { rows.all_rows(); })
    return rows.all_rows();
  else
    return rows.rows();
}

template <class Rows>
Index first_of_all(const Rows& rows) {
  if constexpr (requires { rows.first_row(); })
    return rows.first_row();
  else
    return 0;
}

/// run(). Where x is a part of all samples, what fails on one machine fails on all.
template <class X, class F>
auto together(const X& x, F&& run) {
  if constexpr (requires { x.together(run); })
    return x.together(run);
  else
    return run();
}

/// run(extras), likewise; an observer that stops the run on one machine stops it on all.
template <class X, class E, class F>
auto together(const X& x, const E& extras, F&& run) {
  if constexpr (requires { x.together(extras, run); })
    return x.together(extras, run);
  else
    return run(extras);
}

}  // namespace linea::samples
