// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/metrics/margins.hpp>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/synthetic.hpp"

namespace margins_test {

using namespace linea;
using test::infinity;
using V = Eigen::VectorXd;
using Indices = std::vector<Index>;

namespace {

constexpr double rounding = 1e-14;  // relative rounding error of tens of additions

/// Seven points around the boundary 3x₁ + 4x₂ = 5, whose normal has length 5. In order, they are:
/// far away, on the positive margin boundary, on the wrong side, on the decision boundary, on the
/// negative margin boundary, inside the margin, and far away. All numbers are exact.
struct Example {
  Matrix<double> x{{3, 1}, {2, 0}, {1, 1}, {1, 0.5}, {0, 1}, {0.5, 0.75}, {0, 0}};
  V y{{1, 1, -1, 1, -1, -1, -1}}, w{{3, 4}};
  double b = -5;
  V agreements{{8, 1, -2, 0, 1, 0.5, 5}};
  Indices violating{2, 3, 5};
  Indices touching{1, 4};
};

template <class T, class X>
void agrees_with_example(const X& x) {
  const Example example;
  const Vector<T> w = example.w.cast<T>();
  const Margins<T> found = margins(w, T(-5), x, example.y);
  CHECK(found.agreements == example.agreements.cast<T>());
  CHECK(found.margins.isApprox(example.agreements.cast<T>() / T(5)));
  CHECK(found.reference == T(0.2));
  CHECK(found.smallest == found.margins[2]);
  CHECK(found.violating == example.violating);
  CHECK(found.touching == example.touching);
}

}  // namespace

// tests/lectures/svm_and_pegasos_test.cpp tests distances and violations.
TEST_CASE("Margins: of points inside, on and outside the margin boundaries", "[metrics]") {
  const Example example;
  agrees_with_example<double>(example.x);
  agrees_with_example<double>(Eigen::MatrixXd(example.x));
  agrees_with_example<double>(synthetic::sparse(example.x));
  const Matrix<float> narrow = example.x.cast<float>();
  agrees_with_example<float>(narrow);
  agrees_with_example<float>(Eigen::MatrixXf(narrow));
  agrees_with_example<float>(synthetic::sparse(narrow));
  CHECK(agreements(example.x * example.w - V::Constant(7, 5), example.y) == example.agreements);
}

TEST_CASE("Margins: a longer w keeps the boundary, but narrows the margin", "[metrics]") {
  const auto x = synthetic::features(30, 3, 4);
  const auto y = synthetic::signs(x, 5);
  const V w = synthetic::features(3, 1, 6).col(0);
  const auto plain = margins(w, -0.2, x, y);
  for (const double c : {0.01, 0.5, 3.0, 1e6}) {
    const auto scaled = margins(V(c * w), -0.2 * c, x, y);
    CHECK((scaled.margins - plain.margins).norm() <= rounding * plain.margins.norm());
    CHECK((scaled.agreements - c * plain.agreements).norm() <=
          rounding * c * plain.agreements.norm());
    CHECK_THAT(c * scaled.reference, WithinRel(plain.reference, rounding));
    CHECK_THAT(scaled.smallest, WithinRel(plain.smallest, 1e-12));
  }
}

TEST_CASE("Margins: a sample within the tolerance of 1 touches, and does not violate",
          "[metrics]") {
  const V z{{1 - 2e-6, 1 - 0.5e-6, 1, 1 + 0.5e-6, 1 + 2e-6, 0.9}}, one = V::Ones(1);
  const auto usual = margins(one, 0.0, z, V(V::Ones(6)));
  CHECK(usual.violating == Indices{0, 5});
  CHECK(usual.touching == Indices{1, 2, 3});
  const auto exact = margins(one, 0.0, z, V(V::Ones(6)), 0);
  CHECK(exact.violating == Indices{0, 1, 5});
  CHECK(exact.touching == Indices{2});
  const auto coarse = margins(one, 0.0, z, V(V::Ones(6)), 0.2);
  CHECK(coarse.violating.empty());
  CHECK(coarse.touching == Indices{0, 1, 2, 3, 4, 5});
}

TEST_CASE("Margins: any type with weights and offset, zero weights, and squares beyond float",
          "[metrics]") {
  const Example e;
  const struct {
    V weights;
    double offset;
  } model{e.w, e.b};
  CHECK(margins(model, e.x, e.y).margins == margins(e.w, e.b, e.x, e.y).margins);
  CHECK(margins(model, e.x, e.y, 1e9).violating.empty());
  // With weights of zero there is no boundary.
  const V y{{1, -1, 1}}, zero = V::Zero(2);
  const auto found = margins(zero, 2.0, e.x.topRows(3), y);
  CHECK(found.agreements == 2 * y);
  CHECK(found.margins == infinity * y);
  CHECK(found.reference == infinity);
  CHECK(found.smallest == -infinity);
  CHECK(found.violating == Indices{1});
  CHECK(margins(zero, 0.0, e.x.topRows(3), y).margins == V::Zero(3));
  const Matrix<float> x{{1, 0}, {1, 0}};
  for (const float size : {1e-30F, 1e30F}) {
    const auto narrow = margins(Vector<float>{{size, size}}, 0.0F, x, V(V::Ones(2)));
    CHECK_THAT(narrow.smallest, WithinRel(std::sqrt(0.5F), 1e-6F));
    CHECK_THAT(narrow.reference * size, WithinRel(std::sqrt(0.5F), 1e-6F));
  }
}

TEST_CASE("Margins: refuse invalid arguments", "[metrics]") {
  const Example e;
  const auto refused = [&](const std::string& message, const auto& x, const V& y, const V& w,
                           double tolerance = 0) {
    CHECK_THROWS_WITH(margins(w, e.b, x, y, tolerance), message);
  };
  V y = e.y;
  y[4] = 0;
  refused("margins: y(4) = 0 is neither -1 nor +1", e.x, y, e.w);
  y[4] = 2;
  refused("margins: y(4) = 2 is neither -1 nor +1", synthetic::sparse(e.x), y, e.w);
  refused("margins: 7 scores but y has 6", e.x, e.y.head(6), e.w);
  refused("margins: x has 2 columns but there are 3 weights", e.x, e.y, V::Ones(3));
  refused("margins: x has no rows", Matrix<double>(0, 2), V(), e.w);
  refused("margins: a tolerance of -1", e.x, e.y, e.w, -1);
  refused("margins: a tolerance of inf", e.x, e.y, e.w, infinity);
  refused("margins: the score of row 0 is not finite", e.x, e.y, V::Constant(2, infinity));
  CHECK_THROWS_WITH(agreements(e.agreements, y), "agreements: y(4) = 2 is neither -1 nor +1");
  CHECK_THROWS_WITH(agreements(e.agreements, e.y.head(3)), "agreements: 7 scores but y has 3");
  auto wrong = e.agreements;
  wrong[3] = test::not_a_number;
  CHECK_THROWS_WITH(agreements(wrong, e.y), "agreements: prediction 3 is not a number");
}

TEST_CASE("Agreements: are above 0 if the sign is correct", "[metrics]") {
  const Eigen::RowVectorXf scores{{2, -3, 0, 0.5F}};
  const Eigen::VectorXi y{{1, 1, -1, -1}};
  const Vector<float> expected{{2, -3, 0, -0.5F}};
  CHECK(agreements(scores, y) == expected);
  CHECK(agreements(scores.array(), y.array()) == expected);
}

}  // namespace margins_test
