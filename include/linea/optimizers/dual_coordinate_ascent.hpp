// SPDX-License-Identifier: MIT
#pragma once
/// \file Dual coordinate ascent: no step size to choose, and a proof of how near the minimum is.
#include <algorithm>  // max, min
#include <cmath>      // abs, isfinite
#include <cstdint>
#include <limits>
#include <linea/core/solution.hpp>
#include <linea/optimizers/dual/ascent.hpp>
#include <linea/optimizers/dual/climb.hpp>
#include <linea/optimizers/training/rows_at_zero.hpp>
#include <linea/orders/working_sets.hpp>
#include <linea/penalties/l2.hpp>
#include <string_view>

namespace linea {

/// A solution with the multipliers that prove how good it is: no w and b have an F below `dual`,
/// and `gap` = objective − dual ≥ 0.
template <class T>
struct DualSolution : Solution<T> {
  /// αᵢ (n), −αᵢ being a slope of the loss of sample i: w = Σᵢ sᵢαᵢxᵢ/(λS) at the minimum, where
  /// with offset Σᵢ sᵢαᵢ = 0. A start for other λ and weights.
  Vector<double> multipliers{};
  double dual{-std::numeric_limits<double>::infinity()};

  Certificate certificate() const { return {this->objective, dual}; }

  /// Makes this the start of a run on the same samples for another λ: the multipliers.
  void hand_on(Extras<T>& next) const { next.start_multipliers = multipliers; }
};

/// Minimises F = mean loss + λ/2·‖w‖², λ > 0, by maximising its dual over one multiplier after the
/// other, each exactly. Hinge, squared, log and all other losses with a proximal step and a
/// conjugate; the offset is exact and not penalised. Converges for any λ, n and scale of the data,
/// fast where λn is large or the rows differ much.
///
/// Hsieh, Chang, Lin, Keerthi and Sundararajan, ICML 2008; Shalev-Shwartz and Zhang, Journal of
/// Machine Learning Research 14 (2013).
template <Order O = WorkingSets>
struct BasicDualCoordinateAscent {
  static constexpr std::string_view name = "DualCoordinateAscent";

  Index epochs{10000};  ///< at most; an epoch visits all samples but those whose multipliers rest
  double tolerance{
      1e-4};  ///< converged: gap ≤ tolerance·|F|, or no more than the rounding of F at w = 0
  bool offset{true};  ///< fit b, or leave it 0
  std::uint64_t seed{0};
  [[no_unique_address]] O order{};

  /// x (n × d), y (n). Computed in double; for float x the weights are rounded in the end, at a
  /// price that the gap includes and the status does not. Of the extras the start is
  /// `start_multipliers`, which must be in the domain of the loss's conjugate. With an observer F
  /// is evaluated after every epoch, else when the gap may be small enough. Memory: 24·n + 32·d
  /// bytes beside x, and the answer. Throws std::invalid_argument on input that is not well-formed,
  /// and when λ is 0.
  template <class L, Samples X, VectorLike Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
    requires ProximalLoss<L> && ConjugateLoss<L> && DifferentiableLoss<L> DualSolution<scalar_t<X>>
    minimize(const Objective<L, L2>& objective, const X& x, const Y& y, const E& given = {})
  const {
    const auto& extras = extras_of<scalar_t<X>>(given);
    constexpr std::string_view function = "DualCoordinateAscent::minimize";
    core::require_valid(function, objective);
    require(objective.penalty.lambda > 0, function, ": lambda = ", objective.penalty.lambda,
            ", but without a penalty there is no dual to climb");
    require(epochs >= 0, function, ": ", epochs, " epochs");
    require(tolerance >= 0, function, ": tolerance = ", tolerance, " is not >= 0");
    require(extras.start_weights.size() == 0 && extras.start_offset == 0, function,
            ": a start is given by start_multipliers, not by weights");
    const auto set =
        samples::admit_in_double(function, objective.loss, x, y, extras.sample_weights);
    return run(function, objective, set, extras);
  }

 private:
  template <class T, class L, class Rows>
  DualSolution<T> run(std::string_view function, const Objective<L, L2>& objective,
                      const samples::TrainingSet<Rows>& set, const Extras<T>& extras) const {
    dual::Ascent<L, Rows, O> ascent(objective.loss, set, objective.penalty.lambda, offset,
                                    loop::VisitOptions<O>{.order = order, .seed = seed},
                                    start_of(function, objective.loss, set.y, extras));
    const double rounding =
        std::numeric_limits<double>::epsilon() *
        std::abs(samples::risk_of_rows(objective.loss, training::RowsAtZero<Rows>{set.rows}, set.y,
                                       set.weights, Vector<double>{}, 0.0));
    dual::Climb climb(ascent, tolerance, rounding);
    climb.run(epochs, extras);

    DualSolution<T> solution;
    solution.dual = climb.dual();
    solution.multipliers = std::move(climb.multipliers());
    auto point = ascent.best();
    solution.weights = point.weights.template cast<T>();
    solution.offset = static_cast<T>(point.offset);
    if constexpr (!std::same_as<T, double>) {
      point.weights = solution.weights.template cast<double>();
      point.offset = static_cast<double>(solution.offset);
      point.objective = ascent.value(point);
    }
    solution.objective = point.objective;
    solution.gap = solution.certificate().gap();
    solution.status = climb.is_proven()                ? Status::converged
                      : climb.is_stopped()             ? Status::stopped
                      : std::isfinite(point.objective) ? Status::epoch_limit
                                                       : Status::diverged;
    solution.iterate = Iterate::best;
    solution.epochs = ascent.epochs();
    solution.updates = ascent.updates();
    solution.optimizer = name;
    return solution;
  }

  /// The multipliers (n) to start at. Refuses another size, and what is out of the loss's domain.
  template <class T, class L>
  static Vector<double> start_of(std::string_view function, const L& loss, const Vector<double>& y,
                                 const Extras<T>& extras) {
    Vector<double> start = extras.start_multipliers;
    if (start.size() == 0) start.setZero(y.size());
    require(start.size() == y.size(), function, ": ", start.size(), " start multipliers but y has ",
            y.size());
    for (Index i = 0; i < start.size(); ++i)
      require(std::isfinite(loss.conjugate(-start[i], y[i])), function, ": start multiplier ", i,
              " is ", start[i], ", out of the domain of ", name_of(loss));
    return start;
  }
};

using DualCoordinateAscent = BasicDualCoordinateAscent<>;

}  // namespace linea
