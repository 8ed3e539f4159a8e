// SPDX-License-Identifier: MIT
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <linea/io/model_file.hpp>
#include <linea/io/write_header.hpp>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/binary_file.hpp"
#include "support/catch.hpp"
#include "support/example_models.hpp"
#include "support/temporary_folder.hpp"

using linea::test::slurp;

namespace {

template <class Model>
std::string header_of(const Model& model, const linea::HeaderOptions& options = {}) {
  std::ostringstream out;
  linea::write_header(out, model, options);
  return out.str();
}

/// What the program prints whose sources stand in the folder; what the compiler says if it fails.
std::string built_and_run(const TemporaryFolder& folder, const std::string& sources) {
  const std::string at = (folder / "").string();
  const std::string compile = "cd '" + at +
                              "' && c++ -std=c++11 -Wall -Wextra -Wpedantic -Wconversion -Wshadow "
                              "-Werror " +
                              sources + " -o main 2> errors";
  const int failed = std::system((compile + " && ./main > printed").c_str());
  const std::string text = slurp(at + (failed ? "errors" : "printed"));
  CAPTURE(text);
  CHECK(failed == 0);
  return text;
}

/// The numbers that a program of C++11 prints that includes model.hpp and has these lines in main.
std::vector<double> printed_by(const std::string& header, const std::string& lines) {
  const TemporaryFolder folder;
  std::ofstream(folder / "model.hpp") << header;
  std::ofstream(folder / "main.cpp")
      << "#include \"model.hpp\"\n#include <cstdio>\n"
      << "void show(double value) { std::printf(\"%.17g\\n\", value); }\n"
      << "int main() {\n"
      << lines << "}\n";
  // Included twice, in two files: as in any program.
  std::ofstream(folder / "other.cpp") << "#include \"model.hpp\"\n#include \"model.hpp\"\n";
  std::istringstream printed(built_and_run(folder, "main.cpp other.cpp"));
  std::vector<double> numbers;
  for (std::string line; std::getline(printed, line);)
    numbers.push_back(std::strtod(line.c_str(), nullptr));
  return numbers;
}

bool has_compiler() { return std::system("c++ --version > /dev/null 2>&1") == 0; }

/// The sum that a header is to compute, column by column in double.
template <class W>
double sum_of(const W& w, const std::vector<double>& x, double offset) {
  double sum = 0;
  for (std::size_t j = 0; j < x.size(); ++j)
    sum += static_cast<double>(w[static_cast<linea::Index>(j)]) * x[j];
  return sum + offset;
}

const std::vector<double> sample{1.5, -2, 1e10, 1e-300, 3, 0.1};
constexpr const char* x_line = "  const double x[] = {1.5, -2, 1e10, 1e-300, 3, 0.1};\n";
constexpr const char* sparse_line =
    "  const int at[] = {5, 2, 0, 99, -1};\n  const double values[] = {0.1, 1e10, 1.5, 7, 7};\n";

template <class T>
linea::ProbabilisticClassifier<T> probabilistic() {
  auto model = examples::probabilistic<T>();
  model.weights << T(0.1), T(-0.0), T(1) / T(3e10), T(2.5e30), T(-7), T(1);
  model.offset = T(0.7);
  return model;
}

}  // namespace

TEMPLATE_TEST_CASE("write_header: a program of C++11 scores to the bit", "[io]", float, double) {
  if (!has_compiler()) return;
  const auto model = probabilistic<TestType>();
  const auto printed = printed_by(
      header_of(model, {.name = "spam", .name_space = "company::models"}),
      std::string(x_line) + sparse_line +
          "  namespace m = company::models::spam;\n"
          "  show(m::score(x));\n  show(m::score(at, values, 5));\n  show(m::predict(x));\n"
          "  show(m::probability(x));\n  show(m::predict(at, values, 5));\n"
          "  show(m::probability(at, values, 5));\n  show(m::labels()[0]);\n"
          "  const double bad[] = {1, 2, 3, 4, 5, NAN};\n  show(m::predict(bad));\n"
          "  show(double(m::feature(5)[4]));\n");
  REQUIRE(printed.size() == 9);
  const double offset = static_cast<double>(model.offset);
  const double score = sum_of(model.weights, sample, offset);
  double sparse = 0;  // in the order in which they are given
  for (const int j : {5, 2, 0})
    sparse += static_cast<double>(model.weights[j]) * sample[static_cast<std::size_t>(j)];
  sparse += offset;
  CHECK(printed[0] == score);
  CHECK(printed[1] == sparse);
  CHECK(printed[2] == (score >= 0 ? 1e22 : 0.1));
  CHECK(printed[3] == linea::Sigmoid{}.value(score));
  CHECK(printed[4] == (sparse >= 0 ? 1e22 : 0.1));
  CHECK(printed[5] == linea::Sigmoid{}.value(sparse));
  CHECK(printed[6] == 0.1);
  CHECK(std::isnan(printed[7]));
  CHECK(printed[8] == '\n');  // of the name "line\nend\x7f"
  // The library's own score has another order of sums.
  linea::Vector<TestType> x(6);
  for (linea::Index j = 0; j < 6; ++j)
    x[j] = static_cast<TestType>(sample[static_cast<std::size_t>(j)]);
  const double own = static_cast<double>(model.score(x));
  CHECK_THAT(own, WithinRel(score, sizeof(TestType) == 4 ? 1e-6 : 1e-15));
}

TEST_CASE("write_header: the program that docs/model_files.md shows", "[io]") {
  if (!has_compiler()) return;
  const std::string page = slurp(LINEA_SOURCE_DIR "/docs/model_files.md");
  std::string program = page.substr(page.find("```c++\n") + 7);
  program.resize(program.find("```"));
  auto model = examples::probabilistic<double>();
  model.weights.resize(2);
  model.weights << 4, 0.5;
  model.offset = 1;
  model.features.clear();
  model.labels = linea::ClassLabels(Eigen::Vector2d(-1, 1));
  const TemporaryFolder folder;
  std::ofstream(folder / "spam.hpp") << header_of(model, {.name = "spam", .name_space = "company"});
  std::ofstream(folder / "main.cpp") << program;
  // Of (0.25, -3): 4/4 - 3/2 + 1 = 1/2. Of the sparse sample: -3/2 + 1 = -1/2. 1/(1 + exp(-1/2)).
  CHECK(built_and_run(folder, "main.cpp") == "0.5 -0.5\n1 0.622459\n");
}

TEST_CASE("write_header: several classes, with and without probabilities", "[io]") {
  if (!has_compiler()) return;
  const auto softmax = examples::softmax<double>();
  const std::string lines =
      "  const double x[] = {0.25, -3};\n  const unsigned char at[] = {1};\n  const double "
      "values[] = {-3};\n"
      "  double all[3];\n  model::scores(x, all);\n  for (double one : all) show(one);\n"
      "  show(model::predict(x));\n  model::probabilities(x, all);\n  for (double one : all) "
      "show(one);\n"
      "  show(model::predict(at, values, 1));\n";
  const auto printed = printed_by(header_of(softmax), lines);
  REQUIRE(printed.size() == 8);
  const Eigen::RowVector2d x(0.25, -3);
  const linea::Matrix<double> row = x;
  const auto scores = softmax.scores(row);
  const auto chances = softmax.probabilities(row);
  for (linea::Index k = 0; k < 3; ++k) {
    const auto at = static_cast<std::size_t>(k);
    CHECK(printed[at] == sum_of(softmax.weights.col(k), {0.25, -3}, softmax.offset[k]));
    CHECK_THAT(printed[at], WithinRel(scores(0, k), 1e-15));
    CHECK_THAT(printed[4 + at], WithinRel(chances(0, k), 1e-15));
  }
  CHECK(printed[3] == softmax.predict(row)[0]);
  CHECK(printed[7] == softmax.predict_one(Eigen::RowVector2d(0, -3)));

  auto tied = softmax;
  tied.offset = Eigen::Vector3d(-1, 2, 2);
  const auto of_ties =
      printed_by(header_of(tied), "  const double x[2] = {};\n  show(model::predict(x));\n");
  CHECK(of_ties == std::vector<double>{tied.predict_one(Eigen::RowVector2d(0, 0))});
  CHECK(of_ties == std::vector<double>{1});

  linea::OneVsRestClassifier<double, linea::ProbabilisticClassifier<double>> each{
      linea::ClassLabels(Eigen::Vector3d(7, 2, 3)), {}};
  for (int k = 0; k < 3; ++k) {
    auto one = examples::probabilistic<double>();
    one.weights = Eigen::Vector2d(k, 1 - k);
    one.offset = 0.5 * k;
    one.features = {"a", "b"};
    each.models.push_back(one);
  }
  const auto of_each = printed_by(header_of(each), lines);
  REQUIRE(of_each.size() == 8);
  const auto shares = each.probabilities(row);
  for (linea::Index k = 0; k < 3; ++k) {
    CHECK(of_each[static_cast<std::size_t>(k)] == each.scores(row)(0, k));
    CHECK_THAT(of_each[static_cast<std::size_t>(4 + k)], WithinRel(shares(0, k), 1e-15));
  }
  CHECK(of_each[3] == each.predict(row)[0]);
  // Every model is sure of its rest: nothing is known.
  for (auto& one : each.models) one.offset = -1e4;
  const auto unknown = printed_by(header_of(each), lines);
  CHECK(unknown[4] == 1.0 / 3);
}

TEST_CASE("write_header: keeps only weights that are not 0 where that is less", "[io]") {
  if (!has_compiler()) return;
  linea::Regressor<double> lasso{};
  lasso.weights = linea::Vector<double>::Zero(100);
  lasso.weights[3] = 0.1;
  lasso.weights[98] = -1.0 / 3;
  lasso.offset = 2;
  const std::string text = header_of(lasso);
  CHECK_THAT(text, ContainsSubstring("constexpr std::size_t stored = 2;"));
  const auto printed = printed_by(
      text,
      "  double x[model::columns] = {};\n  x[3] = 5;\n  x[98] = 7;\n  x[50] = 1e300;\n"
      "  const long at[] = {98, 0, 3, 100, 99};\n  const double values[] = {7, 1, 5, 1, 1};\n"
      "  show(model::score(x));\n  show(model::predict(at, values, 5));\n");
  REQUIRE(printed.size() == 2);
  CHECK(printed[0] == 0.1 * 5 - 1.0 / 3 * 7 + 2);
  CHECK(printed[1] == -1.0 / 3 * 7 + 0.1 * 5 + 2);
  // Of several functions a column counts that has a weight in one of them; the rest is as dense.
  CHECK_THAT(header_of(examples::multi_target<double>()), ContainsSubstring("stored = 1;"));
  CHECK_THAT(header_of(examples::regressor<double>()), !ContainsSubstring("stored"));
  lasso.weights.setZero();
  CHECK(printed_by(header_of(lasso), "  double x[100] = {};\n  show(model::score(x));\n") ==
        std::vector<double>{2});
}

TEST_CASE("write_header: lines of a table are as full as 100 columns allow", "[io]") {
  linea::Regressor<double> dense{};
  dense.weights = linea::Vector<double>::Constant(10, 0.123456789012345);  // 19 columns with " ,"
  std::istringstream text(header_of(dense));
  std::vector<std::size_t> lengths;
  for (std::string line; std::getline(text, line);) {
    CHECK(line.size() <= 100);
    if (line.find("0.123456789012345") != line.npos) lengths.push_back(line.size());
  }
  CHECK(lengths == std::vector<std::size_t>{100, 81, 25});  // with "};" the tenth has 20
}

TEST_CASE("write_header: other models, and what was read from a file", "[io]") {
  if (!has_compiler()) return;
  auto two = examples::classifier<double>(3, 8);  // a score of 0 means the larger label
  two.weights = Eigen::Vector2d(1, -1);
  two.features.clear();
  two.offset = 0;
  CHECK(two.predict_one(Eigen::RowVector2d(1, 1)) == 8);
  CHECK(printed_by(header_of(two), "  const double x[] = {1, 1};\n  show(model::predict(x));\n") ==
        std::vector<double>{8});
  auto poisson = examples::activated<double>();
  poisson.weights = Eigen::Vector2d(0.5, -1);
  poisson.features.clear();
  const std::string x = "  const double x[] = {0.3, 0.2};\n";
  CHECK(printed_by(header_of(poisson), x + "  show(model::predict(x));\n") ==
        std::vector<double>{std::exp(0.5 * 0.3 - 1 * 0.2 + poisson.offset)});
  std::stringstream file;
  linea::write_model(file, poisson);
  CHECK(header_of(linea::read_stored_model(file)) == header_of(poisson));

  linea::MultiTargetRegressor<double> one_target{};
  one_target.weights = Eigen::Vector2d(1, 2);
  one_target.offset = Eigen::VectorXd::Constant(1, 3);
  CHECK(printed_by(header_of(one_target), x + "  double y[model::functions];\n"
                                              "  model::predict(x, y);\n  show(y[0]);\n") ==
        std::vector<double>{0.3 + 2 * 0.2 + 3});
  const std::string linear = header_of(examples::linear<double>());
  CHECK_THAT(linear, ContainsSubstring("score(") && !ContainsSubstring("predict("));
  CHECK(printed_by(linear, "  double x[6] = {0, 0, 2};\n  show(model::score(x));\n").size() == 1);
}

TEST_CASE("write_header: refuses names that would not compile, and foreign activations", "[io]") {
  const auto model = examples::regressor<double>();
  for (const std::string name : {"", "1a", "_a", "a-b", "a__b", "class", "std", "a::b"}) {
    CAPTURE(name);
    CHECK_THROWS_WITH(header_of(model, {.name = name}),
                      "write_header: '" + name + "' cannot name a model of C++ in any program");
  }
  for (const std::string name :
       {"NAN", "INFINITY", "M_PI", "FP_NAN", "HUGE_VAL", "isnan", "EOF", "or", "typeof"})
    CHECK_THROWS_WITH(header_of(model, {.name = name, .name_space = "mine"}),
                      ContainsSubstring("' cannot name a model of C++ in any program"));
  for (const std::string name : {"log", "expf", "gamma", "y1", "lgamma_r", "abs", "size_t"}) {
    CAPTURE(name);
    const std::string message = "write_header: '" + name +
                                "' is a name that <cmath> has outside of std: take another one, "
                                "or a name_space around it";
    CHECK_THROWS_WITH(header_of(model, {.name = name}), message);
    CHECK_THROWS_WITH(header_of(model, {.name_space = name + "::a"}), message);
    CHECK_NOTHROW(header_of(model, {.name = name, .name_space = "mine"}));
  }
  for (const std::string space : {"a::", "::a", "a:b", "a::int::b", "a::::b"}) {
    CAPTURE(space);
    CHECK_THROWS_WITH(
        header_of(model, {.name_space = space}),
        "write_header: '" + space + "' cannot name a namespace of C++ in any program");
  }
  auto stored = linea::store_model(examples::activated<double>());
  stored.parts[0].activation = "mine";
  CHECK_THROWS_WITH(header_of(stored),
                    "write_header: the activation is mine, but a header has those of linea only");
  // Nothing in a comment gets out of it.
  auto evil = model;
  evil.loss = "a\nint b; \\";
  CHECK_THAT(header_of(evil), ContainsSubstring("; a.int b; ..\n"));
  std::ostringstream broken;
  broken.setstate(std::ios::badbit);
  CHECK_THROWS_WITH(linea::write_header(broken, model), "write_header: the stream failed");
}

TEST_CASE("write_header: every name that it takes compiles beside <cmath> and <cstddef>", "[io]") {
  if (!has_compiler()) return;
  const TemporaryFolder folder;
  const std::string at = (folder / "").string();
  const auto runs = [&](const std::string& command) {
    return std::system(("cd '" + at + "' && " + command).c_str()) == 0;
  };
  std::ofstream(folder / "names.hpp") << "#include <cmath>\n#include <cstddef>\n";
  REQUIRE(
      runs("c++ -x c++ -std=gnu++20 -E names.hpp > seen && c++ -x c++ -std=gnu++20 -dM -E "
           "names.hpp >> seen"));
  // All names that the compiler sees, and whatever else: those that are taken are namespaces here.
  std::set<std::string> words;
  std::string word;
  for (const char c : slurp(folder / "seen"))
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_')
      word += c;
    else
      words.insert(std::exchange(word, ""));
  const auto model = linea::store_model(probabilistic<double>());
  std::ofstream source(folder / "main.cpp");
  source << "#include \"names.hpp\"\n";
  int taken = 0;
  for (const auto& name : words) try {
      header_of(model, {.name = name});
      source << "namespace " << name << " { int of_linea(); }\n";
      ++taken;
    } catch (const std::invalid_argument&) {
    }
  source.close();
  CHECK(taken > 100);  // names of parameters and of members
  CHECK(words.count("lgammal") == 1);
  CHECK(runs("c++ -std=gnu++20 -fsyntax-only main.cpp"));
}
