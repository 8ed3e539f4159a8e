// SPDX-License-Identifier: MIT
#pragma once
/// \file An optimizer with an objective and a problem, its types erased: what the laws ask
/// questions of.
#include <cmath>  // abs, isfinite
#include <functional>
#include <limits>
#include <linea/core/extras.hpp>
#include <linea/core/solution.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>  // is_same
#include <vector>

#include "support/laws/layouts.hpp"
#include "support/laws/objective.hpp"
#include "support/laws/optimizer_problem.hpp"

namespace linea::check {

/// What an optimizer answered, in double.
struct Answer {
  Vector<double> weights{};
  double offset{0};
  double objective{0};
  std::optional<double> gap{};
  Status status{Status::epoch_limit};
  Index epochs{0};
  Vector<double> multipliers{};  ///< where the solution has them
};

/// minimises(layout of x, x, y, extras) → answer.
using Minimiser = std::function<Answer(Layout, const Matrix<double>&, const Vector<double>&,
                                       const Extras<double>&)>;

/// The optimizer or the objective with a parameter that the door must refuse.
struct Misuse {
  std::string what;
  Minimiser minimise;
};

/// All that the laws ask for. Minimisers are empty where the optimizer has no member of that name.
struct OptimizerTrial {
  std::string name;
  OptimizerProblem problem;
  OptimizerOptions options;
  std::vector<Layout> layouts;
  Minimiser minimise;
  Minimiser without_offset{};     ///< with its member `offset` false
  Minimiser reseeded{};           ///< with another `seed`
  std::vector<Misuse> misuses{};  ///< parameters out of their domain
  std::function<Answer(const SparseMatrix<double>&, const Vector<double>&, const Extras<double>&)>
      minimise_sparse{};
  /// F at (w, b), as objective_value has it: (x, y, w, b, sample weights).
  std::function<double(const Matrix<double>&, const Vector<double>&, const Vector<double>&, double,
                       const Vector<double>&)>
      value{};
  std::function<double(double, double)> loss{};  ///< (p, y)
  std::function<bool(double)> takes_target{};    ///< does the loss?
};

namespace detail {

/// An optimizer is called, or has a member `minimize` that is.
template <class M, class O, class X, class Y, class E>
auto solution_of(const M& optimizer, const O& objective, const X& x, const Y& y, const E& extras) {
  if constexpr (requires { optimizer(objective, x, y, extras); })
    return optimizer(objective, x, y, extras);
  else
    return optimizer.minimize(objective, x, y, extras);
}

template <class M, class O, class X, class Y, class E>
Answer answer_of(const M& optimizer, const O& objective, const X& x, const Y& y, const E& extras) {
  const auto solution = solution_of(optimizer, objective, x, y, extras);
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

/// Numbers of double are handed on as they are, so that a law can see whether they were changed.
template <Layouts which, class M, class O>
Minimiser minimiser(const M& optimizer, const O& objective) {
  return [optimizer, objective](Layout layout, const Matrix<double>& x, const Vector<double>& y,
                                const Extras<double>& extras) {
    return in_layout<which>(layout, x, [&](const auto& samples) {
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

/// Calls change(copy of owner, what) with one parameter after the other out of its domain, for
/// those of these names that the owner has.
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
  if constexpr (requires(P p) { p.lambda = nan; })
    set("lambda", [](P& p, double value) { p.lambda = value; });
  if constexpr (requires(P p) { p.l1 = nan; }) set("l1", [](P& p, double value) { p.l1 = value; });
  if constexpr (requires(P p) { p.l2 = nan; }) set("l2", [](P& p, double value) { p.l2 = value; });
  if constexpr (requires(P p) { p.delta = nan; })
    set("delta", [](P& p, double value) { p.delta = value; });
  if constexpr (requires(P p) { p.epsilon = nan; })
    set("epsilon", [](P& p, double value) { p.epsilon = value; });
  if constexpr (requires(P p) { p.level = nan; })
    set("level", [](P& p, double value) { p.level = value; });
  if constexpr (requires(P p) { p.width = nan; })
    set("width", [](P& p, double value) { p.width = value; });
  if constexpr (requires(P p) { p.tolerance = nan; })
    set("tolerance", [](P& p, double value) { p.tolerance = value; });
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

template <Layouts which, class M, class L, class P>
std::vector<Misuse> misuses_of(const M& optimizer, const Objective<L, P>& objective) {
  std::vector<Misuse> all;
  const auto add = [&](const auto& wrong, const auto& minimised, const std::string& what) {
    all.push_back({what, minimiser<which>(wrong, minimised)});
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

/// The trial of `optimizer`, which is called as (objective, x, y, extras) or has a member
/// `minimize` that is, on this problem, empty for 40 samples of 4 features. Throws
/// std::invalid_argument if the sizes of the problem do not match.
template <Layouts which = Layouts::main, class M, Loss L, Penalty P>
OptimizerTrial optimizer_trial(std::string_view name, const M& optimizer,
                               const Objective<L, P>& objective, const OptimizerProblem& problem,
                               const OptimizerOptions& options = {}) {
  require(problem.x.rows() >= 2 && problem.x.cols() >= 1 && problem.x.rows() == problem.y.size(),
          "check::optimizer: x (", problem.x.rows(), " x ", problem.x.cols(), ") with ",
          problem.y.size(), " targets is no problem to try an optimizer on");
  OptimizerTrial trial{std::string(name), problem, options, layouts_of(which),
                       detail::minimiser<which>(optimizer, objective)};
  if constexpr (requires(M m) { m.offset = false; }) {
    M without = optimizer;
    without.offset = false;
    trial.without_offset = detail::minimiser<which>(without, objective);
  }
  if constexpr (requires(M m) { m.seed = std::uint64_t{}; }) {
    M reseeded = optimizer;
    reseeded.seed = optimizer.seed + 1;
    trial.reseeded = detail::minimiser<which>(reseeded, objective);
  }
  trial.misuses = detail::misuses_of<which>(optimizer, objective);
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
