// SPDX-License-Identifier: MIT
#pragma once
/// \file Least squares and ridge regression in closed form.
#include <concepts>  // same_as
#include <linea/core/solution.hpp>
#include <linea/core/workers.hpp>
#include <linea/core/wrong_call.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/least_squares/solve_ridge.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/penalties/none.hpp>
#include <linea/samples/training_set.hpp>
#include <string_view>
#include <type_traits>  // conditional_t

namespace linea {

/// The exact minimum and properties of the normal equations with the matrix A = ZᵀZ + λI. The rows
/// of Z are √(sᵢ/S)·xᵢ, centred if b is fitted, for sample weights sᵢ of sum S. For targets y
/// (n × k) the weights are (d × k), the offset is a vector (k), and the objective is the sum over
/// the k targets.
template <class T, class W = Vector<T>, class Offset = T>
struct [[nodiscard]] RidgeSolution : Solution<T, W, Offset> {
  Factorization factorization{Factorization::cholesky};
  double reciprocal_condition{0};  ///< estimate in the 1-norm, of A or, if d > n, of ZZᵀ + λI
  /// The rank of Z at λ = 0. If the rank is below d, the weights are the solution of smallest norm.
  /// For λ > 0 this member is the rank of Z only if `factorization` is qr.
  Index rank{0};
  bool dual{false};  ///< were n equations solved, one for each sample, instead of d?
};

/// Minimises the mean of ½(⟨w, xᵢ⟩ + b − yᵢ)², weighted by the sample weights, plus λ/2·‖w‖². With
/// λ = 0 this is linear least squares. If λ = 0 and the columns are dependent, as always for d > n,
/// the solution is the minimum of smallest norm, and `rank` is below d.
///
/// Cost: O(n·d²) for d ≤ n, O(n²·d) for d > n, divided among threads unless x is sparse and d > n.
/// Memory beside x: O(min(n, d)²) for each thread. Ridge reads x in place, and x stays sparse,
/// because the centring that eliminates the offset is implicit. The offset is not penalised.
struct Ridge {
  static constexpr std::string_view name = "Ridge";

  bool offset{true};  ///< fit b, or leave it 0
  Index threads{1};   ///< the same number gives the same bits

  /// Minimises F over w and b for x (n × d) and y (n), or y (n × k) for k targets at once. Sums are
  /// in double for float x too. Uses the sample weights of the extras, calls an observer once, at
  /// the end, and ignores a start. Throws std::invalid_argument on invalid input.
  ///
  /// The objective is that of the returned weights and offset, rounded to the scalar of x. The
  /// status is `converged` if the objective is within 1e-6 of the minimum, relatively, or within
  /// the rounding of the targets' variance. It is `precision_limit` if rounding of the solution or
  /// of the sums prevents this accuracy, and `diverged` if the solution or the sums overflow. The
  /// objective is no worse than that of the best constant, except perhaps if rows are divided among
  /// processes. A column whose entries differ from their mean (without an offset, from 0) by less
  /// than 1e-150 may count as constant.
  template <AnySamples X, AnyTargets Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  auto minimize(const Objective<Squared, L2>& objective, const X& x, const Y& y,
                const E& given = {}) const {
    return detail::samples::together(x, extras_of<scalar_t<X>>(given), [&](const auto& extras) {
      return run(objective, x, detail::vector_of(y), extras);
    });
  }

  /// Minimises F without a penalty: plain least squares.
  template <AnySamples X, AnyTargets Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  auto minimize(const Objective<Squared, NoPenalty>&, const X& x, const Y& y,
                const E& given = {}) const {
    return detail::samples::together(x, extras_of<scalar_t<X>>(given), [&](const auto& extras) {
      return run(Objective<Squared, L2>{}, x, detail::vector_of(y), extras);
    });
  }
  template <class F, class X, class Y, class E = Extras<double>>
  detail::WrongCall<X, Y, E, F> minimize(const F&, const X&, const Y&, const E& = {}) const;

 private:
  template <class X, class Y, class T = scalar_t<X>>
  auto run(const Objective<Squared, L2>& objective, const X& x, const Y& y,
           const Extras<T>& extras) const {
    constexpr std::string_view function = "Ridge::minimize";
    constexpr bool single = std::same_as<T, float>;
    detail::require_valid(function, objective, x.cols());
    require_threads(function, threads);
    const auto targets = targets_of(function, y);
    const auto set = detail::samples::admit_samples_in_double(function, x, targets.rows(),
                                                              extras.sample_weights);
    detail::samples::require_target_sizes(function, set, targets);
    const double lambda = objective.penalty.lambda;
    const detail::least_squares::RidgeFit fit = [&] {
      // linea/mpi.hpp declares solve_together.
      if constexpr (!Samples<X>)
        if (set.all().parts() > 1)
          return solve_together(function, set, offset, targets, lambda, single);
      return detail::least_squares::solve_ridge(set, offset, targets, lambda, single, threads);
    }();

    constexpr bool is_one = bool(Y::IsVectorAtCompileTime);
    std::conditional_t<is_one, RidgeSolution<T>, RidgeSolution<T, Matrix<T>, Vector<T>>> solution;
    if constexpr (is_one) {
      solution.weights = fit.weights.col(0).template cast<T>();
      solution.offset = static_cast<T>(fit.offset[0]);
    } else {
      solution.weights = fit.weights.template cast<T>();
      solution.offset = fit.offset.template cast<T>();
    }
    solution.status = fit.status;
    solution.objective = fit.objective;
    solution.factorization = fit.factorization;
    solution.reciprocal_condition = fit.reciprocal_condition;
    solution.rank = fit.rank;
    solution.dual = fit.dual;
    solution.optimizer = name;
    report_once(extras, solution);
    return solution;
  }

  /// Returns the targets (n × k) of y. Throws std::invalid_argument if y has no columns, or an
  /// entry that is not finite or above 1e150.
  template <class Y>
  static detail::ColumnMatrix<double> targets_of(std::string_view function, const Y& y) {
    constexpr bool is_one = bool(Y::IsVectorAtCompileTime);
    detail::ColumnMatrix<double> targets(is_one ? y.size() : y.rows(), is_one ? 1 : y.cols());
    require(targets.cols() > 0, function, ": y has no columns");
    for (Index k = 0; k < targets.cols(); ++k)
      for (Index i = 0; i < targets.rows(); ++i) {
        if constexpr (is_one)
          targets(i, k) = static_cast<double>(y[i]);
        else
          targets(i, k) = static_cast<double>(y(i, k));
        detail::require_in_range(function, targets(i, k), "y(", i, ", ", k, ")");
      }
    return targets;
  }
};

}  // namespace linea
