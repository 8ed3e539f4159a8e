// SPDX-License-Identifier: MIT
#pragma once
/// \file Samples in coordinates of the space they span: min(n, d) numbers each, however large d is.
#include <algorithm>  // max, min
#include <cmath>
#include <limits>
#include <linea/optimizers/least_squares/centred_design.hpp>
#include <linea/optimizers/numerics/minimum_norm.hpp>
#include <optional>
#include <utility>  // move

namespace linea::interior_point {

/// Rows cᵢ of C (n × r), r = min(n, d), whose inner products are those of the centred samples xᵢ −
/// x̄. For d ≤ n they are the centred samples themselves. For d > n, C = Rᵀ with R from the QR
/// decomposition of the (d × n) matrix whose columns are the centred samples, taken in blocks and
/// without Q: O(n²·d), and O(n²) memory. A sample of weight 0 has a row of zeros.
template <class Rows>
class RowSpace {
  using Design = least_squares::CentredDesign<Rows>;
  using Columns = typename Design::Columns;
  using Reals = typename Design::Reals;

 public:
  using Block = typename Design::Block;

  /// With `centre` off, x̄ = 0. With `whole` the rows are the centred samples for d > n too: for
  /// penalties that are not a function of ‖w‖. The samples must outlive this object.
  RowSpace(const samples::TrainingSet<Rows>& set, bool centre, bool whole = false)
      : design_(set, centre), inverse_root_(design_.rows()) {
    const Index n = design_.rows();
    for (Index i = 0; i < n; ++i)
      inverse_root_[i] = design_.root()[i] > 0 ? 1 / design_.root()[i] : 0;
    if (whole || design_.cols() <= n) {
      design_.fill(0, n, false, coordinates_);
    } else {
      find_triangle();
      coordinates_.resize(n, n);
      Columns triangle(n, n);
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) coordinates_(j, i) = triangle(i, j) = triangle_(i, j);
      inverse_.emplace(std::move(triangle), 1e-6);
    }
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < coordinates_.cols(); ++j) coordinates_(i, j) *= inverse_root_[i];
  }

  const Block& coordinates() const { return coordinates_; }
  /// Are the coordinates others than the columns of x?
  bool is_rotated() const { return inverse_.has_value(); }
  const Reals& mean() const { return design_.mean(); }

  /// Σᵢ aᵢ·(xᵢ − x̄), (d), for a (n).
  Reals sum(const Reals& a) const {
    if (inverse_) return transposed(times_inverse_root(a));
    return numerics::transposed_times(coordinates_, a);
  }

  /// The weights (d) whose scores are ⟨cᵢ, v⟩, for v = Σᵢ aᵢcᵢ up to rounding: for d > n this sum
  /// of the samples. Its terms may be far larger than itself; what their rounding does to the
  /// scores is then taken away.
  Reals weights(const Reals& v, const Reals& a) const {
    if (!inverse_) return v;
    Reals weights = sum(a);
    const Reals wanted = numerics::transposed_times(triangle_, v);
    for (int round = 0; round < 2; ++round) {
      const Columns scores = design_.apply(weights);
      Reals missing = wanted;
      for (Index i = 0; i < missing.size(); ++i) missing[i] -= scores(i, 0);
      numerics::add(1, transposed(inverse_->solve_squared(missing, 0)), weights);
    }
    return weights;
  }

 private:
  /// R of the QR decomposition of Zᵀ.
  void find_triangle() {
    const Index n = design_.rows();
    triangle_ = Block::Zero(n, n);
    Block block;
    for (Index first = 0; first < design_.cols(); first += Design::block_rows) {
      design_.fill(first, std::min(Design::block_rows, design_.cols() - first), true, block);
      numerics::append_rows(triangle_, block);
    }
  }

  /// Zᵀa.
  Reals transposed(const Reals& a) const {
    const Columns sums = design_.apply_transposed(a);
    return Eigen::Map<const Reals>(sums.data(), sums.rows());
  }

  Reals times_inverse_root(Reals a) const {
    for (Index i = 0; i < a.size(); ++i) a[i] *= inverse_root_[i];
    return a;
  }

  Design design_;
  Reals inverse_root_;  // 0 where the root is
  Block coordinates_{};
  Block triangle_{};  // R, for d > n: with rows times their roots, C is Rᵀ
  std::optional<numerics::MinimumNorm<typename Rows::Scalar>> inverse_{};  // of R
};

/// How far the coordinates may be off, each (r), by the rounding of the numbers of x, times what
/// sums of n or d of them make of it.
template <class Rows>
Vector<double> roundings_of(const RowSpace<Rows>& space, const samples::TrainingSet<Rows>& set) {
  const auto longest = static_cast<double>(std::max(set.rows.rows(), set.rows.cols()));
  const double unit = (8 + 2 * std::sqrt(longest)) * std::numeric_limits<double>::epsilon();
  Vector<double> sizes = numerics::constant(set.rows.cols(), 0);
  for (Index j = 0; j < space.mean().size(); ++j) sizes[j] = space.mean()[j];
  for (Index j = 0; j < sizes.size() && set.origin; ++j) sizes[j] += (*set.origin)[j];
  if (space.is_rotated())
    return numerics::constant(space.coordinates().cols(),
                              unit * std::sqrt(numerics::squares_of(sizes)));
  for (double& size : sizes) size = unit * std::abs(size);
  return sizes;
}

}  // namespace linea::interior_point
