// SPDX-License-Identifier: MIT
#pragma once
/// \file The result of a solver of ridge regression.
#include <algorithm>  // max, min
#include <cmath>
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/core/solution.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/optimizers/least_squares/normal_equations.hpp>
#include <string_view>

namespace linea {

/// How the normal equations A·w = Zᵀt, with A = λI + ZᵀZ, were solved. Z and t are the weighted,
/// centred samples and targets. If d > n, the dual equations A·u = t, with A = λI + ZZᵀ and
/// w = Zᵀu, are solved instead.
enum class Factorization {
  cholesky,  ///< Cholesky factorisation of A, with refinement: A is well conditioned
  qr,        ///< QR decomposition of Z: Cholesky factorisation was not reliable
};

constexpr std::string_view name_of(Factorization factorization) {
  return factorization == Factorization::cholesky ? "cholesky" : "qr";
}

}  // namespace linea

namespace linea::least_squares {

/// The minimum of ½‖Zw − t‖² + λ/2·‖w‖² for each of k targets, and properties of the equations.
struct RidgeFit {
  Columns weights{};    ///< (d × k)
  Reals offset{};       ///< (k)
  double objective{0};  ///< the sum of F over the targets
  double minimum{0};    ///< a lower bound on the minimum of the objective, up to rounding
  Status status{Status::precision_limit};
  Factorization factorization{Factorization::cholesky};
  double reciprocal_condition{0};
  Index rank{0};
  bool dual{false};

  bool is_finite() const {
    return core::all_finite(weights) && core::all_finite(offset) && std::isfinite(objective);
  }
};

/// Rounds solutions to the caller's scalar type, float if `single`, else double. F is that of the
/// rounded weights.
template <class Rows>
class RidgeAnswers {
 public:
  /// Takes the targets y (n × k) before centring. The equations and y must outlive this object.
  RidgeAnswers(const NormalEquations<Rows>& equations, const Columns& y, bool single)
      : equations_(equations),
        y_(y),
        single_(single),
        epsilon_(single ? double(std::numeric_limits<float>::epsilon())
                        : std::numeric_limits<double>::epsilon()),
        constant_objective_(0.5 * linear_algebra::squares_of(equations.targets)) {}

  void round(Columns& weights) const {
    for (Index k = 0; single_ && k < weights.size(); ++k)
      weights.data()[k] = rounded(weights.data()[k]);
  }

  /// Completes a fit that has rounded weights, and F for the best offsets: sets the offsets and
  /// status, and adds the rounding of the offsets to F.
  void finish(RidgeFit& fit) const {
    fit.offset.resize(fit.weights.cols());
    for (Index k = 0; k < fit.weights.cols(); ++k) {
      const long double best = best_offset(fit.weights, k);
      fit.offset[k] = rounded(static_cast<double>(best));
      const auto off = static_cast<double>(static_cast<long double>(fit.offset[k]) - best);
      fit.objective += 0.5 * off * off;
    }
    fit.status = status_of(fit);
  }

  /// Completes a fit as `finish` does, but computes F in long double, for weights that may be so
  /// large that F needs more than double precision.
  void finish_exactly(double lambda, RidgeFit& fit) const {
    const auto& design = equations_.design;
    finish(fit);
    const Rows samples = design.stored_samples();
    long double sum = 0;
    for (Index i = 0; i < design.rows(); ++i) {
      const long double share = static_cast<long double>(design.root()[i]) * design.root()[i];
      for (Index k = 0; k < fit.weights.cols() && share > 0; ++k) {
        long double left = static_cast<long double>(fit.offset[k]) - y_(i, k);
        samples.for_each(i, [&](Index j, double value) {
          left += static_cast<long double>(value) * fit.weights(j, k);
        });
        sum += share * left * left;
      }
    }
    fit.objective =
        static_cast<double>(sum / 2) + 0.5 * lambda * linear_algebra::squares_of(fit.weights);
    fit.status = status_of(fit);
  }

  /// Replaces a fit by the best constants, w = 0, if the fit has overflowed or rounding has made it
  /// worse than the constants.
  void prefer_constant(RidgeFit& fit) const {
    if (fit.status == Status::converged) return;
    RidgeFit constant = fit;
    for (Index k = 0; k < constant.weights.size(); ++k) constant.weights.data()[k] = 0;
    constant.objective = constant_objective_;
    if (std::isnan(constant.objective))  // a mean has overflowed, and so has F
      constant.objective = std::numeric_limits<double>::infinity();
    finish(constant);
    if (fit.is_finite() && fit.objective <= constant.objective) return;
    if (!fit.is_finite()) constant.status = Status::diverged;
    fit = constant;
  }

 private:
  /// Returns `diverged` if the fit is not finite. Returns `converged` if F is within a relative
  /// 1e-6 of its minimum, within the rounding of F without features, or within the effect of
  /// rounding the offset, if this effect is negligible. Else returns `precision_limit`.
  Status status_of(const RidgeFit& fit) const {
    if (!fit.is_finite()) return Status::diverged;
    const double level =
        4 * epsilon_ * epsilon_ * linear_algebra::squares_of(equations_.target_mean);
    const double allowed = std::max({1e-6 * fit.objective, epsilon_ * constant_objective_,
                                     std::min(level, 1e-9 * constant_objective_)});
    return fit.objective - fit.minimum <= allowed ? Status::converged : Status::precision_limit;
  }

  /// Returns ȳ, or 0 if the targets are not centred. The differences of targets near the largest
  /// double overflow, but a sum of shares does not.
  long double mean_of_target(Index k) const {
    const long double known = static_cast<long double>(equations_.target_mean[k]) +
                              static_cast<long double>(equations_.target_rest[k]);
    if (std::isfinite(known)) return known;
    const auto& root = equations_.design.root();
    long double mean = 0;
    for (Index i = 0; i < y_.rows(); ++i)
      mean += static_cast<long double>(root[i] * root[i]) * y_(i, k);
    return mean;
  }

  /// Returns the best offset in more than double precision, as the terms may cancel.
  long double best_offset(const Columns& weights, Index k) const {
    const auto& design = equations_.design;
    long double best = mean_of_target(k);
    for (Index j = 0; j < design.cols(); ++j)
      if (weights(j, k) != 0)  // the mean may have overflowed
        best -= design.exact_mean(j) * static_cast<long double>(weights(j, k));
    return best;
  }

  double rounded(double value) const {
    return single_ ? static_cast<double>(static_cast<float>(value)) : value;
  }

  const NormalEquations<Rows>& equations_;
  const Columns& y_;
  bool single_;
  double epsilon_;
  double constant_objective_;
};

}  // namespace linea::least_squares
