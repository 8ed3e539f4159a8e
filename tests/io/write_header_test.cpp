// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <linea/io/model_file.hpp>
#include <linea/io/write_header.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/binary_file.hpp"
#include "support/catch.hpp"
#include "support/example_models.hpp"
#include "support/temporary_folder.hpp"

using linea::Index;
using linea::Matrix;
using linea::test::slurp;
using Doubles = std::vector<double>;

namespace {

template <class Model>
std::string header_of(const Model& model, const linea::HeaderOptions& options = {}) {
  std::ostringstream out;
  linea::write_header(out, model, options);
  return out.str();
}

/// Compiles the sources in the folder and runs the program. Returns the output of the program, or
/// the errors of the compiler.
std::string built_and_run(const TemporaryFolder& folder, const std::string& sources) {
  const std::string at = (folder / "").string();
  const int failed = std::system(
      ("cd '" + at + "' && c++ -std=c++11 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror " +
       sources + " -o main 2> errors && ./main > printed")
          .c_str());
  const std::string text = slurp(at + (failed ? "errors" : "printed"));
  CAPTURE(text);
  CHECK(failed == 0);
  return text;
}

/// A C++11 program that includes headers of models, and the output that it must print.
class Program {
 public:
  /// Adds `lines` to main. In the lines, `model` is the namespace of the model, and `show` prints a
  /// number. `check` compares each printed number with the next expected one, up to a relative
  /// `tolerance`.
  template <class Model>
  void add(const Model& model, const std::string& lines, const Doubles& expected,
           double tolerance = 0, const std::string& space = "") {
    const std::string name = "m" + std::to_string(count_++);
    const std::string header = header_of(model, {.name = name, .name_space = space});
    std::ofstream(folder_ / (name + ".hpp")) << header;
    includes_ += "#include \"" + name + ".hpp\"\n";
    main_ += "  {\n  namespace model = " + (space.empty() ? "" : space + "::") + name + ";\n" +
             lines + "  }\n";
    for (const double number : expected) expected_.emplace_back(number, tolerance);
  }

  void check() const {
    std::ofstream(folder_ / "main.cpp")
        << includes_ << "#include <cstdio>\n"
        << "void show(double value) { std::printf(\"%.17g\\n\", value); }\n"
        << "int main() {\n"
        << main_ << "}\n";
    // A second file includes each header twice.
    std::ofstream(folder_ / "other.cpp") << includes_ << includes_;
    std::istringstream printed(built_and_run(folder_, "main.cpp other.cpp"));
    std::size_t at = 0;
    for (std::string line; std::getline(printed, line); ++at) {
      CAPTURE(at, line);
      REQUIRE(at < expected_.size());
      const auto [expected, tolerance] = expected_[at];
      const double number = std::strtod(line.c_str(), nullptr);
      CHECK((std::isnan(expected) ? std::isnan(number)
                                  : std::abs(number - expected) <= tolerance * std::abs(expected)));
    }
    CHECK(at == expected_.size());
  }

 private:
  TemporaryFolder folder_{};
  std::string includes_{};
  std::string main_{};
  std::vector<std::pair<double, double>> expected_{};
  int count_{0};
};

bool has_compiler() { return std::system("c++ --version > /dev/null 2>&1") == 0; }

/// Returns the score as a header computes it: ⟨w, x⟩ column by column in the scalar type of the
/// weights, plus the offset.
template <class W, class T = typename W::Scalar>
T sum_of(const W& w, const std::vector<T>& x, T offset) {
  T sum = 0;
  for (std::size_t j = 0; j < x.size(); ++j) sum += w[static_cast<Index>(j)] * x[j];
  return sum + offset;
}

template <class T>
linea::ProbabilisticClassifier<T> probabilistic() {
  auto model = examples::probabilistic<T>();
  model.weights << T(0.1), T(-0.0), T(1) / T(3e10), T(2.5e30), T(-7), T(1);
  model.offset = T(0.7);
  return model;
}

/// Adds calls of all functions in the header of a classifier with the labels 0.1 and 1e22.
template <class T>
void add_two_labels(Program& program) {
  const bool is_float = sizeof(T) == 4;
  const auto model = probabilistic<T>();
  const std::vector<T> sample{T(1.5), -2, T(1e10), T(1e-30), 3, T(0.1)};
  const T score = sum_of(model.weights, sample, model.offset);
  T sparse = 0;  // summed in the order of the given entries
  for (const int j : {5, 2, 0}) sparse += model.weights[j] * sample[static_cast<std::size_t>(j)];
  sparse += model.offset;
  const linea::Sigmoid sigmoid{};
  std::string lines =
      "  const T x[] = {1.5T, -2, 1e10T, 1e-30T, 3, 0.1T};\n"
      "  const int at[] = {5, 2, 0, 99, -1};\n"
      "  const T values[] = {0.1T, 1e10T, 1.5T, 7, 7};\n"
      "  show(model::score(x));\n  show(model::score(at, values, 5));\n"
      "  show(model::predict(x));\n  show(model::predict(at, values, 5));\n"
      "  show(model::probability(x));\n  show(model::probability(at, values, 5));\n"
      "  const T bad[] = {1, 2, 3, 4, 5, NAN};\n  show(model::predict(bad));\n"
      "  show(model::labels()[0]);\n  show(double(model::feature(5)[4]));\n";
  for (std::size_t at = lines.find('T'); at != lines.npos; at = lines.find('T', at + 1))
    if (lines[at + 1] == ' ')
      lines.replace(at, 1, is_float ? "float" : "double");
    else
      lines.replace(at, 1, is_float ? "f" : "");
  program.add(model, lines,
              {double(score), double(sparse), score >= 0 ? 1e22 : 0.1, sparse >= 0 ? 1e22 : 0.1,
               double(sigmoid.value(score)), double(sigmoid.value(sparse)), std::nan(""), 0.1,
               '\n'},  // character 4 of the name "line\nend\x7f"
              0, "company::models");
  // The library adds the terms of the score in another order.
  const linea::Vector<T> x = linea::Vector<T>::Map(sample.data(), 6);
  CHECK_THAT(static_cast<double>(model.score(x)),
             WithinRel(double(score), is_float ? 1e-6 : 1e-15));
}

/// Adds to the program the scores, probabilities and prediction of the sample (0.25, -3), and the
/// prediction of a sparse sample with -3 in column 1.
template <class Model>
void add_classes(Program& program, const Model& model, const Doubles& scores) {
  const Matrix<double> row = Eigen::RowVector2d(0.25, -3);
  const Matrix<double> chances = model.probabilities(row);
  const std::string x = "  const double x[] = {0.25, -3};\n";
  const std::string each = "x, all);\n  for (double one : all) show(one);\n";
  program.add(model, x + "  double all[3];\n  model::scores(" + each, scores);
  program.add(model, x + "  double all[3];\n  model::probabilities(" + each,
              {chances(0, 0), chances(0, 1), chances(0, 2)}, 1e-15);
  program.add(model,
              x + "  const unsigned char at[] = {1};\n  const double values[] = {-3};\n"
                  "  show(model::predict(x));\n  show(model::predict(at, values, 1));\n",
              {model.predict(row)[0], model.predict_one(Eigen::RowVector2d(0, -3))});
}

}  // namespace

TEST_CASE("write_header: a C++11 program scores as the models do") {
  if (!has_compiler()) return;
  Program program;
  add_two_labels<double>(program);
  add_two_labels<float>(program);
  const std::string x = "  const double x[] = {0.3, 0.2};\n";
  const std::string predict = "  show(model::predict(x));\n";

  const auto softmax = examples::softmax<double>();
  Doubles scores;
  for (Index k = 0; k < 3; ++k)
    scores.push_back(sum_of(softmax.weights.col(k), {0.25, -3}, softmax.offset[k]));
  add_classes(program, softmax, scores);
  auto tied = softmax;
  tied.offset = Eigen::Vector3d(-1, 2, 2);
  CHECK(tied.predict_one(Eigen::RowVector2d(0, 0)) == 1);
  program.add(tied, "  const double x[2] = {};\n" + predict, {1});

  linea::OneVsRestClassifier<double, linea::ProbabilisticClassifier<double>> each{
      linea::ClassLabels(Eigen::Vector3d(7, 2, 3)), {}};
  for (int k = 0; k < 3; ++k) {
    auto one = examples::probabilistic<double>();
    one.weights = Eigen::Vector2d(k, 1 - k);
    one.offset = 0.5 * k;
    one.features = {"a", "b"};
    each.models.push_back(one);
  }
  scores.clear();
  for (const auto& one : each.models) scores.push_back(sum_of(one.weights, {0.25, -3}, one.offset));
  add_classes(program, each, scores);
  for (auto& one : each.models)
    one.offset = -1e4;  // all sigmoids underflow; the scores are -9999.75, -9999.5 and -9999.25
  program.add(each,
              "  const double x[] = {0.5, 0.25};\n  double all[3];\n"
              "  model::probabilities(x, all);\n  show(all[0]);\n",
              {1 / (1 + std::exp(0.25) + std::exp(0.5))});

  auto two = examples::classifier<double>(3, 8);  // a score of 0 gives the larger label
  two.weights = Eigen::Vector2d(1, -1);
  two.features.clear();
  two.offset = 0;
  CHECK(two.predict_one(Eigen::RowVector2d(1, 1)) == 8);
  program.add(two, "  const double x[] = {1, 1};\n" + predict, {8});
  auto poisson = examples::activated<double>();
  poisson.weights = Eigen::Vector2d(0.5, -1);
  poisson.features.clear();
  program.add(poisson, x + predict, {std::exp(0.5 * 0.3 - 1 * 0.2 + poisson.offset)});
  std::stringstream file;
  linea::write_model(file, poisson);
  CHECK(header_of(linea::read_stored_model(file)) == header_of(poisson));

  linea::MultiTargetRegressor<double> one_target{};
  one_target.weights = Eigen::Vector2d(1, 2);
  one_target.offset = Eigen::VectorXd::Constant(1, 3);
  program.add(one_target,
              x + "  double y[model::functions];\n  model::predict(x, y);\n  show(y[0]);\n",
              {0.3 + 2 * 0.2 + 3});
  const auto linear = examples::linear<double>();
  CHECK_THAT(header_of(linear), ContainsSubstring("score(") && !ContainsSubstring("predict("));
  program.add(linear, "  double x[6] = {0, 0, 2};\n  show(model::score(x));\n",
              {sum_of(linear.weights, {0, 0, 2}, linear.offset)});

  // The header stores only non-zero weights if that makes it smaller.
  linea::Regressor<double> lasso{};
  lasso.weights = linea::Vector<double>::Zero(100);
  lasso.weights[3] = 0.1;
  lasso.weights[98] = -1.0 / 3;
  lasso.offset = 2;
  CHECK_THAT(header_of(lasso), ContainsSubstring("constexpr std::size_t stored = 2;"));
  program.add(lasso,
              "  double x[model::columns] = {};\n  x[3] = 5;\n  x[98] = 7;\n  x[50] = 1e300;\n"
              "  const long at[] = {98, 0, 3, 100, 99};\n"
              "  const double values[] = {7, 1, 5, 1, 1};\n"
              "  show(model::score(x));\n  show(model::predict(at, values, 5));\n",
              {0.1 * 5 - 1.0 / 3 * 7 + 2, -1.0 / 3 * 7 + 0.1 * 5 + 2});
  lasso.weights.setZero(100001);
  lasso.weights[100000] = 1;
  CHECK_THAT(header_of(lasso), ContainsSubstring(" 100000};"));
  lasso.weights.setZero(100);
  program.add(lasso, "  double x[100] = {};\n  show(model::score(x));\n", {2});
  // With several functions, the header stores the columns in which any of them has a non-zero
  // weight, or all columns if that is smaller.
  CHECK_THAT(header_of(examples::multi_target<double>()), ContainsSubstring("stored = 1;"));
  CHECK_THAT(header_of(examples::regressor<double>()), !ContainsSubstring("stored"));
  program.check();
}

TEST_CASE("write_header: the program in docs/model_files.md") {
  if (!has_compiler()) return;
  const std::string page = slurp(LINEA_SOURCE_DIR "/docs/model_files.md");
  std::string program = page.substr(page.find("```c++\n") + 7);
  program.resize(program.find("```"));
  auto model = examples::probabilistic<double>();
  model.weights = Eigen::Vector2d(4, 0.5);
  model.offset = 1;
  model.features.clear();
  model.labels = linea::ClassLabels(Eigen::Vector2d(-1, 1));
  const TemporaryFolder folder;
  std::ofstream(folder / "spam.hpp") << header_of(model, {.name = "spam", .name_space = "company"});
  std::ofstream(folder / "main.cpp") << program;
  // The scores are 4/4 - 3/2 + 1 = 1/2 for (0.25, -3), and -3/2 + 1 = -1/2 for the sparse sample.
  // The probability is 1/(1 + exp(-1/2)).
  CHECK(built_and_run(folder, "main.cpp") == "0.5 -0.5\n1 0.622459\n");
}

TEST_CASE("write_header: refuses invalid C++ names, and foreign activations") {
  const auto model = examples::regressor<double>();
  const auto refuses = [&](const std::string& name, const std::string& space,
                           const std::string& all) {
    CHECK_THROWS_WITH(header_of(model, {.name = name, .name_space = space}),
                      "write_header: '" + all + "' cannot name a namespace of C++");
  };
  for (const std::string name : {"", "1a", "_a", "a-b", "a__b", "class", "std", "a::"})
    refuses(name, "", name);
  for (const std::string space : {"a::", "::a", "a:b", "a::int::b", "a::::b"})
    refuses("m", space, space + "::m");
  for (const std::string name : {"log", "expf", "gamma", "size_t"}) {
    CHECK_THROWS_WITH(header_of(model, {.name = name}),
                      "write_header: '" + name +
                          "' is a name of the C library: take another name, or a name_space "
                          "around it");
    CHECK_THROWS_WITH(header_of(model, {.name = "m", .name_space = name}),
                      ContainsSubstring("is a name of the C library"));
    CHECK_THAT(header_of(model, {.name = name, .name_space = "m"}),
               ContainsSubstring("namespace " + name + " {"));
  }
  auto stored = linea::store_model(examples::activated<double>());
  stored.parts[0].activation = "mine";
  CHECK_THROWS_WITH(
      header_of(stored),
      "write_header: the activation is mine, but a header can only have those of linea");
  // The text in a comment must not end the comment.
  auto evil = model;
  evil.loss = "a\nint b; \\";
  CHECK_THAT(header_of(evil), ContainsSubstring("; a.int b; ..\n"));
  std::ostringstream broken;
  broken.setstate(std::ios::badbit);
  CHECK_THROWS_WITH(linea::write_header(broken, model), "write_header: the stream failed");
}
