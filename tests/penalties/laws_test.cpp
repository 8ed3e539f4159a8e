// SPDX-License-Identifier: MIT
/// \file Properties of all penalties: those that check::penalty tests, values computed by hand, and
/// valid vectors and strengths.
#include <cmath>
#include <concepts>
#include <initializer_list>
#include <linea/check/penalty.hpp>
#include <linea/penalties.hpp>
#include <vector>

#include "support/catch.hpp"
#include "support/constants.hpp"

namespace laws_test {

using namespace linea;
using namespace linea::test;

static_assert(LazyPenalty<NoPenalty> && ConjugatePenalty<NoPenalty> &&
              !ThresholdPenalty<NoPenalty> && !StronglyConvexPenalty<NoPenalty>);
static_assert(LazyPenalty<L2> && StronglyConvexPenalty<L2> && ConjugatePenalty<L2> &&
              !ThresholdPenalty<L2>);
static_assert(ThresholdPenalty<L1> && !StronglyConvexPenalty<L1> && ConjugatePenalty<L1>);
static_assert(ThresholdPenalty<ElasticNet> && StronglyConvexPenalty<ElasticNet> &&
              ConjugatePenalty<ElasticNet>);
static_assert(ConjugatePenalty<NonNegative<L1>> && !LazyPenalty<NonNegative<L1>>);
static_assert(ScalablePenalty<NonNegative<ElasticNet>> && !ScalablePenalty<PenaltyFactors<L1>>);
static_assert(ConjugatePenalty<PenaltyFactors<L1>> && !LazyPenalty<PenaltyFactors<L1>> &&
              !StronglyConvexPenalty<PenaltyFactors<L2>>);

namespace {

const Vector<double> w = (Vector<double>(4) << 3, -4, 0, 0.5).finished();

template <class P>
void check_laws(const P& penalty) {
  INFO(name_of(penalty));
  CHECK(check::penalty(penalty) == std::vector<check::Violation>{});
}

struct ProximalStep {
  double from, size, to;
};

/// Compares the penalty of w, its strong convexity, its decay at a step of 0.5, and its proximal
/// steps with the values given.
template <class P>
void check_values(const P& penalty, double value, double strong_convexity, double decay,
                  std::initializer_list<ProximalStep> steps) {
  INFO(penalty.name);
  CHECK(penalty.value(w) == value);
  CHECK(strong_convexity_of(penalty) == strong_convexity);
  CHECK(penalty.decay(0.5) == decay);
  for (const auto& [from, size, to] : steps) CHECK(penalty.proximal(from, size) == to);
  // A proximal step does not turn NaN into 0.
  CHECK(std::isnan(penalty.proximal(not_a_number, 1.0)));
}

}  // namespace

TEST_CASE("Penalties: each has every property of its members", "[penalties]") {
  check_laws(NoPenalty{});
  for (const double lambda : {0.0, 1e-6, 3.0}) {
    check_laws(L2{lambda});
    check_laws(L1{lambda});
    for (const double l2 : {0.0, 0.2}) {
      check_laws(ElasticNet{lambda, l2});
      check_laws(NonNegative{ElasticNet{lambda, l2}});
    }
    // Strengths and factors of any size, with products of ordinary size.
    for (const double size : {1.0, 1e-300, 1e-160, 1e160, 1e300}) {
      const Vector<double> factors{{0, size, size * 7}};
      check_laws(PenaltyFactors{L2{lambda / size}, factors});
      check_laws(PenaltyFactors{L1{lambda / size}, factors});
      check_laws(PenaltyFactors{ElasticNet{lambda / size, 0.2 / size}, factors});
      check_laws(PenaltyFactors{NonNegative{ElasticNet{lambda / size, 0.2 / size}}, factors});
      check_laws(PenaltyFactors{NoPenalty{}, factors});
    }
  }
  check_laws(NonNegative{NoPenalty{}});
}

TEST_CASE("Penalties: values computed by hand", "[penalties]") {
  check_values(NoPenalty{}, 0, 0, 1, {{2.5, 10, 2.5}});
  check_values(L2{0.5}, 6.3125, 0.5, 0.75, {{3, 1, 2}});
  for (const double step : {2.0, 3.0}) CHECK(L2{0.5}.decay(step) == 0);
  check_values(L2{}, 0, 0, 1, {});
  check_values(L1{0.5}, 3.75, 0, 1, {{3, 1, 2.5}, {-3, 1, -2.5}, {0.5, 1, 0}, {-0.25, 1, 0}});
  CHECK(L1{0.5}.threshold(2.0) == 1);
  check_values(ElasticNet{.l1 = 0.25, .l2 = 0.5}, 8.1875, 0.5, 0.75, {{3, 2, 1.25}, {-0.5, 2, 0}});
  CHECK(ElasticNet{.l1 = 0.25, .l2 = 0.5}.threshold(2.0) == 0.5);
  for (const double strength : {0.0, 1.0}) {
    CHECK(std::isnan(L2{strength}.value(Vector<double>::Constant(2, not_a_number))));
    CHECK(std::isnan(L1{strength}.value(Vector<double>::Constant(2, not_a_number))));
  }
}

TEST_CASE("Penalties take any dense vector: float, double, blocks, maps and expressions",
          "[penalties]") {
  const Vector<float> single = w.cast<float>();
  CHECK(L2{0.5}.value(single) == 6.3125F);
  CHECK(ElasticNet{0.25, 0.5}.value(single) == 8.1875F);
  CHECK(L1{0.5}.value(w.head(2)) == 3.5);
  CHECK(L2{2}.value(w.transpose()) == 25.25);
  CHECK(L1{1}.value(Eigen::Map<const Eigen::VectorXd>(w.data(), 3)) == 7);
  CHECK(L1{1}.value(2 * w) == 15);
  CHECK(NoPenalty{}.value(w.segment(1, 2)) == 0);
  static_assert(std::same_as<decltype(L2{}.value(single)), float>);
}

TEST_CASE("Penalties: valid strengths", "[penalties]") {
  CHECK((L2{}.is_valid() && L1{2}.is_valid() && ElasticNet{1, 0}.is_valid()));
  for (const double bad : {-1e-9, not_a_number, infinity}) {
    CHECK_FALSE(L2{bad}.is_valid());
    CHECK_FALSE(L1{bad}.is_valid());
    CHECK_FALSE(ElasticNet{bad, 1}.is_valid());
    CHECK_FALSE(ElasticNet{1, bad}.is_valid());
  }
}

}  // namespace laws_test
