// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <limits>
#include <linea/core/random.hpp>
#include <linea/io/model_file.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "support/binary_file.hpp"
#include "support/catch.hpp"
#include "support/child_process.hpp"
#include "support/example_models.hpp"
#include "support/model_checksum.hpp"
#include "support/refusal.hpp"
#include "support/temporary_file.hpp"
#include "support/unreadable_stream.hpp"

namespace model_file_test {

namespace {

using namespace linea::test;

const std::string models = std::string(LINEA_SOURCE_DIR) + "/tests/io/models/";

template <class Model>
std::string written(const Model& model, const linea::ModelFileOptions& options = {}) {
  std::ostringstream out;
  linea::write_model(out, model, options);
  return out.str();
}

template <class Model>
Model read(const std::string& bytes) {
  std::istringstream in(bytes);
  return linea::read_model<Model>(in, "t");
}

/// Returns the error when the bytes are read as a model file, or "" if there is none.
std::string refusal(const std::string& bytes) {
  return refusal_of([&] { static_cast<void>(linea::io::parse_model(bytes, "t")); });
}

/// Calls f(name, model) for all example models in tests/io/models/.
template <class F>
void for_each_example(F&& f) {
  f("linear", examples::linear<double>());
  f("regressor", examples::regressor<double>());
  f("activated", examples::activated<double>());
  f("classifier", examples::classifier<double>());
  f("classifier_of_float", examples::classifier<float>());
  f("probabilistic", examples::probabilistic<double>());
  f("one_vs_rest", examples::one_vs_rest<double>());
  f("softmax", examples::softmax<double>());
  f("multi_target", examples::multi_target<double>());
}

}  // namespace

TEST_CASE("checksum: values of the draft's test vectors") {
  // draft-eastlake-fnv, appendix C: 64-bit FNV-1a of "", "a" and "foobar".
  CHECK(linea::io::checksum("") == 0xcbf29ce484222325U);
  CHECK(linea::io::checksum("a") == 0xaf63dc4c8601ec8cU);
  CHECK(linea::io::checksum("foobar") == 0x85944171f73967e8U);
}

TEST_CASE("model files: version 1 is read to the bit, and written identically") {
  // tests/golden/make_model_files.py wrote the files without linea.
  for_each_example([]<class Model>(const std::string& name, const Model& model) {
    CAPTURE(name);
    for (const std::string end : {"_1.txt", "_1.bin"})
      CHECK(examples::same_model(linea::read_model<Model>(models + name + end), model));
    CHECK(written(model) == slurp(models + name + "_1.txt"));
  });
}

TEST_CASE("model files: floats keep every bit, also as doubles") {
  const auto model = examples::softmax<float>();
  const std::string bytes = written(model);
  CHECK(examples::same_model(read<linea::SoftmaxClassifier<float>>(bytes), model));
  const auto wide = read<linea::SoftmaxClassifier<double>>(bytes);
  CHECK(examples::same_numbers(wide.weights.cast<float>().eval(), model.weights));
  CHECK(wide.weights == model.weights.cast<double>());
}

TEST_CASE("model files: may have names of columns and notes") {
  linea::ModelFileOptions options{.features = {"a", "b", "c", "d", "e", "f"}};
  options.notes = {{"trained on", "wdbc.svm"}, {"", "two\nlines"}};
  std::istringstream in(written(examples::regressor<double>(), options));
  const auto stored = linea::read_stored_model(in);
  CHECK(stored.notes == options.notes);
  CHECK(stored.kind == linea::ModelKind::regressor);
  CHECK(stored.as<linea::Regressor<double>>().features == options.features);
  CHECK(written(stored) == in.str());  // a stored model is written in the same way as a fitted one
  options.features.pop_back();
  CHECK_THROWS_WITH(written(examples::regressor<double>(), options),
                    "write_model: there are 5 names for 6 columns");
}

TEST_CASE("model files: a stream may hold several models") {
  std::stringstream stream;
  for (int k = 0; k < 3; ++k) {
    linea::write_model(stream, examples::softmax<double>());
    stream << slurp(models + "classifier_1.bin");
  }
  stream << "and more";
  for (int k = 0; k < 3; ++k) {
    CHECK(examples::same_model(linea::read_model<linea::SoftmaxClassifier<double>>(stream),
                               examples::softmax<double>()));
    CHECK(examples::same_model(linea::read_model<linea::Classifier<double>>(stream),
                               examples::classifier<double>()));
  }
  std::string rest;
  std::getline(stream, rest);
  CHECK(rest == "and more");
  CHECK_THROWS_WITH(linea::read_stored_model(stream, "the end"),
                    "the end: not a model of linea: the file is empty");
  stream.setstate(std::ios::badbit);
  CHECK_THROWS_WITH(linea::write_model(stream, examples::softmax<double>()),
                    "write_model: the stream failed");
}

TEST_CASE("model files: a stream may have exceptions and a format of numbers") {
  const auto model = examples::softmax<double>();
  std::ostringstream out;
  out.exceptions(std::ios::failbit | std::ios::badbit);
  out << std::hex << std::fixed << std::showpos;
  out.precision(1);
  out.width(500);
  linea::write_model(out, model);
  CHECK(out.str() == written(model));
  for (const std::string& bytes : {written(model), slurp(models + "softmax_1.bin")})
    for (const std::size_t left_out : {0U, 1U, 30U}) {
      std::istringstream in(bytes.substr(0, bytes.size() - left_out));
      in.exceptions(std::ios::failbit | std::ios::badbit | std::ios::eofbit);
      // The last byte of the text is a newline, which may be missing.
      const std::string message =
          refusal_of([&] { (void)linea::read_model<linea::SoftmaxClassifier<double>>(in, "t"); });
      CHECK(message == refusal(bytes.substr(0, bytes.size() - left_out)));
    }
  std::istringstream in(written(model));
  in.exceptions(std::ios::failbit | std::ios::badbit | std::ios::eofbit);
  CHECK(examples::same_model(linea::read_model<linea::SoftmaxClassifier<double>>(in), model));
  linea::test::UnreadableStream unreadable;
  CHECK(refusal_of([&] { (void)linea::read_stored_model(unreadable, "a file"); }) ==
        "a file: cannot be read to its end");
}

TEST_CASE("model files: the name of an unknown optimizer outlives the file") {
  auto model = examples::regressor<double>();
  {
    const std::string own = "my very own optimizer of a long name";
    model.optimizer = own;
    const std::string bytes = written(model);
    model = read<linea::Regressor<double>>(bytes);
  }
  CHECK(model.optimizer == "my very own optimizer of a long name");
}

TEST_CASE("model files: every truncated, longer or corrupted copy is refused") {
  linea::Random random(17);
  for_each_example([&](const std::string& name, const auto&) {
    for (const std::string end : {"_1.txt", "_1.bin"}) {
      const std::string bytes = slurp(models + name + end);
      int accepted = 0;
      for (std::size_t at = 0; at < bytes.size(); ++at) {
        accepted += refusal(bytes.substr(0, at)).empty();
        std::string copy = bytes;
        copy[at] = static_cast<char>(copy[at] ^ (1 << random.below(8)));
        accepted += refusal(copy).empty();
      }
      CAPTURE(name + end);
      CHECK(refusal(bytes).empty());
      CHECK(accepted == 0);
      CHECK(!refusal(bytes + "\n").empty());
    }
  });
}

TEST_CASE("model files: errors give the position") {
  const std::string text = slurp(models + "softmax_1.txt");
  const auto says = [&](std::string_view what, std::string_view by, const std::string& message) {
    CHECK_THAT(refusal(with_checksum(replaced(text, what, by))), ContainsSubstring(message));
  };
  says("linea-model 1", "linea-model 2",
       "t:1:13: a model file of version 2, but this linea reads no newer one than version 1");
  says("linea-model 1", "linea-model 0", "t:1:13: a model file of version 0, but this linea reads");
  says("kind softmax", "kind soft", "t:2:6: expected one of linear, regressor, activated, ");
  says("scalar double", "scalar int", "t:3:8: expected one of float, double, got 'int'");
  says("columns 2", "columns two", "t:4:9: expected a whole number, got 'two'");
  says("columns 2", "columns -2", "t:4:9: expected a whole number, got '-2'");
  says("columns 2", "columns 99999999999999999999", "t:4:9: the number is too large");
  says("columns 2", "columns 3", "t:34:1: the number is not a number, got 'checksum'");
  says("functions 3", "functions 0", "t:5:11: expected a whole number >= 1, got '0'");
  says("functions 3", "functions 2", "expected the end of the line, got ' -1'");
  says("\n1\n2\n", "\n2\n1\n", "t: labels must ascend, but 1 comes after 2");
  says("\n1\n2\n", "\n2\n2\n", "t: labels must ascend, but 2 comes after 2");
  says("\n1\n2\n", "\n1\ninf\n", "t:9:1: the number is not finite, got 'inf'");
  says("\"left\"", "left", "t:11:1: expected '\"', got 'left'");
  says("\"left\"", "\"left", "t:11:1: the text in quotes does not end in this line");
  says("\"left\"", "\"\\left\"", "t:11:2: expected \\\", \\\\ or \\x and two hexadecimal digits");
  says("features 2\n\"left\"", "features 1", "t: there are 1 names for 2 columns");
  says("status converged", "status lost", "expected one of converged, settled, ");
  says("epochs 12", "epochs 1.2", "expected the end of the line, got '.2'");
  says("gap 9.0", "gap x9.0", "the number is not a number, got 'x9.0");
  says("0.5 -0 -0.5", "0.5 -0 nan", "the number is not finite, got 'nan'");
  says("0.5 -0 -0.5", "0.5 -0 -1e999", "the number is too large for a double, got '-1e999'");
  CHECK_THAT(refusal(replaced(text, "0.5 -0 -0.5", "0.5 -0 -0.6")),
             ContainsSubstring("the file is damaged: its lines have the checksum fnv1a-64 "));
  CHECK_THAT(refusal(text.substr(0, text.find("epochs"))),
             ContainsSubstring("expected 'epochs', got the end of the text"));
  CHECK_THAT(refusal(text + "x"), ContainsSubstring("expected the end of the model, got 'x'"));
  CHECK(
      refusal("solver_type L2R_LR\n") ==
      "t: not a model of linea: it begins with 'solver_type L2R_LR\\x0a'; read_liblinear reads it");
}

TEST_CASE("model files: errors of binary files give the byte") {
  const std::string file = slurp(models + "multi_target_1.bin");
  const auto says = [&](const std::string& bytes, const std::string& message) {
    CHECK_THAT(refusal(with_checksum(bytes)), ContainsSubstring(message));
  };
  for (const auto& [at, byte, message] : std::vector<std::tuple<std::size_t, char, std::string>>{
           {8, 2,
            "t: byte 8: a model file of version 2, but this linea reads no newer one than version "
            "1"},
           {12, 5, "12: the file is cut or damaged"},
           {16, 1, "16: the file is cut or damaged"},
           {24, 1, "24: the file is cut or damaged"},
           {30, 1, "24: the file is cut or damaged"},     // too many sections for the file
           {40, 0, "text:1:1: expected 'linea-model '"},  // the text begins elsewhere
           {47, 1, "32: the file is cut or damaged"},     // the text lies outside
           {56, 1, "56: the file is cut or damaged"},     // too short for dense weights
           {56, 3, "56: the file is cut or damaged"},     // no such encoding
           {72, 39, "56: the file is cut or damaged"},    // the section is too short
           {72, 41, "56: the file is cut or damaged"}}) {
    CAPTURE(at, int{byte});
    std::string copy = file;
    copy[at] = byte;
    says(copy, message);
  }
  for (const char* columns : {"columns 99", "columns 700", "columns 70000000"}) {
    CAPTURE(columns);
    std::string copy = replaced(file, "columns 70", columns);
    const auto longer = copy.size() - file.size();
    says(replaced(copy, "optimizer \"Newton", "optimizer \"" + std::string("Newton", 6 - longer)),
         "t: byte 56: the file is cut or damaged");
  }
  says(replaced(slurp(models + "one_vs_rest_1.bin"), "parts 3", "parts 2"),
       "expected the end of the section");
  std::string infinite = slurp(models + "regressor_1.bin");
  infinite.replace(infinite.size() - 16, 8, std::string("\0\0\0\0\0\0\xf0\x7f", 8));
  says(infinite, "t: part 0: the weight of column 5 is not finite");
  says(replaced(file, "multi-target", "multi-tarGet"), "t, text:2:6: expected one of linear, ");
}

TEST_CASE("model files: a false count costs no memory") {
  if (!can_limit_memory()) return;
  const std::string text = slurp(models + "regressor_1.txt");
  const std::string binary = slurp(models + "regressor_1.bin");
  std::vector<std::string> hostile;
  for (const std::string key :
       {"columns 6", "functions 1", "labels 0", "features 0", "notes 0", "parts 1"}) {
    const std::string many = key.substr(0, key.find(' ')) + " 300000000000";
    hostile.push_back(with_checksum(replaced(text, key, many)));
    hostile.push_back(with_checksum(replaced(binary, key, key.substr(0, key.size() - 1) + "9")));
  }
  // This header of a binary model file states a wrong size of the file.
  std::string header = binary.substr(0, 32);
  header[22] = 0x7f;
  const int refused = in_child([&] {
    if (!limit_memory(std::size_t{64} << 20)) return 98;
    int count = 0;
    for (const auto& bytes : hostile) count += !refusal(bytes).empty();
    std::istringstream in(header);
    return count + !refusal_of([&] { static_cast<void>(linea::read_stored_model(in)); }).empty();
  });
  CHECK(refused == static_cast<int>(hostile.size()) + 1);
}

TEST_CASE("model files: another kind of model is refused by name") {
  const TemporaryFile file;
  const std::string begin = "read_model: '" + file.path().string() + "' ";
  const std::string holds =
      "holds another kind of model (one-vs-rest of classifier, double) than is asked for (";
  linea::write_model(file.path(), examples::one_vs_rest<double>());
  using OfRegressors = linea::OneVsRestClassifier<double, linea::Regressor<double>>;
  using OfFloats = linea::OneVsRestClassifier<float, linea::Classifier<float>>;
  using Sigmoid = linea::ActivatedModel<double, linea::Sigmoid>;
  CHECK_THROWS_WITH(linea::read_model<linea::Classifier<double>>(file.path()),
                    begin + holds + "classifier, double)");
  CHECK_THROWS_WITH(linea::read_model<OfRegressors>(file.path()),
                    begin + holds + "one-vs-rest of regressor, double)");
  CHECK_THROWS_WITH(linea::read_model<OfFloats>(file.path()),
                    begin + holds + "one-vs-rest of classifier, float)");
  linea::write_model(file.path(), examples::activated<double>());
  CHECK_THROWS_WITH(
      linea::read_model<Sigmoid>(file.path()),
      begin + "has the activation exponential, but a model with sigmoid is asked for");
}

TEST_CASE("write_model: refuses what could not be read back, and keeps the old file") {
  const auto refuses = [](const std::string& message, auto model, auto&& spoil) {
    spoil(model);
    CHECK_THROWS_WITH(written(model), message);
  };
  const auto classifier = examples::classifier<double>();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  refuses("store_model: part 0: an offset is not finite", classifier,
          [](auto& m) { m.offset = infinity; });
  refuses("store_model: there are 5 names for 6 columns", classifier,
          [](auto& m) { m.features.pop_back(); });
  refuses("store_model: a classifier has 2 labels, not 3", classifier,
          [](auto& m) { m.labels = linea::ClassLabels(Eigen::Vector3d(1, 2, 3)); });
  refuses("store_model: the model has no columns", linea::Regressor<double>{}, [](auto&) {});
  const auto several = examples::one_vs_rest<double>();
  refuses("store_model: the models of two classes have different names for the columns", several,
          [](auto& m) { m.models[2].features[0] = "another"; });
  refuses("store_model: there are 2 models for 3 labels", several,
          [](auto& m) { m.models.pop_back(); });
  refuses(
      "store_model: part 1 has 5 weights and 1 offsets, but there are 6 columns and 1 functions "
      "of them",
      several, [](auto& m) { m.models[1].weights.conservativeResize(5); });
  refuses(
      "store_model: part 0 has 4 weights and 3 offsets, but there are 2 columns and 3 functions "
      "of them",
      examples::softmax<double>(), [](auto& m) { m.weights.conservativeResize(2, 2); });
  // Stored models whose members contradict their kind.
  using linea::ModelKind;
  const auto regressor = linea::store_model(examples::regressor<double>());
  const auto rest = linea::store_model(several);
  refuses("write_model: a model of kind regressor cannot be made of softmax", regressor,
          [](auto& m) { m.part_kind = ModelKind::softmax; });
  refuses("write_model: a regressor model has no labels, not 1", regressor,
          [](auto& m) { m.labels = {1}; });
  refuses("write_model: a one-vs-rest classifier has at least 2 labels, not 1", rest,
          [](auto& m) { m.labels = {1}; });
  refuses("write_model: part 0 has 1 labels of its own, but needs 2", rest,
          [](auto& m) { m.parts[0].labels = {1}; });
  refuses("write_model: the model predicts nothing, it has no offsets",
          linea::store_model(examples::multi_target<double>()),
          [](auto& m) { m.parts[0].offset.clear(); });

  const TemporaryFile file("kept");
  auto model = classifier;
  model.weights[3] = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH(linea::write_model(file.path(), model),
                    "store_model: part 0: the weight of column 3 is not finite");
  CHECK(slurp(file.path()) == "kept");
}

TEST_CASE("read_model: refuses a missing file, a folder and another format") {
  CHECK_THROWS_WITH(linea::read_stored_model("/no/such.model"),
                    "read_model: cannot open '/no/such.model': No such file or directory");
  CHECK_THROWS_WITH(linea::read_stored_model(models),
                    "read_model: cannot open '" + models + "': it is a directory");
  const TemporaryFile file("{\"weights\": []}");
  CHECK_THROWS_WITH(
      linea::read_stored_model(file.path()),
      file.path().string() + ": not a model of linea: it begins with '{\"weights\": []}'");
}

}  // namespace model_file_test
