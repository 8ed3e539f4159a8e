// SPDX-License-Identifier: MIT
#include <cmath>
#include <functional>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/models/classifiers.hpp>
#include <linea/models/early_stopping.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/models/regressors.hpp>
#include <linea/models/softmax_regression.hpp>
#include <linea/models/standardised.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/sgd.hpp>
#include <vector>

#include "support/catch.hpp"
#include "support/same_bits.hpp"
#include "support/synthetic.hpp"

namespace standardised_test {

using namespace linea;
using V = Vector<double>;

namespace {

/// Columns of scales 1, 1000 and 1e-3 with means of up to 1e4, and signs that depend on them.
struct Raw {
  Matrix<double> x = synthetic::features(120, 4, 11);
  V y = synthetic::signs(x, 12, 1.0);

  Raw() {
    x.col(1) = x.col(1).array() * 1000 + 1e4;
    x.col(2) *= 1e-3;
    x.col(3).array() += 5;
  }
};

/// Returns F on the scaled columns for w and b of the raw columns. Scores are computed in more than
/// double precision.
template <class L, class P, class T, class W>
double value_at(const Objective<L, P>& objective, const Matrix<T>& x, const V& y, const W& weights,
                double offset) {
  using Wide = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
  const Wide scores = x.template cast<long double>() * weights.template cast<long double>();
  long double sum = 0;
  for (Index i = 0; i < x.rows(); ++i)
    sum += objective.loss.value(static_cast<double>(scores[i] + offset), y[i]);
  const V scaled = weights.template cast<double>().cwiseProduct(standardise(x).scale);
  return static_cast<double>(sum / static_cast<long double>(x.rows())) +
         static_cast<double>(objective.penalty.value(scaled));
}

/// Whole numbers from 0 to 19 plus `mean` in three columns, and a linear function of the first two
/// as targets. float represents x exactly, even for a mean of 1e7.
struct FarFloats {
  Matrix<float> x{200, 3};
  V y{200};

  explicit FarFloats(float mean) {
    for (Index i = 0; i < 200; ++i) {
      x.row(i) << static_cast<float>(i % 20), static_cast<float>((i * 7) % 20),
          static_cast<float>((i * i) % 19);
      y[i] = 0.3 * static_cast<double>(x(i, 0)) - 0.7 * static_cast<double>(x(i, 1)) + 0.1;
    }
    x.array() += mean;
  }
  V signs() const {
    return y.unaryExpr([](double t) { return t > -4 ? 1.0 : -1.0; });
  }
};

}  // namespace

TEST_CASE("Standardised: the fitted model takes raw columns", "[models]") {
  const auto [x, y] = Raw{};
  const Matrix<double> scaled = standardise(x).apply(x);
  const V numbers = synthetic::numbers(scaled, 13);
  Matrix<double> both(120, 2);
  both << numbers, -2 * numbers;
  const auto check = [&, &x = x](const auto& recipe, const auto& targets) {
    const auto inner = recipe.fit(scaled, targets);
    const auto model = Standardised{recipe}.fit(x, targets);
    CHECK(model.predict(x).isApprox(inner.predict(scaled), 1e-9));
    if constexpr (requires { model.objective; }) CHECK(model.objective == inner.objective);
    if constexpr (requires { model.scores(x); })
      CHECK(model.scores(x).isApprox(inner.scores(scaled), 1e-9));
    return model;
  };
  CHECK(*check(LogisticRegression{.lambda = 1e-2}, y).gap >= 0);
  (void)check(PerceptronClassifier{}, y);
  const auto svm = check(LinearSvm{}.with(Sgd{.epochs = 3}), y);
  CHECK(Standardised{LinearSvm{}}.with(Sgd{.epochs = 3}).fit(x, y).weights == svm.weights);
  const auto each = check(OneVsRest{LogisticRegression{}}, y);
  const auto lasso = check(Lasso{.lambda = 0.05}, numbers);
  CHECK((lasso.weights.array() == 0).count() ==
        (Lasso{.lambda = 0.05}.fit(scaled, numbers).weights.array() == 0).count());
  (void)check(RidgeRegression{}, both);  // y of several targets
  // Each class has its own scaling, but all scalings are equal.
  CHECK(OneVsRest{Standardised{LogisticRegression{}}}.fit(x, y).predict(x) == each.predict(x));
}

TEST_CASE("Standardised: without an offset columns are not centred, and zeros of sparse x stay",
          "[models]") {
  const auto [x, y] = Raw{};
  const LogisticRegression through_zero{.lambda = 1e-2, .offset = false};
  const auto model = Standardised{through_zero}.fit(x, y);
  CHECK(model.offset == 0);
  auto scaling = standardise(x);
  scaling.mean.setZero();
  CHECK_THAT(model.objective, WithinRel(through_zero.fit(scaling.apply(x), y).objective, 1e-12));
  CHECK(Standardised{OneVsRest{through_zero}}.fit(x, y).models[0].offset == 0);
  const LogisticRegression recipe{.lambda = 1e-2};
  const SparseMatrix<double> sparse = synthetic::sparse(x);
  const auto thin = Standardised{recipe}.fit(sparse, y);
  const auto expected = recipe.fit(standardise(sparse).apply(sparse), y);
  CHECK(thin.objective == expected.objective);
  CHECK(thin.offset == expected.offset);
  // A recipe with an optimizer without offset has no offset.
  const auto by_sgd = LinearSvm{.lambda = 1e-2}.with(Sgd{.epochs = 3, .offset = false});
  CHECK(Standardised{by_sgd}.fit(x, y).offset == 0);
  CHECK(by_sgd.fit(x, y).offset == 0);
  const auto by_recipe = LinearSvm{.lambda = 1e-2, .offset = false}.with(Sgd{.epochs = 3});
  CHECK(Standardised{by_recipe}.fit(x, y).offset == 0);
}

TEST_CASE("Standardised: the scaling uses sample weights, and weight 0 has no effect", "[models]") {
  const auto [x, y] = Raw{};
  const Standardised recipe{LogisticRegression{.lambda = 1e-2, .tolerance = 1e-14}};
  const auto alone = recipe.fit(x, y);
  Matrix<double> more(122, 4);
  more << x, Matrix<double>::Constant(2, 4, 1e9);
  V targets(122), weights = V::Ones(122);
  targets << y, 1, -1;
  weights.tail(2).setZero();
  CHECK(recipe.fit(more, targets, weights).scores(x).isApprox(alone.scores(x), 1e-6));
}

TEST_CASE("Standardised: an observer sees iterates for raw columns", "[models]") {
  const auto [x, y] = Raw{};
  const auto check = [&, &x = x, &y = y](const auto& recipe) {
    Index calls = 0;
    Point<double> last;
    const auto model = Standardised{recipe}.fit(x, y, [&](const Progress& progress) {
      last = progress.iterate();
      CHECK_THAT(value_at(detail::innermost(recipe).objective(), x, y, last.weights, last.offset),
                 WithinRel(progress.objective(), 1e-9));
      ++calls;
    });
    CHECK(calls > 0);
    CHECK(same_bits(model.weights, last.weights));
    CHECK(model.offset == last.offset);
  };
  check(LogisticRegression{.lambda = 1e-2}.with(Sgd{.epochs = 5, .iterate = Iterate::last}));
  check(LogisticRegression{.lambda = 1e-2}.with(Newton{}));
  check(LinearSvm{.lambda = 1e-2}.with(DualCoordinateAscent{}));
  check(RidgeRegression{.lambda = 1e-2});
  // Softmax shows an observer the iterates of all classes at once; one-vs-rest shows one model at a
  // time.
  std::vector<Point<double>> points;
  const auto softmax =
      Standardised{SoftmaxRegression{.lambda = 1e-2}}.fit(x, y, [&](const Progress& progress) {
        points.clear();
        for (Index k = 0; k < progress.iterates(); ++k) points.push_back(progress.iterate(k));
      });
  REQUIRE(points.size() == 2);
  for (Index k = 0; k < 2; ++k)
    CHECK(softmax.weights.col(k).isApprox(points[static_cast<std::size_t>(k)].weights, 1e-9));
  Point<double> last;
  const auto each = Standardised{OneVsRest{LogisticRegression{.lambda = 1e-2}.with(Newton{})}}.fit(
      x, y, [&](const Progress& progress) { last = progress.iterate(); });
  CHECK(same_bits(each.models[1].weights, last.weights));
}

TEST_CASE("Standardised: EarlyStopping scores and keeps weights for raw columns", "[models]") {
  const auto [x, y] = Raw{};
  const Matrix<double> held_out = x.bottomRows(40);
  const V truth = y.tail(40);
  EarlyStopping stopping(Log{}, held_out, truth, {.patience = 1000});
  const Standardised recipe{
      LogisticRegression{.lambda = 1e-3}.with(Sgd{.epochs = 20, .tolerance = 0})};
  const auto model = recipe.fit(x.topRows(80).eval(), y.head(80).eval(), std::ref(stopping));
  CHECK_THAT(empirical_risk(Log{}, stopping.best_of(model).scores(held_out), truth),
             WithinRel(stopping.best().score, 1e-9));
  CHECK(stopping.best().score <= empirical_risk(Log{}, model.scores(held_out), truth) + 1e-9);
}

TEST_CASE("Standardised: start weights refer to raw columns", "[models]") {
  const auto [x, y] = Raw{};
  const auto check = [&y = y](const auto& samples, const auto& recipe) {
    const auto first = recipe.fit(samples, y);
    REQUIRE(first.updates > 1);
    Extras<double> extras;
    first.hand_on(extras);
    const auto again = recipe.fit(samples, y, extras);
    CHECK(again.updates <= 1);
    CHECK_THAT(again.objective, WithinRel(first.objective, 1e-6));
  };
  const auto newton = LogisticRegression{.lambda = 1e-3}.with(Newton{.tolerance = 1e-9});
  check(x, Standardised{newton});
  check(synthetic::sparse(x), Standardised{newton});
  check(x, Standardised{LogisticRegression{.lambda = 1e-3, .offset = false}.with(Newton{})});
  // A start of another size is refused, with the message of the recipe.
  CHECK_THROWS_WITH(Standardised{newton}.fit(x, y, {.start_weights = V::Zero(3)}),
                    ContainsSubstring("3 start weights for 4 features"));
}

TEST_CASE("Standardised: objective and status are those of the rounded solution", "[models]") {
  for (const float mean : {0.0F, 1e7F}) {
    const FarFloats p(mean);
    const V signs = p.signs();
    const auto is_right = [&](const auto& model) {
      return (model.status == Status::converged) == (mean == 0);
    };
    const auto check = [&](const auto& recipe, const V& y) {
      const auto model = Standardised{recipe}.fit(p.x, y);
      const auto objective = detail::innermost(recipe).objective();
      CAPTURE(mean, model.optimizer, name_of(model.status));
      CHECK_THAT(value_at(objective, p.x, y, model.weights, static_cast<double>(model.offset)),
                 WithinRel(model.objective, 1e-4) || WithinAbs(model.objective, 1e-12));
      if (model.status == Status::converged) {  // F is near the minimum of a fit in double
        const Matrix<double> x = p.x.template cast<double>();
        const double least = Standardised{recipe}.fit(x, y).objective;
        const double constant = value_at(objective, x, y, V(V::Zero(3)), y.mean());
        CHECK(model.objective <= least * (1 + 3e-6) + 1e-6 * constant);
      }
      CHECK((mean > 1e6F || model.status == Status::converged));
      return model;
    };
    CHECK(is_right(check(LinearRegression{}, p.y)));
    (void)check(RidgeRegression{.lambda = 1e-3}, p.y);
    (void)check(Lasso{.lambda = 1e-3}, p.y);
    (void)check(HuberRegression{.loss = {.delta = 0.5}, .lambda = 1e-3}, p.y);
    (void)check(LinearSvm{.lambda = 1e-3}, signs);
    const LogisticRegression recipe{.lambda = 1e-3};
    const auto logistic = check(recipe, signs);
    CHECK(is_right(logistic));
    CHECK(*logistic.gap <= (mean == 0 ? 1e-6 : 1) * logistic.objective);
    // Class weights are a part of F.
    auto weighted = recipe;
    weighted.class_weights = balanced;
    CHECK(is_right(Standardised{weighted}.fit(p.x, signs)));
    const auto each = Standardised{OneVsRest{recipe}}.fit(p.x, signs);
    CHECK_THAT(each.models[1].objective, WithinRel(logistic.objective, 1e-9));
    CHECK(each.models[1].status == logistic.status);
    // Softmax regression of two classes is logistic regression with half of λ.
    const auto softmax = Standardised{SoftmaxRegression{.lambda = 2e-3}}.fit(p.x, signs);
    const V w = (softmax.weights.col(1) - softmax.weights.col(0)).cast<double>();
    const double b = double{softmax.offset[1]} - double{softmax.offset[0]};
    CHECK_THAT(softmax.objective,
               WithinRel(value_at(Objective{Log{}, L2{1e-3}}, p.x, signs, w, b), 1e-3));
    CHECK(softmax.status == logistic.status);
    Matrix<double> both(200, 2);
    both << p.y, -p.y;
    CHECK(is_right(Standardised{LinearRegression{}}.fit(p.x, both)));
    // RidgeRegressionCv has no single F, so Standardised sets the status by the effect of rounding
    // on the weights.
    CHECK(is_right(Standardised{RidgeRegressionCv{}}.fit(p.x, p.y)));
  }
}

TEST_CASE("Standardised: weights beyond the range of T are finite and never converged",
          "[models]") {
  const Matrix<double> x = synthetic::features(80, 2, 3);
  const auto y = synthetic::signs(x, 4);
  const auto check = [&](const auto& tiny, const auto& recipe) {
    const auto model = Standardised{recipe}.fit(tiny, y);
    CAPTURE(model.optimizer, name_of(model.status), model.objective);
    CHECK(model.weights.array().isFinite().all());
    CHECK(std::isfinite(model.objective));
    CHECK(model.status >= Status::precision_limit);
    const auto objective = detail::innermost(recipe).objective();
    CHECK_THAT(value_at(objective, tiny, y, model.weights, static_cast<double>(model.offset)),
               WithinRel(model.objective, 1e-3));
  };
  const Matrix<double> tiny = x * 1e-160;
  const Matrix<float> small = (x * 1e-42).cast<float>();
  CHECK_THROWS_WITH(Standardised{LogisticRegression{}}.fit(tiny, y),
                    ContainsSubstring("standardise: the largest magnitude of column 0 of x is"));
  check(small, LogisticRegression{.lambda = 1e-4});
  check(small, LinearSvm{.lambda = 1e-4, .offset = false});
  // At this scale, the weights are large but finite.
  const Matrix<double> just = x * 1e-149;
  const auto model = Standardised{LogisticRegression{.lambda = 1e-2}}.fit(just, y);
  CHECK(model.status == Status::converged);
}

}  // namespace standardised_test
