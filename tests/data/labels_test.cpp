// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <linea/core/random.hpp>
#include <linea/data/labels.hpp>
#include <string>
#include <type_traits>
#include <utility>

#include "support/catch.hpp"
#include "support/constants.hpp"

namespace labels_test {

using linea::ClassLabels;
using linea::Index;
using linea::test::infinity;
using linea::test::not_a_number;
using V = linea::Vector<double>;

TEST_CASE("ClassLabels: are the distinct labels in ascending order, of any scalar type", "[data]") {
  const V y{{3, -1, 3, 0.5, -1}};
  const ClassLabels labels(y);
  CHECK(labels.values() == std::vector<double>{-1, 0.5, 3});
  CHECK(labels.size() == 3);
  CHECK(labels[1] == 0.5);
  CHECK(labels.index_of(3) == 2);
  CHECK(labels.indices_of(Eigen::Vector3d(3, 3, -1)) == linea::Vector<Index>{{2, 2, 0}});
  CHECK(labels.holds(3));
  CHECK_FALSE(labels.holds(not_a_number));
  CHECK_FALSE(labels.holds(2));
  CHECK(ClassLabels(Eigen::Vector2d(0.0, -0.0)).size() == 1);
  CHECK_FALSE(std::signbit(ClassLabels(Eigen::Vector2d(-0.0, -0.0))[0]));
  // Of temporary labels, values() returns the vector itself, not a reference, which would dangle.
  double sum = 0;
  for (const double label : ClassLabels(y).values()) sum += label;
  CHECK(sum == 2.5);
  STATIC_REQUIRE_FALSE(std::is_reference_v<decltype(ClassLabels(y).values())>);

  const ClassLabels whole(Eigen::Vector3i(7, 2, 7));
  CHECK(whole.values() == std::vector<double>{2, 7});
  CHECK(whole.encode(Eigen::Vector3i(7, 2, 2)) == Eigen::Vector3d(1, -1, -1));
  CHECK(static_cast<float>(ClassLabels(Eigen::Vector2f(0.3F, 0.1F))[0]) == 0.1F);
  using Longs = linea::Vector<std::int64_t>;
  CHECK(ClassLabels(Longs{{20230102, 20230101}}).values() ==
        std::vector<double>{20230101, 20230102});
  CHECK_THROWS_WITH(ClassLabels(Longs{{1, (std::int64_t{1} << 53) + 1}}),
                    "ClassLabels: label 9007199254740993 is of 2^53 or more, where double does not "
                    "hold every whole number");

  V many(40000);  // each label occurs about four times
  for (Index i = 0; i < many.size(); ++i) many[i] = static_cast<double>(i * 7919 % 10007);
  const ClassLabels of_many(many);
  REQUIRE(of_many.size() == 10007);
  for (Index k = 0; k < of_many.size(); k += 100) CHECK(of_many[k] == static_cast<double>(k));
}

TEST_CASE("ClassLabels: two labels become -1 and +1 in their order, and come back", "[data]") {
  linea::Random random(1);
  for (const auto& [small, large] :
       {std::pair(0.0, 1.0), std::pair(-1.0, 1.0), std::pair(-7.5, -3.0)}) {
    V y(20);
    for (double& label : y) label = random.below(2) ? large : small;
    y.head(2) << large, small;  // the larger label comes first
    const ClassLabels labels(y);
    CHECK(labels.encode(y) == V((y.array() == large).select(V::Ones(20), -1.0)));
    CHECK(labels.decode(labels.encode(y)) == y);
  }
  // Samples of weight 0 may have unknown labels.
  const ClassLabels labels(Eigen::Vector2d(2, 5));
  const Eigen::Vector4d y(5, 9, 2, 5);
  CHECK(labels.encode(y, linea::Vector<float>{{1, 0, 2, 0}}) == Eigen::Vector4d(1, -1, -1, -1));
  CHECK_THROWS_WITH(labels.encode(y, V{{1, 1e-300, 2, 1}}),
                    "ClassLabels::encode: label 9 is none of the 2 known ones (2, 5)");
}

TEST_CASE("ClassLabels: one class is set against the rest", "[data]") {
  const ClassLabels labels(Eigen::Vector4d(2, 1, 3, 1));
  CHECK(labels.one_against_rest(Eigen::Vector4d(2, 1, 3, 1), 0) == Eigen::Vector4d(-1, 1, -1, 1));
  CHECK_THROWS_WITH(labels.one_against_rest(Eigen::Vector2d(1, 2), 3),
                    "ClassLabels::one_against_rest: class 3 of 3");
}

TEST_CASE("ClassLabels: refuse labels that are not finite, and no labels", "[data]") {
  for (const double bad : {not_a_number, infinity})
    CHECK_THROWS_WITH(ClassLabels(Eigen::Vector3d(1, bad, 2)), "ClassLabels: y(1) is not finite");
  CHECK_THROWS_WITH(ClassLabels(V()), "ClassLabels: y is empty");
}

TEST_CASE("ClassLabels: refuse one class, or more than two where two are needed, and list them",
          "[data]") {
  const auto refused = [](const V& y, const std::string& what) {
    const ClassLabels labels(y);
    const std::string message = "two classes are needed, but there " + what;
    CHECK_THROWS_WITH(labels.encode(y), "ClassLabels::encode: " + message);
    CHECK_THROWS_WITH(labels.decode(y), "ClassLabels::decode: " + message);
  };
  refused(V{{1.5, 1.5}}, "is 1 (1.5)");
  refused(V{{2, 0, 1}}, "are 3 (0, 1, 2)");
  refused(V::LinSpaced(10, 0, 9), "are 10 (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)");
  refused(V::LinSpaced(1000, 0, 999), "are 1000 (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ...)");
}

TEST_CASE("ClassLabels: refuse an unknown label, by name", "[data]") {
  const ClassLabels labels(Eigen::Vector2d(0, 1));
  const std::string tail = " is none of the 2 known ones (0, 1)";
  CHECK_THROWS_WITH(labels.encode(Eigen::Vector2d(1, 2)), "ClassLabels::encode: label 2" + tail);
  CHECK_THROWS_WITH(labels.index_of(0.1), "ClassLabels::index_of: label 0.1" + tail);
  CHECK_THROWS_WITH(labels.index_of(not_a_number), "ClassLabels::index_of: label nan" + tail);
  CHECK_THROWS_WITH(labels.indices_of(Eigen::Vector2d(1, -1)),
                    ContainsSubstring("label -1 is none"));
  CHECK_THROWS_WITH(labels.decode(Eigen::Vector2d(1, 0)),
                    "ClassLabels::decode: element 1 is 0, but only -1 and +1 stand for labels");
}

}  // namespace labels_test
