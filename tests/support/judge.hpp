// SPDX-License-Identifier: MIT
#pragma once
/// \file Collects the solutions of optimizers for hard problems, and verifies them.
#include <algorithm>  // all_of, max, min
#include <cfloat>     // LDBL_EPSILON
#include <cmath>
#include <concepts>  // same_as
#include <cstdint>
#include <cstdlib>  // getenv, strtoull
#include <iomanip>
#include <iostream>
#include <linea/core/extras.hpp>
#include <linea/core/solution.hpp>
#include <linea/core/types.hpp>
#include <linea/optimizers/certify.hpp>
#include <map>
#include <numeric>  // iota
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>  // move
#include <vector>

#include "support/long_double_descent.hpp"

namespace linea::test {

/// The solution of one optimizer.
struct Answer {
  std::string optimizer{};
  std::string storage{};
  Status status{};
  double tolerance{0};    ///< the largest relative suboptimality of status `converged`
  double epsilon{0};      ///< the relative rounding error of the optimizer's sums
  bool of_floats{false};  ///< are the weights rounded to float?
  RealPoint point{};
  double objective{0};
  std::optional<double> gap{};

  bool is_finite() const {
    bool finite =
        std::isfinite(point.offset) && std::isfinite(point.value) && std::isfinite(objective);
    for (const Real w : point.weights) finite = finite && std::isfinite(w);
    return finite;
  }
};

/// The samples x in double by rows, by columns and sparse, and in float by rows and by columns.
struct Storages {
  explicit Storages(const HardProblem& problem)
      : rows(problem.x),
        columns(problem.x),
        sparse(problem.x.sparseView()),
        float_rows(problem.x.cast<float>()),
        float_columns(problem.x.cast<float>()) {}

  Matrix<double> rows;
  detail::ColumnMatrix<double> columns;
  SparseMatrix<double> sparse;
  Matrix<float> float_rows;
  detail::ColumnMatrix<float> float_columns;
};

inline constexpr double float_rounding = 0x1p-23;

/// Returns the name of x's storage: "rows", "float columns", "in_double sparse" and so on.
template <class X>
std::string storage_name(const X& x) {
  if constexpr (SampleView<X>)
    return "in_double " + storage_name(x.matrix()).substr(6);
  else
    return std::string(std::same_as<typename X::Scalar, float> ? "float " : "") +
           (SparseSamples<X> ? "sparse"
            : X::IsRowMajor  ? "rows"
                             : "columns");
}

/// Collects the solutions of one problem.
class Answers {
 public:
  Answers(const HardProblem& problem, std::vector<Answer>& all) : problem_(problem), all_(all) {}

  const HardProblem& problem() const { return problem_; }

  /// Runs the optimizer and adds its solution. `epsilon` is the relative rounding error of the
  /// optimizer's sums. `tolerance` is the relative suboptimality that its status `converged`
  /// implies.
  template <class Optimizer, class O, class X>
  void ask(const Optimizer& optimizer, const O& objective, const X& x, double tolerance,
           double epsilon = 0x1p-52) {
    add(Optimizer::name, storage_name(x), solution_of(optimizer, objective, x), tolerance, epsilon);
  }

  /// Does the same as `ask`, and adds the solution a second time as that of "certify", with the F
  /// and the gap that certify returns.
  template <class Optimizer, class O>
  void ask_and_certify(const Optimizer& optimizer, const O& objective, const auto& x,
                       double tolerance) {
    Solution<double> solution = solution_of(optimizer, objective, x);
    add(Optimizer::name, storage_name(x), solution, tolerance);
    const Certificate certificate =
        linea::certify(objective, solution, x, problem_.y,
                       {.offset = problem_.offset, .sample_weights = problem_.weights});
    solution.status = Status::epoch_limit;
    solution.objective = certificate.primal;
    solution.gap = certificate.gap();
    add("certify", storage_name(x), solution, 0);
  }

  template <class T>
  void add(std::string_view optimizer, std::string storage, const Solution<T>& solution,
           double tolerance, double epsilon = 0x1p-52) {
    all_.push_back({std::string(optimizer), std::move(storage), solution.status, tolerance, epsilon,
                    std::same_as<T, float>, point_of(problem_, solution), solution.objective,
                    solution.gap});
  }

 private:
  template <class X>
  auto solution_of(const auto& optimizer, const auto& objective, const X& x) const {
    Extras<scalar_t<X>> extras;
    extras.sample_weights = problem_.weights.template cast<scalar_t<X>>();
    const Vector<scalar_t<X>> y = problem_.y.template cast<scalar_t<X>>();
    return optimizer.minimize(objective, x, y, extras);
  }

  const HardProblem& problem_;
  std::vector<Answer>& all_;
};

/// How the runs of one optimizer on one storage ended.
struct Figures {
  std::map<std::string, std::int64_t> statuses{};
  std::int64_t problems{0};
};

/// Prints the line from which scripts/hard_problems computes totals.
inline void print_totals(std::ostream& out, std::int64_t problems, std::int64_t answers,
                         std::int64_t untrue) {
  out << "in all " << problems << " problems, " << answers << " answers, " << untrue << " untrue\n";
}

/// Compares the solutions of a problem with F in long double and with each other. No lower bound on
/// F may exceed the F of any solution, up to rounding.
class Judge {
 public:
  void hold(const HardProblem& problem, const std::vector<Answer>& answers) {
    ++problems_;
    const RealPoint constant = best_constant(problem);
    RealPoint best = constant;
    for (const Answer& answer : answers)
      if (answer.is_finite() && answer.point.value < best.value) best = answer.point;
    // Long double also rounds: this matters if scores are sums of far larger terms.
    const Real of_answers = best.value + 4 * rounding_of(problem, best, LDBL_EPSILON);
    Real sure = of_answers;
    for (const RealPoint& start : {best, constant})
      sure = std::min(sure, descended(problem, start, told_from_rounding(problem)));
    for (const Answer& answer : answers) hold(problem, answer, constant, sure);
  }

  /// Compares solutions of a problem and of the same problem with ordinary rows of weight 0. F must
  /// be the same up to the tolerance and rounding. The status must be the same unless F is 0 up to
  /// rounding. Ignores problems without a minimum.
  void hold_alike(const HardProblem& problem, const std::vector<Answer>& with,
                  const std::vector<Answer>& without) {
    if (problem.is_unbounded()) return;
    const Real at_zero = best_constant(problem).value;
    for (std::size_t k = 0; k < with.size(); ++k) {
      const Answer& a = with[k];
      const Answer& b = without[k];
      const Real rounding = slack(problem, a) + slack(problem, b);
      const Real difference = std::abs(a.point.value - b.point.value);
      const Real allowed = std::max<Real>(2 * static_cast<Real>(a.tolerance), 1e-9L);
      if (!(difference <= allowed * std::abs(b.point.value) + rounding +
                              4 * static_cast<Real>(a.epsilon) * at_zero) ||
          (a.status != b.status && !is_nothing(a, b, at_zero)))
        violate(problem, a,
                "F without the rows of weight 0 is " + text(b.point.value) + ", " +
                    std::string(linea::name_of(b.status)));
    }
  }

  bool report(std::ostream& out) const {
    std::int64_t answers = 0;
    for (const auto& [name, figures] : figures_) {
      answers += figures.problems;
      out << name << ": " << figures.problems << " problems,";
      for (const auto& [status, count] : figures.statuses) out << ' ' << status << ' ' << count;
      out << '\n';
    }
    for (const std::string& line : violations_) out << "UNTRUE " << line << '\n';
    print_totals(out, problems_, answers, static_cast<std::int64_t>(violations_.size()));
    return violations_.empty();
  }

  /// Has at least this share of the solutions of each optimizer and storage the status `converged`?
  /// For weights in float, 0.76 of this share suffices.
  bool converges(double share) const {
    return std::all_of(figures_.begin(), figures_.end(), [&](const auto& row) {
      const Figures& figures = row.second;
      const double least = row.first.find(", float") == row.first.npos ? share : 0.76 * share;
      const auto found = figures.statuses.find("converged");
      const auto converged = found == figures.statuses.end() ? 0 : found->second;
      return static_cast<double>(converged) >= least * static_cast<double>(figures.problems);
    });
  }

 private:
  /// Returns the relative rounding of scores beyond which a lower F is significant. Without a
  /// penalty, a combination of columns may consist of the rounding of their entries. Very large
  /// weights on this combination may lower F. docs/internals/numerics.md does not promise to find
  /// such weights.
  static Real told_from_rounding(const HardProblem& problem) {
    return problem.is_penalised() ? 4 * LDBL_EPSILON : 0x1p-53L;
  }

  /// Is F of both solutions 0 up to rounding, and the status of each `converged` or
  /// `precision_limit`? Then the two statuses are equivalent.
  static bool is_nothing(const Answer& a, const Answer& b, Real at_zero) {
    const auto is_end = [](Status status) {
      return status == Status::converged || status == Status::precision_limit;
    };
    const Real epsilon = static_cast<Real>(a.epsilon);
    return is_end(a.status) && is_end(b.status) &&
           std::max(a.point.value, b.point.value) <= epsilon * epsilon * at_zero;
  }

  /// Returns the allowed rounding error of F at the solution: see docs/internals/numerics.md.
  Real slack(const HardProblem& problem, const Answer& answer) const {
    // exp underflows below this number. Fixed offsets may separate the classes by hundreds: the
    // slopes of F are then as small as F, and the search for the best b ends early.
    const Real least = answer.epsilon > 0x1p-52     ? 0x1p-100L
                       : problem.offset_column >= 0 ? 0x1p-600L
                                                    : 0x1p-900L;
    return 4 * rounding_of(problem, answer.point, static_cast<Real>(answer.epsilon)) + least;
  }

  void hold(const HardProblem& problem, const Answer& answer, const RealPoint& start, Real best) {
    Figures& figures = figures_[answer.optimizer + ", " + answer.storage];
    ++figures.problems;
    ++figures.statuses[std::string(linea::name_of(answer.status))];
    if (!answer.is_finite()) return violate(problem, answer, "not finite");
    const Real constant = start.value;
    const Real value = answer.point.value;
    const Real objective = static_cast<Real>(answer.objective);
    const Real rounding = slack(problem, answer);
    const Real at_zero = 4 * static_cast<Real>(answer.epsilon) * unit_of(problem, constant);
    const Real mismatch = std::abs(objective - value);
    if (mismatch > rounding + at_zero)
      violate(problem, answer, "objective off by " + text(mismatch));
    const Real excess = value - best;
    if (answer.gap) {
      const Real bound = objective - static_cast<Real>(*answer.gap);
      const Real above = bound - best;
      if (!(*answer.gap >= 0)) violate(problem, answer, "the gap is negative or NaN");
      if (above > rounding + 5 * at_zero)  // the bound documented in numerics.md
        violate(problem, answer, "the bound is above an F by " + text(above));
    }
    if (answer.status == Status::converged) {
      // 5·at_zero: InteriorPoint documents 4e-15 of F at the best constant.
      Real allowed = rounding + 5 * at_zero;
      // For weights in float without a gap, `converged` allows for the rounding of the weights and
      // of F at the best constant to float.
      if (answer.of_floats && !answer.gap)
        allowed += rounding_of(problem, answer.point, 0x1p-23L) + 0x1p-23L * constant;
      if (!(excess <= static_cast<Real>(answer.tolerance) * std::abs(value) + allowed))
        violate(problem, answer, "F is above the best by " + text(excess));
    }
    // The best offset may lie between two doubles, where the loss may have a kink.
    Real enough =
        rounding + at_zero + rounding_of(problem, start, static_cast<Real>(answer.epsilon));
    if (answer.status == Status::converged)
      enough += static_cast<Real>(answer.tolerance) * std::abs(value);
    if (answer.of_floats)
      enough +=
          rounding_of(problem, start, 0x1p-23L) + rounding_of(problem, answer.point, 0x1p-23L);
    if (value > constant + enough && !problem.is_unbounded() && starts_at_constant(problem, answer))
      violate(problem, answer, "the best constant has F = " + text(constant));
  }

  /// Returns the unit of the rounding of F: F at the best constant, or 1 if the problem
  /// is_unbounded. For counts the unit is at least their mean, which is the size of the terms of
  /// their loss.
  static Real unit_of(const HardProblem& problem, Real constant) {
    if (problem.is_unbounded()) return 1;
    if (problem.loss != LossKind::poisson) return constant;
    Real sum = 0;
    for (Index i = 0; i < problem.y.size(); ++i)
      sum += static_cast<Real>(problem.weight(i) > 0 ? problem.weight(i) * problem.y[i] : 0);
    return std::max(constant, sum / total_weight(problem));
  }

  /// Does the optimizer guarantee an F no larger than that of the best constant? Pegasos and
  /// descent with a safe step start at 0 and guarantee nothing; certify is no optimizer. For
  /// counts, Sgd starts at scores of 0, that is at means of 1.
  static bool starts_at_constant(const HardProblem& problem, const Answer& answer) {
    if (problem.loss == LossKind::poisson && answer.optimizer == "Sgd") return false;
    return answer.optimizer != "Pegasos" && answer.optimizer != "GradientDescent" &&
           answer.optimizer != "certify";
  }

  void violate(const HardProblem& problem, const Answer& answer, const std::string& what) {
    std::ostringstream out;
    out << answer.optimizer << ", " << answer.storage << ", " << linea::name_of(answer.status)
        << ", " << what << "; F = " << text(answer.point.value) << ", objective "
        << answer.objective;
    if (answer.gap) out << ", gap " << *answer.gap;
    out << "; " << problem.line;
    violations_.push_back(out.str());
  }

  static std::string text(Real value) {
    std::ostringstream out;
    out << std::setprecision(7) << value;
    return out.str();
  }

  std::int64_t problems_{0};
  std::map<std::string, Figures> figures_{};
  std::vector<std::string> violations_{};
};

inline std::uint64_t environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// Returns seeds, and prints how many. These are LINEA_HARD_PROBLEMS seeds (default 300) from
/// LINEA_HARD_SEED (default 1) on, both environment variables. Without LINEA_HARD_SEED, seeds are
/// added for which some result was once not correct.
inline std::vector<std::uint64_t> seeds_to_try() {
  const std::uint64_t first = environment("LINEA_HARD_SEED", 1);
  std::vector<std::uint64_t> seeds(environment("LINEA_HARD_PROBLEMS", 300));
  std::iota(seeds.begin(), seeds.end(), first);
  if (std::getenv("LINEA_HARD_SEED") == nullptr)
    seeds.insert(seeds.end(), {64344, 411821, 460740, 472571, 571338, 712537});
  std::cout << seeds.size() << " seeds from " << first << " on\n";
  return seeds;
}

/// Runs ask(Answers, Storages) for the extended problems of a family among the seeds to try. A
/// problem with rows of weight 0 is also solved with ordinary numbers in these rows. Prints the
/// statistics, and returns whether all results are correct, and Judge::converges(converged).
template <class Ask>
bool answers_are_true(Family family, const Ask& ask, Extension extension = Extension::none,
                      double converged = 0) {
  Judge judge;
  for (const std::uint64_t seed : seeds_to_try()) {
    const Family drawn = HardProblemMaker::family_of(seed);
    const bool of_counts = family == Family::counts && drawn == Family::smooth_numbers;
    if (drawn != family && !of_counts) continue;
    const HardProblem problem =
        extended(of_counts ? hard_counts(seed) : hard_problem(seed), extension);
    std::vector<Answer> answers;
    ask(Answers(problem, answers), Storages(problem));
    judge.hold(problem, answers);
    if (!problem.absent_rows) continue;
    const HardProblem rest = problem.without_absent();
    std::vector<Answer> without;
    ask(Answers(rest, without), Storages(rest));
    judge.hold_alike(problem, answers, without);
  }
  std::ostringstream out;
  const bool good = judge.report(out);
  std::cout << out.str() << std::flush;
  return good && judge.converges(converged);
}

using Words = std::map<std::string, std::int64_t>;

/// Runs ask(seed, words, untrue) for the seeds to try, for other kinds of solutions. `ask` counts
/// statuses in `words`, adds errors to `untrue`, and returns whether it has tested the problem of
/// this seed. Prints the statuses and the errors, and returns whether there are no errors.
template <class Ask>
bool nothing_is_untrue(const Ask& ask) {
  Words words;
  std::vector<std::string> untrue;
  std::int64_t problems = 0;
  for (const std::uint64_t seed : seeds_to_try()) problems += ask(seed, words, untrue) ? 1 : 0;
  std::int64_t answers = 0;
  for (const auto& [word, times] : words) {
    std::cout << word << ": " << times << '\n';
    answers += times;
  }
  for (const std::string& line : untrue) std::cout << "UNTRUE " << line << '\n';
  print_totals(std::cout, problems, answers, static_cast<std::int64_t>(untrue.size()));
  std::cout << std::flush;
  return untrue.empty();
}

}  // namespace linea::test
