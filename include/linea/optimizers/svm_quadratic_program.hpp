// SPDX-License-Identifier: MIT
#pragma once
/// \file The support vector machine as a quadratic program: the minimum itself, with a proof.
#include <algorithm>  // min
#include <cmath>
#include <limits>
#include <linea/core/solution.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/optimizers/programs/active_set.hpp>
#include <linea/optimizers/programs/hinge_primal.hpp>
#include <linea/optimizers/programs/row_space.hpp>
#include <linea/penalties/l2.hpp>
#include <string_view>
#include <type_traits>
#include <vector>

namespace linea {

/// The smallest F, and multipliers that prove it: no w and b have an F below `dual`. `objective` is
/// the primal, F(weights, offset), and `gap` = primal − dual ≥ 0. `epochs` counts iterations.
template <class T>
struct SvmSolution : Solution<T> {
  Eigen::VectorXd multipliers;  ///< αᵢ (n) in [0, sᵢ/S], w = Σᵢ αᵢyᵢxᵢ/λ; with offset Σᵢ αᵢyᵢ = 0
  Eigen::VectorXd slacks;  ///< ξᵢ (n), variables of the program: at its solution the hinge losses
  std::vector<Index> support;  ///< samples with αᵢ above 0 by more than rounding, in order
  double dual{0};              ///< Σᵢ αᵢ − ‖Σᵢ αᵢyᵢxᵢ‖²/(2λ)
};

/// Minimises (1/S) Σᵢ sᵢ·ξᵢ + λ/2·‖w‖² subject to yᵢ(⟨w, xᵢ⟩ + b) ≥ 1 − ξᵢ and ξᵢ ≥ 0: the mean
/// hinge loss with an L2 penalty of λ > 0. An interior point comes near, the equations of the
/// active set that it suggests give the digits that are left, and of all that was found the
/// smallest gap decides.
///
/// Where the best offset is an interval, b lies in it; with one class only w = 0 and b is its
/// target. Cost: O(n·r²) an iteration, r = min(n, d), for some 15 to 60 of them, and n·r doubles
/// beside x; for d > n O(n²·d) more. 6.036 notes of week 2, section 3.5, equation (10).
struct SvmQuadraticProgram {
  static constexpr std::string_view name = "SvmQuadraticProgram";

  bool offset{true};       ///< fit b, or leave it 0
  double tolerance{1e-9};  ///< converged: gap ≤ tolerance·objective
  Index iterations{200};   ///< at most

  /// x (n × d), y (n) of −1 and +1. Computed in double: for float x the weights are rounded in the
  /// end, at a price that the gap includes and the status does not. A sample of weight 0 has α = 0
  /// and its hinge loss for ξ. Of the extras the sample weights count, and an observer is told
  /// once, at the end; a start is not needed and makes no difference. Throws std::invalid_argument
  /// on input that is not well-formed, and when λ is 0.
  template <Samples X, VectorLike Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  SvmSolution<scalar_t<X>> minimize(const Objective<Hinge, L2>& objective, const X& x, const Y& y,
                                    const E& given = {}) const {
    return run(objective, x, y, extras_of<scalar_t<X>>(given));
  }

 private:
  template <class X, class Y, class T = scalar_t<X>>
  SvmSolution<T> run(const Objective<Hinge, L2>& objective, const X& x, const Y& y,
                     const Extras<T>& extras) const {
    using Real = std::common_type_t<T, double>;
    constexpr std::string_view function = "SvmQuadraticProgram::minimize";
    core::require_valid(function, objective);
    const double lambda = objective.penalty.lambda;
    require(lambda > 0, function, ": lambda = ", lambda,
            " leaves the weights without a limit; what they tend to as lambda falls to 0, when the "
            "classes are separable, is what MaximumMargin finds");
    require(tolerance >= 0 && std::isfinite(tolerance), function, ": a tolerance of ", tolerance);
    require(iterations > 0, function, ": ", iterations, " iterations");
    const auto set = samples::admit(function, objective.loss, x, y, extras.sample_weights);

    const Vector<Real> targets = set.y.template cast<Real>();
    Vector<Real> shares = Vector<Real>::Ones(x.rows());
    if (extras.sample_weights.size() > 0) shares = extras.sample_weights.template cast<Real>();
    shares /= shares.maxCoeff();
    shares /= shares.sum();

    const programs::RowSpace space(set, offset);
    Dual<Real> dual = solve(space.coordinates(), targets, shares, lambda);
    const Vector<Real> signed_multipliers = dual.multipliers.cwiseProduct(targets);
    Vector<Real> pull = space.sum(signed_multipliers) / lambda;
    dual.weights = space.weights(dual.weights, signed_multipliers / lambda);
    if (!std::isfinite(lambda / 2 * pull.squaredNorm()) || !dual.weights.allFinite()) {
      dual.multipliers
          .setZero();  // λ is too small for numbers as large as w: nothing but w = 0 is known
      dual.slacks.setOnes();
      dual.support.clear();
      dual.weights.setZero();
      dual.offset = 0;
      pull.setZero();
    }
    dual.offset -= space.mean().dot(dual.weights);

    const auto exact =
        programs::primal_of<Real>(dual, pull, set.rows, targets, shares, lambda, offset);
    const auto best =
        std::is_same_v<T, double>
            ? exact
            : programs::primal_of<T>(dual, pull, set.rows, targets, shares, lambda, offset);
    SvmSolution<T> solution;
    solution.weights = best.weights.template cast<T>();
    solution.offset = static_cast<T>(best.offset);
    solution.objective = best.objective;
    solution.gap = best.gap;
    solution.dual = dual.multipliers.sum() - lambda / 2 * pull.squaredNorm();
    solution.slacks = (shares.array() > 0).select(dual.slacks, best.losses);
    solution.multipliers = std::move(dual.multipliers);
    solution.support = std::move(dual.support);
    solution.optimizer = name;
    solution.epochs = solution.iterations = dual.iterations;
    solution.status = exact.gap <= tolerance * exact.objective ? Status::converged
                      : std::isfinite(exact.gap)               ? Status::epoch_limit
                                                               : Status::diverged;
    report_once(extras, solution);
    return solution;
  }

  template <class Real>
  using Array = Eigen::Array<Real, Eigen::Dynamic, 1>;

  template <class Real>
  using Dual = programs::HingeDual<Real>;

  /// For m·αᵢ and √(mλ)·w of the m samples that are present: the box is then that of their weights,
  /// with a mean of 1, and the objective m·F.
  template <class Real>
  Dual<Real> solve(const Matrix<Real>& coordinates, const Vector<Real>& targets,
                   const Vector<Real>& shares, double lambda) const {
    std::vector<Index> present;
    for (Index i = 0; i < shares.size(); ++i)
      if (shares[i] > 0) present.push_back(i);
    const auto m = static_cast<double>(present.size());
    const double unit = 1 / std::sqrt(m * lambda);
    const Index r = coordinates.cols();
    const Vector<Real> y = targets(present);
    const Vector<Real> zero = Vector<Real>::Zero(shares.size());
    const double constant =
        offset ? programs::hinge_offset(zero, targets, shares, targets[present[0]]) : 0.0;
    Dual<Real> best{Vector<Real>::Zero(r), constant, zero, 1 - constant * targets.array()};
    if (offset && (y.array() == y[0]).all()) return best;

    programs::BoxProgramOf<Real> program;
    program.rows.resize(y.size(), r + (offset ? 1 : 0));
    program.rows.leftCols(r) = (unit * y).asDiagonal() * coordinates(present, Eigen::all);
    if (offset) program.rows.col(r) = y;
    program.levels.setOnes(y.size());
    program.bounds = m * shares(present);
    program.totals.setZero(offset ? 1 : 0);

    const Array<Real> positive = (y.array() > 0).select(program.bounds.array(), 0);
    const Array<Real> negative = program.bounds.array() - positive;
    const double smaller = std::min(positive.sum(), negative.sum()) / 2;
    const Vector<Real> start = offset ? Vector<Real>(positive * (smaller / positive.sum()) +
                                                     negative * (smaller / negative.sum()))
                                      : Vector<Real>(program.bounds / 2);

    double least = std::numeric_limits<double>::infinity();
    const auto consider = [&](const programs::BoxPointOf<Real>& point) {
      const Vector<Real> a = feasible(program, point.multipliers);
      const Vector<Real> pull = program.rows.leftCols(r).transpose() * a;
      for (const Vector<Real>& w : {Vector<Real>(point.primal.head(r)), pull}) {
        const Vector<Real> scores = (program.rows.leftCols(r) * w).cwiseProduct(y);
        if (!scores.allFinite()) continue;
        const double b =
            offset ? programs::hinge_offset(scores, y, program.bounds, point.primal[r]) : 0.0;
        const Array<Real> z = y.array() * (scores.array() + b);
        // The slacks belong to the solution, so what they miss of the losses counts as well.
        const double missed =
            programs::hinge_gap(z, a.array(), program.bounds.array()) +
            (w - pull).squaredNorm() / 2 +
            (program.bounds.array() * (point.slacks.array() - (1 - z).max(0)).abs()).sum();
        if (!(missed < least)) continue;
        least = missed;
        best = {unit * w, b, zero, zero};
        best.multipliers(present) = (a / m).cwiseMin(shares(present));
        best.slacks(present) = point.slacks;
        const programs::ActiveSet<Real> active(program, point);
        for (Index i = 0; i < y.size(); ++i)
          if (a[i] > 0 && active[i] != programs::ActiveSet<Real>::Place::lower)
            best.support.push_back(present[static_cast<std::size_t>(i)]);
      }
    };
    best.iterations =
        programs::solve_box_program(program, start, 1e-3 * tolerance, 0, iterations, consider);
    return best;
  }

  /// Multipliers in the box, those of either class with the same sum: what one has too much is
  /// taken where there is room on both sides, if there is enough of it.
  template <class Real>
  static Vector<Real> feasible(const programs::BoxProgramOf<Real>& program,
                               const Vector<Real>& multipliers) {
    Array<Real> a = multipliers.cwiseMax(0).cwiseMin(program.bounds);
    if (program.totals.size() == 0) return a;
    const Array<Real> u = program.bounds;
    const Array<Real> y = program.rows.col(program.rank());
    for (int round = 0; round < 3; ++round) {
      const double excess = (a * y).sum();
      Array<Real> room = a * (u - a) / u;
      if (room.sum() < 2 * std::abs(excess)) room = (y * excess > 0).select(a, u - a);
      if (room.sum() > 0) a = (a - excess / room.sum() * room * y).max(0).min(u);
    }
    return a;
  }
};

}  // namespace linea
