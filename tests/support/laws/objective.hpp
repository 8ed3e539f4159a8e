// SPDX-License-Identifier: MIT
#pragma once
/// \file The formula of core/objective.hpp computed the naive way, to compare with, and its laws.
#include <algorithm>  // max
#include <cmath>      // abs, isfinite
#include <cstddef>
#include <cstdint>
#include <linea/check/points.hpp>
#include <linea/core/objective.hpp>
#include <linea/core/random.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <optional>
#include <type_traits>  // common_type
#include <utility>      // move
#include <vector>

namespace linea::check {

/// F(w, b) = (1/S) Σ sᵢ·loss(⟨w, xᵢ⟩ + b, yᵢ) + penalty(w), term by term in double, with x (n × d)
/// dense or sparse, y (n), w (d) and sample weights (n), empty for all 1. O(n·d) time and memory, x
/// copied. Throws std::invalid_argument when the sizes do not match or the sample weights are not
/// finite and ≥ 0 with a positive sum.
template <Loss L, Penalty P, Samples X, VectorLike Y>
double objective_value(const Objective<L, P>& objective, const X& x, const Y& y,
                       const Vector<double>& w, double b,
                       const Vector<double>& sample_weights = {}) {
  require(x.rows() > 0 && x.rows() == y.size(), "check::objective_value: x has ", x.rows(),
          " rows and y has ", y.size());
  require(x.cols() == w.size(), "check::objective_value: x has ", x.cols(),
          " columns but there are ", w.size(), " weights");
  require(sample_weights.size() == 0 || sample_weights.size() == y.size(),
          "check::objective_value: ", sample_weights.size(), " sample weights for ", y.size(),
          " samples");
  Matrix<double> dense;
  dense = x.template cast<double>();
  double sum = 0;
  double total = 0;
  for (Index i = 0; i < dense.rows(); ++i) {
    double score = b;
    for (Index j = 0; j < dense.cols(); ++j) score += dense(i, j) * w[j];
    const double weight = sample_weights.size() == 0 ? 1 : sample_weights[i];
    require(std::isfinite(weight) && weight >= 0, "check::objective_value: sample weight ", i,
            " is ", weight);
    total += weight;
    if (weight > 0) sum += weight * objective.loss.value(score, static_cast<double>(y.coeff(i)));
  }
  require(total > 0, "check::objective_value: the sample weights add up to ", total);
  return sum / total + static_cast<double>(objective.penalty.value(w));
}

struct ObjectiveOptions {
  bool convex{true};  ///< false leaves out convexity
  int rounds{50};     ///< random points tried for each law
  double radius{3};   ///< weights and offset are drawn from [−radius, radius]
  std::uint64_t seed{1};
};

namespace detail {

struct Unpenalised {
  double value(const Vector<double>&) const { return 0; }
  double proximal(double v, double) const { return v; }
};

/// A point (w, b).
template <class Real>
struct Place {
  Vector<Real> w;
  double b{0};
};

template <class Real>
Place<Real> random_place(Random& random, Index columns, double radius) {
  Place<Real> place{Vector<Real>(columns), 0};
  const auto draw = [&] { return radius * (2 * random.uniform() - 1); };
  for (Index j = 0; j < columns; ++j) place.w[j] = draw();
  place.b = draw();
  return place;
}

}  // namespace detail

/// F is no higher between two random points than the chord.
template <Loss L, Penalty P, Samples X, VectorLike Y>
std::optional<Violation> objective_is_convex(const Objective<L, P>& objective, const X& x,
                                             const Y& y, const ObjectiveOptions& options = {}) {
  using Real = std::common_type_t<scalar_t<X>, double>;
  Random random(options.seed);
  for (int round = 0; round < options.rounds; ++round) {
    const auto from = detail::random_place<Real>(random, x.cols(), options.radius);
    const auto to = detail::random_place<Real>(random, x.cols(), options.radius);
    const double a = random.uniform();
    const double left = objective_value(objective, x, y, from.w, from.b);
    const double right = objective_value(objective, x, y, to.w, to.b);
    const Vector<Real> w = a * from.w + (1 - a) * to.w;
    const double between = objective_value(objective, x, y, w, a * from.b + (1 - a) * to.b);
    const double chord = a * left + (1 - a) * right;
    if (!(between <= chord + 1e-12 * (std::abs(left) + std::abs(right))))
      return Violation{"objective_is_convex",
                       detail::written("between two points the objective is ", between,
                                       ", above the chord, which is ", chord)};
  }
  return std::nullopt;
}

/// The mean loss rises along a random direction (u, c) by the mean of ℓ′·(⟨u, xᵢ⟩ + c).
template <DifferentiableLoss L, Penalty P, Samples X, VectorLike Y>
std::optional<Violation> gradient_matches_objective(const Objective<L, P>& objective, const X& x,
                                                    const Y& y,
                                                    const ObjectiveOptions& options = {}) {
  using Real = std::common_type_t<scalar_t<X>, double>;
  Random random(options.seed);
  const Matrix<Real> dense = x.template cast<Real>();
  require(dense.rows() > 0 && dense.rows() == y.size(), "check::gradient_matches_objective: x has ",
          dense.rows(), " rows and y has ", y.size());
  const auto samples = static_cast<double>(dense.rows());
  const Objective<L, detail::Unpenalised> risk{objective.loss, {}};
  for (int round = 0; round < options.rounds; ++round) {
    const auto place = detail::random_place<Real>(random, dense.cols(), options.radius);
    const auto along = detail::random_place<Real>(random, dense.cols(), 1);
    const auto mean_loss = [&](double t) {
      return objective_value(risk, dense, y, place.w + t * along.w, place.b + t * along.b);
    };
    const auto slope = [&](double t) {
      double sum = 0;
      for (Index i = 0; i < dense.rows(); ++i) {
        const double start = dense.row(i).dot(place.w) + place.b;
        const double rate = dense.row(i).dot(along.w) + along.b;
        sum += rate * objective.loss.derivative(start + t * rate, static_cast<double>(y.coeff(i)));
      }
      return sum / samples;
    };
    const double size =
        std::abs(mean_loss(0)) + options.radius * (dense.cwiseAbs().rowwise().sum().maxCoeff() + 1);
    if (auto message = detail::slope_mismatch(mean_loss, slope, 0, size))
      return Violation{"gradient_matches_objective", "along a random direction, " + *message};
  }
  return std::nullopt;
}

/// A sample of weight k counts as k copies of it, and multiplying all weights changes nothing.
template <Loss L, Penalty P, Samples X, VectorLike Y>
std::optional<Violation> weights_are_repeats(const Objective<L, P>& objective, const X& x,
                                             const Y& y, const ObjectiveOptions& options = {}) {
  using Real = std::common_type_t<scalar_t<X>, double>;
  Random random(options.seed);
  const Matrix<Real> dense = x.template cast<Real>();
  for (int round = 0; round < options.rounds; ++round) {
    const auto place = detail::random_place<Real>(random, dense.cols(), options.radius);
    std::vector<Index> copies;
    Vector<Real> weights(dense.rows());
    for (Index i = 0; i < dense.rows(); ++i) {
      const auto k = static_cast<std::size_t>(i == 0 ? 1 : random.below(4));
      weights[i] = static_cast<double>(k);
      copies.insert(copies.end(), k, i);
    }
    Matrix<Real> repeated(static_cast<Index>(copies.size()), dense.cols());
    Vector<Real> targets(repeated.rows());
    for (Index i = 0; i < repeated.rows(); ++i) {
      const Index from = copies[static_cast<std::size_t>(i)];
      repeated.row(i) = dense.row(from);
      targets[i] = static_cast<double>(y.coeff(from));
    }
    const double weighted = objective_value(objective, dense, y, place.w, place.b, weights);
    const double scaled = objective_value(objective, dense, y, place.w, place.b, 0.3 * weights);
    const double copied = objective_value(objective, repeated, targets, place.w, place.b);
    for (const double other : {scaled, copied})
      if (!(std::abs(weighted - other) <= 1e-12 * std::abs(weighted)))
        return Violation{
            "weights_are_repeats",
            detail::written("the objective with whole weights is ", weighted,
                            other == copied ? ", with copies " : ", with 0.3 of them ", other)};
  }
  return std::nullopt;
}

/// The first violation of each law that the objective must obey on these samples; empty if it obeys
/// them all. Throws std::invalid_argument as objective_value does.
template <Loss L, Penalty P, Samples X, VectorLike Y>
std::vector<Violation> objective(const Objective<L, P>& objective, const X& x, const Y& y,
                                 const ObjectiveOptions& options = {}) {
  std::vector<Violation> found;
  const auto add = [&](std::optional<Violation> violation) {
    if (violation) found.push_back(std::move(*violation));
  };
  if (options.convex) add(objective_is_convex(objective, x, y, options));
  if constexpr (DifferentiableLoss<L>) add(gradient_matches_objective(objective, x, y, options));
  add(weights_are_repeats(objective, x, y, options));
  return found;
}

}  // namespace linea::check
