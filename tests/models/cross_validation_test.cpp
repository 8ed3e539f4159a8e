// SPDX-License-Identifier: MIT
#include <cmath>  // nan
#include <limits>
#include <linea/losses/squared.hpp>
#include <linea/losses/zero_one.hpp>
#include <linea/metrics/classification.hpp>
#include <linea/metrics/regression.hpp>
#include <linea/models/classifiers.hpp>
#include <linea/models/cross_validation.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/models/regressors.hpp>
#include <linea/models/standardised.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/penalties/l2.hpp>
#include <mutex>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/shipped.hpp"
#include "support/synthetic.hpp"

namespace cross_validation_test {

using namespace linea;

namespace {

const Objective<Squared, L2> ridge{};
const std::vector<double> lambdas{1, 1e-1, 1e-2, 1e-3};

struct Problem {
  Matrix<double> x = synthetic::features(47, 8, 1, 0.7);
  Vector<double> y = synthetic::numbers(x, 2, 3.0);
};

Extras<double> weighted(Index n) {
  Random random(9);
  Extras<double> extras;
  extras.sample_weights.resize(n);
  for (double& weight : extras.sample_weights) weight = 0.1 + random.uniform();
  extras.sample_weights[3] = 0;
  return extras;
}

/// A plain loop: `score(p, y)` of each sample, held out with its fold, in mean (folds × m).
template <class Score>
Matrix<double> by_loop(const Folds& folds, const Matrix<double>& x, const Vector<double>& y,
                       const Vector<double>& weights, const Score& score) {
  Matrix<double> scores(folds.size(), static_cast<Index>(lambdas.size()));
  for (Index k = 0; k < folds.size(); ++k)
    for (Index j = 0; j < scores.cols(); ++j) {
      // Held-out samples stay, with weight 0.
      Vector<double> kept = weights;
      for (const Index i : folds.held_out(k)) kept[i] = 0;
      const auto fit = Ridge{}.minimize(
          Objective{Squared{}, L2{lambdas[static_cast<std::size_t>(j)]}}, x, y, kept);
      double sum = 0;
      double total = 0;
      for (const Index i : folds.held_out(k)) {
        sum += weights[i] * score(x.row(i).dot(fit.weights) + fit.offset, y[i]);
        total += weights[i];
      }
      scores(k, j) = sum / total;
    }
  return scores;
}

/// Weights that tell by their number which rows they came from, and by their value which λ.
struct Spy {
  std::vector<Extras<double>>* seen;

  template <class X, class Y>
  DualSolution<double> minimize(const Objective<Squared, L2>&, const X& x, const Y&,
                                const Extras<double>& extras) const {
    seen->push_back(extras);
    DualSolution<double> solution;
    solution.weights.setZero(x.cols());
    return solution;
  }
};

double half_square(double p, double y) { return 0.5 * (p - y) * (p - y); }

}  // namespace

TEST_CASE("CrossValidation: is a plain loop over folds and lambdas", "[models]") {
  const Problem p;
  const Folds folds = fold_indices(p.y.size(), {.folds = 4, .seed = 5});
  const CrossValidation validation{.folds = 4, .seed = 5};
  const auto chosen = validation.choose(Ridge{}, ridge, lambdas, p.x, p.y);
  const Vector<double> ones = Vector<double>::Ones(p.y.size());
  const Matrix<double> expected = by_loop(folds, p.x, p.y, ones, half_square);
  CHECK(chosen.fold_scores.isApprox(expected, 1e-10));
  CHECK(chosen.lambdas == lambdas);
  // Every sample counts once.
  Eigen::VectorXd sizes(4);
  for (Index k = 0; k < 4; ++k) sizes[k] = static_cast<double>(folds.held_out(k).size());
  CHECK(chosen.mean.isApprox(expected.transpose() * sizes / 47, 1e-10));
  Index least = 0;
  chosen.mean.minCoeff(&least);
  CHECK(chosen.best == least);
}

TEST_CASE("CrossValidation: sample weights go with their samples", "[models]") {
  const Problem p;
  const auto extras = weighted(p.y.size());
  const Folds folds = fold_indices(p.y.size(), {.seed = 1});
  const auto chosen = CrossValidation{.seed = 1}.choose(Ridge{}, ridge, lambdas, p.x, p.y, extras);
  const Matrix<double> expected = by_loop(folds, p.x, p.y, extras.sample_weights, half_square);
  CHECK(chosen.fold_scores.isApprox(expected, 1e-10));
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(5);
  for (Index k = 0; k < 5; ++k)
    for (const Index i : folds.held_out(k)) sums[k] += extras.sample_weights[i];
  CHECK(chosen.mean.isApprox(expected.transpose() * sums / sums.sum(), 1e-10));
  // Only their ratios count.
  Extras<double> huge = extras;
  huge.sample_weights *= 1e308;
  CHECK(CrossValidation{.seed = 1}
            .choose(Ridge{}, ridge, lambdas, p.x, p.y, huge)
            .mean.isApprox(chosen.mean, 1e-12));
}

TEST_CASE("CrossValidation: start multipliers go with their samples, and along the path",
          "[models]") {
  const Problem p;
  Extras<double> extras = weighted(p.y.size());
  extras.start_multipliers = Vector<double>::LinSpaced(47, 0, 46);
  std::vector<Extras<double>> seen;
  const CrossValidation validation{.folds = 3, .seed = 2};
  (void)validation.choose(Spy{&seen}, ridge, lambdas, p.x, p.y, extras);
  const Folds folds = fold_indices(47, {.folds = 3, .seed = 2});
  REQUIRE(seen.size() == 13);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto rest = folds.rest(static_cast<Index>(k));
    CHECK(seen[4 * k].start_multipliers == extras.start_multipliers(rest));
    CHECK(seen[4 * k].sample_weights == extras.sample_weights(rest));
    CHECK(seen[4 * k + 1].start_multipliers.size() == 0);  // those of the solution before
    CHECK(seen[4 * k + 3].sample_weights == extras.sample_weights(rest));
  }
  CHECK(seen[12].start_multipliers == extras.start_multipliers);
}

TEST_CASE("CrossValidation: the solution is the fit to all samples, here and for other lambdas",
          "[models]") {
  const Problem p;
  const auto extras = weighted(p.y.size());
  const auto chosen = CrossValidation{}.choose(Ridge{}, ridge, lambdas, p.x, p.y, extras);
  const auto at = [&](Index k) {
    return Ridge{}.minimize(Objective{Squared{}, L2{lambdas[static_cast<std::size_t>(k)]}}, p.x,
                            p.y, extras.sample_weights);
  };
  CHECK(chosen.solution.weights == at(chosen.best).weights);
  CHECK(chosen.solution.offset == at(chosen.best).offset);
  for (const Index k : {Index{0}, chosen.one_standard_error})
    CHECK(chosen.refit(k, p.x, p.y, extras).weights == at(k).weights);
  CHECK_THROWS_WITH(chosen.refit(4, p.x, p.y), "CrossValidated::refit: number 4 of 4");
}

TEST_CASE("CrossValidation: takes a score of your own, with weights or without", "[models]") {
  const Problem p;
  const Vector<double> y = p.y.array().sign();
  const auto extras = weighted(y.size());
  const CrossValidation validation{.stratify = false};
  const Folds folds = fold_indices(y.size());
  const auto mistakes = [](double score, double target) { return score * target <= 0 ? 1.0 : 0.0; };
  const Vector<double> ones = Vector<double>::Ones(y.size());
  const auto choose = [&](const auto& score, const Extras<double>& with) {
    return validation.choose(Ridge{}, ridge, lambdas, p.x, y, with, score).fold_scores;
  };
  const Matrix<double> weighted_rate = by_loop(folds, p.x, y, extras.sample_weights, mistakes);
  CHECK(choose(MeanLoss{ZeroOne{}}, extras).isApprox(weighted_rate, 1e-12));
  CHECK(choose(MeanLoss{ZeroOne{}}, {}).isApprox(by_loop(folds, p.x, y, ones, mistakes), 1e-12));
  const auto rate = [](const Eigen::VectorXd& scores, const Eigen::VectorXd& targets,
                       const Eigen::VectorXd& weights) {
    return error_rate(scores.array().sign().matrix(), targets, weights);
  };
  CHECK(choose(rate, extras).isApprox(weighted_rate, 1e-12));
  const auto count = [](const Eigen::VectorXd& scores, const Eigen::VectorXd& targets) {
    return static_cast<int>((scores.array() * targets.array() <= 0).count());
  };
  const Matrix<double> counts = choose(count, extras);
  CHECK(counts.row(0).isApprox(counts.row(0).array().round().matrix()));
  CHECK(counts.maxCoeff() >= 1);
}

TEST_CASE("CrossValidation: deals both classes evenly, where there are two", "[models]") {
  const Matrix<double> x = synthetic::features(40, 3, 1);
  Vector<double> y = Vector<double>::Constant(40, -1);
  y.head(5).setOnes();
  const auto positives = [](const Eigen::VectorXd&, const Eigen::VectorXd& targets) {
    return static_cast<double>((targets.array() > 0).count());
  };
  const auto counts = [&](bool stratify) {
    return CrossValidation{.stratify = stratify}
        .choose(Ridge{}, ridge, {1}, x, y, {}, positives)
        .fold_scores;
  };
  CHECK(counts(true) == Matrix<double>::Ones(5, 1));
  CHECK(counts(false) != Matrix<double>::Ones(5, 1));
  CHECK(counts(false).sum() == 5);
}

TEST_CASE("CrossValidation: finds the same for rows, columns, sparse and float samples",
          "[models]") {
  const Problem p;
  const CrossValidation validation{.folds = 3};
  const auto mean = [&](const auto& x, const auto& y) {
    return validation.choose(Ridge{}, ridge, lambdas, x, y).mean;
  };
  const Eigen::VectorXd rows = mean(p.x, p.y);
  CHECK(mean(Eigen::MatrixXd(p.x), p.y).isApprox(rows, 1e-12));
  CHECK(mean(synthetic::sparse(p.x), p.y).isApprox(rows, 1e-12));
  CHECK(mean(Matrix<float>(p.x.cast<float>()), p.y).isApprox(rows, 1e-5));
}

TEST_CASE(
    "CrossValidation: the same bits for the same seed, on any number of threads, which an "
    "observer never meets",
    "[models]") {
  const auto& set = shipped::breast_cancer();
  const auto choose = [&](Index threads, std::uint64_t seed = 0) {
    return CrossValidation{.seed = seed, .threads = threads}.choose(Ridge{}, ridge, lambdas, set.x,
                                                                    set.y);
  };
  const auto alone = choose(1);
  CHECK(choose(1, 1).fold_scores != alone.fold_scores);
  for (const Index threads : {1, 2, 3, 64}) {
    CAPTURE(threads);
    CHECK(choose(threads).fold_scores == alone.fold_scores);
    CHECK(choose(threads).solution.weights == alone.solution.weights);
  }
  const auto by_recipe = [&](Index threads) {
    return CrossValidation{.threads = threads}.choose(RidgeRegression{}, lambdas, set.x, set.y);
  };
  CHECK(by_recipe(2).fold_scores == by_recipe(1).fold_scores);

  // Ridge tells an observer nothing: the score knows who calls it.
  const auto callers = [&](const Extras<double>& extras) {
    std::mutex mutex;
    std::set<std::thread::id> ids;
    const auto score = [&](const Vector<double>&, const Vector<double>&) {
      const std::scoped_lock lock(mutex);
      ids.insert(std::this_thread::get_id());
      return 1.0;
    };
    static_cast<void>(
        CrossValidation{.threads = 2}.choose(Ridge{}, ridge, {1}, set.x, set.y, extras, score));
    return ids;
  };
  CHECK(callers({}).size() == 2);
  Extras<double> observed;
  observed.observer = [](const Progress&) { return Control::proceed; };
  CHECK(callers(observed) == std::set{std::this_thread::get_id()});

  const auto failing = [&](const Vector<double>& scores, const Vector<double>&) -> double {
    throw std::runtime_error(std::to_string(scores.size()));
  };
  CHECK_THROWS_WITH((CrossValidation{.folds = 4, .threads = 2}.choose(Ridge{}, ridge, {1}, set.x,
                                                                      set.y, {}, failing)),
                    std::to_string(fold_indices(set.y, {.folds = 4}).held_out(0).size()));
}

TEST_CASE("CrossValidation: refuses what it cannot do, with the rows of x", "[models]") {
  const Problem p;
  const std::string choose = "CrossValidation::choose: ";
  const std::vector<double> one{1};
  const auto refuses = [&](const auto& choice) {
    const CrossValidation five;
    CHECK_THROWS_WITH(choice(CrossValidation{.folds = 1}, one, p.y, {}),
                      choose + "1 folds, but two at least are needed");
    CHECK_THROWS_WITH(choice(CrossValidation{.folds = 48}, one, p.y, {}),
                      choose + "48 folds of 47 samples");
    CHECK_THROWS_WITH(choice(CrossValidation{.threads = 0}, one, p.y, {}),
                      choose + "0 threads, but from 1 to 1024 can be had");
    CHECK_THROWS_WITH(choice(five, {}, p.y, {}), choose + "no lambdas");
    CHECK_THROWS_WITH(choice(five, {1, -1}, p.y, {}),
                      choose + "lambda 1 is -1, but must be finite and >= 0");
    CHECK_THROWS_WITH(choice(five, one, p.y.head(46), {}), choose + "x has 47 rows but y has 46");
    CHECK_THROWS_WITH(choice(five, one, p.y, {.sample_weights = Vector<double>::Zero(47)}),
                      choose + "all sample weights are zero");
    CHECK_THROWS_WITH(choice(five, one, p.y, {.sample_weights = Vector<double>::Ones(3)}),
                      choose + "3 sample weights but y has 47");
    Extras<double> extras = weighted(47);
    for (const Index i : fold_indices(47).held_out(2)) extras.sample_weights[i] = 0;
    CHECK_THROWS_WITH(choice(five, one, p.y, extras),
                      choose + "all samples that fold 3 of 5 holds out have weight 0");
  };
  using Lambdas = std::vector<double>;
  const auto by_optimizer = [&](const CrossValidation& validation, const Lambdas& all,
                                const Vector<double>& y, const Extras<double>& extras) {
    return validation.choose(Ridge{}, ridge, all, p.x, y, extras);
  };
  refuses(by_optimizer);
  refuses([&](const CrossValidation& validation, const Lambdas& all, const Vector<double>& y,
              const Extras<double>& extras) {
    return validation.choose(RidgeRegression{}, all, p.x, y, extras);
  });
  CHECK_THROWS_WITH(by_optimizer({}, one, p.y, {.start_multipliers = Vector<double>::Ones(5)}),
                    choose + "5 start multipliers but y has 47");
  Matrix<double> x = p.x;
  x(46, 7) = std::nan("");
  CHECK_THROWS_WITH(CrossValidation{}.choose(Ridge{}, ridge, one, x, p.y),
                    ContainsSubstring(choose + "x(46, 7)"));
}

TEST_CASE("CrossValidation: of recipes, with labels of their own", "[models]") {
  const auto& iris = shipped::iris();
  const CrossValidation five{.folds = 5, .seed = 3};
  const std::vector<double> lambdas{1, 1e-1, 1e-3};
  const auto chosen = five.choose(OneVsRest{LogisticRegression{}}, lambdas, iris.x, iris.y);
  CHECK(chosen.lambdas == lambdas);
  CHECK(chosen.fold_scores.rows() == 5);
  CHECK(chosen.recipe.recipe.lambda == lambdas[static_cast<std::size_t>(chosen.best)]);
  // The scores by hand: each fold's error rate under a fit to the others.
  const auto folds = fold_indices(iris.y, {.folds = 5, .seed = 3, .stratify = true});
  for (Index k = 0; k < 5; ++k) {
    const auto taken = [&](std::span<const Index> rows) {
      Vector<double> y(static_cast<Index>(rows.size()));
      for (std::size_t i = 0; i < rows.size(); ++i) y[static_cast<Index>(i)] = iris.y[rows[i]];
      return std::pair{take_rows(iris.x, rows), y};
    };
    const auto [rest_x, rest_y] = taken(folds.rest(k));
    const auto [x, y] = taken(folds.held_out(k));
    for (Index j = 0; j < 3; ++j) {
      const double lambda = lambdas[static_cast<std::size_t>(j)];
      const auto model = OneVsRest{LogisticRegression{.lambda = lambda}}.fit(rest_x, rest_y);
      CHECK(chosen.fold_scores(k, j) == error_rate(model.predict(x), y));
    }
  }
  const auto again = OneVsRest{LogisticRegression{.lambda = lambdas[2]}}.fit(iris.x, iris.y);
  CHECK(chosen.refit(2, iris.x, iris.y).scores(iris.x) == again.scores(iris.x));
  CHECK_THROWS_WITH(chosen.refit(3, iris.x, iris.y), "CrossValidatedRecipe::refit: number 3 of 3");
}

TEST_CASE("CrossValidation: of recipes, by any score, with weights, scaling fold by fold",
          "[models]") {
  const auto& set = shipped::diabetes();
  const std::vector<double> lambdas{1e3, 10, 1e-3};
  const CrossValidation three{.folds = 3};
  const auto usual = three.choose(Lasso{}, lambdas, set.x, set.y);
  CHECK(usual.best == 2);
  CHECK(usual.mean[0] > usual.mean[1]);  // a Lasso of 1e3 is the mean
  const auto variance = (set.y.array() - set.y.mean()).square().mean();
  CHECK_THAT(usual.mean[0], WithinRel(variance / 2, 0.05));
  const auto score = [](const auto& model, const auto& x, const auto& y, const auto& weights) {
    return mean_absolute_error(model.predict(x), y, weights);
  };
  const auto absolute = three.choose(Lasso{}, lambdas, set.x, set.y, {}, score);
  CHECK(absolute.mean[2] < 60);
  CHECK(absolute.mean[2] > 30);
  CHECK(absolute.is_at_edge);
  // A sample of weight 0 is felt nowhere.
  Vector<double> y = set.y;
  Vector<double> weights = Vector<double>::Ones(y.size());
  weights.head(40).setZero();
  const auto without = three.choose(Lasso{}, lambdas, set.x, y, weights, score);
  y.head(40).setConstant(1e6);
  const auto with = three.choose(Lasso{}, lambdas, set.x, y, weights, score);
  CHECK(with.mean == without.mean);
  // The scaling of a fold's fit is learnt from the other folds: a copy with other scales, and
  // other held-out rows, has the same scores only if nothing of the fold is seen.
  const auto scaled = three.choose(Standardised{Lasso{}}, lambdas, set.x, set.y);
  const Matrix<double> raw =
      (set.x.array().rowwise() * Eigen::RowVectorXd::LinSpaced(set.x.cols(), 1, 1000).array())
          .matrix();
  const auto same = three.choose(Standardised{Lasso{}}, lambdas, raw, set.y);
  CHECK((scaled.mean - same.mean).norm() < 1e-4 * scaled.mean.norm());
  CHECK((three.choose(Lasso{}, lambdas, raw, set.y).mean - usual.mean).norm() >
        1e-2 * usual.mean.norm());
}

TEST_CASE("CrossValidation: all rows are validated before they are divided", "[models]") {
  const auto x = synthetic::features(12, 2, 1);
  const auto y = synthetic::signs(x, 2);
  const Index row = GENERATE(0, 7, 11);
  CAPTURE(row);
  const std::string number = std::to_string(row);
  const std::string choose = "CrossValidation::choose: ";
  const auto with = [&](const Vector<double>& v, double value) {
    Vector<double> changed = v;
    changed[row] = value;
    return changed;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Vector<double> ones = Vector<double>::Ones(12);
  Matrix<double> holed = x;
  holed(row, 1) = nan;
  const auto check = [&](const auto& recipe) {
    const auto fit = [&](const Matrix<double>& rows, const Vector<double>& targets,
                         const Vector<double>& weights = {}) {
      return CrossValidation{}.choose(recipe, {1.0, 0.1}, rows, targets, weights);
    };
    CHECK_THROWS_WITH(fit(holed, y), choose + "x(" + number + ", 1) is not finite");
    CHECK_THROWS_WITH(fit(x, with(y, nan)), choose + "y(" + number + ") is not finite");
    CHECK_THROWS_WITH(fit(x, y, with(ones, -1)), choose + "sample weight " + number + " is -1");
    CHECK_THROWS_WITH(fit(x, y, with(ones, nan)), choose + "sample weight " + number + " is nan");
  };
  check(LogisticRegression{});
  check(Standardised{RidgeRegression{}});
  CHECK_THROWS_WITH(CrossValidation{}.choose(PoissonRegression{}, {1.0, 0.1}, x, with(ones, -2)),
                    ContainsSubstring(choose + "y(" + number + ") = -2 is no target of"));
  CHECK_THROWS_WITH(
      CrossValidation{}.choose(LogisticRegression{.class_weights = {{9, 1}}}, {1.0}, x, y),
      choose + "class weights name label 9, which y has not");
}

TEST_CASE("CrossValidation: class weights may name a label that a fold lacks", "[models]") {
  const auto x = synthetic::features(12, 2, 1);
  const std::vector<double> y{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 2};
  const auto chosen = CrossValidation{}.choose(
      OneVsRest{LogisticRegression{.class_weights = {{2, 5}}}}, {1.0, 0.1}, x, y);
  CHECK(chosen.model.labels.size() == 3);
  CHECK(chosen.mean.allFinite());
}

TEST_CASE("CrossValidation: a fold without which the others cannot be fitted is named",
          "[models]") {
  const auto x = synthetic::features(12, 2, 1);
  Vector<double> y = Vector<double>::Zero(12);
  y[5] = 1;
  const Folds folds = fold_indices(y, {.folds = 4, .stratify = true});
  Index fold = 0;
  for (Index k = 0; k < 4; ++k)
    for (const Index row : folds.held_out(k))
      if (row == 5) fold = k;
  const CrossValidation four{.folds = 4};
  const std::string expected =
      "CrossValidation::choose: fold " + std::to_string(fold + 1) +
      " of 4 cannot be fitted: LogisticRegression::fit: two classes are needed, but all "
      "samples of weight above 0 are of class 0";
  CHECK_THROWS_WITH(four.choose(LogisticRegression{}, {1.0}, x, y), expected);
  CHECK_THROWS_WITH(
      (CrossValidation{.folds = 4, .threads = 2}.choose(LogisticRegression{}, {1.0}, x, y)),
      expected);
  // All samples of the other folds have weight 0.
  Vector<double> weights = Vector<double>::Zero(12);
  const Folds two = fold_indices(12, {.folds = 2});
  for (const Index row : two.held_out(0)) weights[row] = 1;
  weights[two.held_out(1)[0]] = 1e-320;
  Extras<double> extras{.sample_weights = weights};
  CHECK(CrossValidation{.folds = 2}.choose(Ridge{}, ridge, {1.0}, x, y, extras).best == 0);
  // An exception that is no refusal comes through as it is.
  struct Own : std::runtime_error {
    using std::runtime_error::runtime_error;
  };
  extras = {.observer = [](const Progress&) -> Control { throw Own("mine"); }};
  CHECK_THROWS_AS(four.choose(Ridge{}, ridge, {1.0}, x, y, extras), Own);
}

}  // namespace cross_validation_test
