// SPDX-License-Identifier: MIT
#pragma once
/// \file The rows of a set as w = 0 scores them.
#include <algorithm>  // fill_n
#include <linea/core/types.hpp>

namespace linea::samples {

/// The rows of a set, scored with w = 0: all scores are 0, and x is not read.
template <class Rows>
struct RowsAtZero : Rows {
  void scores(Index, Index count, const auto&, auto* s) const { std::fill_n(s, count, 0); }
};

}  // namespace linea::samples
