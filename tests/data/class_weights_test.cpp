// SPDX-License-Identifier: MIT
#include <limits>
#include <linea/data/class_weights.hpp>

#include "support/catch.hpp"

using namespace linea;

namespace {

/// The sample weights that factors make of those given, for labels y.
Vector<double> weights_of(const ClassWeights& factors, const Vector<double>& y,
                          const Vector<double>& given = {}) {
  const ClassLabels labels(y);
  return factors.times("f", labels, labels.indices_of(y), given);
}

Vector<double> vector(std::initializer_list<double> numbers) {
  return Eigen::Map<const Vector<double>>(numbers.begin(), static_cast<Index>(numbers.size()));
}

}  // namespace

TEST_CASE("ClassWeights: balanced classes weigh alike, and all samples what they weighed",
          "[data]") {
  CHECK(ClassWeights{}.are_equal());
  CHECK_FALSE(ClassWeights(balanced).are_equal());
  // 4 of one class, 1 of another, 1 of a third: S/(k·S_c) = 6/(3·4), 6/3, 6/3.
  const Vector<double> y = vector({5, 5, 5, 5, 7, 9});
  CHECK(weights_of(balanced, y) == vector({0.5, 0.5, 0.5, 0.5, 2, 2}));
  // A sample of weight 3 counts as three of them.
  CHECK(weights_of(balanced, vector({1, 2, 2}), vector({3, 1, 2})) == vector({3, 1, 2}));
  CHECK(weights_of(balanced, vector({1, 2, 2}), vector({4, 1, 1})) == vector({3, 1.5, 1.5}));
  // A class whose samples all weigh 0 is felt nowhere.
  CHECK(weights_of(balanced, vector({1, 2, 3}), vector({2, 2, 0})) == vector({2, 2, 0}));
}

TEST_CASE("ClassWeights: factors by label, 1 for others", "[data]") {
  const ClassWeights factors{{-1, 2}, {3, 0.5}};
  CHECK(weights_of(factors, vector({-1, 0, 3, -1})) == vector({2, 1, 0.5, 2}));
  CHECK(weights_of(factors, vector({-1, 0, 3, -1}), vector({1, 2, 4, 0})) == vector({2, 2, 2, 0}));
  CHECK(weights_of({{0, 0}}, vector({0, 1})) == vector({0, 1}));
}

TEST_CASE("ClassWeights: refusals", "[data]") {
  const Vector<double> y = vector({1, 2});
  CHECK_THROWS_WITH(weights_of({{3, 1}}, y), "f: class weights name label 3, which y has not");
  CHECK_THROWS_WITH(weights_of({{1, 1}, {1, 2}}, y), "f: class weights name label 1 twice");
  CHECK_THROWS_WITH(weights_of({{1, -2}}, y),
                    "f: the weight of class 1 is -2, but must be finite and >= 0");
  CHECK_THROWS_WITH(weights_of({{2, std::numeric_limits<double>::infinity()}}, y),
                    "f: the weight of class 2 is inf, but must be finite and >= 0");
  CHECK_THROWS_WITH(weights_of({{1, 0}, {2, 0}}, y), "f: all classes have weight 0");
  CHECK_THROWS_WITH(weights_of(balanced, y, vector({1})), "f: 2 samples but 1 sample weights");
}
