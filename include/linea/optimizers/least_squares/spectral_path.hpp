// SPDX-License-Identifier: MIT
#pragma once
/// \file Ridge regression for many λ from one spectrum, each answer held against what rounding may
/// have made of it, and found by QR where that is too much.
#include <algorithm>  // max, min, min_element
#include <cmath>
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/optimizers/least_squares/exact_ridge.hpp>
#include <linea/optimizers/least_squares/spectrum.hpp>
#include <utility>  // move
#include <vector>

namespace linea::least_squares {

template <class Rows>
class SpectralPath {
  using Real = core::DoubleFor<Rows>;
  using Terms = Eigen::Array<Real, Eigen::Dynamic, 1>;

 public:
  /// For targets y (n × 1). λ will be no less than `least`, which is in units of the largest
  /// eigenvalue if `relative`. Answers are rounded to float where `single`. The rows stand for
  /// `present` samples of positive weight, see NormalEquations.
  SpectralPath(const samples::TrainingSet<Rows>& set, bool centred, const Columns<Real>& y,
               bool left_out, bool relative, double least, bool single, Index threads = 1,
               Index present = -1)
      : y_(y),
        equations_(standing_for(present, normal_equations(set, centred, y_, threads))),
        free_(equations_.freedom(centred)),
        t_(equations_.centred(y_)),
        answers_(equations_, y_, t_, single),
        single_(single),
        spectrum_(equations_, t_.col(0), centred,
                  // As many weights as equations: small errors are told from rounding by the
                  // eigenvectors alone.
                  left_out || (design().cols() <= design().rows() && free_ <= design().cols()),
                  relative, least),
        exact_(equations_, answers_, t_, centred) {}

  SpectralPath(const SpectralPath&) = delete;

  const NormalEquations<Rows>& equations() const { return equations_; }
  const CentredDesign<Rows>& design() const { return equations_.design; }
  const Spectrum<double>& spectrum() const { return spectrum_; }
  Vector<Real> targets() const { return t_.col(0); }
  Index free() const { return free_; }

  /// Weights (d × m) of λ (m), and ‖Zw − t‖² (m) there, over λ² if `interpolates`.
  struct Answers {
    Columns<Real> weights{};
    Vector<Real> squares{};
    bool interpolates{false};

    double objective(Index k, double lambda) const {
      return 0.5 * (interpolates ? lambda * lambda : 1.0) * squares[k] +
             0.5 * lambda * weights.col(k).squaredNorm();
    }
  };

  Answers solve(const std::vector<double>& lambdas) const {
    Answers answers;
    const Columns<Real> x = spectrum_.solve(lambdas);
    answers.weights = spectrum_.outwards(x);
    if (spectrum_.is_dual()) answers.weights = design().apply_transposed(answers.weights);
    design().clear_constant(answers.weights);
    answers.interpolates =
        spectrum_.interpolates() &&
        (spectrum_.is_dual() || (spectrum_.is_diagonal() && spectrum_.is_resolved()));
    answers.squares = answers.interpolates ? spectrum_.scaled_squares(x)
                                           : residual_squares(lambdas, x, answers.weights);
    return answers;
  }

  /// Answer k as it is returned: with its offset, F and status, or what QR finds instead.
  RidgeFit<double> finished(const Answers& found, Index k, double lambda) const {
    RidgeFit<double> fit;
    fit.weights = found.weights.col(k);
    fit.objective = found.objective(k, lambda);
    fit.minimum = fit.objective - doubt(lambda, fit.weights);
    const Columns<Real> exact = fit.weights;
    answers_.round(fit.weights);
    if (spectrum_.decomposition() == Decomposition::eigenvalues) {
      if (single_) fit.objective += rise(exact - fit.weights, lambda);
      answers_.finish(fit);
    } else {
      answers_.finish_exactly(lambda, fit);
    }
    if (fit.status != Status::converged && core::all_finite(equations_.product)) {
      auto other = exact_.solve(lambda, spectrum_.reciprocal_condition());
      if (other.status == Status::converged || !fit.is_finite() || other.objective < fit.objective)
        fit = std::move(other);
    }
    answers_.prefer_constant(fit);
    return fit;
  }

 private:
  static NormalEquations<Rows> standing_for(Index present, NormalEquations<Rows> equations) {
    equations.present = present;
    return equations;
  }

  /// How far rounding may have taken F from its minimum. The answer is that of equations that
  /// differ from the given ones by rounding of A, or of Z, in the direction that is worst.
  double doubt(double lambda, const Columns<Real>& weights) const {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    const double largest = spectrum_.largest();
    const double length = numerics::squares_of(weights);
    if (spectrum_.rank() == 0) return 0;
    if (spectrum_.decomposition() == Decomposition::eigenvalues) {
      const double shift = Rows::is_sparse ? std::min(design().means().largest_shift, 1e2) : 0;
      const double error = 4 * epsilon * (1 + shift) * largest;
      return 0.5 * error * error * length / (spectrum_.squares().minCoeff() + lambda);
    }
    const double error = 8 * epsilon * std::sqrt(static_cast<double>(spectrum_.rank()));
    const double rounding = 0.5 * error * error * largest * length;
    const bool is_cut = spectrum_.rank() < std::min({free_, design().cols(), design().rows()});
    if (!is_cut) return rounding;
    const auto longest = static_cast<double>(std::max(design().rows(), design().cols()));
    const double left_out = 1e4 * epsilon * longest * epsilon * longest * largest;
    return rounding +
           0.5 * numerics::squares_of(t_) * (lambda > left_out ? left_out / lambda : 1.0);
  }

  /// What F rises by `step` from its minimum.
  double rise(const Columns<Real>& step, double lambda) const {
    double square = lambda * numerics::squares_of(step);
    if (spectrum_.is_dual())
      square += numerics::squares_of(design().apply(step));
    else
      square += step.col(0).dot(equations_.product.template selfadjointView<Eigen::Lower>() *
                                step.col(0));
    return 0.5 * square;
  }

  /// ‖Zw − t‖² for each λ: (m). If d ≤ n, from that of the smallest λ and sums of terms that only
  /// add to it.
  Vector<Real> residual_squares(const std::vector<double>& lambdas, const Columns<Real>& x,
                                const Columns<Real>& weights) const {
    const Eigen::Map<const Terms> lambda(lambdas.data(), x.cols());
    const Vector<Real> t = t_.col(0);
    if (spectrum_.is_dual()) {
      const double beyond = (t - spectrum_.outwards(spectrum_.right())).squaredNorm();
      return (lambda.square() * spectrum_.scaled_squares(x).array() + beyond).matrix();
    }
    Index base = 0;
    lambda.minCoeff(&base);
    const double least = (t - design().apply(weights.col(base))).squaredNorm();
    Vector<Real> squares(x.cols());
    for (Index k = 0; k < x.cols(); ++k) {
      const Vector<Real> step = x.col(base) - x.col(k);
      squares[k] =
          least + 2 * lambda[base] * step.dot(x.col(base)) + step.dot(spectrum_.apply(step));
    }
    return squares;
  }

  Columns<Real> y_;
  NormalEquations<Rows> equations_;
  Index free_;
  Columns<Real> t_;
  RidgeAnswers<Rows> answers_;
  bool single_;
  Spectrum<double> spectrum_;
  ExactRidge<Rows> exact_;
};

}  // namespace linea::least_squares
