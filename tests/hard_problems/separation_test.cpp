// SPDX-License-Identifier: MIT
/// \file Hard problems for Perceptron, MaximumMargin and Separation.
#include <algorithm>  // max, min
#include <cmath>
#include <cstdint>
#include <limits>
#include <linea/core/random.hpp>
#include <linea/losses/squared.hpp>
#include <linea/models/separation.hpp>
#include <linea/optimizers/maximum_margin.hpp>
#include <linea/optimizers/perceptron.hpp>
#include <optional>
#include <string>
#include <utility>  // move
#include <vector>

#include "support/catch.hpp"
#include "support/judge.hpp"

using namespace linea;
using namespace linea::test;

namespace {

/// Returns which samples Separation finds, if rounding does not hide them.
std::optional<std::vector<bool>> separated_samples(const auto& x, const Vector<double>& ways,
                                                   const Vector<double>& weights, bool offset) {
  auto set = detail::samples::admit_in_double("Separation", Squared{}, x, ways, weights);
  return detail::Separation(std::move(set), ways, offset).find();
}

/// Verifies the solutions of Perceptron, MaximumMargin and Separation for one problem, in long double.
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

  /// Checks that all samples are separated if MaximumMargin finds a separator. The converse need not
  /// hold: MaximumMargin ignores margins below 1e-10 of the radius of the samples.
  template <class X>
  void hold_separation(const X& x, const std::string& storage) {
    const std::string name = "Separation, " + storage;
    const auto separated = separated_samples(x, problem_.y, problem_.weights, problem_.offset);
    ++words_[name + (separated ? ", decided" : ", undecided")];
    if (!separated) return;
    bool all = true;
    for (Index i = 0; i < problem_.y.size(); ++i)
      all = all && (problem_.weight(i) == 0 || (*separated)[static_cast<std::size_t>(i)]);
    const auto margin = MaximumMargin{.offset = problem_.offset}.fit(
        x, problem_.y, {.sample_weights = problem_.weights});
    if (margin.separability == Separability::separable && !all)
      wrong(name, "misses samples of separable classes");
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
      separators.hold_separation(x.columns, "columns");
    }
    untrue.insert(untrue.end(), separators.found().begin(), separators.found().end());
    return true;
  }));
}

TEST_CASE("Hard problems: separated samples do not depend on units and shifts of the columns",
          "[hard_problems][separation]") {
  CHECK(nothing_is_untrue([](std::uint64_t seed, Words& words, std::vector<std::string>& untrue) {
    Random random(seed + 3);
    const auto below = [&](std::uint64_t count) {
      return static_cast<double>(random.below(count));
    };
    // Whole numbers of which many lie in one plane. Some scores may not change in either direction.
    const auto n = static_cast<Index>(4 + random.below(30));
    const auto d = static_cast<Index>(1 + random.below(5));
    const bool is_bound = random.below(2) == 0;
    Matrix<double> x(n, d);
    for (double& entry : x.reshaped()) entry = below(5) - 2;
    Vector<double> plane(d);
    for (double& entry : plane) entry = below(5) - 2;
    Vector<double> ways = x * plane;
    for (double& way : ways) {
      if (way == 0 || random.below(30) == 0) way = below(2) - 0.5;
      way = is_bound && random.below(4) == 0 ? 0 : way > 0 ? 1 : -1;
    }
    const auto expected = separated_samples(x, ways, {}, true);
    for (Index j = 0; j < d; ++j) {
      const double shift = std::pow(10.0, 6 * random.uniform());
      x.col(j).array() += random.below(2) == 0 ? std::floor(shift) : -std::floor(shift);
      x.col(j) *= std::pow(10.0, 10 * random.uniform() - 5);
    }
    const auto found = separated_samples(x, ways, {}, true);
    ++words[std::string("Separation, ") + (expected ? "decided, " : "undecided, ") +
            (found ? "decided" : "undecided")];
    if (expected && found && *expected != *found)
      untrue.push_back("Separation: other samples after shifts and scales; seed " +
                       std::to_string(seed));
    return true;
  }));
}
