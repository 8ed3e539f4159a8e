// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <linea/core/random.hpp>
#include <linea/data/labels.hpp>
#include <string>
#include <type_traits>

#include "support/catch.hpp"

using linea::ClassLabels;
using linea::Index;

namespace {

/// Decoding undoes encoding, and the smaller label is −1.
template <class Encode>
bool is_order_preserving(const Encode& encode, const ClassLabels& labels,
                         const linea::Vector<double>& y) {
  const linea::Vector<double> targets = encode(y);
  for (Index i = 0; i < y.size(); ++i)
    if (targets[i] != (y[i] == labels[0] ? -1 : 1)) return false;
  return labels.decode(targets) == y;
}

}  // namespace

TEST_CASE("ClassLabels: are the distinct labels in ascending order", "[data]") {
  const ClassLabels labels(Eigen::VectorXd{{3, -1, 3, 0.5, -1}});
  CHECK(labels.values() == std::vector<double>{-1, 0.5, 3});
  CHECK(labels.size() == 3);
  CHECK(labels[1] == 0.5);
  CHECK(labels.index_of(3) == 2);
  CHECK(labels.indices_of(Eigen::Vector3d(3, 3, -1)) == linea::Vector<Index>{{2, 2, 0}});
  CHECK(ClassLabels(Eigen::Vector2d(0.0, -0.0)).size() == 1);
  CHECK_FALSE(std::signbit(ClassLabels(Eigen::Vector2d(-0.0, -0.0))[0]));
}

TEST_CASE("ClassLabels: the values of a temporary outlive it", "[data]") {
  const Eigen::VectorXd y{{3, -1, 3, 0.5, -1}};
  double sum = 0;
  for (const double label : ClassLabels(y).values()) sum += label;
  CHECK(sum == 2.5);
  STATIC_REQUIRE_FALSE(std::is_reference_v<decltype(ClassLabels(y).values())>);
}

TEST_CASE("ClassLabels: labels of any scalar type come back as they went in", "[data]") {
  const ClassLabels whole(Eigen::Vector3i(7, 2, 7));
  CHECK(whole.values() == std::vector<double>{2, 7});
  CHECK(whole.encode(Eigen::Vector3i(7, 2, 2)) == Eigen::Vector3d(1, -1, -1));
  const ClassLabels dates(linea::Vector<std::int64_t>{{20230102, 20230101}});
  CHECK(dates.values() == std::vector<double>{20230101, 20230102});
  const ClassLabels floats(Eigen::Vector2f(0.3F, 0.1F));
  CHECK(static_cast<float>(floats[0]) == 0.1F);
  CHECK_THROWS_WITH(
      ClassLabels(linea::Vector<std::int64_t>{{1, (std::int64_t{1} << 53) + 1}}),
      "ClassLabels: label 9007199254740993 is of 2^53 or more, where double does not hold every "
      "whole number");
}

TEST_CASE("ClassLabels: two labels become -1 and +1 in their order, and come back", "[data]") {
  linea::Random random(1);
  const auto [small, large] =
      GENERATE(table<double, double>({{0, 1}, {-1, 1}, {1, 2}, {-7.5, -3}}));
  linea::Vector<double> y(20);
  for (double& label : y) label = random.below(2) ? large : small;
  y.head(2) << large, small;
  const ClassLabels labels(y);
  const auto encode = [&](const auto& v) { return labels.encode(v); };
  CHECK(is_order_preserving(encode, labels, y));
  const auto as_they_appear = [&](const auto& v) -> linea::Vector<double> {
    return -labels.encode(v);
  };
  CHECK_FALSE(is_order_preserving(as_they_appear, labels, y));
}

TEST_CASE("ClassLabels: one class is set against the rest", "[data]") {
  const ClassLabels labels(Eigen::Vector4d(2, 1, 3, 1));
  CHECK(labels.one_against_rest(Eigen::Vector4d(2, 1, 3, 1), 0) == Eigen::Vector4d(-1, 1, -1, 1));
  CHECK_THROWS_WITH(labels.one_against_rest(Eigen::Vector2d(1, 2), 3),
                    "ClassLabels::one_against_rest: class 3 of 3");
}

TEST_CASE("ClassLabels: refuse labels that are not finite, and none at all", "[data]") {
  CHECK_THROWS_WITH(ClassLabels(Eigen::Vector3d(1, std::nan(""), 2)),
                    "ClassLabels: y(1) is not finite");
  CHECK_THROWS_WITH(ClassLabels(Eigen::Vector2d(1, INFINITY)), "ClassLabels: y(1) is not finite");
  CHECK_THROWS_WITH(ClassLabels(Eigen::VectorXd()), "ClassLabels: y is empty");
}

TEST_CASE("ClassLabels: samples of weight 0 may have labels that are not known", "[data]") {
  const ClassLabels labels(Eigen::Vector2d(2, 5));
  const Eigen::Vector4d y(5, 9, 2, 5);
  CHECK(labels.encode(y, linea::Vector<float>{{1, 0, 2, 0}}) == Eigen::Vector4d(1, -1, -1, -1));
  CHECK_THROWS_WITH(labels.encode(y, linea::Vector<double>{{1, 1e-300, 2, 1}}),
                    "ClassLabels::encode: label 9 is none of the 2 known ones (2, 5)");
}

TEST_CASE("ClassLabels: many labels, each seen again and again", "[data]") {
  Eigen::VectorXd y(40000);
  for (Index i = 0; i < y.size(); ++i) y[i] = static_cast<double>(i * 7919 % 10007);
  const ClassLabels labels(y);
  REQUIRE(labels.size() == 10007);
  for (Index k = 0; k < labels.size(); k += 100) CHECK(labels[k] == static_cast<double>(k));
}

TEST_CASE("ClassLabels: refuse one class or many where two are needed, and list them", "[data]") {
  const Eigen::Vector2d one(1.5, 1.5);
  CHECK_THROWS_WITH(ClassLabels(one).encode(one),
                    "ClassLabels::encode: two classes are needed, but there is 1 (1.5)");
  const Eigen::Vector3d three(2, 0, 1);
  CHECK_THROWS_WITH(ClassLabels(three).encode(three),
                    "ClassLabels::encode: two classes are needed, but there are 3 (0, 1, 2)");
  CHECK_THROWS_WITH(ClassLabels(three).decode(three),
                    ContainsSubstring("ClassLabels::decode: two"));
  const linea::Vector<double> many = linea::Vector<double>::LinSpaced(1000, 0, 999);
  CHECK_THROWS_WITH(ClassLabels(many).encode(many),
                    "ClassLabels::encode: two classes are needed, but there are 1000 "
                    "(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ...)");
  const linea::Vector<double> ten = many.head(10);
  CHECK_THROWS_WITH(ClassLabels(ten).encode(ten), ContainsSubstring("7, 8, 9)"));
}

TEST_CASE("ClassLabels: refuse a label they do not know, by name", "[data]") {
  const ClassLabels labels(Eigen::Vector2d(0, 1));
  CHECK_THROWS_WITH(labels.encode(Eigen::Vector2d(1, 2)),
                    "ClassLabels::encode: label 2 is none of the 2 known ones (0, 1)");
  CHECK_THROWS_WITH(labels.index_of(0.1),
                    "ClassLabels::index_of: label 0.1 is none of the 2 known ones (0, 1)");
  CHECK(labels.holds(1));
  CHECK_FALSE(labels.holds(std::nan("")));
  CHECK_FALSE(labels.holds(2));
  CHECK_THROWS_WITH(labels.index_of(std::nan("")),
                    "ClassLabels::index_of: label nan is none of the 2 known ones (0, 1)");
  CHECK_THROWS_WITH(labels.indices_of(Eigen::Vector2d(1, -1)),
                    ContainsSubstring("label -1 is none"));
  CHECK_THROWS_WITH(labels.decode(Eigen::Vector2d(1, 0)),
                    "ClassLabels::decode: element 1 is 0, but only -1 and +1 stand for labels");
}
