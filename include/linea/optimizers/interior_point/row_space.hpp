// SPDX-License-Identifier: MIT
#pragma once
/// \file Samples in coordinates of their span: min(n, d) numbers for each sample, for any d.
#include <algorithm>  // max, min
#include <cmath>
#include <limits>
#include <linea/linear_algebra/triangle.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/samples/origin.hpp>

namespace linea::interior_point {

/// A matrix C (n × r), r = min(n, d), whose rows cᵢ have the inner products of the centred samples
/// xᵢ − x̄. For d ≤ n the rows are the centred samples themselves. For d > n, C = Rᵀ, where R is
/// from the QR decomposition of the (d × n) matrix whose columns are the centred samples. R is
/// computed by blocks and without Q: O(n²·d) operations, and O(n²) memory. A sample of weight 0 has
/// a row of zeros.
template <class Rows>
class RowSpace {
  using Reals = Vector<double>;

 public:
  /// Without `centre`, x̄ = 0. With `whole` the rows are the centred samples for d > n too, as
  /// penalties require that do not depend on ‖w‖ alone. The samples must outlive this object.
  RowSpace(const samples::TrainingSet<Rows>& set, bool centre, bool whole = false)
      : set_(set),
        is_rotated_(!whole && set.rows.cols() > set.rows.rows()),
        mean_(linear_algebra::constant(set.rows.cols(), 0)) {
    if (centre) find_mean();
    const Index n = set.rows.rows();
    coordinates_.resize(n, is_rotated_ ? n : set.rows.cols());
    for (Index i = 0; i < n && !is_rotated_; ++i)
      fill(i, coordinates_.data() + i * set.rows.cols());
    if (is_rotated_) find_triangle();
  }

  const Matrix<double>& coordinates() const { return coordinates_; }
  /// Do the coordinates differ from the columns of x?
  bool is_rotated() const { return is_rotated_; }
  const Reals& mean() const { return mean_; }

  /// Returns the weights (d) with the scores ⟨cᵢ, v⟩, for v = Σᵢ aᵢcᵢ up to rounding. For d > n the
  /// weights are Σᵢ aᵢ(xᵢ − x̄). The terms of this sum may cancel; two rounds of refinement then
  /// correct the scores.
  Reals weights(const Reals& v, const Reals& a) const {
    if (!is_rotated_) return v;
    Reals weights = linear_algebra::constant(mean_.size(), 0);
    add_samples(a, weights);
    const Reals wanted = linear_algebra::times(coordinates_, v);
    Reals row(mean_.size());
    for (int round = 0; round < 2; ++round) {
      Reals missing = linear_algebra::constant(wanted.size(), 0);
      for (Index i = 0; i < missing.size(); ++i) {
        if (is_dropped_[i] > 0) continue;
        fill(i, row.data());
        missing[i] = wanted[i] - linear_algebra::dot(row, weights);
      }
      linear_algebra::triangle_of(kept_).solve_transposed(missing.data());
      linear_algebra::triangle_of(kept_).solve(missing.data());
      add_samples(missing, weights);
    }
    return weights;
  }

 private:
  /// Computes x̄. The mean of a constant column is exact.
  void find_mean() {
    Reals pivot = mean_;
    samples::find_pivot(set_.rows, set_.weights, 0, pivot);
    Reals stored = mean_;  // the weight of the rows that store an entry of the column
    double total = 0;
    for (Index i = 0; i < set_.rows.rows(); ++i) {
      const double weight = set_.weight(i);
      if (!(weight > 0)) continue;
      total += weight;
      set_.rows.for_each(i, [&](Index j, double value) {
        mean_[j] += weight * (value - pivot[j]);
        stored[j] += weight;
      });
    }
    for (Index j = 0; j < mean_.size(); ++j)
      mean_[j] = pivot[j] + (mean_[j] - (total - stored[j]) * pivot[j]) / total;
  }

  /// Sets row (d) to xᵢ − x̄, or to 0 for a sample of weight 0.
  void fill(Index i, double* row) const {
    const bool is_present = set_.weight(i) > 0;
    for (Index j = 0; j < mean_.size(); ++j) row[j] = is_present ? -mean_[j] : 0;
    if (is_present) set_.rows.for_each(i, [row](Index j, double value) { row[j] += value; });
  }

  /// Adds Σᵢ aᵢ·(xᵢ − x̄) to `sum`.
  void add_samples(const Reals& a, Reals& sum) const {
    Reals row(mean_.size());
    for (Index i = 0; i < a.size(); ++i) {
      if (a[i] == 0) continue;
      fill(i, row.data());
      linear_algebra::add(a[i], row, sum);
    }
  }

  /// Computes R for d > n, and R without the samples that depend on others up to a relative 1e-6.
  void find_triangle() {
    constexpr Index height = 256;
    const Index n = set_.rows.rows();
    kept_ = Matrix<double>::Zero(n, n);
    for (Index first = 0; first < mean_.size(); first += height) {
      Matrix<double> block = Matrix<double>::Zero(std::min(height, mean_.size() - first), n);
      for (Index i = 0; i < n; ++i) {
        if (!(set_.weight(i) > 0)) continue;
        for (Index k = 0; k < block.rows(); ++k) block(k, i) = -mean_[first + k];
        set_.rows.for_each_between(i, first, first + block.rows(),
                                   [&](Index j, double value) { block(j - first, i) += value; });
      }
      linear_algebra::append_rows(kept_, block);
    }
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) coordinates_(i, j) = kept_(j, i);
    is_dropped_ = linear_algebra::constant(n, 0);
    for (Index j = 0; j < n; ++j) {
      double square = 0;
      for (Index k = 0; k <= j; ++k) square += kept_(k, j) * kept_(k, j);
      if (std::abs(kept_(j, j)) > 1e-6 * std::sqrt(square)) continue;
      linear_algebra::drop_column(kept_, j);
      is_dropped_[j] = 1;
    }
  }

  const samples::TrainingSet<Rows>& set_;
  bool is_rotated_;
  Reals mean_;
  Matrix<double> coordinates_{};
  Matrix<double> kept_{};  // R, with rows and columns of the unit matrix for dropped samples
  Reals is_dropped_{};
};

/// Returns bounds on the errors of the coordinates (r), from the rounding of x and of sums over n
/// or d terms.
template <class Rows>
Vector<double> roundings_of(const RowSpace<Rows>& space, const samples::TrainingSet<Rows>& set) {
  const auto longest = static_cast<double>(std::max(set.rows.rows(), set.rows.cols()));
  const double unit = (8 + 2 * std::sqrt(longest)) * std::numeric_limits<double>::epsilon();
  Vector<double> sizes = space.mean();
  for (Index j = 0; j < sizes.size() && set.origin; ++j) sizes[j] += (*set.origin)[j];
  if (space.is_rotated())
    return linear_algebra::constant(space.coordinates().cols(),
                                    unit * std::sqrt(linear_algebra::squares_of(sizes)));
  for (double& size : sizes) size = unit * std::abs(size);
  return sizes;
}

}  // namespace linea::interior_point
