// SPDX-License-Identifier: MIT
#pragma once
/// \file The separator with the largest margin, or a proof that there is none.
#include <algorithm>  // max, min
#include <cmath>
#include <limits>
#include <linea/core/solution.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/optimizers/programs/active_set.hpp>
#include <linea/optimizers/programs/row_space.hpp>
#include <string_view>
#include <type_traits>  // common_type
#include <utility>
#include <vector>

namespace linea {

/// Whether a hyperplane has all samples of +1 on one side and all of −1 on the other.
enum class Separability {
  separable,      ///< the weights do it: every agreement is above 0 by more than it can be rounded
  not_separable,  ///< no hyperplane has a margin above `margin_bound`, at most 1e-10 of the radius
  undecided,      ///< neither has been shown
};

constexpr std::string_view name_of(Separability separability) {
  switch (separability) {
    case Separability::separable:
      return "separable";
    case Separability::not_separable:
      return "not-separable";
    case Separability::undecided:
      return "undecided";
  }
  return "unknown";
}

/// When separable: the w and b whose smallest agreement is 1, `objective` = ½‖w‖², and `gap` what that may be
/// above the minimum. Else w = 0 and b = 0, and the objective is ∞, the minimum of a program
/// that no w and b satisfy. `epochs` counts iterations.
template <class T>
struct MaximumMarginSolution : Solution<T> {
  Separability separability{Separability::undecided};
  double margin{0};        ///< of the samples nearest to the boundary, 1/‖w‖; 0 without one
  double margin_bound{0};  ///< ‖Σᵢ αᵢyᵢxᵢ‖/Σᵢ αᵢ: no separator has a larger margin
  Eigen::VectorXd multipliers;  ///< αᵢ ≥ 0 (n), of sum 1 in each class; without offset, in all
  std::vector<Index> support;   ///< samples with αᵢ above 1e-8 of the largest, in order
};

/// Minimises ½‖w‖² subject to yᵢ(⟨w, xᵢ⟩ + b) ≥ 1. It looks for the points of the convex hulls of both classes
/// that are nearest to each other, Σᵢ αᵢxᵢ over either class: w points from one to the other, and half
/// their distance bounds the margin γ of any u and c, since
///
///     γ·Σᵢ αᵢ ≤ Σᵢ αᵢyᵢ(⟨u, xᵢ⟩ + c)/‖u‖ = ⟨u, Σᵢ αᵢyᵢxᵢ⟩/‖u‖ ≤ ‖Σᵢ αᵢyᵢxᵢ‖.
///
/// When the two points are one, there is no separator, and adding up shows it (Gordan, 1873). Without
/// offset it is one hull, that of all yᵢxᵢ, and its distance from 0.
///
/// Cost as SvmQuadraticProgram, whose solution tends to this one as λ falls to 0. 6.036 notes of week 2,
/// section 3.5.2, equation (19); Bennett and Bredensteiner, ICML 2000.
struct MaximumMargin {
  bool offset{true};       ///< fit b, or leave it 0
  double tolerance{1e-9};  ///< converged: margin ≥ (1 − tolerance)·margin_bound, or not separable
  Index iterations{200};  ///< at most

  /// x (n × d), y (n) of −1 and +1. Computed in double: for float x the weights are rounded in the end,
  /// which all but the status takes into account. Margins are resolved down to 1e-16 of the radius, the
  /// largest distance of a sample from the mean, or from 0 without offset. Not to be separable is an
  /// answer. Throws std::invalid_argument on input that is not well-formed, and with offset when a
  /// class has no samples, since there is no largest margin then.
  template <Samples X, VectorLike Y>
  MaximumMarginSolution<scalar_t<X>> fit(const X& x, const Y& y) const {
    using T = scalar_t<X>;
    using Real = std::common_type_t<T, double>;
    constexpr std::string_view function = "MaximumMargin::fit";
    require(tolerance >= 0 && std::isfinite(tolerance), function, ": a tolerance of ", tolerance);
    require(iterations > 0, function, ": ", iterations, " iterations");
    const auto set = samples::admit(function, Hinge{}, x, y);
    const Vector<Real> targets = set.y.template cast<Real>();
    for (const int target : {-1, 1})
      require(!offset || (targets.array() == target).any(), function, ": no sample has the target ",
              target, ", and with one class only there is no largest margin");

    const programs::RowSpace space(set, offset);
    const double radius = space.coordinates().rowwise().stableNorm().maxCoeff();
    Hulls<Real> hulls = solve<Real>(space.coordinates() / (radius > 0 ? radius : 1), targets);

    MaximumMarginSolution<T> solution;
    solution.weights = Vector<T>::Zero(x.cols());
    solution.objective = infinity;
    solution.margin_bound = radius * hulls.bound;
    solution.epochs = hulls.iterations;
    double reached = 0;  // before w and b are rounded to T
    if (hulls.margin > 0)
      reached =
          separate(set.rows, targets, space.weights(hulls.weights, hulls.pull / radius), solution);
    if (solution.separability == Separability::separable) {
      const double bound = 1 / solution.margin_bound;
      solution.gap = std::max(0.0, solution.objective - bound * bound / 2);
      if (reached >= (1 - tolerance) * solution.margin_bound) solution.status = Status::converged;
    } else if (hulls.bound <= 1e-10) {
      solution.separability = Separability::not_separable;
      solution.status = Status::converged;
    }
    solution.multipliers = std::move(hulls.multipliers);
    solution.support = std::move(hulls.support);
    return solution;
  }

 private:
  template <class Real>
  using Array = Eigen::Array<Real, Eigen::Dynamic, 1>;
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  /// In the coordinates of the samples: the direction with the largest margin, and the multipliers with the
  /// smallest bound.
  template <class Real>
  struct Hulls {
    Vector<Real> weights{};
    Vector<Real> pull{};  // multipliers (n) of whose sum they are the direction, up to rounding
    double margin{-infinity};
    Vector<Real> multipliers{};
    std::vector<Index> support{};
    double bound{infinity};
    Index iterations{0};
  };

  template <class Real>
  Hulls<Real> solve(const Matrix<Real>& coordinates, const Vector<Real>& y) const {
    const Index sides = offset ? 2 : 1;
    const Index r = coordinates.cols();
    programs::BoxProgramOf<Real> program;
    program.rows.resize(y.size(), r + sides);
    program.rows.leftCols(r) = y.asDiagonal() * coordinates;
    program.rows.rightCols(sides).setOnes();
    if (offset) {
      program.rows.col(r) = (y.array() > 0).template cast<Real>();
      program.rows.col(r + 1) = (y.array() < 0).template cast<Real>();
    }
    program.levels.setZero(y.size());
    program.totals.setOnes(sides);
    const auto z = program.rows.leftCols(r);
    const auto side = program.rows.rightCols(sides);
    // Multipliers scaled to the sums they are to have.
    const auto scaled = [&](const Vector<Real>& a) {
      return Vector<Real>(a.cwiseProduct(side * (side.transpose() * a).cwiseInverse().eval()));
    };

    Hulls<Real> best;
    best.multipliers = scaled(Vector<Real>::Ones(y.size()));
    const auto consider = [&](const programs::BoxPointOf<Real>& point) {
      const Vector<Real> a = scaled(point.multipliers.cwiseMax(0));
      const Vector<Real> pull = z.transpose() * a;
      const double bound = pull.norm() / static_cast<double>(sides);
      if (bound < best.bound) {
        best.bound = bound;
        best.multipliers = a;
        best.support.clear();
        for (Index i = 0; i < y.size(); ++i)
          if (a[i] > 1e-8 * a.maxCoeff()) best.support.push_back(i);
      }
      for (const Vector<Real>& w : {Vector<Real>(point.primal.head(r)), pull}) {
        const Array<Real> agreements = (z * w).array();
        double margin = 0;
        for (Index k = 0; k < sides; ++k)
          margin += (side.col(k).array() > 0).select(agreements, infinity).minCoeff();
        margin /= static_cast<double>(sides) * w.norm();
        if (!(margin > best.margin)) continue;
        best.margin = margin;
        best.weights = w;
        best.pull = a.cwiseProduct(y);
      }
    };
    best.iterations = programs::solve_box_program(program, best.multipliers, 1e-3 * tolerance,
                                                  1e-24, iterations, consider);
    return best;
  }

  /// Enters w and b into the solution, with the same smallest agreement of 1 on both sides, if w and b as they
  /// are after rounding to T give all samples agreements that are above 0 beyond doubt. Returns the
  /// margin that w has before that.
  template <class Rows, class T, class Real>
  double separate(const Rows& rows, const Vector<Real>& y, Vector<Real> w,
                  MaximumMarginSolution<T>& solution) const {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    Array<Real> scores(y.size());
    Array<Real> doubt(y.size());  // of each score: its rounding error is smaller
    double lowest = 0;            // score of target +1
    double highest = 0;           // and of −1
    const auto score = [&] {
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
      }
      lowest = (y.array() > 0).select(scores, infinity).minCoeff();
      highest = (y.array() < 0).select(scores, -infinity).maxCoeff();
    };
    score();
    const double least = offset ? (lowest - highest) / 2 : std::min(lowest, -highest);
    if (!(least > 0)) return 0;
    const double reached = least / w.norm();
    w = (w / least).template cast<T>().template cast<Real>();
    score();
    const T b = offset ? static_cast<T>(-(lowest + highest) / 2) : T(0);
    const Array<Real> agreements = y.array() * (scores + static_cast<double>(b));
    doubt += 2 * epsilon * std::abs(static_cast<double>(b));
    if (!w.allFinite() || !(agreements > doubt).all()) return reached;
    solution.separability = Separability::separable;
    solution.weights = w.template cast<T>();
    solution.offset = b;
    solution.objective = w.squaredNorm() / 2;
    solution.margin = agreements.minCoeff() / w.stableNorm();
    return reached;
  }
};

}  // namespace linea
