// SPDX-License-Identifier: MIT
/// \file What callers hand in: each public struct with data members that a call takes has a row
/// with an invalid one, and each call that takes x refuses sparse x of invalid arrays.
/// check_aggregates.py requires that a row, or its list of exceptions, names every such struct.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <linea/all.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/refusal.hpp"

namespace arguments_test {

using namespace linea;
using namespace linea::test;
using V = Vector<double>;
using M = Matrix<double>;

namespace {

#define CALL(...) [&] { static_cast<void>(__VA_ARGS__); }

/// A struct, a call that gets an invalid one, and the message.
struct Row {
  const char* name;
  std::function<void()> call;
  const char* message;
};

void check_rows(const std::vector<Row>& rows) {
  for (const auto& [name, call, message] : rows) {
    INFO(name);
    CHECK(refusal_of(call) == message);
  }
}

const M x{{1, 0}, {0, 2}, {3, 1}, {-1, 1}, {2, -2}, {0, -1}};  // (6 × 2)
const V y{{1, -1, 1, -1, 1, -1}};
const Objective ridge{Squared{}, L2{0.1}};
const Objective logistic{Log{}, L2{0.1}};

LinearModel<double> linear(const V& weights) {
  LinearModel<double> model;
  model.weights = weights;
  return model;
}

SoftmaxClassifier<double> softmax(Index columns, Index offsets) {
  SoftmaxClassifier<double> model{{}, {1, 2}};
  model.weights.setZero(2, columns);
  model.offset.setZero(offsets);
  return model;
}

using EachClass = OneVsRestClassifier<double, ProbabilisticClassifier<double>>;
EachClass each_class(const std::vector<V>& weights) {
  EachClass all{{1, 2}, {}};
  for (const V& w : weights) all.models.push_back({{linear(w), {-1, 1}}});
  return all;
}

template <class T>
std::string printed(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

}  // namespace

TEST_CASE("Arguments: own folds are validated before any fit", "[models]") {
  const auto chosen = [](const Folds& folds) {
    return [=] { (void)CrossValidation{.own_folds = folds}.choose(Ridge{}, ridge, {0.1}, x, y); };
  };
  const auto selected = [](const Folds& folds) {
    return
        [=] { (void)CrossValidation{.own_folds = folds}.choose(RidgeRegression{}, {0.1}, x, y); };
  };
  check_rows({
      {"Folds", chosen({6, {{5, 4, 3}, {0, 1, 2}}}),
       "CrossValidation::choose: the rows of a fold must ascend, but in fold 0 row 4 comes after "
       "5"},
      {"Folds", chosen({6, {{0, 1, 1}, {2, 3}}}),
       "CrossValidation::choose: the rows of a fold must ascend, but in fold 0 row 1 comes after "
       "1"},
      {"Folds", selected({6, {{0, 1, 2}, {2, 3}}}),
       "CrossValidation::choose: row 2 is in folds 0 and 1"},
      {"Folds", chosen({6, {{0, 1, 2}, {3, 60000}}}),
       "CrossValidation::choose: fold 1 holds out row 60000, but there are 6 samples"},
      {"Folds", selected({6, {{-1, 2}, {3}}}),
       "CrossValidation::choose: fold 0 holds out row -1, but there are 6 samples"},
      {"Folds", chosen({6, {{0, 1, 2}}}),
       "CrossValidation::choose: 1 folds, but at least two are needed"},
      {"Folds", CALL(Folds{3, {{2, 1}}}.rest(0)),
       "Folds::rest: the rows of a fold must ascend, but in fold 0 row 1 comes after 2"},
      {"Folds", CALL(Folds{3, {{0}}}.rest(1)), "Folds::rest: fold 1 of 1"},
      {"Folds", CALL(Folds{3, {{0}}}.held_out(-1)), "Folds::held_out: fold -1 of 1"},
  });
  // A row in no fold is never held out.
  CHECK(Folds{4, {{0}, {2}}}.rest(0) == std::vector<Index>{1, 2, 3});
  CHECK(refusal_of(chosen({6, {{0, 3}, {1, 4}}})).empty());
}

TEST_CASE("Arguments: samples, options and learnt maps", "[models]") {
  const Standardisation<double> half{V{{0, 0}}, V{{1}}}, few{V{{0}}, V{{1, 1}}},
      flat{V{{0, 0}}, V{{1, 0}}}, far{V{{0, infinity}}, V{{1, 1}}};
  const PenaltyFactors<L2> one_factor{.penalty = {0.1}, .factors = V{{1}}};
  const Extras<double> negative{.sample_weights = V{{1, 1, 1, -1, 1, 1}}};
  const Extras<double> broad{.start_weights = V{{1, 2, 3}}};
  check_rows({
      {"Extras", CALL(Ridge{}.minimize(ridge, x, y, negative)),
       "Ridge::minimize: sample weight 3 is -1"},
      {"Extras", CALL(Newton{}.minimize(ridge, x, y, broad)),
       "Newton::minimize: 3 start weights for 2 features"},
      {"Extras", CALL(LinearSvm{}.fit(x, y, {.start_weights = V{{1, 2}}})),
       "Auto::minimize: the only optimizer of this recipe is DualCoordinateAscent, which cannot "
       "start at start_weights: pass start_multipliers, or call .with(Sgd{})"},
      {"Extras", CALL(OneVsRest{SquaredHingeSvm{}}.fit(x, y, {.start_weights = V{{1, 2}}})),
       "Auto::minimize: the only optimizer of this recipe is DualCoordinateAscent, which cannot "
       "start at start_weights: pass start_multipliers, or call .with(Sgd{})"},
      {"Objective", CALL(objective_value(Objective{Squared{}, L2{-1}}, x, y, V{{1, 2}}, 0.0)),
       "objective_value: the penalty's lambda = -1 must be finite and >= 0"},
      {"PenaltyFactors",
       CALL(objective_value(Objective{Squared{}, one_factor}, x, y, V{{1, 2}}, 0.0)),
       "objective_value: 1 penalty factors for 2 features"},
      {"FoldOptions", CALL(fold_indices(3, {.folds = 4})), "fold_indices: 4 folds of 3 samples"},
      {"SplitOptions", CALL(split_indices(4, {.test_fraction = 1})),
       "split: test_fraction is 1, but must lie between 0 and 1"},
      {"SplitIndices",
       [] {
         const SplitIndices parts{{0, 6}, {1}};
         (void)take_rows(x, parts.train);
       },
       "take_rows: row 6, but x has 6 rows"},
      {"SplitIndices", CALL(take_rows(y, std::vector<Index>{-1})),
       "take_rows: row -1, but x has 6 rows"},
      {"Labelled",
       [] {
         const Labelled<M> both{x, V{{1, 2}}};
         (void)Ridge{}.minimize(ridge, both.x, both.y);
       },
       "Ridge::minimize: x has 6 rows but y has 2: a sample is a row of x, so pass "
       "x.transpose()"},
      {"Standardisation", CALL(half.apply(x)),
       "Standardisation::apply: x has 2 columns, but the number of scales is 1"},
      {"Standardisation", CALL(few.apply(x)), "Standardisation::apply: 1 means, but 2 scales"},
      {"Standardisation", CALL(flat.apply(x)),
       "Standardisation::apply: column 1 has mean 0 and scale 0, but the mean must be finite and "
       "the scale > 0"},
      {"Standardisation", CALL(far.apply(SparseMatrix<double>(x.sparseView()))),
       "Standardisation::apply: column 1 has mean inf and scale 1, but the mean must be finite and "
       "the scale > 0"},
      {"Polynomial", CALL(Polynomial{.degree = -1}.apply(x)), "Polynomial::apply: degree -1"},
      {"EarlyStoppingOptions", CALL(EarlyStopping(Squared{}, x, y, {.patience = 0})),
       "EarlyStopping: patience = 0, but must be at least 1"},
      {"CertifyOptions", CALL(certify(logistic, linear(V{{1, 2}}), x, y, {.epochs = -1})),
       "certify: -1 epochs"},
      {"StandardErrorOptions",
       CALL(standard_errors(logistic, linear(V{{1, 2}}), x, y, {.sample_weights = V{{1}}})),
       "standard_errors: 1 sample weights but y has 6"},
  });
}

TEST_CASE("Arguments: every function that reads samples refuses numbers out of range", "[models]") {
  M large = x;
  large(3, 1) = -1e200;
  const SparseMatrix<double> sparse = large.sparseView();
  V far = y, heavy = V::Ones(6);
  far[4] = heavy[4] = 1e200;
  const V tiny = V::Constant(6, 1e-200);
  const auto regressor = RidgeRegression{}.fit(x, y);
  auto learner = Sgd{}.start<double>(Objective{Squared{}, L2{0.1}}, 2);
  const std::string entry = "x(3, 1) is -1e+200" + above;
  const std::string target = "y(4) is 1e+200" + above;
  const std::string weight = "sample weight 4 is 1e+200" + above;
  const std::string no_target = "the largest magnitude of y is 1e-200" + below;
  const std::string no_weight = "the largest magnitude of the sample weights is 1e-200" + below;
  const auto refused = [](const std::function<void()>& call, const std::string& message) {
    CHECK(refusal_of(call) == message);
  };
  const auto by = [&](const std::string& name, const auto& minimise) {
    refused([&] { minimise(large, y, V()); }, name + ": " + entry);
    refused([&] { minimise(sparse, y, V()); }, name + ": " + entry);
    refused([&] { minimise(x, y, heavy); }, name + ": " + weight);
    refused([&] { minimise(x, y, tiny); }, name + ": " + no_weight);
    refused([&] { minimise(x, far, V()); }, name + ": " + target);
    refused([&] { minimise(x, tiny, V()); }, name + ": " + no_target);
  };
  by("Newton::minimize", [](const auto& samples, const V& t, const V& s) {
    (void)Newton{}.minimize(ridge, samples, t, s);
  });
  by("Sgd::minimize", [](const auto& samples, const V& t, const V& s) {
    (void)Sgd{}.minimize(ridge, samples, t, s);
  });
  by("DualCoordinateAscent::minimize", [](const auto& samples, const V& t, const V& s) {
    (void)DualCoordinateAscent{}.minimize(ridge, samples, t, s);
  });
  by("InteriorPoint::minimize", [](const auto& samples, const V& t, const V& s) {
    (void)InteriorPoint{}.minimize(Objective{Absolute{}, L2{0.1}}, samples, t, s);
  });
  by("RidgePath::fit",
     [](const auto& samples, const V& t, const V& s) { (void)RidgePath{}.fit(samples, t, s); });
  by("CrossValidation::choose", [](const auto& samples, const V& t, const V& s) {
    (void)CrossValidation{}.choose(Ridge{}, ridge, {0.1}, samples, t, s);
  });
  by("EarlyStopping", [](const auto& samples, const V& t, const V& s) {
    EarlyStopping(Squared{}, samples, t, {}, s);
  });
  by("certify", [](const auto& samples, const V& t, const V& s) {
    (void)certify(ridge, linear(V{{1, 2}}), samples, t, {.sample_weights = s});
  });
  const auto fit = [](const auto& samples, const V& s) {
    (void)LogisticRegression{}.fit(samples, y, s);
  };
  refused([&] { fit(large, V()); }, "Newton::minimize: " + entry);
  refused([&] { fit(x, heavy); }, "LogisticRegression::fit: " + weight);
  refused([&] { (void)SoftmaxRegression{}.fit(large, y); }, "SoftmaxNewton::minimize: " + entry);
  refused([&] { (void)evaluate(regressor, x, far); }, "evaluate: " + target);
  refused([&] { (void)evaluate(regressor, x, y, heavy); }, "evaluate: " + weight);
  refused([&] { learner.update(large.row(3), 1); }, "Learner::update: x(0, 1) is -1e+200" + above);
  refused([&] { learner.update(x.row(3), 1e200); }, "Learner::update: y is 1e+200" + above);
  refused([&] { learner.update(x.row(3), 1, 1e200); },
          "Learner::update: the sample weight is 1e+200" + above);
  refused([&] { learner.epoch(x, far); }, "Learner::epoch: " + target);
}

TEST_CASE("Arguments: solutions and fitted models", "[models]") {
  const Classifier<double> one_label{linear(V{{1, 2}}), {1}};
  MultiTargetRegressor<double> targets;
  targets.weights.setZero(2, 3);
  targets.offset.setZero(1);
  auto learner = Sgd{}.start<double>(logistic, 2);
  Solution<double> before;
  before.weights = V{{not_a_number, 0}};
  Solution<double> counted = before;
  counted.weights = V{{0, 0}};
  counted.updates = -1;
  auto path = RidgePath{.lambdas = {0.1, 1}}.fit(x, y);
  path.offsets.resize(1);
  CrossValidated<Solution<double>, Ridge, Objective<Squared, L2>> curve{
      {{0.1}}, Ridge{}, ridge, Solution<double>{}};
  CrossValidatedRecipe<Regressor<double>, RidgeRegression> recipe{{{0.1}}, {}, {}};
  curve.mean = recipe.mean = V{{1, 2}};
  const LinearModel<double> broad = linear(V{{1, 2, 3}});
  check_rows({
      {"LinearModel", CALL(broad.scores(x)),
       "LinearModel::scores: x has 2 columns but the model has 3 weights"},
      {"Regressor", CALL(Regressor<double>{broad}.predict(x)),
       "LinearModel::scores: x has 2 columns but the model has 3 weights"},
      {"ActivatedModel", CALL(ActivatedModel<double, Sigmoid>{broad, {}}.predict(x)),
       "LinearModel::scores: x has 2 columns but the model has 3 weights"},
      {"ProbabilisticClassifier",
       CALL(ProbabilisticClassifier<double>{{broad, {1, 2}}}.probabilities(x)),
       "LinearModel::scores: x has 2 columns but the model has 3 weights"},
      {"Classifier", CALL(one_label.predict(x)),
       "Classifier::predict: the model has one score a sample but 1 label"},
      {"Classifier", CALL(one_label.predict_one(x.row(0))),
       "Classifier::predict_one: the model has one score a sample but 1 label"},
      {"MultiTargetRegressor", CALL(targets.predict(x)),
       "MultiTargetRegressor::predict: the model has 3 columns of weights but 1 offsets"},
      {"SoftmaxClassifier", CALL(softmax(3, 3).predict(x)),
       "SoftmaxClassifier::scores: the model has 3 columns of weights and 3 offsets but 2 labels"},
      {"SoftmaxClassifier", CALL(softmax(2, 1).score(x.row(0))),
       "SoftmaxClassifier::score: the model has 2 columns of weights and 1 offsets but 2 labels"},
      {"SoftmaxClassifier", CALL(softmax(1, 2).predict_one(x.row(0))),
       "SoftmaxClassifier::predict_one: the model has 1 columns of weights and 2 offsets but 2 "
       "labels"},
      {"OneVsRestClassifier", CALL(each_class({V{{1, 2}}}).predict(x)),
       "OneVsRestClassifier::scores: there are 1 models for 2 labels"},
      {"OneVsRestClassifier", CALL(each_class({}).predict_one(x.row(0))),
       "OneVsRestClassifier::predict_one: there are 0 models for 2 labels"},
      {"OneVsRestClassifier", CALL(each_class({V{{1, 2}}, V{{1}}}).predict_one(x.row(0))),
       "OneVsRestClassifier::predict_one: the models have 2 and 1 weights"},
      {"OneVsRestClassifier", CALL(printed(each_class({V{{1, 2}}, V{{1, 2}}, V{{1, 2}}}))),
       "OneVsRestClassifier: there are 3 models for 2 labels"},
      {"Solution", CALL(learner.resume(before)), "Learner::resume: the weights are not finite"},
      {"Solution", CALL(learner.resume(counted)),
       "Learner::resume: -1 updates and 0 epochs, but both must be >= 0"},
      {"Solution", CALL(certify(logistic, broad, x, y)), "certify: 3 weights for 2 features"},
      {"Solution", CALL(objective_value(logistic, broad, x, y)),
       "objective_value: x has 2 columns but there are 3 weights"},
      {"Solution", CALL(margins(broad, x, y)), "margins: x has 2 columns but there are 3 weights"},
      {"Solution", CALL(standard_errors(logistic, broad, x, y)),
       "standard_errors: 3 weights for 2 features"},
      {"RidgePathSolution", CALL(path.at(1)),
       "RidgePathSolution::at: 2 columns of weights, but 1 offsets, 2 objectives and 2 statuses"},
      {"CrossValidated", CALL(curve.refit(1, x, y)), "CrossValidated::refit: number 1 of 1"},
      {"CrossValidatedRecipe", CALL(recipe.refit(1, x, y)),
       "CrossValidatedRecipe::refit: number 1 of 1"},
  });
}

TEST_CASE("Arguments: tables to print, and models to write", "[models]") {
  const detail::ColumnMatrix<double> square = detail::ColumnMatrix<double>::Ones(2, 2);
  TwoClassEvaluation two;
  two.confusion = {V{{1, 2, 3}}, square};
  ClassesEvaluation several;
  several.confusion = {V{{1, 2}}, square};
  several.classes = {V{{1, 2}}, V{{1, 1}}, V{{1}}, V{{1, 1}}, V{{1, 1}}};
  std::ostringstream out;
  StoredModel stored{.columns = 2};
  check_rows({
      {"ConfusionMatrix", CALL(printed(ConfusionMatrix{V{{1}}, square})),
       "ConfusionMatrix: 1 labels, but counts of 2 x 2"},
      {"TwoClassEvaluation", CALL(printed(two)), "ConfusionMatrix: 3 labels, but counts of 2 x 2"},
      {"ClassesEvaluation ClassMetrics", CALL(printed(several)),
       "ClassMetrics: 2 labels, but 1 figures of them"},
      {"StoredModel", CALL(write_model(out, stored)),
       "write_model: there are 0 models for 1 model"},
      {"StoredPart",
       [&] {
         stored.parts = {StoredPart{.weights = {1, 2, 3}, .offset = {0}}};
         write_model(out, stored);
       },
       "write_model: part 0 has 3 weights and 1 offsets, but there are 2 columns and 1 functions "
       "of "
       "them"},
      {"HeaderOptions", CALL(write_header(out, linear(V{{1, 2}}), {.name = "a b"})),
       "write_header: 'a b' cannot name a namespace of C++"},
      {"LibsvmOptions", CALL(parse_libsvm<double>("1 1:1\n", "text", {.features = -1})),
       "parse_libsvm: features is -1, but must not be negative"},
  });
}

TEST_CASE("Arguments: every call refuses sparse x of invalid arrays", "[models]") {
  const int starts[] = {0, 2, 3}, late[] = {0, 2, 1 << 28};
  const double values[] = {1, 2, 3};
  const V signs{{1, -1}};
  const auto file = std::filesystem::temp_directory_path() / "linea_arguments_test.bin";
  const LinearModel<double> model = linear(V{{1, 2, 3}});
  SoftmaxClassifier<double> classes = softmax(2, 2);
  classes.weights.setZero(3, 2);
  MultiTargetRegressor<double> targets;
  targets.weights.setZero(3, 1);
  targets.offset.setZero(1);
  const EachClass each = each_class({V{{1, 2, 3}}, V{{3, 2, 1}}});
  auto learner = Sgd{}.start<double>(logistic, 3);
  using Z = Eigen::Map<const SparseMatrix<double>>;
  const std::vector<std::pair<std::string, std::function<void(const Z&)>>> calls{
      {"LinearModel::scores", [&](const Z& z) { (void)model.scores(z); }},
      {"LinearModel::scores", [&](const Z& z) { (void)Regressor<double>{model}.predict(z); }},
      {"LinearModel::scores",
       [&](const Z& z) {
         (void)Classifier<double>{model, {1, 2}}.predict(z);
       }},
      {"LinearModel::scores",
       [&](const Z& z) {
         (void)ProbabilisticClassifier<double>{{model, {1, 2}}}.probabilities(z);
       }},
      {"LinearModel::scores", [&](const Z& z) { (void)each.scores(z); }},
      {"LinearModel::scores", [&](const Z& z) { (void)each.log_probabilities(z); }},
      {"LinearModel::scores",
       [&](const Z& z) { (void)evaluate(Regressor<double>{model}, z, signs); }},
      {"MultiTargetRegressor::predict", [&](const Z& z) { (void)targets.predict(z); }},
      {"SoftmaxClassifier::scores", [&](const Z& z) { (void)classes.predict(z); }},
      {"SoftmaxClassifier::scores", [&](const Z& z) { (void)classes.probabilities(z); }},
      {"objective_value", [&](const Z& z) { (void)objective_value(logistic, model, z, signs); }},
      {"margins", [&](const Z& z) { (void)margins(model, z, signs); }},
      {"certify", [&](const Z& z) { (void)certify(logistic, model, z, signs); }},
      {"standard_errors", [&](const Z& z) { (void)standard_errors(logistic, model, z, signs); }},
      {"automatic_lambdas",
       [&](const Z& z) {
         (void)automatic_lambdas(Objective{ZeroOne{}, L2{1}}, z, signs);
       }},
      {"Auto::minimize", [&](const Z& z) { (void)Auto{}.minimize(logistic, z, signs); }},
      {"EarlyStopping", [&](const Z& z) { EarlyStopping(Log{}, z, signs); }},
      {"Polynomial::apply", [&](const Z& z) { (void)Polynomial{}.apply(z); }},
      {"FeatureFunctions::apply",
       [&](const Z& z) { (void)feature_functions([](const auto& v) { return v[0]; }).apply(z); }},
      {"standardise", [&](const Z& z) { (void)standardise(z); }},
      {"Standardisation::apply",
       [&](const Z& z) {
         (void)Standardisation<double>{V::Zero(3), V::Ones(3)}.apply(z);
       }},
      {"take_rows", [&](const Z& z) { (void)take_rows(z, std::vector<Index>{1}); }},
      {"take_rows", [&](const Z& z) { (void)split(z, signs, {.test_fraction = 0.5}); }},
      {"write_libsvm",
       [&](const Z& z) {
         std::ostringstream out;
         write_libsvm(out, z, signs);
       }},
      {"write_binary", [&](const Z& z) { write_binary(file, z, signs); }},
      {"BinaryWriter", [&](const Z& z) { BinaryWriter<SparseMatrix<double>>(file).add(z, signs); }},
      {"Learner::epoch", [&](const Z& z) { learner.epoch(z, signs); }},
  };
  for (const auto& [name, call] : calls) {
    INFO(name);
    for (const int column : {3, -1, 1 << 28}) {
      const int columns[] = {0, 2, column};
      const Z z(2, 3, 3, starts, columns, values);
      CHECK(refusal_of([&, &f = call] { f(z); }) ==
            name + ": row 1 of x names column " + std::to_string(column) + ", but x has 3 columns");
    }
    const int columns[] = {0, 2, 1};
    const Z misplaced(2, 3, 3, late, columns, values);
    CHECK(refusal_of([&, &f = call] { f(misplaced); }) ==
          name + ": row 1 of x overlaps the row before it, or ends behind the last entry");
    const Z sound(2, 3, 3, starts, columns, values);
    CHECK(refusal_of([&, &f = call] { f(sound); }).find("row") == std::string::npos);
  }
  std::filesystem::remove(file);
  // One sample is row 0 of itself.
  const int columns[] = {0, 2, 3};
  const Z z(2, 3, 3, starts, columns, values);
  const std::string why = ": row 0 of x names column 3, but x has 3 columns";
  CHECK_THROWS_WITH(model.score(z.row(1)), "LinearModel::score" + why);
  CHECK_THROWS_WITH(classes.predict_one(z.row(1)), "SoftmaxClassifier::predict_one" + why);
  CHECK_THROWS_WITH(each.predict_one(z.row(1)), "OneVsRestClassifier::predict_one" + why);
  CHECK_THROWS_WITH(learner.score(z.row(1)), "Learner::score" + why);
  CHECK_THROWS_WITH(learner.update(z.row(1), 1), "Learner::update" + why);
  CHECK(model.score(z.row(0)) == 7);
  auto dense = learner;
  learner.update(z.row(0), 1);
  dense.update(V{{1, 0, 2}}, 1);
  CHECK(learner.solution().weights == dense.solution().weights);
}

TEST_CASE("Arguments: predict refuses a type that does not hold every label", "[models]") {
  const auto predicted = [](const ClassLabels& labels, auto type) {
    const Classifier<double> model{linear(V{{1, 0}}), labels};
    return refusal_of([&] { (void)model.predict<decltype(type)>(x); });
  };
  const std::string other = "; predict<double> returns every label";
  const std::string why = "Classifier::predict: label ";
  CHECK(predicted({0.5, 1}, 1) == why + "0.5 is no number of int32_t" + other);
  CHECK(predicted({-1, 1}, std::uint8_t{}) == why + "-1 is no number of uint8_t" + other);
  CHECK(predicted({0, 300}, std::uint8_t{}) == why + "300 is no number of uint8_t" + other);
  CHECK(predicted({0, 2}, true) == why + "2 is no number of bool" + other);
  CHECK(predicted({0, 0x1p31}, 1) == why + "2147483648 is no number of int32_t" + other);
  CHECK(predicted({0, 0x1p63}, std::int64_t{}) ==
        why + "9223372036854775808 is no number of int64_t" + other);
  CHECK(predicted({0, 16777217}, 1.0F) == why + "16777217 is no number of float" + other);
  CHECK(predicted({0, 255}, std::uint8_t{}).empty());
  CHECK(predicted({-0x1p31, 0x1p31 - 1}, 1).empty());
  CHECK(predicted({0.5, 0.1}, 1.0).empty());
  const Classifier<double> two{linear(V{{1, 0}}), {0, 1}};
  CHECK(two.predict<bool>(x) == Vector<bool>{{true, true, true, false, true, true}});
  auto classes = softmax(2, 2);
  classes.labels = {1, 2.5};
  CHECK_THROWS_WITH(classes.predict<int>(x),
                    "SoftmaxClassifier::predict: label 2.5 is no number of int32_t" + other);
  auto each = each_class({V{{1, 2}}, V{{2, 1}}});
  each.labels = {-3, 2};
  CHECK_THROWS_WITH(each.predict<unsigned>(x),
                    "OneVsRestClassifier::predict: label -3 is no number of uint32_t" + other);
}

#undef CALL

}  // namespace arguments_test
