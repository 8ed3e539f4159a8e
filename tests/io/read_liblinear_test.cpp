// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <linea/io/liblinear.hpp>
#include <linea/io/libsvm.hpp>
#include <linea/io/model_file.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "golden/liblinear.hpp"
#include "support/binary_file.hpp"
#include "support/catch.hpp"
#include "support/child_process.hpp"
#include "support/example_models.hpp"
#include "support/temporary_folder.hpp"
#include "support/unreadable_stream.hpp"

namespace read_liblinear_test {

namespace {

using linea::Index;
using linea::ModelKind;
using namespace linea::test;

const std::string source = LINEA_SOURCE_DIR;

std::string path_of(const std::string& name) {
  return source + "/tests/io/liblinear/" + name + ".model";
}

/// Returns the features of a shipped file, or for "two_of_iris" the first 100 rows of iris.
linea::SparseMatrix<double> samples_of(const std::string& name) {
  const bool is_part = name == "two_of_iris";
  const auto data =
      linea::read_libsvm<double>(source + "/examples/data/" + (is_part ? "iris" : name) + ".svm");
  return data.x.topRows(is_part ? 100 : data.x.rows());
}

linea::StoredModel read(const std::string& text) {
  std::istringstream in(text);
  return linea::read_liblinear(in, "t");
}

template <class Model>
std::string written(const Model& model) {
  std::ostringstream out;
  linea::write_liblinear(out, model);
  return out.str();
}

/// Calls f with the stored model, converted to the type of its kind.
template <class F>
void with_model(const linea::StoredModel& stored, F&& f) {
  using linea::Classifier;
  using linea::ProbabilisticClassifier;
  const bool has_chances = stored.part_kind == ModelKind::probabilistic_classifier;
  if (stored.kind == ModelKind::regressor)
    f(stored.as<linea::Regressor<double>>());
  else if (stored.kind == ModelKind::classifier)
    f(stored.as<Classifier<double>>());
  else if (stored.kind == ModelKind::probabilistic_classifier)
    f(stored.as<ProbabilisticClassifier<double>>());
  else if (has_chances)
    f(stored.as<linea::OneVsRestClassifier<double, ProbabilisticClassifier<double>>>());
  else
    f(stored.as<linea::OneVsRestClassifier<double, Classifier<double>>>());
}

constexpr const char* two_classes =
    "solver_type L2R_LR\nnr_class 2\nlabel 3 -2\nnr_feature 2\nbias 0.5\nw\n1.5 \n-2 \n0.25 \n";

}  // namespace

TEST_CASE("read_liblinear: decision values and predictions equal LIBLINEAR's") {
  for (const auto& golden : golden::liblinear_models) {
    CAPTURE(golden.name);
    const auto stored = linea::read_liblinear(path_of(golden.name));
    const auto x = samples_of(golden.data);
    // For two classes, LIBLINEAR's decision values are positive for the first label in its model (1
    // for wdbc, but 0 for iris), and linea's scores are positive for the larger label.
    const double sign = golden.data == "two_of_iris" && golden.rows[0].values.size() == 1 ? -1 : 1;
    with_model(stored, [&](const auto& model) {
      const linea::Matrix<double> scores = model.scores(x);
      const auto answers = model.predict(x);
      for (const auto& row : golden.rows) {
        REQUIRE(scores.cols() == static_cast<Index>(row.values.size()));
        for (Index k = 0; k < scores.cols(); ++k) {
          const double value = row.values[static_cast<std::size_t>(k)];
          CHECK_THAT(sign * scores(row.row, k),
                     WithinAbs(value, 1e-12 * std::max(1.0, std::abs(value))));
        }
        CHECK_THAT(answers[row.row], WithinRel(row.answer, 1e-12));
      }
    });
  }
}

TEST_CASE("read_liblinear: the model has the contents of the file") {
  const auto stored = read(two_classes);
  CHECK(stored.kind == ModelKind::probabilistic_classifier);
  CHECK(stored.labels == std::vector<double>{-2, 3});
  const auto model = stored.as<linea::ProbabilisticClassifier<double>>();
  CHECK(model.weights == Eigen::Vector2d(1.5, -2));
  CHECK(model.offset == 0.125);
  CHECK(model.optimizer == "LIBLINEAR");
  CHECK(model.loss == "log");
  CHECK(model.reason == "solver_type L2R_LR");
  // With the smaller label first, the same numbers are a model with opposite signs.
  const auto other =
      read(replaced(two_classes, "3 -2", "-2 3")).as<linea::ProbabilisticClassifier<double>>();
  CHECK(other.weights == -model.weights);
  CHECK(other.offset == -0.125);
  // A model of three classes, whose labels are not sorted, in a file with lines that end with \r\n.
  const auto several = read(
                           "nr_class 3\r\nsolver_type MCSVM_CS\r\nlabel 5 1 3\r\nbias "
                           "-1\r\nnr_feature 1\r\nw\r\n1 2 3 \r\n")
                           .as<linea::OneVsRestClassifier<double, linea::Classifier<double>>>();
  CHECK(several.labels.values() == std::vector<double>{1, 3, 5});
  CHECK(several.models[0].weights[0] == 2);
  CHECK(several.models[2].weights[0] == 1);
  CHECK_THROWS_WITH(
      linea::read_liblinear<linea::Classifier<double>>(path_of("iris_s4")),
      ContainsSubstring("holds another kind of model (one-vs-rest of classifier, double)"));
}

TEST_CASE("read_liblinear: errors give the position") {
  const std::string keys = "expected solver_type, nr_class, label, nr_feature, bias or w, got ";
  const struct {
    std::string what, by, message;
  } rows[] = {
      {"L2R_LR", "ONECLASS_SVM",
       "t:1:13: a solver_type that linea does not know, got 'ONECLASS_SVM'"},
      {"solver_type L2R_LR\n", "", "t: not a model of LIBLINEAR: there is no solver_type before w"},
      {"nr_class 2", "nr_class 1", "t:2:10: nr_class must be a whole number from 2 to "},
      {"nr_class 2", "nr_class 3", "the number is not a number, got 'nr_feature'"},
      {"nr_feature 2\n", "", "t: nr_feature is missing before w"},
      {"nr_class 2\n", "", "t:2:7: label comes before nr_class, got '3'"},
      {"feature 2", "feature 1999999999",
       "t:4:12: nr_feature must be a whole number from 1 to 27, the bytes that are left, got"},
      {"feature 2", "feature 2.5", "t:4:12: nr_feature must be a whole number from 1 to "},
      {"feature 2", "feature 3", "the number is not a number, got the end of the text"},
      {"feature 2", "feature 1", "t:9:1: expected the end of the model, got '0.25'"},
      {"3 -2", "3 3", "t: labels must ascend, but 3 comes after 3"},
      {"3 -2", "3 nan", "the number is not finite, got 'nan'"},
      {"label 3 -2\n", "", "t: there are 0 labels, but nr_class is 2 and L2R_LR needs them all"},
      {"_LR", "_L2LOSS_SVR",
       "t: there are 2 labels, but nr_class is 2 and L2R_L2LOSS_SVR needs none"},
      {"bias", "rho", "t:5:1: " + keys + "'rho'"},
      {"1.5", "1.5x", "t:7:1: the number is not a number, got '1.5x'"},
      {"1.5", "-inf", "t:7:1: the number is not finite, got '-inf'"},
      {"w\n", "", "t:6:1: " + keys + "'1.5'"},
      {two_classes, "", "got the end of the text"},
      {two_classes, "solver_type L2R_L2LOSS_SVR\nnr_class 3\nnr_feature 1\nbias -1\nw\n1\n",
       "t: nr_class is 3, but that of a regression is 2"},
  };
  for (const auto& [what, by, message] : rows)
    CHECK_THROWS_WITH(read(replaced(two_classes, what, by)), ContainsSubstring(message));
  CHECK_THROWS_WITH(linea::read_liblinear(source + "/no.model"),
                    ContainsSubstring("read_liblinear: cannot open '"));
}

TEST_CASE("read_liblinear: a false count costs no memory") {
  if (!can_limit_memory()) return;
  CHECK(is_refused_within(std::size_t{64} << 20, "", [] {
    static_cast<void>(read("solver_type MCSVM_CS\nnr_feature 99\nnr_class 999999999999\n" +
                           std::string(200, '1')));
  }));
}

TEST_CASE("read_liblinear: the stream may have exceptions, and must be readable") {
  const std::string text = slurp(source + "/tests/io/liblinear/iris_s4.model");
  std::istringstream in(text);
  in.exceptions(std::ios::failbit | std::ios::badbit | std::ios::eofbit);
  CHECK(written(linea::read_liblinear(in)) == written(read(text)));
  linea::test::UnreadableStream unreadable;
  CHECK_THROWS_WITH(linea::read_liblinear(unreadable, "a file"),
                    "a file: cannot be read to its end");
}

TEST_CASE("write_liblinear: a model that was read is written identically") {
  for (const auto& golden : golden::liblinear_models) {
    CAPTURE(golden.name);
    const std::string text = slurp(path_of(golden.name));
    const auto stored = linea::read_liblinear(path_of(golden.name));
    const std::string again = written(stored);
    CHECK(again.substr(0, again.find('\n')) == text.substr(0, text.find('\n')));
    const auto back = read(again);
    CHECK(back.labels == stored.labels);
    for (std::size_t k = 0; k < stored.parts.size(); ++k) {
      CHECK(back.parts[k].weights == stored.parts[k].weights);
      CHECK(back.parts[k].offset == stored.parts[k].offset);
    }
  }
}

TEST_CASE("write_liblinear: the solver and bias of a model") {
  auto model = examples::classifier<double>(0, 4);
  model.loss = "hinge";
  model.weights = Eigen::Vector2d(0.1, 0);
  model.features.clear();
  const std::string rest = "\nnr_class 2\nlabel 0 4\nnr_feature 2\nbias ";
  CHECK(written(model) == "solver_type L2R_L1LOSS_SVC_DUAL" + rest + "1\nw\n-0.1 \n-0 \n-0.1 \n");
  model.offset = 0;
  model.loss = "smooth-hinge (gamma = 1)";
  CHECK(written(model) == "solver_type L2R_L2LOSS_SVC" + rest + "-1\nw\n-0.1 \n-0 \n");
  auto chances = examples::probabilistic<double>();
  chances.labels = model.labels;
  CHECK_THAT(written(chances), ContainsSubstring("solver_type L2R_LR\n"));
  chances.loss = "log";
  chances.penalty = "l1 (lambda = 0.1)";
  CHECK_THAT(written(chances), ContainsSubstring("solver_type L1R_LR\n"));
  CHECK_THAT(written(examples::regressor<double>()),
             ContainsSubstring("solver_type L2R_L2LOSS_SVR\nnr_class 2\nnr_feature 6\nbias -1\n"));
  const std::string several = "solver_type MCSVM_CS\nnr_class 3\n";
  CHECK_THAT(written(examples::softmax<double>()),
             ContainsSubstring(several + "label 0 1 2\nnr_feature 2\nbias 1\nw\n0.5 -0 -0.5 \n"));
  const linea::OneVsRestClassifier<double, linea::Regressor<double>> of_regressors{
      linea::ClassLabels(Eigen::Vector3d(0, 1, 2)), {3, examples::regressor<double>()}};
  CHECK_THAT(written(of_regressors), ContainsSubstring(several));
  CHECK_THROWS_WITH(written(examples::multi_target<double>()),
                    "write_liblinear: LIBLINEAR has no models of kind multi-target");
  CHECK_THROWS_WITH(written(examples::activated<double>()),
                    "write_liblinear: LIBLINEAR has no models of kind activated");
  CHECK_THROWS_WITH(written(examples::probabilistic<double>()),
                    "write_liblinear: label 0.1 is not a whole number of 32 bits");
}

TEST_CASE("write_liblinear: liblinear-predict predicts as the model does") {
  if (std::system("command -v liblinear-predict > /dev/null 2>&1") != 0) return;
  const TemporaryFolder folder;
  const auto answers_of = [&](const auto& model, const std::string& data) {
    const std::string at = (folder.path() / "").string();
    linea::write_liblinear(at + "model", model);
    const std::string command =
        "cd '" + at + "' && liblinear-predict '" + data + "' model answers >log 2>&1";
    REQUIRE(std::system(command.c_str()) == 0);
    std::istringstream in(slurp(at + "answers"));
    return std::vector<double>{std::istream_iterator<double>(in), {}};
  };
  auto softmax = examples::softmax<double>();
  softmax.features.clear();
  softmax.weights = 0.5 * linea::Matrix<double>::Identity(4, 3);
  softmax.weights(3, 2) = 4;
  softmax.offset = Eigen::Vector3d(1, 2.2, -4);
  const auto classes = answers_of(softmax, source + "/examples/data/iris.svm");
  const auto own = softmax.predict(samples_of("iris"));
  CHECK(classes == std::vector<double>(own.begin(), own.end()));
  CHECK(std::count(classes.begin(), classes.end(), 1.0) > 10);

  // A score of exactly 0 gives the larger label in LIBLINEAR, too.
  auto sure = examples::classifier<double>(2, 9);
  sure.weights = Eigen::Vector2d(1, -1);
  sure.features.clear();
  sure.offset = 0;
  std::ofstream(folder / "zero.svm") << "9 1:1 2:1\n2 1:1 2:2\n9 1:3\n";
  CHECK(answers_of(sure, (folder / "zero.svm").string()) == std::vector<double>{9, 2, 9});
}

}  // namespace read_liblinear_test
