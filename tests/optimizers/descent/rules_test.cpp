// SPDX-License-Identifier: MIT
/// \file The rule of stochastic gradient descent: its steps, and that its pace changes no bit.
#include <linea/core/random.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/optimizers/descent/rules.hpp>
#include <linea/optimizers/descent/visit.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l1.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/step_sizes/automatic.hpp>
#include <linea/step_sizes/constant.hpp>
#include <linea/step_sizes/inverse_lambda.hpp>
#include <numeric>  // iota

#include "support/catch.hpp"

using namespace linea;

namespace {

/// A rule that says nothing before the score, so that the loop makes its steps as they come.
template <class Rule>
struct Unpaced {
  static constexpr bool weight_repeats = false;
  Rule rule;
  template <class T>
  Step<T> operator()(T score, T target, T weight, Index t) const {
    return rule(score, target, weight, t);
  }
  double average_weight(Index t) const { return rule.average_weight(t); }
};

/// An L2 penalty whose weights are kept as a plain vector.
struct PlainL2 {
  double lambda{0};
  template <class W>
  double value(const W& w) const {
    return L2{lambda}.value(w);
  }
  template <class T>
  T proximal(T weight, T step) const {
    return static_cast<T>(weight / (1 + step * lambda));
  }
};
static_assert(!LazyPenalty<PlainL2> && Penalty<PlainL2>);

template <class T>
struct Problem {
  Matrix<T> x = Matrix<T>(60, 13);
  Vector<T> y = Vector<T>(60);
  Vector<T> weights = Vector<T>(60);
  Sequence rows = Sequence(60);
  Problem() {
    Random random(3);
    const auto number = [&] { return static_cast<T>(random.below(2001)) / T(1000) - T(1); };
    for (Index i = 0; i < 60; ++i) {
      for (Index j = 0; j < 13; ++j) x(i, j) = number();
      y[i] = number() > 0 ? T(1) : T(-1);
      weights[i] = i % 7 == 0 ? T(0) : T(1 + i % 3);
    }
    std::iota(rows.begin(), rows.end(), 0U);
  }
};

/// Where five rounds over the rows lead.
template <class T, class Rule, class Weights, class Rows>
Vector<T> led_to(const Rule& rule, Weights weights, const Rows& rows, Index batch, bool average) {
  const Problem<T> problem;
  weights.average(average);
  Index t = 0;
  Vector<T> scratch;
  for (int round = 0; round < 5; ++round)
    descent::visit(rule, weights, rows,
                   descent::Labels<T>{problem.y.data(), problem.weights.data()},
                   descent::visits_to(problem.rows), batch, t, scratch);
  Vector<T> end(2 * weights.size() + 2);
  end << weights.weights(), weights.average_weights(), weights.offset(), weights.average_offset();
  return end;
}

template <class T, class L, class P, class S>
void require_same_bits(const L& loss, const P& penalty, const S& step_size, double radius = 0) {
  using Rule = descent::GradientRule<L, P, S>;
  const Problem<T> problem;
  const rows::DenseRows<T, true> rows(problem.x);
  const auto weights =
      descent::weights_for(penalty, Vector<T>(Vector<T>::Constant(13, T(0.1))), T(0.25), radius);
  for (const bool offset : {true, false})
    for (const double factor : {1.0, 0.25})
      for (const Index batch : {1, 7})
        for (const bool average : {false, true}) {
          const Rule rule{loss, penalty, step_size, offset, 2, factor};
          const auto paced = led_to<T>(rule, weights, rows, batch, average);
          const auto unpaced = led_to<T>(Unpaced<Rule>{rule}, weights, rows, batch, average);
          REQUIRE(paced.allFinite());
          REQUIRE(paced == unpaced);
        }
}

AutomaticStep automatic(double first, double lambda) {
  AutomaticStep step(first);
  step.horizon = 17;
  step.offset_scale = 0.3;
  step.facts.strong_convexity = lambda;
  return step;
}

}  // namespace

TEST_CASE("GradientRule: a step is that of the formula, before and after a run was rolled back",
          "[optimizers]") {
  for (const double factor : {1.0, 0.25})
    for (const Index t : {1, 2, 100}) {
      const descent::GradientRule<Log, L2, AutomaticStep> rule{Log{}, L2{0.5}, automatic(0.7, 0.5),
                                                               true,  1,       factor};
      const double size =
          factor * 0.7 / (std::sqrt(1 + static_cast<double>(t) / 17) + 0.7 * 0.5 * double(t));
      const double slope = -1 / (1 + std::exp(0.4));
      const Step<double> step = rule(0.4, 1.0, 3.0, t);
      CHECK_THAT(step.size, WithinRel(size, 1e-14));
      CHECK_THAT(step.shrink, WithinRel(1 - size * 0.5, 1e-14));
      CHECK_THAT(step.coefficient, WithinRel(-size * 3 * slope, 1e-14));
      CHECK_THAT(step.offset, WithinRel(-0.3 * size * 3 * slope, 1e-14));
    }
  const descent::GradientRule<Hinge, L2, ConstantStep> large{Hinge{}, L2{0.5}, ConstantStep{3},
                                                             false};
  CHECK(large.pace(1).shrink == 0);  // ηλ > 1: no step turns w around
  CHECK(large(0.5, 1.0, 1.0, Index{1}).offset == 0);
  CHECK(large(0.5, 1.0, 0.0, Index{1}).coefficient == 0);
}

TEST_CASE("GradientRule: its pace, told before the score, changes no bit", "[optimizers]") {
  require_same_bits<double>(Hinge{}, L2{0.05}, automatic(0.5, 0.05));
  require_same_bits<float>(Log{}, L2{0.05}, InverseLambda{0.05, 0});
  require_same_bits<double>(Hinge{}, L2{0.3}, InverseLambda{0.3, 0}, 1.2);  // η·λ = 1 at t = 1
  require_same_bits<float>(Log{}, L1{0.01}, ConstantStep{0.05});
  require_same_bits<double>(Log{}, ElasticNet{0.01, 0.1}, automatic(0.5, 0.1));
  require_same_bits<double>(Hinge{}, PlainL2{0.1}, ConstantStep{0.05});
}

TEST_CASE("GradientRule: a scale that falls below its limit is folded into w", "[optimizers]") {
  // Every step halves w and scale: after 40 of them a double would have lost the additions.
  const Problem<double> problem;
  const rows::DenseRows<double, true> rows(problem.x);
  const descent::GradientRule<Hinge, L2, ConstantStep> rule{Hinge{}, L2{0.5}, ConstantStep{1},
                                                            false};
  const auto end = led_to<double>(
      rule, descent::ScaledWeights<double>(Vector<double>::Constant(13, 0.1), 0), rows, 1, false);
  Vector<double> w = Vector<double>::Constant(13, 0.1);
  for (int round = 0; round < 5; ++round)
    for (Index i = 0; i < 60; ++i) {
      const double slope = Hinge{}.derivative(problem.x.row(i).dot(w), problem.y[i]);
      w = 0.5 * w - problem.weights[i] * slope * problem.x.row(i).transpose();
    }
  CHECK((end.head(13) - w).norm() <= 1e-12 * w.norm());
}
