// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <initializer_list>
#include <linea/data/labels.hpp>
#include <linea/losses.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/models/classifiers.hpp>
#include <linea/models/early_stopping.hpp>
#include <linea/models/linear_model.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/penalties/none.hpp>
#include <linea/rows/in_double.hpp>
#include <linea/step_sizes/constant.hpp>
#include <tuple>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/same_bits.hpp"
#include "support/synthetic.hpp"

namespace early_stopping_test {

using namespace linea;
using namespace linea::test;
using V = Vector<double>;

namespace {

/// 40 noisy training samples of 30 features, and 400 held-out samples of the same distribution. The
/// training samples are so few that a run overfits.
struct Halves {
  Matrix<double> all = synthetic::features(440, 30, 1);
  V targets = synthetic::signs(all, 2, 3.0);
  Matrix<double> x = all.topRows(40), x_valid = all.bottomRows(400);
  V y = targets.head(40), y_valid = targets.tail(400);
  V weights = (y_valid.array() * 0.5 + 1.0).matrix();  // weights of the held-out samples
};

const Objective log_loss{Log{}, NoPenalty{}};

/// Reports an epoch to `stopping`, like a run whose only weight is w and whose F is 100 + w.
template <class S>
Control tell(S& stopping, Index epoch, double w) {
  struct Run final : ObservedRun {
    explicit Run(double weight) : w(weight) {}
    double objective() const override { return 100 + w; }
    Point<double> iterate(Index) const override { return {V::Constant(1, w), 0, 100 + w}; }
    double w;
  };
  const Run run(w);
  Progress progress;
  progress.epoch = epoch;
  progress.run = &run;
  return stopping(progress);
}

const Matrix<double> one_sample = Matrix<double>::Ones(1, 1);
const V zero_target = V::Zero(1);

}  // namespace

TEST_CASE("EarlyStopping: the three lines of its documentation", "[models]") {
  const Halves p;
  const auto& [x, y, x_valid, y_valid] = std::tie(p.x, p.y, p.x_valid, p.y_valid);
  const auto& objective = log_loss;
  EarlyStopping stopping(Log{}, x_valid, y_valid, {.patience = 10});
  const auto all = Sgd{.epochs = 1000}.minimize(objective, x, y, std::ref(stopping));
  // The solution has the weights and the offset of stopping.best().
  const auto solution = stopping.best_of(all);

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
  const auto follow = [&](const auto& optimizer) {
    EarlyStopping stopping(Log{}, p.x_valid, p.y_valid, {.patience = 7});
    std::vector<Point<double>> passed;
    std::vector<double> scores;
    const auto solution = optimizer.minimize(log_loss, p.x, p.y, [&](const Progress& progress) {
      passed.push_back(progress.iterate());
      const auto& [w, b, value] = passed.back();
      CHECK(value == progress.objective());
      scores.push_back(
          empirical_risk(Log{}, LinearModel<double>{{w, b}}.scores(p.x_valid), p.y_valid));
      return stopping(progress);
    });
    const auto best =
        static_cast<std::size_t>(std::min_element(scores.begin(), scores.end()) - scores.begin());
    CHECK(stopping.scores() == scores);
    CHECK(stopping.best().epoch == static_cast<Index>(best) + 1);
    CHECK(stopping.best().score == scores[best]);
    CHECK(same_bits(stopping.best().weights, passed[best].weights));
    CHECK(same_bits(stopping.best().offset, passed[best].offset));
    CHECK(stopping.best().objective == passed[best].objective);
    CHECK(best > 0);
    CHECK(solution.status == Status::stopped);
    CHECK(scores.size() == best + 8);  // the run ends `patience` epochs after the best
    CHECK(solution.epochs == static_cast<Index>(scores.size()));
  };
  follow(small_steps);
  auto averaging = small_steps;
  averaging.iterate = Iterate::average;
  averaging.threads = 2;
  follow(averaging);
  follow(GradientDescent{.tolerance = 0});
}

TEST_CASE("EarlyStopping: waits `patience` epochs after the last gain, but keeps the lowest score",
          "[models]") {
  const struct {
    EarlyStoppingOptions options;
    std::vector<double> scores;
    std::size_t stop;  // the epoch that must end the run; 0: none
    std::size_t best;
  } rows[] = {
      {{.patience = 1}, {5, 4, 3, 3, 1}, 4, 3},  // a score equal to the best is no gain
      {{.patience = 2}, {5, 4, 6, 3, 7, 3, 1}, 6, 4},
      {{.patience = 2}, {5, 4, 6, 3, 7, 2}, 0, 6},
      {{.patience = 3}, {5, 5, 5, 5, 1}, 4, 1},
      // 4.4 is no gain over 5, but 3.8 is: small decreases add up.
      {{.patience = 2, .min_gain = 1}, {5, 4.4, 3.8, 3.6, 3.2}, 5, 5},
      // A decrease by exactly 1 is not enough.
      {{.patience = 2, .min_gain = 1}, {5, 4.4, 4, 3}, 3, 3},
      {{.patience = 3, .min_gain = 1}, {5, 4.5, 4.5, 9}, 4, 2},
      // A score that is not finite counts as infinitely bad.
      {{.patience = 2}, {not_a_number, 3, infinity, not_a_number}, 4, 2},
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
  EarlyStopping stopping(Absolute{}, one_sample, zero_target);
  CHECK(tell(stopping, 1, not_a_number) == Control::proceed);
  CHECK(stopping.scores() == std::vector<double>{infinity});
  CHECK_THROWS_WITH(stopping.best(), "EarlyStopping::best: none of 1 epochs had a finite score");
}

TEST_CASE("EarlyStopping: layouts, floats and sample weights", "[models]") {
  const Halves p;
  const auto sgd = Sgd{.epochs = 300, .tolerance = 0};
  const auto after = [&](const auto& x, auto&& stopping) {
    (void)sgd.minimize(log_loss, x, p.y, std::ref(stopping));
    return std::pair(stopping.scores(), stopping.best());
  };
  const SquaredHinge loss;
  const auto [scores, best] = after(p.x, EarlyStopping(loss, p.x_valid, p.y_valid, {}, p.weights));
  const V at_best = (p.x_valid * best.weights).array() + best.offset;
  CHECK_THAT(best.score, WithinRel(empirical_risk(loss, at_best, p.y_valid, p.weights), 1e-12));
  const auto rows = p.all.bottomRows(400);
  CHECK(after(p.x, EarlyStopping(loss, rows, p.y_valid, {}, p.weights)).first == scores);
  const auto sparse_x = synthetic::sparse(p.x_valid);
  const auto sparse = after(p.x, EarlyStopping(loss, sparse_x, p.y_valid, {}, p.weights)).second;
  CHECK(sparse.epoch == best.epoch);
  CHECK(same_bits(sparse.weights, best.weights));

  // For samples in float, the best weights are those of an iterate of the run. Held-out floats read
  // in double give the scores of a copy in double.
  const Matrix<float> x = p.x.cast<float>(), x_valid = p.x_valid.cast<float>();
  EarlyStopping narrow(Log{}, x_valid, p.y_valid);
  std::vector<V> passed;
  const auto in_float = sgd.minimize(log_loss, x, p.y, [&](const Progress& progress) {
    passed.push_back(progress.iterate().weights);
    return narrow(progress);
  });
  CHECK(same_bits(V(narrow.best().weights.cast<double>()),
                  passed[static_cast<std::size_t>(narrow.best().epoch) - 1]));
  const LinearModel<float> model{narrow.best_of(Solution<float>(in_float))};
  CHECK(narrow.best().score == empirical_risk(Log{}, model.scores(x_valid), p.y_valid));
  const Matrix<double> copy = x_valid.cast<double>();
  CHECK(after(in_double(x), EarlyStopping(Log{}, in_double(x_valid), p.y_valid)).first ==
        after(in_double(x), EarlyStopping(Log{}, copy, p.y_valid)).first);
}

TEST_CASE("EarlyStopping: supports a score of one's own, with or without sample weights",
          "[models]") {
  const Halves p;
  const auto errors = [](const auto& scores, const auto& y) {
    return empirical_risk(ZeroOne{}, scores, y);
  };
  const auto weighted = [](const auto& scores, const auto& y, const auto& weights) {
    return empirical_risk(ZeroOne{}, scores, y, weights);
  };
  const auto run = [&](auto&& stopping) {
    (void)Sgd{.epochs = 40, .tolerance = 0}.minimize(log_loss, p.x, p.y, std::ref(stopping));
    return stopping.scores();
  };
  const auto plain = run(EarlyStopping(ZeroOne{}, p.x_valid, p.y_valid));
  const auto by_weight = run(EarlyStopping(ZeroOne{}, p.x_valid, p.y_valid, {}, p.weights));
  CHECK(plain == run(EarlyStopping(errors, p.x_valid, p.y_valid)));
  CHECK(by_weight == run(EarlyStopping(weighted, p.x_valid, p.y_valid, {}, p.weights)));
  CHECK(plain != by_weight);
  CHECK_THROWS_WITH(EarlyStopping(errors, p.x_valid, p.y_valid, {}, p.weights),
                    "EarlyStopping: the score takes no sample weights");
  const auto nothing = [](const auto&, const auto&) { return not_a_number; };
  CHECK_THROWS_WITH(run(EarlyStopping(nothing, p.x_valid, p.y_valid)),
                    "EarlyStopping: the score of epoch 1 is not a number");
}

TEST_CASE("EarlyStopping: works with recipes, and best_of returns a model", "[models]") {
  const Halves p;
  const V labels = (p.y.array() + 3).matrix(), held_out = (p.y_valid.array() + 3).matrix();
  const ClassLabels classes(labels);  // the labels 2 and 4
  EarlyStopping stopping(ZeroOne{}, p.x_valid, classes.encode(held_out), {.patience = 20});
  const auto fitted =
      LogisticRegression{.lambda = 0, .tolerance = 0}.fit(p.x, labels, std::ref(stopping));
  const auto best = stopping.best_of(fitted);
  const V predicted = best.predict(p.x_valid);
  CHECK((predicted.array() != held_out.array()).cast<double>().mean() == stopping.best().score);
  CHECK(best.probabilities(p.x_valid).maxCoeff() <= 1);
  CHECK(fitted.status == Status::stopped);

  EarlyStopping mistakes(ZeroOne{}, p.x_valid, classes.encode(held_out), {.patience = 1});
  const auto perceptron = PerceptronClassifier{}.fit(p.x, labels, std::ref(mistakes));
  CHECK(perceptron.status == Status::stopped);
  CHECK(perceptron.epochs == mistakes.best().epoch + 1);
}

TEST_CASE("EarlyStopping: best_of keeps a status only if it holds for the best iterate",
          "[models]") {
  Solution<double> run;
  run.weights = V::Constant(1, 1.0);
  run.objective = 101;
  const auto status_of = [&](std::initializer_list<double> iterates, Status status) {
    EarlyStopping stopping(Absolute{}, one_sample, zero_target);
    Index epoch = 0;
    for (const double w : iterates) tell(stopping, ++epoch, w);
    run.status = status;
    return stopping.best_of(run).status;
  };
  // The scores are |w|, F is 100 + w, and the run returns w = 1.
  CHECK(status_of({3, 2, 1}, Status::converged) == Status::converged);  // the last is the best
  for (const Status status : {Status::converged, Status::settled, Status::epoch_limit})
    CHECK(status_of({0, 2, 1}, status) == Status::stopped);
  CHECK(status_of({0, 2, 1}, Status::diverged) == Status::diverged);
  run.gap = 0.1;
  CHECK(status_of({0, 2, 1}, Status::converged) == Status::converged);  // F = 100 has gap 0
  run.objective = 99.5;
  CHECK(status_of({0, 2, 1}, Status::converged) == Status::stopped);  // F = 100 has gap 0.6
}

TEST_CASE("EarlyStopping: an early iterate of a run that converged is not converged", "[models]") {
  const Halves p;
  const Objective objective{Log{}, L2{1e-4}};
  EarlyStopping stopping(Log{}, p.x_valid, p.y_valid, {.patience = 100});
  const auto all = Newton{.tolerance = 1e-6}.minimize(objective, p.x, p.y, std::ref(stopping));
  const auto best = stopping.best_of(all);
  REQUIRE(all.status == Status::converged);
  REQUIRE_FALSE(best.is_proven(1e-6));
  CHECK(best.status == Status::stopped);
}

TEST_CASE("EarlyStopping: best_of keeps the bound of the run", "[models]") {
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

TEST_CASE("Validation: EarlyStopping refuses invalid input", "[models]") {
  const Halves p;
  const std::string name = "EarlyStopping: ";
  const auto refused = [&](const std::string& why, const Matrix<double>& x, const V& y,
                           const EarlyStoppingOptions& options = {}, const V& weights = {}) {
    CHECK_THROWS_WITH(EarlyStopping(Log{}, x, y, options, weights), name + why);
  };
  refused("x has 400 rows but y has 40", p.x_valid, p.y);
  refused("patience = 0, but must be at least 1", p.x_valid, p.y_valid, {.patience = 0});
  refused("min_gain = -1 is not >= 0", p.x_valid, p.y_valid, {.min_gain = -1});
  refused("min_gain = nan is not >= 0", p.x_valid, p.y_valid, {.min_gain = not_a_number});
  refused(
      "y(0) = 0 is no target of log, which takes -1 or +1: ClassLabels(y).encode(y) turns two "
      "labels into these; recipes and OneVsRest take any labels",
      p.x_valid, V::Zero(400));
  refused("x is empty (0 x 3)", Matrix<double>(0, 3), {});
  refused("all sample weights are zero", p.x_valid, p.y_valid, {}, V::Zero(400));
  Matrix<double> hole = p.x_valid;
  hole(3, 2) = not_a_number;
  refused("x(3, 2) is not finite", hole, p.y_valid);
  CHECK_THROWS_WITH(EarlyStopping(Huber{-1.0}, one_sample, zero_target),
                    ContainsSubstring(name + "delta = -1 of the loss huber"));
  const auto zero = [](const auto&, const auto&) { return 0.0; };
  CHECK_THROWS_WITH(EarlyStopping(zero, one_sample, V(V::Constant(1, not_a_number))),
                    name + "y(0) is not finite");
}

TEST_CASE("Validation: EarlyStopping observes one run, of its own features", "[models]") {
  const Halves p;
  const Sgd sgd{.epochs = 3};
  EarlyStopping stopping(Log{}, p.x_valid, p.y_valid);
  CHECK_THROWS_WITH(sgd.minimize(log_loss, p.x.leftCols(4), p.y, std::ref(stopping)),
                    "EarlyStopping: x has 30 columns but the run has 4 weights");
  (void)sgd.minimize(log_loss, p.x, p.y, std::ref(stopping));
  CHECK_THROWS_WITH(
      sgd.minimize(log_loss, p.x, p.y, std::ref(stopping)),
      "EarlyStopping: epoch 1 comes after epoch 3: it observes one run, of one target");
  EarlyStopping several(Log{}, p.x_valid, p.y_valid);
  Matrix<double> targets(40, 2);
  targets << p.y, -p.y;
  CHECK_THROWS_WITH(
      sgd.minimize(log_loss, p.x, targets, std::ref(several)),
      "EarlyStopping: epoch 1 comes after epoch 1: it observes one run, of one target");
  EarlyStopping shown_none(Log{}, p.x_valid, p.y_valid);
  Progress progress;
  progress.epoch = 1;
  const char* none = "EarlyStopping: epoch 1 has no single iterate";
  CHECK_THROWS_WITH(shown_none(progress), none);
  CHECK_THROWS_WITH(
      Ridge{}.minimize(Objective{Squared{}, L2{1}}, p.x, targets, std::ref(shown_none)), none);
}

}  // namespace early_stopping_test
