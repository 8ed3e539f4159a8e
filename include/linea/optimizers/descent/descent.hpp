// SPDX-License-Identifier: MIT
#pragma once
/// \file What Sgd, Pegasos and GradientDescent share beside the loop of visits: functions that make
/// a learner from the options and run the learner on a set.
///
/// | member of such an optimizer O     | meaning                                                  |
/// |-----------------------------------|----------------------------------------------------------|
/// | optimizer.epochs, tolerance, …    | options, as in BasicSgd                                  |
/// | O::name, O::minimizes             | names in messages: "Sgd", "Sgd::minimize"                |
/// | O::chooses_offset                 | may a run begin at the best constant model?              |
/// | optimizer.learner(objective, set, | returns a learner for a validated set; private, called   |
/// | extras)                           | through the friend Access                                |
#include <algorithm>  // clamp, max
#include <cmath>      // abs, isfinite, isnan, sqrt
#include <limits>
#include <linea/core/penalty.hpp>
#include <linea/optimizers/descent/learner.hpp>
#include <linea/optimizers/descent/parallel_learner.hpp>
#include <linea/optimizers/descent/rules.hpp>
#include <linea/optimizers/descent/training_run.hpp>
#include <linea/samples/best_constant.hpp>
#include <linea/samples/frame.hpp>
#include <linea/samples/risk.hpp>
#include <string_view>
#include <utility>  // move

namespace linea::detail::descent {

/// Returns the options of an optimizer for one of its functions. Options that the optimizer lacks
/// keep their defaults.
template <class Optimizer>
Options options_of(const Optimizer& optimizer, std::string_view function = Optimizer::minimizes) {
  Options options;
  options.function = function;
  options.epochs = optimizer.epochs;
  options.tolerance = optimizer.tolerance;
  options.change_tolerance = optimizer.change_tolerance;
  options.target_objective = optimizer.target_objective;
  options.offset = optimizer.offset;
  options.iterate = optimizer.iterate;
  if constexpr (requires { optimizer.retries; }) options.retries = optimizer.retries;
  if constexpr (requires { optimizer.batch; }) {
    options.max_updates = optimizer.max_updates;
    options.batch = optimizer.batch;
    options.batch_growth = optimizer.batch_growth;
    options.average_from = optimizer.average_from;
    options.average_power = optimizer.average_power;
    options.seed = optimizer.seed;
    options.threads = optimizer.threads;
  }
  return options;
}

/// Throws std::invalid_argument for options out of their domain.
inline void require_valid(const Options& options) {
  const std::string_view function = options.function;
  require(options.epochs >= 0, function, ": ", options.epochs, " epochs");
  require(options.max_updates >= 0, function, ": at most ", options.max_updates, " updates");
  require(options.batch >= 1, function, ": a batch of ", options.batch, " samples");
  require(options.batch_growth >= 1 && std::isfinite(options.batch_growth), function,
          ": batch_growth = ", options.batch_growth, ", but batches do not shrink");
  require(options.tolerance >= 0, function, ": tolerance = ", options.tolerance, " is not >= 0");
  require(options.change_tolerance >= 0, function,
          ": change_tolerance = ", options.change_tolerance, " is not >= 0");
  require(!std::isnan(options.target_objective), function, ": target_objective is not a number");
  require(options.average_power >= 0 && options.average_power <= 3, function,
          ": average_power = ", options.average_power, " is not in [0, 3]");
  require(options.average_from >= 1, function, ": average_from = ", options.average_from,
          ", but epochs count from 1");
  require(options.retries >= 0, function, ": ", options.retries, " retries");
  require_threads(function, options.threads);
}

/// Returns a learner for d features, from options and the extras' start, or the nearest weights of
/// finite penalty. A positive radius bounds ‖w‖. Validates all arguments.
template <class T, class S, class O, class L, class P>
auto gradient_learner(const Options& options, const S& step, const O& order,
                      const Objective<L, P>& objective, Index d, const Extras<T>& extras,
                      double radius = 0) {
  const std::string_view function = options.function;
  detail::require_valid(function, objective, d);
  require_valid(options);
  require(d >= 1, function, ": ", d, " features");
  ProblemFacts facts{strong_convexity_of(objective.penalty), 1, SmoothLoss<L>};
  if constexpr (SmoothLoss<L>) facts.curvature = objective.loss.curvature_bound();
  const GradientRule<L, P, S> rule{objective.loss, objective.penalty, bound_step(step, facts),
                                   options.offset, options.average_power};
  const auto first = static_cast<double>(rule.step_size(1));
  require(first > 0 && std::isfinite(first), function, ": the step size at t = 1 is ", first);
  Vector<T> start = samples::start_weights(function, extras, d, options.offset);
  if constexpr (!LazyPenalty<P>) start = nearest_of_finite_penalty(objective.penalty, start);
  auto weights = weights_for(objective.penalty, start, extras.start_offset, radius);
  return Learner<T, GradientRule<L, P, S>, decltype(weights), O>(
      rule, std::move(weights),
      {order, options.batch, options.iterate == Iterate::average, options.seed,
       options.batch_growth});
}

/// The friend of optimizers that calls their private function `learner`.
struct Access {
  /// Returns an optimizer's learner, ready for the first epoch on a centred set. The extras' start
  /// refers to the samples as they are stored, before centring.
  template <class Optimizer, class L, class P, class Rows, class T>
  static auto learner(const Optimizer& optimizer, const samples::Frame<T>& frame,
                      const Objective<L, P>& objective, const samples::TrainingSet<Rows>& set,
                      const Extras<T>& extras) {
    auto learner = optimizer.learner(objective, set, extras);
    const bool warm = extras.start_weights.size() > 0;
    if (warm && frame.is_moved()) {
      const Vector<T> start = learner.current_weights();
      learner.replace(start, frame.enter(start, extras.start_offset));
    }
    learner.prepare(set, Optimizer::chooses_offset && !warm);
    return learner;
  }
};

/// Converts a solution for centred samples to a solution for the stored samples, if the frame
/// changes the samples. Computes F from the stored samples in numbers of T, as predictions do. If
/// ⟨w, origin⟩ is so large that its rounding affects F, sets the status to precision_limit or
/// worse. If F is then above F of the best constant, the solution becomes this constant.
template <class L, class P, class Rows, class T>
void leave_frame(const Objective<L, P>& objective, const samples::TrainingSet<Rows>& set,
                 const samples::Frame<T>& frame, double tolerance, Workers* workers,
                 DescentSolution<T>& solution) {
  if (!frame.is_moved()) return;
  const auto rows = samples::stored_rows(set);
  const auto leave = [&](const Vector<T>& w, T& b, double& value) {
    b = frame.leave(w, b);
    value = samples::risk_of_rows(objective.loss, rows, set.y, set.weights, w, b, workers) +
            static_cast<double>(objective.penalty.value(w));
  };
  leave(solution.current.weights, solution.current.offset, solution.current.objective);
  const double before = solution.objective;
  leave(solution.weights, solution.offset, solution.objective);
  const double felt = std::max(tolerance, std::sqrt(std::numeric_limits<double>::epsilon()));
  if (solution.objective - before <= felt * std::abs(before)) return;
  solution.status = std::max(solution.status, Status::precision_limit);
  Vector<T> fixed = Vector<T>::Zero(solution.weights.size());
  if constexpr (!LazyPenalty<P>) fixed = nearest_of_finite_penalty(objective.penalty, fixed);
  Point<T> constant = samples::constant_point(objective.loss, set, true, fixed);
  leave(constant.weights, constant.offset, constant.objective);
  if (solution.objective <= constant.objective) return;
  solution.weights = constant.weights;
  solution.offset = constant.offset;
  solution.objective = constant.objective;
}

/// Runs Sgd, Pegasos or GradientDescent on validated samples. Not inline, because `extern template`
/// has no effect on inline functions: see rows/compiled.hpp.
template <class Optimizer, class L, class P, class Rows, class T>
DescentSolution<T> run_descent(const Optimizer& optimizer, const samples::Frame<T>& frame,
                               const Objective<L, P>& objective, samples::TrainingSet<Rows>& set,
                               const Extras<T>& extras) {
  const Options options = options_of(optimizer);
  auto learner = Access::learner(optimizer, frame, objective, set, extras);
  Workers workers(std::clamp<Index>(set.rows.rows(), 1, options.threads));
  ParallelLearner<T, decltype(learner)> parallel(learner, workers);
  const Extras<T> framed{.observer = samples::framed_observer(extras, frame),
                         .start_weights = extras.start_weights};
  auto solution = train(parallel, set, options, framed, objective, &workers);
  solution.optimizer = Optimizer::name;
  leave_frame(objective, set, frame, options.tolerance, &workers, solution);
  return solution;
}

/// Minimises F on x (n × d) and y (n) until the optimizer's options end the run.
template <class Optimizer, class L, class P, AnySamples X, Numbers Y>
DescentSolution<scalar_t<X>> descend(const Optimizer& optimizer, const Objective<L, P>& objective,
                                     const X& x, const Y& y, const Extras<scalar_t<X>>& given) {
  using T = scalar_t<X>;
  return samples::together(x, given, [&](const Extras<T>& extras) {
    auto set = samples::admit(Optimizer::minimizes, objective.loss, x, y, extras.sample_weights);
    const samples::Frame<T> frame(set, optimizer.offset);
    return run_descent(optimizer, frame, objective, set, extras);
  });
}

}  // namespace linea::detail::descent

#define LINEA_DESCENT_OF(Optimizer, how, L, T, R)                                  \
  how DescentSolution<T> detail::descent::run_descent(                             \
      const Optimizer&, const detail::samples::Frame<T>&, const Objective<L, L2>&, \
      detail::samples::TrainingSet<R>&, const Extras<T>&);
