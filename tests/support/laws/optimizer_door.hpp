// SPDX-License-Identifier: MIT
#pragma once
/// \file Laws of the door: what is not well-formed is refused before any work, by
/// std::invalid_argument whose message begins with the name of the function and names the facts,
/// and nothing that was handed in is changed.
#include <cmath>  // isnan
#include <stdexcept>

#include "support/laws/optimizer_laws.hpp"

namespace linea::check {

namespace detail {

template <class A, class B>
bool unchanged(const A& a, const B& b) {
  return a.size() == b.size() && ((a.array() == b.array()) || (a.array() != a.array())).all();
}

/// A call that must be refused, its message holding all `facts`.
struct Refusal {
  std::string what;
  OptimizerProblem problem;
  Extras<double> extras{};
  std::vector<std::string> facts{};
  Layout layout{Layout::row_major};
};

inline Finding message_of(const OptimizerTrial& trial, const std::string& what,
                          const std::vector<std::string>& facts, const std::string& message) {
  if (message.rfind(trial.name, 0) != 0)
    return written(what, ": the message does not begin with ", trial.name, ", but is: ", message);
  for (const std::string& fact : facts)
    if (message.find(fact, trial.name.size()) == std::string::npos)
      return written(what, ": the message does not say \"", fact, "\", but: ", message);
  return std::nullopt;
}

template <class Call>
Finding refused(const OptimizerTrial& trial, const std::string& what,
                const std::vector<std::string>& facts, const Call& call) {
  try {
    call();
  } catch (const std::invalid_argument& refusal) {
    return message_of(trial, what, facts, refusal.what());
  } catch (...) {
    return what + ": refused by something else than std::invalid_argument";
  }
  return what + ": not refused";
}

inline Finding refused(const OptimizerTrial& trial, const Minimiser& minimise,
                       const Refusal& refusal) {
  const Refusal given = refusal;
  if (auto finding = refused(trial, refusal.what, refusal.facts, [&] {
        minimise(given.layout, given.problem.x, given.problem.y, given.extras);
      }))
    return finding;
  if (!unchanged(given.problem.x, refusal.problem.x) ||
      !unchanged(given.problem.y, refusal.problem.y) ||
      !unchanged(given.extras.sample_weights, refusal.extras.sample_weights) ||
      !unchanged(given.extras.start_weights, refusal.extras.start_weights))
    return refusal.what + ": refused, but what was handed in is changed";
  return std::nullopt;
}

inline Finding refused(const OptimizerTrial& trial, const std::vector<Refusal>& refusals) {
  for (const Refusal& refusal : refusals)
    if (auto finding = refused(trial, trial.minimise, refusal)) return finding;
  return std::nullopt;
}

inline constexpr double not_numbers[] = {std::numeric_limits<double>::quiet_NaN(),
                                         std::numeric_limits<double>::infinity(),
                                         -std::numeric_limits<double>::infinity()};

}  // namespace detail

/// No rows, no columns, or neither.
inline Finding refuses_empty_samples(const OptimizerTrial& trial) {
  const auto& [x, y] = trial.problem;
  const auto name = [](Index n, Index d) { return detail::written("(", n, " x ", d, ")"); };
  std::vector<detail::Refusal> refusals;
  for (const Layout layout : {Layout::row_major, Layout::sparse}) {
    refusals.push_back({"no samples", {x.topRows(0), y.head(0)}, {}, {name(0, x.cols())}, layout});
    refusals.push_back({"no features", {x.leftCols(0), y}, {}, {name(x.rows(), 0)}, layout});
    refusals.push_back({"nothing", {Matrix<double>(0, 0), y.head(0)}, {}, {name(0, 0)}, layout});
  }
  return detail::refused(trial, refusals);
}

/// More or fewer targets, or sample weights, than samples.
inline Finding refuses_sizes_that_differ(const OptimizerTrial& trial) {
  const auto& [x, y] = trial.problem;
  const Index n = x.rows();
  const auto text = [](Index size) { return std::to_string(size); };
  Vector<double> more(n + 1);
  more << y, y[0];
  std::vector<detail::Refusal> refusals{
      {"too few targets", {x, y.head(n - 1)}, {}, {text(n), text(n - 1)}},
      {"too many targets", {x, more}, {}, {text(n), text(n + 1)}},
      {"no targets", {x, y.head(0)}, {}, {text(n), "0"}}};
  if (trial.options.takes_weights)
    for (const Index size : {n - 1, n + 1})
      refusals.push_back({"sample weights of another size",
                          {x, y},
                          detail::weighted(Vector<double>::Ones(size)),
                          {text(n), text(size)}});
  return detail::refused(trial, refusals);
}

/// NaN or infinity among x, by row and column from 0, or y.
inline Finding refuses_what_is_not_finite(const OptimizerTrial& trial) {
  const Index row = trial.problem.x.rows() - 1;
  const Index column = trial.problem.x.cols() - 1;
  std::vector<detail::Refusal> refusals;
  for (const double bad : detail::not_numbers) {
    detail::Refusal refusal{"x not finite", trial.problem};
    refusal.facts = {detail::written("x(", row, ", ", column, ")")};
    refusal.problem.x(row, column) = bad;
    for (const Layout layout : trial.layouts) {
      refusal.layout = layout;
      refusals.push_back(refusal);
    }
    refusals.push_back({"y not finite", trial.problem, {}, {detail::written("y(", row)}});
    refusals.back().problem.y[row] = bad;
  }
  return detail::refused(trial, refusals);
}

/// A target that the loss does not take, if there is one among −0.5, 0, 0.5 and 2.
inline Finding refuses_targets_of_other_losses(const OptimizerTrial& trial) {
  const Index row = trial.problem.y.size() - 1;
  std::vector<detail::Refusal> refusals;
  for (const double target : {-0.5, 0.0, 0.5, 2.0}) {
    if (trial.takes_target(target)) continue;
    refusals.push_back({"a target that the loss does not take",
                        trial.problem,
                        {},
                        {detail::written("y(", row, ")"), detail::written(target)}});
    refusals.back().problem.y[row] = target;
  }
  return detail::refused(trial, refusals);
}

/// Weights that are negative or not finite, and none above 0.
inline Finding refuses_sample_weights(const OptimizerTrial& trial) {
  if (!trial.options.takes_weights) return std::nullopt;
  const Index n = trial.problem.y.size();
  std::vector<detail::Refusal> refusals{{"sample weights that are all zero", trial.problem,
                                         detail::weighted(Vector<double>::Zero(n))}};
  for (const double bad : {-1.0, detail::not_numbers[0], detail::not_numbers[1]}) {
    Vector<double> weights = Vector<double>::Ones(n);
    weights[n - 1] = bad;
    refusals.push_back({detail::written("a sample weight of ", bad),
                        trial.problem,
                        detail::weighted(weights),
                        {std::to_string(n - 1)}});
  }
  return detail::refused(trial, refusals);
}

/// A start of another size, of numbers that are not finite, an offset without weights, or a start
/// of the other kind.
inline Finding refuses_starts(const OptimizerTrial& trial) {
  if (!trial.options.checks_start) return std::nullopt;
  const Index n = trial.problem.x.rows();
  const Index d = trial.problem.x.cols();
  std::vector<detail::Refusal> refusals;
  const auto add = [&](const std::string& what, const Vector<double>& weights, double offset,
                       const Vector<double>& multipliers, std::vector<std::string> facts) {
    Extras<double> extras;
    extras.start_weights = weights;
    extras.start_offset = offset;
    extras.start_multipliers = multipliers;
    refusals.push_back({what, trial.problem, extras, std::move(facts)});
  };
  const Vector<double> none;
  const Vector<double> ones = Vector<double>::Ones(d);
  const Start start = trial.options.start;
  if (start == Start::weights || start == Start::either) {
    for (const Index size : {d - 1 > 0 ? d - 1 : d + 2, d + 1})
      add("a start of another size", Vector<double>::Ones(size), 0, none,
          {std::to_string(size), std::to_string(d)});
    for (const double bad : detail::not_numbers) {
      Vector<double> weights = ones;
      weights[d - 1] = bad;
      add("a start that is not finite", weights, 0, none, {"finite"});
      add("a start_offset that is not finite", ones, bad, none, {"finite"});
    }
    if (start == Start::weights) {
      add("a start_offset alone", none, 1, none, {"start_offset"});
      add("multipliers for a start", none, 0, Vector<double>::Zero(n), {"multipliers"});
    }
  }
  if (start == Start::multipliers || start == Start::either) {
    add("a start of another size", none, 0, Vector<double>::Zero(n - 1), {});
    for (const double bad : detail::not_numbers) {
      Vector<double> multipliers = Vector<double>::Zero(n);
      multipliers[n - 1] = bad;
      add("a start that is not finite", none, 0, multipliers, {});
    }
    if (start == Start::multipliers) add("weights for a start", ones, 0, none, {"multipliers"});
  }
  if (auto finding = detail::refused(trial, refusals)) return finding;
  if (trial.options.start != Start::weights || !trial.without_offset) return std::nullopt;
  refusals.clear();
  add("a start_offset without an offset", ones, 1, none, {"start_offset"});
  return detail::refused(trial, trial.without_offset, refusals.back());
}

/// Parameters of the loss, the penalty and the optimizer, where their names are known, out of their
/// domain.
inline Finding refuses_parameters(const OptimizerTrial& trial) {
  if (!trial.options.checks_parameters) return std::nullopt;
  for (const auto& [what, minimise] : trial.misuses)
    if (auto finding = detail::refused(trial, minimise, {what, trial.problem})) return finding;
  return std::nullopt;
}

/// A sparse row that names a column twice. One that names its columns out of order is none.
inline Finding refuses_columns_named_twice(const OptimizerTrial& trial) {
  const Index n = trial.problem.x.rows();
  const Index d = std::max<Index>(trial.problem.x.cols(), 2);
  SparseMatrix<double> x(n, d);
  x.reserve(Eigen::VectorXi::Constant(n, 2));
  for (Index i = 0; i < n; ++i) {
    x.insert(i, 0) = 1;
    x.insert(i, 1) = static_cast<double>(i % 3);
  }
  x.makeCompressed();
  std::swap(x.innerIndexPtr()[0], x.innerIndexPtr()[1]);
  trial.minimise_sparse(x, trial.problem.y, {});
  x.innerIndexPtr()[2 * n - 1] = 0;
  return detail::refused(trial, "a row that names a column twice",
                         {detail::written("row ", n - 1), "column 0"},
                         [&] { trial.minimise_sparse(x, trial.problem.y, {}); });
}

}  // namespace linea::check
