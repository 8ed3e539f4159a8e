// SPDX-License-Identifier: MIT
/// \file What holds of every penalty: the laws of check/, values by hand, which vectors and which
/// strengths it takes.
#include <cmath>
#include <concepts>
#include <limits>
#include <linea/check/penalty.hpp>
#include <linea/penalties.hpp>
#include <vector>

#include "support/catch.hpp"

namespace laws_test {

using namespace linea;

static_assert(LazyPenalty<NoPenalty> && ConjugatePenalty<NoPenalty> &&
              !ThresholdPenalty<NoPenalty> && !StronglyConvexPenalty<NoPenalty>);
static_assert(LazyPenalty<L2> && StronglyConvexPenalty<L2> && ConjugatePenalty<L2> &&
              !ThresholdPenalty<L2>);
static_assert(ThresholdPenalty<L1> && !StronglyConvexPenalty<L1> && ConjugatePenalty<L1>);
static_assert(ThresholdPenalty<ElasticNet> && StronglyConvexPenalty<ElasticNet> &&
              ConjugatePenalty<ElasticNet>);

namespace {

const Vector<double> w = (Vector<double>(4) << 3, -4, 0, 0.5).finished();

template <class P>
void check_laws(const P& penalty) {
  INFO(penalty.name);
  CHECK(check::penalty(penalty) == std::vector<check::Violation>{});
}

}  // namespace

TEST_CASE("Penalties: each obeys every law of what it offers", "[penalties]") {
  check_laws(NoPenalty{});
  for (const double lambda : {0.0, 1e-6, 0.1, 3.0}) {
    check_laws(L2{lambda});
    check_laws(L1{lambda});
    for (const double l2 : {0.0, 1e-4, 0.2, 5.0}) check_laws(ElasticNet{lambda, l2});
  }
}

TEST_CASE("NoPenalty: is zero and leaves weights alone", "[penalties]") {
  CHECK(NoPenalty{}.value(w) == 0);
  CHECK(NoPenalty{}.proximal(2.5, 10.0) == 2.5);
  CHECK(NoPenalty{}.decay(10.0) == 1);
  CHECK(strong_convexity_of(NoPenalty{}) == 0);
}

TEST_CASE("L2: half of lambda times the squared norm", "[penalties]") {
  const L2 penalty{.lambda = 0.5};
  CHECK(penalty.value(w) == 6.3125);
  CHECK(penalty.proximal(3.0, 1.0) == 2);
  CHECK(penalty.decay(0.5) == 0.75);
  CHECK(penalty.decay(2.0) == 0);
  CHECK(penalty.decay(3.0) == 0);
  CHECK(strong_convexity_of(penalty) == 0.5);
  CHECK(L2{}.value(w) == 0);
}

TEST_CASE("L1: lambda times the sum of sizes, and weights become exactly zero", "[penalties]") {
  const L1 penalty{.lambda = 0.5};
  CHECK(penalty.value(w) == 3.75);
  CHECK(penalty.proximal(3.0, 1.0) == 2.5);
  CHECK(penalty.proximal(-3.0, 1.0) == -2.5);
  CHECK(penalty.proximal(0.5, 1.0) == 0);
  CHECK(penalty.proximal(-0.25, 1.0) == 0);
  CHECK(penalty.decay(2.0) == 1);
  CHECK(penalty.threshold(2.0) == 1);
  CHECK(strong_convexity_of(penalty) == 0);
}

TEST_CASE("ElasticNet: the sum of L1 and L2", "[penalties]") {
  const ElasticNet penalty{.l1 = 0.25, .l2 = 0.5};
  CHECK(penalty.value(w) == L1{0.25}.value(w) + L2{0.5}.value(w));
  CHECK(penalty.proximal(3.0, 2.0) == 1.25);
  CHECK(penalty.proximal(-0.5, 2.0) == 0);
  CHECK(penalty.decay(0.5) == 0.75);
  CHECK(penalty.threshold(2.0) == 0.5);
  CHECK(strong_convexity_of(penalty) == 0.5);
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

TEST_CASE("Penalties: weights that are not numbers do not turn into zeros", "[penalties]") {
  const double not_a_number = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isnan(L1{1}.proximal(not_a_number, 1.0)));
  CHECK(std::isnan(L2{1}.proximal(not_a_number, 1.0)));
  CHECK(std::isnan(ElasticNet{1, 1}.proximal(not_a_number, 1.0)));
  CHECK(std::isnan(NoPenalty{}.proximal(not_a_number, 1.0)));
  CHECK(std::isnan(L2{0}.value(Vector<double>::Constant(2, not_a_number))));
  CHECK(std::isnan(L1{0}.value(Vector<double>::Constant(2, not_a_number))));
}

TEST_CASE("Penalties know which strengths are allowed", "[penalties]") {
  CHECK(L2{}.is_valid());
  CHECK(L1{2}.is_valid());
  CHECK(ElasticNet{1, 0}.is_valid());
  for (const double bad :
       {-1e-9, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    CHECK_FALSE(L2{bad}.is_valid());
    CHECK_FALSE(L1{bad}.is_valid());
    CHECK_FALSE(ElasticNet{bad, 1}.is_valid());
    CHECK_FALSE(ElasticNet{1, bad}.is_valid());
  }
}

}  // namespace laws_test
