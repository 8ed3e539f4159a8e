// SPDX-License-Identifier: MIT
/// \file Properties of all losses: those that check::loss tests, golden values and values computed
/// by hand, proximal steps and conjugates, and valid targets and parameters.
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
static_assert(CurvedLoss<CrossEntropy> && !SmoothLoss<CrossEntropy> && CurvedLoss<Poisson> &&
              !SmoothLoss<Poisson>);
static_assert(SmoothLoss<SigmoidCrossEntropy> && CurvedLoss<SigmoidCrossEntropy> &&
              ConjugateLoss<SigmoidCrossEntropy>);
using PoissonOfExponential = Composed<Poisson, Exponential>;
static_assert(CurvedLoss<PoissonOfExponential> && !SmoothLoss<PoissonOfExponential> &&
              ConjugateLoss<PoissonOfExponential>);

// Losses can be evaluated at compile time, in float and in double.
static_assert(Hinge{}.value(0.25, 1.0) == 0.75 && Hinge{}.value(-2.0F, 1.0F) == 3.0F);
static_assert(Squared{}.derivative(3.0F, 1.0F) == 2.0F && Absolute{}.value(1.0, 3.0) == 2.0);
static_assert(Huber{.delta = 2}.value(5.0, 0.0) == 8.0 && Quantile{.level = 0.25}.is_valid());

struct AtScore {
  double score, target, value, derivative;
  double second_derivative{not_a_number};  ///< is not compared if NaN
};
struct ProximalStep {
  double from, target, size, to;
};
struct Conjugate {
  double slope, target, value;
};

/// Are a and b equal (perhaps infinite), or within a rounding error of `size`?
bool near(double a, double b, double size) { return a == b || std::abs(a - b) <= size * epsilon; }

/// Compares with values computed by hand, bit for bit.
template <class L>
void check_values(const L& loss, std::initializer_list<AtScore> scores,
                  std::initializer_list<ProximalStep> steps = {},
                  std::initializer_list<Conjugate> conjugates = {}) {
  for (const auto& [p, y, value, derivative, second] : scores) {
    CAPTURE(loss.name, p, y);
    CHECK(loss.value(p, y) == value);
    CHECK(loss.derivative(p, y) == derivative);
    if constexpr (CurvedLoss<L>)
      if (!std::isnan(second)) CHECK(loss.second_derivative(p, y) == second);
  }
  if constexpr (ProximalLoss<L>)
    for (const auto& [v, y, s, to] : steps) {
      CAPTURE(loss.name, v, y, s);
      CHECK(loss.proximal(v, y, s) == to);
    }
  if constexpr (ConjugateLoss<L>)
    for (const auto& [u, y, value] : conjugates) {
      CAPTURE(loss.name, u, y);
      CHECK(loss.conjugate(u, y) == value);
    }
}

const std::vector<double> signs{-1, 1};
const std::vector<double> numbers{-1.7, 0, 0.4, 3};

/// Compares −ℓ*(−a), the term of a dual variable a in the dual objective, with a closed form.
template <class L, class Term>
void check_terms(const L& loss, const Term& term) {
  for (const double y : is_valid_target(loss, 0.0) ? numbers : signs)
    for (const double a : {-2.0, -1.0, -0.6, -0.1, 0.0, 0.1, 0.6, 1.0, 2.0}) {
      CAPTURE(loss.name, y, a);
      CHECK(near(-loss.conjugate(-a, y), term(a, y), 45));
    }
}

/// Returns `value` if low ≤ a ≤ high, else −∞.
double within(double a, double low, double high, double value) {
  return a >= low && a <= high ? value : -infinity;
}

/// Returns argmin over p of ℓ(p, y) + (p − v)²/(2s), by bisection of its slope in extended
/// precision.
template <class L>
long double proximal_by_bisection(const L& loss, long double v, long double y, long double s) {
  const auto slope = [&](long double p) { return p - v + s * loss.derivative(p, y); };
  long double low = v;
  long double high = v;
  for (long double step = s; slope(low) > 0; step *= 2) low -= step;
  for (long double step = s; slope(high) < 0; step *= 2) high += step;
  for (int round = 0; round < 20000; ++round) {
    const long double middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    (slope(middle) > 0 ? high : low) = middle;
  }
  return low;
}

template <class T, class L>
void check_proximal(const L& loss, const std::vector<double>& targets) {
  constexpr T rounding = 8 * std::numeric_limits<T>::epsilon();
  for (const double target : targets)
    for (const double from : {-1e4, -300.0, -30.0, -2.0, -0.5, 0.0, 1e-4, 1.0, 7.0, 80.0})
      for (const double step : {1e-6, 1e-2, 0.25, 1.0, 3.0, 100.0, 1e5, 1e8, 1e20}) {
        const T y = static_cast<T>(target);
        const T v = static_cast<T>(from);
        const T s = static_cast<T>(step);
        const auto exact = static_cast<T>(proximal_by_bisection(loss, v, y, s));
        CAPTURE(loss.name, y, v, s, exact);
        CHECK(std::abs(loss.proximal(v, y, s) - exact) <=
              rounding * (std::abs(v) + std::abs(y) + std::abs(exact) + 1));
      }
}

/// Returns the score with the least mean loss, among the multiples of 0.01 from −10 to 10.
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

template <class L>
void check_targets(const L& loss, std::string_view wanted, std::initializer_list<double> taken,
                   std::initializer_list<double> refused) {
  INFO(loss.name);
  CHECK(targets_of(loss) == wanted);
  for (const double y : taken) CHECK(is_valid_target(loss, y));
  CHECK(is_valid_target(loss, 1.0F));
  for (const double y : refused) CHECK_FALSE(is_valid_target(loss, y));
  for (const double y : {not_a_number, infinity, -infinity}) CHECK_FALSE(is_valid_target(loss, y));
}

template <class L>
void check_parameter(std::initializer_list<double> allowed, std::initializer_list<double> refused) {
  for (const double value : allowed) CHECK(L{value}.is_valid());
  for (const double value : refused) CHECK_FALSE(L{value}.is_valid());
  for (const double value : {-0.1, not_a_number, infinity}) CHECK_FALSE(L{value}.is_valid());
}

/// Does ℓ′ rise by at least 0.99 times the curvature bound somewhere, for every target? A larger
/// bound would also be valid, but would make steps shorter than necessary.
template <SmoothLoss L>
bool has_tight_bound(const L& loss, const std::vector<double>& targets,
                     const check::LossOptions& options = {}) {
  return std::all_of(targets.begin(), targets.end(), [&](double y) {
    const auto scores = check::detail::scores_for(y, options);
    return check::detail::steepest_rise(loss, y, scores) >= 0.99 * loss.curvature_bound();
  });
}

}  // namespace

TEST_CASE("Losses: each has every property of its members, for large scores too", "[losses]") {
  int losses = 0;
  check::LossOptions far;
  far.scores = {-1e6, -1e4, -1000, -700, 0, 700, 1000, 1e4, 1e6};
  test::for_each_loss([&](const auto& loss, const std::vector<double>& targets) {
    INFO("loss number " << losses << ", " << loss.name);
    CHECK(check::loss(loss, targets) == std::vector<check::Violation>{});
    CHECK(check::loss(loss, targets, far) == std::vector<check::Violation>{});
    if constexpr (SmoothLoss<std::decay_t<decltype(loss)>>) CHECK(has_tight_bound(loss, targets));
    ++losses;
  });
  CHECK(losses == 19);
  CHECK(check::loss(ZeroOne{}, {-1, 1}, {.convex = false}) == std::vector<check::Violation>{});
  CHECK(check::loss(SigmoidCrossEntropy{}, {0, 0.25, 0.999, 1}, far) ==
        std::vector<check::Violation>{});
  CHECK(check::loss(PoissonOfExponential{}, {0, 0.3, 1, 7, 1e5}, far) ==
        std::vector<check::Violation>{});
}

TEST_CASE("Losses of a prediction: each has every property of its members", "[losses]") {
  int losses = 0;
  test::for_each_loss_of_prediction(
      [&](const auto& loss, const std::vector<double>& targets, const check::LossOptions& options) {
        CAPTURE(loss.name);
        CHECK(check::loss(loss, targets, options) == std::vector<check::Violation>{});
        if constexpr (SmoothLoss<std::decay_t<decltype(loss)>>)
          CHECK(has_tight_bound(loss, targets, options));
        ++losses;
      });
  CHECK(losses == 12);
}

TEST_CASE("Losses: the proximal step is exact to rounding for every step size", "[losses]") {
  test::for_each_loss([](const auto& loss, const std::vector<double>& targets) {
    check_proximal<double>(loss, targets);
    check_proximal<float>(loss, targets);
  });
}

TEST_CASE("Losses for two classes: values computed by hand", "[losses]") {
  // The derivative is not 0 at the margin (Hinge), or at a score of 0 (PerceptronLoss).
  check_values(Hinge{},
               {{0.25, 1, 0.75, -1},
                {0.25, -1, 1.25, 1},
                {1.5, 1, 0, 0},
                {1, 1, 0, -1},
                {-1, -1, 0, 1},
                {std::nextafter(1.0, 2.0), 1, 0, 0},
                {-3, 1, 4, -1}},
               {{-2, 1, 0.5, -1.5}, {0.75, 1, 0.5, 1}, {-4, -1, 0.5, -4}});
  check_values(PerceptronLoss{},
               {{-2, 1, 2, -1},
                {0.5, 1, 0, 0},
                {0, 1, 0, -1},
                {0, -1, 0, 1},
                {-0.0, -1, 0, 1},
                {1e-300, 1, 0, 0}},
               {{-2, 1, 0.5, -1.5}, {0.25, -1, 0.5, 0}});
  // SmoothHinge joins its zero part and its linear part by a parabola of the given width.
  check_values(SmoothHinge{.width = 0.5}, {{1, 1, 0, 0, 0},
                                           {0.75, 1, 0.0625, -0.5, 2},
                                           {0.5, 1, 0.25, -1, 0},
                                           {-1, 1, 1.75, -1},
                                           {-0.5, -1, 0.25, 1},
                                           {2, 1, 0, 0}});
  CHECK(SmoothHinge{.width = 0.5}.curvature_bound() == 2);
  check_values(SmoothHinge{}, {{0, 1, 0.5, -1}});
  // The loss includes the factor ½.
  check_values(
      SquaredHinge{},
      {{-1, 1, 2, -2}, {0.5, 1, 0.125, -0.5, 1}, {2, -1, 4.5, 3}, {2, 1, 0, 0}, {1, 1, 0, 0, 0}},
      {{-1, 1, 1, 0}});
  check_values(Log{}, {{0, 1, std::log(2.0), -0.5, 0.25},
                       {-1000, 1, 1000, -1, 0},
                       {1000, 1, 0, 0, 0},
                       {1000, -1, 1000, 1, 0}});
  // An agreement at or below 0 is a mistake.
  for (const auto& [p, y, mistakes] :
       {Conjugate{0, 1, 1}, {-3, 1, 1}, {0, -1, 1}, {-3, -1, 0}, {1e-300, 1, 0}})
    CHECK(ZeroOne{}.value(p, y) == mistakes);
}

TEST_CASE("Losses for numbers: values computed by hand", "[losses]") {
  // The loss includes the factor ½, so its derivative is the residual.
  check_values(Squared{}, {{3, 1, 2, 2, 1}, {-1, 1, 2, -2}}, {{3, 1, 1, 2}}, {{2, 3, 8}});
  // The slope is 0 for an exact prediction.
  check_values(Absolute{}, {{3, 1, 2, 1}, {-3, 1, 4, -1}, {0, 1, 1, -1}, {1, 1, 0, 0}},
               {{3, 1, 0.5, 2.5}, {0.9, 1, 0.5, 1}});
  // The loss is squared up to delta and linear beyond.
  check_values(Huber{.delta = 2}, {{1, 0, 0.5, 1, 1}, {2, 0, 2, 2, 0}, {-5, 0, 8, -2}}, {},
               {{2, 1, 4}});
  check_values(Huber{}, {{3, 1, 1.5, 1}});
  // The loss is zero in the tube and at its edges.
  check_values(EpsilonInsensitive{.epsilon = 0.5},
               {{1.25, 1, 0, 0},
                {3, 1, 1.5, 1},
                {-1, 1, 1.5, -1},
                {1.5, 1, 0, 0},
                {0.5, 1, 0, 0},
                {1.75, 1, 0.25, 1},
                {0.25, 1, 0.25, -1}},
               {{3, 1, 0.5, 2.5}, {0.25, 1, 0.5, 0.5}});
  CHECK(EpsilonInsensitive{}.epsilon == 0.1);
  // Per unit, a score above the target costs 1 − level, and a score below the target costs level.
  check_values(Quantile{.level = 0.75}, {{0, 2, 1.5, -0.75}, {4, 2, 0.5, 0.25}, {2, 2, 0, 0}},
               {{0, 2, 1, 0.75}, {4, 2, 4, 3}});
  check_values(Quantile{}, {{5, 2, 1.5, 0.5}});
}

TEST_CASE("Losses: the dual's term in closed form", "[losses][dual]") {
  check_terms(Hinge{}, [](double a, double y) { return within(y * a, 0, 1, y * a); });
  check_terms(PerceptronLoss{}, [](double a, double y) { return within(y * a, 0, 1, 0); });
  check_terms(SquaredHinge{},
              [](double a, double y) { return within(y * a, 0, infinity, y * a - a * a / 2); });
  check_terms(Log{}, [](double a, double y) {
    const double c = y * a;
    if (c < 0 || c > 1) return -infinity;
    return c == 0 || c == 1 ? 0 : -c * std::log(c) - (1 - c) * std::log(1 - c);
  });
  CHECK_THAT(Log{}.conjugate(-1e-30, 1.0), WithinRel(1e-30 * (std::log(1e-30) - 1), 1e-14));
  check_terms(Squared{}, [](double a, double y) { return y * a - a * a / 2; });
  check_terms(Absolute{}, [](double a, double y) { return within(a, -1, 1, y * a); });
  for (const double p : {0.1, 0.25, 0.5, 0.875}) {
    check_terms(SmoothHinge{p},
                [&](double a, double y) { return within(y * a, 0, 1, y * a - p * a * a / 2); });
    check_terms(Huber{p}, [&](double a, double y) { return within(a, -p, p, y * a - a * a / 2); });
    check_terms(EpsilonInsensitive{p},
                [&](double a, double y) { return within(a, -1, 1, y * a - p * std::abs(a)); });
    check_terms(Quantile{p}, [&](double a, double y) { return within(a, p - 1, p, y * a); });
  }
}

TEST_CASE("Log: accurate relative to its own size where log(1 + exp(−z)) is not", "[losses]") {
  const auto check = [](auto z) {
    using T = decltype(z);
    const T rounding = 4 * std::numeric_limits<T>::epsilon();
    const long double small = std::exp(-static_cast<long double>(z));
    const Log loss;
    CAPTURE(z);
    CHECK_THAT(loss.value(z, T(1)), WithinRel(static_cast<T>(std::log1p(small)), rounding));
    CHECK_THAT(loss.derivative(-z, T(-1)),
               WithinRel(static_cast<T>(small / (1 + small)), rounding));
    CHECK_THAT(loss.second_derivative(z, T(1)),
               WithinRel(static_cast<T>(small / (1 + small) / (1 + small)), rounding));
  };
  for (const float z : {-20.0F, -1.0F, 1.0F, 10.0F, 17.0F, 30.0F, 37.0F, 80.0F}) {
    check(z);
    check(static_cast<double>(z));
  }
  check(200.0);
}

TEST_CASE("Log: the proximal step stays finite at the ends of the number range", "[losses]") {
  // For large z, σ(−z) is about exp(−z), so the proximal step z satisfies z + log(z + 3) =
  // log(step).
  const double far = Log{}.proximal(-3.0, 1.0, 1e300);
  CHECK_THAT(far + std::log(far + 3), WithinRel(std::log(1e300), 1e-14));
  check_values(Log{}, {}, {{-1e300, 1, 1, -1e300}, {1e300, 1, 1, 1e300}, {2, 1, 1e-300, 2}});
  CHECK(std::isfinite(Log{}.proximal(-3.0F, 1.0F, 1e38F)));
  CHECK(std::isnan(Log{}.proximal(not_a_number, 1.0, 1.0)));
}

TEST_CASE("Losses for numbers: the best constant score is the mean, the median or a quantile",
          "[losses]") {
  // The sorted sample is −4, −1, 0.25, 0.5, 1.5, 2, 7.5. The best constant score is its element
  // number ⌈7·level⌉, counted from 1.
  const std::vector<double> sample{-4, 7.5, 0.25, 1.5, -1, 2, 0.5};
  CHECK(best_constant(Absolute{}, sample) == 0.5);
  for (const auto& [level, best] : std::vector<std::pair<double, double>>{
           {0.1, -4}, {0.25, -1}, {0.5, 0.5}, {0.75, 2}, {0.95, 7.5}})
    CHECK(best_constant(Quantile{level}, sample) == best);
  CHECK(best_constant(Squared{}, {-4, 7.5, 0.25, 1.5, -1, 2, 0.75}) == 1);
}

TEST_CASE("Losses: valid targets", "[losses]") {
  const auto classes = [](const auto& loss) {
    check_targets(loss, "-1 or +1", {-1, 1}, {0, 0.5, 2, -1.5});
  };
  const auto any = [](const auto& loss) {
    check_targets(loss, "a finite number", {0, -7.5, 1e300}, {});
  };
  classes(Hinge{});
  classes(SquaredHinge{});
  classes(SmoothHinge{});
  classes(Log{});
  classes(PerceptronLoss{});
  classes(ZeroOne{});
  any(Squared{});
  any(Absolute{});
  any(Huber{});
  any(EpsilonInsensitive{});
  any(Quantile{});
  check_targets(CrossEntropy{}, "a number from 0 to 1", {0, 0.3, 1}, {-1, 1.1});
  check_targets(SigmoidCrossEntropy{}, "a number from 0 to 1", {0, 0.3, 1}, {-1, 1.1});
  check_targets(Poisson{}, "a number >= 0", {0, 0.3, 1e300}, {-1});
  check_targets(PoissonOfExponential{}, "a number >= 0", {0, 0.3, 1e300}, {-1});
}

TEST_CASE("Losses: valid parameters", "[losses]") {
  check_parameter<SmoothHinge>({0.1}, {0});
  check_parameter<Huber>({0.1}, {0});
  check_parameter<EpsilonInsensitive>({0, 0.1}, {});
  check_parameter<Quantile>({0.01}, {0, 1});
}
