// SPDX-License-Identifier: MIT
/// \file Objectives: the conversion between λ and C, and messages about invalid parameters.
#include <cmath>
#include <limits>
#include <linea/core/objective.hpp>
#include <linea/core/parameters.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/losses/huber.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/none.hpp>
#include <string>

#include "support/catch.hpp"
#include "support/constants.hpp"

namespace objective_test {

using namespace linea;
using namespace linea::test;

namespace {

struct Cauchy {
  double scale{1};
  static constexpr std::string_view name = "cauchy";
  double value(double score, double target) const {
    return std::log1p(std::pow((score - target) / scale, 2));
  }
  bool is_valid() const { return scale > 0; }
  std::string parameters() const { return "scale = " + std::to_string(static_cast<int>(scale)); }
};

struct Silent : NoPenalty {
  bool is_valid() const { return false; }
};

struct Nameless {
  double scale{-1};
  double value(double score, double target) const { return std::abs(score - target) / scale; }
  bool is_valid() const { return scale > 0; }
  std::string parameters() const { return "scale = -1"; }
};

}  // namespace

TEST_CASE("Parameters: the message contains the owner's text", "[core]") {
  const auto refused = [](const auto& loss, const auto& penalty, const std::string& message) {
    CHECK_THROWS_WITH(detail::require_valid("fit", Objective{loss, penalty}, 1), "fit: " + message);
  };
  refused(Cauchy{-2}, NoPenalty{}, "scale = -2 of the loss cauchy is out of its domain");
  refused(Nameless{}, NoPenalty{}, "scale = -1 of the loss is out of its domain");
  refused(Huber{0}, NoPenalty{}, "delta = 0 of the loss huber is out of its domain");
  refused(Huber{}, ElasticNet{-1, 0.5}, "the penalty's l1 = -1, l2 = 0.5 must be finite and >= 0");
  refused(Huber{}, Silent{}, "a parameter of the penalty none is out of its domain");
  CHECK_NOTHROW(detail::require_valid("fit", Objective{Cauchy{2}, NoPenalty{}}, 1));
}

TEST_CASE("lambda_from_c: one over C times the samples, and back", "[core]") {
  CHECK(lambda_from_c(2, 50) == 0.01);
  CHECK(c_from_lambda(0.01, 50) == 2);
  for (const double lambda : {1e-12, 3e-4, 1.0, 7e5})
    for (const Index n : {Index{1}, Index{569}, std::numeric_limits<Index>::max() / 3})
      CHECK_THAT(lambda_from_c(c_from_lambda(lambda, n), n), WithinRel(lambda, 1e-15));
}

TEST_CASE("lambda_from_c: refuses what is not positive", "[core]") {
  CHECK_THROWS_WITH(lambda_from_c(0, 10), "lambda_from_c: C = 0 is not a positive number");
  CHECK_THROWS_WITH(c_from_lambda(0, 10), "c_from_lambda: lambda = 0 is not a positive number");
  for (const double bad : {-1.5, infinity, not_a_number}) {
    CHECK_THROWS_WITH(lambda_from_c(bad, 10), ContainsSubstring("is not a positive number"));
    CHECK_THROWS_WITH(c_from_lambda(bad, 10), ContainsSubstring("is not a positive number"));
  }
  CHECK_THROWS_WITH(lambda_from_c(1, 0), "lambda_from_c: n = 0 samples");
  CHECK_THROWS_WITH(c_from_lambda(1, -3), "c_from_lambda: n = -3 samples");
}

}  // namespace objective_test
