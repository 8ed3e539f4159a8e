// SPDX-License-Identifier: MIT
#pragma once
/// \file What Sgd, Pegasos and GradientDescent share beyond the loop: from options to a learner,
/// and the run on a set.
#include <algorithm>  // clamp, max
#include <cmath>      // abs, sqrt
#include <linea/optimizers/descent/gradient_rule.hpp>
#include <linea/optimizers/descent/learner.hpp>
#include <linea/optimizers/descent/team.hpp>
#include <linea/optimizers/descent/train.hpp>
#include <linea/samples/best_constant.hpp>
#include <linea/samples/frame.hpp>
#include <linea/samples/framed_observer.hpp>
#include <linea/samples/risk.hpp>
#include <type_traits>  // remove_cvref

namespace linea {

/// A batch of this size is the whole set, whatever its size: one step an epoch, on the full
/// gradient.
inline constexpr Index all_samples = std::numeric_limits<Index>::max();

/// What max_updates and target_objective are when they end no run.
inline constexpr Index no_limit = std::numeric_limits<Index>::max();
inline constexpr double no_target = -std::numeric_limits<double>::infinity();

/// A solution and the steps that led to it.
template <class T>
struct [[nodiscard]] DescentSolution : Solution<T> {
  Point<T> current{};  ///< where the run stood at its end, beside the weights, the best so far, say
  double first_step{0};  ///< η at t = 1, as chosen or given, before any restart
  double last_step{0};   ///< η of the last step taken
  Index restarts{0};  ///< times the run diverged, was rolled back and went on with a quarter of η
};

}  // namespace linea

namespace linea::descent {

/// The options that Sgd, Pegasos and GradientDescent have, each with defaults of its own.
template <StepSize S, Order O>
struct DescentOptions {
  Index epochs;
  double tolerance;
  double change_tolerance;
  double target_objective;
  bool offset;
  S step;
  Iterate iterate;
  Index batch{all_samples};
  Index max_updates{no_limit};
  double batch_growth{1};
  Index average_from{2};
  double average_power{1};
  std::uint64_t seed{0};
  O order{};
};

/// One of these optimizers as a run sees it. `start(set)` makes the learner for samples that have
/// passed the door.
template <class Options, class Start>
struct Descent {
  std::string_view optimizer;  ///< its name,
  std::string_view function;   ///< and that of the function that was called, for messages
  Options options;
  Index retries;       ///< how often a diverging run is rolled back
  bool choose_offset;  ///< may the run begin at the best constant model?
  Start start;
};

template <class Options, class Start>
Descent(std::string_view, std::string_view, Options, Index, bool, Start) -> Descent<Options, Start>;

/// A learner for d features from an optimizer's options and the extras' start. A positive radius
/// bounds ‖w‖. Throws std::invalid_argument, naming `function`, for options out of their domain.
template <class T, class Options, class L, class P>
auto gradient_learner(std::string_view function, const Options& options,
                      const Objective<L, P>& objective, Index d, const Extras<T>& extras,
                      double radius = 0) {
  using S = std::remove_cvref_t<decltype(options.step)>;
  using O = std::remove_cvref_t<decltype(options.order)>;
  core::require_valid(function, objective);
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
  require(d >= 1, function, ": ", d, " features");

  ProblemFacts facts{strong_convexity_of(objective.penalty), 1, SmoothLoss<L>};
  if constexpr (SmoothLoss<L>) facts.curvature = objective.loss.curvature_bound();
  const descent::GradientRule<L, P, S> rule{objective.loss, objective.penalty,
                                            bound_step(options.step, facts), options.offset,
                                            options.average_power};
  const auto first = static_cast<double>(rule.step_size(1));
  require(first > 0 && std::isfinite(first), function, ": the step size at t = 1 is ", first);
  auto weights = descent::weights_for(objective.penalty,
                                      samples::start_weights(function, extras, d, options.offset),
                                      extras.start_offset, radius);
  return Learner<T, descent::GradientRule<L, P, S>, decltype(weights), O>(
      rule, std::move(weights),
      {options.order, options.batch, options.iterate == Iterate::average, options.seed,
       options.batch_growth});
}

/// How many threads an optimizer's options ask for: one where they have no say.
template <class Options>
Index threads_of(std::string_view function, const Options& options) {
  if constexpr (requires { options.threads; }) {
    require_threads(function, options.threads);
    return options.threads;
  }
  return 1;
}

template <class D>
void require_retries(const D& descent) {
  require(descent.retries >= 0, descent.function, ": ", descent.retries, " retries");
}

template <class D>
RunOptions run_options(const D& descent) {
  const auto& options = descent.options;
  RunOptions run{options.epochs, options.tolerance, options.iterate, options.average_from,
                 descent.retries};
  run.max_updates = options.max_updates;
  run.target_objective = options.target_objective;
  run.change_tolerance = options.change_tolerance;
  return run;
}

template <class T, class Learner>
DescentSolution<T> descent_solution(std::string_view optimizer, Solution<T> solution,
                                    const Learner& learner, RunRecord<T> record,
                                    double first_step) {
  solution.optimizer = optimizer;
  return {std::move(solution), std::move(record.current), first_step, learner.step_size(),
          record.restarts};
}

/// Moves a learner to the start of the extras, which is given for the samples as they are stored.
template <class T, class L>
void enter_start(L& learner, const samples::Frame<T>& frame, const Extras<T>& extras) {
  if (frame.is_moved() && extras.start_weights.size() > 0)
    learner.replace(extras.start_weights, frame.enter(extras.start_weights, extras.start_offset));
}

/// Makes a solution in the frame one for the samples as they are stored, with F as it is computed
/// from those, in numbers of T like every prediction. Where w times the origin is so large that
/// rounding is felt in F, the status is precision_limit; where it makes F worse than that of the
/// best constant, that constant is returned.
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
  const Point<T> constant = samples::constant_point(objective.loss, set, true);
  if (solution.objective <= constant.objective) return;
  solution.weights = constant.weights;
  solution.offset = constant.offset;
  solution.objective = constant.objective;
}

/// Minimises F on samples in a frame, until the options say stop.
template <class D, class L, class P, class Rows, class T>
DescentSolution<T> descend_in(const samples::Frame<T>& frame, const D& descent,
                              const Objective<L, P>& objective, samples::TrainingSet<Rows>& set,
                              const Extras<T>& extras) {
  auto learner = descent.start(set);
  enter_start(learner, frame, extras);
  const Index threads = threads_of(descent.function, descent.options);
  Workers workers(std::clamp<Index>(set.rows.rows(), 1, threads));
  Team<T, decltype(learner)> team(std::move(learner), workers);
  team.prepare(set, descent.choose_offset);
  const auto first_step = static_cast<double>(team.rule().step_size(1));
  RunRecord<T> record;
  const Extras<T> framed{.observer = samples::framed_observer(extras, frame),
                         .start_weights = extras.start_weights};
  const RunOptions options = run_options(descent);
  auto solution = train(team, set, options, framed, record, [&](const Vector<T>& w, T b) {
    return samples::risk_of(objective.loss, set, w, b, &workers) +
           static_cast<double>(objective.penalty.value(w));
  });
  auto descended =
      descent_solution(descent.optimizer, std::move(solution), team, std::move(record), first_step);
  leave_frame(objective, set, frame, descent.options.tolerance, &workers, descended);
  return descended;
}

/// A friend of these optimizers, whose `descent(objective, extras)` makes a Descent.
struct Descents {
  static auto of(const auto& optimizer, const auto& objective, const auto& extras) {
    return optimizer.descent(objective, extras);
  }
};

/// One of these optimizers on samples that have passed the door. Not inline, so that
/// linea::compiled can have it: see rows/compiled.hpp.
template <class Optimizer, class L, class P, class Rows, class T>
DescentSolution<T> run_descent(const Optimizer& optimizer, const samples::Frame<T>& frame,
                               const Objective<L, P>& objective, samples::TrainingSet<Rows>& set,
                               const Extras<T>& extras) {
  return descend_in(frame, Descents::of(optimizer, objective, extras), objective, set, extras);
}

/// Minimises F on x (n × d) and y (n), until the optimizer's options say stop.
template <class Optimizer, class L, class P, AnySamples X, VectorLike Y>
DescentSolution<scalar_t<X>> descend(const Optimizer& optimizer, const Objective<L, P>& objective,
                                     const X& x, const Y& y, const Extras<scalar_t<X>>& given) {
  using T = scalar_t<X>;
  return samples::together(x, given, [&](const Extras<T>& extras) {
    const auto descent = Descents::of(optimizer, objective, extras);
    require_retries(descent);
    auto set = samples::admit(descent.function, objective.loss, x, y, extras.sample_weights);
    const samples::Frame<T> frame(set, descent.options.offset);
    return run_descent(optimizer, frame, objective, set, extras);
  });
}

}  // namespace linea::descent

#define LINEA_DESCENT_OF(Optimizer, how, L, T, R)                                                \
  how DescentSolution<T> descent::run_descent(const Optimizer&, const samples::Frame<T>&,        \
                                              const Objective<L, L2>&, samples::TrainingSet<R>&, \
                                              const Extras<T>&);
