// SPDX-License-Identifier: MIT
#include <Eigen/QR>
#include <algorithm>  // min
#include <cmath>
#include <limits>
#include <linea/losses/hinge.hpp>
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

constexpr double rounding = 1e-14;  // relative: some tens of additions

/// Seven points about the boundary 3x₁ + 4x₂ = 5, whose normal has length 5: far out, on the
/// positive margin boundary, on the wrong side, on the decision boundary, on the negative margin
/// boundary, inside, far out. All numbers are exact.
struct Example {
  Matrix<double> x =
      (Matrix<double>(7, 2) << 3, 1, 2, 0, 1, 1, 1, 0.5, 0, 1, 0.5, 0.75, 0, 0).finished();
  V y = (V(7) << 1, 1, -1, 1, -1, -1, -1).finished();
  V w = (V(2) << 3, 4).finished();
  double b = -5;
  V agreements = (V(7) << 8, 1, -2, 0, 1, 0.5, 5).finished();
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

/// The distance of a point from the plane ⟨w, x⟩ + b = 0, by its projection: an orthonormal basis
/// of the directions in the plane, and a point of it on the first axis on which w is not 0.
double distance(const V& point, const V& w, double b) {
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr{Eigen::MatrixXd(w)};
  const Eigen::MatrixXd all = qr.householderQ();
  const Eigen::MatrixXd basis = all.rightCols(w.size() - 1);
  V origin = V::Zero(w.size());
  origin[0] = -b / w[0];
  const V foot = origin + basis * (basis.transpose() * (point - origin));
  return (point - foot).norm();
}

}  // namespace

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

TEST_CASE("Margins: are distances from the boundary, negative on its wrong side", "[metrics]") {
  const auto x = synthetic::features(50, 4, 1);
  const auto y = synthetic::signs(x, 2, 1.0);
  const V w = synthetic::features(4, 1, 3).col(0);
  const auto found = margins(w, 0.3, x, y);
  double least = infinity;
  for (Index i = 0; i < 50; ++i) {
    const double score = x.row(i).dot(w) + 0.3;
    const double signed_distance = (score * y[i] > 0 ? 1 : -1) * distance(x.row(i), w, 0.3);
    CHECK_THAT(found.margins[i], WithinAbs(signed_distance, 1e-13));
    least = std::min(least, signed_distance);
  }
  REQUIRE(least < 0);
  CHECK_THAT(found.smallest, WithinAbs(least, 1e-13));
  // Points of the margin boundaries are as far from the decision boundary as the reference says.
  const V on_it = w * (0.7 / w.squaredNorm());
  CHECK_THAT(found.reference, WithinRel(distance(on_it, w, 0.3), 1e-13));
}

TEST_CASE("Margins: a longer w leaves margins and boundary, but narrows what is between",
          "[metrics]") {
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

TEST_CASE("Margins: the samples that violate are those with a hinge loss", "[metrics]") {
  const auto x = synthetic::features(100, 3, 7);
  const auto y = synthetic::signs(x, 8);
  const V w = 3 * synthetic::features(3, 1, 9).col(0);
  const auto found = margins(w, 0.1, x, y, 0);
  Indices expected;
  for (Index i = 0; i < 100; ++i)
    if (Hinge{}.value(x.row(i).dot(w) + 0.1, y[i]) > 0) expected.push_back(i);
  REQUIRE((10 < expected.size() && expected.size() < 90));
  CHECK(found.violating == expected);
  CHECK(found.touching.empty());
}

TEST_CASE("Margins: within the tolerance of 1 a sample touches, and does not violate",
          "[metrics]") {
  const V z = (V(6) << 1 - 2e-6, 1 - 0.5e-6, 1, 1 + 0.5e-6, 1 + 2e-6, 0.9).finished();
  const V y = V::Ones(6);
  const V w = V::Ones(1);
  const auto usual = margins(w, 0.0, z, y);
  CHECK(usual.violating == Indices{0, 5});
  CHECK(usual.touching == Indices{1, 2, 3});
  const auto exact = margins(w, 0.0, z, y, 0);
  CHECK(exact.violating == Indices{0, 1, 5});
  CHECK(exact.touching == Indices{2});
  const auto coarse = margins(w, 0.0, z, y, 0.2);
  CHECK(coarse.violating.empty());
  CHECK(coarse.touching == Indices{0, 1, 2, 3, 4, 5});
}

TEST_CASE("Margins: of whatever has weights and offset", "[metrics]") {
  const auto x = synthetic::features(40, 3, 10);
  const auto y = synthetic::signs(x, 11);
  const struct {
    V weights;
    double offset;
  } model{V::LinSpaced(3, -1, 2), 0.5};
  CHECK(margins(model, x, y).margins == margins(model.weights, 0.5, x, y).margins);
  CHECK(margins(model, x, y, 1e9).violating.empty());
}

TEST_CASE("Margins: without weights there is no boundary", "[metrics]") {
  const Matrix<double> x = Matrix<double>::Ones(3, 2);
  const V y = (V(3) << 1, -1, 1).finished();
  const auto found = margins(V(V::Zero(2)), 2.0, x, y);
  CHECK(found.agreements == 2 * y);
  CHECK(found.margins == infinity * y);
  CHECK(found.reference == infinity);
  CHECK(found.smallest == -infinity);
  CHECK(found.violating == Indices{1});
  CHECK(margins(V(V::Zero(2)), 0.0, x, y).margins == V::Zero(3));
}

TEST_CASE("Margins: of weights whose squares a float cannot hold", "[metrics]") {
  Matrix<float> x = Matrix<float>::Ones(2, 2);
  x.col(1).setZero();
  for (const float size : {1e-30F, 1e30F}) {
    const Vector<float> w = Vector<float>::Constant(2, size);
    const auto found = margins(w, 0.0F, x, V::Ones(2));
    CHECK_THAT(found.smallest, WithinRel(std::sqrt(0.5F), 1e-6F));
    CHECK_THAT(found.reference * size, WithinRel(std::sqrt(0.5F), 1e-6F));
  }
}

TEST_CASE("Margins: refusals", "[metrics]") {
  const Example e;
  const auto refused = [&](const std::string& message, const auto& x, const V& y, const V& w,
                           double tolerance = 0) {
    CHECK_THROWS_AS(margins(w, e.b, x, y, tolerance), std::invalid_argument);
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
  wrong[3] = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH(agreements(wrong, e.y), "agreements: prediction 3 is not a number");
}

TEST_CASE("Agreements: above 0 where the sign is right", "[metrics]") {
  const Eigen::RowVectorXf scores = (Eigen::RowVectorXf(4) << 2, -3, 0, 0.5F).finished();
  const Eigen::VectorXi y = (Eigen::VectorXi(4) << 1, 1, -1, -1).finished();
  const Vector<float> expected = (Vector<float>(4) << 2, -3, 0, -0.5F).finished();
  CHECK(agreements(scores, y) == expected);
  CHECK(agreements(scores.array(), y.array()) == expected);
}

}  // namespace margins_test
