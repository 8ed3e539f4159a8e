// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <linea/activations/exponential.hpp>
#include <linea/core/extras.hpp>
#include <linea/losses.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/penalties.hpp>
#include <string>
#include <type_traits>

#include "support/catch.hpp"
#include "support/smooth_losses.hpp"
#include "support/synthetic.hpp"

namespace newton_and_lbfgs_test {

using namespace linea;
using namespace linea::test;

namespace {

template <class O, class L, class P>
concept Minimises = detail::Takes<O, Objective<L, P>, Matrix<double>, Vector<double>>;
static_assert(!Minimises<Newton, Hinge, L2> && !Minimises<Lbfgs, Hinge, L2> &&
              !Minimises<Lbfgs, Absolute, L2> && !Minimises<Lbfgs, PerceptronLoss, L2>);
static_assert(!Minimises<Newton, Log, L1> && !Minimises<Newton, Log, ElasticNet> &&
              !Minimises<Lbfgs, Log, L1> && !Minimises<Lbfgs, Log, ElasticNet>);

/// Returns the status of a run that reaches its tolerance: converged if there is a bound, else
/// settled.
Status end_of(const Solution<double>& solution) {
  return solution.gap ? Status::converged : Status::settled;
}

}  // namespace

TEST_CASE("Newton and Lbfgs: the same minimum of every smooth loss", "[optimizers]") {
  const auto x = synthetic::features(200, 5, 3);
  for (const double lambda : {0.0, 1e-4, 0.1})
    for (const bool offset : {true, false})
      for_each_smooth_loss(x, [&](const auto& loss, const Vector<double>& y) {
        using L = std::remove_cvref_t<decltype(loss)>;
        const Objective<L, L2> objective{loss, L2{lambda}};
        const auto one = Newton{.tolerance = 1e-14, .offset = offset}.minimize(objective, x, y);
        const auto other = Lbfgs{.iterations = 5000, .tolerance = 1e-14, .offset = offset}.minimize(
            objective, x, y);
        INFO(name_of(loss) << " lambda " << lambda << " offset " << offset);
        CHECK(one.status == end_of(one));
        CHECK(other.status == end_of(other));
        CHECK(one.updates <= 25);
        CHECK_THAT(one.objective, WithinRel(other.objective, 1e-11));
        CHECK((one.weights - other.weights).norm() < 1e-5 * one.weights.norm());
        CHECK_THAT(one.offset, WithinAbs(other.offset, 1e-5));
        if (!offset) CHECK(one.offset == 0);
        for (const auto& solution : {one, other}) {
          CHECK_THAT(solution.objective,
                     WithinRel(objective_value(objective, x, y, solution.weights, solution.offset),
                               1e-12));
          CHECK(gradient_of(objective, solution, x, y, {}, offset).norm() < 1e-5);
          CHECK(solution.gap.has_value() == (lambda > 0 && (!offset || ConjugateLoss<L>)));
          if (solution.gap) {
            // The gap is accurate up to rounding.
            CHECK(*solution.gap + 1e-15 * solution.objective >=
                  solution.objective - std::min(one.objective, other.objective));
            CHECK(*solution.gap <= 1e-14 * solution.objective);
          }
        }
      });
}

TEST_CASE("Newton and Lbfgs: with floats F and gap are of the rounded weights", "[optimizers]") {
  Matrix<float> x = synthetic::features(150, 3, 4).cast<float>();
  x.col(1).array() += 1e5f;  // rounding the weight of this column changes every score
  const Vector<double> y = synthetic::signs(Matrix<double>(x.cast<double>()), 5);
  const Objective objective{Log{}, L2{1e-3}};
  for (const bool offset : {false, true})
    for_both(offset, 1e-9, [&](const std::string& name, const auto& optimizer) {
      INFO(name << " offset " << offset);
      const auto solution = optimizer.minimize(objective, x, y);
      const Vector<double> weights = solution.weights.template cast<double>();
      const double value = objective_value(objective, in_double(x), y, weights,
                                           static_cast<double>(solution.offset));
      CHECK_THAT(solution.objective, WithinRel(value, 1e-13));
      REQUIRE(solution.gap);
      CHECK(*solution.gap >=
            value - optimizer.minimize(objective, in_double(x), y).objective - 1e-13);
    });
}

TEST_CASE("Newton and Lbfgs: the same bits with any number of threads", "[optimizers]") {
  const auto x = synthetic::features(5000, 12, 11, 0.5);
  const auto sparse = synthetic::sparse(x);
  const Eigen::MatrixXd columns = x;
  const auto check = [&](const auto& loss, const Vector<double>& y) {
    for_both(true, 1e-6, [&](const std::string& name, auto optimizer) {
      INFO(name << " " << name_of(loss));
      const auto same = [&](const auto& samples) {
        const Objective objective{loss, L2{1e-3}};
        optimizer.threads = 1;
        const auto one = optimizer.minimize(objective, samples, y);
        for (const Index threads : {2, 7}) {
          optimizer.threads = threads;
          const auto other = optimizer.minimize(objective, samples, y);
          CHECK(one.weights == other.weights);
          CHECK(one.offset == other.offset);
          CHECK(one.objective == other.objective);
          CHECK(one.epochs == other.epochs);
        }
      };
      same(x);
      same(sparse);
      same(columns);
    });
  };
  check(Log{}, synthetic::signs(x, 2));
  check(Huber{0.7}, synthetic::numbers(x, 2));
}

TEST_CASE("Newton and Lbfgs: with tolerance 0 they run until the gradient is rounding error",
          "[optimizers]") {
  const Matrix<double> x{{0.5}, {-1.5}, {2}, {1}};
  const Vector<double> y{{1, -1, 1, -1}};
  for (const double lambda : {0.1, 0.0})
    test::for_both(true, 0, [&](const std::string& name, const auto& optimizer) {
      CAPTURE(name, lambda);
      const auto found = optimizer.minimize(Objective{Log{}, L2{lambda}}, x, y);
      CHECK(found.status <= Status::settled);
      CHECK(found.iterations < 60);
      double along_w = lambda * found.weights[0], along_b = 0;
      for (Index i = 0; i < 4; ++i) {
        const double score = found.weights[0] * x(i, 0) + found.offset;
        const double slope = -y[i] / (1 + std::exp(y[i] * score));
        along_w += slope * x(i, 0) / 4;
        along_b += slope / 4;
      }
      CHECK(std::abs(along_w) < 1e-15);
      CHECK(std::abs(along_b) < 1e-15);
    });
}

TEST_CASE("Newton and Lbfgs: a constant without loss is returned", "[optimizers]") {
  const Matrix<double> x = synthetic::features(20, 3, 5);
  const Vector<double> y = Vector<double>::Ones(20);
  for (const double lambda : {1e-14, 1e-3, 0.7})
    for_both(true, 1e-6, [&](const std::string& name, const auto& optimizer) {
      INFO(name << " lambda " << lambda);
      Extras<double> extras;
      extras.start_weights = Vector<double>::LinSpaced(3, 0.1, 0.7);
      extras.start_offset = 1e3;
      const auto solution = optimizer.minimize(Objective{SquaredHinge{}, L2{lambda}}, x, y, extras);
      CHECK(solution.objective == 0);
      CHECK(solution.gap == 0.0);
    });
}

TEST_CASE("Newton and Lbfgs: no bound exceeds the minimum after a start far from it",
          "[optimizers]") {
  int count = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed)
    for (const double size : {1e3, 1e8, 1e12}) {
      const auto x = synthetic::features(6, 3, seed);
      for_each_smooth_loss(x, [&](const auto& loss, const Vector<double>& y) {
        using L = std::remove_cvref_t<decltype(loss)>;
        INFO(name_of(loss) << " size " << size << " seed " << seed);
        const Objective<L, L2> objective{loss, L2{seed % 2 ? 0.01 : 100}};
        Extras<double> extras;
        extras.start_weights = size * synthetic::features(1, 3, seed + 9).row(0).transpose();
        const auto best =
            Newton{.tolerance = 1e-13, .offset = false}.minimize(objective, x, y).objective;
        const auto check = [&](const auto& optimizer) {
          const auto found = optimizer.minimize(objective, x, y, extras);
          if (!found.gap || !std::isfinite(found.objective)) return;
          ++count;
          CHECK(found.objective - *found.gap <= best * (1 + 1e-12));
        };
        check(Newton{.offset = false});
        check(Lbfgs{.offset = false});
      });
    }
  CHECK(count > 200);
}

TEST_CASE("Newton: a huge held score does not count as rounding", "[optimizers]") {
  // exp(48) is the mean of a Poisson model with the held score alone; its rounding is 1e5.
  const Matrix<double> x{{48, 1}, {50, 1.2}, {46, 0.9}, {49, 1.1}};
  const Vector<double> y{{3, 5, 2, 6}};
  const Objective objective{Composed{Poisson{}, Exponential{}},
                            PenaltyFactors<L2>{.penalty = {1e-3}, .offset_column = 0}};
  const auto found = Newton{.offset = false}.minimize(objective, x, y);
  CHECK(found.status == Status::converged);
  CHECK(found.is_proven(1e-6));
}

TEST_CASE("Lbfgs: refuses to remember no change", "[optimizers]") {
  const auto x = synthetic::features(9, 2, 4);
  CHECK_THROWS_WITH(Lbfgs{.memory = 0}.minimize(Objective{Log{}, L2{1}}, x, synthetic::signs(x, 5)),
                    "Lbfgs::minimize: a memory of 0 changes");
}

TEST_CASE("RememberedChanges: maps the last change of the gradient to its step", "[optimizers]") {
  detail::newton::RememberedChanges<> changes(2);
  const Matrix<double> steps = synthetic::features(4, 5, 11);
  const Eigen::MatrixXd root = synthetic::features(5, 5, 12);
  const Eigen::MatrixXd bend = root.transpose() * root + Eigen::MatrixXd::Identity(5, 5);
  Vector<double> direction;
  for (Index k = 0; k < 4; ++k) {
    const Vector<double> step = steps.row(k).transpose();
    REQUIRE(changes.add(step, bend * step));
    changes.find_direction(bend * step, direction, [](Vector<double>& v) { v *= 0.5; });
    CHECK((direction + step).norm() <= 1e-12 * step.norm());
  }
  CHECK(!changes.add(direction, -direction));
}

// Both have the overload of total_loss with one exponential a score.
static_assert(detail::samples::LogisticLoss<Log> &&
              detail::samples::LogisticLoss<SigmoidCrossEntropy> &&
              !detail::samples::LogisticLoss<Composed<CrossEntropy, Identity>> &&
              !detail::samples::LogisticLoss<Huber>);

TEST_CASE("total_loss: is as accurate as a sum of logistic losses of single scores",
          "[optimizers]") {
  const Vector<double> parts{{1, 2, 0, 0.5, 3}}, units{{0.1, -0.7, 0.9, 0.35, 1}};
  const auto check = [&](const auto& loss, const Vector<double>& y, double scale, bool weighted) {
    const Vector<double> p = scale * units;
    Vector<double> slopes(5), curvatures(5);
    const double sum =
        detail::samples::total_loss(loss, p.data(), y.data(), weighted ? parts.data() : nullptr, 5,
                                    slopes.data(), curvatures.data());
    double expected = 0;
    for (Index k = 0; k < 5; ++k) {
      expected += (weighted ? parts[k] : 1) * loss.value(p[k], y[k]);
      const double slope = loss.derivative(p[k], y[k]);
      const double curvature = loss.second_derivative(p[k], y[k]);
      CHECK_THAT(slopes[k], WithinRel(slope, 1e-14) || WithinAbs(slope, 1e-305));
      CHECK_THAT(curvatures[k], WithinRel(curvature, 1e-14) || WithinAbs(curvature, 1e-305));
    }
    CHECK_THAT(sum, WithinRel(expected, 1e-14));
  };
  const Vector<double> signs = units.cwiseSign(), chances{{0, 1, 0.25, 1, 0}};
  for (const double scale : {1e-3, 1.0, 30.0, 800.0})
    for (const bool weighted : {true, false}) {
      for (const double sign : {1.0, -1.0}) {
        check(Log{}, sign * signs, scale, weighted);
        check(SigmoidCrossEntropy{}, (1 + sign * signs.array()) / 2, scale, weighted);
      }
      check(SigmoidCrossEntropy{}, chances, scale, weighted);
    }
}

TEST_CASE("Newton: starts with some of many samples", "[optimizers]") {
  const auto x = synthetic::features(20000, 10, 26, 0.5);
  const auto sparse = synthetic::sparse(x);
  for_each_smooth_loss(x, [&](const auto& loss, const Vector<double>& y) {
    const Objective objective{loss, L2{1e-4}};
    INFO(name_of(loss));
    const Newton newton{.tolerance = 1e-12, .offset = true};
    const auto one = newton.minimize(objective, sparse, y);
    const auto other = Lbfgs{.tolerance = 1e-12}.minimize(objective, x, y);
    CHECK(one.status == Status::converged);
    CHECK(one.epochs <= 80);
    CHECK_THAT(one.objective, WithinRel(other.objective, 1e-10));
    CHECK((one.weights - other.weights).norm() < 1e-4 * other.weights.norm());
    auto threaded = newton;
    threaded.threads = 3;
    const auto same = threaded.minimize(objective, sparse, y);
    CHECK(one.weights == same.weights);
    CHECK(one.epochs == same.epochs);
  });
  // The rows are in a periodic order: every eighth row is of one class, and all others are of the
  // other class.
  Matrix<double> ordered = x;
  Vector<double> y(20000);
  for (Index i = 0; i < 20000; ++i) {
    y[i] = i % 8 == 0 ? 1 : -1;
    ordered(i, 0) = (i % 8 == 0 ? 20 : 1) * x(i, 1) + y[i];
  }
  const auto periodic = Newton{.tolerance = 1e-10}.minimize(Objective{Log{}, L2{1e-4}}, ordered, y);
  CHECK(periodic.status == Status::converged);
  CHECK(periodic.epochs <= 80);
}

}  // namespace newton_and_lbfgs_test
