// SPDX-License-Identifier: MIT
#include <linea/data/class_weights.hpp>
#include <string>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/predictions.hpp"

namespace class_weights_test {

using namespace linea;
using linea::test::vector;
using V = Vector<double>;

namespace {

/// Returns the weights `given` of samples with labels y, multiplied by the factors of their
/// classes.
V weights_of(const ClassWeights& factors, const V& y, const V& given = {}) {
  const ClassLabels labels(y);
  return factors.times("f", labels, labels.indices_of(y), given);
}

}  // namespace

TEST_CASE("ClassWeights: factors by label, or balanced ones", "[data]") {
  CHECK(ClassWeights{}.are_equal());
  CHECK_FALSE(ClassWeights(balanced).are_equal());
  const ClassWeights listed{{-1, 2}, {3, 0.5}};
  const struct {
    ClassWeights factors;
    V y, given, expected;
  } rows[] = {
      // Classes of 4, 1 and 1 samples get the factors n/(k·n_c) = 6/(3·4), 6/(3·1) and 6/(3·1).
      {balanced, vector({5, 5, 5, 5, 7, 9}), {}, vector({0.5, 0.5, 0.5, 0.5, 2, 2})},
      // A sample of weight 3 counts as three samples.
      {balanced, vector({1, 2, 2}), vector({3, 1, 2}), vector({3, 1, 2})},
      {balanced, vector({1, 2, 2}), vector({4, 1, 1}), vector({3, 1.5, 1.5})},
      // A class whose samples all have weight 0 has no effect.
      {balanced, vector({1, 2, 3}), vector({2, 2, 0}), vector({2, 2, 0})},
      // Labels that are not listed have the factor 1.
      {listed, vector({-1, 0, 3, -1}), {}, vector({2, 1, 0.5, 2})},
      {listed, vector({-1, 0, 3, -1}), vector({1, 2, 4, 0}), vector({2, 2, 2, 0})},
      {{{0, 0}}, vector({0, 1}), {}, vector({0, 1})},
      // `among` drops the factors of labels that do not occur in a part of the samples.
      {listed.among(ClassLabels(vector({3, 4}))), vector({3, 4}), {}, vector({0.5, 1})},
  };
  for (const auto& [factors, y, given, expected] : rows)
    CHECK(weights_of(factors, y, given) == expected);
  CHECK(listed.among(ClassLabels(vector({7, 8}))).are_equal());
  CHECK(ClassWeights(balanced).among(ClassLabels(vector({7, 8}))).are_balanced());
}

TEST_CASE("ClassWeights: units of weights do not matter", "[data]") {
  const V y = vector({1, 2, 2});
  for (const double unit : {1e-100, 1e100}) {
    CHECK(weights_of(balanced, y, unit * vector({4, 1, 1})) == unit * vector({3, 1.5, 1.5}));
    CHECK(weights_of({{1, 3}}, y, unit * vector({1, 2, 0})) == unit * vector({3, 2, 0}));
  }
  // Both classes get the same total weight, although the given weight of class 1 is below the
  // rounding errors of class 2.
  const V uneven = weights_of(balanced, y, vector({1e-140, 1e140, 1e140}));
  CHECK_THAT(uneven[0] / (uneven[1] + uneven[2]), WithinRel(1.0, 1e-15));
}

TEST_CASE("ClassWeights: products that the scalar does not hold keep their ratios", "[data]") {
  const V y = vector({1, 2});
  const ClassLabels labels(y);
  const auto products = [&](double factor, auto zero) {
    using T = decltype(zero);
    const ClassWeights factors{{1, factor}, {2, 4 * factor}};
    return factors.times("f", labels, labels.indices_of(y), Vector<T>());
  };
  for (const double factor : {1e60, 1e-60})
    CHECK(products(factor, 0.0F) == Vector<float>{{0.25F, 1}});
  CHECK(products(1e10, 0.0F) == Vector<float>{{1e10F, 4e10F}});
  CHECK(weights_of({{1, 1e100}, {2, 4e100}}, y, vector({1e100, 1e100})) == vector({0.25, 1}));
}

TEST_CASE("ClassWeights: refuse invalid arguments", "[data]") {
  const auto refused = [](const ClassWeights& factors, const V& given, const std::string& why) {
    CHECK_THROWS_WITH(weights_of(factors, vector({1, 2}), given), "f: " + why);
  };
  refused({{3, 1}}, {}, "class weights name label 3, which is not in y");
  refused({{1, 1}, {1, 2}}, {}, "class weights name label 1 twice");
  refused({{1, -2}}, {}, "the weight of class 1 is -2");
  refused({{2, test::infinity}}, {}, "the weight of class 2 is inf");
  refused({{2, 1e200}}, {}, "the weight of class 2 is 1e+200" + test::above);
  refused({{1, 0}, {2, 0}}, {}, "all classes have weight 0");
  refused(balanced, vector({1}), "1 sample weights but y has 2");
  refused(balanced, vector({1, -1}), "sample weight 1 is -1");
  refused(balanced, vector({1e200, 1}), "sample weight 0 is 1e+200" + test::above);
}

}  // namespace class_weights_test
