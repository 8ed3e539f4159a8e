// SPDX-License-Identifier: MIT
#pragma once
/// \file The input for tests of an optimizer: a problem, the guarantees of the optimizer, and the
/// optimizer with an objective, type-erased.
#include <cstdint>
#include <functional>
#include <limits>
#include <linea/check/points.hpp>
#include <linea/core/extras.hpp>
#include <linea/core/objective.hpp>
#include <linea/core/random.hpp>
#include <linea/core/require.hpp>
#include <linea/core/solution.hpp>
#include <linea/core/types.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>  // is_same
#include <vector>

#include "support/laws/layouts.hpp"

namespace linea::check {

/// Samples x (n × d) and targets y (n). float represents all their numbers exactly.
struct OptimizerProblem {
  Matrix<double> x{};
  Vector<double> y{};
};

/// The extras from which an optimizer starts.
enum class Start {
  none,         ///< the optimizer ignores any start
  weights,      ///< start_weights and start_offset
  multipliers,  ///< start_multipliers
  either,       ///< either start_weights and start_offset, or start_multipliers
};

/// The tolerances for solutions that should be equal.
struct Nearness {
  double objective;  ///< the tolerance of F, relative to F
  double weights;  ///< of (w, b), relative to 1 + ‖(w, b)‖; infinity: the minimum is not unique
};

struct OptimizerOptions {
  /// Tolerances for samples repeated, weighted or shifted, and for another seed. `objective` also
  /// limits how far F is above the lowest F known.
  Nearness minima{1e-6, 1e-3};
  Nearness layouts{1e-9, 1e-6};  ///< tolerances for the same samples in another layout
  Nearness floats{1e-4, 1e-2};   ///< tolerances for samples in float instead of double
  /// Status::converged of a solution with a gap implies gap ≤ gap_tolerance·F.
  double gap_tolerance{std::numeric_limits<double>::infinity()};
  /// F at some (w, b) for the problem, an upper bound on the minimum; infinity if none is known.
  double lowest{std::numeric_limits<double>::infinity()};
  bool takes_weights{true};      ///< are sample weights supported?
  bool weights_scale{true};      ///< does a common factor of all weights have no effect?
  bool takes_one_class{true};    ///< if false, targets that are all equal may be refused
  bool checks_parameters{true};  ///< are parameters out of their domain refused?
  bool observes{true};           ///< is the observer called, once per epoch?
  bool falls{false};             ///< is F of an iterate at most that of the iterate before?
  bool checks_start{true};       ///< is a start refused if it is invalid or cannot be used?
  Start start{Start::weights};
};

namespace detail {

/// Returns a target for `loss`: the score if the loss accepts any number, else by the sign of the
/// score 1 or −1, 2 or 1, or 1 or 0, whichever the loss accepts.
template <Loss L>
double target_near(const L& loss, double score) {
  if (is_valid_target(loss, -2.25)) return score;
  if (is_valid_target(loss, -1.0)) return score >= 0 ? 1 : -1;
  if (is_valid_target(loss, 2.0)) return score >= 0 ? 2 : 1;  // targets are counts
  return score >= 0 ? 1 : 0;
}

/// Returns a random multiple of 1/64 in [−2, 2].
inline double coarse_number(Random& random) {
  return (static_cast<double>(random.below(257)) - 128) / 64;
}

}  // namespace detail

/// Returns n ≥ 2 random samples of d ≥ 1 features, about a third of the entries 0. The targets are
/// valid for the loss and depend on the features with noise. All numbers are multiples of 1/128, so
/// that float represents them and sums of them are exact. Throws std::invalid_argument if n or d is
/// too small, or target_near finds no valid target.
template <Loss L>
OptimizerProblem optimizer_problem(const L& loss, Index n, Index d, std::uint64_t seed = 1) {
  require(n >= 2 && d >= 1, "check::optimizer_problem: ", n, " samples of ", d, " features");
  Random random(seed);
  OptimizerProblem problem{Matrix<double>(n, d), Vector<double>(n)};
  for (Index i = 0; i < n; ++i) {
    double score = 0.5 + detail::coarse_number(random);
    for (Index j = 0; j < d; ++j) {
      const double value = detail::coarse_number(random);
      problem.x(i, j) = random.below(3) == 0 ? 0 : value;
      score += j % 2 == 0 ? problem.x(i, j) : -0.5 * problem.x(i, j);
    }
    problem.y[i] = detail::target_near(loss, score);
    require(is_valid_target(loss, problem.y[i]), "check::optimizer_problem: ", name_of(loss),
            " takes ", targets_of(loss), ", not ", problem.y[i]);
  }
  return problem;
}

/// Returns F(w, b) = (1/S) Σ sᵢ·loss(⟨w, xᵢ⟩ + b, yᵢ) + penalty(w), summed term by term, for x (n ×
/// d), y (n), w (d) and sample weights s (n), empty for all 1. Samples of weight 0 are ignored.
template <Loss L, Penalty P>
double objective_value(const Objective<L, P>& objective, const Matrix<double>& x,
                       const Vector<double>& y, const Vector<double>& w, double b,
                       const Vector<double>& sample_weights = {}) {
  double sum = 0;
  double total = 0;
  for (Index i = 0; i < x.rows(); ++i) {
    double score = b;
    for (Index j = 0; j < x.cols(); ++j) score += x(i, j) * w[j];
    const double weight = sample_weights.size() == 0 ? 1 : sample_weights[i];
    total += weight;
    if (weight > 0) sum += weight * objective.loss.value(score, y[i]);
  }
  return sum / total + static_cast<double>(objective.penalty.value(w));
}

/// The solution of an optimizer, in double.
struct Answer {
  Vector<double> weights{};
  double offset{0};
  double objective{0};
  std::optional<double> gap{};
  Status status{Status::epoch_limit};
  Index epochs{0};
  Vector<double> multipliers{};  ///< empty if the solution has none
};

/// A function that minimises: (layout of x, x, y, extras) → solution.
using Minimiser = std::function<Answer(Layout, const Matrix<double>&, const Vector<double>&,
                                       const Extras<double>&)>;

/// An optimizer or an objective with an invalid parameter.
struct Misuse {
  std::string what;
  Minimiser minimise;
};

/// All inputs of the property tests. `without_offset` and `reseeded` are empty if the optimizer has
/// no member `offset` or `seed`.
struct OptimizerTrial {
  std::string name;
  OptimizerProblem problem;
  OptimizerOptions options;
  Minimiser minimise;
  Minimiser without_offset{};  ///< the optimizer with its member `offset` false
  Minimiser reseeded{};        ///< the optimizer with another `seed`
  /// The optimizer or the objective with parameters out of their domain.
  std::vector<Misuse> misuses{};
  std::function<Answer(const SparseMatrix<double>&, const Vector<double>&, const Extras<double>&)>
      minimise_sparse{};
  /// Returns F at (w, b), as objective_value does, for (x, y, w, b, sample weights).
  std::function<double(const Matrix<double>&, const Vector<double>&, const Vector<double>&, double,
                       const Vector<double>&)>
      value{};
  std::function<double(double, double)> loss{};  ///< the loss as a function of (p, y)
  std::function<bool(double)> takes_target{};    ///< is the target valid for the loss?

  /// Returns the solution of the problem.
  Answer run(const Extras<double>& extras = {}, Layout layout = Layout::rows) const {
    return minimise(layout, problem.x, problem.y, extras);
  }
};

namespace detail {

template <class M, class O, class X, class Y, class E>
Answer answer_of(const M& optimizer, const O& objective, const X& x, const Y& y, const E& extras) {
  const auto solution = optimizer.minimize(objective, x, y, extras);
  Answer answer{solution.weights.template cast<double>(),
                static_cast<double>(solution.offset),
                solution.objective,
                {},
                solution.status};
  if constexpr (requires { solution.gap.has_value(); }) answer.gap = solution.gap;
  if constexpr (requires { solution.epochs; }) answer.epochs = solution.epochs;
  if constexpr (requires { solution.multipliers.size(); })
    answer.multipliers = solution.multipliers;
  return answer;
}

template <class T>
Extras<T> converted(const Extras<double>& extras) {
  Extras<T> others;
  others.sample_weights = extras.sample_weights.template cast<T>();
  others.observer = extras.observer;
  others.start_weights = extras.start_weights.template cast<T>();
  others.start_offset = static_cast<T>(extras.start_offset);
  others.start_multipliers = extras.start_multipliers;
  return others;
}

/// Returns a type-erased optimizer. A row-major x of double and its targets are passed on without a
/// copy, so that a test can check that they are not changed.
template <class M, class O>
Minimiser minimiser(const M& optimizer, const O& objective) {
  return [optimizer, objective](Layout layout, const Matrix<double>& x, const Vector<double>& y,
                                const Extras<double>& extras) {
    return in_layout(layout, x, [&](const auto& samples) {
      using T = typename std::decay_t<decltype(samples)>::Scalar;
      if constexpr (std::is_same_v<T, double>) {
        return answer_of(optimizer, objective, samples, y, extras);
      } else {
        const Vector<T> targets = y.template cast<T>();
        return answer_of(optimizer, objective, samples, targets, converted<T>(extras));
      }
    });
  };
}

/// Calls f(changed copy of owner, what) for each known parameter that `owner` has, with −1 as its
/// value and, unless it is an Index, with NaN.
template <class P, class F>
void for_each_misuse(const P& owner, const F& f) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto set = [&](std::string_view name, const auto& assign) {
    for (const double value : {-1.0, nan}) {
      P wrong = owner;
      assign(wrong, value);
      f(wrong, written(name, " = ", value));
    }
  };
#define LINEA_SET(member)                          \
  if constexpr (requires(P p) { p.member = nan; }) \
    set(#member, [](P& p, double value) { p.member = value; });
  LINEA_SET(lambda)
  LINEA_SET(l1)
  LINEA_SET(l2)
  LINEA_SET(delta)
  LINEA_SET(epsilon)
  LINEA_SET(level)
  LINEA_SET(width)
  LINEA_SET(tolerance)
#undef LINEA_SET
  if constexpr (requires(P p) { p.epochs = Index{-1}; }) {
    P wrong = owner;
    wrong.epochs = -1;
    f(wrong, "epochs = -1");
  }
  if constexpr (requires(P p) { p.iterations = Index{-1}; }) {
    P wrong = owner;
    wrong.iterations = -1;
    f(wrong, "iterations = -1");
  }
}

template <class M, class L, class P>
std::vector<Misuse> misuses_of(const M& optimizer, const Objective<L, P>& objective) {
  std::vector<Misuse> all;
  const auto add = [&](const auto& wrong, const auto& minimised, const std::string& what) {
    all.push_back({what, minimiser(wrong, minimised)});
  };
  for_each_misuse(objective.loss, [&](const L& loss, const std::string& what) {
    add(optimizer, Objective<L, P>{loss, objective.penalty}, what + " of the loss");
  });
  for_each_misuse(objective.penalty, [&](const P& penalty, const std::string& what) {
    add(optimizer, Objective<L, P>{objective.loss, penalty}, what + " of the penalty");
  });
  for_each_misuse(optimizer, [&](const M& wrong, const std::string& what) {
    add(wrong, objective, what + " of the optimizer");
  });
  return all;
}

}  // namespace detail

/// Returns the trial of `optimizer` on this problem. Throws std::invalid_argument if the problem
/// has fewer than two samples, no features, or another number of targets than of samples.
template <class M, Loss L, Penalty P>
OptimizerTrial optimizer_trial(std::string_view name, const M& optimizer,
                               const Objective<L, P>& objective, const OptimizerProblem& problem,
                               const OptimizerOptions& options = {}) {
  require(problem.x.rows() >= 2 && problem.x.cols() >= 1 && problem.x.rows() == problem.y.size(),
          "check::optimizer: x (", problem.x.rows(), " x ", problem.x.cols(), ") with ",
          problem.y.size(), " targets is no problem to try an optimizer on");
  OptimizerTrial trial{std::string(name), problem, options,
                       detail::minimiser(optimizer, objective)};
  if constexpr (requires(M m) { m.offset = false; }) {
    M without = optimizer;
    without.offset = false;
    trial.without_offset = detail::minimiser(without, objective);
  }
  if constexpr (requires(M m) { m.seed = std::uint64_t{}; }) {
    M reseeded = optimizer;
    reseeded.seed = optimizer.seed + 1;
    trial.reseeded = detail::minimiser(reseeded, objective);
  }
  trial.misuses = detail::misuses_of(optimizer, objective);
  trial.minimise_sparse = [optimizer, objective](const auto& x, const auto& y, const auto& extras) {
    return detail::answer_of(optimizer, objective, x, y, extras);
  };
  trial.value = [objective](const auto& x, const auto& y, const auto& w, double b, const auto& s) {
    return objective_value(objective, x, y, w, b, s);
  };
  trial.loss = [objective](double p, double y) {
    return static_cast<double>(objective.loss.value(p, y));
  };
  trial.takes_target = [objective](double y) { return is_valid_target(objective.loss, y); };
  return trial;
}

}  // namespace linea::check
