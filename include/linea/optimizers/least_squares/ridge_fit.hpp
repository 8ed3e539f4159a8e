// SPDX-License-Identifier: MIT
#pragma once
/// \file The result of ridge regression, and its rounding to the caller's scalar type.
#include <algorithm>  // max, min
#include <cmath>
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/core/solution.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/optimizers/least_squares/normal_equations.hpp>
#include <string_view>

namespace linea {

/// How a solver solved the normal equations A·w = Zᵀt with A = λI + ZᵀZ, or for d > n the dual
/// equations A·u = t with A = λI + ZZᵀ and w = Zᵀu. Z and t are the weighted, centred samples and
/// targets.
enum class Factorization {
  cholesky,  ///< Cholesky factorisation of A, with refinement: A is well conditioned
  qr,        ///< QR decomposition of Z: Cholesky factorisation was not reliable
};

constexpr std::string_view name_of(Factorization factorization) {
  return factorization == Factorization::cholesky ? "cholesky" : "qr";
}

}  // namespace linea

namespace linea::detail::least_squares {

/// The minimiser of ½‖Zw − t‖² + λ/2·‖w‖² for each of k targets, and properties of the equations.
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
    return detail::all_finite(weights) && detail::all_finite(offset) && std::isfinite(objective);
  }
};

/// Rounds weights and offsets to the caller's scalar type, float if `single`, else double. Sets F
/// and the status of the rounded solution.
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

  /// Completes a fit with rounded weights, whose F is that for the exact best offsets. Sets the
  /// offsets and the status, and adds the effect of rounding the offsets to F.
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

  /// Completes a fit as `finish` does, but computes F in long double: the weights may be large.
  void finish_exactly(double lambda, RidgeFit& fit) const {
    const auto& design = equations_.design;
    finish(fit);
    const Rows samples = design.stored_samples();
    long double sum = 0;
    for (Index i = 0; i < design.rows(); ++i) {
      const auto root = static_cast<long double>(design.root()[i]);
      const long double share = root * root;
      for (Index k = 0; k < fit.weights.cols() && share > 0; ++k) {
        long double left =
            static_cast<long double>(fit.offset[k]) - static_cast<long double>(y_(i, k));
        samples.for_each(i, [&](Index j, double value) {
          left += static_cast<long double>(value) * static_cast<long double>(fit.weights(j, k));
        });
        sum += share * left * left;
      }
    }
    fit.objective =
        static_cast<double>(sum / 2) + 0.5 * lambda * linear_algebra::squares_of(fit.weights);
    fit.status = status_of(fit);
  }

  /// Replaces a fit that has not converged by w = 0 and the best offsets, if the fit has overflowed
  /// or its F is larger than that of w = 0.
  void prefer_constant(RidgeFit& fit) const {
    if (fit.status == Status::converged) return;
    RidgeFit constant = fit;
    constant.weights = linear_algebra::zeros<Columns>(fit.weights.rows(), fit.weights.cols());
    constant.objective = constant_objective_;
    finish(constant);
    if (fit.is_finite() && fit.objective <= constant.objective) return;
    if (!fit.is_finite()) constant.status = Status::diverged;
    fit = constant;
  }

 private:
  /// A fit has converged if F exceeds fit.minimum by at most 1e-6·F, the rounding error of F at
  /// w = 0, or the effect of rounding the offset where this effect is negligible.
  Status status_of(const RidgeFit& fit) const {
    if (!fit.is_finite()) return Status::diverged;
    const double level =
        4 * epsilon_ * epsilon_ * linear_algebra::squares_of(equations_.target_mean);
    const double allowed = std::max({1e-6 * fit.objective, epsilon_ * constant_objective_,
                                     std::min(level, 1e-9 * constant_objective_)});
    return fit.objective - fit.minimum <= allowed ? Status::converged : Status::precision_limit;
  }

  /// Returns the best offset of target k in more than double precision, because its terms may
  /// cancel.
  long double best_offset(const Columns& weights, Index k) const {
    const auto& design = equations_.design;
    long double best = static_cast<long double>(equations_.target_mean[k]) +
                       static_cast<long double>(equations_.target_rest[k]);
    for (Index j = 0; j < design.cols(); ++j)
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

}  // namespace linea::detail::least_squares
