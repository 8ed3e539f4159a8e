// SPDX-License-Identifier: MIT
/// \file What holds of every penalty: the laws of check/, which vectors and which strengths it
/// takes.
#include <cmath>
#include <concepts>
#include <limits>
#include <linea/check/penalty.hpp>
#include <linea/penalties.hpp>
#include <vector>

#include "support/catch.hpp"

namespace laws_test {

using namespace linea;

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
