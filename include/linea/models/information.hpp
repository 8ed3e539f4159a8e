// SPDX-License-Identifier: MIT
#pragma once
/// \file The Fisher information of the weights of a linear model at a solution, and the covariance
/// of the weights.
///
/// With sample weights sᵢ, curvatures cᵢ = sᵢℓ″ ≥ 0, C = Σcᵢ and x̄ = Σcᵢxᵢ/C (0 if the offset is
/// fixed), let M = (1/C) Σ cᵢ(xᵢ − x̄)(xᵢ − x̄)ᵀ and A = M + λ′I with λ′ = λ·Σsᵢ/C. The weights
/// have the covariance σ²A⁻¹MA⁻¹/C, where σ² is the dispersion of Squared and 1 for other losses.
/// If the offset b is free, the score at x̄, b + ⟨w, x̄⟩, is independent of the weights, with
/// variance σ²/C.
#include <cmath>     // hypot, sqrt
#include <concepts>  // same_as
#include <linea/activations/exponential.hpp>
#include <linea/activations/sigmoid.hpp>
#include <linea/linear_algebra/qr.hpp>
#include <linea/losses/composed.hpp>
#include <linea/losses/cross_entropy.hpp>
#include <linea/losses/log.hpp>
#include <linea/losses/poisson.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/least_squares/centred_design.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/penalties/none.hpp>
#include <linea/penalties/penalty_factors.hpp>
#include <linea/samples/training_set.hpp>
#include <utility>  // move

namespace linea::detail {

/// A loss that is, up to a constant, the negative logarithm of a likelihood without further
/// parameters.
template <class L>
concept Likelihood = std::same_as<L, Log> || std::same_as<L, Composed<CrossEntropy, Sigmoid>> ||
    std::same_as<L, Composed<Poisson, Exponential>>;

template <class L>
concept LossWithErrors = std::same_as<L, Squared> || Likelihood<L>;
template <class P>
concept PenaltyWithErrors = std::same_as<P, L2> || std::same_as<P, NoPenalty> ||
    std::same_as<P, PenaltyFactors<L2>> || std::same_as<P, PenaltyFactors<NoPenalty>>;

/// Returns 1 if the loss never rises as the score rises, −1 if it never rises as the score falls,
/// and 0 if neither holds.
inline double way_of(const Log&, double target) { return target; }
inline double way_of(const Composed<CrossEntropy, Sigmoid>&, double target) {
  return target == 1 ? 1 : target == 0 ? -1 : 0;
}
inline double way_of(const Composed<Poisson, Exponential>&, double target) {
  return target == 0 ? -1 : 0;
}
inline double way_of(const Squared&, double) { return 0; }

/// Derivatives of the loss at a solution, for scores pᵢ, targets yᵢ and sample weights sᵢ. All
/// entries of samples of weight 0 are 0.
struct AtSolution {
  Vector<double> slopes;      ///< sᵢℓ′ (n)
  Vector<double> curvatures;  ///< sᵢℓ″ (n)
  Vector<double> ways;        ///< (n), from way_of; 0 if sᵢ = 0
  double squares{0};          ///< Σ sᵢ(pᵢ − yᵢ)²; used for Squared
  double target_squares{0};   ///< Σ sᵢyᵢ²
  double curvature{0};        ///< Σ sᵢℓ″
  Index present{0};           ///< number of samples of weight above 0
  /// Is pᵢ·wayᵢ > 0 for all samples of weight above 0? Always false unless the loss is Log or
  /// Composed{CrossEntropy, Sigmoid}.
  bool separates{false};
};

template <class L, class Rows>
AtSolution at_solution(const L& loss, const samples::TrainingSet<Rows>& set,
                       const Vector<double>& weights, double offset) {
  const Index n = set.rows.rows();
  Vector<double> scores = filled(n, 0.0);
  AtSolution at{scores, scores, scores};
  at.separates = std::same_as<L, Log> || std::same_as<L, Composed<CrossEntropy, Sigmoid>>;
  set.rows.scores(0, n, weights, scores.data());
  for (Index i = 0; i < n; ++i) {
    const double weight = set.weight(i);
    if (!(weight > 0)) continue;
    const double score = scores[i] + offset;
    at.slopes[i] = weight * loss.derivative(score, set.y[i]);
    at.curvatures[i] = weight * loss.second_derivative(score, set.y[i]);
    at.curvature += at.curvatures[i];
    at.squares += weight * (score - set.y[i]) * (score - set.y[i]);
    at.target_squares += weight * set.y[i] * set.y[i];
    at.ways[i] = way_of(loss, set.y[i]);
    at.separates = at.separates && score * at.ways[i] > 0;
    ++at.present;
  }
  return at;
}

/// Returns Σ gᵢ(xᵢ − x̄), (d), for the slopes g (n) and means x̄ (d).
template <class Rows>
Vector<double> centred_sum(const Rows& rows, const Vector<double>& slopes,
                           const Vector<double>& means) {
  Vector<double> sum = filled(rows.cols(), 0.0);
  Vector<double> stored = sum;
  double total = 0;
  for (Index i = 0; i < rows.rows(); ++i) {
    if (slopes[i] == 0) continue;
    total += slopes[i];
    rows.for_each(i, [&](Index j, double value) {
      sum[j] += slopes[i] * (value - means[j]);
      stored[j] += slopes[i];
    });
  }
  for (Index j = 0; j < sum.size(); ++j) sum[j] -= means[j] * (total - stored[j]);
  return sum;
}

/// The information matrices M = RᵀR and A = M + λ′I, for λ′ ≥ 0. If A = M is singular, A⁻¹ stands
/// for a generalised inverse.
template <class Real = double>
class Information {
 public:
  /// Takes R (d × d), the rounding errors `noise` (d) of its columns, and λ′. Limits the rank of M
  /// to `most`. A column of zeros is that of a weight without information, such as a held weight.
  Information(Matrix<Real> r, const Vector<Real>& noise, Index most, double lambda)
      : r_(std::move(r)), lambda_(lambda), scale_(Vector<Real>::Ones(r_.cols())) {
    for (Index j = 0; j < scale_.size(); ++j)
      if (const double norm = r_.col(j).norm(); norm > 0) scale_[j] = 1 / norm;
    linear_algebra::PivotedQr<Real> qr(in_units(r_), noise.cwiseProduct(scale_), most);
    rank_ = qr.rank();
    freedom_ = static_cast<double>(rank_);
    if (!(lambda > 0)) {
      invert(std::move(qr));
      factor_ = inverse_;
      return;
    }
    const Index d = r_.cols();
    Matrix<Real> regular = r_;
    Matrix<Real> rows = Matrix<Real>::Zero(d, d);
    rows.diagonal().setConstant(std::sqrt(lambda));
    linear_algebra::append_rows(regular, rows);
    invert(linear_algebra::PivotedQr<Real>(in_units(regular), Vector<Real>::Zero(d), d));
    const Matrix<Real> hat = r_ * inverse_.transpose();  // H = hat·hatᵀ
    factor_ = hat * inverse_;
    freedom_ = 2 * hat.squaredNorm() - (hat.transpose() * hat).squaredNorm();
  }

  Index rank() const { return rank_; }

  /// Returns a factor K (k × d) with KᵀK = A⁻¹MA⁻¹, which is A⁻¹ if λ′ = 0.
  const Matrix<Real>& factor() const { return factor_; }

  /// Returns whether the minimum determines ⟨v, w⟩, for v (d). With λ′ > 0 this is always true.
  bool decides(const Vector<Real>& v) const {
    if (lambda_ > 0) return true;
    for (Index j = 0; j < v.size(); ++j)
      if (v[j] != 0 && r_.col(j).isZero(0)) return false;  // a column of zeros has no scale
    const Vector<Real> scaled = scale_.cwiseProduct(v);
    const double all = scaled.squaredNorm();
    return all == 0 || (basis_ * scaled).squaredNorm() >= (1 - tolerance()) * all;
  }

  /// Returns the part of v, a direction of the weights (d), that the samples do not determine.
  /// Requires λ′ = 0.
  Vector<Real> undecided(const Vector<Real>& v) const {
    const Vector<Real> scaled = v.cwiseQuotient(scale_);
    return scale_.cwiseProduct(scaled - basis_.transpose() * (basis_ * scaled));
  }

  /// Returns A⁻¹g for g (d).
  Vector<Real> solve(const Vector<Real>& g) const { return inverse_.transpose() * (inverse_ * g); }

  /// Returns the degrees of freedom of the weights: tr(2H − H²) for the matrix H = Z·A⁻¹·Zᵀ with M
  /// = ZᵀZ, which maps targets to predictions (Hastie and Tibshirani, Generalized Additive Models,
  /// 1990, section 3.5).
  double freedom() const { return freedom_; }

  /// Returns whether λ′ is above the rounding error of M; otherwise the weights of dependent
  /// columns are only rounding error. Returns true if λ′ = 0, or if the columns of M that are not 0
  /// are independent.
  bool is_resolved() const {
    const Vector<Real> squares = r_.colwise().squaredNorm();
    return !(lambda_ > 0) || rank_ == (squares.array() > 0).count() ||
           lambda_ > 1e-10 * squares.maxCoeff();
  }

 private:
  static double tolerance() { return 1e-9; }

  ColumnMatrix<Real> in_units(const Matrix<Real>& r) const { return r * scale_.asDiagonal(); }

  /// Computes inverse_ and basis_ from the QR decomposition of the columns times `scale_`: the
  /// results do not depend on the units of the columns.
  void invert(linear_algebra::PivotedQr<Real>&& qr) {
    const Index d = r_.cols();
    const Index rank = qr.rank();
    inverse_.setZero(rank, d);
    basis_.setZero(rank, d);
    if (rank == 0) return;
    const linear_algebra::CompleteOrthogonal<Real> factors(std::move(qr));
    Vector<Real> inner(d);
    for (Index j = 0; j < d; ++j) {
      const Vector<Real> unit = Vector<Real>::Unit(d, j);
      factors.inwards(unit.data(), inner.data());
      basis_.col(j) = inner.head(rank);
      factors.solve(inner.data());
      inverse_.col(j) = scale_[j] * inner.head(rank);
    }
  }

  Matrix<Real> r_;
  double lambda_;
  Vector<Real> scale_;  // inverse norms of the columns of R, or 1 for a norm of 0
  Index rank_{0};
  double freedom_{0};
  Matrix<Real> factor_{};
  Matrix<Real> inverse_{};  // A⁻¹ is inverse_ᵀ·inverse_
  Matrix<Real> basis_{};  // (rank × d), orthonormal; if λ′ = 0, spans the rows of R·diag(scale_)
};

/// Returns the rounding errors of the columns of a design, (d), by the same estimate as the exact
/// solvers of least squares.
template <class Rows>
Vector<double> noise_of(const least_squares::CentredDesign<Rows>& design, const Matrix<double>& r) {
  Vector<double> noise = design.mean();
  for (Index j = 0; j < noise.size(); ++j)
    noise[j] = design.rounding() * std::hypot(noise[j], r.col(j).norm());
  return noise;
}

}  // namespace linea::detail
