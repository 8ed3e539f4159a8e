// SPDX-License-Identifier: MIT
/// \file Hard problems of several classes.
#include <algorithm>  // max, min
#include <cmath>
#include <cstdint>
#include <limits>
#include <linea/core/random.hpp>
#include <linea/optimizers/softmax_coordinate_descent.hpp>
#include <linea/optimizers/softmax_newton.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/rows/in_double.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>  // conditional_t, is_same_v
#include <utility>      // move
#include <vector>

#include "support/catch.hpp"
#include "support/judge.hpp"
#include "support/softmax.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using namespace linea::test;

namespace {

struct SoftmaxAnswer {
  std::string by{};
  Status status{};
  double tolerance{0};
  /// F in long double, F as the optimizer reports it, and a bound on the rounding of F.
  Real value{0}, objective{0}, rounding{0};
  std::optional<Real> bound{};
};

/// A hard problem of several classes, and its solutions.
class ManyClasses {
 public:
  /// The penalty has the problem's l2 and, with `has_l1`, the problem's l1.
  explicit ManyClasses(const HardProblem& problem, bool has_l1 = false)
      : ManyClasses(problem, has_l1, many_classes(problem)) {}
  ManyClasses(const HardProblem& problem, bool has_l1, Vector<double> classes)
      : problem_(problem),
        l1_(has_l1 ? problem.l1 : 0),
        y_(std::move(classes)),
        classes_(static_cast<Index>(y_.maxCoeff()) + 1) {}

  Index classes() const { return classes_; }
  bool has_penalty() const { return problem_.l2 > 0 || l1_ > 0; }
  const std::vector<SoftmaxAnswer>& answers() const { return answers_; }

  template <class O, class X>
  void ask(const O& optimizer, const X& x, const std::string& by, double tolerance) {
    using T = scalar_t<X>;
    using P = std::conditional_t<std::is_same_v<O, SoftmaxNewton>, L2, ElasticNet>;
    P penalty;
    if constexpr (std::is_same_v<P, L2>)
      penalty = {problem_.l2};
    else
      penalty = {l1_, problem_.l2};
    Extras<T> extras;
    extras.sample_weights = problem_.weights.template cast<T>();
    const auto solution = optimizer.minimize(penalty, x, y_.template cast<T>().eval(), extras);
    SoftmaxAnswer answer{.by = by, .status = solution.status, .tolerance = tolerance};
    answer.objective = static_cast<Real>(solution.objective);
    measure(solution.weights, solution.offset, answer);
    if (solution.gap) answer.bound = answer.objective - static_cast<Real>(*solution.gap);
    answers_.push_back(answer);
  }

  /// Returns F of the best constant: the entropy of the k classes, or log k without an offset.
  Real constant() const {
    if (!problem_.offset) return std::log(static_cast<Real>(classes_));
    std::vector<Real> sums(static_cast<std::size_t>(classes_), 0);
    for (Index i = 0; i < y_.size(); ++i)
      sums[static_cast<std::size_t>(y_[i])] += static_cast<Real>(problem_.weight(i));
    const Real total = total_weight(problem_);
    Real entropy = 0;
    for (const Real sum : sums) entropy -= sum / total * std::log(sum / total);
    return entropy;
  }

 private:
  /// Computes F at w (d × k) and b (k), and a bound on the effect of rounding the scores.
  void measure(const auto& w, const auto& b, SoftmaxAnswer& answer) const {
    Real loss = 0;
    Real rounding = 0;
    std::vector<Real> scores(static_cast<std::size_t>(classes_));
    for (Index i = 0; i < y_.size(); ++i) {
      if (problem_.weight(i) == 0) continue;
      const Real part = static_cast<Real>(problem_.weight(i)) / total_weight(problem_);
      Real largest = -std::numeric_limits<Real>::infinity();
      Real size = 0;
      for (Index k = 0; k < classes_; ++k) {
        const RealScore score = score_of(problem_, i, w.col(k), static_cast<Real>(b[k]));
        scores[static_cast<std::size_t>(k)] = score.value;
        largest = std::max(largest, score.value);
        size = std::max(size, score.size);
      }
      Real sum = 0;
      for (const Real score : scores) sum += std::exp(score - largest);
      const Real own = scores[static_cast<std::size_t>(y_[i])];
      const Real value = (largest - own) + std::log(sum);
      loss += part * value;
      // The absolute slopes of a sample's loss sum to at most twice the probability of the wrong
      // classes. This probability is at most the loss, also for rounded scores.
      const Real error = 0x1p-52L * static_cast<Real>(problem_.x.cols() + 4) * size;
      const Real wrong = std::min<Real>(1, value + 2 * error);
      rounding += part * (2 * wrong * error + 4 * 0x1p-52L * value);
    }
    const Real square = w.template cast<Real>().squaredNorm();
    const Real sizes = w.template cast<Real>().cwiseAbs().sum();
    answer.value =
        loss + static_cast<Real>(problem_.l2) / 2 * square + static_cast<Real>(l1_) * sizes;
    answer.rounding = 4 * rounding + 32 * 0x1p-52L * (answer.value + constant());
  }

  const HardProblem& problem_;
  double l1_;
  Vector<double> y_;
  Index classes_{0};
  std::vector<SoftmaxAnswer> answers_{};
};

/// Returns a description of each error in the solutions of one problem.
std::vector<std::string> wrong_of(const ManyClasses& asked) {
  std::vector<std::string> wrong;
  // Without a penalty, a solution may have weights of 1e12 on a combination of columns that
  // consists of rounding errors. Then the lowest F is known only up to the rounding error of F.
  Real best = asked.constant();
  for (const SoftmaxAnswer& one : asked.answers())
    best = std::min(best, one.value + (asked.has_penalty() ? 0 : one.rounding));
  for (const SoftmaxAnswer& one : asked.answers()) {
    std::ostringstream line;
    line << one.by << ' ' << name_of(one.status) << " F " << one.value << ": ";
    const auto say = [&](const char* what, Real by) {
      wrong.push_back(line.str() + what + " by " + std::to_string(static_cast<double>(by / best)) +
                      " of F");
    };
    if (!std::isfinite(one.value)) {
      say("not finite", 0);
      continue;
    }
    const Real promised = static_cast<Real>(one.tolerance) * one.value;
    if (std::abs(one.objective - one.value) > one.rounding)
      say("objective off", one.objective - one.value);
    if (one.bound && *one.bound > best + one.rounding) say("bound above an F", *one.bound - best);
    if (one.status == Status::converged && one.value - best > promised + one.rounding)
      say("above the best", one.value - best);
    if (one.value > asked.constant() + promised + one.rounding)
      say("above the best constant", one.value - asked.constant());
  }
  return wrong;
}

void ask_by_coordinates(ManyClasses& asked, const HardProblem& problem) {
  const Storages x(problem);
  const SoftmaxCoordinateDescent descent{.iterations = 100, .offset = problem.offset};
  SoftmaxCoordinateDescent fine = descent;
  fine.tolerance = 1e-10;
  asked.ask(descent, x.columns, "coordinates, columns", descent.tolerance);
  asked.ask(descent, x.sparse, "coordinates, sparse", descent.tolerance);
  asked.ask(fine, x.columns, "coordinates, fine", fine.tolerance);
}

void ask_all(ManyClasses& asked, const HardProblem& problem) {
  const Storages x(problem);
  const SoftmaxNewton newton{.offset = problem.offset};
  SoftmaxNewton fine = newton;
  fine.tolerance = 1e-12;
  asked.ask(newton, x.rows, "rows", newton.tolerance);
  asked.ask(newton, x.columns, "columns", newton.tolerance);
  asked.ask(newton, x.sparse, "sparse", newton.tolerance);
  asked.ask(fine, x.rows, "rows, fine", fine.tolerance);
  if (problem.floats)
    asked.ask(newton, in_double(x.float_columns), "in_double columns", newton.tolerance);
  if (asked.has_penalty()) ask_by_coordinates(asked, problem);
}

/// Returns a problem with an L1 penalty or an elastic net, and with columns that are combinations of
/// other columns, or constant. Sets `y` to 2 to 10 classes of unequal shares, which x may separate.
HardProblem dependent_columns(std::uint64_t seed, Vector<double>& y) {
  Random random(seed);
  const auto whole = [&](Index low, Index high) {
    return low + static_cast<Index>(random.below(static_cast<std::uint64_t>(high - low + 1)));
  };
  const Index n = whole(15, 150), d = whole(3, 25), k = whole(2, 10);
  HardProblem problem{.seed = seed, .family = Family::smooth_classes, .loss = LossKind::log};
  problem.x = synthetic::features(n, d, seed, random.uniform() < 0.3 ? 0.4 : 1);
  const bool is_scaled = random.uniform() < 0.3;
  for (Index j = 0; is_scaled && j < d; ++j)
    problem.x.col(j) *= std::pow(10, 4 * random.uniform() - 2);
  for (Index j = d - whole(1, d / 3); j < d; ++j) {
    const auto one = problem.x.col(whole(0, j - 1)), other = problem.x.col(whole(0, j - 1));
    const double factors[] = {1, -2, 0, 1e-4};
    problem.x.col(j) = one + factors[random.below(4)] * other;
    if (random.uniform() < 0.1) problem.x.col(j).setConstant(3);
  }
  const double noise = random.uniform() < 0.3 ? 0 : std::exp(3 * random.uniform() - 1);
  y = classes_of(problem.x, k, seed, noise).cast<double>();
  for (Index i = k; i < n; ++i) y[i] = std::min(y[i], static_cast<double>(whole(0, k - 1)));
  problem.y = y;
  if (random.uniform() < 0.4) {
    problem.weights = synthetic::weights(n, seed);
    problem.weights.tail(n - k) *= static_cast<double>(whole(0, 2));
  }
  const double lambda = std::pow(10, -1 - 5 * random.uniform());
  problem.l1 = random.uniform() < 0.6 ? lambda : lambda * random.uniform();
  problem.l2 = lambda - problem.l1;
  problem.offset = random.uniform() < 0.8;
  problem.line = "dependent columns, seed " + std::to_string(seed);
  return problem;
}

}  // namespace

TEST_CASE("Hard problems: fits of classes with dependent columns are proven",
          "[hard_problems][softmax]") {
  CHECK(nothing_is_untrue([](std::uint64_t seed, Words& words, std::vector<std::string>& untrue) {
    if (seed % 3 != 0) return false;  // these fits take long
    Vector<double> y;
    const HardProblem problem = dependent_columns(seed, y);
    ManyClasses asked(problem, true, y);
    const Storages x(problem);
    const SoftmaxCoordinateDescent descent{.offset = problem.offset};
    asked.ask(descent, x.columns, "plain, columns", descent.tolerance);
    asked.ask(descent, x.sparse, "plain, sparse", descent.tolerance);
    for (const std::string& line : wrong_of(asked)) untrue.push_back(line + "; " + problem.line);
    for (const SoftmaxAnswer& one : asked.answers()) {
      ++words[one.by + ", " + std::string(name_of(one.status))];
      if (one.status != Status::converged) untrue.push_back(one.by + " unproven; " + problem.line);
    }
    return true;
  }));
}

TEST_CASE("Hard problems: a fit whose joint steps stop a weight at 0 again and again is proven",
          "[hard_problems][softmax]") {
  Vector<double> y;
  const HardProblem problem = dependent_columns(5376, y);  // 56 weights: conjugate gradients
  ManyClasses asked(problem, true, y);
  const Storages x(problem);
  asked.ask(SoftmaxCoordinateDescent{.offset = problem.offset}, x.columns, "columns", 1e-6);
  CHECK(asked.answers()[0].status == Status::converged);
  CHECK(wrong_of(asked).empty());
}

TEST_CASE("Hard problems: results for several classes are correct", "[hard_problems][softmax]") {
  CHECK(nothing_is_untrue([](std::uint64_t seed, Words& words, std::vector<std::string>& untrue) {
    if (HardProblemMaker::family_of(seed) != Family::smooth_classes) return false;
    const HardProblem problem = hard_problem(seed);
    ManyClasses asked(problem);
    if (asked.classes() < 2) return false;
    ask_all(asked, problem);
    for (const SoftmaxAnswer& one : asked.answers())
      ++words[one.by + ", " + std::string(name_of(one.status))];
    for (const std::string& line : wrong_of(asked)) untrue.push_back(line + "; " + problem.line);
    if (problem.l1 > 0) {
      ManyClasses sparse(problem, true);
      ask_by_coordinates(sparse, problem);
      for (const std::string& line : wrong_of(sparse)) untrue.push_back(line + "; " + problem.line);
    }
    if (!problem.absent_rows) return true;
    const HardProblem rest = problem.without_absent();
    ManyClasses without(rest);
    // The removed rows may change the number of classes, and then the classes of the samples.
    if (without.classes() != asked.classes()) return true;
    ask_all(without, rest);
    for (const std::string& line : wrong_of(without)) untrue.push_back(line + "; " + rest.line);
    return true;
  }));
}
