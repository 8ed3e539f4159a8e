// SPDX-License-Identifier: MIT
#include <algorithm>
#include <linea/features/standardise.hpp>
#include <linea/losses/squared.hpp>
#include <linea/losses/zero_one.hpp>
#include <linea/metrics/classification.hpp>
#include <linea/metrics/regression.hpp>
#include <linea/models/classifiers.hpp>
#include <linea/models/cross_validation.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/models/regressors.hpp>
#include <linea/models/sparse_logistic_regression.hpp>
#include <linea/models/sparse_softmax_regression.hpp>
#include <linea/models/standardised.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/penalties/l1.hpp>
#include <linea/penalties/l2.hpp>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/refusal.hpp"
#include "support/same_bits.hpp"
#include "support/shipped.hpp"
#include "support/synthetic.hpp"

namespace cross_validation_test {

using namespace linea;
using test::not_a_number;
using V = Vector<double>;

namespace {

const Objective<Squared, L2> ridge{};
const std::vector<double> lambdas{1, 1e-1, 1e-2, 1e-3};
const std::string choose = "CrossValidation::choose: ";

struct Problem {
  Matrix<double> x = synthetic::features(47, 8, 1, 0.7);
  V y = synthetic::numbers(x, 2, 3.0);
  Extras<double> weighted{.sample_weights = V::Ones(47)};  // the constructor sets unequal weights

  Problem() {
    Random random(9);
    for (double& weight : weighted.sample_weights) weight = 0.1 + random.uniform();
    weighted.sample_weights[3] = 0;
  }
};

Solution<double> fit_at(double lambda, const Matrix<double>& x, const V& y, const V& weights) {
  return Ridge{}.minimize(Objective{Squared{}, L2{lambda}}, x, y, weights);
}

/// Returns the scores (folds × lambdas) of cross-validation, computed by a plain loop: the mean of
/// `score(p, y)` over each fold's held-out samples.
template <class Score>
Matrix<double> by_loop(const Folds& folds, const Matrix<double>& x, const V& y, const V& weights,
                       const Score& score) {
  Matrix<double> scores(folds.size(), static_cast<Index>(lambdas.size()));
  for (Index k = 0; k < folds.size(); ++k)
    for (Index j = 0; j < scores.cols(); ++j) {
      V kept = weights;  // held-out samples get weight 0, so that the fit ignores them
      for (const Index i : folds.held_out(k)) kept[i] = 0;
      const auto fit = fit_at(lambdas[static_cast<std::size_t>(j)], x, y, kept);
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

/// An optimizer that records the extras of each call and returns zero weights.
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

}  // namespace

TEST_CASE("CrossValidation: equals a plain loop over folds and lambdas, and a fit of all samples",
          "[models]") {
  const Problem p;
  const auto half_square = [](double s, double t) { return 0.5 * (s - t) * (s - t); };
  const Folds folds = fold_indices(47, {.folds = 4, .seed = 5});
  const CrossValidation validation{.own_folds = folds};
  const CrossValidation dealt{.folds = 4, .seed = 5};
  CHECK(dealt.choose(Ridge{}, ridge, lambdas, p.x, p.y).fold_scores ==
        validation.choose(Ridge{}, ridge, lambdas, p.x, p.y).fold_scores);
  for (const auto& extras : {Extras<double>{.sample_weights = V::Ones(47)}, p.weighted}) {
    const V& weights = extras.sample_weights;
    const auto chosen = validation.choose(Ridge{}, ridge, lambdas, p.x, p.y, extras);
    const Matrix<double> expected = by_loop(folds, p.x, p.y, weights, half_square);
    CHECK(chosen.fold_scores.isApprox(expected, 1e-10));
    CHECK(chosen.lambdas == lambdas);
    V sums(4);  // every sample counts once, with its weight
    for (Index k = 0; k < 4; ++k) sums[k] = weights(folds.held_out(k)).sum();
    CHECK(chosen.mean.isApprox(expected.transpose() * sums / sums.sum(), 1e-10));
    Index least = 0;
    chosen.mean.minCoeff(&least);
    CHECK(chosen.best == least);
    // Only the ratios of the weights matter.
    Extras<double> huge{.sample_weights = 1e140 * weights};
    CHECK(validation.choose(Ridge{}, ridge, lambdas, p.x, p.y, huge)
              .mean.isApprox(chosen.mean, 1e-12));
    const auto at = [&](Index k) {
      return fit_at(lambdas[static_cast<std::size_t>(k)], p.x, p.y, weights);
    };
    CHECK(chosen.solution.weights == at(chosen.best).weights);
    CHECK(chosen.solution.offset == at(chosen.best).offset);
    for (const Index k : {Index{0}, chosen.one_standard_error})
      CHECK(chosen.refit(k, p.x, p.y, extras).weights == at(k).weights);
    CHECK_THROWS_WITH(chosen.refit(4, p.x, p.y), "CrossValidated::refit: number 4 of 4");
  }
}

TEST_CASE("CrossValidation: start multipliers follow their samples, and the path", "[models]") {
  const Problem p;
  Extras<double> extras = p.weighted;
  extras.start_multipliers = V::LinSpaced(47, 0, 46);
  std::vector<Extras<double>> seen;
  const Folds folds = fold_indices(47, {.folds = 3, .seed = 2});
  const CrossValidation validation{.own_folds = folds};
  (void)validation.choose(Spy{&seen}, ridge, lambdas, p.x, p.y, extras);
  REQUIRE(seen.size() == 13);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto rest = folds.rest(static_cast<Index>(k));
    CHECK(seen[4 * k].start_multipliers == extras.start_multipliers(rest));
    CHECK(seen[4 * k].sample_weights == extras.sample_weights(rest));
    // This fit starts from the previous solution, which here has no dual variables.
    CHECK(seen[4 * k + 1].start_multipliers.size() == 0);
    CHECK(seen[4 * k + 3].sample_weights == extras.sample_weights(rest));
  }
  CHECK(seen[12].start_multipliers == extras.start_multipliers);
}

TEST_CASE("CrossValidation: takes a score of your own, with weights or without", "[models]") {
  const Problem p;
  const V y = p.y.array().sign(), ones = V::Ones(47);
  const Folds folds = fold_indices(47);
  const auto mistakes = [](double score, double target) { return score * target <= 0 ? 1.0 : 0.0; };
  const auto scores = [&](const auto& score, const Extras<double>& with) {
    return CrossValidation{.own_folds = folds}
        .choose(Ridge{}, ridge, lambdas, p.x, y, with, score)
        .fold_scores;
  };
  const auto rate = [](const V& s, const V& targets, const V& weights) {
    return error_rate(s.array().sign().matrix(), targets, weights);
  };
  const auto count = [](const V& s, const V& targets) {
    return static_cast<int>((s.array() * targets.array() <= 0).count());
  };
  const Matrix<double> weighted = by_loop(folds, p.x, y, p.weighted.sample_weights, mistakes);
  const Matrix<double> plain = by_loop(folds, p.x, y, ones, mistakes);
  CHECK(scores(MeanLoss{ZeroOne{}}, p.weighted).isApprox(weighted, 1e-12));
  CHECK(scores(MeanLoss{ZeroOne{}}, {}).isApprox(plain, 1e-12));
  CHECK(scores(rate, p.weighted).isApprox(weighted, 1e-12));
  Matrix<double> counts = plain;
  for (Index k = 0; k < folds.size(); ++k)
    counts.row(k) *= static_cast<double>(folds.held_out(k).size());
  CHECK(scores(count, {}).isApprox(counts, 1e-12));
  CHECK(counts.maxCoeff() >= 1);
}

TEST_CASE("CrossValidation: stratifies if y has two values", "[models]") {
  const Matrix<double> x = synthetic::features(40, 3, 1);
  V y = -V::Ones(40);
  y.head(5).setOnes();
  const auto positives = [](const V&, const V& targets) {
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

TEST_CASE(
    "CrossValidation: a seed gives the same bits for any number of threads, which an observer sees "
    "one by one",
    "[models]") {
  const auto& [x, y] = shipped::breast_cancer();
  const auto by = [&, &x = x, &y = y](Index threads, std::uint64_t seed = 0) {
    return CrossValidation{.seed = seed, .threads = threads}.choose(Ridge{}, ridge, lambdas, x, y);
  };
  const auto alone = by(1);
  CHECK(by(1, 1).fold_scores != alone.fold_scores);
  for (const Index threads : {1, 2, 64}) {
    CAPTURE(threads);
    CHECK(by(threads).fold_scores == alone.fold_scores);
    CHECK(by(threads).solution.weights == alone.solution.weights);
  }
  const auto by_recipe = [&, &x = x, &y = y](Index threads) {
    return CrossValidation{.threads = threads}.choose(RidgeRegression{}, lambdas, x, y);
  };
  CHECK(by_recipe(2).fold_scores == by_recipe(1).fold_scores);

  // Ridge calls no observer, so the score records the thread that calls it.
  const CrossValidation two{.folds = 4, .threads = 2};
  const auto callers = [&, &x = x, &y = y](const Extras<double>& extras) {
    std::mutex mutex;
    std::set<std::thread::id> ids;
    const auto score = [&](const V&, const V&) {
      const std::scoped_lock lock(mutex);
      ids.insert(std::this_thread::get_id());
      return 1.0;
    };
    static_cast<void>(two.choose(Ridge{}, ridge, {1}, x, y, extras, score));
    return ids;
  };
  CHECK(callers({}).size() == 2);
  const Extras<double> observed{.observer = [](const Progress&) { return Control::proceed; }};
  CHECK(callers(observed) == std::set{std::this_thread::get_id()});
  // The exception of the first fold is rethrown, whichever other folds throw.
  const auto failing = [&](const V& scores, const V&) -> double {
    throw std::runtime_error(std::to_string(scores.size()));
  };
  CHECK_THROWS_WITH(two.choose(Ridge{}, ridge, {1}, x, y, {}, failing),
                    std::to_string(fold_indices(y, {.folds = 4}).held_out(0).size()));
}

TEST_CASE("CrossValidation: recipes keep their own labels", "[models]") {
  const auto& iris = shipped::iris();
  const CrossValidation five{.folds = 5, .seed = 3};
  const std::vector<double> three{1, 1e-1, 1e-3};
  const auto at = [&](std::size_t j) { return OneVsRest{LogisticRegression{.lambda = three[j]}}; };
  const auto chosen = five.choose(OneVsRest{LogisticRegression{}}, three, iris.x, iris.y);
  CHECK(chosen.lambdas == three);
  CHECK(chosen.recipe.recipe.lambda == three[static_cast<std::size_t>(chosen.best)]);
  // Compute the scores by definition: the error rate, on each fold, of a model that is fitted to
  // the other folds.
  const auto folds = fold_indices(iris.y, {.folds = 5, .seed = 3, .stratify = true});
  REQUIRE(chosen.fold_scores.rows() == 5);
  for (Index k = 0; k < 5; ++k) {
    const auto rest = folds.rest(k), held_out = folds.held_out(k);
    for (std::size_t j = 0; j < 3; ++j) {
      const auto model = at(j).fit(take_rows(iris.x, rest), V(iris.y(rest)));
      CHECK(chosen.fold_scores(k, static_cast<Index>(j)) ==
            error_rate(model.predict(take_rows(iris.x, held_out)), V(iris.y(held_out))));
    }
  }
  CHECK(chosen.refit(2, iris.x, iris.y).scores(iris.x) == at(2).fit(iris.x, iris.y).scores(iris.x));
  CHECK_THROWS_WITH(chosen.refit(3, iris.x, iris.y), "CrossValidatedRecipe::refit: number 3 of 3");
  // Class weights may name a label that does not occur in a fold.
  const std::vector<double> y{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 2};
  const auto weighted = CrossValidation{}.choose(
      OneVsRest{LogisticRegression{.class_weights = {{2, 5}}}}, {1.0, 0.1}, iris.x.topRows(12), y);
  CHECK(weighted.model.labels.size() == 3);
  CHECK(weighted.mean.allFinite());
}

TEST_CASE("CrossValidation: recipes with any score, weights and scaling in each fold", "[models]") {
  const auto& [x, numbers] = shipped::diabetes();
  V y = numbers;
  const std::vector<double> three{1e3, 10, 1e-3};
  const CrossValidation validation{.folds = 3};
  const auto usual = validation.choose(Lasso{}, three, x, y);
  CHECK(usual.best == 2);
  CHECK(usual.is_at_edge);
  CHECK(usual.mean[0] > usual.mean[1]);  // with λ = 1e3, the Lasso predicts the mean
  CHECK_THAT(usual.mean[0], WithinRel((y.array() - y.mean()).square().mean() / 2, 0.05));
  const auto score = [](const auto& model, const auto& rows, const auto& t, const auto& weights) {
    return mean_absolute_error(model.predict(rows), t, weights);
  };
  // A sample of weight 0 has no effect.
  V weights = V::Ones(y.size());
  weights.head(40).setZero();
  const auto without = validation.choose(Lasso{}, three, x, y, weights, score);
  CHECK(without.mean[2] < 60);
  CHECK(without.mean[2] > 30);
  y.head(40).setConstant(1e6);
  CHECK(validation.choose(Lasso{}, three, x, y, weights, score).mean == without.mean);
  // The folds are those without these samples.
  const Index kept = y.size() - 40;
  const auto removed = validation.choose(Lasso{}, three, Matrix<double>(x.bottomRows(kept)),
                                         V(y.tail(kept)), {}, score);
  CHECK(removed.mean.isApprox(without.mean, 1e-4));
  // With Standardised, the scores do not depend on the scales of the columns.
  const auto mean = [&, &numbers = numbers](const auto& recipe, const Matrix<double>& rows) -> V {
    return validation.choose(recipe, three, rows, numbers).mean;
  };
  const Matrix<double> raw = x * V::LinSpaced(x.cols(), 1, 1000).asDiagonal();
  CHECK(mean(Standardised{Lasso{}}, raw).isApprox(mean(Standardised{Lasso{}}, x), 1e-4));
  CHECK_FALSE(mean(Lasso{}, raw).isApprox(V(usual.mean), 1e-2));
}

TEST_CASE("CrossValidation: an empty list stands for lambdas from lambda_max down", "[models]") {
  const auto& [x, y] = shipped::breast_cancer();
  const auto lasso = CrossValidation{}.choose(Standardised{Lasso{}}, {}, x, y);
  const auto scaled = standardise(x).apply(x);
  CHECK(lasso.lambdas == automatic_lambdas(Objective{Squared{}, L1{1}}, scaled, y));
  CHECK(lasso.lambdas[0] == lambda_max(Objective{Squared{}, L1{1}}, scaled, y));
  CHECK((lasso.refit(0, x, y).weights.array() == 0).all());
  CHECK((lasso.refit(1, x, y).weights.array() != 0).any());
  CHECK_FALSE(lasso.is_at_edge);
  const auto by_optimizer = CrossValidation{}.choose(Ridge{}, ridge, {}, x, y);
  CHECK(by_optimizer.lambdas == automatic_lambdas(ridge, x, y));
}

TEST_CASE("automatic_lambdas: of several classes they begin at the smallest that fits none",
          "[models]") {
  const auto& x = shipped::iris().x;
  const auto& y = shipped::iris().y;
  const Extras<double> extras;
  const auto check = [&](const auto& recipe) {
    const double largest = automatic_lambdas(recipe, x, y, extras).front();
    const auto fits_any = [&](double lambda) {
      const auto model = detail::at_lambda(recipe, lambda).fit(x, y);
      if constexpr (requires { model.weights; })
        return (model.weights.array() != 0).any();
      else
        return std::any_of(model.models.begin(), model.models.end(),
                           [](const auto& one) { return (one.weights.array() != 0).any(); });
    };
    CHECK_FALSE(fits_any(largest * (1 + 1e-9)));
    CHECK(fits_any(0.99 * largest));
  };
  for (const bool offset : {true, false}) {
    check(OneVsRest{SparseLogisticRegression{.tolerance = 1e-10, .offset = offset}});
    check(SparseSoftmaxRegression{.tolerance = 1e-10, .offset = offset});
    check(SparseSoftmaxRegression{
        .tolerance = 1e-10, .offset = offset, .class_weights = {{1, 3}, {2, 0.5}}});
  }
  CHECK(automatic_lambdas(SoftmaxRegression{}, x, y, extras) ==
        automatic_lambdas(OneVsRest{LogisticRegression{}}, x, y, extras));
}

TEST_CASE("CrossValidation: a recipe of a user needs no objective if its lambdas are named",
          "[models]") {
  struct Own {
    double lambda{1};
    Regressor<double> fit(const Matrix<double>& x, const V& y, const Extras<double>&) const {
      return RidgeRegression{.lambda = lambda}.fit(x, y);
    }
  };
  const Problem p;
  const auto score = [](const auto& model, const auto& x, const auto& y, const auto&) {
    return mean_squared_error(model.predict(x), y);
  };
  const auto chosen = CrossValidation{}.choose(Own{}, lambdas, p.x, p.y, {}, score);
  CHECK(chosen.lambdas == lambdas);
  CHECK_THROWS_WITH(
      CrossValidation{}.choose(Own{}, {}, p.x, p.y, {}, score),
      "automatic_lambdas: the recipe has no objective with a lambda, so name the lambdas");
}

TEST_CASE("CrossValidation: a curve is that of choose", "[models]") {
  const auto& [x, y] = shipped::breast_cancer();
  const Standardised recipe{LogisticRegression{}};
  const CrossValidation validation{.folds = 3};
  for (const std::vector<double>& list : {std::vector<double>{1e-1, 1e-3}, {}}) {
    const auto chosen = validation.choose(recipe, list, x, y);
    const ValidationCurve curve = validation.curve(recipe, list, x, y);
    CHECK(curve.lambdas == chosen.lambdas);
    CHECK(same_bits(curve.fold_scores, chosen.fold_scores));
    CHECK(curve.best == chosen.best);
  }
  CHECK(test::refusal_of([&, &x = x, &y = y] {
          static_cast<void>(validation.curve(recipe, {1e-1}, x, y.head(3)));
        }).starts_with("CrossValidation::curve: x has 569 rows but y has 3"));
}

TEST_CASE("CrossValidation: scores of each sample without its fold", "[models]") {
  const Problem p;
  const Index threads = GENERATE(1, 3);
  const CrossValidation validation{.folds = 4, .seed = 3, .threads = threads};
  const RidgeRegression recipe{.lambda = 0.1};
  const auto scores = validation.held_out_scores(recipe, p.x, p.y, p.weighted);
  // The fold of a sample is that of `choose`: a score of these errors gives the curve of `choose`.
  const auto chosen = validation.choose(recipe, {0.1}, p.x, p.y, p.weighted);
  const V losses = (scores - p.y).array().square() / 2;
  V weights = p.weighted.sample_weights;
  weights[3] = 0;
  double sum = 0;
  for (Index i = 0; i < losses.size(); ++i)
    if (i != 3) sum += weights[i] * losses[i];
  CHECK_THAT(sum / weights.sum(), WithinRel(chosen.mean[0], 1e-12));
  CHECK(std::isnan(scores[3]));  // of weight 0

  const Folds own = folds_of(
      Vector<Index>(Vector<Index>::LinSpaced(47, 0, 46).unaryExpr([](Index i) { return i % 3; })));
  const auto by_own = CrossValidation{.own_folds = own}.held_out_scores(recipe, p.x, p.y);
  const auto rest = own.rest(1);
  const auto without = recipe.fit(take_rows(p.x, rest), p.y(rest).eval());
  CHECK(by_own(own.held_out(1)) == V(without.scores(take_rows(p.x, own.held_out(1)))));
}

TEST_CASE("CrossValidation: scores without a fold of labels that only the fold has", "[models]") {
  const auto x = synthetic::features(30, 3, 1);
  V y(30);
  for (Index i = 0; i < 30; ++i) y[i] = i < 3 ? 9 : i % 2 ? 5 : 7;
  Vector<Index> fold = Vector<Index>::Constant(30, 1);
  fold.head(8).setZero();
  const CrossValidation validation{.own_folds = folds_of(fold)};
  const auto scores = validation.held_out_scores(OneVsRest{LogisticRegression{}}, x, y);
  REQUIRE(scores.rows() == 30);
  REQUIRE(scores.cols() == 3);
  CHECK((scores.col(2).head(8).array() == -std::numeric_limits<double>::infinity()).all());
  CHECK(scores.bottomRows(22).allFinite());
  const auto rest = validation.own_folds.rest(1);
  const auto without = OneVsRest{LogisticRegression{}}.fit(take_rows(x, rest), y(rest).eval());
  CHECK(scores.row(20) == Matrix<double>(without.scores(x.middleRows(20, 1))).row(0));

  const auto two =
      CrossValidation{}.held_out_scores(Standardised{LogisticRegression{}}, x.cast<float>().eval(),
                                        (y.array() > 5).cast<int>().eval());
  CHECK(two.size() == 30);
  CHECK(two.allFinite());
  CHECK_THROWS_WITH(CrossValidation{}.held_out_scores(LogisticRegression{}, x, y),
                    Catch::Contains("CrossValidation::held_out_scores: "));
}

TEST_CASE("CrossValidation: refuses invalid input, with the rows of x", "[models]") {
  const Problem p;
  using Lambdas = std::vector<double>;
  const auto refuses = [&](const auto& call) {
    const auto refused = [&](const CrossValidation& validation, const Lambdas& all, const V& y,
                             const Extras<double>& extras, const std::string& why) {
      CHECK_THROWS_WITH(call(validation, all, y, extras), choose + why);
    };
    const Lambdas one{1};
    CHECK_THROWS_WITH(call({.folds = 1}, one, p.y, {}),
                      "fold_indices: 1 folds, but at least two are needed");
    CHECK_THROWS_WITH(call({.folds = 48}, one, p.y, {}), "fold_indices: 48 folds of 47 samples");
    refused({.threads = 0}, one, p.y, {}, "0 threads, but there must be 1 to 1024");
    refused({.own_folds = fold_indices(46)}, one, p.y, {},
            "the folds are of 46 samples, but x has 47 rows");
    refused({}, {1, -1}, p.y, {}, "lambda 1 is -1, but must be finite and >= 0");
    refused({}, one, p.y.head(46), {}, "x has 47 rows but y has 46");
    refused({}, one, p.y, {.sample_weights = V::Zero(47)}, "all sample weights are zero");
    refused({}, one, p.y, {.sample_weights = V::Ones(3)}, "3 sample weights but y has 47");
    Extras<double> extras = p.weighted;
    for (const Index i : fold_indices(47).held_out(2)) extras.sample_weights[i] = 0;
    refused({.own_folds = fold_indices(47)}, one, p.y, extras,
            "all samples that fold 3 of 5 holds out have weight 0");
  };
  const auto by_optimizer = [&](const CrossValidation& validation, const Lambdas& all, const V& y,
                                const Extras<double>& extras) {
    return validation.choose(Ridge{}, ridge, all, p.x, y, extras);
  };
  refuses(by_optimizer);
  refuses([&](const CrossValidation& validation, const Lambdas& all, const V& y,
              const Extras<double>& extras) {
    return validation.choose(RidgeRegression{}, all, p.x, y, extras);
  });
  CHECK_THROWS_WITH(by_optimizer({}, {1}, p.y, {.start_multipliers = V::Ones(5)}),
                    choose + "5 start multipliers but y has 47");
}

TEST_CASE("CrossValidation: all rows are validated before they are divided", "[models]") {
  const auto x = synthetic::features(12, 2, 1);
  const auto y = synthetic::signs(x, 2);
  const CrossValidation five;
  for (const Index row : {0, 7, 11}) {
    CAPTURE(row);
    const std::string number = std::to_string(row);
    const auto with = [&](V changed, double value) {
      changed[row] = value;
      return changed;
    };
    Matrix<double> holed = x;
    holed(row, 1) = not_a_number;
    const auto check = [&](const auto& recipe) {
      const auto refused = [&](const Matrix<double>& rows, const V& targets, const V& weights,
                               const std::string& why) {
        CHECK_THROWS_WITH(five.choose(recipe, {1.0, 0.1}, rows, targets, weights), choose + why);
      };
      refused(holed, y, {}, "x(" + number + ", 1) is not finite");
      refused(x, with(y, not_a_number), {}, "y(" + number + ") is not finite");
      refused(x, y, with(V::Ones(12), -1), "sample weight " + number + " is -1");
    };
    check(LogisticRegression{});
    check(Standardised{RidgeRegression{}});
    CHECK_THROWS_WITH(five.choose(Ridge{}, ridge, {1.0}, holed, y),
                      choose + "x(" + number + ", 1) is not finite");
    CHECK_THROWS_WITH(five.choose(PoissonRegression{}, {1.0}, x, with(V::Ones(12), -2)),
                      ContainsSubstring(choose + "y(" + number + ") = -2 is no target of"));
  }
  CHECK_THROWS_WITH(five.choose(LogisticRegression{.class_weights = {{9, 1}}}, {1.0}, x, y),
                    choose + "class weights name label 9, which is not in y");
}

TEST_CASE("CrossValidation: names the fold if the fit without it throws", "[models]") {
  const auto x = synthetic::features(12, 2, 1);
  const V y = V::Unit(12, 5);
  const Folds folds = fold_indices(y, {.folds = 4, .stratify = true});
  Index fold = 1;
  while (y(folds.held_out(fold - 1)).sum() == 0) ++fold;
  for (const Index threads : {1, 2})
    CHECK_THROWS_WITH(
        (CrossValidation{.folds = 4, .threads = threads}.choose(LogisticRegression{}, {1.0}, x, y)),
        choose + "fold " + std::to_string(fold) +
            " of 4 cannot be fitted: LogisticRegression::fit: two classes are needed, but all "
            "samples of weight above 0 are of class 0");
  // In the second fold only one sample has a positive weight, and this weight is tiny.
  V weights = V::Zero(12);
  const Folds two = fold_indices(12, {.folds = 2});
  for (const Index row : two.held_out(0)) weights[row] = 1;
  weights[two.held_out(1)[0]] = 1e-150;
  Extras<double> extras{.sample_weights = weights};
  CHECK(CrossValidation{.own_folds = two}.choose(Ridge{}, ridge, {1.0}, x, y, extras).best == 0);
  // An exception of another type is passed on unchanged.
  struct Own : std::runtime_error {
    using std::runtime_error::runtime_error;
  };
  extras = {.observer = [](const Progress&) -> Control { throw Own("mine"); }};
  CHECK_THROWS_AS(CrossValidation{}.choose(Ridge{}, ridge, {1.0}, x, y, extras), Own);
}

}  // namespace cross_validation_test
