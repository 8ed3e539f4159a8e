// SPDX-License-Identifier: MIT
#include <Eigen/QR>
#include <algorithm>
#include <linea/optimizers/maximum_margin.hpp>
#include <linea/optimizers/perceptron.hpp>
#include <linea/optimizers/svm_quadratic_program.hpp>
#include <linea/penalties/l2.hpp>

#include "golden/svm.hpp"
#include "support/catch.hpp"
#include "support/hard_problems.hpp"
#include "support/shipped.hpp"
#include "support/synthetic.hpp"

namespace maximum_margin_test {

using namespace linea;

namespace {

const double infinity = std::numeric_limits<double>::infinity();

struct Problem {
  Matrix<double> x;
  Vector<double> y;
};

Eigen::ArrayXd agreements(const Vector<double>& w, double b, const Problem& p) {
  return p.y.array() * ((p.x * w).array() + b);
}

/// Rows of x moved along a random direction u so that all lie `margin` or more from ⟨u, x⟩ = 0.3,
/// some of either class exactly so far, up to rounding.
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

/// What holds of every answer, from the definitions.
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
    CHECK(s.objective == infinity);
    CHECK_FALSE(s.gap.has_value());
  }
}

/// That it is the separator, with its support vectors.
void check_separates(const MaximumMarginSolution<double>& s, const Problem& p, bool offset) {
  CHECK(s.separability == Separability::separable);
  CHECK(s.status == Status::converged);
  check_claims(s, p, offset);
  const auto z = agreements(s.weights, s.offset, p);
  CHECK_THAT(z.minCoeff(), WithinAbs(1, 1e-9));
  for (const Index i : s.support) CHECK_THAT(z[i], WithinAbs(1, 1e-8));
  // w is the line between the nearest points, from one to the other.
  const Eigen::VectorXd pull = p.x.transpose() * s.multipliers.cwiseProduct(p.y);
  CHECK((s.weights * pull.squaredNorm() / s.multipliers.sum() - pull).norm() < 1e-7 * pull.norm());
}

/// The certificate, added up: the nearest points of the two hulls are one.
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

/// 1/‖w‖ of the shortest w that satisfies all conditions, over all choices of which hold with
/// equality; 0 when none does.
double margin_by_enumeration(const Problem& p, bool offset) {
  const Index n = p.y.size();
  const Index d = p.x.cols();
  double largest = 0;
  for (Index choice = 1; choice < (Index{1} << n); ++choice) {
    std::vector<Index> tight;
    for (Index i = 0; i < n; ++i)
      if (choice >> i & 1) tight.push_back(i);
    // w in the span of the tight samples: Σ α yx, with Σ α y = 0 for the offset.
    const auto m = static_cast<Index>(tight.size());
    const Index size = m + (offset ? 1 : 0);
    const Eigen::MatrixXd z = p.y(tight).asDiagonal() * p.x(tight, Eigen::indexing::all);
    Eigen::MatrixXd left = Eigen::MatrixXd::Zero(size, size);
    left.topLeftCorner(m, m) = z * z.transpose();
    if (offset) left.col(m).head(m) = left.row(m).head(m) = p.y(tight);
    Eigen::VectorXd right = Eigen::VectorXd::Ones(size);
    if (offset) right[m] = 0;
    const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor(left);
    const Eigen::VectorXd solution = factor.solve(right);
    const Vector<double> w = z.transpose() * solution.head(m);
    const double b = offset ? solution[m] : 0;
    if (d > 0 && agreements(w, b, p).minCoeff() >= 1 - 1e-9)
      largest = std::max(largest, 1 / w.norm());
  }
  return largest;
}

}  // namespace

TEST_CASE("Maximum margin: the separator is unique, with its support vectors", "[optimizers]") {
  const Problem p = iris(0, -1);
  const auto s = MaximumMargin{}.fit(p.x, p.y);
  check_separates(s, p, true);
  CHECK_THAT(s.margin, WithinRel(golden::iris_margin, 1e-13));
  CHECK_THAT(s.margin, WithinRel(golden::iris_margin_libsvm, 1e-7));
  const auto through_zero = MaximumMargin{.offset = false}.fit(p.x, p.y);
  check_separates(through_zero, p, false);
  CHECK_THAT(through_zero.margin, WithinRel(golden::iris_margin_no_offset, 1e-12));

  // In any order of the rows, with rows repeated, and without all that do not support it.
  Random random(31);
  std::vector<Index> order(static_cast<std::size_t>(p.y.size()));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
  for (int trial = 0; trial < 5; ++trial) {
    random.shuffle(std::span(order));
    const Problem shuffled{p.x(order, Eigen::indexing::all), p.y(order)};
    const auto other = MaximumMargin{}.fit(shuffled.x, shuffled.y);
    check_separates(other, shuffled, true);
    CHECK((other.weights - s.weights).norm() < 1e-12 * s.weights.norm());
    CHECK_THAT(other.offset, WithinAbs(s.offset, 1e-12));
    std::vector<Index> support;
    for (const Index i : other.support) support.push_back(order[static_cast<std::size_t>(i)]);
    std::sort(support.begin(), support.end());
    CHECK(support == s.support);
  }
  const Eigen::VectorXi twice = Eigen::VectorXi::Constant(p.y.size(), 2);
  const Problem doubled{synthetic::repeated(p.x, twice), synthetic::repeated(p.y, twice)};
  const auto same = MaximumMargin{}.fit(doubled.x, doubled.y);
  check_separates(same, doubled, true);
  CHECK((same.weights - s.weights).norm() < 1e-12 * s.weights.norm());
  const Problem few{p.x(s.support, Eigen::indexing::all), p.y(s.support)};
  CHECK((MaximumMargin{}.fit(few.x, few.y).weights - s.weights).norm() < 1e-12 * s.weights.norm());
}

TEST_CASE("Maximum margin: turned, moved and scaled samples turn, move and scale it",
          "[optimizers]") {
  const Problem p = planted(60, 4, 0.2, 32);
  const auto s = MaximumMargin{}.fit(p.x, p.y);
  check_separates(s, p, true);
  const Matrix<double> turn =
      Eigen::HouseholderQR<Eigen::MatrixXd>(synthetic::features(4, 4, 33)).householderQ();
  const Eigen::RowVectorXd shift = Eigen::RowVectorXd::LinSpaced(4, -20, 30);
  const Matrix<double> x = (3 * p.x * turn.transpose()).rowwise() + shift;
  const auto other = MaximumMargin{}.fit(x, p.y);
  CHECK((3 * other.weights - turn * s.weights).norm() < 1e-10 * s.weights.norm());
  CHECK_THAT(other.offset, WithinAbs(s.offset - shift.dot(other.weights), 1e-10));
  CHECK_THAT(other.margin, WithinRel(3 * s.margin, 1e-10));
  const auto mirrored = MaximumMargin{}.fit(p.x, Vector<double>(-p.y));
  CHECK((mirrored.weights + s.weights).norm() < 1e-10 * s.weights.norm());
  for (const double scale : {1e-150, 1e150}) {
    const auto far = MaximumMargin{}.fit(Matrix<double>(scale * p.x), p.y);
    CHECK(far.separability == Separability::separable);
    CHECK_THAT(far.margin / scale, WithinRel(s.margin, 1e-10));
  }
}

TEST_CASE("Maximum margin: and, or, and two points have the separator one draws", "[optimizers]") {
  Problem p{Matrix<double>(4, 2), Vector<double>(4)};
  p.x << 0, 0, 0, 1, 1, 0, 1, 1;
  p.y << -1, -1, -1, 1;
  const auto conjunction = MaximumMargin{}.fit(p.x, p.y);
  check_separates(conjunction, p, true);
  CHECK((conjunction.weights - Vector<double>::Constant(2, 2)).norm() < 1e-13);
  CHECK_THAT(conjunction.offset, WithinAbs(-3, 1e-13));
  CHECK(conjunction.support == std::vector<Index>{1, 2, 3});
  p.y << -1, 1, 1, 1;
  const auto disjunction = MaximumMargin{}.fit(p.x, p.y);
  check_separates(disjunction, p, true);
  CHECK((disjunction.weights - Vector<double>::Constant(2, 2)).norm() < 1e-13);
  CHECK_THAT(disjunction.offset, WithinAbs(-1, 1e-13));
  CHECK_THAT(disjunction.margin, WithinRel(1 / std::sqrt(8.0), 1e-14));

  const Problem two{(Matrix<double>(2, 3) << 1, 2, 3, 1, 2, 5).finished(),
                    (Vector<double>(2) << 1, -1).finished()};
  const auto line = MaximumMargin{}.fit(two.x, two.y);
  check_separates(line, two, true);
  CHECK((line.weights - (Vector<double>(3) << 0, 0, -1).finished()).norm() < 1e-14);
  CHECK_THAT(line.offset, WithinAbs(4, 1e-13));
  // One class has no separator from nothing, but there is one from 0 through the origin.
  const Problem one{Matrix<double>::Constant(1, 1, -4), Vector<double>::Ones(1)};
  const auto away = MaximumMargin{.offset = false}.fit(one.x, one.y);
  check_separates(away, one, false);
  CHECK(away.margin == 4);
}

TEST_CASE("Maximum margin: data that are not separable are reported as such, with a proof",
          "[optimizers]") {
  Problem exclusive{Matrix<double>(4, 2), Vector<double>(4)};
  exclusive.x << 0, 0, 0, 1, 1, 0, 1, 1;
  exclusive.y << -1, 1, 1, -1;
  Problem choice{Matrix<double>(8, 3), Vector<double>(8)};  // if x then y else z
  for (int i = 0; i < 8; ++i) {
    choice.x.row(i) << (i >> 2 & 1), (i >> 1 & 1), (i & 1);
    choice.y[i] = (i >> 2 & 1 ? i >> 1 & 1 : i & 1) ? 1 : -1;
  }
  const Problem touching{(Matrix<double>(5, 1) << -2, -1, 0, 0, 3).finished(),
                         (Vector<double>(5) << -1, -1, -1, 1, 1).finished()};
  Problem twins = planted(40, 3, 0.1, 34);
  twins.x.row(5) = twins.x.row(8);  // of opposite classes
  Problem wide = planted(10, 40, 0.1, 35);
  wide.x.row(5) = (wide.x.row(0) + wide.x.row(2)) / 2;  // an odd one among the even
  Problem overlap{synthetic::features(200, 5, 36), {}};
  overlap.y = synthetic::signs(overlap.x, 37, 1.0);
  const Problem place{Matrix<double>::Ones(4, 2), (Vector<double>(4) << 1, -1, -1, 1).finished()};
  for (const Problem& p : {exclusive, choice, touching, twins, wide, overlap, place, iris(1, 2)})
    for (const bool offset : {true, false}) {
      CAPTURE(p.x.rows(), p.x.cols(), offset);
      check_proof(MaximumMargin{.offset = offset}.fit(p.x, p.y), p, offset);
    }
  CHECK_FALSE(golden::iris_others_separable);
  CHECK_FALSE(golden::iris_others_separable_no_offset);
  // Breast cancer is separable, though only by 1.4e-3, and not through its mean.
  const auto& set = shipped::breast_cancer();
  const Problem cancer{set.x, set.y};
  check_separates(MaximumMargin{}.fit(cancer.x, cancer.y), cancer, true);
  CHECK(golden::cancer_separable);
  check_proof(MaximumMargin{.offset = false}.fit(cancer.x, cancer.y), cancer, false);
  CHECK_FALSE(golden::cancer_separable_no_offset);
}

TEST_CASE("Maximum margin: agrees with all active sets tried in turn", "[optimizers]") {
  int separable = 0;
  int trials = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed)
    for (const Index n : {3, 5, 7})
      for (const Index d : {1, 2, 4})
        for (const bool offset : {true, false}) {
          CAPTURE(seed, n, d, offset);
          Problem p{synthetic::features(n, d, seed), Vector<double>(n)};
          if (seed % 2) p.x = p.x.array().round();
          for (Index i = 0; i < n; ++i) p.y[i] = i % 2 ? 1 : -1;
          const auto s = MaximumMargin{.offset = offset}.fit(p.x, p.y);
          check_claims(s, p, offset);
          const double margin = margin_by_enumeration(p, offset);
          CHECK((s.separability == Separability::separable) == (margin > 0));
          CHECK((s.separability == Separability::not_separable) == (margin == 0));
          CHECK_THAT(s.margin, WithinRel(margin, 1e-9) || WithinAbs(0, 0));
          separable += margin > 0;
          ++trials;
        }
  CHECK(separable > trials / 5);
  CHECK(separable < trials * 4 / 5);
}

TEST_CASE("Maximum margin: no other separator has more than the bound", "[optimizers]") {
  for (const auto& [n, d] : {std::pair<Index, Index>{80, 3}, {12, 50}}) {
    const Problem p = planted(n, d, 0.3, 38);
    const auto s = MaximumMargin{}.fit(p.x, p.y);
    check_separates(s, p, true);
    const auto perceptron = Perceptron{.epochs = 1000}.fit(p.x, p.y);
    REQUIRE(perceptron.status == Status::converged);
    const double by_perceptron =
        agreements(perceptron.weights, perceptron.offset, p).minCoeff() / perceptron.weights.norm();
    CHECK(by_perceptron > 0);
    CHECK(by_perceptron <= s.margin_bound);
    Random random(39);
    for (int power = 0; power < 8; ++power)
      for (int trial = 0; trial < 20; ++trial) {
        const double size = std::pow(10.0, -power);
        Vector<double> w = s.weights;
        for (double& value : w) value += size * synthetic::normal(random);
        const double b = s.offset + size * synthetic::normal(random);
        CHECK(agreements(w, b, p).minCoeff() / w.norm() <= s.margin * (1 + 1e-14));
      }
  }
}

TEST_CASE("Maximum margin: a margin of a millionth of the radius is found to nine digits",
          "[optimizers]") {
  for (const auto& [n, d] : {std::pair<Index, Index>{1000, 2}, {500, 30}, {100, 5}, {2, 4}})
    for (const double margin : {1.0, 1e-3, 1e-6}) {
      CAPTURE(n, d, margin);
      const Problem p = planted(n, d, margin, 40);
      const auto s = MaximumMargin{}.fit(p.x, p.y);
      check_separates(s, p, true);
      if (n >= 100) CHECK_THAT(s.margin, WithinRel(margin, 1e-8));
    }
  // Two samples of opposite classes that are almost one, among others and in more columns than
  // rows.
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

TEST_CASE("Maximum margin: layouts and scalars agree", "[optimizers]") {
  for (const auto& [n, d] : {std::pair<Index, Index>{60, 4}, {8, 30}}) {
    Problem p = planted(n, d, 0.25, 42);
    p.x = p.x.cast<float>().cast<double>();
    const auto s = MaximumMargin{}.fit(p.x, p.y);
    const Eigen::MatrixXd columns = p.x;
    CHECK((MaximumMargin{}.fit(columns, p.y).weights - s.weights).norm() <
          1e-12 * s.weights.norm());
    CHECK((MaximumMargin{}.fit(synthetic::sparse(p.x), p.y).weights - s.weights).norm() <
          1e-12 * s.weights.norm());
    const Matrix<float> x = p.x.cast<float>();
    const auto single = MaximumMargin{}.fit(x, Vector<float>(p.y.cast<float>()));
    check_claims(single, p, true);
    CHECK(single.separability == Separability::separable);
    CHECK(single.status == Status::converged);
    CHECK((single.weights.cast<double>() - s.weights).norm() < 1e-6 * s.weights.norm());
    CHECK_THAT(single.margin, WithinRel(s.margin, 1e-6));
    const auto compressed = MaximumMargin{}.fit(synthetic::sparse(x), p.y);
    CHECK((compressed.weights - single.weights).norm() <= 1e-6f * single.weights.norm());
  }
}

TEST_CASE("Maximum margin: the support vector machine tends to it as λ falls to 0",
          "[optimizers]") {
  for (const auto& [n, d] : {std::pair<Index, Index>{60, 4}, {8, 30}})
    for (const bool offset : {true, false}) {
      CAPTURE(n, d, offset);
      Problem p = planted(n, d, 0.25, 43);
      p.x.array() -= offset ? 0 : 0.3;
      const auto s = MaximumMargin{.offset = offset}.fit(p.x, p.y);
      if (!offset && s.separability != Separability::separable) continue;
      const SvmQuadraticProgram program{.offset = offset};
      double before = infinity;
      for (const double lambda : {10.0, 1e-1, 1e-3, 1e-7}) {
        const auto soft = program.minimize(Objective{Hinge{}, L2{lambda}}, p.x, p.y);
        const double distance = (soft.weights - s.weights).norm() / s.weights.norm();
        CHECK(distance <= before + 1e-8);
        before = distance;
        // It reaches it: below some λ no bound is active.
        if (lambda == 1e-7) {
          CHECK(distance < 1e-8);
          CHECK_THAT(soft.offset, WithinAbs(s.offset, 1e-8));
          CHECK_THAT(soft.objective / lambda, WithinRel(s.objective, 1e-8));
          CHECK(soft.slacks.maxCoeff() < 1e-8);
        }
      }
    }
}

TEST_CASE("Maximum margin: stopped early it claims no more than it has shown", "[optimizers]") {
  const Problem p = planted(300, 10, 1e-5, 44);
  const double margin = MaximumMargin{}.fit(p.x, p.y).margin;
  for (const Index iterations : {1, 2, 4, 8}) {
    const auto s = MaximumMargin{.iterations = iterations}.fit(p.x, p.y);
    check_claims(s, p, true);
    CHECK(s.epochs <= iterations);
    CHECK(s.margin <= margin * (1 + 1e-9));
    CHECK(s.margin_bound >= margin * (1 - 1e-9));
    CHECK(s.separability != Separability::not_separable);
  }
  const auto first = MaximumMargin{.iterations = 1}.fit(p.x, p.y);
  // One iteration does not decide, unless products are fused: then its weights separate already.
  const bool separates = agreements(first.weights, first.offset, p).minCoeff() > 0;
  CHECK((first.separability == Separability::separable) == separates);
  CHECK(first.status == Status::epoch_limit);
}

TEST_CASE("Maximum margin: what floats cannot separate is undecided, not impossible",
          "[optimizers]") {
  // The boundary at 2²⁴ − 1.5 asks for an offset of 25 digits.
  const double far = 16'777'216;
  const Problem p{(Matrix<double>(3, 1) << -far, far - 2, far - 1).finished(),
                  (Vector<double>(3) << -1, -1, 1).finished()};
  const auto s = MaximumMargin{}.fit(p.x, p.y);
  check_separates(s, p, true);
  CHECK_THAT(s.margin, WithinRel(0.5, 1e-7));  // 1e-16 of the radius
  const auto single = MaximumMargin{}.fit(Matrix<float>(p.x.cast<float>()), p.y);
  check_claims(single, p, true);
  CHECK(single.separability == Separability::undecided);
  CHECK(single.status == Status::epoch_limit);
  CHECK_THAT(single.margin_bound, WithinRel(0.5, 1e-7));
}

TEST_CASE("Maximum margin: refuses one class and input that is not well-formed", "[optimizers]") {
  const Matrix<double> x = synthetic::features(6, 3, 45);
  const std::string name = "MaximumMargin::fit: ";
  REQUIRE_THROWS_AS(MaximumMargin{}.fit(x, Vector<double>::Ones(6)), std::invalid_argument);
  REQUIRE_THROWS_WITH(MaximumMargin{}.fit(x, Vector<double>::Ones(6)),
                      ContainsSubstring(name + "no sample has the target -1"));
  REQUIRE_THROWS_WITH(MaximumMargin{}.fit(x, -Vector<double>::Ones(6)),
                      ContainsSubstring(name + "no sample has the target 1"));
  Vector<double> y(6);
  y << 1, -1, 1, 0, 1, 1;
  REQUIRE_THROWS_WITH(MaximumMargin{}.fit(x, y),
                      ContainsSubstring(name + "y(3) = 0 is no target of hinge"));
  REQUIRE_THROWS_WITH(MaximumMargin{}.fit(x, Vector<double>(y.head(2))),
                      name + "x has 6 rows but y has 2");
  REQUIRE_THROWS_WITH(MaximumMargin{.tolerance = -1}.fit(x, y), name + "a tolerance of -1");
  REQUIRE_THROWS_WITH(MaximumMargin{.iterations = 0}.fit(x, y), name + "0 iterations");
  CHECK(name_of(Separability::separable) == "separable");
  CHECK(name_of(Separability::not_separable) == "not-separable");
  CHECK(name_of(Separability::undecided) == "undecided");
}

TEST_CASE("MaximumMargin: a sample of weight 0 is on no side, one of any other weight on its own",
          "[optimizers]") {
  const Matrix<double> x{{0}, {1}, {2}, {3}, {-5}};
  const Vector<double> y{{-1, -1, 1, 1, 1}};
  const MaximumMargin optimizer;
  CHECK(optimizer.fit(x, y).separability == Separability::not_separable);
  const auto without = optimizer.fit(x.topRows(4), y.head(4).eval());
  const auto ignored = optimizer.fit(x, y, Vector<double>{{1, 0.1, 1, 5, 0}});
  REQUIRE(ignored.separability == Separability::separable);
  CHECK(ignored.weights[0] == Approx(without.weights[0]));
  CHECK(ignored.offset == Approx(without.offset));
  CHECK(ignored.margin == Approx(0.5));
  CHECK(ignored.multipliers[4] == 0);
  for (const double tiny : {1e-300, 1e-320, 5e-324}) {
    CAPTURE(tiny);
    const Vector<double> weights{{3e100, 3e100, 3e100, 3e100, tiny}};
    CHECK(optimizer.fit(x, y, weights).separability == Separability::not_separable);
  }
}

TEST_CASE("MaximumMargin: converged is said of the margin that the answer has", "[optimizers]") {
  // Scores far larger than the margin: their rounding is felt in some of these.
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    const test::HardProblem problem = test::hard_problem(seed);
    if (!problem.has_classes() || problem.beyond) continue;
    Vector<double> here = problem.weights;
    if (here.size() == 0) here.setOnes(problem.y.size());
    const Vector<double> signs = problem.y.cwiseProduct(here.cwiseSign());
    if (!((signs.array() > 0).any() && (signs.array() < 0).any())) continue;
    const auto found = MaximumMargin{}.fit(problem.x, problem.y, problem.weights);
    CAPTURE(problem.line);
    if (found.separability == Separability::separable && found.status == Status::converged)
      CHECK(found.margin >= (1 - 1e-9) * found.margin_bound);
  }
}

}  // namespace maximum_margin_test
