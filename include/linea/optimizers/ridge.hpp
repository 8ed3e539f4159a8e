// SPDX-License-Identifier: MIT
#pragma once
/// \file Least squares and ridge regression in closed form: the minimum itself, not a path to it.
#include <Eigen/Cholesky>
#include <algorithm>  // max, min
#include <cmath>
#include <limits>
#include <linea/core/solution.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/least_squares/centred_design.hpp>
#include <linea/optimizers/numerics/minimum_norm.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/penalties/none.hpp>
#include <string_view>
#include <type_traits>  // common_type

namespace linea {

/// How the normal equations A·w = b, A = λI + XᵀX/n, were solved.
enum class Factorization {
  cholesky,  ///< of A, with two rounds of refinement: A is well conditioned
  qr,        ///< orthogonal, of the samples with √λ·I below them; A was never trusted
};

constexpr std::string_view name_of(Factorization factorization) {
  return factorization == Factorization::cholesky ? "cholesky" : "qr";
}

/// The exact minimum and what is known of the equations behind it. For targets y (n × k) the
/// weights are (d × k) and the offset a vector (k); the objective is then the sum over the k
/// targets.
template <class T, class W = Vector<T>, class Offset = T>
struct RidgeSolution : Solution<T, W, Offset> {
  Factorization factorization{Factorization::cholesky};
  double reciprocal_condition{0};  ///< of A, or of ZZᵀ + λI when d > n; an estimate in the 1-norm
  /// Below d at λ = 0: the weights are the solution of smallest norm. If dual, the rank of Z for
  /// any λ where R was taken.
  Index rank{0};
  bool dual{false};  ///< solved as n equations, one a sample, rather than d
};

/// Minimises the mean of ½(⟨w, xᵢ⟩ + b − yᵢ)² plus λ/2·‖w‖², weighted if weights are given. With λ
/// = 0 this is linear least squares; when columns are then dependent (always if d > n), the answer
/// is the one of smallest norm, 0 in directions without data, and `rank` says so.
///
/// Cost: O(n·d²) for d ≤ n, O(n²·d) for d > n, O(min(n, d)²) memory beside x. x is read in place;
/// the offset is eliminated by centring on the fly (a sparse x stays sparse) and is never
/// penalised.
struct Ridge {
  static constexpr std::string_view name = "Ridge";

  bool offset{true};  ///< fit b, or leave it 0

  /// x (n × d), y (n) or y (n × k) for k targets at once; sums are kept in double for float x too.
  /// Of the extras the sample weights count, and an observer is told once, at the end; a start is
  /// not needed and makes no difference. Throws std::invalid_argument on input that is not
  /// well-formed.
  template <Samples X, DenseExpression Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  auto minimize(const Objective<Squared, L2>& objective, const X& x, const Y& y,
                const E& given = {}) const {
    return run(objective, x, y, extras_of<scalar_t<X>>(given));
  }

  /// Plain least squares.
  template <Samples X, DenseExpression Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  auto minimize(const Objective<Squared, NoPenalty>&, const X& x, const Y& y,
                const E& given = {}) const {
    return run(Objective<Squared, L2>{}, x, y, extras_of<scalar_t<X>>(given));
  }

 private:
  template <class Real>
  using Columns = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

  template <class X, class Y, class T = scalar_t<X>>
  auto run(const Objective<Squared, L2>& objective, const X& x, const Y& y,
           const Extras<T>& extras) const {
    using Real = std::common_type_t<T, double>;
    constexpr std::string_view function = "Ridge::minimize";
    core::require_valid(function, objective);
    require(x.rows() == y.rows() || (VectorLike<Y> && x.rows() == y.size()), function, ": x has ",
            x.rows(), " rows but y has ", VectorLike<Y> ? y.size() : y.rows());
    Columns<Real> targets;
    if constexpr (bool(Y::IsVectorAtCompileTime)) {
      targets.resize(y.size(), 1);
      for (Index i = 0; i < y.size(); ++i) targets(i, 0) = static_cast<double>(y[i]);
    } else {
      targets = y.derived().template cast<Real>();
    }
    require(targets.cols() > 0, function, ": y has no columns");
    for (Index k = 0; k < targets.cols(); ++k)
      for (Index i = 0; i < targets.rows(); ++i)
        require(std::isfinite(targets(i, k)), function, ": y(", i, ", ", k, ") is not finite");
    const auto set =
        samples::admit_samples(function, x, Vector<T>::Zero(x.rows()), extras.sample_weights);
    const Fit<Real> fit = solve(set, std::move(targets), objective.penalty.lambda);

    const auto report = [&](auto solution) {
      const bool finite =
          solution.weights.allFinite() && std::isfinite(fit.objective) && fit.offset.allFinite();
      solution.status = finite ? Status::converged : Status::diverged;
      solution.objective = fit.objective;
      solution.factorization = fit.factorization;
      solution.reciprocal_condition = fit.reciprocal_condition;
      solution.rank = fit.rank;
      solution.dual = fit.dual;
      solution.optimizer = name;
      report_once(extras, solution);
      return solution;
    };
    if constexpr (bool(Y::IsVectorAtCompileTime)) {
      RidgeSolution<T> solution;
      solution.weights = fit.weights.col(0).template cast<T>();
      solution.offset = static_cast<T>(fit.offset[0]);
      return report(std::move(solution));
    } else {
      RidgeSolution<T, Matrix<T>, Vector<T>> solution;
      solution.weights = fit.weights.template cast<T>();
      solution.offset = fit.offset.template cast<T>();
      return report(std::move(solution));
    }
  }

  template <class Real>
  struct Fit {
    Columns<Real> weights;
    Vector<Real> offset;
    double objective{0};
    Factorization factorization{Factorization::cholesky};
    double reciprocal_condition{0};
    Index rank{0};
    bool dual{false};
  };

  template <class Rows, class Real>
  Fit<Real> solve(const samples::TrainingSet<Rows>& set, Columns<Real> y, double lambda) const {
    least_squares::NormalEquationsOf<Real> equations;
    const least_squares::CentredDesign<Rows> design(set, offset, y, equations);
    y = design.root().asDiagonal() * (y.rowwise() - equations.target_mean);

    Fit<Real> fit;
    fit.dual = design.cols() > design.rows();
    if (!by_cholesky(design, equations, y, lambda, fit)) {
      by_qr(design, y, lambda, fit);
      design.clear_constant(fit.weights);
      fit.objective = 0.5 * (design.apply(fit.weights) - y).squaredNorm() +
                      0.5 * lambda * fit.weights.squaredNorm();
    }
    fit.offset = equations.target_mean.transpose() - fit.weights.transpose() * design.mean();
    return fit;
  }

  /// False when A is not positive definite, or so ill conditioned that more than half of the digits
  /// would go: relative error ε/rcond above 1e-8.
  template <class Design, class Real>
  static bool by_cholesky(const Design& design, least_squares::NormalEquationsOf<Real>& equations,
                          const Columns<Real>& y, double lambda, Fit<Real>& fit) {
    equations.product.diagonal().array() += lambda;
    const Eigen::LLT<Columns<Real>> factor(equations.product);
    fit.reciprocal_condition = factor.info() == Eigen::Success ? factor.rcond() : 0;
    if (!(std::numeric_limits<double>::epsilon() < 1e-8 * fit.reciprocal_condition)) return false;
    fit.factorization = Factorization::cholesky;
    fit.rank = equations.product.rows();
    // Residuals are taken from the samples, not from A, so refinement also repairs the rounding of
    // A.
    const auto solve = [&](const Columns<Real>& right) {
      Columns<Real> solution(right.rows(), right.cols());
      for (Index k = 0; k < right.cols(); ++k)
        solution.col(k) = factor.solve(Vector<Real>(right.col(k)));
      return solution;
    };
    Columns<Real> solution = solve(equations.right);
    if (fit.dual) {
      for (int round = 0; round < 2; ++round)
        solution +=
            factor.solve(y - design.apply(design.apply_transposed(solution)) - lambda * solution);
      fit.weights = design.apply_transposed(solution);
      fit.objective = 0.5 * (design.apply(fit.weights) - y).squaredNorm() +
                      0.5 * lambda * fit.weights.squaredNorm();
      return true;
    }
    Columns<Real> descent;
    for (int round = 0;; ++round) {
      fit.objective =
          0.5 * design.residual(y, solution, descent) + 0.5 * lambda * solution.squaredNorm();
      if (round == 2) break;
      descent -= lambda * solution;
      const Columns<Real> correction = solve(descent);
      solution += correction;
      // The next correction would be as much smaller again, and what this one takes from the
      // objective is known better than the objective itself.
      const double gain = 0.5 * correction.cwiseProduct(descent).sum();
      if (gain <= 1e-10 * fit.objective &&
          (correction.colwise().norm().array() <= 1e-8 * solution.colwise().norm().array()).all()) {
        fit.objective -= gain;
        break;
      }
    }
    design.clear_constant(solution);
    fit.weights = std::move(solution);
    return true;
  }

  /// From R of the QR decomposition of [Z; √λ·I], or of Zᵀ in the dual form, built up block by
  /// block: R is all that is kept. A rank-revealing decomposition of R gives the minimum-norm
  /// answer; in the dual form w = Zᵀ(RᵀR + λI)⁻¹y, whose error grows with the condition of Z and
  /// not with its square (Demmel and Higham, SIAM J. Matrix Anal. Appl. 14 (1993)). What of y lies
  /// beyond the span of Z is left out: over a small λ, rounding of it would be all of w.
  template <class Design, class Real>
  static void by_qr(const Design& design, const Columns<Real>& y, double lambda, Fit<Real>& fit) {
    const Index size = fit.dual ? design.rows() : design.cols();
    const Index length = fit.dual ? design.cols() : design.rows();
    const Index targets = fit.dual ? 0 : y.cols();
    Matrix<Real> r = Matrix<Real>::Zero(size, size + targets);  // R, and Qᵀy beside it
    Matrix<Real> block;
    for (Index first = 0; first < length; first += Design::block_rows) {
      const Index count = std::min(Design::block_rows, length - first);
      design.fill(first, count, fit.dual, block);
      block.conservativeResize(count, size + targets);
      if (targets > 0) block.rightCols(targets) = y.middleRows(first, count);
      numerics::append_rows(r, block);
    }
    if (lambda > 0 && !fit.dual) {
      block = Matrix<Real>::Zero(size, size + targets);
      block.diagonal().setConstant(std::sqrt(lambda));
      numerics::append_rows(r, block);
    }
    const numerics::MinimumNorm factor(
        Columns<Real>(r.leftCols(size)),
        std::numeric_limits<double>::epsilon() * static_cast<double>(std::max(size, length)));
    fit.factorization = Factorization::qr;
    fit.rank = factor.rank();
    fit.weights.resize(size, y.cols());
    for (Index k = 0; k < y.cols(); ++k)
      fit.weights.col(k) =
          fit.dual ? factor.solve_squared(y.col(k), lambda) : factor.solve(r.col(size + k));
    if (fit.dual) fit.weights = design.apply_transposed(fit.weights);
  }
};

}  // namespace linea
