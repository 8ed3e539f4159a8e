// SPDX-License-Identifier: MIT
#include <limits>
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

TEST_CASE("ClassWeights: weights near the limits of double neither overflow nor underflow",
          "[data]") {
  const V y = vector({1, 2, 2});
  // Balanced weights of 1e308 have the same ratios as balanced weights of 1.
  const V large = weights_of(balanced, y, vector({1e308, 1e308, 1e308}));
  CHECK_THAT(large[1] / large[0], WithinRel(0.5, 1e-15));
  CHECK(large[2] == large[1]);
  CHECK(large[0] <= std::numeric_limits<double>::max());
  const V listed = weights_of({{1, 1e308}}, y, vector({1e308, 1e300, 0}));
  CHECK(listed[0] <= std::numeric_limits<double>::max());
  CHECK_THAT(listed[1] / listed[0], WithinAbs(0, 1e-300));
  CHECK(listed[2] == 0);
  // Both classes get the same total weight, although the given weight of class 1 is below the
  // rounding errors of class 2.
  const V uneven = weights_of(balanced, y, vector({1e-10, 1e308, 1e308}));
  CHECK_THAT(uneven[0] / (uneven[1] + uneven[2]), WithinRel(1.0, 1e-15));
  // Weights below the smallest normal number keep their ratios, in float, too.
  for (const double tiny : {1e-310, 5e-324}) {
    const V small = weights_of({{1, 100}}, y, vector({tiny, tiny, tiny}));
    CHECK_THAT(small[0] / small[1], WithinRel(100.0, 1e-15));
  }
  const auto ratio = [&](const ClassWeights& factors) {
    const Vector<float> floats = Vector<float>::Constant(3, 1e-44F);
    const Vector<float> small =
        factors.times("f", ClassLabels(y), Vector<Index>{{0, 1, 1}}, floats);
    return small[0] / small[1];
  };
  CHECK_THAT(ratio({{1, 100}}), WithinRel(100.0F, 1e-6F));
  CHECK_THAT(ratio({{1, 1e-200}, {2, 1e-201}}), WithinRel(10.0F, 1e-6F));
  // A weight stays positive where the product of factor and weight would underflow to 0.
  CHECK((weights_of({{1, 1e-300}}, y, vector({1e-300, 1, 0})).array() > 0).head(2).all());
}

TEST_CASE("ClassWeights: refuse invalid arguments", "[data]") {
  const auto refused = [](const ClassWeights& factors, const V& given, const std::string& why) {
    CHECK_THROWS_WITH(weights_of(factors, vector({1, 2}), given), "f: " + why);
  };
  refused({{3, 1}}, {}, "class weights name label 3, which is not in y");
  refused({{1, 1}, {1, 2}}, {}, "class weights name label 1 twice");
  refused({{1, -2}}, {}, "the weight of class 1 is -2, but must be finite and >= 0");
  refused({{2, test::infinity}}, {}, "the weight of class 2 is inf, but must be finite and >= 0");
  refused({{1, 0}, {2, 0}}, {}, "all classes have weight 0");
  refused(balanced, vector({1}), "2 samples but 1 sample weights");
}

}  // namespace class_weights_test
