// SPDX-License-Identifier: MIT
/// \file The one door for parameters: what a message says of whose.
#include <cmath>
#include <linea/core/objective.hpp>
#include <linea/core/parameters.hpp>
#include <linea/losses/huber.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/none.hpp>
#include <string>

#include "support/catch.hpp"

namespace parameters_test {

using namespace linea;

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

TEST_CASE("Parameters: the message has the owner's own words for them", "[core]") {
  const auto refused = [](const auto& loss, const auto& penalty, const std::string& message) {
    CHECK_THROWS_WITH(core::require_valid("fit", Objective{loss, penalty}), "fit: " + message);
  };
  refused(Cauchy{-2}, NoPenalty{}, "scale = -2 of the loss cauchy is out of its domain");
  refused(Nameless{}, NoPenalty{}, "scale = -1 of the loss is out of its domain");
  refused(Huber{0}, NoPenalty{}, "delta = 0 of the loss huber is out of its domain");
  refused(Huber{}, ElasticNet{-1, 0.5}, "the penalty's l1 = -1, l2 = 0.5 must be finite and >= 0");
  refused(Huber{}, Silent{}, "a parameter of the penalty none is out of its domain");
  CHECK_NOTHROW(core::require_valid("fit", Objective{Cauchy{2}, NoPenalty{}}));
}

}  // namespace parameters_test
