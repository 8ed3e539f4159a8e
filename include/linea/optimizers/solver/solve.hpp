// SPDX-License-Identifier: MIT
#pragma once
/// \file Runs an iterative optimizer. See docs/extend.md.
///
/// A method works on validated samples in double, centred if the offset is free. It derives from
/// `MethodBase` and adds:
///
/// | expression              | meaning                                                           |
/// |-------------------------|-------------------------------------------------------------------|
/// | method.iterate(allowed) | runs one epoch or iteration towards F − F* ≤ `allowed`; returns   |
/// |                         | false if no further progress is possible                          |
/// | method.value()          | F at the current point                                            |
/// | method.point()          | weights and offset: a Point<double>, or a ClassPoint              |
/// | method.value_at(point)  | F at the given point; may cost a pass                             |
/// | method.constant()       | the best point with w = 0, and F there                            |
/// | method.passes()         | passes over the samples so far                                    |
///
/// A method may override the functions of MethodBase. For observers it may add `observed`, which
/// returns the point to show, and `observed_bound`, which returns a bound on F* for the observer
/// alone. It may add `unit`, which returns an F whose rounding error the run accepts as the gap; by
/// default this is F at the best constant.
#include <algorithm>  // max, min
#include <cmath>      // abs, isfinite
#include <concepts>
#include <limits>
#include <linea/core/extras.hpp>
#include <linea/core/parameters.hpp>
#include <linea/core/solution.hpp>
#include <linea/optimizers/solver/stored.hpp>
#include <linea/samples/best_constant.hpp>
#include <linea/samples/risk.hpp>
#include <linea/samples/training_set.hpp>
#include <string_view>
#include <utility>  // declval

namespace linea::solver {

using detail::samples::constant_point;
using detail::samples::Frame;
using detail::samples::risk_of_rows;
using detail::samples::TrainingSet;

/// Default implementations of the optional functions of a method.
struct MethodBase {
  /// Returns an estimate of F − F*. The run calls `bound_here` once the estimate is small enough.
  double estimate() const { return 0; }
  /// Returns a lower bound on F*, from the current point, or −∞ if no bound is known. May cost a
  /// pass. The run also calls this function when an observer asks for the gap, unless the method
  /// has `observed_bound`.
  double bound_here() { return -std::numeric_limits<double>::infinity(); }
  /// Evaluates F and the bound once more. The run calls this function at its end, unless it has
  /// converged, settled or diverged.
  void conclude() {}
  /// Returns half of the squared Newton decrement, or another estimate of F − F*, for methods
  /// without a bound.
  double decrement() const { return std::numeric_limits<double>::infinity(); }
  /// Returns the centring of the samples; by default none.
  const Frame<>& frame() const {
    static const Frame<> stored;
    return stored;
  }
  /// Sets `updates`, `change`, `step_size` and `mistakes` of the last iteration, as far as the
  /// method knows them.
  void describe(Progress&) const {}
};

template <class M>
concept Method = std::derived_from<M, MethodBase> &&
    requires(M& method, const M& seen, double allowed) {
  { method.iterate(allowed) } -> std::same_as<bool>;
  { seen.value() } -> std::convertible_to<double>;
  { method.value_at(seen.point()) } -> std::convertible_to<double>;
  { seen.constant().objective } -> std::convertible_to<double>;
  { seen.frame() } -> std::convertible_to<const detail::samples::Frame<>&>;
  { seen.passes() } -> std::convertible_to<Index>;
};

/// The limits that end a run.
struct Limits {
  double tolerance;  ///< bound on the gap (converged) or decrement() (settled), relative to |F|;
                     ///< 0: until rounding ends the run (see Run::is_falling)
  Index iterations;  ///< limit of iterations

  void require_valid(std::string_view function) const {
    require(tolerance >= 0 && std::isfinite(tolerance), function, ": tolerance = ", tolerance,
            " is not >= 0");
    require(iterations >= 0, function, ": ", iterations, " iterations");
  }
};

/// Validates the arguments of an iterative optimizer and returns the samples in double. Throws
/// std::invalid_argument with a message that names `function`.
template <class L, class P, AnySamples X, Numbers Y, class T>
auto validate(std::string_view function, const Objective<L, P>& objective, const Limits& limits,
              const X& x, const Y& y, const Extras<T>& extras) {
  detail::require_valid(function, objective, x.cols());
  limits.require_valid(function);
  return detail::samples::admit_in_double(function, objective.loss, x, y, extras.sample_weights);
}

/// Returns the start weights and offset for x (n × d) as it is stored, or empty weights if none are
/// given.
template <class T>
Point<double> start_of(std::string_view function, const Extras<T>& extras, Index d,
                       bool has_offset) {
  const Vector<T> weights = detail::samples::start_weights(function, extras, d, has_offset);
  if (extras.start_weights.size() == 0) return {};
  return {weights.template cast<double>(), static_cast<double>(extras.start_offset)};
}

/// A run of method M, for samples with entries of type T.
template <class T, Method M>
class Run final : public ObservedRun {
 public:
  Run(M& method, const Limits& limits, const Extras<T>& extras)
      : method_(method),
        limits_(limits),
        extras_(extras),
        rounding_(std::numeric_limits<double>::epsilon() * std::abs(unit_of(method))) {}

  /// Runs the method. Returns the final point rounded to T, with F and the gap at the rounded
  /// point. If F of the best constant is lower, returns the best constant instead. But a run with a
  /// start keeps its final point, unless the status is diverged or precision_limit.
  auto solve(std::string_view name) {
    const Status status = iterate();
    if (status > Status::settled && status != Status::diverged) {
      method_.conclude();
      is_asked_ = false;
    }
    const double before = method_.value();
    auto solution = entered(method_.point());
    solution.status = is_finite(solution) ? status : Status::diverged;
    raise_bound();
    judge(solution, before);
    const bool has_start = extras_.start_weights.size() > 0 || extras_.start_multipliers.size() > 0;
    const auto& constant = method_.constant();
    if (!(solution.objective <= constant.objective) &&
        (!has_start || solution.status == Status::diverged ||
         solution.status == Status::precision_limit)) {
      auto other = entered(constant);
      other.status = solution.status;
      judge(other, constant.objective);
      solution = std::move(other);
    }
    solution.iterate = Iterate::best;
    solution.epochs = method_.passes();
    solution.iterations = solution.updates = iterations_;
    solution.optimizer = name;
    return solution;
  }

  double objective() const override { return observed().objective; }
  double gap() const override {
    if constexpr (requires { method_.observed_bound(); })
      seen_bound_ = std::max(seen_bound_, method_.observed_bound());
    else
      seen_bound_ = std::max(seen_bound_, method_.bound_here());
    const double bound = std::max(bound_, seen_bound_);
    return std::isfinite(bound) ? std::max(objective() - bound, 0.0)
                                : std::numeric_limits<double>::quiet_NaN();
  }
  Index iterates() const override { return count_of(observed()); }
  Point<double> iterate(Index k) const override {
    const auto& seen = observed();
    Point<double> point = shown(stored<T>(method_.frame(), seen), k);
    point.objective = seen.objective;
    return point;
  }

 private:
  /// Returns the point shown to an observer, with F.
  decltype(auto) observed() const {
    if constexpr (requires { method_.observed(); })
      return method_.observed();
    else
      return method_.point();
  }

  /// Returns the F whose rounding error the run accepts as the gap: method.unit(), or that of the
  /// best constant.
  static double unit_of(M& method) {
    if constexpr (requires { method.unit(); })
      return method.unit();
    else
      return method.constant().objective;
  }

  /// Returns the largest gap with which a run has converged, for F = `value`.
  double allowed_at(double value) const {
    return std::max(limits_.tolerance * std::abs(value), rounding_);
  }

  Status iterate() {
    for (;;) {
      const double value = method_.value();
      if (!std::isfinite(value)) return Status::diverged;
      const double allowed = allowed_at(value);
      if (method_.estimate() <= allowed) raise_bound();
      const bool is_proven = value - bound_ <= allowed;
      const bool is_done = (is_proven || is_settled()) && !is_falling();
      const bool is_at_limit = iterations_ >= limits_.iterations;
      if (is_done || is_at_limit || !method_.iterate(allowed)) {
        if (is_proven) return Status::converged;
        if (is_settled()) return Status::settled;
        return is_at_limit ? Status::epoch_limit : Status::precision_limit;
      }
      ++iterations_;
      is_asked_ = false;
      if (extras_.observer && is_stopped()) return Status::stopped;
    }
  }

  /// With tolerance 0, has one of the last three iterations halved the estimate of F − F*? Of
  /// methods that compute the estimate from ∇F, it shows progress far below the rounding of F.
  bool is_falling() {
    if (limits_.tolerance > 0) return false;
    const double left = std::min(method_.estimate(), method_.decrement());
    idle_ = left < 0.5 * least_ ? 0 : idle_ + 1;
    least_ = std::min(least_, left);
    return left > 0 && idle_ < 3;
  }

  bool is_settled() const {
    const double least = std::max(limits_.tolerance, std::numeric_limits<double>::epsilon());
    return method_.decrement() <= least * std::abs(method_.value());
  }

  bool is_stopped() const {
    Progress progress;
    progress.epoch = progress.updates = iterations_;
    progress.run = this;
    method_.describe(progress);
    return extras_.observer(progress) == Control::stop;
  }

  void raise_bound() {
    if (!is_asked_) bound_ = std::max(bound_, method_.bound_here());
    is_asked_ = true;
  }

  template <class P>
  auto entered(const P& point) {
    auto solution = stored<T>(method_.frame(), point);
    solution.objective = method_.value_at(centred(method_.frame(), solution));
    return solution;
  }

  /// Sets the gap, and the status accordingly. `before` is F before rounding to T.
  template <class S>
  void judge(S& solution, double before) const {
    const double allowed = allowed_at(solution.objective);
    if (std::isfinite(bound_)) solution.gap = std::max(solution.objective - bound_, 0.0);
    if (solution.status == Status::diverged) return;
    if (std::isfinite(bound_) && solution.objective - bound_ <= allowed)
      solution.status = Status::converged;
    else if (solution.status == Status::converged ||
             (solution.status == Status::settled && solution.objective - before > allowed))
      solution.status = Status::precision_limit;
  }

  M& method_;
  Limits limits_;
  const Extras<T>& extras_;
  double rounding_;                                         // rounding error of unit_of(method_)
  double bound_{-std::numeric_limits<double>::infinity()};  // the best bound so far
  bool is_asked_{false};                                    // was bound_here called at this point?
  // The best bound for which an observer has asked. The run does not use it, so that an observer
  // does not affect the steps.
  mutable double seen_bound_{-std::numeric_limits<double>::infinity()};
  Index iterations_{0};
  double least_{std::numeric_limits<double>::infinity()};  // the least estimate that is_falling saw
  int idle_{0};                                            // its calls since one halved `least_`
};

/// Runs the method and returns its solution under the optimizer's name.
template <class T, Method M>
auto solve(std::string_view name, M& method, const Limits& limits, const Extras<T>& extras) {
  return Run<T, M>(method, limits, extras).solve(name);
}

/// A solution of method M for samples with entries of type T.
template <class M, class T>
using SolutionOf =
    decltype(stored<T>(std::declval<const Frame<>&>(), std::declval<const M&>().point()));

/// Runs the method M(arguments…), and returns its solution under the optimizer's name. Not inline,
/// because `extern template` has no effect on inline functions: see rows/compiled.hpp.
template <class M, class T, class... A>
SolutionOf<M, T> run(std::string_view name, const Limits& limits, const Extras<T>& extras,
                     const A&... arguments) {
  M method(arguments...);
  return solve(name, method, limits, extras);
}

/// Instantiates `run` for M with the types of its arguments.
#define LINEA_RUN_OF(how, T, M, ...)                                                   \
  how solver::SolutionOf<M, T> solver::run<M>(std::string_view, const solver::Limits&, \
                                              const Extras<T>&, __VA_ARGS__);
#define LINEA_COMPILED_RUN(how, ...) \
  LINEA_RUN_OF(how, double, __VA_ARGS__) LINEA_RUN_OF(how, float, __VA_ARGS__)

}  // namespace linea::solver
