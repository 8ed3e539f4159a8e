// SPDX-License-Identifier: MIT
#pragma once
/// \file Sums over the rows of this process, and over the rows of all processes.
///
/// Samples may be divided among processes (see linea/mpi.hpp). The rows of one process then have
/// three more members:
///
/// | expression       | meaning                                                      |
/// |------------------|--------------------------------------------------------------|
/// | rows.all()       | combines values of all parts; has the members of AllRowsHere |
/// | rows.all_rows()  | the number of rows of all parts                              |
/// | rows.first_row() | the index of row 0 among the rows of all parts               |
#include <linea/core/types.hpp>

namespace linea::detail::samples {

/// The type of rows.all() when there is only one part. Its functions do not change their arguments;
/// the comments state what the functions for several parts do.
struct AllRowsHere {
  static void sum(double*, Index) {}  ///< replaces numbers by their sums over the parts
  template <class N>
  static N sum(N own) {
    return own;
  }
  template <class V>
  static void sum_entries(V&) {}          ///< replaces entries by their sums over the parts
  static void largest(double*, Index) {}  ///< replaces numbers by their maxima over the parts
  static double largest(double own) { return own; }
  static bool any(bool own) { return own; }
  static bool is_first(bool own) { return own; }  ///< is this the first part whose `own` is true?
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

/// Returns run(). If x is divided, an exception on one process ends the run on all processes.
template <class X, class F>
auto together(const X& x, F&& run) {
  if constexpr (requires { x.together(run); })
    return x.together(run);
  else
    return run();
}

/// Returns run(extras). If x is divided, an exception on one process ends the run on all processes,
/// and so does an observer that stops the run.
template <class X, class E, class F>
auto together(const X& x, const E& extras, F&& run) {
  if constexpr (requires { x.together(extras, run); })
    return x.together(extras, run);
  else
    return run(extras);
}

}  // namespace linea::detail::samples
