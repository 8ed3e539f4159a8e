// SPDX-License-Identifier: MIT
#include <algorithm>
#include <linea/optimizers/maximum_margin.hpp>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/shipped.hpp"
#include "support/synthetic.hpp"

namespace maximum_margin_test {

using namespace linea;

namespace {

struct Problem {
  Matrix<double> x;
  Vector<double> y;
};

Eigen::ArrayXd agreements(const Vector<double>& w, double b, const Problem& p) {
  return p.y.array() * ((p.x * w).array() + b);
}

/// Returns normal samples, moved along a random unit vector u to a distance of at least `margin`
/// from the hyperplane ⟨u, x⟩ = 0.3, with the classes on opposite sides. Samples whose score ⟨u, x⟩
/// was from −0.5 to 0.5 are exactly at this distance, up to rounding.
Problem planted(Index n, Index d, double margin, std::uint64_t seed) {
  Problem p{synthetic::features(n, d, seed), Vector<double>(n)};
  const Vector<double> u = synthetic::features(d, 1, seed + 1).col(0).normalized();
  for (Index i = 0; i < n; ++i) {
    const double score = p.x.row(i).dot(u);
    p.y[i] = i % 2 ? 1 : -1;
    const double distance = margin + std::max(0.0, std::abs(score) - 0.5);
    p.x.row(i) += (0.3 + p.y[i] * distance - score) * u.transpose();
  }
  return p;
}

Problem iris(double species, double other) {
  const auto& set = shipped::iris();
  Problem p{Matrix<double>(set.x.rows(), set.x.cols()), Vector<double>(set.x.rows())};
  Index n = 0;
  for (Index i = 0; i < set.y.size(); ++i) {
    if (set.y[i] != species && other >= 0 && set.y[i] != other) continue;
    p.x.row(n) = set.x.row(i);
    p.y[n++] = set.y[i] == species ? 1 : -1;
  }
  return {p.x.topRows(n), p.y.head(n)};
}

/// Checks the properties that every solution has, computed from the definitions.
template <class T>
void check_claims(const MaximumMarginSolution<T>& s, const Problem& p, bool offset,
                  double tolerance = 1e-9) {
  const Eigen::VectorXd& a = s.multipliers;
  REQUIRE(a.size() == p.y.size());
  CHECK(a.minCoeff() >= 0);
  if (offset) {
    CHECK_THAT((p.y.array() > 0).select(a, 0).sum(), WithinAbs(1, 1e-14));
    CHECK_THAT((p.y.array() < 0).select(a, 0).sum(), WithinAbs(1, 1e-14));
  } else {
    CHECK_THAT(a.sum(), WithinAbs(1, 1e-14));
    CHECK(s.offset == 0);
  }
  const Eigen::VectorXd pull = p.x.transpose() * a.cwiseProduct(p.y);
  const double radius = p.x.rowwise().norm().maxCoeff();
  CHECK_THAT(s.margin_bound, WithinAbs(pull.norm() / a.sum(), 1e-15 * radius));
  CHECK_FALSE(s.support.empty());
  for (const Index i : s.support) CHECK(a[i] > 0);

  const auto z = agreements(s.weights.template cast<double>(), static_cast<double>(s.offset), p);
  if (s.separability == Separability::separable) {
    const double norm = s.weights.template cast<double>().norm();
    CHECK(z.minCoeff() > 0);
    CHECK_THAT(s.objective, WithinRel(norm * norm / 2, 1e-12));
    CHECK_THAT(s.margin, WithinRel(z.minCoeff() / norm, 1e-12 + 1e-15 * radius / s.margin));
    CHECK(s.margin <= s.margin_bound * (1 + 1e-12) + 1e-15 * radius);
    REQUIRE(s.gap.has_value());
    CHECK(*s.gap >= 0);
    const double bound = 1 / s.margin_bound;
    CHECK_THAT(*s.gap,
               WithinAbs(std::max(0.0, s.objective - bound * bound / 2), 1e-12 * s.objective));
    if (std::is_same_v<T, double>)
      CHECK((s.status == Status::converged) == (s.margin >= (1 - tolerance) * s.margin_bound));
  } else {
    CHECK(s.weights.isZero(0));
    CHECK(s.offset == 0);
    CHECK(s.margin == 0);
    CHECK(s.objective == test::infinity);
    CHECK_FALSE(s.gap.has_value());
  }
}

/// Checks that the solution separates the samples, and checks its support vectors.
void check_separates(const MaximumMarginSolution<double>& s, const Problem& p, bool offset) {
  CHECK(s.separability == Separability::separable);
  CHECK(s.status == Status::converged);
  check_claims(s, p, offset);
  const auto z = agreements(s.weights, s.offset, p);
  CHECK_THAT(z.minCoeff(), WithinAbs(1, 1e-9));
  for (const Index i : s.support) CHECK_THAT(z[i], WithinAbs(1, 1e-8));
  // w is parallel to the line between the nearest points of the two hulls.
  const Eigen::VectorXd pull = p.x.transpose() * s.multipliers.cwiseProduct(p.y);
  CHECK((s.weights * pull.squaredNorm() / s.multipliers.sum() - pull).norm() < 1e-7 * pull.norm());
}

/// Checks the certificate that the samples are not separable: the nearest points of the two hulls
/// coincide.
void check_proof(const MaximumMarginSolution<double>& s, const Problem& p, bool offset) {
  CHECK(s.separability == Separability::not_separable);
  CHECK(s.status == Status::converged);
  check_claims(s, p, offset);
  Eigen::VectorXd difference = Eigen::VectorXd::Zero(p.x.cols());
  for (Index i = 0; i < p.y.size(); ++i)
    difference += p.y[i] * s.multipliers[i] * p.x.row(i).transpose();
  CHECK(difference.norm() <= 1e-10 * p.x.rowwise().norm().maxCoeff());
  CHECK(s.margin_bound <= 1e-10 * p.x.rowwise().norm().maxCoeff());
}

/// Checks that the run decides whether the samples are separable, and returns whether they are.
bool check_decides(const Problem& p, bool offset) {
  const auto s = MaximumMargin{.offset = offset}.fit(p.x, p.y);
  const bool is_separable = s.separability == Separability::separable;
  is_separable ? check_separates(s, p, offset) : check_proof(s, p, offset);
  return is_separable;
}

}  // namespace

TEST_CASE("Maximum margin: four corners and two points have the textbook's solution",
          "[optimizers]") {
  const Matrix<double> corners{{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  const struct {
    Problem p;
    bool offset;
    Vector<double> w;
    double b;
  } rows[] = {{{corners, Vector<double>{{-1, -1, -1, 1}}}, true, Vector<double>{{2, 2}}, -3},
              {{Matrix<double>{{1, 2, 3}, {1, 2, 5}}, Vector<double>{{1, -1}}},
               true,
               Vector<double>{{0, 0, -1}},
               4},
              // A single class is accepted only without an offset.
              {{Matrix<double>{{-4}}, Vector<double>{{1}}}, false, Vector<double>{{-0.25}}, 0}};
  for (const auto& [p, offset, w, b] : rows) {
    CAPTURE(p.y, b);
    const auto s = MaximumMargin{.offset = offset}.fit(p.x, p.y);
    check_separates(s, p, offset);
    CHECK((s.weights - w).norm() < 1e-13);
    CHECK_THAT(s.offset, WithinAbs(b, 1e-13));
    CHECK_THAT(s.margin, WithinRel(1 / w.norm(), 1e-14));
  }
  CHECK(MaximumMargin{}.fit(corners, rows[0].p.y).support == std::vector<Index>{1, 2, 3});
}

TEST_CASE("Maximum margin: proves that data are not separable", "[optimizers]") {
  const Problem exclusive{Matrix<double>{{0, 0}, {0, 1}, {1, 0}, {1, 1}},
                          Vector<double>{{-1, 1, 1, -1}}};
  const Problem touching{Matrix<double>{{-2}, {-1}, {0}, {0}, {3}},
                         Vector<double>{{-1, -1, -1, 1, 1}}};
  Problem twins = planted(40, 3, 0.1, 34);
  twins.x.row(5) = twins.x.row(8);  // two equal samples of opposite classes
  Problem wide = planted(10, 40, 0.1, 35);
  // Sample 5 lies between two samples of the other class.
  wide.x.row(5) = (wide.x.row(0) + wide.x.row(2)) / 2;
  Problem overlap{synthetic::features(200, 5, 36), {}};
  overlap.y = synthetic::signs(overlap.x, 37, 1.0);
  const Problem place{Matrix<double>::Ones(4, 2), Vector<double>{{1, -1, -1, 1}}};
  for (const Problem& p : {exclusive, touching, twins, wide, overlap, place, iris(1, 2)})
    for (const bool offset : {true, false}) {
      CAPTURE(p.x.rows(), p.x.cols(), offset);
      check_proof(MaximumMargin{.offset = offset}.fit(p.x, p.y), p, offset);
    }
  // The breast cancer set is separable with an offset, by a margin of only 1.4e-3, and not
  // separable without one.
  const auto& set = shipped::breast_cancer();
  const Problem cancer{set.x, set.y};
  check_separates(MaximumMargin{}.fit(cancer.x, cancer.y), cancer, true);
  check_proof(MaximumMargin{.offset = false}.fit(cancer.x, cancer.y), cancer, false);
}

TEST_CASE("Maximum margin: decides few samples and ties", "[optimizers]") {
  int separable = 0, trials = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed)
    for (const Index n : {3, 5, 7})
      for (const Index d : {1, 2, 4})
        for (const bool offset : {true, false}) {
          CAPTURE(seed, n, d, offset);
          Problem p{synthetic::features(n, d, seed), Vector<double>(n)};
          if (seed % 2) p.x = p.x.array().round();
          for (Index i = 0; i < n; ++i) p.y[i] = i % 2 ? 1 : -1;
          separable += check_decides(p, offset);
          ++trials;
        }
  CHECK(separable > trials / 5);
  CHECK(separable < trials * 4 / 5);
}

TEST_CASE("Maximum margin: a margin of a millionth of the radius", "[optimizers]") {
  for (const auto& [n, d] : {std::pair<Index, Index>{1000, 2}, {500, 30}, {100, 5}, {2, 4}})
    for (const double margin : {1.0, 1e-3, 1e-6}) {
      CAPTURE(n, d, margin);
      const Problem p = planted(n, d, margin, 40);
      const auto s = MaximumMargin{}.fit(p.x, p.y);
      check_separates(s, p, true);
      if (n >= 100) CHECK_THAT(s.margin, WithinRel(margin, 1e-8));
    }
  // Two samples of opposite classes nearly coincide, with more columns or with more rows.
  for (const auto& [n, d] : {std::pair<Index, Index>{20, 60}, {60, 5}}) {
    Problem p = planted(n, d, 0.5, 41);
    p.x.row(1) = p.x.row(0) + 2e-6 * (p.x.row(1) - p.x.row(0)).normalized();
    const auto s = MaximumMargin{.tolerance = 1e-7}.fit(p.x, p.y);
    check_claims(s, p, true, 1e-7);
    CHECK(s.status == Status::converged);
    CHECK(s.margin <= 1e-6 * (1 + 1e-9));
    CHECK(s.margin >= 1e-7);
  }
}

TEST_CASE("Maximum margin: stopped early it reports only proven results", "[optimizers]") {
  const Problem p = planted(300, 10, 1e-5, 44);
  const double margin = MaximumMargin{}.fit(p.x, p.y).margin;
  for (const Index iterations : {1, 2, 4, 8}) {
    const auto s = MaximumMargin{.iterations = iterations}.fit(p.x, p.y);
    check_claims(s, p, true);
    CHECK(s.epochs <= iterations);
    CHECK(s.updates == s.iterations);
    CHECK(s.margin <= margin * (1 + 1e-9));
    CHECK(s.margin_bound >= margin * (1 - 1e-9));
    CHECK(s.separability != Separability::not_separable);
  }
  const auto first = MaximumMargin{.iterations = 1}.fit(p.x, p.y);
  // One iteration does not suffice, unless the compiler fuses multiplications and additions: then
  // the weights of the first iteration already separate the samples.
  const bool separates = agreements(first.weights, first.offset, p).minCoeff() > 0;
  CHECK((first.separability == Separability::separable) == separates);
  CHECK(first.status == Status::epoch_limit);
}

TEST_CASE("Maximum margin: undecided if floats cannot separate", "[optimizers]") {
  // The boundary at 2²⁴ − 1.5 needs an offset of 25 bits.
  const double far = 16'777'216;
  const Problem p{Matrix<double>{{-far}, {far - 2}, {far - 1}}, Vector<double>{{-1, -1, 1}}};
  const auto s = MaximumMargin{}.fit(p.x, p.y);
  check_separates(s, p, true);
  CHECK_THAT(s.margin, WithinRel(0.5, 1e-7));  // the margin is 3e-8 of the largest |x|
  const auto single = MaximumMargin{}.fit(Matrix<float>(p.x.cast<float>()), p.y);
  check_claims(single, p, true);
  CHECK(single.separability == Separability::undecided);
  CHECK(single.status == Status::precision_limit);
  CHECK_THAT(single.margin_bound, WithinRel(0.5, 1e-7));
  // If float weights can separate the samples, the margin is that of the rounded weights.
  Problem wide = planted(60, 4, 0.25, 42);
  wide.x = wide.x.cast<float>().cast<double>();
  const auto rounded = MaximumMargin{}.fit(Matrix<float>(wide.x.cast<float>()), wide.y);
  check_claims(rounded, wide, true);
  CHECK(rounded.status == Status::converged);
  CHECK_THAT(rounded.margin, WithinRel(MaximumMargin{}.fit(wide.x, wide.y).margin, 1e-6));
  // The result is the same for very small and very large x.
  for (const double scale : {1e-149, 1e149}) {
    const auto scaled = MaximumMargin{}.fit(Matrix<double>(scale * wide.x), wide.y);
    CHECK(scaled.separability == Separability::separable);
    CHECK_THAT(scaled.margin / scale, WithinRel(MaximumMargin{}.fit(wide.x, wide.y).margin, 1e-10));
  }
}

TEST_CASE("Maximum margin: refuses one class and invalid input", "[optimizers]") {
  const Matrix<double> x = synthetic::features(6, 3, 45);
  const auto refuses = [&](const MaximumMargin& optimizer, double target,
                           const std::string& words) {
    CHECK_THROWS_WITH(optimizer.fit(x, Vector<double>::Constant(6, target)),
                      ContainsSubstring("MaximumMargin::fit: " + words));
  };
  refuses({}, 1, "no sample has the target -1");
  refuses({}, -1, "no sample has the target 1");
  refuses({.tolerance = -1}, 1, "a tolerance of -1");
  refuses({.iterations = 0}, 1, "0 iterations");
  CHECK(name_of(Separability::separable) == "separable");
  CHECK(name_of(Separability::not_separable) == "not-separable");
  CHECK(name_of(Separability::undecided) == "undecided");
}

TEST_CASE("Maximum margin: a sample of weight 0 is ignored", "[optimizers]") {
  const Matrix<double> x{{0}, {1}, {2}, {3}, {-5}};
  const Vector<double> y{{-1, -1, 1, 1, 1}};
  const auto ignored = MaximumMargin{}.fit(x, y, Vector<double>{{1, 0.1, 1, 5, 0}});
  CHECK_THAT(ignored.margin, WithinRel(0.5, 1e-9));
  CHECK(ignored.multipliers[4] == 0);
  const Vector<double> tiny{{1e150, 1e150, 1e150, 1e150, 1e-150}};
  CHECK(MaximumMargin{}.fit(x, y, tiny).separability == Separability::not_separable);
}

}  // namespace maximum_margin_test
