// SPDX-License-Identifier: MIT
#pragma once
/// \file Rows of a matrix in the order in which the tiles of a product read them.
#include <algorithm>  // fill
#include <cstddef>
#include <linea/core/types.hpp>
#include <memory>
#include <new>

namespace linea::numerics {

/// Some rows of a matrix with `columns` columns, in panels of `width` columns each, where the
/// entries of one row lie side by side and its successor follows. Columns that fill up the last
/// panel are 0.
class PackedRows {
 public:
  static constexpr Index width = 24;  // a multiple of every tile's height and width

  PackedRows(Index capacity, Index columns)
      : capacity_(capacity),
        columns_(columns),
        panels_((columns + width - 1) / width),
        data_(new (std::align_val_t{64}) double[static_cast<std::size_t>(size())]) {
    std::fill(data_.get(), data_.get() + size(), 0.0);
  }

  Index columns() const { return columns_; }
  Index panels() const { return panels_; }
  double* panel(Index p) { return data_.get() + p * capacity_ * width; }
  const double* panel(Index p) const { return data_.get() + p * capacity_ * width; }
  double& operator()(Index row, Index column) {
    return panel(column / width)[row * width + column % width];
  }

 private:
  struct Free {
    void operator()(double* data) const { ::operator delete[](data, std::align_val_t{64}); }
  };
  Index size() const { return panels_ * capacity_ * width; }

  Index capacity_;
  Index columns_;
  Index panels_;
  std::unique_ptr<double[], Free> data_;
};

}  // namespace linea::numerics
