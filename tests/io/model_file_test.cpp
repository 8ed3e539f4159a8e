// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <linea/core/random.hpp>
#include <linea/io/model_file.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
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

TEST_CASE("model files: are read to the bit, and written identically") {
  // tests/golden/make_model_files.py wrote the files without linea.
  for_each_example([]<class Model>(const std::string& name, const Model& model) {
    CAPTURE(name);
    CHECK(examples::same_model(linea::read_model<Model>(models + name + "_3.json"), model));
    CHECK(written(model) == slurp(models + name + "_3.json"));
  });
}

TEST_CASE("model files: hold the encoder of a table, which applies to raw cells") {
  const std::string file = models + "encoded_3.json";
  const auto stored = linea::read_stored_model(file);
  CHECK(written(stored) == slurp(file));
  REQUIRE(stored.encoder);
  const linea::Encoder& encoder = *stored.encoder;
  CHECK(encoder.missing == linea::Missing::mean);
  CHECK(encoder.format == linea::TableFormat{';', ',', 0, {"nothing"}});
  const auto model = stored.as<linea::Regressor<double>>();
  CHECK(model.features == std::vector<std::string>{"town=Bonn", "town=Ulm", "rooms"});
  // 7 - 0.5 for Ulm + 3 * 1.5 rooms, and + 3 * 2.5 for a missing cell.
  CHECK(model.predict(encoder.apply({"Ulm", "1,5", "s"})) ==
        linea::Vector<double>::Constant(1, 11));
  CHECK(model.predict(encoder.apply({"Ulm", "nothing"})) == linea::Vector<double>::Constant(1, 14));
  // The same file from the fitted model: the encoder gives the names of its features.
  auto unnamed = model;
  unnamed.features.clear();
  CHECK(written(unnamed, {.notes = stored.notes, .encoder = encoder}) == slurp(file));
}

TEST_CASE("model files: an encoder that does not fit the model is refused") {
  const auto refuses = [](const std::string& message, auto&& spoil) {
    auto stored = linea::read_stored_model(models + "encoded_3.json");
    spoil(stored, *stored.encoder);
    CHECK(refusal_of([&] { (void)written(stored); }) == "write_model: " + message);
  };
  refuses("the encoder has 2 features, but the model has 3 columns",
          [](auto&, auto& encoder) { encoder.columns.erase(encoder.columns.begin() + 1); });
  refuses("the encoder has 8 features, but the model has 3 columns",
          [](auto&, auto& encoder) { encoder.hash_bits = 3; });
  refuses("the encoder has 31 hash bits, which is not in [0, 30]",
          [](auto&, auto& encoder) { encoder.hash_bits = 31; });
  const std::string spoilt = "has categories that do not ascend, or a fill that is not finite";
  refuses("the encoder's column 'town' " + spoilt,
          [](auto&, auto& encoder) { encoder.columns[0].categories[1] = "Bonn"; });
  refuses("the encoder's column 'rooms' " + spoilt,
          [](auto&, auto& encoder) { encoder.columns[1].fill = std::nan(""); });
  refuses("the degree 65 is not in [1, 64]", [](auto& stored, auto&) { stored.degree = 65; });
  auto of_products = linea::read_stored_model(models + "encoded_3.json");
  of_products.degree = 2;  // Polynomial determines the number of columns
  of_products.zero_based = true;
  const std::string text = written(of_products);
  const auto read_again = linea::io::parse_model(text, "t");
  CHECK(read_again.degree == 2);
  CHECK(read_again.zero_based);
  CHECK(written(read_again) == text);
  CHECK_THAT(refusal(with_checksum(replaced(text, "\";\"", "\";;\""))),
             ContainsSubstring("t:11:62: the text is too long, got ';;"));
  CHECK_THAT(refusal(with_checksum(replaced(text, "\";\"", "\"x\""))),
             ContainsSubstring("'x' cannot separate"));
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
    linea::write_model(stream, examples::classifier<double>());
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
  const std::string text = written(model);
  CHECK(out.str() == text);
  // The last byte of the text is a newline, which may be missing.
  for (const std::size_t left_out : {0U, 1U, 2U, 30U}) {
    std::istringstream in(text.substr(0, text.size() - left_out));
    in.exceptions(std::ios::failbit | std::ios::badbit | std::ios::eofbit);
    const std::string message =
        refusal_of([&] { (void)linea::read_model<linea::SoftmaxClassifier<double>>(in, "t"); });
    CHECK(message == refusal(text.substr(0, text.size() - left_out)));
    CHECK(message.empty() == (left_out < 2));
  }
  std::istringstream in(text);
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
    const std::string text = slurp(models + name + "_3.json");
    int accepted = 0;
    for (std::size_t at = 0; at + 1 < text.size(); ++at) {
      accepted += refusal(text.substr(0, at)).empty();
      std::string copy = text;
      copy[at] = static_cast<char>(copy[at] ^ (1 << random.below(8)));
      accepted += refusal(copy).empty();
    }
    CAPTURE(name);
    CHECK(refusal(text).empty());
    CHECK(accepted == 0);
    CHECK(!refusal(text + "{").empty());
  });
}

TEST_CASE("model files: errors give the position") {
  const std::string text = slurp(models + "softmax_3.json");
  const auto says = [&](std::string_view what, std::string_view by, const std::string& message) {
    CHECK_THAT(refusal(with_checksum(replaced(text, what, by))), ContainsSubstring(message));
  };
  says("\"version\": 3", "\"version\": 4",
       "t: a model file of version 4, but this linea reads no newer one than version 3");
  says("\"version\": 3", "\"version\": 3.5", "t:2:12: expected a whole number >= 0 ");
  says("\"kind\": \"softmax", "\"kind\": \"soft",
       "t:3:9: expected one of linear, regressor, activated, ");
  says("\"scalar\": \"double", "\"scalar\": \"int",
       "t:5:11: expected one of double, float, got '\"int\",'");
  says("\"columns\": 2", "\"columns\": -2", "t:6:12: expected a whole number >= 0 ");
  says("\"columns\": 2", "\"columns\": 3", "t: there are 2 names for 3 columns");
  says("\"columns\"", "\"rows\"", "t:6:1: expected \"columns\", got '\"rows\": 2,'");
  says("[0, 1, 2]", "[0, 2, 1]", "t: labels must ascend, but 1 comes after 2");
  says("[0, 1, 2]", "[0, 1, 1]", "t: labels must ascend, but 1 comes after 1");
  says("[0, 1, 2]", "[0, 1, 1e999]", "t:7:18: the number is too large for a double");
  says("\"left\"", "left", "t:8:14: expected a text in quotes, got 'left");
  says("\"left\", ", "", "t: there are 1 names for 2 columns");
  says("\"converged\"", "\"lost\"", "expected one of converged, settled, ");
  says("12", "1.2", "expected a whole number >= 0 ");
  says("9.094947017729282e-13", "\"small\"", "expected a number, got '\"small\"");
  says("1, 0, -1", "1, 0", "t:15:16: expected a weight for each offset in this row");
  says("[0.5, -0, -0.5]", "[0.5, -0]", "t:15:10: expected a weight for each offset in this row");
  says("[0.5, -0, -0.5],", "",
       "t: part 0 has 3 weights and 3 offsets, but there are 2 columns and 3 functions of them");
  says("-0.5", "NaN", "t:15:11: expected a number, got 'NaN],'");
  says("-0.5", "-1e999", "t:15:11: the number is too large for a double, got '-1e999],'");
  says("}],\n", "}],\n\"more\": 1,\n", "t:17:1: expected \"checksum\", got '\"more\": 1,'");
  CHECK_THAT(refusal(replaced(text, "-0.5", "-0.6")),
             ContainsSubstring("t:17:13: the file is damaged: the checksum of its bytes is "));
  CHECK_THAT(refusal(text.substr(0, text.find("\"epochs"))),
             ContainsSubstring("expected \"epochs\", got the end of the text"));
  CHECK(refusal(text + "x") == "t:18:1: expected the end of the model, got 'x'");
  CHECK(refusal(text + " \n").empty());
  CHECK(
      refusal("solver_type L2R_LR\n") ==
      "t: not a model of linea: it begins with 'solver_type L2R_LR\\x0a'; read_liblinear reads it");
}

TEST_CASE("model files: of linea 0.3 and older are refused with the name of their converter") {
  for (const std::string text : {"linea-model 1\nkind", "lineaM\r\n",
                                 "{\"format\":\"linea model\",\"version\":2,\"program\":"})
    CHECK(refusal(text) ==
          "t: a model file of linea 0.3 or older, which scripts/convert_model converts");
}

TEST_CASE("model files: a false count costs no memory") {
  if (!can_limit_memory()) return;
  const std::string text = slurp(models + "regressor_3.json");
  const std::vector<std::string> hostile{
      with_checksum(replaced(text, "\"columns\": 6", "\"columns\": 300000000000")),
      with_checksum(replaced(text, "[0]", "[]")), replaced(text, "[0]", std::string(1 << 20, '['))};
  const int refused = in_child([&] {
    if (!limit_memory(std::size_t{64} << 20)) return 98;
    int count = 0;
    for (const auto& bytes : hostile) count += !refusal(bytes).empty();
    return count;
  });
  CHECK(refused == static_cast<int>(hostile.size()));
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
