// SPDX-License-Identifier: MIT
#pragma once
/// \file The separating hyperplane with the largest margin, or a proof that there is none.
#include <algorithm>  // max, min
#include <cmath>
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/core/solution.hpp>
#include <linea/core/wrong_call.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/optimizers/interior_point/convex_hulls.hpp>
#include <linea/optimizers/interior_point/row_space.hpp>
#include <string_view>
#include <type_traits>  // is_same
#include <utility>      // move
#include <vector>

namespace linea {

/// Does a hyperplane separate the samples of +1 from those of −1?
enum class Separability {
  separable,      ///< every yᵢ·pᵢ of the solution exceeds 0 by more than its rounding
  not_separable,  ///< `margin_bound` shows that no margin is above 1e-10 of the radius
  undecided,      ///< neither of the two is proven
};

constexpr std::string_view name_of(Separability separability) {
  if (separability == Separability::separable) return "separable";
  return separability == Separability::not_separable ? "not-separable" : "undecided";
}

/// If separable, w and b are such that the smallest agreement yᵢ·pᵢ is 1, `objective` is ½‖w‖², and
/// `gap` bounds the suboptimality of the objective. If not separable or undecided, w = 0, b = 0 and
/// the objective is ∞. `epochs` is the number of iterations.
template <class T>
struct [[nodiscard]] MaximumMarginSolution : Solution<T> {
  Separability separability{Separability::undecided};
  double margin{0};  ///< 1/‖w‖, the distance of the nearest samples; 0 unless separable
  double margin_bound{0};  ///< ‖Σᵢ αᵢyᵢxᵢ‖/Σᵢ αᵢ: no separating hyperplane has a larger margin
  Eigen::VectorXd multipliers;  ///< αᵢ ≥ 0 (n), of sum 1 in each class, or in total without offset
  std::vector<Index> support;  ///< samples with αᵢ above 1e-8 times the largest, in order
};

/// Minimises ½‖w‖² subject to yᵢ(⟨w, xᵢ⟩ + b) ≥ 1. Finds the nearest points Σᵢ αᵢxᵢ of the convex
/// hulls of both classes. w points from the point of class −1 to the point of class +1. Half of the
/// distance between these points bounds the margin γ of any hyperplane ⟨u, x⟩ + c = 0, since
///
///     γ·Σᵢ αᵢ ≤ Σᵢ αᵢyᵢ(⟨u, xᵢ⟩ + c)/‖u‖ = ⟨u, Σᵢ αᵢyᵢxᵢ⟩/‖u‖ ≤ ‖Σᵢ αᵢyᵢxᵢ‖.
///
/// If the two points coincide, the bound is 0 and no hyperplane separates (Gordan, 1873). Without
/// an offset there is one hull, that of all yᵢxᵢ, and its distance from 0 bounds the margin.
///
/// The cost is that of SvmQuadraticProgram, whose solution tends to this one as λ falls to 0 if the
/// classes are separable. See MIT 6.036, lecture notes of week 2, section 3.5.2, equation (19);
/// Bennett and Bredensteiner, ICML 2000.
struct MaximumMargin {
  static constexpr std::string_view name = "MaximumMargin";

  Index iterations{200};  ///< limit of iterations
  double tolerance{1e-9};  ///< converged: margin ≥ (1 − tolerance)·margin_bound, or not separable
  bool offset{true};       ///< fit b, or leave it 0

  /// Finds w and b for x (n × d), y (n) of −1 and +1. Computes in double. For float x it rounds the
  /// weights at the end; all results except the status refer to the rounded weights. Margins are
  /// resolved down to 1e-16 of the radius, the largest distance of a sample from the mean, or from
  /// 0 without an offset. Inseparable samples are no error. Throws std::invalid_argument on invalid
  /// input. With an offset it also throws when a class has no sample of weight above 0, since the
  /// margin is then unbounded.
  ///
  /// Calls an observer of the extras once, at the end, and ignores a start. Every sample of weight
  /// above 0 must be on its side of the hyperplane. Samples of weight 0 are ignored.
  template <Samples X, Numbers Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  MaximumMarginSolution<scalar_t<X>> fit(const X& x, const Y& y, const E& given = {}) const {
    using T = scalar_t<X>;
    const Extras<T>& extras = extras_of<T>(given);
    constexpr std::string_view function = "MaximumMargin::fit";
    require(tolerance >= 0 && std::isfinite(tolerance), function, ": a tolerance of ", tolerance);
    require(iterations > 0, function, ": ", iterations, " iterations");
    const auto set =
        detail::samples::admit_in_double(function, Hinge{}, x, y, extras.sample_weights);
    Vector<double> targets = set.y;
    bool has[2] = {false, false};
    for (Index i = 0; i < targets.size(); ++i) {
      if (!(set.weight(i) > 0)) targets[i] = 0;  // the sample is ignored
      if (targets[i] != 0) has[targets[i] > 0] = true;
    }
    for (const int target : {-1, 1})
      require(!offset || has[target > 0], function, ": no sample has the target ", target,
              ", and with one class only there is no largest margin");

    const detail::interior_point::RowSpace space(set, offset);
    Matrix<double> coordinates = space.coordinates();
    const double unit = coordinates.cwiseAbs().maxCoeff();  // at most the radius
    if (unit > 0) coordinates /= unit;
    detail::interior_point::ConvexHulls<double> hulls(coordinates, targets, offset, tolerance,
                                                      iterations);

    MaximumMarginSolution<T> solution;
    solution.weights = detail::filled(x.cols(), T(0));
    solution.objective = infinity;
    solution.margin_bound = unit * hulls.bound;
    solution.optimizer = name;
    if (hulls.iterations < iterations) solution.status = Status::precision_limit;
    solution.epochs = solution.updates = solution.iterations = hulls.iterations;
    double reached = 0;  // margin before w and b are rounded to T
    if (hulls.margin > 0) {
      for (double& term : hulls.terms) term /= unit;
      reached = separate(set.rows, targets, space.weights(hulls.weights, hulls.terms), solution);
    }
    if (solution.separability == Separability::separable) {
      const double bound = 1 / solution.margin_bound;
      solution.gap = std::max(0.0, solution.objective - bound * bound / 2);
      const double enough = (1 - tolerance) * solution.margin_bound;
      // Scores far larger than the margin lose digits: the margin after rounding may be below
      // `enough` even if T is double. So this margin decides only for other T.
      const bool is_kept = !std::is_same_v<T, double> || solution.margin >= enough;
      if (reached >= enough)
        solution.status = is_kept ? Status::converged : Status::precision_limit;
    } else if (hulls.bound <= 1e-10) {
      solution.separability = Separability::not_separable;
      solution.status = Status::converged;
    }
    solution.multipliers = std::move(hulls.multipliers);
    solution.support = std::move(hulls.support);
    report_once(extras, solution);
    return solution;
  }
  template <class X, class Y, class E = Extras<double>>
  detail::WrongCall<X, Y, E> fit(const X&, const Y&, const E& = {}) const;

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  /// Scales w and chooses b so that the smallest agreement yᵢ·pᵢ is 1; with an offset it is 1 in
  /// each class. Rounds w and b to T. If all agreements still exceed 0 by more than their rounding
  /// errors, sets w, b, the separability, the objective and the margin of the solution. Returns the
  /// margin of w before rounding to T, or 0 if w does not separate the classes.
  template <class Rows, class T>
  double separate(const Rows& rows, const Vector<double>& y, Vector<double> w,
                  MaximumMarginSolution<T>& solution) const {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    Vector<double> scores(y.size());
    Vector<double> doubt(y.size());  // a bound on the rounding error of each score
    double lowest = 0;               // lowest score of target +1
    double highest = 0;              // highest score of target −1
    const auto score = [&] {
      lowest = infinity;
      highest = -infinity;
      for (Index i = 0; i < y.size(); ++i) {
        double sum = 0;
        double size = 0;
        double terms = 2;
        rows.for_each(i, [&](Index j, auto value) {
          const double term = static_cast<double>(value) * w[j];
          sum += term;
          size += std::abs(term);
          ++terms;
        });
        scores[i] = sum;
        doubt[i] = terms * epsilon * size;
        if (y[i] > 0) lowest = std::min(lowest, sum);
        if (y[i] < 0) highest = std::max(highest, sum);
      }
    };
    score();
    const double least = offset ? (lowest - highest) / 2 : std::min(lowest, -highest);
    if (!(least > 0)) return 0;
    const double reached = least / w.stableNorm();
    for (double& weight : w) weight = static_cast<double>(static_cast<T>(weight / least));
    score();
    const T b = offset ? static_cast<T>(-(lowest + highest) / 2) : T(0);
    double smallest = infinity;  // smallest agreement
    bool is_sure = detail::all_finite(w);
    for (Index i = 0; i < y.size(); ++i) {
      if (y[i] == 0) continue;
      const double agreement = y[i] * (scores[i] + static_cast<double>(b));
      smallest = std::min(smallest, agreement);
      is_sure = is_sure && agreement > doubt[i] + 2 * epsilon * std::abs(static_cast<double>(b));
    }
    if (!is_sure) return reached;
    solution.separability = Separability::separable;
    for (Index j = 0; j < w.size(); ++j) solution.weights[j] = static_cast<T>(w[j]);
    solution.offset = b;
    solution.objective = detail::linear_algebra::squares_of(w) / 2;
    solution.margin = smallest / w.stableNorm();
    return reached;
  }
};

}  // namespace linea
