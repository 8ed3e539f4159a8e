// SPDX-License-Identifier: MIT
#pragma once
/// \file Pegasos: stochastic subgradient descent with step 1/(λt) on a strongly convex objective.
/// Shalev-Shwartz, Singer, Srebro and Cotter, Mathematical Programming 127 (2011).
#include <algorithm>  // max
#include <cmath>      // sqrt
#include <linea/optimizers/gradient_rule.hpp>
#include <linea/optimizers/learner.hpp>
#include <linea/optimizers/train.hpp>

namespace linea {

/// Starts at zero and has no step size to tune. It is written for the hinge; any differentiable loss
/// will do. The offset is not part of the paper's proof: it is fitted unpenalised, with steps of at
/// most 1/√t.
///
/// The average weighs the iterate of step t with t (polynomial-decay averaging of Shamir and Zhang, ICML
/// 2013); the paper's plain mean is average_power = 0.
///
/// The lectures print the algorithm with η = 1/t: LecturePegasos. Both reach the same
/// minimum; with λ below ½ the lectures' is the slower.
template <StepSize S = InverseLambda, Order O = WorkingSets>
struct BasicPegasos {
  Index epochs{30};
  double tolerance{1e-4};  ///< relative fall of the best F over 5 epochs; 0: run all epochs
  bool offset{true};       ///< fit b, or leave it 0
  S step{};                ///< any callable t ≥ 1 → η > 0
  O order{};               ///< the order of visits in an epoch; the paper draws WithReplacement
  Index batch{1};          ///< samples a step; their subgradients are averaged
  bool project{false};     ///< keep w in a ball where the minimum lies; for the hinge 1/√λ
  Iterate iterate{Iterate::best};
  Index average_from{2};    ///< for Iterate::average: its first epoch, from 1
  double average_power{1};  ///< and its weights t^power: 1 forgets the start, 0 is the plain mean
  std::uint64_t seed{0};

  /// Minimises F over w and b for x (n × d), y (n). O(non-zeros) an epoch, twice. Throws
  /// std::invalid_argument on input that is not well-formed, and when the penalty's λ is 0.
  template <DifferentiableLoss L, StronglyConvexPenalty P, Samples X, VectorLike Y>
  Solution<scalar_t<X>> minimize(const Objective<L, P>& objective, const X& x, const Y& y,
                                 const Extras<scalar_t<X>>& extras = {}) const {
    using T = scalar_t<X>;
    constexpr std::string_view function = "Pegasos::minimize";
    require_valid(function, objective);
    const auto set = admit(function, objective.loss, x, y, extras.sample_weights);
    require(extras.start_weights.size() == 0 || extras.start_weights.size() == x.cols(), function,
            ": ", extras.start_weights.size(), " start weights but x has ", x.cols(), " columns");
    // At the minimum λ‖w‖² is the mean of −φᵢ*(−αᵢ) less the mean loss (strong duality), and each
    // −φᵢ*(−αᵢ) = inf over p of φᵢ(p) + αᵢp is at most φᵢ(0), the loss at score 0.
    const double at_zero = project ? risk_of_rows(objective.loss, set.rows, set.y, set.weights,
                                                  Vector<T>(Vector<T>::Zero(x.cols())), T(0))
                                   : 0;
    const double radius = std::sqrt(at_zero / strong_convexity_of(objective.penalty));
    auto learner = make_learner<T>(function, objective, x.cols(), radius, extras);
    learner.prepare(set, false);
    const Plan plan{epochs, tolerance, iterate, average_from, 0};
    Account account;
    return train(learner, set, plan, extras, account, [&](const Vector<T>& w, T b) {
      return risk_of_rows(objective.loss, set.rows, set.y, set.weights, w, b) +
             static_cast<double>(objective.penalty.value(w));
    });
  }

  template <DifferentiableLoss L, StronglyConvexPenalty P, Samples X, VectorLike Y, Observer F>
  Solution<scalar_t<X>> minimize(const Objective<L, P>& objective, const X& x, const Y& y,
                                 F&& observer) const {
    return minimize(objective, x, y, observed_by<scalar_t<X>>(std::forward<F>(observer)));
  }

  /// A learner for d features that is fed by the caller. It averages all its iterates when the iterate
  /// is Iterate::average. The radius of a projection follows from the targets, so online it is for
  /// losses with targets ±1 only.
  template <Scalar T, DifferentiableLoss L, StronglyConvexPenalty P>
  auto start(const Objective<L, P>& objective, Index d) const {
    constexpr std::string_view function = "Pegasos::start";
    require_valid(function, objective);
    require(!project || !is_valid_target(objective.loss, 0.5), function,
            ": projection needs to know the targets, unless they are -1 and +1");
    const double at_zero = project ? std::max(static_cast<double>(objective.loss.value(0.0, -1.0)),
                                              static_cast<double>(objective.loss.value(0.0, 1.0)))
                                   : 0;
    return make_learner<T>(function, objective, d,
                           std::sqrt(at_zero / strong_convexity_of(objective.penalty)), {});
  }

 private:
  template <class T, class L, class P>
  auto make_learner(std::string_view function, const Objective<L, P>& objective, Index d,
                    double radius, const Extras<T>& extras) const {
    require(epochs >= 0, function, ": ", epochs, " epochs");
    require(batch >= 1, function, ": a batch of ", batch, " samples");
    require(d >= 1, function, ": ", d, " features");
    require(average_power >= 0 && average_power <= 100, function,
            ": average_power = ", average_power);
    const double lambda = strong_convexity_of(objective.penalty);
    require(lambda > 0, function, ": lambda = ", lambda,
            " but the step 1/(lambda t) needs lambda > 0");
    require(!project || (LazyPenalty<P> && !ThresholdPenalty<P>), function,
            ": projection goes with an L2 penalty alone");
    const GradientRule<L, P, S> rule{objective.loss, objective.penalty,
                                     bound_step(step, ProblemFacts{lambda, 1}), offset,
                                     average_power};
    const Vector<T> w =
        extras.start_weights.size() ? extras.start_weights : Vector<T>(Vector<T>::Zero(d));
    auto weights = weights_for(objective.penalty, w, extras.start_offset, radius);
    return Learner<T, GradientRule<L, P, S>, decltype(weights), O>(
        rule, std::move(weights), {order, batch, iterate == Iterate::average, seed});
  }
};

using Pegasos = BasicPegasos<>;

/// The algorithm as the lectures print it: η = 1/t, every sample drawn at random with replacement.
using LecturePegasos = BasicPegasos<InverseTime, WithReplacement>;

}  // namespace linea
