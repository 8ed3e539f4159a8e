// SPDX-License-Identifier: MIT
// Corners: what a fault that is easy to make would change, and little else.
#include <algorithm>
#include <cmath>
#include <limits>
#include <linea/losses.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers.hpp>
#include <linea/orders/cyclic.hpp>
#include <linea/orders/with_replacement.hpp>
#include <linea/orders/working_sets.hpp>
#include <linea/penalties.hpp>
#include <linea/step_sizes/automatic.hpp>
#include <linea/step_sizes/constant.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"
#include "support/visits.hpp"
using namespace linea;

TEST_CASE("Sgd: the best iterate is never worse than a warm start, without retries too",
          "[optimizers]") {
  const auto x = synthetic::features(200, 4, 1);
  const auto y = synthetic::numbers(x, 2);
  const Objective o{Squared{}, L2{0.05}};
  const auto e = Ridge{}.minimize(o, x, y);
  const auto s = BasicSgd<ConstantStep>{.epochs = 3, .step = {0.05}, .retries = 0}.minimize(
      o, x, y, {.start_weights = e.weights, .start_offset = e.offset});
  REQUIRE(s.weights == e.weights);
}

TEST_CASE("Sgd: averaging from beyond the last epoch averages the last epoch", "[optimizers]") {
  const auto x = synthetic::features(50, 3, 1);
  const auto y = synthetic::signs(x, 2);
  Sgd sgd{.epochs = 3, .tolerance = 0, .iterate = Iterate::average, .average_from = 3};
  const auto a = sgd.minimize(Objective{Log{}, L2{0.1}}, x, y);
  sgd.average_from = 10;
  REQUIRE(sgd.minimize(Objective{Log{}, L2{0.1}}, x, y).weights == a.weights);
}

TEST_CASE("Sgd: what an observer is told of steps, updates, restarts and visits is so",
          "[optimizers]") {
  const auto x = synthetic::features(200, 4, 6);
  const auto y = synthetic::numbers(x, 7);
  double step = 30;
  Index restarts = 0;
  Index moved = 0;
  const auto s = BasicSgd<ConstantStep>{.epochs = 30, .tolerance = 0, .step = {30}}.minimize(
      Objective{Squared{}, L2{0.01}}, x, y, [&](const Progress& p) {
        REQUIRE(p.step_size == step);
        if (p.restarts > restarts) {
          step /= 4;
          restarts = p.restarts;
          REQUIRE(p.objective == p.best_objective);
        }
        REQUIRE(p.updates == 200 * p.epoch);
        moved = p.mistakes;
      });
  REQUIRE(restarts > 0);
  REQUIRE(s.restarts == restarts);
  REQUIRE(moved > 0);
}

TEST_CASE("Pegasos: a last iterate ten times above the start is reported and not returned",
          "[optimizers]") {
  const Matrix<double> x = Matrix<double>::Ones(1, 1);
  const Vector<double> y = Vector<double>::Ones(1);
  const auto s = Pegasos{.epochs = 1, .offset = false, .iterate = Iterate::last}.minimize(
      Objective{Hinge{}, L2{0.01}}, x, y);
  REQUIRE(s.status == Status::diverged);
  REQUIRE(s.iterate == Iterate::best);
  REQUIRE(s.weights[0] == 0);
}

TEST_CASE("Sgd: the tolerance is relative: the unit of y does not change when a run stops",
          "[optimizers]") {
  const auto x = synthetic::features(100, 3, 1);
  const auto y = synthetic::numbers(x, 2);
  const BasicSgd<ConstantStep> sgd{.epochs = 500, .tolerance = 1e-3, .step = {0.001}};
  const auto a = sgd.minimize(Objective{Squared{}, NoPenalty{}}, x, y);
  const auto b = sgd.minimize(Objective{Squared{}, NoPenalty{}}, x, Vector<double>(y / 1024));
  REQUIRE(a.status == Status::converged);
  REQUIRE(b.epochs == a.epochs);
}

TEST_CASE("Sgd: starts at the weighted mean of the targets", "[optimizers]") {
  const auto x = synthetic::features(3, 2, 1);
  const Eigen::Vector3d y(1, 2, 9);
  const auto s = Sgd{.epochs = 0}.minimize(Objective{Squared{}, L2{0.1}}, x, y,
                                           {.sample_weights = Eigen::Vector3d(2, 1, 1)});
  REQUIRE_THAT(s.offset, WithinAbs(3.25, 1e-12));
}

TEST_CASE("Sgd: a batch longer than what is left takes the mean of what is left", "[optimizers]") {
  const auto x = synthetic::features(2, 2, 1);
  const Eigen::Vector2d y(1, -1);
  BasicSgd<ConstantStep, Cyclic> sgd{
      .epochs = 1, .step = {0.1}, .batch = 2, .iterate = Iterate::last};
  const auto a = sgd.minimize(Objective{Squared{}, L2{0.1}}, x, y);
  sgd.batch = 5;
  REQUIRE(sgd.minimize(Objective{Squared{}, L2{0.1}}, x, y).weights == a.weights);
}

TEST_CASE("Perceptron: a fraction of a weight is a shorter presentation, and counts as much",
          "[optimizers]") {
  Matrix<double> x(2, 1);
  x << 1, -1;
  const Eigen::Vector2d y(1, 1);
  const Extras<double> e{.sample_weights = Eigen::Vector2d(0.5, 0.25)};
  // w = 0.5 for 0.5 presentations, then 0.25 for 0.25: the mean is 5/12.
  REQUIRE(Perceptron{.epochs = 1, .offset = false}.fit(x, y, e).weights[0] == 0.25);
  REQUIRE_THAT((Perceptron{.epochs = 1, .average = true, .offset = false}.fit(x, y, e).weights[0]),
               WithinRel(5.0 / 12, 1e-14));
}

TEST_CASE("Learner: a sample of weight k is a step k times as long", "[optimizers]") {
  const Objective o{Squared{}, NoPenalty{}};
  auto a = BasicSgd<ConstantStep>{.step = {0.1}}.start<double>(o, 1);
  a.update(Vector<double>(Vector<double>::Ones(1)), 1.0, 3.0);
  REQUIRE_THAT(a.solution().weights[0], WithinRel(0.3, 1e-15));
}

TEST_CASE("Learner: the automatic step knows the largest sample so far, from batches too",
          "[optimizers]") {
  const Objective o{Log{}, NoPenalty{}};
  auto a = Sgd{}.start<double>(o, 1);
  auto b = Sgd{}.start<double>(o, 1);
  for (const double v : {100.0, 1.0, 1.0}) {
    Matrix<double> x(1, 1);
    x << v;
    const double before = a.step_size();
    a.update(x.row(0), 1);
    b.update_batch(x, Vector<double>::Ones(1));
    REQUIRE(a.step_size() < before);
    REQUIRE(a.solution().weights == b.solution().weights);
  }
}

TEST_CASE("Ridge: a constant column tells nothing in a sparse matrix and in the dual form",
          "[optimizers]") {
  for (const auto& [n, d] : {std::pair<Index, Index>{30, 4}, {5, 12}}) {
    Matrix<double> x = synthetic::features(n, d, 1);
    x.col(2).setConstant(0.1);
    const auto y = synthetic::numbers(x, 2);
    for (const double lambda : {0.0, 1e-12, 0.1}) {
      const Objective o{Squared{}, L2{lambda}};
      const auto dense = Ridge{}.minimize(o, x, y);
      const auto sparse = Ridge{}.minimize(o, synthetic::sparse(x), y);
      CHECK(std::abs(dense.weights[2]) < 1e-14);
      CHECK(std::abs(sparse.weights[2]) < 1e-14);
      CHECK((dense.weights - sparse.weights).norm() < 1e-10 * (1 + dense.weights.norm()));
    }
  }
}

TEST_CASE("Perceptron: starts where it is told, offset and all", "[optimizers]") {
  const auto x = synthetic::features(9, 2, 1);
  const auto s = Perceptron{.epochs = 0}.fit(
      x, synthetic::signs(x, 2), {.start_weights = Eigen::Vector2d(1, 2), .start_offset = 3});
  REQUIRE(s.offset == 3);
}

TEST_CASE("WorkingSets: the last set, shorter than the others, is shuffled too", "[optimizers]") {
  Random random(1);
  const Sequence s = visits_of(WorkingSets{800, 1600}, 500, 8, random);
  REQUIRE_FALSE(std::is_sorted(s.end() - 100, s.end()));
}
namespace {
struct Same {
  template <class W>
  double value(const Eigen::MatrixBase<W>&) const {
    return 0;
  }
  double proximal(double v, double) const { return v; }
};
}  // namespace

TEST_CASE("ProximalWeights: the average counts steps as told", "[optimizers]") {
  const Matrix<double> x = Matrix<double>::Ones(1, 1);
  loop::ProximalWeights<double, Same> w(Vector<double>::Zero(1), 0, {});
  w.average(true);
  w.add(rows_of(x), 0, 1.0);
  w.finish({}, 0, 1);
  w.add(rows_of(x), 0, 1.0);
  w.finish({}, 0, 3);
  REQUIRE(w.average_weights()[0] == 1.75);
}

TEST_CASE("Learner: says that its answer is an average", "[optimizers]") {
  auto l = Sgd{.iterate = Iterate::average}.start<double>(Objective{Log{}, L2{0.1}}, 1);
  l.update(Vector<double>(Vector<double>::Ones(1)), 1);
  REQUIRE(l.solution().iterate == Iterate::average);
}

TEST_CASE("Pegasos: minimize projects on the ball of radius 1/sqrt(lambda)", "[optimizers]") {
  const Matrix<double> x = Matrix<double>::Constant(1, 1, 10);
  const auto s =
      Pegasos{.epochs = 1, .offset = false, .project = true, .iterate = Iterate::last}.minimize(
          Objective{Hinge{}, L2{1}}, x, Vector<double>::Ones(1));
  REQUIRE_THAT(s.weights[0], WithinRel(1.0, 1e-14));
}

TEST_CASE("ScaledWeights: the tracked norm knows the start and a shrink by 0", "[optimizers]") {
  const Matrix<double> x = Matrix<double>::Ones(1, 1);
  loop::ScaledWeights<double> w(Vector<double>::Constant(1, 3), 0, 1);
  w.finish({}, 0, 1);
  REQUIRE(w.weights()[0] == 1);
  w.shrink(rows_of(x), {.shrink = 0});
  w.add(rows_of(x), 0, 0.5);
  w.finish({}, 0, 1);
  w.complete(rows_of(x));
  REQUIRE(w.weights()[0] == 0.5);
}

TEST_CASE("Ridge: normal equations whose matrix lost digits are still solved to the last",
          "[optimizers]") {
  Matrix<double> x = synthetic::features(50, 4, 1);
  x.col(1) = x.col(0) + 1e-3 * x.col(1);
  const Eigen::Vector4d w(1, 2, 3, 4);
  const auto s = Ridge{}.minimize(Objective{Squared{}, NoPenalty{}}, x, Vector<double>(x * w));
  REQUIRE(s.factorization == Factorization::cholesky);
  REQUIRE((s.weights - w).norm() < 1e-12);
}

TEST_CASE("AutomaticStep: knows curvature, epoch in steps, and the size of features",
          "[optimizers]") {
  auto l = Sgd{}.start<double>(Objective{SmoothHinge{0.01}, NoPenalty{}}, 1);
  l.update(Vector<double>(Vector<double>::Ones(1)), 1);
  REQUIRE_THAT(l.step_size(), WithinRel(1 / (100 * 2 * std::sqrt(1.001)), 1e-12));
  const Matrix<double> x = 2 * Matrix<double>::Ones(100, 3);
  auto b = Sgd{.batch = 10}.start<double>(Objective{Squared{}, NoPenalty{}}, 3);
  b.epoch(x, Vector<double>::LinSpaced(100, 0, 1));
  const auto& step = b.rule().step_size;
  REQUIRE(step.horizon == 10);
  REQUIRE(step.offset_scale == 4);
  REQUIRE(step.offset_step(3) == 4 * step(3));
}

TEST_CASE("Ridge: a large constant column is dropped, whatever form and layout", "[optimizers]") {
  for (const auto& [n, d] : {std::pair<Index, Index>{30, 4}, {5, 12}}) {
    Matrix<double> x = synthetic::features(n, d, 1);
    x.col(2).setZero();
    const auto y = synthetic::numbers(x, 2);
    for (const double lambda : {0.0, 0.1}) {
      const Objective o{Squared{}, L2{lambda}};
      x.col(2).setZero();
      const auto without = Ridge{}.minimize(o, x, y);
      x.col(2).setConstant(1e8 + 0.1);
      const auto dense = Ridge{}.minimize(o, x, y);
      const auto sparse = Ridge{}.minimize(o, synthetic::sparse(x), y);
      CHECK((dense.weights - without.weights).norm() < 1e-9);
      CHECK((sparse.weights - without.weights).norm() < 1e-9);
      CHECK(dense.rank == without.rank);
      CHECK_THAT(dense.offset, WithinAbs(without.offset, 1e-6));
    }
  }
}

TEST_CASE("Sgd: five epochs above a warm start roll it back to the start, once", "[optimizers]") {
  const auto x = synthetic::features(200, 4, 1);
  const auto y = synthetic::numbers(x, 2);
  const Objective o{Squared{}, L2{0.05}};
  const auto e = Ridge{}.minimize(o, x, y);
  const double start = objective_value(o, x, y, e.weights, e.offset);
  const auto s = BasicSgd<ConstantStep>{.epochs = 40, .tolerance = 0, .step = {0.05}}.minimize(
      o, x, y,
      {.observer =
           [&](const Progress& p) {
             if (p.epoch >= 5) {
               REQUIRE(p.best_objective == start);
               REQUIRE(p.restarts == 1);
             }
             return Control::proceed;
           },
       .start_weights = e.weights,
       .start_offset = e.offset});
  REQUIRE(s.status == Status::epoch_limit);
}

TEST_CASE("Ridge: means of far-off columns and targets keep their digits", "[optimizers]") {
  Matrix<double> x = synthetic::features(3000, 2, 1);
  const Vector<double> y = 1e12 + (x * Eigen::Vector2d(1, 2)).array();
  x.array() += 1e9;
  const auto s = Ridge{}.minimize(Objective{Squared{}, NoPenalty{}}, x, y);
  REQUIRE(std::abs(((x * s.weights).array() + s.offset - y.array()).mean()) < 1e-2);
  REQUIRE(s.objective < 1e-8);
}

TEST_CASE("Sgd: average_power weighs the iterates", "[optimizers]") {
  const auto x = synthetic::features(60, 4, 3);
  const auto y = synthetic::signs(x, 4);
  for (const double power : {0.0, 1.0, 2.5}) {
    const auto solution = BasicSgd<ConstantStep, Cyclic>{.epochs = 3,
                                                         .tolerance = 0,
                                                         .offset = false,
                                                         .step = {0.1},
                                                         .iterate = Iterate::average,
                                                         .average_from = 1,
                                                         .average_power = power}
                              .minimize(Objective{Squared{}, NoPenalty{}}, x, y);
    Vector<double> w = Vector<double>::Zero(4);
    Vector<double> mean = w;
    double total = 0;
    double t = 0;
    for (int epoch = 0; epoch < 3; ++epoch)
      for (Index i = 0; i < 60; ++i) {
        w -= 0.1 * (x.row(i).dot(w) - y[i]) * x.row(i).transpose();
        total += std::pow(++t, power);
        mean += (w - mean) * std::pow(t, power) / total;
      }
    REQUIRE((solution.weights - mean).norm() < 1e-12 * mean.norm());
  }
}

TEST_CASE("Sgd: starts at the best constant of any loss", "[optimizers]") {
  const Matrix<double> x = Matrix<double>::Ones(100, 1);
  Vector<double> y = Vector<double>::Ones(100);
  y.head(5).setConstant(-1);
  const auto start = [&](const auto& loss, const Vector<double>& targets) {
    return Sgd{.epochs = 0}.minimize(Objective{loss, L2{0.1}}, x, targets).offset;
  };
  CHECK_THAT(start(Log{}, y), WithinRel(std::log(95.0 / 5), 1e-9));
  CHECK_THAT(start(Hinge{}, y), WithinRel(1.0, 1e-9));
  CHECK_THAT(start(Squared{}, Vector<double>::Constant(100, 5)), WithinRel(5.0, 1e-9));
  CHECK_THAT(start(Quantile{0.9}, Vector<double>::LinSpaced(100, 1, 100)), WithinAbs(90.5, 0.51));
  CHECK(start(Log{}, Vector<double>::Ones(100)) == 0);  // one class: there is none
}

TEST_CASE("Sgd: in float too a weight decays by less than its last bit at a step", "[optimizers]") {
  const Matrix<float> x = Matrix<float>::Zero(1, 1);
  const auto solution =
      BasicSgd<ConstantStep>{
          .epochs = 100000, .tolerance = 0, .step = {1e-3}, .iterate = Iterate::last}
          .minimize(Objective{Squared{}, L2{1e-4}}, x, Vector<float>::Zero(1),
                    {.start_weights = Vector<float>::Ones(1)});
  REQUIRE_THAT(solution.weights[0], WithinRel(std::exp(-0.01F), 1e-6F));
}

TEST_CASE("Sgd: an average that never began is called what it is", "[optimizers]") {
  const auto x = synthetic::features(50, 3, 1);
  const auto y = synthetic::signs(x, 2);
  const auto solution = Sgd{.iterate = Iterate::average}.minimize(
      Objective{Log{}, L2{0.1}}, x, y, [](const Progress&) { return Control::stop; });
  REQUIRE(solution.epochs == 1);
  REQUIRE(solution.iterate == Iterate::last);
}

TEST_CASE("Sgd: a derivative of the wrong sign never converges", "[optimizers]") {
  struct WrongSign : Squared {
    double derivative(double score, double target) const { return target - score; }
  };
  const auto x = synthetic::features(100, 3, 1);
  const auto solution =
      Sgd{}.minimize(Objective{WrongSign{}, L2{0.1}}, x, synthetic::numbers(x, 2));
  REQUIRE(solution.status != Status::converged);
}

TEST_CASE("Sgd: a batch may be as large as an index can be", "[optimizers]") {
  const auto x = synthetic::features(30, 2, 1);
  const auto y = synthetic::numbers(x, 2);
  const Objective objective{Squared{}, L2{0.1}};
  const auto all = Sgd{.epochs = 5, .batch = 30}.minimize(objective, x, y);
  const auto more =
      Sgd{.epochs = 5, .batch = std::numeric_limits<Index>::max()}.minimize(objective, x, y);
  REQUIRE(more.weights == all.weights);
  REQUIRE(more.updates == 5);
}

TEST_CASE("Perceptron: a warm start near the goal is not called divergence", "[optimizers]") {
  const auto x = synthetic::features(200, 3, 1);
  auto y = synthetic::signs(x, 2, 0.0);
  const auto separator = Perceptron{.epochs = 10000}.fit(x, y);
  REQUIRE(separator.status == Status::converged);
  y[7] = -y[7];
  for (const Index epochs : {1, 2, 3, 4, 5}) {
    const auto solution = Perceptron{.epochs = epochs}.fit(
        x, y, {.start_weights = separator.weights, .start_offset = separator.offset});
    CHECK(solution.status == Status::epoch_limit);
    CHECK(solution.iterate == Iterate::last);
  }
}

TEST_CASE("Perceptron: an order that skips samples does not make the data separated",
          "[optimizers]") {
  const Matrix<double> x = Matrix<double>::Ones(1000, 1);
  Vector<double> y = Vector<double>::Ones(1000);
  y[500] = -1;
  const auto solution = BasicPerceptron<WithReplacement>{.epochs = 50}.fit(x, y);
  REQUIRE(solution.status == Status::epoch_limit);
}

TEST_CASE("Perceptron: an empty sample that counts a million times takes no time", "[optimizers]") {
  const Matrix<double> x = Matrix<double>::Zero(1, 1);
  const auto solution = Perceptron{.epochs = 1000, .offset = false}.fit(
      x, Vector<double>::Ones(1), {.sample_weights = Vector<double>::Constant(1, 1e6)});
  REQUIRE(solution.updates == 2000);
  REQUIRE_THROWS_WITH(Perceptron{}.fit(x, Vector<double>::Ones(1),
                                       {.sample_weights = Vector<double>::Constant(1, 2e6)}),
                      ContainsSubstring("at most 1e6"));
}

TEST_CASE("Door: a sparse row that names a column twice", "[optimizers]") {
  // Row 1 holds columns 2, 0, 2; row 0 is out of order, which is allowed.
  SparseMatrix<double> x(2, 3);
  x.resizeNonZeros(5);
  const std::vector<int> starts{0, 2, 5};
  const std::vector<int> columns{2, 0, 2, 0, 2};
  std::copy(starts.begin(), starts.end(), x.outerIndexPtr());
  std::copy(columns.begin(), columns.end(), x.innerIndexPtr());
  std::fill_n(x.valuePtr(), 5, 1.0);
  const Eigen::Vector2d y(1, -1);
  REQUIRE_THROWS_WITH(Sgd{}.minimize(Objective{Hinge{}, L2{0.1}}, x, y),
                      "Sgd::minimize: row 1 of x names column 2 twice");
  REQUIRE_THROWS_WITH(Ridge{}.minimize(Objective{Squared{}, L2{0.1}}, x, y),
                      "Ridge::minimize: row 1 of x names column 2 twice");
  auto learner = Sgd{}.start<double>(Objective{Hinge{}, L2{0.1}}, 3);
  REQUIRE_NOTHROW(learner.update(x.row(0), 1));
  REQUIRE_THROWS_WITH(learner.update(x.row(1), 1),
                      "Learner::update: row 0 of x names column 2 twice");
  REQUIRE_THROWS_WITH(learner.score(Vector<double>(Vector<double>::Ones(9))),
                      "Learner::score: the sample has 9 features but the learner has 3 weights");
}

TEST_CASE("Door: a start that does not fit", "[optimizers]") {
  const auto x = synthetic::features(6, 2, 1);
  const auto y = synthetic::signs(x, 2);
  const Objective objective{Hinge{}, L2{0.1}};
  const Vector<double> w = Vector<double>::Ones(2);
  const auto message = ContainsSubstring("a start_offset goes with start_weights and an offset");
  REQUIRE_THROWS_WITH(Sgd{}.minimize(objective, x, y, {.start_offset = 5}), message);
  REQUIRE_THROWS_WITH(
      (Sgd{.offset = false}.minimize(objective, x, y, {.start_weights = w, .start_offset = 5})),
      message);
  const Vector<double> nan = Vector<double>::Constant(2, std::nan(""));
  REQUIRE_THROWS_WITH(Pegasos{}.minimize(objective, x, y, {.start_weights = nan}),
                      "Pegasos::minimize: the start is not finite");
  REQUIRE_THROWS_WITH(Sgd{.average_from = 0}.minimize(objective, x, y),
                      ContainsSubstring("average_from = 0"));
  REQUIRE_THROWS_WITH(Sgd{.retries = -1}.minimize(objective, x, y),
                      ContainsSubstring("-1 retries"));
}

TEST_CASE("Door: sample weights of any scale", "[optimizers]") {
  const auto x = synthetic::features(20, 2, 1);
  const auto y = synthetic::numbers(x, 2);
  const Objective objective{Squared{}, L2{0.1}};
  const auto expected = Ridge{}.minimize(objective, x, y);
  for (const double scale : {1e-310, 1e308}) {
    const auto solution = Ridge{}.minimize(objective, x, y, Vector<double>::Constant(20, scale));
    CHECK((solution.weights - expected.weights).norm() < 1e-12);
    CHECK_THAT(solution.objective, WithinRel(expected.objective, 1e-12));
  }
}
