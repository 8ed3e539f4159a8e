// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <linea/losses.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/optimizers/svm_quadratic_program.hpp>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "golden/minima.hpp"
#include "golden/smooth.hpp"
#include "losses/all_losses.hpp"
#include "support/catch.hpp"
#include "support/minimum.hpp"
#include "support/problems.hpp"
#include "support/shipped.hpp"
#include "support/synthetic.hpp"

namespace dual_coordinate_ascent_test {

using namespace linea;
using namespace linea::test;
using synthetic::Problem;
using synthetic::problem_for;
using synthetic::takes_signs;

namespace {

const double infinity = std::numeric_limits<double>::infinity();
constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Everything that a solution claims, from the definitions.
template <class L, class T>
void check_claims(const DualSolution<T>& s, const L& loss, const Problem& p, double lambda,
                  bool offset) {
  const Index n = p.y.size();
  REQUIRE(s.multipliers.size() == n);
  REQUIRE(s.weights.size() == p.x.cols());
  double total = 0;
  double losses = 0;
  double conjugates = 0;
  double size = 0;
  double balance = 0;
  std::vector<double> pull(static_cast<std::size_t>(p.x.cols()), 0.0);
  for (Index i = 0; i < n; ++i) {
    const double weight = p.weights.size() ? p.weights[i] : 1.0;
    double score = static_cast<double>(s.offset);
    for (Index j = 0; j < p.x.cols(); ++j) score += static_cast<double>(s.weights[j]) * p.x(i, j);
    const double a = s.multipliers[i];
    total += weight;
    losses += weight * loss.value(score, p.y[i]);
    conjugates += weight * loss.conjugate(-a, p.y[i]);
    size += weight *
            (std::abs(loss.value(score, p.y[i])) + std::abs(a * (std::abs(p.y[i]) + std::abs(a))));
    balance += weight * a;
    for (Index j = 0; j < p.x.cols(); ++j)
      pull[static_cast<std::size_t>(j)] += weight * a * p.x(i, j);
  }
  double norm = 0;
  double distance = 0;
  double dual_norm = 0;
  for (Index j = 0; j < p.x.cols(); ++j) {
    const double v = pull[static_cast<std::size_t>(j)] / (total * lambda);
    const auto w = static_cast<double>(s.weights[j]);
    norm += w * w;
    dual_norm += v * v;
    distance += (w - v) * (w - v);
  }
  const double primal = losses / total + lambda / 2 * norm;
  const double dual = -conjugates / total - lambda / 2 * dual_norm;
  const double rounding = 1e-13 * (size / total + lambda / 2 * (norm + dual_norm));
  CHECK_THAT(s.objective, WithinAbs(primal, rounding));
  CHECK_THAT(s.dual, WithinAbs(dual, rounding));
  CHECK(primal >= dual - rounding);
  REQUIRE(s.gap.has_value());
  CHECK(*s.gap == std::max(s.objective - s.dual, 0.0));
  CHECK(s.certificate().gap() == *s.gap);
  if (offset)
    CHECK(std::abs(balance) <= 1e-12 * (1 + s.multipliers.cwiseAbs().maxCoeff()) * total);
  else
    CHECK(s.offset == T(0));
  // F is λ-strongly convex in w: the distance to the minimum is at most √(2·gap/λ) for either.
  CHECK(std::sqrt(distance) <= 2 * std::sqrt((*s.gap + rounding) / lambda));
}

}  // namespace

TEST_CASE("DualCoordinateAscent: what it claims holds, for every loss, offset, weighting and λ",
          "[optimizers]") {
  test::for_each_loss([](const auto& loss, const std::vector<double>&) {
    for (const bool weighted : {false, true})
      for (const bool offset : {false, true})
        for (const double lambda : {1e-6, 1e-2, 1.0, 1e3}) {
          const auto p = problem_for(loss, 40, 4, 5, weighted);
          CAPTURE(loss.name, weighted, offset, lambda);
          // Multipliers of kinked losses travel to the ends of their domain, be the slope ever so
          // small.
          const double tolerance = SmoothLoss<std::remove_cvref_t<decltype(loss)>> ? 1e-10 : 1e-5;
          DualCoordinateAscent optimizer{.epochs = 4000, .tolerance = tolerance, .offset = offset};
          if (lambda < 1e-2) optimizer.epochs = 200;
          const auto s = optimizer.minimize(Objective{loss, L2{lambda}}, p.x, p.y,
                                            {.sample_weights = p.weights});
          check_claims(s, loss, p, lambda, offset);
          if (lambda >= 1e-2) CHECK(s.status == Status::converged);
          if (s.status == Status::converged) CHECK(*s.gap <= tolerance * s.objective + 1e-13);
          CHECK(s.iterate == Iterate::best);
        }
  });
}

TEST_CASE("DualCoordinateAscent: agrees with other programs on the log loss and the hinge",
          "[optimizers]") {
  const auto& x = shipped::breast_cancer().x;
  const auto& y = shipped::breast_cancer().y;
  const auto fit = [&](const auto& loss, double lambda, bool offset, double tolerance) {
    const auto s =
        DualCoordinateAscent{.epochs = 20000, .tolerance = tolerance, .offset = offset}.minimize(
            Objective{loss, L2{lambda}}, x, y);
    CHECK(s.status == Status::converged);
    check_claims(s, loss, {x, y}, lambda, offset);
    return s.objective;
  };
  for (const auto& [lambda, offset, golden] : {std::tuple{1e-2, true, golden::log_1e2},
                                               {1e-2, false, golden::log_1e2_no_offset},
                                               {1e-3, true, golden::log_1e3},
                                               {1e-3, false, golden::log_1e3_no_offset},
                                               {1e-2, true, golden::logistic_1e2},
                                               {1e-2, false, golden::logistic_1e2_no_offset}})
    CHECK_THAT(fit(Log{}, lambda, offset, 1e-10), WithinRel(golden, 2e-10));
  CHECK_THAT(fit(SquaredHinge{}, 1e-2, false, 1e-10),
             WithinRel(golden::squared_hinge_1e2_no_offset, 2e-10));
  for (const auto& [lambda, offset, golden] : {std::tuple{1e-2, true, golden::hinge_1e2},
                                               {1e-2, false, golden::hinge_1e2_no_offset},
                                               {1e-3, true, golden::hinge_1e3},
                                               {1e-3, false, golden::hinge_1e3_no_offset}}) {
    const double found = fit(Hinge{}, lambda, offset, 1e-8);
    CHECK(found <= golden * (1 + 2e-8));
    CHECK_THAT(found, WithinRel(golden, 1e-6));  // where LIBSVM stops
  }
}

TEST_CASE("DualCoordinateAscent: agrees with ridge regression and the quadratic program",
          "[optimizers]") {
  const auto& [x, y] = shipped::diabetes();
  for (const bool offset : {true, false}) {
    const Objective least_squares{Squared{}, L2{1e-2}};
    const auto ridge = least_squares_minimum(x, y, 1e-2, offset);
    const auto s =
        DualCoordinateAscent{.epochs = 20000, .tolerance = 1e-12, .offset = offset}.minimize(
            least_squares, x, y);
    CHECK(s.status == Status::converged);
    CHECK((s.weights - ridge.weights).norm() < 1e-5 * ridge.weights.norm());
    CHECK_THAT(s.offset, WithinAbs(ridge.offset, 1e-4));
    CHECK_THAT(s.objective, WithinRel(ridge.objective, 1e-11));
    const Vector<double> signs = (y.array() > 150).select(Vector<double>::Ones(y.size()), -1.0);
    const Objective svm{Hinge{}, L2{1e-2}};
    const auto exact = SvmQuadraticProgram{.offset = offset}.minimize(svm, x, signs);
    const auto hinge =
        DualCoordinateAscent{.epochs = 20000, .tolerance = 1e-7, .offset = offset}.minimize(svm, x,
                                                                                            signs);
    CHECK(hinge.status == Status::converged);
    CHECK_THAT(hinge.objective, WithinRel(exact.objective, 2e-7));
    CHECK(hinge.dual <= exact.objective * (1 + 1e-12));
    CHECK(exact.dual <= hinge.objective);
  }
}

TEST_CASE("DualCoordinateAscent: a sample of weight k is k samples, and one of weight 0 none",
          "[optimizers]") {
  const auto check = [](const auto& loss) {
    const auto p = problem_for(loss, 30, 3, 9);
    Eigen::VectorXi counts(30);
    for (Index i = 0; i < 30; ++i) counts[i] = static_cast<int>(i % 4);
    const Objective objective{loss, L2{0.01}};
    for (const bool offset : {false, true}) {
      CAPTURE(loss.name, offset);
      const DualCoordinateAscent optimizer{.epochs = 20000, .tolerance = 1e-9, .offset = offset};
      auto y = p.y;
      for (Index i = 0; i < 30; i += 4)
        if constexpr (!takes_signs<std::remove_cvref_t<decltype(loss)>>) y[i] = 1e6;  // nobody asks
      const auto weighted =
          optimizer.minimize(objective, p.x, y, {.sample_weights = counts.cast<double>()});
      const auto repeated = optimizer.minimize(objective, synthetic::repeated(p.x, counts),
                                               synthetic::repeated(p.y, counts));
      CHECK(weighted.status == Status::converged);
      CHECK_THAT(weighted.objective, WithinRel(repeated.objective, 2e-9));
      CHECK((weighted.weights - repeated.weights).norm() <= 1e-3 * repeated.weights.norm());
    }
  };
  check(Hinge{});
  check(Log{});
  check(Absolute{});
}

TEST_CASE("DualCoordinateAscent: the same answer in every layout, and the same bits for a seed",
          "[optimizers]") {
  const auto check = [](const auto& loss, bool offset) {
    CAPTURE(loss.name, offset);
    const auto p = problem_for(loss, 120, 7, 21);
    const Objective objective{loss, L2{0.02}};
    const DualCoordinateAscent optimizer{
        .epochs = 20000, .tolerance = 1e-9, .offset = offset, .seed = 3};
    const auto expected = optimizer.minimize(objective, p.x, p.y);
    CHECK(expected.status == Status::converged);
    const auto again = optimizer.minimize(objective, p.x, p.y);
    CHECK(again.weights == expected.weights);
    CHECK(again.offset == expected.offset);
    CHECK(again.multipliers == expected.multipliers);
    CHECK(again.dual == expected.dual);
    const auto agrees = [&](const auto& x) {
      const auto s = optimizer.minimize(objective, x, p.y);
      CHECK(s.status == Status::converged);
      check_claims(s, loss, p, 0.02, offset);
      CHECK_THAT(s.objective, WithinRel(expected.objective, 2e-9));
    };
    const Eigen::MatrixXd columns = p.x;
    agrees(columns);
    Eigen::MatrixXd framed = Eigen::MatrixXd::Constant(125, 10, 99);
    framed.block(2, 1, 120, 7) = p.x;
    agrees(framed.block(2, 1, 120, 7));
    agrees(synthetic::sparse(p.x));
    Matrix<double> wide = Matrix<double>::Constant(240, 14, 99);
    using Strides = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
    Eigen::Map<Matrix<double>, 0, Strides> strided(wide.data(), 120, 7, Strides(28, 2));
    strided = p.x;
    agrees(strided);
  };
  for (const bool offset : {false, true}) {
    check(Hinge{}, offset);
    check(Log{}, offset);
  }
}

TEST_CASE("DualCoordinateAscent: computes in double for samples of floats", "[optimizers]") {
  const Matrix<float> x = synthetic::features<float>(80, 5, 31);
  const Vector<float> y = synthetic::signs(x, 32);
  const Problem p{x.cast<double>(), y.cast<double>()};
  const Objective objective{Log{}, L2{0.01}};
  const DualCoordinateAscent optimizer{.tolerance = 1e-9};
  const auto s = optimizer.minimize(objective, x, y);
  const auto in_doubles = optimizer.minimize(objective, p.x, p.y);
  CHECK(s.status == Status::converged);
  CHECK(s.multipliers == in_doubles.multipliers);
  CHECK(s.dual == in_doubles.dual);
  CHECK(s.weights == in_doubles.weights.cast<float>());
  check_claims(s, Log{}, p, 0.01, true);
  CHECK(*s.gap > 0);
  CHECK(*s.gap < 1e-6);
}

TEST_CASE("DualCoordinateAscent: a constant added to a feature changes no prediction",
          "[optimizers]") {
  const auto check = [](const auto& loss) {
    CAPTURE(loss.name);
    const auto p = problem_for(loss, 60, 4, 41);
    const Objective objective{loss, L2{0.01}};
    const DualCoordinateAscent optimizer{.epochs = 3000, .tolerance = 1e-8};
    const auto plain = optimizer.minimize(objective, p.x, p.y);
    CHECK(plain.status == Status::converged);
    for (const double shift : {-3.0, 100.0, 1e4}) {
      Matrix<double> moved = p.x;
      moved.col(1).array() += shift;
      moved.col(3).array() -= 2 * shift;
      const auto s = optimizer.minimize(objective, moved, p.y);
      CAPTURE(shift);
      CHECK(s.status == Status::converged);
      CHECK_THAT(s.objective, WithinRel(plain.objective, 2e-8));
      // Rows are centred on the way: a shift costs no epochs.
      CHECK(s.epochs <= 2 * plain.epochs + 16);
      const Vector<double> apart =
          (moved * s.weights - p.x * plain.weights).array() + (s.offset - plain.offset);
      CHECK(apart.cwiseAbs().maxCoeff() < 2e-3);
    }
  };
  check(Hinge{});
  check(Log{});
  check(Squared{});
  check(Absolute{});
}

TEST_CASE("DualCoordinateAscent: in regression a constant added to y is added to the offset",
          "[optimizers]") {
  const auto check = [](const auto& loss) {
    CAPTURE(loss.name);
    const auto p = problem_for(loss, 60, 4, 51);
    const Objective objective{loss, L2{0.01}};
    const DualCoordinateAscent optimizer{.epochs = 3000, .tolerance = 1e-8};
    const auto plain = optimizer.minimize(objective, p.x, p.y);
    const auto s = optimizer.minimize(objective, p.x, (p.y.array() + 1000).matrix().eval());
    CHECK(s.status == Status::converged);
    CHECK_THAT(s.objective, WithinRel(plain.objective, 2e-8));
    CHECK((s.weights - plain.weights).norm() < 1e-3 * plain.weights.norm());
    CHECK_THAT(s.offset, WithinAbs(plain.offset + 1000, 1e-3));
  };
  check(Squared{});
  check(Absolute{});
  check(Huber{});
  check(EpsilonInsensitive{});
}

TEST_CASE("DualCoordinateAscent: a row of zeros has its multiplier at once", "[optimizers]") {
  auto p = problem_for(Hinge{}, 20, 3, 61);
  p.x.row(4).setZero();
  p.x.row(11).setZero();
  const auto s = DualCoordinateAscent{.epochs = 1, .tolerance = 0, .offset = false}.minimize(
      Objective{Hinge{}, L2{0.1}}, p.x, p.y);
  CHECK(s.multipliers[4] == p.y[4]);
  CHECK(s.multipliers[11] == p.y[11]);
  check_claims(s, Hinge{}, p, 0.1, false);
}

TEST_CASE("DualCoordinateAscent: x of zeros, one sample, one class, fewer samples than features",
          "[optimizers]") {
  const auto solved = [](const auto& loss, const Problem& p, bool offset) {
    CAPTURE(loss.name, offset, p.x.rows(), p.x.cols());
    const auto s = DualCoordinateAscent{.tolerance = 1e-7, .offset = offset}.minimize(
        Objective{loss, L2{0.1}}, p.x, p.y);
    CHECK(s.status == Status::converged);
    check_claims(s, loss, p, 0.1, offset);
    return s;
  };
  const auto check = [&](const auto& loss) {
    for (const bool offset : {false, true}) {
      auto p = problem_for(loss, 12, 3, 71);
      p.x.setZero();
      (void)solved(loss, p, offset);
      (void)solved(loss, problem_for(loss, 8, 30, 72), offset);
      p = problem_for(loss, 1, 3, 73);
      if (!offset || !std::is_same_v<std::remove_cvref_t<decltype(loss)>, Log>)  // else no minimum
        (void)solved(loss, p, offset);
    }
  };
  check(Hinge{});
  check(Squared{});
  check(Log{});
  check(Absolute{});
  Problem one_class{synthetic::features(15, 3, 74), Vector<double>::Ones(15)};
  CHECK_THAT(solved(Hinge{}, one_class, true).objective, WithinAbs(0, 1e-15));
  CHECK_THAT(solved(SquaredHinge{}, one_class, true).objective, WithinAbs(0, 1e-15));
  (void)solved(Hinge{}, one_class, false);
  one_class.y.setConstant(-7.25);
  CHECK_THAT(solved(Squared{}, one_class, true).offset, WithinRel(-7.25, 1e-12));
  CHECK_THAT(solved(Absolute{}, one_class, true).offset, WithinRel(-7.25, 1e-12));
}

TEST_CASE("DualCoordinateAscent: goes on from multipliers", "[optimizers]") {
  const auto check = [](const auto& loss) {
    const auto p = problem_for(loss, 50, 4, 81, true);
    for (const bool offset : {false, true}) {
      CAPTURE(loss.name, offset);
      const Objective objective{loss, L2{0.05}};
      const DualCoordinateAscent optimizer{.epochs = 20000, .tolerance = 1e-9, .offset = offset};
      const auto cold = optimizer.minimize(objective, p.x, p.y, {.sample_weights = p.weights});
      REQUIRE(cold.status == Status::converged);
      const auto warm = DualCoordinateAscent{.tolerance = 1e-6, .offset = offset}.minimize(
          objective, p.x, p.y,
          {.sample_weights = p.weights, .start_multipliers = cold.multipliers});
      CHECK(warm.status == Status::converged);
      CHECK(warm.epochs <= 1);
      check_claims(warm, loss, p, 0.05, offset);
      const auto other =
          DualCoordinateAscent{.epochs = 20000, .tolerance = 1e-8, .offset = offset}.minimize(
              Objective{loss, L2{0.5}}, p.x, p.y, {.start_multipliers = cold.multipliers});
      CHECK(other.status == Status::converged);
      check_claims(other, loss, {p.x, p.y}, 0.5, offset);
    }
  };
  check(Hinge{});
  check(Log{});
  check(Squared{});
  check(EpsilonInsensitive{});
}

TEST_CASE("DualCoordinateAscent: the result does not depend on rests", "[optimizers]") {
  // Samples rest at 0 while the others pull w one way; from the multipliers of the mirrored targets
  // every one is needed again.
  auto p = problem_for(Hinge{}, 200, 2, 91);
  const Objective objective{Hinge{}, L2{1e-3}};
  const DualCoordinateAscent optimizer{.epochs = 20000, .tolerance = 1e-8};
  const auto s = optimizer.minimize(objective, p.x, p.y);
  const auto exact = SvmQuadraticProgram{}.minimize(objective, p.x, p.y);
  CHECK(s.status == Status::converged);
  CHECK(s.updates < 200 * s.epochs);  // some did rest
  CHECK_THAT(s.objective, WithinRel(exact.objective, 2e-8));
  Vector<double> all = p.y;  // 1 in the loss's own sign: far from the answer, where most are 0
  const auto far = optimizer.minimize(objective, p.x, p.y, {.start_multipliers = all});
  CHECK(far.status == Status::converged);
  CHECK_THAT(far.objective, WithinRel(exact.objective, 2e-8));
}

TEST_CASE("DualCoordinateAscent: an observer sees the gap fall, and may stop", "[optimizers]") {
  const auto p = problem_for(Log{}, 60, 4, 101);
  const Objective objective{Log{}, L2{1e-3}};
  std::vector<double> gaps;
  const auto s = DualCoordinateAscent{.tolerance = 1e-8}.minimize(
      objective, p.x, p.y, [&](const Progress& progress) {
        CHECK(progress.epoch == static_cast<Index>(gaps.size()) + 1);
        gaps.push_back(progress.gap());
      });
  CHECK(s.status == Status::converged);
  REQUIRE(static_cast<Index>(gaps.size()) == s.epochs);
  CHECK(std::is_sorted(gaps.rbegin(), gaps.rend()));
  CHECK(gaps.back() <= 1e-8 * s.objective);
  CHECK(gaps.front() > 1e3 * gaps.back());
  const auto stopped = DualCoordinateAscent{.tolerance = 1e-8}.minimize(
      objective, p.x, p.y, [](const Progress& progress) {
        return progress.epoch == 2 ? Control::stop : Control::proceed;
      });
  CHECK(stopped.status == Status::stopped);
  CHECK(stopped.epochs == 2);
  check_claims(stopped, Log{}, p, 1e-3, true);
}

TEST_CASE("DualCoordinateAscent: no epochs, and no tolerance", "[optimizers]") {
  const auto p = problem_for(Hinge{}, 30, 3, 111);
  const Objective objective{Hinge{}, L2{0.1}};
  const auto none = DualCoordinateAscent{.epochs = 0}.minimize(objective, p.x, p.y);
  CHECK(none.status == Status::epoch_limit);
  CHECK(none.epochs == 0);
  CHECK(none.weights.isZero(0));
  check_claims(none, Hinge{}, p, 0.1, true);
  const auto all = DualCoordinateAscent{.epochs = 50, .tolerance = 0}.minimize(objective, p.x, p.y);
  CHECK((all.epochs == 50 || *all.gap <= epsilon));
  check_claims(all, Hinge{}, p, 0.1, true);
}

TEST_CASE("DualCoordinateAscent: ends where rounding is all that is left", "[optimizers]") {
  // What Newton's method leaves here, no epoch makes less: it were 10,000 of them.
  const auto x = synthetic::features(300, 20, 7);
  const auto y = synthetic::signs(x, 8);
  for (const bool offset : {true, false}) {
    const auto hinge = DualCoordinateAscent{.tolerance = 0, .offset = offset}.minimize(
        Objective{Hinge{}, L2{1e-4}}, x, y);
    const auto absolute = DualCoordinateAscent{.tolerance = 0, .offset = offset}.minimize(
        Objective{Absolute{}, L2{1e-4}}, x, Vector<double>(y + 0.3 * x.col(1)));
    for (const auto& solution : {hinge, absolute}) {
      CHECK(solution.epochs < 10000);
      CHECK((solution.status == Status::precision_limit || solution.status == Status::converged));
      CHECK(*solution.gap <= 1e-13 * solution.objective);
    }
  }
}

TEST_CASE("DualCoordinateAscent: refuses what is not well-formed", "[optimizers]") {
  const auto p = problem_for(Hinge{}, 10, 2, 121);
  const Objective objective{Hinge{}, L2{0.1}};
  const DualCoordinateAscent optimizer;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [&](const Extras<double>& extras, const std::string& word) {
    CHECK_THROWS_WITH(optimizer.minimize(objective, p.x, p.y, extras), ContainsSubstring(word));
  };
  refused({.start_weights = Vector<double>::Zero(2)}, "start_multipliers");
  refused({.start_multipliers = Vector<double>::Zero(9)}, "9 start multipliers but y has 10");
  for (const double bad : {nan, infinity, 1.5, -0.1}) {
    Vector<double> start = Vector<double>::Zero(10);
    start[7] = bad * p.y[7];
    refused({.start_multipliers = start}, "start multiplier 7");
  }
  refused({.sample_weights = Vector<double>::Ones(9)}, "9 sample weights");
  refused({.sample_weights = Vector<double>::Zero(10)}, "zero");
  CHECK_THROWS_WITH(optimizer.minimize(Objective{Hinge{}, L2{0}}, p.x, p.y),
                    ContainsSubstring("lambda = 0"));
  CHECK_THROWS_AS(optimizer.minimize(Objective{Hinge{}, L2{-1}}, p.x, p.y), std::invalid_argument);
  CHECK_THROWS_AS(optimizer.minimize(Objective{Hinge{}, L2{nan}}, p.x, p.y), std::invalid_argument);
  CHECK_THROWS_AS(optimizer.minimize(objective, p.x, p.y.head(9)), std::invalid_argument);
  CHECK_THROWS_AS(optimizer.minimize(objective, p.x, Vector<double>::Zero(10)),
                  std::invalid_argument);
  Matrix<double> x = p.x;
  x(3, 1) = nan;
  CHECK_THROWS_AS(optimizer.minimize(objective, x, p.y), std::invalid_argument);
  CHECK_THROWS_WITH((DualCoordinateAscent{.epochs = -1}.minimize(objective, p.x, p.y)),
                    ContainsSubstring("-1 iterations"));
  CHECK_THROWS_WITH((DualCoordinateAscent{.tolerance = nan}.minimize(objective, p.x, p.y)),
                    ContainsSubstring("tolerance"));
  const Extras<double> multipliers{.start_multipliers = Vector<double>::Zero(10)};
  CHECK_THROWS_WITH(Sgd{}.minimize(objective, p.x, p.y, multipliers),
                    ContainsSubstring("start_multipliers"));
  CHECK_THROWS_WITH(Pegasos{}.minimize(objective, p.x, p.y, multipliers),
                    ContainsSubstring("start_multipliers"));
}

namespace {

/// F at a solution, in long double, from the definitions; rows of weight 0 are not read.
template <class L, class T>
double exact_objective(const L& loss, const Solution<T>& s, const Problem& p, double lambda) {
  long double losses = 0;
  long double total = 0;
  for (Index i = 0; i < p.y.size(); ++i) {
    const double weight = p.weights.size() ? p.weights[i] : 1.0;
    if (weight == 0) continue;
    long double score = static_cast<long double>(s.offset);
    for (Index j = 0; j < p.x.cols(); ++j)
      score += static_cast<long double>(s.weights[j]) * p.x(i, j);
    losses += weight * loss.value(score, static_cast<long double>(p.y[i]));
    total += weight;
  }
  long double squares = 0;
  for (const auto w : s.weights) squares += static_cast<long double>(w) * w;
  return static_cast<double>(losses / total + lambda / 2 * squares);
}

}  // namespace

TEST_CASE("DualCoordinateAscent: a row of weight 0 is not felt, whatever is in it",
          "[optimizers]") {
  for_each_loss([](const auto& loss, const std::vector<double>&) {
    for (const double large : {1e9, 1e170, 1e308})
      for (const bool offset : {true, false}) {
        CAPTURE(loss.name, large, offset);
        Problem p = problem_for(loss, 60, 4, 11, true);
        const Objective objective{loss, L2{0.1}};
        const DualCoordinateAscent ascent{.tolerance = 1e-6, .offset = offset};
        const auto without = ascent.minimize(objective, p.x, p.y, {.sample_weights = p.weights});
        p.x.row(30).setConstant(large);
        p.x(30, 1) = -large;
        if constexpr (!takes_signs<std::decay_t<decltype(loss)>>) p.y[30] = large;
        const auto with = ascent.minimize(objective, p.x, p.y, {.sample_weights = p.weights});
        CHECK(with.weights == without.weights);
        CHECK(with.offset == without.offset);
        CHECK(with.objective == without.objective);
        CHECK(with.gap == without.gap);
        CHECK(with.status == Status::converged);
        CHECK(with.multipliers == without.multipliers);
      }
  });
}

TEST_CASE("DualCoordinateAscent: targets of large mean", "[optimizers]") {
  const auto try_out = [](const auto& loss, double mean) {
    CAPTURE(loss.name, mean);
    Problem p = problem_for(loss, 80, 3, 5);
    p.y *= 10;
    const Objective objective{loss, L2{1e-3}};
    p.y.array() += mean;
    const Vector<double> moved = p.y.array() - mean;  // exact
    const auto near = DualCoordinateAscent{.tolerance = 1e-7}.minimize(objective, p.x, moved);
    const auto far = DualCoordinateAscent{.tolerance = 1e-6}.minimize(objective, p.x, p.y);
    CHECK(far.status == Status::converged);
    CHECK(far.updates > 0);
    const double rounding = 1e-15 * std::abs(mean);  // of the offset
    CHECK_THAT(far.objective, WithinAbs(near.objective, 3e-6 * near.objective + rounding));
    // Of long double: five parts in 10²⁰.
    CHECK_THAT(far.objective,
               WithinAbs(exact_objective(loss, far, p, 1e-3), 1e-10 + 1e-18 * std::abs(mean)));
    CHECK(*far.gap >= far.objective - near.objective - 1e-12 - rounding);
  };
  for (const double mean : {1e8, 1.6e9, -1e12}) {
    try_out(Squared{}, mean);
    try_out(Absolute{}, mean);
    try_out(Huber{}, mean);
    try_out(EpsilonInsensitive{}, mean);
    try_out(Quantile{0.3}, mean);
  }
}

TEST_CASE("DualCoordinateAscent: numbers that overflow are never a minimum", "[optimizers]") {
  for_each_loss([](const auto& loss, const std::vector<double>&) {
    using L = std::decay_t<decltype(loss)>;
    for (const double scale : {1e155, 1e200, 1e300}) {
      CAPTURE(loss.name, scale);
      Problem p = problem_for(loss, 40, 3, 7);
      const Objective objective{loss, L2{1e-3}};
      Vector<double> large = p.y;
      for (const bool targets : {false, true}) {
        if (targets && takes_signs<L>) continue;
        CAPTURE(targets);
        const Matrix<double> x = targets ? p.x : Matrix<double>(p.x * scale);
        if (targets) large *= scale;
        const auto s = DualCoordinateAscent{.epochs = 50}.minimize(objective, x, large);
        CHECK(s.weights.allFinite());
        CHECK(std::isfinite(s.offset));
        if (s.status == Status::converged) {
          CHECK(std::isfinite(s.objective));
          CHECK(*s.gap <= 1e-4 * s.objective);
        }
      }
    }
  });
  // Weights of 1e40 are no floats.
  Matrix<float> tiny(4, 1);
  tiny << 1e-38F, 2e-38F, 3e-38F, 5e-38F;
  Vector<double> y(4);
  y << 10, 20, 30, 50;
  const auto s = DualCoordinateAscent{}.minimize(Objective{Squared{}, L2{1e-90}}, tiny, y);
  CHECK(s.weights.allFinite());
  CHECK(s.status != Status::converged);
  CHECK(std::isfinite(s.objective));
}

TEST_CASE("DualCoordinateAscent: what rounding to floats costs is no convergence", "[optimizers]") {
  const Problem p = problem_for(Squared{}, 100, 5, 3);
  const Matrix<float> x = p.x.cast<float>();
  const auto s = DualCoordinateAscent{.tolerance = 1e-15}.minimize(Objective{Squared{}, L2{0.1}}, x,
                                                                   Vector<double>(p.y));
  CHECK(s.status != Status::converged);
  CHECK(*s.gap > 1e-15 * s.objective);
}

TEST_CASE("DualCoordinateAscent: columns far from 0", "[optimizers]") {
  const auto try_out = [](const auto& loss, double mean, bool sparse) {
    CAPTURE(loss.name, mean, sparse);
    Problem p = problem_for(loss, 120, 3, 21);
    p.x.col(0).array() += mean;
    p.x.col(2).array() -= mean / 2;
    Problem moved = p;
    moved.x.col(0).array() -= mean;  // exact
    moved.x.col(2).array() += mean / 2;
    const Objective objective{loss, L2{1e-3}};
    const DualCoordinateAscent ascent{.tolerance = 1e-6};
    const auto near = ascent.minimize(objective, moved.x, moved.y);
    const SparseMatrix<double> stored = p.x.sparseView();
    const auto far =
        sparse ? ascent.minimize(objective, stored, p.y) : ascent.minimize(objective, p.x, p.y);
    REQUIRE(near.status == Status::converged);
    CHECK(far.status == Status::converged);
    CHECK_THAT(far.objective, WithinAbs(near.objective, 3e-6 * near.objective + 1e-15 * mean));
    CHECK_THAT(far.objective, WithinAbs(exact_objective(loss, far, p, 1e-3), 1e-10 + 1e-17 * mean));
  };
  for (const double mean : {2000.0, 1e6, 1e9})
    for (const bool sparse : {false, true}) {
      try_out(Hinge{}, mean, sparse);
      try_out(Log{}, mean, sparse);
      try_out(Squared{}, mean, sparse);
      try_out(Huber{}, mean, sparse);
    }
}

}  // namespace dual_coordinate_ascent_test
