// SPDX-License-Identifier: MIT
#pragma once
/// \file Columns that others make up but for rounding, and what the others allow sums of slopes to
/// miss.
#include <algorithm>  // copy
#include <cmath>
#include <linea/optimizers/numerics/triangle.hpp>
#include <linea/optimizers/numerics/vectors.hpp>
#include <vector>

namespace linea::programs {

/// The QR decomposition of the rows of all samples, column by column. A column that those before it
/// make up, but for the rounding of their numbers, is dropped, and those after it are decomposed as
/// if it had not been there. R is that of the columns that are kept.
template <class Real = double>
class KeptColumns {
  using Reals = Vector<Real>;

 public:
  KeptColumns() = default;

  /// For the first columns of `rows` (n × (r + m)), as many as there are `roundings` (r), each row
  /// times its `root` (n). Each column has `count` rows of mean square 1 with the
  /// roots; its numbers are known up to its rounding.
  KeptColumns(const Matrix<Real>& rows, const Reals& roots, const Reals& roundings, double count)
      : root_of_count_(std::sqrt(count)),
        triangle_(Matrix<Real>::Zero(roundings.size(), roundings.size())),
        is_dropped_(static_cast<std::size_t>(roundings.size()), false) {
    decompose(rows, roots);
    for (Index j = 0; j < size(); ++j)
      if (std::abs(triangle_(j, j)) <= root_of_count_ * rounding_of(j, roundings)) drop(j);
  }

  bool is_dropped(Index j) const {
    return !is_dropped_.empty() && is_dropped_[static_cast<std::size_t>(j)];
  }

  /// The most that Σⱼ sumⱼqⱼ can be for q (r, or r + 1 with an offset) that make scores of length
  /// `length`, in the metric of the roots: ‖R⁻ᵀsums‖·length. Columns that were dropped have no q.
  double most(const Reals& sums, double length) const {
    Reals kept(size());
    for (Index j = 0; j < size(); ++j) kept[j] = is_dropped(j) ? 0 : sums[j];
    numerics::triangle_of(triangle_).solve_transposed(kept.data());
    double square = numerics::squares_of(kept);
    // The column of the offset is at right angles to centred ones.
    const double of_offset = sums.size() > size() ? sums[size()] / root_of_count_ : 0;
    square += of_offset * of_offset;
    return std::sqrt(square) * length;
  }

 private:
  Index size() const { return triangle_.rows(); }

  void decompose(const Matrix<Real>& rows, const Reals& roots) {
    constexpr Index height = 128;
    Matrix<Real> block(height, size());
    Index filled = 0;
    const auto append = [&] {
      Matrix<Real> part(filled, size());
      std::copy(block.data(), block.data() + part.size(), part.data());
      numerics::append_rows(triangle_, part);
      filled = 0;
    };
    for (Index k = 0; k < rows.rows(); ++k) {
      if (roots[k] == 0) continue;
      for (Index j = 0; j < size(); ++j) block(filled, j) = roots[k] * rows(k, j);
      if (++filled == height) append();
    }
    append();
  }

  /// By how much rounding may have moved column j, of mean square 1, away from the sum of columns
  /// before it that is nearest to it: it leaves a part of all terms that cancel.
  double rounding_of(Index j, const Reals& roundings) const {
    Reals terms = numerics::constant(size(), 0);
    for (Index k = 0; k < j; ++k) terms[k] = triangle_(k, j);
    numerics::Triangle{triangle_.data(), j, size()}.solve(terms.data());
    double sum = roundings[j];
    for (Index k = 0; k < j; ++k) sum += std::abs(terms[k]) * roundings[k];
    return sum;
  }

  /// What later columns have along the remainder of column j is theirs.
  void drop(Index j) {
    Matrix<Real> rest = Matrix<Real>::Zero(1, size());
    for (Index k = j + 1; k < size(); ++k) rest(0, k) = triangle_(j, k);
    for (Index k = 0; k < size(); ++k) triangle_(j, k) = triangle_(k, j) = 0;
    triangle_(j, j) = 1;
    numerics::append_rows(triangle_, rest);
    is_dropped_[static_cast<std::size_t>(j)] = true;
  }

  double root_of_count_{1};
  Matrix<Real> triangle_{};  // R, with rows and columns of the unit matrix for what is dropped
  std::vector<bool> is_dropped_{};
};

}  // namespace linea::programs
