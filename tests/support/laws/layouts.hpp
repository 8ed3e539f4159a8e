// SPDX-License-Identifier: MIT
#pragma once
/// \file The kinds of samples on which an optimizer is checked. tests/rows tests that every other
/// memory layout has the same numbers.
#include <linea/core/types.hpp>
#include <string_view>

namespace linea::check {

/// The memory layout of samples (n × d).
enum class Layout { rows, sparse, float_rows };

inline constexpr Layout all_layouts[] = {Layout::rows, Layout::sparse, Layout::float_rows};

constexpr std::string_view layout_name(Layout layout) {
  constexpr std::string_view names[] = {"rows", "sparse rows", "rows of float"};
  return names[static_cast<int>(layout)];
}

/// Calls f(samples) with x in this layout.
template <class F>
auto in_layout(Layout layout, const Matrix<double>& x, const F& f) {
  if (layout == Layout::rows) return f(x);
  if (layout == Layout::sparse) return f(SparseMatrix<double>(x.sparseView()));
  return f(Matrix<float>(x.cast<float>()));
}

}  // namespace linea::check
