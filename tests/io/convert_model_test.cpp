// SPDX-License-Identifier: MIT
// Runs scripts/convert_model on files of linea 0.2 and 0.3 and of their programs, if there is Python.
#include <cstdlib>
#include <linea/io/model_file.hpp>
#include <string>
#include <vector>

#include "support/binary_file.hpp"
#include "support/catch.hpp"
#include "support/example_models.hpp"
#include "support/temporary_file.hpp"

namespace convert_model_test {

namespace {

using namespace linea::test;

const std::string source = LINEA_SOURCE_DIR;

bool has_python() { return std::system("python3 -c \"\"") == 0; }

int run(const std::string& script, const std::string& old, const TemporaryFile& file) {
  return std::system(
      ("python3 " + script + " \"" + source + old + "\" \"" + file.path().string() + '"').c_str());
}

/// Returns the converted model of a file in tests/io/models/old/.
linea::StoredModel converted(const std::string& name) {
  const TemporaryFile file;
  CAPTURE(name);
  REQUIRE(run('"' + source + "/scripts/convert_model\"", "/tests/io/models/old/" + name, file) ==
          0);
  return linea::read_stored_model(file.path());
}

template <class Model>
void converts(const std::string& name, const Model& model) {
  CAPTURE(name);
  CHECK(examples::same_model(converted(name).as<Model>(), model));
}

}  // namespace

TEST_CASE("model files: Python reads the weights in one line") {
  if (!has_python()) return;
  const TemporaryFile out;
  const std::string program =
      "-c \"import json, sys; print(json.load(open(sys.argv[1]))['parts'][0]['weights'], "
      "file=open(sys.argv[2], 'w'))\"";
  REQUIRE(run(program, "/tests/io/models/softmax_3.json", out) == 0);
  CHECK_THAT(slurp(out.path()), ContainsSubstring("[[0.5, 0, -0.5], [0, 0.3333333333333333, 2]]"));
}

TEST_CASE("convert_model: text and binary files of the library") {
  if (!has_python()) return;
  converts("softmax_1.txt", examples::softmax<double>());
  converts("one_vs_rest_1.txt", examples::one_vs_rest<double>());
  converts("activated_1.txt", examples::activated<double>());
  converts("classifier_of_float_1.bin", examples::classifier<float>());
  converts("multi_target_1.bin", examples::multi_target<double>());
  converts("probabilistic_1.bin", examples::probabilistic<double>());
}

TEST_CASE("convert_model: files of the programs") {
  if (!has_python()) return;
  // The columns of the table are id;town;rooms;w;kind.
  const auto table = converted("table_2.json");
  REQUIRE(table.encoder);
  CHECK(table.encoder->class_names() == std::vector<std::string>{"castle", "flat", "house"});
  const auto model =
      table.as<linea::OneVsRestClassifier<double, linea::ProbabilisticClassifier<double>>>();
  // linea_predict 0.3 gave these probabilities.
  const auto of = [&](const std::vector<std::string>& cells) {
    return model.probabilities(table.encoder->apply(cells));
  };
  CHECK(of({"1", "Ulm", "3,5", "1"})
            .isApprox(
                Eigen::RowVector3d(0.002034476103909731, 0.9961968486844233, 0.0017686752116670504),
                1e-12));
  CHECK(of({"2", "Kiel", "", "1"})
            .isApprox(Eigen::RowVector3d(0.9972596307159637, 0.0003393544794843451,
                                         0.0024010148045519953),
                      1e-12));

  const auto sparse = converted("sparse_2.json");
  CHECK(sparse.zero_based);
  CHECK(sparse.degree == 2);
  CHECK(sparse.parts[0].loss == "huber:0.5");
  const auto huber = sparse.as<linea::Regressor<double>>();
  // The products of (1, 0, 3), in the order of Polynomial.
  linea::Matrix<double> x(1, 9);
  x << 1, 0, 3, 1, 0, 3, 0, 0, 9;
  CHECK_THAT(huber.predict(x)[0], WithinAbs(1.5000758657874302, 1e-12));

  const auto lists = converted("lists_1.json").as<linea::ProbabilisticClassifier<double>>();
  CHECK(lists.labels.values() == std::vector<double>{3, 7});
  CHECK(lists.weights == Eigen::Vector2d(1, -0.25));
  CHECK(lists.offset == 0.5);
}

}  // namespace convert_model_test
