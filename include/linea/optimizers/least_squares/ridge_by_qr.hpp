// SPDX-License-Identifier: MIT
#pragma once
/// \file Ridge regression by QR decomposition, where the normal equations would lose too many
/// digits.
#include <algorithm>  // copy, max, min
#include <cmath>
#include <linea/linear_algebra/qr.hpp>
#include <linea/optimizers/least_squares/ridge_fit.hpp>
#include <utility>  // move

namespace linea::detail::least_squares {

/// Ridge regression for any λ, with one design Z and targets t (n × k), both centred. The error
/// grows with the condition number of Z, not with its square (Demmel and Higham, SIAM J. Matrix
/// Anal. Appl. 14 (1993)).
/// - For d ≤ n this uses R (d × d) of the QR decomposition of Z, and Qᵀt: min ‖Rw − Qᵀt‖² + λ‖w‖².
/// - For d > n this uses R (n × n) of the QR decomposition of Zᵀ, computed by blocks: w = Qv for
///   min ‖Rᵀv − t‖² + λ‖v‖². Some a satisfies v = Ra, and then w = Zᵀa.
///
/// A remainder in the pivoted QR decomposition of R or Rᵀ counts as 0 if it is at most the rounding
/// error of the uncentred columns. If the solution has not converged, for example because it
/// overflows the caller's scalar type, `solve` also tries 10⁴ and 10⁸ times this rounding error,
/// and keeps the solution with the least F.
template <class Rows>
class RidgeByQr {
 public:
  /// The arguments must outlive this object.
  RidgeByQr(const NormalEquations<Rows>& equations, const RidgeAnswers<Rows>& answers)
      : design_(equations.design),
        answers_(answers),
        dual_(equations.is_dual()),
        right_(equations.targets) {
    const Columns& t = equations.targets;
    const Matrix<double> r = design_.triangle(dual_, t, beyond_);
    const Index size = r.rows();
    kept_.resize(size, size);
    for (Index i = 0; i < size; ++i)
      for (Index j = 0; j < size; ++j) (dual_ ? kept_(j, i) : kept_(i, j)) = j >= i ? r(i, j) : 0;
    if (dual_) return;
    right_ = Columns(size, t.cols());  // not resize(): Eigen's frees twice if memory runs out
    for (Index i = 0; i < size; ++i)
      for (Index k = 0; k < t.cols(); ++k) right_(i, k) = r(i, size + k);
  }

  /// Returns the fit for λ, with a rank of at most `free`. `condition` is the reciprocal condition
  /// of the normal equations, which the fit reports.
  RidgeFit solve(double lambda, double condition, Index free) const {
    RidgeFit best;
    double minimum = 0;
    for (const double factor : {1.0, 1e4, 1e8}) {
      const linear_algebra::CompleteOrthogonal<> factors(
          linear_algebra::PivotedQr<>(kept_, noise(factor), free));
      double left = beyond_;
      RidgeFit fit;
      fit.weights = weights_of(factors, lambda, left);
      if (factor == 1)
        minimum = 0.5 * (lambda > 0                       ? least(lambda)
                         : dual_ && factors.rank() < free ? std::min(left, unreached(free))
                                                          : left);
      fit.minimum = minimum;
      fit.rank = factors.rank();
      answers_.round(fit.weights);
      answers_.finish_exactly(lambda, fit);
      if (factor == 1 || fit.objective < best.objective || !best.is_finite()) best = std::move(fit);
      if (best.status == Status::converged || factors.rank() == 0) break;
    }
    best.factorization = Factorization::qr;
    best.reciprocal_condition = condition;
    best.dual = dual_;
    return best;
  }

 private:
  /// Returns the rounding error of each column of R or Rᵀ, times `factor`.
  Reals noise(double factor) const {
    Reals noise(kept_.cols());
    for (Index j = 0; j < noise.size(); ++j) {
      const double* column = kept_.data() + j * kept_.rows();
      noise[j] = std::sqrt(linear_algebra::dot(column, column, kept_.rows()));
    }
    const double most = linear_algebra::largest_of(noise.data(), noise.size());
    const Reals means = design_.mean();
    const double mean = std::sqrt(linear_algebra::squares_of(means));
    for (Index j = 0; j < noise.size(); ++j)
      noise[j] = factor * design_.rounding() *
                 (dual_ ? std::hypot(mean, most) : std::hypot(means[j], noise[j]));
    return noise;
  }

  /// Returns the weights (d × k). Adds the squared norm of the part of the targets outside the
  /// range of Z to `left`.
  Columns weights_of(const linear_algebra::CompleteOrthogonal<>& factors, double lambda,
                     double& left) const {
    Columns weights = solved(factors, right_, lambda, left);
    if (dual_) {
      Columns a = weights;
      weights = design_.apply_transposed(a);
      // The terms of Zᵀa may cancel. Two rounds of refinement correct the rounding errors.
      for (int round = 0; round < 2; ++round) {
        Columns missing = right_;
        linear_algebra::add(-1, design_.apply(weights), missing);
        linear_algebra::add(-lambda, a, missing);
        double rest = 0;
        const Columns step = solved(factors, missing, lambda, rest);
        linear_algebra::add(1, step, a);
        linear_algebra::add(1, design_.apply_transposed(step), weights);
      }
    }
    return weights;
  }

  /// Returns the weights for the right-hand side b or, for d > n, the a with the weights Zᵀa. Adds
  /// to `left` as `weights_of` does.
  Columns solved(const linear_algebra::CompleteOrthogonal<>& factors, const Columns& b,
                 double lambda, double& left) const {
    Columns found(kept_.cols(), b.cols());
    for (Index k = 0; k < b.cols(); ++k) {
      Reals v = factors.solve(linear_algebra::column_of(b, k), lambda, left);
      if (dual_) v = factors.solve_transposed(v);
      std::copy(v.data(), v.data() + v.size(), found.data() + k * v.size());
    }
    return found;
  }

  /// Returns the squared norm of the part of the targets outside the range of Z, for d > n and λ =
  /// 0. Normalises the columns of Z: short ones could pass for rounding errors of far longer ones.
  double unreached(Index free) const {
    const Index n = kept_.cols();
    auto r = linear_algebra::zeros<Matrix<double>>(n, n);
    Matrix<double> block;
    for (Index first = 0; first < design_.cols(); first += design_.block_rows) {
      design_.fill(first, std::min(design_.block_rows, design_.cols() - first), true, block);
      for (Index j = 0; j < block.rows(); ++j) {
        double* const column = block.data() + j * n;
        const double length = std::sqrt(linear_algebra::dot(column, column, n));
        for (Index i = 0; i < n && length > 0; ++i) column[i] /= length;
      }
      linear_algebra::append_rows(r, block);
    }
    Columns a(n, n);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) a(j, i) = j >= i ? r(i, j) : 0;
    const double noise = design_.rounding() * std::sqrt(static_cast<double>(design_.cols()));
    const linear_algebra::CompleteOrthogonal<> factors(
        linear_algebra::PivotedQr<>(std::move(a), linear_algebra::constant(n, noise), free));
    double left = 0;
    static_cast<void>(solved(factors, right_, 0, left));
    return left;
  }

  /// Returns twice the minimum of F for λ > 0, where the rank does not matter.
  double least(double lambda) const {
    const Index size = kept_.cols();
    Matrix<double> rows(size, size + right_.cols());
    for (Index i = 0; i < size; ++i)
      for (Index j = 0; j < rows.cols(); ++j)
        rows(i, j) = j < size ? kept_(i, j) : right_(i, j - size);
    linear_algebra::append_to_diagonal(lambda, rows);
    double sum = beyond_;
    for (Index i = 0; i < size; ++i)
      for (Index k = size; k < rows.cols(); ++k) sum += rows(i, k) * rows(i, k);
    return sum;
  }

  const CentredDesign<Rows>& design_;
  const RidgeAnswers<Rows>& answers_;
  bool dual_;
  Columns kept_{};
  Columns right_;
  double beyond_{0};
};

}  // namespace linea::detail::least_squares
