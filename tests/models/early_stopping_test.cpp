// SPDX-License-Identifier: MIT
#include <cmath>
#include <functional>
#include <limits>
#include <linea/data/labels.hpp>
#include <linea/losses.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/models/classifiers.hpp>
#include <linea/models/early_stopping.hpp>
#include <linea/models/linear_model.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/penalties/none.hpp>
#include <linea/rows/in_double.hpp>
#include <linea/step_sizes/constant.hpp>
#include <vector>

#include "support/catch.hpp"
#include "support/same_bits.hpp"
#include "support/synthetic.hpp"

namespace early_stopping_test {

using namespace linea;

namespace {

/// 40 noisy samples of 30 features to learn from, so few that a run learns their noise, and 400 of
/// the same kind to hold out.
struct Halves {
  Matrix<double> all = synthetic::features(440, 30, 1);
  Vector<double> targets = synthetic::signs(all, 2, 3.0);
  Matrix<double> x = all.topRows(40), x_valid = all.bottomRows(400);
  Vector<double> y = targets.head(40), y_valid = targets.tail(400);
};

const Objective log_loss{Log{}, NoPenalty{}};

/// News of a run whose only weight is w.
template <class S>
Control tell(S& stopping, Index epoch, double w) {
  struct Run final : ObservedRun {
    explicit Run(double weight) : w(weight) {}
    double objective() const override { return 100 + w; }
    Point<double> iterate(Index) const override {
      return {Vector<double>::Constant(1, w), 0, 100 + w};
    }
    double w;
  };
  const Run run(w);
  Progress progress;
  progress.epoch = epoch;
  progress.run = &run;
  return stopping(progress);
}

const Matrix<double> one_sample = Matrix<double>::Ones(1, 1);
const Vector<double> zero_target = Vector<double>::Zero(1);

}  // namespace

TEST_CASE("EarlyStopping: the three lines of its page", "[models]") {
  const auto [all_x, all_y, x, x_valid, y, y_valid] = Halves{};
  const auto& objective = log_loss;
  EarlyStopping stopping(Log{}, x_valid, y_valid, {.patience = 10});
  const auto all = Sgd{.epochs = 1000}.minimize(objective, x, y, std::ref(stopping));
  const auto solution = stopping.best_of(all);  // weights and offset of stopping.best()

  CHECK(all.status == Status::stopped);
  CHECK(solution.status == Status::stopped);
  CHECK(same_bits(solution.weights, stopping.best().weights));
  CHECK(same_bits(solution.offset, stopping.best().offset));
  CHECK_FALSE(same_bits(all.weights, solution.weights));
  CHECK(stopping.best().score <
        empirical_risk(Log{}, ((x_valid * all.weights).array() + all.offset).matrix(), y_valid));
  CHECK_THAT(objective_value(objective, x, y, solution.weights, solution.offset),
             WithinRel(solution.objective, 1e-12));
}

TEST_CASE("EarlyStopping: the best is the first iterate with the lowest loss, recomputed",
          "[models]") {
  const Halves p;
  const BasicSgd<ConstantStep> small_steps{.epochs = 1000, .tolerance = 0, .step = {0.002}};
  const auto follow = [&](const auto& run) {
    EarlyStopping stopping(Log{}, p.x_valid, p.y_valid, {.patience = 7});
    std::vector<Point<double>> passed;
    std::vector<double> scores;
    const auto solution = run([&](const Progress& progress) {
      passed.push_back(progress.iterate());
      const auto& [w, b, value] = passed.back();
      CHECK_THAT(objective_value(log_loss, p.x, p.y, w, b), WithinRel(progress.objective(), 1e-10));
      CHECK(value == progress.objective());
      const Vector<double> score =
          LinearModel<double>{{passed.back().weights, passed.back().offset}}.scores(p.x_valid);
      scores.push_back(empirical_risk(Log{}, score, p.y_valid));
      return stopping(progress);
    });
    std::size_t best = 0;
    for (std::size_t k = 0; k < scores.size(); ++k)
      if (scores[k] < scores[best]) best = k;
    CHECK(stopping.scores() == scores);
    CHECK(stopping.best().epoch == static_cast<Index>(best) + 1);
    CHECK(stopping.best().score == scores[best]);
    CHECK(same_bits(stopping.best().weights, passed[best].weights));
    CHECK(same_bits(stopping.best().offset, passed[best].offset));
    CHECK(stopping.best().objective == passed[best].objective);
    CHECK(best > 0);
    CHECK(solution.status == Status::stopped);
    CHECK(scores.size() == best + 8);  // patience epochs later
    CHECK(solution.epochs == static_cast<Index>(scores.size()));
  };
  follow([&](const auto& f) { return small_steps.minimize(log_loss, p.x, p.y, f); });
  follow([&](const auto& f) {
    auto averaging = small_steps;
    averaging.iterate = Iterate::average;
    averaging.threads = 2;
    return averaging.minimize(log_loss, p.x, p.y, f);
  });
  follow([&](const auto& f) {
    return GradientDescent{.tolerance = 0}.minimize(log_loss, p.x, p.y, f);
  });
}

TEST_CASE("EarlyStopping: waits for so many epochs after the last gain, but keeps every fall",
          "[models]") {
  const struct {
    EarlyStoppingOptions options;
    std::vector<double> scores;
    std::size_t stop;  // 0: it does not
    std::size_t best;
  } rows[] = {
      {{.patience = 1}, {5, 4, 3, 3, 1}, 4, 3},  // to be equal is no gain
      {{.patience = 2}, {5, 4, 6, 3, 7, 3, 1}, 6, 4},
      {{.patience = 2}, {5, 4, 6, 3, 7, 2}, 0, 6},
      {{.patience = 3}, {5, 5, 5, 5, 1}, 4, 1},
      // 4.4 is no gain over 5, but 3.8 is: small falls count once they add up.
      {{.patience = 2, .min_gain = 1}, {5, 4.4, 3.8, 3.6, 3.2}, 5, 5},
      {{.patience = 2, .min_gain = 1}, {5, 4.4, 4, 3}, 3, 3},  // by 1 is not by more
      {{.patience = 3, .min_gain = 1}, {5, 4.5, 4.5, 9}, 4, 2},
  };
  for (const auto& [options, scores, stop, best] : rows) {
    CAPTURE(scores);
    EarlyStopping stopping(Absolute{}, one_sample, zero_target, options);
    std::size_t stopped = 0;
    for (std::size_t k = 1; k <= scores.size() && stopped == 0; ++k)
      if (tell(stopping, static_cast<Index>(k), scores[k - 1]) == Control::stop) stopped = k;
    CHECK(stopped == stop);
    CHECK(stopping.best().epoch == static_cast<Index>(best));
    CHECK(stopping.best().score == scores[best - 1]);
    CHECK(stopping.best().weights[0] == scores[best - 1]);
    CHECK(stopping.best().objective == 100 + scores[best - 1]);
  }
}

TEST_CASE("EarlyStopping: an iterate that is not finite is infinitely bad", "[models]") {
  EarlyStopping stopping(Absolute{}, one_sample, zero_target, {.patience = 2});
  CHECK(tell(stopping, 1, std::numeric_limits<double>::quiet_NaN()) == Control::proceed);
  CHECK_THROWS_WITH(stopping.best(), "EarlyStopping::best: none of 1 epochs had a finite score");
  CHECK(tell(stopping, 2, 3) == Control::proceed);
  CHECK(tell(stopping, 3, std::numeric_limits<double>::infinity()) == Control::proceed);
  CHECK(stopping.best().epoch == 2);
  CHECK(tell(stopping, 4, std::numeric_limits<double>::quiet_NaN()) == Control::stop);
  CHECK(stopping.scores()[0] == std::numeric_limits<double>::infinity());
}

TEST_CASE("EarlyStopping: layouts, floats and sample weights", "[models]") {
  const Halves p;
  const auto sgd = Sgd{.epochs = 300, .tolerance = 0};
  const Vector<double> s = (p.y_valid.array() * 0.5 + 1.0).matrix();
  EarlyStopping dense(SquaredHinge{}, p.x_valid, p.y_valid, {}, s);
  const auto solution = sgd.minimize(log_loss, p.x, p.y, std::ref(dense));
  const Vector<double> scores = (p.x_valid * dense.best().weights).array() + dense.best().offset;
  CHECK_THAT(dense.best().score,
             WithinRel(empirical_risk(SquaredHinge{}, scores, p.y_valid, s), 1e-12));

  const auto sparse_x = synthetic::sparse(p.x_valid);
  EarlyStopping sparse(SquaredHinge{}, sparse_x, p.y_valid, {}, s);
  (void)sgd.minimize(log_loss, p.x, p.y, std::ref(sparse));
  CHECK(sparse.best().epoch == dense.best().epoch);
  CHECK(same_bits(sparse.best().weights, dense.best().weights));
  EarlyStopping block(SquaredHinge{}, p.all.bottomRows(400), p.y_valid, {}, s);
  (void)sgd.minimize(log_loss, p.x, p.y, std::ref(block));
  CHECK(block.scores() == dense.scores());

  // In float all numbers are those of the run, and floats in double those of a copy in double.
  const Matrix<float> x = p.x.cast<float>(), x_valid = p.x_valid.cast<float>();
  EarlyStopping narrow(Log{}, x_valid, p.y_valid);
  std::vector<Point<double>> passed;
  const auto in_float = sgd.minimize(log_loss, x, p.y, [&](const Progress& progress) {
    passed.push_back(progress.iterate());
    return narrow(progress);
  });
  const auto& best = passed[static_cast<std::size_t>(narrow.best().epoch) - 1];
  CHECK(same_bits(narrow.best().weights, Vector<float>(best.weights.cast<float>())));
  CHECK(same_bits(Vector<double>(narrow.best().weights.cast<double>()), best.weights));
  const LinearModel<float> model{narrow.best_of(Solution<float>(in_float))};
  CHECK(narrow.best().score == empirical_risk(Log{}, model.scores(x_valid), p.y_valid));

  const Matrix<double> copy = x_valid.cast<double>();
  EarlyStopping wide(Log{}, in_double(x_valid), p.y_valid);
  EarlyStopping copied(Log{}, copy, p.y_valid);
  (void)sgd.minimize(log_loss, in_double(x), p.y, std::ref(wide));
  (void)sgd.minimize(log_loss, in_double(x), p.y, std::ref(copied));
  CHECK(wide.scores() == copied.scores());
}

TEST_CASE("EarlyStopping: a score of one's own, with sample weights or without", "[models]") {
  const Halves p;
  const Vector<double> s = (p.y_valid.array() * 0.5 + 1.0).matrix();
  const auto errors = [](const auto& scores, const auto& y) {
    return empirical_risk(ZeroOne{}, scores, y);
  };
  const auto weighted = [](const auto& scores, const auto& y, const auto& weights) {
    return empirical_risk(ZeroOne{}, scores, y, weights);
  };
  const auto run = [&](auto& stopping) {
    (void)Sgd{.epochs = 40, .tolerance = 0}.minimize(log_loss, p.x, p.y, std::ref(stopping));
    return stopping.scores();
  };
  EarlyStopping by_loss(ZeroOne{}, p.x_valid, p.y_valid);
  EarlyStopping by_score(errors, p.x_valid, p.y_valid);
  CHECK(run(by_loss) == run(by_score));
  EarlyStopping by_weighted_loss(ZeroOne{}, p.x_valid, p.y_valid, {}, s);
  EarlyStopping by_weighted_score(weighted, p.x_valid, p.y_valid, {}, s);
  CHECK(run(by_weighted_loss) == run(by_weighted_score));
  CHECK(by_loss.scores() != by_weighted_loss.scores());
  CHECK_THROWS_WITH(EarlyStopping(errors, p.x_valid, p.y_valid, {}, s),
                    "EarlyStopping: the score takes no sample weights");
  const auto nothing = [](const auto&, const auto&) { return std::nan(""); };
  EarlyStopping nan_score(nothing, p.x_valid, p.y_valid);
  CHECK_THROWS_WITH(run(nan_score), "EarlyStopping: the score of epoch 1 is not a number");
}

TEST_CASE("EarlyStopping: recipes take it, and best_of answers with a model", "[models]") {
  const Halves p;
  const Vector<double> labels = (p.y.array() + 3).matrix();  // 2 and 4
  const Vector<double> held_out = (p.y_valid.array() + 3).matrix();
  const ClassLabels classes(labels);
  EarlyStopping stopping(ZeroOne{}, p.x_valid, classes.encode(held_out), {.patience = 20});
  const auto fitted =
      LogisticRegression{.lambda = 0, .tolerance = 0}.fit(p.x, labels, std::ref(stopping));
  const auto best = stopping.best_of(fitted);
  const Vector<double> predicted = best.predict(p.x_valid);
  CHECK((predicted.array() != held_out.array()).cast<double>().mean() == stopping.best().score);
  CHECK(best.probabilities(p.x_valid).maxCoeff() <= 1);
  CHECK(fitted.status == Status::stopped);

  EarlyStopping mistakes(ZeroOne{}, p.x_valid, classes.encode(held_out), {.patience = 1});
  const auto perceptron = PerceptronClassifier{}.fit(p.x, labels, std::ref(mistakes));
  CHECK(perceptron.status == Status::stopped);
  CHECK(perceptron.epochs == mistakes.best().epoch + 1);
}

TEST_CASE("EarlyStopping: best_of keeps what is proven of the run", "[models]") {
  const Halves p;
  const Objective objective{Log{}, L2{0.001}};
  EarlyStopping stopping(Log{}, p.x_valid, p.y_valid, {.patience = 3});
  const auto found = Newton{.tolerance = 1e-12}.minimize(objective, p.x, p.y, std::ref(stopping));
  const auto best = stopping.best_of(found);
  REQUIRE(best.gap);
  CHECK(best.objective > found.objective);
  const double minimum = Newton{.tolerance = 1e-12}.minimize(objective, p.x, p.y).objective;
  const double excess = objective_value(objective, p.x, p.y, best.weights, best.offset) - minimum;
  CHECK(*best.gap >= excess * (1 - 1e-9));
}

TEST_CASE("Door: EarlyStopping refuses what is not well-formed", "[models]") {
  const Halves p;
  const auto stopping = [&](const Vector<double>& y, const EarlyStoppingOptions& options = {}) {
    EarlyStopping{Log{}, p.x_valid, y, options};
  };
  CHECK_THROWS_WITH(stopping(p.y), "EarlyStopping: x has 400 rows but y has 40");
  CHECK_THROWS_WITH(stopping(p.y_valid, {.patience = 0}),
                    "EarlyStopping: patience = 0, but at least one epoch must be waited for");
  CHECK_THROWS_WITH(stopping(p.y_valid, {.min_gain = -1}),
                    "EarlyStopping: min_gain = -1 is not >= 0");
  CHECK_THROWS_WITH(stopping(p.y_valid, {.min_gain = std::nan("")}),
                    "EarlyStopping: min_gain = nan is not >= 0");
  CHECK_THROWS_WITH(
      stopping((p.y_valid.array() + 1).matrix()),
      ContainsSubstring("EarlyStopping: y(0) = ") && ContainsSubstring("which takes -1 or +1"));
  const Matrix<double> none(0, 3);
  CHECK_THROWS_WITH(EarlyStopping(Log{}, none, Vector<double>()),
                    "EarlyStopping: x is empty (0 x 3)");
  CHECK_THROWS_WITH(EarlyStopping(Huber{-1.0}, one_sample, zero_target),
                    ContainsSubstring("EarlyStopping: delta = -1 of the loss huber"));
  Matrix<double> hole = p.x_valid;
  hole(3, 2) = std::nan("");
  CHECK_THROWS_WITH(EarlyStopping(Log{}, hole, p.y_valid), "EarlyStopping: x(3, 2) is not finite");
  CHECK_THROWS_WITH(EarlyStopping([](const auto&, const auto&) { return 0.0; }, one_sample,
                                  Vector<double>::Constant(1, std::nan("")).eval()),
                    "EarlyStopping: y(0) is not finite");
  CHECK_THROWS_WITH(
      EarlyStopping(Log{}, p.x_valid, p.y_valid, {}, Vector<double>::Zero(400).eval()),
      "EarlyStopping: all sample weights are zero");
}

TEST_CASE("Door: EarlyStopping follows one run, of its own features", "[models]") {
  const Halves p;
  const Sgd sgd{.epochs = 3};
  EarlyStopping stopping(Log{}, p.x_valid, p.y_valid);
  CHECK_THROWS_WITH(sgd.minimize(log_loss, p.x.leftCols(4), p.y, std::ref(stopping)),
                    "EarlyStopping: x has 30 columns but the run has 4 weights");
  (void)sgd.minimize(log_loss, p.x, p.y, std::ref(stopping));
  CHECK_THROWS_WITH(
      sgd.minimize(log_loss, p.x, p.y, std::ref(stopping)),
      "EarlyStopping: epoch 1 comes after epoch 3: it follows one run, of one target");
  EarlyStopping several(Log{}, p.x_valid, p.y_valid);
  Matrix<double> targets(40, 2);
  targets << p.y, -p.y;
  CHECK_THROWS_WITH(
      sgd.minimize(log_loss, p.x, targets, std::ref(several)),
      "EarlyStopping: epoch 1 comes after epoch 1: it follows one run, of one target");
  EarlyStopping shown_none(Log{}, p.x_valid, p.y_valid);
  Progress progress;
  progress.epoch = 1;
  CHECK_THROWS_WITH(shown_none(progress), "EarlyStopping: epoch 1 comes without one iterate");
  CHECK_THROWS_WITH(
      Ridge{}.minimize(Objective{Squared{}, L2{1}}, p.x, targets, std::ref(shown_none)),
      "EarlyStopping: epoch 1 comes without one iterate");
}

}  // namespace early_stopping_test
