// SPDX-License-Identifier: MIT
#pragma once
/// \file Properties of input validation, as assertions. For invalid input an optimizer throws
/// std::invalid_argument, with a message that begins with the name of the function and contains the
/// offending sizes, indices or values. The optimizer changes no argument.
#include <stdexcept>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/laws/optimizer_trial.hpp"

namespace linea::check {

namespace detail {

template <class A, class B>
bool unchanged(const A& a, const B& b) {
  return a.size() == b.size() && ((a.array() == b.array()) || (a.array() != a.array())).all();
}

/// Checks that call() throws std::invalid_argument, with a message that begins with the name of the
/// trial and then contains all `facts`.
template <class Call>
void refuses(const OptimizerTrial& trial, const std::string& what,
             const std::vector<std::string>& facts, const Call& call) {
  INFO(what);
  std::string message = "nothing is refused";
  try {
    call();
  } catch (const std::invalid_argument& refusal) {
    message = refusal.what();
  }
  CAPTURE(message);
  CHECK(message.rfind(trial.name, 0) == 0);
  for (const std::string& fact : facts)
    CHECK(message.find(fact, trial.name.size()) != std::string::npos);
}

/// Calls the optimizer with one invalid argument after the other, and checks that each is refused.
class InvalidCalls {
 public:
  explicit InvalidCalls(const OptimizerTrial& trial) : trial_(trial), minimise_(trial.minimise) {}

  /// Sets the minimiser to be tested from here on.
  void take(const Minimiser& minimise) { minimise_ = minimise; }

  void refuses(const std::string& what, const OptimizerProblem& problem,
               const Extras<double>& extras = {}, const std::vector<std::string>& facts = {},
               Layout layout = Layout::rows) const {
    const OptimizerProblem given = problem;
    const Extras<double> more = extras;
    detail::refuses(trial_, what, facts, [&] { minimise_(layout, given.x, given.y, more); });
    CHECK(unchanged(given.x, problem.x));
    CHECK(unchanged(given.y, problem.y));
    CHECK(unchanged(more.sample_weights, extras.sample_weights));
    CHECK(unchanged(more.start_weights, extras.start_weights));
  }

  /// Checks that the problem of the trial with these extras is refused.
  void refuses(const std::string& what, const Extras<double>& extras,
               const std::vector<std::string>& facts = {}) const {
    refuses(what, trial_.problem, extras, facts);
  }

 private:
  const OptimizerTrial& trial_;
  Minimiser minimise_;
};

inline const double not_numbers[] = {test::not_a_number, test::infinity, -test::infinity};

inline Vector<double> ones_with(Index size, Index at, double value) {
  Vector<double> numbers = Vector<double>::Ones(size);
  numbers[at] = value;
  return numbers;
}

}  // namespace detail

/// Checks that the optimizer refuses an x without rows or columns, x and y of different sizes, NaN
/// and infinity, and each of the targets −0.5, 0, 0.5 and 2 that is invalid for the loss.
inline void refuses_samples(const OptimizerTrial& trial) {
  const detail::InvalidCalls calls(trial);
  const auto& [x, y] = trial.problem;
  const auto text = [](auto number) { return linea::detail::text_of({number}); };
  const Index n = x.rows();
  const Index d = x.cols();
  for (const Layout layout : {Layout::rows, Layout::sparse}) {
    calls.refuses("no samples", {x.topRows(0), y.head(0)}, {}, {"(0 x " + text(d)}, layout);
    calls.refuses("no features", {x.leftCols(0), y}, {}, {"(" + text(n) + " x 0)"}, layout);
    calls.refuses("nothing", {Matrix<double>(0, 0), y.head(0)}, {}, {"(0 x 0)"}, layout);
  }
  Vector<double> more(n + 1);
  more << y, y[0];
  calls.refuses("too few targets", {x, y.head(n - 1)}, {}, {text(n), text(n - 1)});
  calls.refuses("too many targets", {x, more}, {}, {text(n), text(n + 1)});
  calls.refuses("no targets", {x, y.head(0)}, {}, {text(n), "0"});
  const std::string last = "y(" + text(n - 1);
  for (const double bad : detail::not_numbers) {
    OptimizerProblem wrong = trial.problem;
    wrong.y[n - 1] = bad;
    calls.refuses("y not finite", wrong, {}, {last});
    wrong = trial.problem;
    wrong.x(n - 1, d - 1) = bad;
    for (const Layout layout : all_layouts)
      calls.refuses("x not finite", wrong, {}, {"x(" + text(n - 1) + ", " + text(d - 1) + ")"},
                    layout);
  }
  for (const double target : {-0.5, 0.0, 0.5, 2.0}) {
    OptimizerProblem wrong = trial.problem;
    wrong.y[n - 1] = target;
    if (!trial.takes_target(target))
      calls.refuses("a target that the loss does not take", wrong, {}, {last + ")", text(target)});
  }
}

/// Checks that the optimizer refuses sample weights of another size, and sample weights that are
/// negative, not finite or all 0.
inline void refuses_sample_weights(const OptimizerTrial& trial) {
  if (!trial.options.takes_weights) return;
  const detail::InvalidCalls calls(trial);
  const Index n = trial.problem.y.size();
  const auto refuses = [&](const Vector<double>& weights, const std::vector<std::string>& facts) {
    calls.refuses("sample weights", {.sample_weights = weights}, facts);
  };
  for (const Index size : {n - 1, n + 1})
    refuses(Vector<double>::Ones(size), {std::to_string(n), std::to_string(size)});
  refuses(Vector<double>::Zero(n), {});
  for (const double bad : {-1.0, test::not_a_number, test::infinity})
    refuses(detail::ones_with(n, n - 1, bad), {std::to_string(n - 1)});
}

/// Checks that the optimizer refuses a start of another size, with NaN or infinity, of an offset
/// alone, or of a kind that it does not use.
inline void refuses_starts(const OptimizerTrial& trial) {
  if (!trial.options.checks_start) return;
  detail::InvalidCalls calls(trial);
  const Index n = trial.problem.x.rows();
  const Index d = trial.problem.x.cols();
  const auto refuses = [&](const std::string& what, const Vector<double>& weights, double offset,
                           const Vector<double>& multipliers,
                           const std::vector<std::string>& facts) {
    Extras<double> extras;
    extras.start_weights = weights;
    extras.start_offset = offset;
    extras.start_multipliers = multipliers;
    calls.refuses(what, extras, facts);
  };
  const Vector<double> none;
  const Vector<double> ones = Vector<double>::Ones(d);
  const Start start = trial.options.start;
  if (start == Start::weights || start == Start::either) {
    for (const Index size : {d - 1 > 0 ? d - 1 : d + 2, d + 1})
      refuses("a start of another size", Vector<double>::Ones(size), 0, none,
              {std::to_string(size), std::to_string(d)});
    for (const double bad : detail::not_numbers) {
      refuses("a start that is not finite", detail::ones_with(d, d - 1, bad), 0, none, {"finite"});
      refuses("a start_offset that is not finite", ones, bad, none, {"finite"});
    }
  }
  if (start == Start::multipliers || start == Start::either) {
    refuses("a start of another size", none, 0, Vector<double>::Zero(n - 1), {});
    for (const double bad : detail::not_numbers)
      refuses("a start that is not finite", none, 0, detail::ones_with(n, n - 1, bad), {});
  }
  if (start == Start::multipliers) refuses("weights", ones, 0, none, {"multipliers"});
  if (start != Start::weights) return;
  refuses("a start_offset alone", none, 1, none, {"start_offset"});
  refuses("multipliers for a start", none, 0, Vector<double>::Zero(n), {"multipliers"});
  if (!trial.without_offset) return;
  calls.take(trial.without_offset);
  refuses("a start_offset without an offset", ones, 1, none, {"start_offset"});
}

/// Checks that a parameter of the loss, the penalty or the optimizer that is out of its domain is
/// refused.
inline void refuses_parameters(const OptimizerTrial& trial) {
  detail::InvalidCalls calls(trial);
  if (!trial.options.checks_parameters) return;
  for (const auto& [what, minimise] : trial.misuses) {
    calls.take(minimise);
    calls.refuses(what, Extras<double>{});
  }
}

/// Checks that the optimizer refuses a sparse row with a duplicate column. Columns may be out of
/// order.
inline void refuses_columns_named_twice(const OptimizerTrial& trial) {
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
  CHECK_NOTHROW(trial.minimise_sparse(x, trial.problem.y, {}));
  x.innerIndexPtr()[2 * n - 1] = 0;
  detail::refuses(trial, "a row that names a column twice",
                  {"row " + std::to_string(n - 1), "column 0"},
                  [&] { trial.minimise_sparse(x, trial.problem.y, {}); });
}

}  // namespace linea::check
