// SPDX-License-Identifier: MIT
#pragma once
/// \file Ridge regression for many λ from one spectrum. Where a solution has a large error bound, a
/// QR decomposition replaces it.
#include <algorithm>  // max, min
#include <cmath>
#include <limits>
#include <linea/optimizers/least_squares/ridge_by_qr.hpp>
#include <linea/optimizers/least_squares/spectrum.hpp>
#include <optional>
#include <utility>  // move
#include <vector>

namespace linea::detail::least_squares {

template <class Rows>
class SpectralPath {
 public:
  /// Decomposes A for targets y (n × 1). All λ must be at least `least`; if `relative`, `least` is
  /// a multiple of the largest eigenvalue. Rounds solutions to float if `single`. `left_out`: will
  /// the caller compute leave-one-out errors? These need a diagonal spectrum.
  SpectralPath(const samples::TrainingSet<Rows>& set, bool centred, const Columns& y, bool left_out,
               bool relative, double least, bool single, Index threads = 1)
      : y_(y),
        equations_(normal_equations(set, centred, y_, threads)),
        free_(equations_.freedom(centred)),
        t_(equations_.targets),
        answers_(equations_, y_, single),
        single_(single),
        spectrum_(equations_, t_, centred,
                  // With at most d samples of positive weight (d + 1 with an offset), residuals may
                  // be tiny. Only the eigenvectors distinguish tiny residuals from rounding errors.
                  left_out || (design().cols() <= design().rows() && free_ <= design().cols()),
                  relative, least) {}

  SpectralPath(const SpectralPath&) = delete;

  const CentredDesign<Rows>& design() const { return equations_.design; }
  const Spectrum& spectrum() const { return spectrum_; }
  Reals targets() const { return linear_algebra::column_of(t_, 0); }
  Index free() const { return free_; }

  /// Weights (d × m) for m values of λ, and ‖Zw − t‖² (m) for these weights, divided by λ² if
  /// `interpolates`.
  struct Answers {
    Columns weights{};
    Reals squares{};
    bool interpolates{false};

    double objective(Index k, double lambda) const {
      return 0.5 * (interpolates ? lambda * lambda : 1.0) * squares[k] +
             0.5 * lambda * linear_algebra::squares_of(linear_algebra::column_of(weights, k));
    }
  };

  Answers solve(const std::vector<double>& lambdas) const {
    Answers answers;
    const Columns x = spectrum_.solve(lambdas);
    answers.weights = spectrum_.outwards(x);
    if (spectrum_.is_dual()) answers.weights = design().apply_transposed(answers.weights);
    answers.interpolates =
        spectrum_.interpolates() &&
        (spectrum_.is_dual() || (spectrum_.is_diagonal() && spectrum_.is_resolved()));
    answers.squares.resize(x.cols());
    for (Index k = 0; k < x.cols() && answers.interpolates; ++k)
      answers.squares[k] = spectrum_.scaled_square(x, k);
    if (!answers.interpolates) find_residuals(lambdas, x, answers);
    return answers;
  }

  /// Returns solution k with its offset, F and status. Recomputes the solution by QR if its error
  /// bound is large.
  RidgeFit finished(const Answers& found, Index k, double lambda) const {
    RidgeFit fit;
    fit.weights = linear_algebra::column_of(found.weights, k);
    fit.objective = found.objective(k, lambda);
    fit.minimum = fit.objective - doubt(lambda, fit.weights);
    Columns step = fit.weights;
    answers_.round(fit.weights);
    if (spectrum_.decomposition() == Decomposition::eigenvalues) {
      linear_algebra::add(-1, fit.weights, step);
      if (single_) fit.objective += rise(step, lambda);
      answers_.finish(fit);
    } else {
      answers_.finish_exactly(lambda, fit);
    }
    if (fit.status != Status::converged) {
      if (!exact_) exact_.emplace(equations_, answers_);
      auto other = exact_->solve(lambda, spectrum_.reciprocal_condition(), free_);
      if (other.status == Status::converged || !fit.is_finite() || other.objective < fit.objective)
        fit = std::move(other);
    }
    answers_.prefer_constant(fit);
    return fit;
  }

 private:
  /// Returns a bound on the suboptimality that rounding causes. Assumes that the weights are the
  /// exact solution for a perturbed A, or Z, with the worst perturbation of the size of rounding
  /// errors.
  double doubt(double lambda, const Columns& weights) const {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    const double largest = spectrum_.largest();
    const double length = linear_algebra::squares_of(weights);
    if (spectrum_.rank() == 0) return 0;
    if (spectrum_.decomposition() == Decomposition::eigenvalues) {
      const double error = 4 * epsilon * (1 + equations_.mean_shift) * largest;
      return 0.5 * error * error * length / (spectrum_.smallest() + lambda);
    }
    const double error = 8 * epsilon * std::sqrt(static_cast<double>(spectrum_.rank()));
    const double rounding = 0.5 * error * error * largest * length;
    if (spectrum_.rank() == std::min({free_, design().cols(), design().rows()})) return rounding;
    const auto longest = static_cast<double>(std::max(design().rows(), design().cols()));
    const double left_out = 1e4 * epsilon * longest * epsilon * longest * largest;
    return rounding +
           0.5 * linear_algebra::squares_of(t_) * (lambda > left_out ? left_out / lambda : 1.0);
  }

  /// Returns the increase of F by a step (d × 1) from its minimum.
  double rise(const Columns& step, double lambda) const {
    double square = lambda * linear_algebra::squares_of(step);
    if (spectrum_.is_dual())
      return 0.5 * (square + linear_algebra::squares_of(design().apply(step)));
    const Columns& product = equations_.product;
    for (Index j = 0; j < product.cols(); ++j)
      for (Index i = j; i < product.rows(); ++i)
        square += (i == j ? 1 : 2) * product(i, j) * step(i, 0) * step(j, 0);
    return 0.5 * square;
  }

  /// Computes ‖Zw − t‖² for each λ. If d ≤ n, computes the value for the smallest λ from the
  /// samples. For every other λ, adds positive terms to this value.
  void find_residuals(const std::vector<double>& lambdas, const Columns& x,
                      Answers& answers) const {
    const auto lambda = [&](Index k) { return lambdas[static_cast<std::size_t>(k)]; };
    const auto missing = [&](const Columns& fitted) {
      double sum = 0;
      for (Index i = 0; i < t_.rows(); ++i) {
        const double left = t_(i, 0) - fitted(i, 0);
        sum += left * left;
      }
      return sum;
    };
    if (spectrum_.is_dual()) {
      const double beyond = missing(spectrum_.outwards(spectrum_.right()));
      for (Index k = 0; k < x.cols(); ++k)
        answers.squares[k] = lambda(k) * lambda(k) * spectrum_.scaled_square(x, k) + beyond;
      return;
    }
    Index base = 0;
    for (Index k = 1; k < x.cols(); ++k)
      if (lambda(k) < lambda(base)) base = k;
    const double least = missing(design().apply(linear_algebra::column_of(answers.weights, base)));
    const Reals of_base = linear_algebra::column_of(x, base);
    for (Index k = 0; k < x.cols(); ++k) {
      Reals step = of_base;
      linear_algebra::add(-1, linear_algebra::column_of(x, k), step);
      answers.squares[k] =
          least + 2 * lambda(base) * linear_algebra::dot(step, of_base) + spectrum_.square_of(step);
    }
  }

  Columns y_;
  NormalEquations<Rows> equations_;
  Index free_;
  const Columns& t_;
  RidgeAnswers<Rows> answers_;
  bool single_;
  Spectrum spectrum_;
  mutable std::optional<RidgeByQr<Rows>> exact_{};  // factorised on first use
};

}  // namespace linea::detail::least_squares
