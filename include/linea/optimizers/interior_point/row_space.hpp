// SPDX-License-Identifier: MIT
#pragma once
/// \file Samples in coordinates of their span: min(n, d) numbers for each sample, unless the d
/// columns of x are required.
#include <cmath>  // abs, sqrt
#include <linea/linear_algebra/matrix_vector.hpp>
#include <linea/linear_algebra/qr.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/optimizers/least_squares/centred_design.hpp>

namespace linea::detail::interior_point {

/// What a program needs of a RowSpace, whatever the type of the rows.
class Coordinates {
 public:
  Coordinates() = default;
  Coordinates(const Coordinates&) = delete;
  virtual ~Coordinates() = default;

  /// Returns C (n × r).
  const Matrix<double>& coordinates() const { return coordinates_; }
  /// Is C = Rᵀ? Else the rows of C are the centred samples.
  bool is_rotated() const { return is_rotated_; }
  /// Returns x̄ (d).
  const Vector<double>& mean() const { return mean_; }
  /// Returns a bound on the errors of the entries of each column of C (r): the errors are due to
  /// the rounding of x and of sums of n or d terms.
  const Vector<double>& roundings() const { return roundings_; }

  /// Returns the weights (d) for which the centred samples have the scores ⟨cᵢ, v⟩. `a` (n) must
  /// satisfy v = Σᵢ aᵢcᵢ up to rounding.
  virtual Vector<double> weights(const Vector<double>& v, const Vector<double>& a) const = 0;

 protected:
  Matrix<double> coordinates_{};
  bool is_rotated_{false};
  Vector<double> mean_{}, roundings_{};
};

/// A matrix C (n × r), r = min(n, d), whose rows cᵢ have the inner products of the centred samples
/// xᵢ − x̄. For d ≤ n the rows are the centred samples themselves. For d > n, C = Rᵀ, where R is
/// from the QR decomposition of the (d × n) matrix whose columns are the centred samples: O(n²·d)
/// operations, and O(n²) memory. A sample of weight 0 has a row of zeros.
template <class Rows>
class RowSpace final : public Coordinates {
  using Reals = Vector<double>;
  using Columns = detail::ColumnMatrix<double>;

 public:
  /// Without `centre`, x̄ = 0. With `whole` the rows are the centred samples even if d > n: a
  /// penalty that does not depend on ‖w‖ alone requires this. The samples must outlive this object.
  RowSpace(const samples::TrainingSet<Rows>& set, bool centre, bool whole = false)
      : design_(set, centre) {
    is_rotated_ = !whole && set.rows.cols() > set.rows.rows();
    mean_ = design_.mean();
    design_.ignore_weights();
    if (is_rotated_)
      find_triangle();
    else
      design_.fill(0, design_.rows(), false, coordinates_);
    find_roundings(set.origin.get());
  }

  /// The weights are v or, if C = Rᵀ, Σᵢ aᵢ(xᵢ − x̄). The terms of this sum may cancel, so two
  /// rounds of refinement correct the scores.
  Reals weights(const Reals& v, const Reals& a) const override {
    if (!is_rotated_) return v;
    Columns weights = design_.apply_transposed(Columns(a));
    const Reals wanted = linear_algebra::times(coordinates_, v);
    for (int round = 0; round < 2; ++round) {
      Columns missing = design_.apply(weights);
      for (Index i = 0; i < wanted.size(); ++i)
        missing(i, 0) = is_dropped_[i] > 0 ? 0 : wanted[i] - missing(i, 0);
      linear_algebra::triangle_of(kept_).solve_transposed(missing.data());
      linear_algebra::triangle_of(kept_).solve(missing.data());
      linear_algebra::add(1, design_.apply_transposed(missing), weights);
    }
    return linear_algebra::column_of(weights, 0);
  }

 private:
  /// Computes R, and R without the samples whose distance from the span of earlier samples is at
  /// most 1e-6 of their norm.
  void find_triangle() {
    const Index n = design_.rows();
    double beyond = 0;
    kept_ = design_.triangle(true, {}, beyond);
    coordinates_.resize(n, n);
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

  void find_roundings(const Reals* origin) {
    const double unit = design_.rounding();
    roundings_ = mean_;
    if (origin) linear_algebra::add(1, *origin, roundings_);
    if (is_rotated_)
      roundings_ = linear_algebra::constant(
          coordinates_.cols(), unit * std::sqrt(linear_algebra::squares_of(roundings_)));
    else
      for (double& size : roundings_) size = unit * std::abs(size);
  }

  least_squares::CentredDesign<Rows> design_;
  Matrix<double> kept_{};  // R, with rows and columns of the unit matrix for dropped samples
  Reals is_dropped_{};
};

}  // namespace linea::detail::interior_point
