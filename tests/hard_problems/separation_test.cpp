// SPDX-License-Identifier: MIT
/// \file Hard problems for Perceptron and MaximumMargin.
#include <algorithm>  // max, min
#include <cmath>
#include <cstdint>
#include <limits>
#include <linea/optimizers/maximum_margin.hpp>
#include <linea/optimizers/perceptron.hpp>
#include <linea/rows/in_double.hpp>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/judge.hpp"

using namespace linea;
using namespace linea::test;

namespace {

/// Verifies the solutions of Perceptron and MaximumMargin for one problem, in long double.
class Separators {
 public:
  Separators(const HardProblem& problem, Words& words) : problem_(problem), words_(words) {}

  /// Checks that a converged perceptron has every sample of positive weight on the correct side, up
  /// to the rounding of its score. Updates seen_.
  template <class X>
  void hold_perceptron(const X& x, const std::string& storage, Real epsilon) {
    using T = scalar_t<X>;
    Extras<T> extras;
    extras.sample_weights = (problem_.weights.array() > 0).template cast<T>();
    const Perceptron perceptron{.epochs = 30, .offset = problem_.offset};
    const auto solution = perceptron.fit(x, problem_.y.template cast<T>().eval(), extras);
    const std::string name = "Perceptron, " + storage;
    ++words_[name + ", " + std::string(name_of(solution.status))];
    if (solution.status != Status::converged) return;
    if (solution.objective != 0) wrong(name, "converged with an error");
    const Agreement found = least_agreement(solution, epsilon);
    if (!(found.least >= -found.rounding)) wrong(name, "converged with a sample on the wrong side");
    Real square = 0;
    for (const T w : solution.weights) square += static_cast<Real>(w) * static_cast<Real>(w);
    if (square > 0) seen_ = std::max(seen_, (found.least - found.rounding) / std::sqrt(square));
  }

  template <class X>
  void hold_margin(const X& x, const std::string& storage) {
    using T = scalar_t<X>;
    Extras<T> extras;
    extras.sample_weights = problem_.weights.template cast<T>();
    const MaximumMargin margin{.offset = problem_.offset};
    const auto solution = margin.fit(x, problem_.y.template cast<T>().eval(), extras);
    const std::string name = "MaximumMargin, " + storage;
    ++words_[name + ", " + std::string(name_of(solution.separability)) + ", " +
             std::string(name_of(solution.status))];
    hold_bound(name, solution);
    if (solution.separability == Separability::separable) return hold_separator(name, solution);
    const Real radius = largest_distance();
    if (solution.separability == Separability::not_separable &&
        static_cast<Real>(solution.margin_bound) > 1.01e-10L * radius)
      wrong(name, "not separable, but the bound is not near 0");
    if (solution.weights.norm() != 0 || std::isfinite(solution.objective))
      wrong(name, "no separator, but weights");
  }

  const std::vector<std::string>& found() const { return found_; }

 private:
  struct Agreement {
    Real least, rounding;
    Real low, high;  ///< bounds on the least agreement of rounded scores
  };

  /// Returns the least agreement yᵢ(⟨w, xᵢ⟩ + b) of samples of positive weight, and bounds on its
  /// rounding error.
  template <class T>
  Agreement least_agreement(const Solution<T>& solution, Real epsilon) const {
    constexpr Real infinity = std::numeric_limits<Real>::infinity();
    Agreement found{infinity, 0, infinity, infinity};
    for (Index i = 0; i < problem_.x.rows(); ++i) {
      if (problem_.weight(i) == 0) continue;
      const RealScore score =
          score_of(problem_, i, solution.weights, static_cast<Real>(solution.offset));
      const Real agreement = static_cast<Real>(problem_.y[i]) * score.value;
      const Real rounding = epsilon * static_cast<Real>(problem_.x.cols() + 4) * score.size;
      found.low = std::min(found.low, agreement - rounding);
      found.high = std::min(found.high, agreement + rounding);
      if (agreement >= found.least) continue;
      found.least = agreement;
      found.rounding = rounding;
    }
    return found;
  }

  /// Checks that margin_bound is the bound ‖Σᵢ αᵢyᵢxᵢ‖/Σᵢ αᵢ of the dual variables α, and is not
  /// below the margin of a perceptron. α must be ≥ 0, 0 for samples of weight 0, and balanced (Σᵢ
  /// αᵢyᵢ = 0) if there is an offset.
  template <class T>
  void hold_bound(const std::string& name, const MaximumMarginSolution<T>& solution) {
    Real sum = 0;
    Real balance = 0;
    std::vector<Real> total(static_cast<std::size_t>(problem_.x.cols()), 0);
    for (Index i = 0; i < problem_.x.rows(); ++i) {
      const Real a = static_cast<Real>(solution.multipliers[i]);
      if (!(a >= 0) || (a > 0 && problem_.weight(i) == 0)) wrong(name, "an impossible multiplier");
      if (problem_.weight(i) == 0) continue;
      const Real y = static_cast<Real>(problem_.y[i]);
      sum += a;
      balance += a * y;
      for (Index j = 0; j < problem_.x.cols(); ++j)
        total[static_cast<std::size_t>(j)] += a * y * static_cast<Real>(problem_.x(i, j));
    }
    Real square = 0;
    for (const Real t : total) square += t * t;
    const Real proven = std::sqrt(square) / sum;
    const Real size = largest_entry();
    const Real rounding = 0x1p-48L * size * static_cast<Real>(problem_.x.size());
    if (seen_ > static_cast<Real>(solution.margin_bound) + rounding)
      wrong(name, "a perceptron has a larger margin than the bound");
    if (problem_.offset && !(std::abs(balance) <= 1e-12L * sum)) wrong(name, "no balance");
    if (!(std::abs(proven - static_cast<Real>(solution.margin_bound)) <= 1e-9L * proven + rounding))
      wrong(name, "the multipliers prove another bound");
  }

  template <class T>
  void hold_separator(const std::string& name, const MaximumMarginSolution<T>& solution) {
    const Agreement found = least_agreement(solution, 0x1p-52L);
    Real square = 0;
    for (const T w : solution.weights) square += static_cast<Real>(w) * static_cast<Real>(w);
    if (!(found.least > 0)) wrong(name, "separable, but a sample is on the wrong side");
    if (!(std::abs(square / 2 - static_cast<Real>(solution.objective)) <= 1e-12L * square))
      wrong(name, "the objective is not that of the weights");
    const Real length = std::sqrt(square);
    const Real margin = found.least / length;
    const Real told = static_cast<Real>(solution.margin);
    if (!(told >= found.low / length - 1e-12L * told &&
          told <= found.high / length + 1e-12L * told))
      wrong(name, "the margin is not that of the weights");
    const Real slack = 0x1p-44L * largest_entry();
    if (!(margin <= static_cast<Real>(solution.margin_bound) * (1 + 1e-9L) + slack))
      wrong(name, "a margin above the bound");
    if (solution.status == Status::converged && std::is_same_v<T, double> &&
        !(margin >= static_cast<Real>(solution.margin_bound) * (1 - 1e-8L) - slack))
      wrong(name, "converged, but the margin is below the bound");
  }

  Real largest_entry() const {
    Real largest = 0;
    for (Index i = 0; i < problem_.x.rows(); ++i)
      if (problem_.weight(i) > 0)
        largest = std::max(largest, static_cast<Real>(problem_.x.row(i).cwiseAbs().maxCoeff()));
    return largest;
  }
  Real largest_distance() const {
    return 2 * largest_entry() * std::sqrt(static_cast<Real>(problem_.x.cols()));
  }

  void wrong(const std::string& name, const std::string& what) {
    found_.push_back(name + ": " + what + "; " + problem_.line);
  }

  const HardProblem& problem_;
  Words& words_;
  std::vector<std::string> found_{};
  Real seen_{0};  ///< the largest margin of a perceptron, minus a bound on its rounding
};

bool has_both_classes(const HardProblem& problem) {
  bool below = false;
  bool above = false;
  for (Index i = 0; i < problem.y.size(); ++i)
    if (problem.weight(i) > 0) (problem.y[i] > 0 ? above : below) = true;
  return below && above;
}

}  // namespace

TEST_CASE("Hard problems: results for separators are correct", "[hard_problems][separation]") {
  CHECK(nothing_is_untrue([](std::uint64_t seed, Words& words, std::vector<std::string>& untrue) {
    const Family family = HardProblemMaker::family_of(seed);
    if (family != Family::hinge && family != Family::smooth_classes) return false;
    const HardProblem problem = hard_problem(seed);
    const Storages x(problem);
    Separators separators(problem, words);
    separators.hold_perceptron(x.rows, "rows", 0x1p-52L);
    separators.hold_perceptron(x.sparse, "sparse", 0x1p-52L);
    if (problem.floats) separators.hold_perceptron(x.float_columns, "float columns", 0x1p-23L);
    if (!problem.offset || has_both_classes(problem)) {
      separators.hold_margin(x.columns, "columns");
      separators.hold_margin(x.sparse, "sparse");
      if (problem.floats) separators.hold_margin(in_double(x.float_rows), "in_double rows");
    }
    untrue.insert(untrue.end(), separators.found().begin(), separators.found().end());
    return true;
  }));
}
