// SPDX-License-Identifier: MIT
#include <Eigen/Cholesky>
#include <limits>
#include <linea/activations.hpp>
#include <linea/losses.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/penalties.hpp>
#include <string>
#include <vector>

#include "golden/smooth.hpp"
#include "support/catch.hpp"
#include "support/separable.hpp"
#include "support/shipped.hpp"
#include "support/synthetic.hpp"

using namespace linea;

namespace {

using PoissonOfExponential = Composed<Poisson, Exponential>;

Vector<double> counts(const Matrix<double>& x, std::uint64_t seed) {
  Random random(seed);
  Vector<double> y(x.rows());
  for (Index i = 0; i < x.rows(); ++i)
    y[i] = std::floor(3 * random.uniform() + std::exp(0.4 * x(i, 0)));
  return y;
}

Vector<double> shares(const Matrix<double>& x, std::uint64_t seed) {
  Random random(seed);
  Vector<double> y(x.rows());
  for (double& value : y) value = random.uniform() < 0.3 ? 1.0 : random.uniform();
  return y;
}

/// Calls f(loss, y) for losses with a continuous derivative and targets that fit x.
template <class F>
void for_each_smooth_loss(const Matrix<double>& x, const F& f) {
  f(Log{}, synthetic::signs(x, 2));
  f(SquaredHinge{}, synthetic::signs(x, 2));
  f(SmoothHinge{0.5}, synthetic::signs(x, 2));
  f(Squared{}, synthetic::numbers(x, 2));
  f(Huber{0.7}, synthetic::numbers(x, 2));
  f(PoissonOfExponential{}, counts(x, 2));
  f(SigmoidCrossEntropy{}, shares(x, 2));
}

/// Calls f(name, optimizer) for both, with these options.
template <class F>
void for_both(bool offset, double tolerance, const F& f) {
  f(std::string("Newton"), Newton{.offset = offset, .tolerance = tolerance});
  f(std::string("Lbfgs"), Lbfgs{.offset = offset, .tolerance = tolerance, .iterations = 5000});
}

/// ∇F by its definition, (w, b), or w without offset.
template <class L>
Vector<double> gradient_of(const Objective<L, L2>& objective, const Matrix<double>& x,
                           const Vector<double>& y, const Vector<double>& s,
                           const Vector<double>& theta, bool offset) {
  const Index d = x.cols();
  Vector<double> gradient = Vector<double>::Zero(theta.size());
  for (Index i = 0; i < x.rows(); ++i) {
    const double p = x.row(i).dot(theta.head(d)) + (offset ? theta[d] : 0);
    const double slope = s[i] / s.sum() * objective.loss.derivative(p, y[i]);
    gradient.head(d) += slope * x.row(i).transpose();
    if (offset) gradient[d] += slope;
  }
  gradient.head(d) += objective.penalty.lambda * theta.head(d);
  return gradient;
}

double gap_of(double value, double minimum) { return (value - minimum) / std::abs(minimum); }

template <class O, class L, class P>
concept Minimises = requires(const O& optimizer, const Objective<L, P>& objective,
                             const Matrix<double>& x, const Vector<double>& y) {
  optimizer.minimize(objective, x, y);
};
static_assert(Minimises<Newton, Log, L2> && Minimises<Newton, Log, NoPenalty> &&
              Minimises<Lbfgs, Log, L2> && Minimises<Lbfgs, Log, NoPenalty>);
static_assert(!Minimises<Newton, Hinge, L2> && !Minimises<Lbfgs, Hinge, L2> &&
              !Minimises<Lbfgs, Absolute, L2> && !Minimises<Lbfgs, PerceptronLoss, L2>);
static_assert(!Minimises<Newton, Log, L1> && !Minimises<Newton, Log, ElasticNet> &&
              !Minimises<Lbfgs, Log, L1> && !Minimises<Lbfgs, Log, ElasticNet>);

}  // namespace

TEST_CASE("SmoothObjective: value, gradient and curvature are those of the formula",
          "[optimizers]") {
  const auto x = synthetic::features(700, 7, 1, 0.6);
  Vector<double> s = Vector<double>::LinSpaced(700, 0, 3);
  for (const bool offset : {true, false})
    for (const bool weighted : {true, false})
      for_each_smooth_loss(x, [&](const auto& loss, const Vector<double>& y) {
        using L = std::remove_cvref_t<decltype(loss)>;
        const Objective<L, L2> objective{loss, L2{0.1}};
        smooth::SmoothObjective<L, Matrix<double>> problem(
            "test", objective, x, y, weighted ? s : Vector<double>{}, offset, 1);
        const Vector<double> weights = weighted ? s : Vector<double>::Ones(700);
        Vector<double> theta = Vector<double>::LinSpaced(problem.size(), -0.3, 0.5);
        typename smooth::SmoothObjective<L, Matrix<double>>::Samplewise at;
        at.slopes.resize(700);
        at.curvatures.resize(700);
        Vector<double> scores(700), gradient, image, products = Vector<double>::Zero(700);
        const double value = problem.evaluate_with_gradient(theta, scores, at, gradient);
        const double b = offset ? theta[7] : 0;
        INFO(name_of(loss) << " offset " << offset << " weighted " << weighted);
        CHECK_THAT(value, WithinRel(objective_value(objective, x, y, Vector<double>(theta.head(7)),
                                                    b, weighted ? s : Vector<double>{}),
                                    1e-13));
        CHECK((gradient - gradient_of(objective, x, y, weights, theta, offset)).norm() <
              1e-13 * (1 + gradient.norm()));

        const Vector<double> direction = Vector<double>::LinSpaced(problem.size(), 1, -0.7);
        const double h = 1e-6;
        const Vector<double> ahead =
            gradient_of(objective, x, y, weights, theta + h * direction, offset);
        const Vector<double> behind =
            gradient_of(objective, x, y, weights, theta - h * direction, offset);
        const typename smooth::SmoothObjective<L, Matrix<double>>::Line line{
            scores, scores, theta.head(7).squaredNorm(), theta.head(7).squaredNorm(),
            theta.head(7).squaredNorm()};
        problem.template evaluate<true>(line, 0, at);
        problem.find_curvature(direction, at.curvatures, 700, products, image);
        // A joint of the loss between ahead and behind may cost one sample's share.
        CHECK((image - (ahead - behind) / (2 * h)).norm() < 1e-2 * image.norm());
        if (!std::is_same_v<L, SquaredHinge> && !std::is_same_v<L, SmoothHinge> &&
            !std::is_same_v<L, Huber>)
          CHECK((image - (ahead - behind) / (2 * h)).norm() < 1e-7 * image.norm());

        // Along θ·(1 + t), for which no pass is needed.
        const auto there = problem.template evaluate<true>(line, 0.5, at);
        const auto further = problem.template evaluate<true>(line, 0.5 + h, at);
        const auto nearer = problem.template evaluate<true>(line, 0.5 - h, at);
        CHECK_THAT(there.value,
                   WithinRel(objective_value(objective, x, y, Vector<double>(1.5 * theta.head(7)),
                                             1.5 * b, weighted ? s : Vector<double>{}),
                             1e-13));
        CHECK_THAT(there.slope, WithinAbs((further.value - nearer.value) / (2 * h), 1e-7));
      });
}

TEST_CASE("SmoothObjective: log loss at many scores keeps the digits of one by one",
          "[optimizers]") {
  for (const double scale : {1e-3, 1.0, 30.0, 800.0})
    for (const double sign : {1.0, -1.0})
      for (const bool weighted : {true, false}) {
        smooth::ScoreBlock p(5), y(5), parts(5);
        p << 0.1, -0.7, 0.9, 0.35, 1;
        p *= scale;
        y = sign * p.sign();
        parts << 1, 2, 0, 0.5, 3;
        smooth::LossBlock at;
        double expected = 0;
        for (Index k = 0; k < 5; ++k)
          expected += (weighted ? parts[k] : 1) * Log{}.value(p[k], y[k]);
        const double total = smooth::total_loss<true>(Log{}, p, y, weighted ? &parts : nullptr, at);
        CHECK_THAT(total, WithinRel(expected, 1e-14));
        const smooth::ScoreBlock share = (1 + y) / 2;
        smooth::LossBlock other;
        CHECK_THAT(smooth::total_loss<true>(SigmoidCrossEntropy{}, p, share,
                                            weighted ? &parts : nullptr, other),
                   WithinRel(expected, 1e-14));
        for (Index k = 0; k < 5; ++k) {
          CHECK_THAT(at.slopes[k], WithinRel(Log{}.derivative(p[k], y[k]), 1e-14) ||
                                       WithinAbs(Log{}.derivative(p[k], y[k]), 1e-305));
          CHECK_THAT(at.curvatures[k], WithinRel(Log{}.second_derivative(p[k], y[k]), 1e-14) ||
                                           WithinAbs(Log{}.second_derivative(p[k], y[k]), 1e-305));
          CHECK_THAT(other.slopes[k], WithinRel(at.slopes[k], 1e-14));
          CHECK(other.curvatures[k] == at.curvatures[k]);
        }
      }
  const double nan_value = std::numeric_limits<double>::quiet_NaN();
  smooth::LossBlock at;
  const smooth::ScoreBlock p = smooth::ScoreBlock::Constant(3, nan_value);
  const smooth::ScoreBlock y = smooth::ScoreBlock::Ones(3);
  CHECK(std::isnan(smooth::total_loss<true>(Log{}, p, y, nullptr, at)));
  CHECK(std::isnan(smooth::total_loss<true>(SigmoidCrossEntropy{}, p, y, &y, at)));
}

TEST_CASE("Newton and Lbfgs: least squares as Ridge has them", "[optimizers]") {
  Matrix<double> x = synthetic::features(80, 6, 1);
  x.col(1) *= 100;
  x.col(2).array() += 5;
  const auto y = synthetic::numbers(x, 2);
  Extras<double> extras;
  for (const double lambda : {0.0, 0.1})
    for (const bool weighted : {false, true})
      for (const bool offset : {true, false})
        for_both(offset, 1e-18, [&](const std::string& name, const auto& optimizer) {
          INFO(name << " lambda " << lambda << " offset " << offset);
          const Objective objective{Squared{}, L2{lambda}};
          if (weighted) extras.sample_weights = Vector<double>::LinSpaced(80, 0.1, 4);
          const auto exact =
              Ridge{.offset = offset}.minimize(objective, x, y, extras.sample_weights);
          const auto solution = optimizer.minimize(objective, x, y, extras);
          CHECK(solution.status == Status::converged);
          CHECK((solution.weights - exact.weights).norm() < 1e-8 * exact.weights.norm());
          CHECK_THAT(solution.offset, WithinAbs(exact.offset, 1e-8));
          CHECK_THAT(solution.objective, WithinRel(exact.objective, 1e-12));
        });
}

TEST_CASE("Newton and Lbfgs: the same minimum of every smooth loss", "[optimizers]") {
  const auto x = synthetic::features(200, 5, 3);
  for (const double lambda : {0.0, 1e-4, 0.1})
    for (const bool offset : {true, false})
      for_each_smooth_loss(x, [&](const auto& loss, const Vector<double>& y) {
        using L = std::remove_cvref_t<decltype(loss)>;
        const Objective<L, L2> objective{loss, L2{lambda}};
        const auto one = Newton{.offset = offset, .tolerance = 1e-14}.minimize(objective, x, y);
        const auto other = Lbfgs{.offset = offset, .tolerance = 1e-14, .iterations = 5000}.minimize(
            objective, x, y);
        INFO(name_of(loss) << " lambda " << lambda << " offset " << offset);
        CHECK(one.status == Status::converged);
        CHECK(other.status == Status::converged);
        CHECK(one.updates <= 25);
        CHECK_THAT(one.objective, WithinRel(other.objective, 1e-11));
        CHECK((one.weights - other.weights).norm() < 1e-5 * one.weights.norm());
        CHECK_THAT(one.offset, WithinAbs(other.offset, 1e-5));
        if (!offset) CHECK(one.offset == 0);
        for (const auto& solution : {one, other}) {
          CHECK_THAT(solution.objective,
                     WithinRel(objective_value(objective, x, y, solution.weights, solution.offset),
                               1e-12));
          Vector<double> theta(offset ? 6 : 5);
          theta.head(5) = solution.weights;
          if (offset) theta[5] = solution.offset;
          CHECK(gradient_of(objective, x, y, Vector<double>::Ones(200), theta, offset).norm() <
                1e-5);
          CHECK(solution.gap.has_value() == (lambda > 0 && (!offset || ConjugateLoss<L>)));
          if (solution.gap) {
            CHECK(*solution.gap + 1e-15 * solution.objective >=  // which is known but to rounding
                  solution.objective - std::min(one.objective, other.objective));
            CHECK(*solution.gap <= 1e-14 * solution.objective);
          }
        }
      });
}

TEST_CASE("Newton and Lbfgs: the gap bounds how far F is above its minimum", "[optimizers]") {
  const auto x = synthetic::features(150, 8, 4);
  for (const bool offset : {false, true})
    for (const bool weighted : {false, true})
      for_each_smooth_loss(x, [&](const auto& loss, const Vector<double>& y) {
        const Objective objective{loss, L2{0.01}};
        Extras<double> extras;
        if (weighted) extras.sample_weights = Vector<double>::LinSpaced(150, 0, 4);
        const double least = Newton{.offset = offset, .tolerance = 1e-15}
                                 .minimize(objective, x, y, extras)
                                 .objective;
        for (const double tolerance : {10.0, 1.0, 1e-2, 1e-4})
          for_both(offset, tolerance, [&](const std::string& name, const auto& optimizer) {
            INFO(name << ", " << name_of(loss) << ", tolerance " << tolerance << ", offset "
                      << offset);
            const auto solution = optimizer.minimize(objective, x, y, extras);
            CHECK(solution.status == Status::converged);
            CHECK(solution.objective - least <= tolerance * solution.objective);
            if (!solution.gap && !ConjugateLoss<std::remove_cvref_t<decltype(loss)>>) return;
            REQUIRE(solution.gap);
            CHECK(*solution.gap <= tolerance * solution.objective);
            CHECK(*solution.gap >= solution.objective - least - 1e-15 * least);
          });
      });
}

TEST_CASE("Newton and Lbfgs: with float samples F and gap are those of the rounded weights",
          "[optimizers]") {
  Matrix<float> x = synthetic::features(150, 3, 4).cast<float>();
  x.col(1).array() += 1e5f;  // rounding its weight moves every score
  const Vector<float> y = synthetic::signs(Matrix<double>(x.cast<double>()), 5).cast<float>();
  const Objective objective{Log{}, L2{1e-3}};
  for (const bool offset : {false, true})
    for_both(offset, 1e-9, [&](const std::string& name, const auto& optimizer) {
      INFO(name << " offset " << offset);
      const auto solution = optimizer.minimize(objective, x, y);
      const Vector<double> weights = solution.weights.template cast<double>();
      const double value =
          objective_value(objective, in_double(x), Vector<double>(y.cast<double>()), weights,
                          static_cast<double>(solution.offset));
      CHECK_THAT(solution.objective, WithinRel(value, 1e-13));
      const double least =
          optimizer.minimize(objective, in_double(x), Vector<double>(y.cast<double>())).objective;
      REQUIRE(solution.gap);
      CHECK(*solution.gap >= value - least - 1e-13);
    });
}

TEST_CASE("Newton and Lbfgs: an observer is told the gap", "[optimizers]") {
  const auto x = synthetic::features(150, 8, 4);
  const auto y = synthetic::signs(x, 5);
  const Objective objective{Log{}, L2{1e-2}};
  const double least = Newton{.tolerance = 1e-15}.minimize(objective, x, y).objective;
  const double least_without =
      Newton{.offset = false, .tolerance = 1e-15}.minimize(objective, x, y).objective;
  for (const bool offset : {false, true})
    for_both(offset, 1e-12, [&](const std::string& name, const auto& optimizer) {
      INFO(name << " offset " << offset);
      const auto enough = optimizer.minimize(objective, x, y, [&](const Progress& progress) {
        CHECK(progress.gap >= progress.objective - (offset ? least : least_without) - 1e-15);
        return progress.gap < 1e-3 ? Control::stop : Control::proceed;
      });
      CHECK(enough.status == Status::stopped);
      REQUIRE(enough.gap);
      CHECK(*enough.gap < 1e-3);
    });
}

TEST_CASE("Newton and Lbfgs: with an offset the gap is known wherever a run ends", "[optimizers]") {
  const auto x = synthetic::features(150, 8, 4);
  const auto y = synthetic::signs(x, 5);
  const Objective objective{Log{}, L2{1e-3}};
  const double least = Newton{.tolerance = 1e-15}.minimize(objective, x, y).objective;
  for_both(true, 0.0, [&](const std::string& name, auto optimizer) {
    INFO(name);
    for (const Index iterations : {0, 1, 3}) {
      optimizer.iterations = iterations;
      const auto solution = optimizer.minimize(objective, x, y);
      CHECK(solution.status == Status::epoch_limit);
      REQUIRE(solution.gap);
      CHECK(*solution.gap >= solution.objective - least);
      CHECK(*solution.gap <= solution.objective);  // 0 is a bound, at the least
    }
    const auto stopped = optimizer.minimize(objective, x, y, [](const Progress& progress) {
      CHECK_FALSE(progress.gap < 0);
      return Control::stop;
    });
    CHECK(stopped.status == Status::stopped);
    REQUIRE(stopped.gap);
    CHECK(*stopped.gap >= stopped.objective - least);
    // One class alone: F is 0 at infinity, and no dual point but 0 is left.
    const Vector<double> ones = Vector<double>::Ones(150);
    const auto single = optimizer.minimize(objective, x, ones);
    REQUIRE(single.gap);
    CHECK(*single.gap >= 0);
  });
}

TEST_CASE("Newton and Lbfgs: minima of scikit-learn", "[optimizers]") {
  const auto& cancer = shipped::breast_cancer();
  const auto agree = [&](const auto& loss, const shipped::Set& set, double lambda, bool offset,
                         const std::vector<double>& weights, double b, double value,
                         double accuracy) {
    using L = std::remove_cvref_t<decltype(loss)>;
    const Objective<L, L2> objective{loss, L2{lambda}};
    const Vector<double> w =
        Eigen::Map<const Vector<double>>(weights.data(), static_cast<Index>(weights.size()));
    for_both(offset, 1e-13, [&](const std::string& name, const auto& optimizer) {
      INFO(name << " " << name_of(loss) << " lambda " << lambda << " offset " << offset);
      const auto solution = optimizer.minimize(objective, set.x, set.y);
      CHECK(solution.status == Status::converged);
      CHECK(gap_of(solution.objective, value) < 1e-12);
      CHECK(gap_of(solution.objective, value) > -accuracy);
      CHECK((solution.weights - w).norm() < 1e-4 * w.norm());
      CHECK_THAT(solution.offset, WithinAbs(b, 1e-4));
    });
  };
  using namespace golden;
  agree(Log{}, cancer, 1e-2, true, logistic_1e2_weights, logistic_1e2_offset, logistic_1e2, 1e-10);
  agree(Log{}, cancer, 1e-2, false, logistic_1e2_no_offset_weights, 0, logistic_1e2_no_offset,
        1e-10);
  agree(Log{}, cancer, 1e-4, true, logistic_1e4_weights, logistic_1e4_offset, logistic_1e4, 1e-10);
  agree(Log{}, cancer, 1e-4, false, logistic_1e4_no_offset_weights, 0, logistic_1e4_no_offset,
        1e-10);
  // LIBLINEAR's dual coordinate descent ends less near.
  agree(SquaredHinge{}, cancer, 1e-2, false, squared_hinge_1e2_no_offset_weights, 0,
        squared_hinge_1e2_no_offset, 1e-8);
  agree(PoissonOfExponential{}, shipped::diabetes(), 1e-1, true, poisson_1e1_weights,
        poisson_1e1_offset, poisson_1e1, 1e-8);
}

TEST_CASE("Newton and Lbfgs: weight k is k repeats, weight 0 is no sample", "[optimizers]") {
  const auto x = synthetic::features(60, 4, 5);
  Eigen::VectorXi repeats(60);
  for (Index i = 0; i < 60; ++i) repeats[i] = static_cast<int>(i % 4);
  Extras<double> extras;
  extras.sample_weights = repeats.cast<double>();
  for (const bool offset : {true, false})
    for_each_smooth_loss(x, [&](const auto& loss, Vector<double> y) {
      const Objective objective{loss, L2{0.01}};
      if (std::is_same_v<std::remove_cvref_t<decltype(loss)>, PoissonOfExponential>)
        y[0] = 1e300;  // a sample that is not there cannot spoil anything
      for_both(offset, 1e-15, [&](const std::string& name, const auto& optimizer) {
        INFO(name << " " << name_of(loss) << " offset " << offset);
        const auto weighted = optimizer.minimize(objective, x, y, extras);
        const auto repeated = optimizer.minimize(objective, synthetic::repeated(x, repeats),
                                                 synthetic::repeated(y, repeats));
        CHECK((weighted.weights - repeated.weights).norm() < 1e-6);
        CHECK_THAT(weighted.offset, WithinAbs(repeated.offset, 1e-6));
        CHECK_THAT(weighted.objective, WithinRel(repeated.objective, 1e-12));
      });
    });
}

TEST_CASE("Newton and Lbfgs: a constant added to a feature moves the offset only", "[optimizers]") {
  const auto x = synthetic::features(120, 4, 6);
  Matrix<double> shifted = x;
  shifted.col(1).array() += 30;
  for_each_smooth_loss(x, [&](const auto& loss, const Vector<double>& y) {
    const Objective objective{loss, L2{0.01}};
    for_both(true, 1e-14, [&](const std::string& name, const auto& optimizer) {
      INFO(name << " " << name_of(loss));
      const auto one = optimizer.minimize(objective, x, y);
      const auto other = optimizer.minimize(objective, shifted, y);
      CHECK(other.status == Status::converged);
      CHECK((one.weights - other.weights).norm() < 1e-5);
      CHECK_THAT(other.offset + 30 * other.weights[1], WithinAbs(one.offset, 1e-4));
      CHECK_THAT(other.objective, WithinRel(one.objective, 1e-10));
    });
  });
}

TEST_CASE("Newton and Lbfgs: flipped labels flip every sign", "[optimizers]") {
  const auto x = synthetic::features(120, 4, 7);
  const auto y = synthetic::signs(x, 8);
  for_both(true, 1e-6, [&](const std::string& name, const auto& optimizer) {
    INFO(name);
    const auto one = optimizer.minimize(Objective{Log{}, L2{0.01}}, x, y);
    const auto other = optimizer.minimize(Objective{Log{}, L2{0.01}}, x, Vector<double>(-y));
    CHECK(one.weights == -other.weights);
    CHECK(one.offset == -other.offset);
    CHECK(one.objective == other.objective);
  });
}

TEST_CASE("Newton and Lbfgs: float, sparse, column-major and strided samples agree",
          "[optimizers]") {
  const auto x = synthetic::features<float>(3000, 9, 9, 0.4);
  const auto y = synthetic::signs(x, 10);
  const Matrix<double> wide = x.cast<double>();
  const Vector<double> targets = y.cast<double>();
  for (const bool offset : {true, false})
    for_both(offset, 1e-12, [&](const std::string& name, const auto& optimizer) {
      INFO(name << " offset " << offset);
      const Objective objective{Log{}, L2{1e-3}};
      const auto best = optimizer.minimize(objective, wide, targets);
      const auto agrees = [&](const auto& solution, double accuracy) {
        CHECK(solution.status == Status::converged);
        CHECK((solution.weights.template cast<double>() - best.weights).norm() <
              accuracy * best.weights.norm());
        CHECK_THAT(static_cast<double>(solution.offset), WithinAbs(best.offset, accuracy));
        CHECK_THAT(solution.objective, WithinRel(best.objective, 1e-12));
      };
      const Eigen::MatrixXd columns = wide;
      const Eigen::MatrixXf small_columns = x;
      const SparseMatrix<double> sparse = synthetic::sparse(wide);
      const SparseMatrix<float> small_sparse = synthetic::sparse(x);
      Eigen::MatrixXd spaced(6000, 18);
      spaced.setConstant(std::numeric_limits<double>::quiet_NaN());
      const Eigen::Map<Eigen::MatrixXd, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>> strided(
          spaced.data(), 3000, 9, {12000, 2});
      const_cast<Eigen::Map<Eigen::MatrixXd, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>&>(
          strided) = wide;
      agrees(optimizer.minimize(objective, columns, targets), 1e-8);
      agrees(optimizer.minimize(objective, sparse, targets), 1e-8);
      agrees(optimizer.minimize(objective, strided, targets), 1e-8);
      agrees(optimizer.minimize(objective, in_double(x), targets), 1e-8);
      agrees(optimizer.minimize(objective, in_double(small_columns), targets), 1e-8);
      agrees(optimizer.minimize(objective, in_double(small_sparse), targets), 1e-8);
      agrees(optimizer.minimize(objective, wide.array(), targets), 1e-8);
      agrees(optimizer.minimize(objective, x, y), 1e-6);
      agrees(optimizer.minimize(objective, small_columns, y), 1e-6);
      agrees(optimizer.minimize(objective, small_sparse, y), 1e-6);
    });
}

TEST_CASE("Newton and Lbfgs: the same bits with any number of threads", "[optimizers]") {
  const auto x = synthetic::features(5000, 12, 11, 0.5);
  const auto sparse = synthetic::sparse(x);
  const Eigen::MatrixXd columns = x;
  for_each_smooth_loss(x, [&](const auto& loss, const Vector<double>& y) {
    const Objective objective{loss, L2{1e-3}};
    for_both(true, 1e-6, [&](const std::string& name, auto optimizer) {
      INFO(name << " " << name_of(loss));
      const auto same = [&](const auto& samples) {
        optimizer.threads = 1;
        const auto one = optimizer.minimize(objective, samples, y);
        for (const Index threads : {2, 3, 7}) {
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
  });
}

TEST_CASE("Newton and Lbfgs: features of very different size cost little", "[optimizers]") {
  Matrix<double> x = synthetic::features(300, 6, 12);
  const auto y = synthetic::signs(x, 13);
  const Objective objective{Log{}, NoPenalty{}};
  for_both(true, 1e-10, [&](const std::string& name, const auto& optimizer) {
    INFO(name);
    const auto plain = optimizer.minimize(objective, x, y);
    Matrix<double> scaled = x;
    const Vector<double> sizes{{1e-4, 1, 1e4, 1e2, 1e-2, 1e6}};
    scaled = x * sizes.asDiagonal();
    const auto solution = optimizer.minimize(objective, scaled, y);
    CHECK(solution.status == Status::converged);
    CHECK_THAT(solution.objective, WithinRel(plain.objective, 1e-9));
    CHECK(solution.epochs <= 2 * plain.epochs);
  });
}

TEST_CASE("Newton and Lbfgs: separable samples without penalty have no minimum of log loss",
          "[optimizers]") {
  const auto set = synthetic::separable(100, 4, 0.2, 14);
  for (const bool offset : {true, false})
    for_both(offset, 1e-6, [&](const std::string& name, auto optimizer) {
      INFO(name << " offset " << offset);
      optimizer.iterations = 2000;
      const auto solution = optimizer.minimize(Objective{Log{}, NoPenalty{}}, set.x, set.y);
      if (offset || solution.objective < 0.01) {
        CHECK(solution.status == Status::epoch_limit);
        CHECK(solution.objective < 1e-6);
      }
      CHECK(solution.weights.allFinite());
      CHECK_FALSE(solution.gap);
      // The squared hinge has one, and reaches it.
      const auto hinge = optimizer.minimize(Objective{SquaredHinge{}, NoPenalty{}}, set.x, set.y);
      CHECK(hinge.status == Status::converged);
      if (offset) CHECK(hinge.objective == 0);
    });
}

TEST_CASE("Newton and Lbfgs: Poisson loss far from its start", "[optimizers]") {
  const auto x = synthetic::features(200, 3, 15);
  Vector<double> y(200);
  for (Index i = 0; i < 200; ++i) y[i] = std::round(std::exp(4 * x(i, 0) - 3 * x(i, 1)));
  const Objective objective{PoissonOfExponential{}, NoPenalty{}};
  for_both(true, 1e-12, [&](const std::string& name, const auto& optimizer) {
    INFO(name);
    const auto solution = optimizer.minimize(objective, x, y);
    CHECK(solution.status == Status::converged);
    CHECK_THAT(solution.weights[0], WithinAbs(4, 0.1));
    CHECK_THAT(solution.weights[1], WithinAbs(-3, 0.1));
    // From where the mean is far too small, a full step of Newton's overflows.
    Extras<double> far;
    far.start_weights = Vector<double>::Zero(3);
    far.start_offset = -30;
    const auto other = optimizer.minimize(objective, x, y, far);
    CHECK(other.status == Status::converged);
    CHECK_THAT(other.objective, WithinRel(solution.objective, 1e-9));
    far.start_offset = 800;
    const auto lost = optimizer.minimize(objective, x, y, far);
    CHECK(lost.status == Status::diverged);
    CHECK(lost.weights.allFinite());
  });
}

TEST_CASE("Newton and Lbfgs: where the loss is flat at the start", "[optimizers]") {
  const auto x = synthetic::features(50, 3, 16);
  const Vector<double> y = 100 * synthetic::signs(x, 17);
  for (const bool offset : {true, false})
    for_both(offset, 1e-10, [&](const std::string& name, auto optimizer) {
      INFO(name << " offset " << offset);
      const Objective objective{Huber{1}, L2{1e-6}};
      const auto solution = optimizer.minimize(objective, x, y);
      CHECK(solution.status == Status::converged);
      const double least = Lbfgs{.offset = offset, .memory = 30, .tolerance = 1e-13}
                               .minimize(objective, x, y)
                               .objective;
      CHECK_THAT(solution.objective, WithinRel(least, 1e-9));
    });
  // All satisfied: nothing to do.
  const auto set = synthetic::separable(40, 3, 0.3, 18);
  Extras<double> there;
  there.start_weights =
      Newton{}.minimize(Objective{SquaredHinge{}, NoPenalty{}}, set.x, set.y).weights;
  for_both(false, 1e-6, [&](const std::string& name, const auto& optimizer) {
    INFO(name);
    const Matrix<double> zero = Matrix<double>::Zero(4, 2);
    const Vector<double> y4{{1, -1, 1, 1}};
    const auto nothing = optimizer.minimize(Objective{Log{}, NoPenalty{}}, zero, y4);
    CHECK(nothing.status == Status::converged);
    CHECK(nothing.weights.isZero(0));
    CHECK(nothing.updates == 0);
  });
}

TEST_CASE("Newton and Lbfgs: one class only", "[optimizers]") {
  const auto x = synthetic::features(30, 3, 19);
  const Vector<double> y = Vector<double>::Ones(30);
  for_both(true, 1e-6, [&](const std::string& name, const auto& optimizer) {
    INFO(name);
    const auto solution = optimizer.minimize(Objective{Log{}, L2{0.1}}, x, y);
    CHECK(solution.status == Status::epoch_limit);  // b grows for ever
    CHECK(solution.objective < 1e-10);
    CHECK(solution.weights.allFinite());
  });
}

TEST_CASE("Newton and Lbfgs: a warm start at the minimum stays there", "[optimizers]") {
  const auto x = synthetic::features(100, 5, 20);
  const auto y = synthetic::signs(x, 21);
  const Objective objective{Log{}, L2{0.01}};
  for_both(true, 1e-12, [&](const std::string& name, auto optimizer) {
    INFO(name);
    const auto cold = optimizer.minimize(objective, x, y);
    optimizer.tolerance = 1e-6;
    const auto warm = optimizer.minimize(
        objective, x, y, {.start_weights = cold.weights, .start_offset = cold.offset});
    CHECK(warm.updates == 0);
    CHECK(warm.status == Status::converged);
    CHECK(warm.weights == cold.weights);
    CHECK(warm.offset == cold.offset);
    CHECK(warm.epochs <= 4);  // scores, ∇F, mean squares, the proof
  });
}

TEST_CASE("Newton and Lbfgs: an observer sees every iteration and may stop the run",
          "[optimizers]") {
  const auto x = synthetic::features(100, 5, 22);
  const auto y = synthetic::signs(x, 23);
  const Objective objective{Log{}, L2{0.01}};
  for_both(true, 1e-10, [&](const std::string& name, auto optimizer) {
    INFO(name);
    std::vector<double> seen;
    const auto all = optimizer.minimize(objective, x, y, [&](const Progress& progress) {
      CHECK(progress.epoch == static_cast<Index>(seen.size()) + 1);
      CHECK(progress.step_size > 0);
      CHECK(progress.change > 0);
      if (!seen.empty()) CHECK(progress.objective <= seen.back() * (1 + 1e-14));
      seen.push_back(progress.objective);
    });
    CHECK(all.status == Status::converged);
    CHECK(all.updates == static_cast<Index>(seen.size()));
    CHECK(all.objective == seen.back());
    const auto two = optimizer.minimize(objective, x, y, [](const Progress& progress) {
      return progress.epoch == 2 ? Control::stop : Control::proceed;
    });
    CHECK(two.status == Status::stopped);
    CHECK(two.updates == 2);
    CHECK(two.objective == seen[1]);
    optimizer.iterations = 2;
    const auto limited = optimizer.minimize(objective, x, y);
    CHECK(limited.status == Status::epoch_limit);
    CHECK(limited.weights == two.weights);
    optimizer.iterations = 0;
    const auto none = optimizer.minimize(objective, x, y);
    CHECK(none.status == Status::epoch_limit);
    CHECK(none.updates == 0);
    CHECK(none.weights.isZero(0));
    CHECK(none.objective <= std::log(2.0));
  });
}

TEST_CASE("Newton and Lbfgs: wrong input is refused", "[optimizers]") {
  const double nan_value = std::numeric_limits<double>::quiet_NaN();
  const auto x = synthetic::features(6, 3, 24);
  const auto y = synthetic::signs(x, 25);
  const Objective objective{Log{}, L2{0.1}};
  for_both(true, 1e-6, [&](const std::string& name, const auto& optimizer) {
    const std::string function = name + "::minimize";
    const auto refused = [&](const std::string& message, const auto& samples,
                             const Vector<double>& targets, const Extras<double>& extras) {
      REQUIRE_THROWS_AS(optimizer.minimize(objective, samples, targets, extras),
                        std::invalid_argument);
      REQUIRE_THROWS_WITH(optimizer.minimize(objective, samples, targets, extras),
                          function + message);
    };
    refused(": x has 6 rows but y has 3", x, y.head(3), {});
    refused(": x is empty (0 x 3)", Matrix<double>(0, 3), Vector<double>(0), {});
    refused(": y(0) = 0.5 is no target of log, which takes -1 or +1", x,
            Vector<double>::Constant(6, 0.5), {});
    refused(": 5 sample weights but y has 6", x, y, {.sample_weights = Vector<double>::Ones(5)});
    refused(": 4 start weights for 3 features", x, y, {.start_weights = Vector<double>::Ones(4)});
    Matrix<double> bad = x;
    bad(4, 2) = nan_value;
    refused(": x(4, 2) is not finite", bad, y, {});
    REQUIRE_THROWS_WITH(optimizer.minimize(Objective{Log{}, L2{-1}}, x, y),
                        function + ": the penalty's lambda = -1 must be finite and >= 0");
    auto wrong = optimizer;
    wrong.tolerance = -1;
    REQUIRE_THROWS_WITH(wrong.minimize(objective, x, y), function + ": tolerance = -1 is not >= 0");
    wrong = optimizer;
    wrong.iterations = -1;
    REQUIRE_THROWS_WITH(wrong.minimize(objective, x, y), function + ": -1 iterations");
    wrong = optimizer;
    wrong.threads = 0;
    REQUIRE_THROWS_WITH(wrong.minimize(objective, x, y),
                        function + ": 0 threads, but from 1 to 1024 can be had");
  });
  REQUIRE_THROWS_WITH(Lbfgs{.memory = 0}.minimize(objective, x, y),
                      "Lbfgs::minimize: a memory of 0 changes");
}

TEST_CASE("search_line: ends where F has fallen enough and is flat enough", "[optimizers]") {
  const numerics::WolfeConditions strict{1e-4, 0.1};
  const auto search = [&](auto value, auto slope, double first) {
    Index points = 0;
    const numerics::LinePoint start{0, value(0.0), slope(0.0)};
    double last = -1;
    const auto end = numerics::search_line(start, first, strict, [&](double t) {
      ++points;
      last = t;
      return numerics::LinePoint{t, value(t), slope(t)};
    });
    CHECK(last == end.step);
    CHECK(strict.hold(start, end));
    CHECK(points <= 40);
  };
  for (const double first : {1e-6, 1.0, 1e6}) {
    search([](double t) { return (t - 3) * (t - 3); }, [](double t) { return 2 * (t - 3); }, first);
    search([](double t) { return std::exp(t) - 7 * t; }, [](double t) { return std::exp(t) - 7; },
           first);
    search([](double t) { return -std::log(5 - t) - 2 * t; },
           [](double t) { return 1 / (5 - t) - 2; }, first);
    search([](double t) { return std::cos(t + 0.1); }, [](double t) { return -std::sin(t + 0.1); },
           first);
  }
  // The slope lies: no point is lower.
  const auto none = numerics::search_line({0, 1, -1}, 1, {}, [](double t) {
    return numerics::LinePoint{t, 1 + t, -1};
  });
  CHECK(none.step == 0);
}

TEST_CASE("Newton: many samples, of which it may begin with some", "[optimizers]") {
  const auto x = synthetic::features(20000, 10, 26, 0.5);
  const auto sparse = synthetic::sparse(x);
  for_each_smooth_loss(x, [&](const auto& loss, const Vector<double>& y) {
    const Objective objective{loss, L2{1e-4}};
    INFO(name_of(loss));
    const Newton newton{.offset = true, .tolerance = 1e-12};
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
  // Samples in an order that meets every eighth of them: one class there, the other elsewhere.
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

TEST_CASE("Newton and Lbfgs: a loss that is not convex has no gap", "[optimizers]") {
  const auto x = synthetic::features(100, 3, 27);
  const auto y = shares(x, 28);
  const Objective objective{Composed{Squared{}, Sigmoid{}}, L2{1e-3}};
  for (const bool offset : {true, false})
    for_both(offset, 1e-9, [&](const std::string& name, const auto& optimizer) {
      INFO(name << " offset " << offset);
      Extras<double> flat;
      flat.start_weights = Vector<double>::Constant(3, 8);  // where ℓ″ < 0 for many
      const auto solution = optimizer.minimize(objective, x, y, flat);
      CHECK_FALSE(solution.gap);
      CHECK(solution.status == Status::converged);
      CHECK(solution.objective < objective_value(objective, x, y, flat.start_weights, 0.0));
    });
}
