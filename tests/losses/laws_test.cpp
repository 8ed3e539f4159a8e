// SPDX-License-Identifier: MIT
/// \file What holds of every loss: the laws of check/, values by hand, its step and its term in the
/// dual, and which targets and parameters it takes.
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <linea/check/loss.hpp>
#include <linea/losses.hpp>
#include <type_traits>
#include <vector>

#include "losses/all_losses.hpp"
#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/golden_losses.hpp"

using namespace linea;
using namespace linea::test;

namespace {

template <class L, bool smooth, bool curved, bool boxes>
constexpr bool offers =
    DifferentiableLoss<L>&& ProximalLoss<L>&& ConjugateLoss<L>&& SmoothLoss<L> ==
    smooth&& CurvedLoss<L> == curved&& BoxLoss<L> == boxes;
static_assert(offers<Hinge, false, false, true> && offers<PerceptronLoss, false, false, true>);
static_assert(offers<Absolute, false, false, true> && offers<Quantile, false, false, true>);
static_assert(offers<EpsilonInsensitive, false, false, true> && offers<Huber, true, true, true>);
static_assert(offers<SmoothHinge, true, true, true> && offers<SquaredHinge, true, true, false>);
static_assert(offers<Squared, true, true, false> && offers<Log, true, true, false>);
static_assert(OpenBoxLoss<SquaredHinge>);
static_assert(Loss<ZeroOne> && !DifferentiableLoss<ZeroOne> && !ProximalLoss<ZeroOne> &&
              !ConjugateLoss<ZeroOne>);
static_assert(Loss<ThresholdError> && !DifferentiableLoss<ThresholdError>);

struct AtScore {
  double score, target, value, derivative;
};
struct ProximalStep {
  double from, target, size, to;
};
struct Conjugate {
  double slope, target, value;
};

template <class L>
void check_values(const L& loss, std::initializer_list<AtScore> scores,
                  std::initializer_list<ProximalStep> steps = {},
                  std::initializer_list<Conjugate> conjugates = {}) {
  for (const auto& [p, y, value, derivative] : scores) {
    CAPTURE(loss.name, p, y);
    CHECK(loss.value(p, y) == value);
    CHECK(loss.derivative(p, y) == derivative);
  }
  for (const auto& [v, y, s, to] : steps) {
    CAPTURE(loss.name, v, y, s);
    CHECK(loss.proximal(v, y, s) == to);
  }
  for (const auto& [u, y, value] : conjugates) {
    CAPTURE(loss.name, u, y);
    CHECK(loss.conjugate(u, y) == value);
  }
}

const std::vector<double> signs{-1, 1};
const std::vector<double> numbers{-1.7, 0, 0.4, 3};

/// Runs f(p, y, a, q) over scores, dual variables of the box yₐ in [0, 1] or [−1, 1], and q.
template <class F>
void for_each_coordinate(bool classes, const F& f) {
  for (const double y : classes ? signs : numbers)
    for (const double a : {-1.0, -0.7, -0.25, 0.0, 0.25, 0.7, 1.0})
      for (const double p : {-30.0, -2.0, -1.0, -0.3, 0.0, 0.4, 0.95, 1.0, 1.3, 2.2, 25.0})
        for (const double q : {0.01, 0.3, 1.0, 4.0, 100.0})
          if (!classes || a * y >= 0) f(p, y, a, q);
}

/// −ℓ*(−a), the dual's term of variable a, against a closed form.
template <class L, class Term>
void check_terms(const L& loss, bool classes, const Term& term) {
  for (const double y : classes ? signs : numbers)
    for (const double a : {-2.0, -1.0, -0.6, -0.1, 0.0, 0.1, 0.6, 1.0, 2.0}) {
      CAPTURE(loss.name, y, a);
      const double expected = term(a, y);
      const double answer = -loss.conjugate(-a, y);
      if (std::isfinite(expected))
        CHECK_THAT(answer, WithinAbs(expected, 1e-14));
      else
        CHECK(answer == expected);
    }
}

/// Terms, and proximal steps against steps of the dual in closed form. With q = ‖x‖²/(λn) and score
/// p, the step that maximises the dual in a is a′ = (prox_q(v) − v)/q at v = p − a·q.
template <class L, class Step, class Term>
void check_dual(const L& loss, const Step& step, const Term& term) {
  const bool classes = !is_valid_target(loss, 0.0);
  for_each_coordinate(classes, [&](double p, double y, double a, double q) {
    const double v = p - a * q;
    const double answer = (loss.proximal(v, y, q) - v) / q;
    CAPTURE(loss.name, p, y, a, q);
    // The difference prox − v loses digits of v and y; dividing by q makes that loss larger.
    CHECK_THAT(answer, WithinAbs(step(p, y, a, q),
                                 1e-15 * (std::abs(v) + std::abs(y) + 1) * (1 + 1 / q) * 4));
  });
  check_terms(loss, classes, term);
}

/// `value` where a is from low to high, else −∞.
double within(double a, double low, double high, double value) {
  return a >= low && a <= high ? value : -infinity;
}

double soft(double v, double by) { return v > by ? v - by : (v < -by ? v + by : 0); }

/// The score on a grid of hundredths with the least mean loss.
template <class L>
double best_constant(const L& loss, const std::vector<double>& targets) {
  double best = 0;
  double least = infinity;
  for (int k = -1000; k <= 1000; ++k) {
    double sum = 0;
    for (const double y : targets) sum += loss.value(k / 100.0, y);
    if (sum < least) {
      least = sum;
      best = k / 100.0;
    }
  }
  return best;
}

}  // namespace

TEST_CASE("Losses for two classes: values by hand", "[losses]") {
  // A sample on the margin still pulls; without a margin, a score of 0 does.
  check_values(Hinge{},
               {{0.25, 1, 0.75, -1},
                {0.25, -1, 1.25, 1},
                {1.5, 1, 0, 0},
                {1, 1, 0, -1},
                {-1, -1, 0, 1},
                {std::nextafter(1.0, 2.0), 1, 0, 0},
                {-3, 1, 4, -1}},
               {{-2, 1, 0.5, -1.5}, {0.75, 1, 0.5, 1}, {-4, -1, 0.5, -4}},
               {{-0.5, 1, -0.5}, {0.5, 1, infinity}, {-1.5, 1, infinity}});
  check_values(PerceptronLoss{},
               {{-2, 1, 2, -1},
                {0.5, 1, 0, 0},
                {0, 1, 0, -1},
                {0, -1, 0, 1},
                {-0.0, -1, 0, 1},
                {1e-300, 1, 0, 0}},
               {{-2, 1, 0.5, -1.5}, {0.25, -1, 0.5, 0}}, {{-0.5, 1, 0}, {0.5, 1, infinity}});
  // A parabola of the given width between zero and the hinge.
  const SmoothHinge smooth{.width = 0.5};
  check_values(smooth, {{1, 1, 0, 0},
                        {0.75, 1, 0.0625, -0.5},
                        {0.5, 1, 0.25, -1},
                        {-1, 1, 1.75, -1},
                        {-0.5, -1, 0.25, 1},
                        {2, 1, 0, 0}});
  CHECK(smooth.curvature_bound() == 2);
  CHECK(smooth.second_derivative(0.75, 1.0) == 2);
  CHECK(smooth.second_derivative(0.5, 1.0) == 0);
  CHECK(smooth.second_derivative(1.0, 1.0) == 0);
  check_values(SmoothHinge{}, {{0, 1, 0.5, -1}});
  // It carries the factor ½.
  check_values(SquaredHinge{}, {{-1, 1, 2, -2}, {2, -1, 4.5, 3}, {2, 1, 0, 0}, {1, 1, 0, 0}},
               {{-1, 1, 1, 0}}, {{-2, 1, 0}, {0.1, 1, infinity}});
  CHECK(SquaredHinge{}.second_derivative(0.5, 1.0) == 1);
  CHECK(SquaredHinge{}.second_derivative(1.0, 1.0) == 0);
  // Agreement at or below 0 is a mistake.
  const ZeroOne mistakes;
  for (const double p : {0.0, -3.0}) CHECK(mistakes.value(p, 1.0) == 1);
  CHECK(mistakes.value(0.0, -1.0) == 1);
  CHECK(mistakes.value(-3.0, -1.0) == 0);
  CHECK(mistakes.value(1e-300, 1.0) == 0);
}

TEST_CASE("Losses for numbers: values by hand", "[losses]") {
  // It carries the factor ½, and its derivative is the residual.
  check_values(Squared{}, {{3, 1, 2, 2}, {-1, 1, 2, -2}}, {{3, 1, 1, 2}}, {{2, 3, 8}});
  CHECK(Squared{}.second_derivative(7.0, 1.0) == 1);
  // A sample that is met exactly does not pull.
  check_values(Absolute{}, {{3, 1, 2, 1}, {-3, 1, 4, -1}, {0, 1, 1, -1}, {1, 1, 0, 0}},
               {{3, 1, 0.5, 2.5}, {0.9, 1, 0.5, 1}}, {{-1, 3, -3}, {1.5, 3, infinity}});
  // Squared up to delta, straight beyond.
  const Huber huber{.delta = 2};
  check_values(huber, {{1, 0, 0.5, 1}, {2, 0, 2, 2}, {-5, 0, 8, -2}}, {},
               {{2, 1, 4}, {2.5, 1, infinity}});
  CHECK(huber.second_derivative(1.0, 0.0) == 1);
  CHECK(huber.second_derivative(2.0, 0.0) == 0);
  check_values(Huber{}, {{3, 1, 1.5, 1}});
  // The tube and its edges are free.
  check_values(EpsilonInsensitive{.epsilon = 0.5},
               {{1.25, 1, 0, 0},
                {3, 1, 1.5, 1},
                {-1, 1, 1.5, -1},
                {1.5, 1, 0, 0},
                {0.5, 1, 0, 0},
                {1.75, 1, 0.25, 1},
                {0.25, 1, 0.25, -1}},
               {{3, 1, 0.5, 2.5}, {0.25, 1, 0.5, 0.5}}, {{-1, 3, -2.5}});
  CHECK(EpsilonInsensitive{}.epsilon == 0.1);
  // Overshooting costs 1 − level, falling short costs level.
  check_values(Quantile{.level = 0.75}, {{0, 2, 1.5, -0.75}, {4, 2, 0.5, 0.25}, {2, 2, 0, 0}},
               {{0, 2, 1, 0.75}, {4, 2, 4, 3}}, {{-0.75, 2, -1.5}, {0.5, 2, infinity}});
  check_values(Quantile{}, {{5, 2, 1.5, 0.5}});
}

TEST_CASE("Losses for two classes: dual step and dual term in closed form", "[losses][dual]") {
  check_dual(
      Hinge{},
      [](double p, double y, double a, double q) {
        return y * std::clamp(y * a + (1 - y * p) / q, 0.0, 1.0);
      },
      [](double a, double y) { return within(y * a, 0, 1, y * a); });
  check_dual(
      PerceptronLoss{},
      [](double p, double y, double a, double q) {
        return y * std::clamp(y * a - y * p / q, 0.0, 1.0);
      },
      [](double a, double y) { return within(y * a, 0, 1, 0); });
  for (const double width : {1.0, 0.2, 3.0})
    check_dual(
        SmoothHinge{width},
        [&](double p, double y, double a, double q) {
          return y * std::clamp(y * a + (1 - y * p - width * y * a) / (q + width), 0.0, 1.0);
        },
        [&](double a, double y) { return within(y * a, 0, 1, y * a - width * a * a / 2); });
  check_dual(
      SquaredHinge{},
      [](double p, double y, double a, double q) {
        return y * std::max(0.0, y * a + (1 - y * p - y * a) / (q + 1));
      },
      [](double a, double y) { return within(y * a, 0, infinity, y * a - a * a / 2); });
  for_each_coordinate(true, [](double p, double y, double a, double q) {
    const double v = p - a * q;
    const double chance = y * (Log{}.proximal(v, y, q) - v) / q;
    CAPTURE(p, y, a, q);
    CHECK((chance >= 0 && chance <= 1 + 1e-13 / q));
    // The equation of the dual: log(c/(1 − c)) + q·(c − y·a) + y·p = 0, where c is not at an end.
    if (chance > 1e-3 && chance < 1 - 1e-3)
      CHECK_THAT(std::log(chance / (1 - chance)) + q * (chance - y * a), WithinAbs(-y * p, 1e-9));
  });
  check_terms(Log{}, true, [](double a, double y) {
    const double c = y * a;
    if (c < 0 || c > 1) return -infinity;
    return c == 0 || c == 1 ? 0 : -c * std::log(c) - (1 - c) * std::log(1 - c);
  });
}

TEST_CASE("Losses for numbers: dual step and dual term in closed form", "[losses][dual]") {
  check_dual(
      Squared{}, [](double p, double y, double a, double q) { return a + (y - p - a) / (1 + q); },
      [](double a, double y) { return y * a - a * a / 2; });
  check_dual(
      Absolute{},
      [](double p, double y, double a, double q) { return std::clamp(a + (y - p) / q, -1.0, 1.0); },
      [](double a, double y) { return within(a, -1, 1, y * a); });
  for (const double delta : {1.0, 0.3, 2.0})
    check_dual(
        Huber{delta},
        [&](double p, double y, double a, double q) {
          return std::clamp(a + (y - p - a) / (1 + q), -delta, delta);
        },
        [&](double a, double y) { return within(a, -delta, delta, y * a - a * a / 2); });
  for (const double width : {0.1, 0.0, 0.8})
    check_dual(
        EpsilonInsensitive{width},
        [&](double p, double y, double a, double q) {
          return std::clamp(soft(q * a + y - p, width) / q, -1.0, 1.0);
        },
        [&](double a, double y) { return within(a, -1, 1, y * a - width * std::abs(a)); });
  for (const double level : {0.5, 0.25, 0.875})
    check_dual(
        Quantile{level},
        [&](double p, double y, double a, double q) {
          return std::clamp(a + (y - p) / q, level - 1, level);
        },
        [&](double a, double y) { return within(a, level - 1, level, y * a); });
}

TEST_CASE("Losses for numbers: the best constant score is the mean, the median or a quantile",
          "[losses]") {
  // Sorted: −4, −1, 0.25, 0.5, 1.5, 2, 7.5; the optimum is number ⌈7·level⌉.
  const std::vector<double> sample{-4, 7.5, 0.25, 1.5, -1, 2, 0.5};
  CHECK(best_constant(Absolute{}, sample) == 0.5);
  CHECK(best_constant(Quantile{0.1}, sample) == -4);
  CHECK(best_constant(Quantile{0.25}, sample) == -1);
  CHECK(best_constant(Quantile{0.5}, sample) == 0.5);
  CHECK(best_constant(Quantile{0.75}, sample) == 2);
  CHECK(best_constant(Quantile{0.95}, sample) == 7.5);
  CHECK(best_constant(Squared{}, {-4, 7.5, 0.25, 1.5, -1, 2, 0.75}) == 1);
}

TEST_CASE("Losses: each obeys every law of what it offers", "[losses]") {
  int losses = 0;
  test::for_each_loss([&](const auto& loss, const std::vector<double>& targets) {
    INFO("loss number " << losses << ", " << loss.name);
    CHECK(check::loss(loss, targets) == std::vector<check::Violation>{});
    ++losses;
  });
  CHECK(losses == 19);
  CHECK(check::loss(ZeroOne{}, {-1, 1}, {.convex = false}) == std::vector<check::Violation>{});
}

TEST_CASE("Losses: the laws hold far out too", "[losses]") {
  check::LossOptions far;
  far.scores = {-1e6, -1e4, -1000, -700, 0, 700, 1000, 1e4, 1e6};
  test::for_each_loss([&](const auto& loss, const std::vector<double>& targets) {
    INFO(loss.name);
    CHECK(check::loss(loss, targets, far) == std::vector<check::Violation>{});
  });
}

TEST_CASE("Losses: a curvature bound is reached, not merely valid", "[losses]") {
  test::for_each_loss([](const auto& loss, const std::vector<double>& targets) {
    if constexpr (SmoothLoss<std::decay_t<decltype(loss)>>) {
      INFO(loss.name);
      CHECK_FALSE(check::curvature_bound_is_tight(loss, targets));
    }
  });
}

// These evaluate at compile time, and in float as in double.
static_assert(Hinge{}.value(0.25, 1.0) == 0.75 && Hinge{}.value(-2.0F, 1.0F) == 3.0F);
static_assert(Squared{}.derivative(3.0F, 1.0F) == 2.0F && Absolute{}.value(1.0, 3.0) == 2.0);
static_assert(Huber{.delta = 2}.value(5.0, 0.0) == 8.0 && Quantile{.level = 0.25}.is_valid());

TEST_CASE("Losses for two classes take the targets −1 and +1 and no others", "[losses]") {
  const auto check = [](const auto& loss) {
    INFO(loss.name);
    CHECK(is_valid_target(loss, -1.0));
    CHECK(is_valid_target(loss, 1.0F));
    for (const double y : {0.0, 0.5, 2.0, -1.5, not_a_number, infinity})
      CHECK_FALSE(is_valid_target(loss, y));
    CHECK(targets_of(loss) == "-1 or +1");
  };
  check(Hinge{});
  check(SquaredHinge{});
  check(SmoothHinge{});
  check(Log{});
  check(PerceptronLoss{});
  check(ZeroOne{});
}

TEST_CASE("Losses for numbers take any finite target", "[losses]") {
  const auto check = [](const auto& loss) {
    INFO(loss.name);
    for (const double y : {0.0, -7.5, 1e300}) CHECK(is_valid_target(loss, y));
    for (const double y : {not_a_number, infinity, -infinity})
      CHECK_FALSE(is_valid_target(loss, y));
    CHECK(targets_of(loss) == "a finite number");
  };
  check(Squared{});
  check(Absolute{});
  check(Huber{});
  check(EpsilonInsensitive{});
  check(Quantile{});
}

TEST_CASE("Losses know which parameters are allowed", "[losses]") {
  CHECK(SmoothHinge{0.1}.is_valid());
  for (const double width : {0.0, -1.0, not_a_number, infinity})
    CHECK_FALSE(SmoothHinge{width}.is_valid());
  CHECK(Huber{0.1}.is_valid());
  for (const double delta : {0.0, -1.0, not_a_number, infinity})
    CHECK_FALSE(Huber{delta}.is_valid());
  CHECK(EpsilonInsensitive{0}.is_valid());
  for (const double width : {-0.1, not_a_number, infinity})
    CHECK_FALSE(EpsilonInsensitive{width}.is_valid());
  CHECK(Quantile{0.01}.is_valid());
  for (const double level : {0.0, 1.0, -0.5, not_a_number, infinity})
    CHECK_FALSE(Quantile{level}.is_valid());
}

TEST_CASE("Losses of a prediction: each obeys every law of what it offers", "[losses]") {
  int losses = 0;
  test::for_each_loss_of_prediction(
      [&](const auto& loss, const std::vector<double>& targets, const check::LossOptions& options) {
        CAPTURE(loss.name);
        CHECK(check::loss(loss, targets, options) == std::vector<check::Violation>{});
        if constexpr (SmoothLoss<std::decay_t<decltype(loss)>>)
          CHECK_FALSE(check::curvature_bound_is_tight(loss, targets, options));
        ++losses;
      });
  CHECK(losses == 12);
}

TEST_CASE("Losses of a prediction: the closed forms obey the laws far out too", "[losses]") {
  check::LossOptions far;
  far.scores = {-1e6, -1e4, -1000, -700, 0, 700, 1000, 1e4, 1e6};
  CHECK(check::loss(SigmoidCrossEntropy{}, {0, 0.25, 0.999, 1}, far) ==
        std::vector<check::Violation>{});
  CHECK(check::loss(Composed{Poisson{}, Exponential{}}, {0, 0.3, 1, 7, 1e5}, far) ==
        std::vector<check::Violation>{});
}

TEST_CASE("Losses of a prediction know their targets", "[losses]") {
  for (const double y : {0.0, 0.3, 1.0}) CHECK(is_valid_target(SigmoidCrossEntropy{}, y));
  for (const double y : {-1.0, 1.1, not_a_number, infinity})
    CHECK_FALSE(is_valid_target(CrossEntropy{}, y));
  for (const double y : {0.0, 0.3, 1e300}) CHECK(is_valid_target(Poisson{}, y));
  for (const double y : {-1.0, not_a_number, infinity}) CHECK_FALSE(is_valid_target(Poisson{}, y));
  CHECK(is_valid_target(Composed{Poisson{}, Exponential{}}, 3.0F));
  CHECK(targets_of(Poisson{}) == "a number >= 0");
}
