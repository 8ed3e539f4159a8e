// SPDX-License-Identifier: MIT
#pragma once
/// \file Ridge regression for many λ from one decomposition, with the error on samples left out for
/// each.
#include <algorithm>  // min, min_element
#include <cmath>
#include <linea/core/solution.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/least_squares/leave_one_out.hpp>
#include <linea/optimizers/least_squares/spectrum.hpp>
#include <string_view>
#include <type_traits>  // common_type
#include <vector>

namespace linea {

/// `count` numbers from `first` to `last`, both among them, each the same multiple of the one
/// before. Throws std::invalid_argument unless both are positive and finite, and count ≥ 2, or 1 if
/// they are equal.
inline std::vector<double> log_spaced(double first, double last, Index count) {
  require(std::isfinite(first) && first > 0 && std::isfinite(last) && last > 0, "log_spaced: from ",
          first, " to ", last, ", but both must be finite and > 0");
  require(count >= 2 || (count == 1 && first == last), "log_spaced: ", count, " numbers from ",
          first, " to ", last);
  std::vector<double> numbers(static_cast<std::size_t>(count), first);
  const double steps = static_cast<double>(count - 1);
  for (Index k = 1; k < count; ++k) {
    const double share = static_cast<double>(k) / steps;
    numbers[static_cast<std::size_t>(k)] =
        k + 1 < count ? std::exp((1 - share) * std::log(first) + share * std::log(last)) : last;
  }
  return numbers;
}

/// The minima for all λ, m of them, in their order.
template <class T>
struct RidgePathSolution {
  std::vector<double> lambdas{};         ///< (m)
  Eigen::MatrixX<T> weights{};           ///< (d × m), a column for each λ
  Vector<T> offsets{};                   ///< (m)
  Eigen::VectorXd objectives{};          ///< F at each minimum (m)
  Eigen::VectorXd degrees_of_freedom{};  ///< trace of the hat matrix, the offset's 1 included (m)
  /// Mean squared error, Σ sᵢ(f(xᵢ) − yᵢ)²/S without ½: of each sample under the minimum, for the
  /// same λ, of all others; exact, not an estimate (m). Empty if not asked for.
  Eigen::VectorXd leave_one_out{};
  /// The mean squared error over (1 − degrees_of_freedom/n)², n the samples of positive weight (m).
  Eigen::VectorXd generalised_cross_validation{};
  /// Where leave_one_out is least, or, without it, generalised_cross_validation.
  Index best{0};
  Decomposition decomposition{Decomposition::eigenvalues};
  /// Of A + λI, A as in Spectrum, for the smallest λ, or the smallest that leave-one-out takes.
  double reciprocal_condition{0};
  Index rank{0};     ///< of Z, where singular values were taken; else no rank was decided on
  bool dual{false};  ///< n equations, one a sample, rather than d

  /// The minimum for λ number k, 0 ≤ k < m: LinearModel<T>{path.at(path.best)} can score samples.
  Solution<T> at(Index k) const {
    require(k >= 0 && k < weights.cols(), "RidgePathSolution::at: number ", k, " of ",
            weights.cols());
    Solution<T> solution;
    solution.weights = weights.col(k);
    solution.offset = offsets[k];
    solution.objective = objectives[k];
    solution.optimizer = "RidgePath";
    const bool finite =
        solution.weights.allFinite() && std::isfinite(offsets[k]) && std::isfinite(objectives[k]);
    solution.status = finite ? Status::converged : Status::diverged;
    return solution;
  }
};

/// Minimises the mean of ½(⟨w, xᵢ⟩ + b − yᵢ)² plus λ/2·‖w‖² for every λ, as Ridge does for one, and
/// says how well each predicts samples that it has not seen: by leave-one-out, which deletes a
/// sample with all its weight, and by generalised cross-validation (Golub, Heath and Wahba,
/// Technometrics 21 (1979)).
///
/// Cost: the normal equations once, O(n·d²) or O(n²·d) as for Ridge; O(min(n, d)³) for their
/// decomposition; O(d²) for each λ when d ≤ n, else O(n·d). Leave-one-out comes on top (see
/// LeaveOneOut): for n ≫ d about four times the normal equations.
struct RidgePath {
  static constexpr std::string_view name = "RidgePath";

  /// λ ≥ 0 in any order. Empty: 100 from the largest eigenvalue of the samples' covariance, where
  /// weights are halved along it, down to a millionth of it.
  std::vector<double> lambdas{};
  bool offset{true};         ///< fit b, or leave it 0
  bool leave_one_out{true};  ///< find its errors

  /// x (n × d), y (n); sums are kept in double for float x too. Of the extras the sample weights
  /// count, and an observer is told once, at the end, of the best λ; a start is not needed and
  /// makes no difference. Throws std::invalid_argument on input that is not well-formed, or if
  /// something is to be left out and fewer than two samples have a positive weight.
  template <Samples X, VectorLike Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  RidgePathSolution<scalar_t<X>> fit(const X& x, const Y& y, const E& given = {}) const {
    const auto& extras = extras_of<scalar_t<X>>(given);
    auto path = run(x, y, extras.sample_weights);
    if (extras.observer) report_once(extras, path.at(path.best));
    return path;
  }

 private:
  template <class Real>
  using Columns = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

  template <class X, class Y, class T = scalar_t<X>>
  RidgePathSolution<T> run(const X& x, const Y& y, const Vector<T>& sample_weights) const {
    using Real = std::common_type_t<T, double>;
    constexpr std::string_view function = "RidgePath::fit";
    const Columns<Real> targets = admitted<Real>(function, x.rows(), y);
    const auto set = samples::admit_samples_in_double(function, x, y.size(), sample_weights);
    const Index present =
        set.weights.size() ? (set.weights.array() > T(0)).count() : set.rows.rows();
    require(!leave_one_out || present > 1, function, ": leave-one-out needs two samples, but ",
            present, " has a positive weight");

    const auto equations = least_squares::normal_equations(set, offset, targets);
    const auto& design = equations.design;
    const Vector<Real> t = equations.centred(targets).col(0);
    const bool relative = lambdas.empty();
    constexpr double span = 1e-6;
    // Without its heaviest sample, the mean would be over so much less.
    const double kept = leave_one_out ? 1 - design.root().cwiseAbs2().maxCoeff() : 1;
    const double least =
        kept * (relative ? span : *std::min_element(lambdas.begin(), lambdas.end()));
    const Index free = present - (offset ? 1 : 0);
    // As many weights as equations: small errors are told from rounding by the eigenvectors alone.
    const bool diagonal =
        leave_one_out || (design.cols() <= design.rows() && free <= design.cols());
    const least_squares::Spectrum<Real> spectrum(equations, t, offset, diagonal, relative, least);

    RidgePathSolution<T> path;
    path.lambdas = lambdas;
    if (relative) {
      const double largest = spectrum.largest();
      const double first = std::isnormal(largest) ? largest : 1;
      path.lambdas = log_spaced(first, span * first, 100);
    }
    path.decomposition = spectrum.decomposition();
    path.reciprocal_condition = spectrum.reciprocal_condition();
    path.rank = spectrum.rank();
    path.dual = spectrum.is_dual();
    describe(design, spectrum, t, equations.target_mean[0], present, free, path);
    if (leave_one_out)
      path.leave_one_out =
          least_squares::LeaveOneOut(design, spectrum, t, offset, path.lambdas).errors();
    path.best = least_of(leave_one_out ? path.leave_one_out : path.generalised_cross_validation);
    return path;
  }

  /// The targets, after refusing a λ or a target that is not allowed, and another n.
  template <class Real, class Y>
  Columns<Real> admitted(std::string_view function, Index n, const Y& y) const {
    core::require_lambdas(function, lambdas);
    require(n == y.size(), function, ": x has ", n, " rows but y has ", y.size());
    Columns<Real> targets(y.size(), 1);
    for (Index i = 0; i < y.size(); ++i) {
      targets(i, 0) = static_cast<double>(y[i]);
      require(std::isfinite(targets(i, 0)), function, ": y(", i, ") is not finite");
    }
    return targets;
  }

  /// Where the errors (m) are least; what is not a number never is, unless all are.
  template <class Errors>
  static Index least_of(const Errors& errors) {
    Index best = 0;
    for (Index k = 1; k < errors.size(); ++k)
      if (errors[k] < errors[best] || (std::isnan(errors[best]) && !std::isnan(errors[k])))
        best = k;
    return best;
  }

  template <class Design, class Real, class T>
  static void describe(const Design& design, const least_squares::Spectrum<Real>& spectrum,
                       const Vector<Real>& t, double target_mean, Index present, Index free,
                       RidgePathSolution<T>& path) {
    const auto m = static_cast<Index>(path.lambdas.size());
    const Columns<Real> x = spectrum.solve(path.lambdas);
    Columns<Real> weights = spectrum.outwards(x);
    if (spectrum.is_dual()) weights = design.apply_transposed(weights);
    design.clear_constant(weights);
    path.weights = weights.template cast<T>();
    path.offsets =
        (target_mean - (weights.transpose() * design.mean()).array()).matrix().template cast<T>();

    const bool interpolates =
        free == spectrum.rank() &&
        (spectrum.is_dual() || (spectrum.is_diagonal() && spectrum.is_resolved()));
    const Vector<Real> squares =
        interpolates ? spectrum.scaled_squares(x)
                     : residual_squares(design, spectrum, t, path.lambdas, x, weights);
    path.objectives.resize(m);
    path.degrees_of_freedom.resize(m);
    path.generalised_cross_validation.resize(m);
    for (Index k = 0; k < m; ++k) {
      const double lambda = path.lambdas[static_cast<std::size_t>(k)];
      const Eigen::Array<Real, Eigen::Dynamic, 1> inverse =
          (spectrum.squares().array() + lambda).inverse();
      // Both ‖Zw − t‖² and the trace of I − H, here without the factor λ² and λ that they share if
      // samples are interpolated as λ falls to 0.
      const double freedom =
          interpolates ? inverse.sum()
                       : lambda * inverse.sum() + static_cast<double>(free - spectrum.rank());
      const double ratio = static_cast<double>(present) / freedom;
      path.generalised_cross_validation[k] = squares[k] * ratio * ratio;
      path.degrees_of_freedom[k] =
          static_cast<double>(present - free) + (spectrum.squares().array() * inverse).sum();
      path.objectives[k] = 0.5 * (interpolates ? lambda * lambda : 1.0) * squares[k] +
                           0.5 * lambda * weights.col(k).squaredNorm();
    }
  }

  /// ‖Zw − t‖² for each λ: (m). If d ≤ n, from that of the smallest λ and sums of terms that only
  /// add to it.
  template <class Design, class Real>
  static Vector<Real> residual_squares(const Design& design,
                                       const least_squares::Spectrum<Real>& spectrum,
                                       const Vector<Real>& t, const std::vector<double>& lambdas,
                                       const Columns<Real>& x, const Columns<Real>& weights) {
    const Eigen::Map<const Eigen::Array<Real, Eigen::Dynamic, 1>> lambda(lambdas.data(), x.cols());
    if (spectrum.is_dual()) {
      const double beyond = (t - spectrum.outwards(spectrum.right())).squaredNorm();
      return (lambda.square() * spectrum.scaled_squares(x).array() + beyond).matrix();
    }
    Index base = 0;
    lambda.minCoeff(&base);
    const double least = (t - design.apply(weights.col(base))).squaredNorm();
    Vector<Real> squares(x.cols());
    for (Index k = 0; k < x.cols(); ++k) {
      const Vector<Real> step = x.col(base) - x.col(k);
      squares[k] =
          least + 2 * lambda[base] * step.dot(x.col(base)) + step.dot(spectrum.apply(step));
    }
    return squares;
  }
};

}  // namespace linea
