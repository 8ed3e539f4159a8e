// SPDX-License-Identifier: MIT
// A sample of weight 3 counts like three samples, a sample of weight 0 is ignored: each row of the
// tables below gives the same figures for weights 0, 1 and 3 as for repeated and removed rows.
#include <functional>
#include <linea/losses.hpp>
#include <linea/metrics.hpp>
#include <linea/models.hpp>
#include <linea/optimizers.hpp>
#include <linea/penalties.hpp>
#include <linea/step_sizes.hpp>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

namespace sample_weights_test {

using namespace linea;
using M = Matrix<double>;
using V = Vector<double>;

namespace {

constexpr Index n = 60;

/// x (n × 3), targets of every kind (n), and sample weights 0, 1 and 3. Rows of weight 0 have large
/// entries, so that each use of them is noticed.
struct Samples {
  M x;
  V numbers, signs, labels, counts, weights;
};

const Samples& weighted() {
  static const Samples samples = [] {
    Samples all{synthetic::features(n, 3, 11), V(n), V(n), V(n), V(n), V(n)};
    const V noise = synthetic::features(n, 1, 12).col(0);
    for (Index i = 0; i < n; ++i) {
      all.weights[i] = i % 4 == 1 ? 0 : i % 3 == 0 ? 3 : 1;
      const bool is_ignored = all.weights[i] == 0;
      const double score = all.x(i, 0) - 0.5 * all.x(i, 1) + noise[i];
      all.numbers[i] = is_ignored ? 1e3 : 2 * score + 3;
      all.signs[i] = score > 0 ? 1 : -1;
      all.labels[i] = score > 0.7 ? 5 : score > -0.4 ? 2 : 1;
      all.counts[i] = is_ignored ? 40 : static_cast<double>(i % 5);
      if (is_ignored) all.x.row(i) *= 30;
    }
    return all;
  }();
  return samples;
}

/// The number of the sample in each row of `repeated`.
const std::vector<Index>& rows() {
  static const std::vector<Index> rows = [] {
    std::vector<Index> all;
    for (Index i = 0; i < n; ++i)
      all.insert(all.end(), static_cast<std::size_t>(weighted().weights[i]), i);
    return all;
  }();
  return rows;
}

/// The same samples without weights.
const Samples& repeated() {
  static const Samples samples = [] {
    const Samples& w = weighted();
    return Samples{take_rows(w.x, rows()), w.numbers(rows()), w.signs(rows()),
                   w.labels(rows()),       w.counts(rows()),  V()};
  }();
  return samples;
}

/// Checks that `figures` (samples) returns the same for both, up to `tolerance`.
template <class F>
void same(const std::string& name, const F& figures, double tolerance = 1e-9) {
  CAPTURE(name);
  const V found = figures(weighted()), expected = figures(repeated());
  REQUIRE(found.size() == expected.size());
  REQUIRE(found.size() > 0);
  for (Index i = 0; i < found.size(); ++i) {
    CAPTURE(i, found[i], expected[i]);
    CHECK(std::isfinite(expected[i]));
    CHECK(std::abs(found[i] - expected[i]) <= tolerance * (1 + std::abs(expected[i])));
  }
}

/// Returns labels in which samples of weight 0 have a label of their own, as recipes allow.
V with_foreign(const V& labels, const V& weights) {
  V all = labels;
  for (Index i = 0; i < weights.size(); ++i)
    if (weights[i] == 0) all[i] = 77;
  return all;
}

V targets_for(const Samples& s, const V Samples::*kind) {
  const bool is_label = kind == &Samples::signs || kind == &Samples::labels;
  return is_label ? with_foreign(s.*kind, s.weights) : s.*kind;
}

/// Checks the scores of a recipe on three samples, and F if the model has it.
template <class R>
void same_fit(const std::string& name, R recipe, const V Samples::*kind, double tolerance = 1e-5) {
  if constexpr (requires { detail::innermost(recipe).tolerance; })
    detail::innermost(recipe).tolerance = 1e-11;
  same(
      name,
      [&](const Samples& s) {
        const auto model = recipe.fit(s.x, targets_for(s, kind), s.weights);
        const M scores = model.scores(M(repeated().x.topRows(3)));
        V all(scores.size() + 1);
        all.head(scores.size()) = scores.reshaped();
        all[scores.size()] = 0;
        if constexpr (requires { model.objective; }) all[scores.size()] = model.objective;
        return all;
      },
      tolerance);
}

/// Checks the automatic λ of a recipe, and the curve of CrossValidation for the same folds.
template <class R>
void same_choice(const std::string& name, const R& recipe, const V Samples::*kind) {
  const auto lambdas_of = [&](const Samples& s) {
    const auto found = automatic_lambdas(recipe, s.x, targets_for(s, kind),
                                         Extras<double>{.sample_weights = s.weights});
    return V(Eigen::Map<const V>(found.data(), static_cast<Index>(found.size())));
  };
  same(name + ", automatic_lambdas", lambdas_of);
  same(
      name + ", CrossValidation",
      [&](const Samples& s) {
        V folds(s.x.rows());
        for (Index i = 0; i < folds.size(); ++i)
          folds[i] = static_cast<double>(
              (s.weights.size() > 0 ? i : rows()[static_cast<std::size_t>(i)]) % 3);
        const auto chosen = CrossValidation{.own_folds = folds_of(folds)}.choose(
            recipe, {1, 0.1}, s.x, targets_for(s, kind), s.weights);
        V all(6);
        all << chosen.mean, chosen.standard_error, static_cast<double>(chosen.best),
            static_cast<double>(chosen.one_standard_error);
        return all;
      },
      1e-4);
}

V one(double figure) { return V{{figure}}; }

}  // namespace

TEST_CASE("Sample weights: regression recipes", "[models]") {
  const auto numbers = &Samples::numbers;
  same_fit("RidgeRegression", RidgeRegression{.lambda = 0.1}, numbers);
  same_fit("LinearRegression", LinearRegression{}, numbers);
  same_fit("Lasso", Lasso{.lambda = 0.1}, numbers);
  same_fit("ElasticNetRegression", ElasticNetRegression{.lambda = 0.1}, numbers);
  same_fit("HuberRegression", HuberRegression{.lambda = 0.1}, numbers);
  same_fit("QuantileRegression", QuantileRegression{.lambda = 0.1}, numbers, 1e-3);
  same_fit("SupportVectorRegression", SupportVectorRegression{.lambda = 0.1}, numbers, 1e-3);
  same_fit("PoissonRegression", PoissonRegression{.lambda = 0.1}, &Samples::counts);
  same_fit("RidgeRegressionCv", RidgeRegressionCv{.lambdas = {0.1}}, numbers);
  same_fit("Standardised", Standardised{Lasso{.lambda = 0.1}}, numbers);
}

TEST_CASE("Sample weights: classifiers", "[models]") {
  const auto signs = &Samples::signs, labels = &Samples::labels;
  same_fit("LogisticRegression", LogisticRegression{.lambda = 0.1}, signs);
  same_fit("balanced", LogisticRegression{.lambda = 0.1, .class_weights = balanced}, signs);
  same_fit("class weights", LogisticRegression{.lambda = 0.1, .class_weights = {{1, 5}}}, signs);
  same_fit("LinearSvm", LinearSvm{.lambda = 0.1}, signs, 1e-3);
  same_fit("SquaredHingeSvm", SquaredHingeSvm{.lambda = 0.1}, signs);
  same_fit("SparseLogisticRegression", SparseLogisticRegression{.lambda = 0.02}, signs);
  same_fit("SoftmaxRegression", SoftmaxRegression{.lambda = 0.1, .class_weights = balanced},
           labels);
  same_fit("SparseSoftmaxRegression", SparseSoftmaxRegression{.lambda = 0.02}, labels);
  same_fit("OneVsRest", OneVsRest{LogisticRegression{.lambda = 0.1}}, labels);
  same_fit("Standardised", Standardised{SoftmaxRegression{.lambda = 0.1}}, labels);
  same_fit("GradientDescent",
           LogisticRegression{.lambda = 0.1}.with(GradientDescent{.epochs = 30, .tolerance = 0}),
           signs, 1e-9);
}

TEST_CASE("Sample weights: selections of lambda", "[models]") {
  same_choice("RidgeRegression", RidgeRegression{}, &Samples::numbers);
  same_choice("ElasticNetRegression", ElasticNetRegression{}, &Samples::numbers);
  same_choice("Standardised", Standardised{Lasso{}}, &Samples::numbers);
  same_choice("LogisticRegression", LogisticRegression{.class_weights = balanced}, &Samples::signs);
  same_choice("SoftmaxRegression", SoftmaxRegression{}, &Samples::labels);
  same_choice("OneVsRest", OneVsRest{LinearSvm{}}, &Samples::labels);
  const auto largest = [](const auto& objective, const V Samples::*kind) {
    return [=](const Samples& s) { return one(lambda_max(objective, s.x, s.*kind, s.weights)); };
  };
  same("lambda_max", largest(Objective{Log{}, L1{}}, &Samples::signs));
  same("lambda_max, factors",
       largest(Objective{Huber{}, PenaltyFactors<L1>{{}, V{{1, 0, 2}}, 2}}, &Samples::numbers));
  same("EarlyStopping", [](const Samples& s) {
    // Trains without the weights, and stops by the weighted samples.
    EarlyStopping stopping(Squared{}, s.x, s.numbers, {.patience = 2}, s.weights);
    const GradientDescent optimizer{.epochs = 30, .tolerance = 0};
    const auto all = optimizer.minimize(Objective{Squared{}, L2{1e-3}}, repeated().x,
                                        repeated().numbers, std::ref(stopping));
    const auto& best = stopping.best();
    return V{{best.score, static_cast<double>(best.epoch), static_cast<double>(all.epochs)}};
  });
}

TEST_CASE("Sample weights: figures of fitted models", "[models]") {
  const LogisticRegression recipe{.lambda = 0.1};
  const auto two = recipe.fit(repeated().x, repeated().signs);
  const auto three = SoftmaxRegression{.lambda = 0.1}.fit(repeated().x, repeated().labels);
  same("evaluate, two labels", [&](const Samples& s) {
    const auto e = evaluate(two, s.x, s.signs, s.weights);
    return V{{e.accuracy, e.precision, e.recall, e.f1, e.roc_auc, *e.log_loss, *e.brier_score,
              e.confusion.counts(0, 1)}};
  });
  same("evaluate, three labels", [&](const Samples& s) {
    const auto e = evaluate(three, s.x, s.labels, s.weights);
    return V{{e.accuracy, e.balanced_accuracy, e.macro_f1, e.roc_auc, *e.log_loss, *e.brier_score,
              e.classes.support[0]}};
  });
  same("standard_errors", [&](const Samples& s) {
    const auto errors =
        standard_errors(recipe.objective(), two, s.x, s.signs, {.sample_weights = s.weights});
    return V{{errors.weights[0].standard_error, errors.offset.standard_error}};
  });
  same("objective_value", [&](const Samples& s) {
    return one(objective_value(recipe.objective(), two, s.x, s.signs, s.weights));
  });
  same("standardise", [](const Samples& s) {
    const auto scaling = standardise(s.x, s.weights);
    V all(6);
    all << scaling.mean, scaling.scale;
    return all;
  });
}

TEST_CASE("Sample weights: learners ignore samples of weight 0, and epochs of full batches agree",
          "[models]") {
  // A learner makes one longer step for a heavy sample where repeated samples make several, so only
  // the weight 0 and steps of all samples have equal figures.
  const auto learn = [](const auto& start, const auto& feed) {
    return [=](const Samples& s) {
      auto learner = start;
      for (int k = 0; k < 3; ++k) feed(learner, s);
      return V(learner.solution().weights);
    };
  };
  const V equal = weighted().weights.cwiseMin(1.0);  // only 0 and 1
  std::vector<Index> present;
  for (Index i = 0; i < n; ++i)
    if (equal[i] > 0) present.push_back(i);
  const auto check = [&](const std::string& name, const auto& start) {
    CAPTURE(name);
    Samples s = weighted();
    s.weights = equal;
    const Samples few{take_rows(s.x, present), s.numbers(present), s.signs(present), {}, {}, {}};
    const auto by_update = learn(start, [](auto& learner, const Samples& of) {
      for (Index i = 0; i < of.x.rows(); ++i)
        learner.update(of.x.row(i), of.signs[i], of.weights.size() > 0 ? of.weights[i] : 1);
    });
    const auto by_batch = learn(start, [](auto& learner, const Samples& of) {
      learner.update_batch(of.x, of.signs, of.weights);
    });
    const auto by_epoch = learn(
        start, [](auto& learner, const Samples& of) { learner.epoch(of.x, of.signs, of.weights); });
    CHECK(by_update(s) == by_update(few));
    CHECK(by_batch(s) == by_batch(few));
    CHECK(by_epoch(s) == by_epoch(few));
  };
  const Objective log{Log{}, L2{0.1}};
  check("Sgd", Sgd{}.start<double>(log, 3));
  check("Sgd, ConstantStep", BasicSgd<ConstantStep>{.step = {0.1}}.start<double>(log, 3));
  check("Pegasos", Pegasos{}.start<double>(Objective{SquaredHinge{}, L2{0.1}}, 3));
  check("Perceptron", Perceptron{}.start<double>(3));
  same("update_batch", [&](const Samples& s) {
    auto learner = BasicSgd<ConstantStep>{.step = {0.01}}.start<double>(log, 3);
    // The mean step divides by the number of rows, which differs.
    const double count = s.weights.size() > 0 ? static_cast<double>(present.size())
                                              : static_cast<double>(s.x.rows());
    const V scaled = V(s.weights.size() > 0 ? s.weights : V::Ones(s.x.rows())) * (count / 1000);
    learner.update_batch(s.x, s.signs, scaled);
    return V(learner.solution().weights);
  });
}

}  // namespace sample_weights_test
