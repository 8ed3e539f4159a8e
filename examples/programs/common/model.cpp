// SPDX-License-Identifier: MIT
#include "programs/common/model.hpp"

#include <cmath>
#include <initializer_list>
#include <linea/core/numbers.hpp>
#include <linea/core/require.hpp>
#include <linea/io/checksum.hpp>
#include <linea/io/file.hpp>
#include <linea/losses/log.hpp>
#include <linea/models/linear_model.hpp>
#include <ostream>
#include <set>
#include <string_view>

#include "programs/common/foreign_model.hpp"
#include "programs/common/losses_by_name.hpp"
#include "programs/common/program.hpp"

namespace program {
namespace {

using linea::Index;
using linea::detail::vector_of;

/// Returns the checksum of the model's text, without the member that holds the checksum.
std::string checksum_of(const json& model) {
  const std::uint64_t sum = linea::io::checksum(model.dump());
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(sum));
  return text;
}

json numbers(const linea::Vector<double>& values) {
  return std::vector<double>(values.begin(), values.end());
}

/// Returns the columns of the training file that were left out, the column of sample weights, and
/// the options for reading the file.
json table_json(const Preprocessing& input) {
  const auto character = [](char c) { return std::string(c != 0, c); };
  return {{"left_out", input.left_out},
          {"weights_name", input.weights_name},
          {"weights_column", input.weights_column},
          {"separator", character(input.reading.separator)},
          {"decimal", character(input.reading.decimal)},
          {"thousands", character(input.reading.thousands)},
          {"missing_values", input.reading.missing_values}};
}

json input_json(const Preprocessing& input) {
  json columns = json::array();
  for (const auto& column : input.columns) {
    json one{{"name", column.name}, {"text", column.is_text}};
    if (column.is_text)
      one["categories"] = column.categories;
    else
      one["fill"] = column.fill;
    columns.push_back(std::move(one));
  }
  json object{{"entries", input.has_entries},
              {"zero_based", input.zero_based},
              {"width", input.width},
              {"columns", columns},
              {"target_name", input.target_name},
              {"target_column", input.target_column},
              {"missing", input.options.missing},
              {"hash_bits", input.options.hash_bits},
              {"degree", input.options.degree},
              {"mean", numbers(input.mean)},
              {"scale", numbers(input.scale)}};
  if (!input.left_out.empty() || input.reading != Reading{}) object["table"] = table_json(input);
  return object;
}

/// Reads the members of one JSON object. Each member must exist and have the right type, and none
/// may remain unread.
class Parts {
 public:
  Parts(const json& object, const std::string& path, std::string where)
      : object_(object), path_(path), where_(std::move(where)) {
    if (!object.is_object()) fail("not an object");
  }

  const json& at(const char* name) {
    const auto found = object_.find(name);
    if (found == object_.end()) fail(std::string("no member ") + name);
    taken_.insert(name);
    return *found;
  }
  bool has(const char* name) const { return object_.contains(name); }
  char character(const char* name) {
    const std::string part = text(name);
    if (part.size() > 1) fail_kind(name, "one character");
    return part.empty() ? '\0' : part[0];
  }
  std::string text(const char* name) {
    const json& part = at(name);
    if (!part.is_string()) fail_kind(name, "text");
    return part.get<std::string>();
  }
  bool flag(const char* name) {
    const json& part = at(name);
    if (!part.is_boolean()) fail_kind(name, "true or false");
    return part.get<bool>();
  }
  double number(const char* name) { return number_of(at(name), name); }
  Index whole(const char* name, Index least, Index most) {
    const json& part = at(name);
    if (!part.is_number_integer() ||
        (part.is_number_unsigned() && part.get<std::uint64_t>() > std::uint64_t{1} << 62))
      fail_kind(name, "a whole number");
    const auto value = part.get<std::int64_t>();
    if (value < least || value > most)
      fail(std::string(name) + " = " + std::to_string(value) + " is out of range");
    return static_cast<Index>(value);
  }
  std::vector<double> list(const char* name) { return list_of(at(name), name); }
  std::vector<std::string> texts(const char* name) {
    std::vector<std::string> values;
    for (const json& value : array(at(name), name)) {
      if (!value.is_string()) fail_kind(name, "a list of texts");
      values.push_back(value.get<std::string>());
    }
    return values;
  }
  const json& array(const json& part, const char* name) {
    if (!part.is_array()) fail_kind(name, "a list");
    return part;
  }
  std::vector<double> list_of(const json& part, const char* name) {
    std::vector<double> values;
    for (const json& value : array(part, name)) values.push_back(number_of(value, name));
    return values;
  }
  /// Throws if a member of the object was not read.
  void end() const {
    if (taken_.size() != object_.size()) fail("unknown members");
  }
  [[noreturn]] void fail(const std::string& what) const {
    linea::refuse(path_, ": invalid linea model: ", where_, what);
  }

 private:
  [[noreturn]] void fail_kind(const char* name, const char* kind) const {
    fail(std::string(name) + " is not " + kind);
  }
  double number_of(const json& value, const char* name) const {
    if (!value.is_number()) fail_kind(name, "numeric");
    const auto number = value.get<double>();
    if (!std::isfinite(number)) fail_kind(name, "finite");
    return number;
  }

  const json& object_;
  const std::string& path_;
  std::string where_;
  std::set<std::string_view> taken_{};  // the members that were read, each once
};

ColumnPlan read_column(const json& object, const std::string& path) {
  Parts parts(object, path, "column: ");
  ColumnPlan plan;
  plan.name = parts.text("name");
  plan.is_text = parts.flag("text");
  if (plan.is_text)
    plan.categories = parts.texts("categories");
  else
    plan.fill = parts.number("fill");
  for (std::size_t k = 1; k < plan.categories.size(); ++k)
    if (!(plan.categories[k - 1] < plan.categories[k])) parts.fail("the categories are not sorted");
  parts.end();
  return plan;
}

void read_table_part(const json& object, const std::string& path, Preprocessing& input) {
  Parts parts(object, path, "table: ");
  for (const double place : parts.list("left_out")) {
    const auto column = static_cast<Index>(place);
    if (static_cast<double>(column) != place || column < 0 || column == input.target_column ||
        (!input.left_out.empty() && column <= input.left_out.back()))
      parts.fail("the omitted columns do not exist or are not sorted");
    input.left_out.push_back(column);
  }
  input.weights_name = parts.text("weights_name");
  input.weights_column = parts.whole("weights_column", -1, std::numeric_limits<int>::max());
  input.reading.separator = parts.character("separator");
  input.reading.decimal = parts.character("decimal");
  input.reading.thousands = parts.character("thousands");
  input.reading.missing_values = parts.texts("missing_values");
  parts.end();
}

Preprocessing read_input(const json& object, const std::string& path) {
  Parts parts(object, path, "input: ");
  Preprocessing input;
  input.has_entries = parts.flag("entries");
  input.zero_based = parts.flag("zero_based");
  input.width = parts.whole("width", 0, std::numeric_limits<int>::max());
  for (const json& column : parts.array(parts.at("columns"), "columns"))
    input.columns.push_back(read_column(column, path));
  input.target_name = parts.text("target_name");
  input.target_column = parts.whole("target_column", -1, std::numeric_limits<int>::max());
  input.options.missing = parts.text("missing");
  const auto& missing = input.options.missing;
  if (missing != "refuse" && missing != "mean" && missing != "zero")
    parts.fail("unknown treatment of missing values");
  input.options.hash_bits = static_cast<int>(parts.whole("hash_bits", 0, 30));
  input.options.degree = static_cast<int>(parts.whole("degree", 1, 64));
  input.mean = vector_of(parts.list("mean"));
  input.scale = vector_of(parts.list("scale"));
  input.options.standardise = input.scale.size() > 0;
  if (input.mean.size() != input.scale.size() ||
      (input.scale.size() > 0 && !(input.scale.minCoeff() > 0)))
    parts.fail("scales must be > 0, one for each mean");
  if (parts.has("table")) read_table_part(parts.at("table"), path, input);
  const auto most = static_cast<Index>(input.columns.size() + input.left_out.size());
  if (input.has_entries != input.columns.empty() ||
      (!input.has_entries && input.target_column > most) ||
      (!input.left_out.empty() && input.left_out.back() > most))
    parts.fail("a table needs columns, and lists of entries have none");
  parts.end();
  if (input.scale.size() > 0 && input.scale.size() != input.features())
    parts.fail("the numbers of scales and features differ");
  return input;
}

void read_labels(Parts& parts, Model& model) {
  model.labels = parts.list("labels");
  for (std::size_t k = 1; k < model.labels.size(); ++k)
    if (!(model.labels[k - 1] < model.labels[k])) parts.fail("the labels do not ascend");
  if (model.labels.size() == 1) parts.fail("only one label");
}

void check_loss(const Parts& parts, const Model& model) {
  if (model.loss == "softmax") {
    if (model.multiclass != "softmax") parts.fail("the loss and multiclass do not match");
    return;
  }
  Named named(model.loss);
  named.value = model.parameter;
  try {
    with_loss(named, [](const auto&) {});
  } catch (const std::invalid_argument& unknown) {
    parts.fail(std::string("unknown loss: ") + unknown.what());
  }
}

Model read_first_version(Parts& parts) {
  Model model;
  model.loss = parts.text("loss");
  read_labels(parts, model);
  if (model.labels.size() > 2) parts.fail("more than two labels");
  model.offset.setConstant(1, parts.number("offset"));
  model.weights = vector_of(parts.list("weights"));
  model.input.width = model.weights.rows();
  check_loss(parts, model);
  return model;
}

void read_weights(Parts& parts, Model& model) {
  const json& weights = parts.at("weights");
  const json& offset = parts.at("offset");
  if (model.multiclass == "none") {
    model.weights = vector_of(parts.list_of(weights, "weights"));
    model.offset = vector_of(parts.list_of(json::array({offset}), "offset"));
    if (model.labels.size() > 2) parts.fail("more labels than functions");
    return;
  }
  model.offset = vector_of(parts.list_of(offset, "offset"));
  const auto classes = static_cast<Index>(model.labels.size());
  if (classes < 2 || parts.array(weights, "weights").size() != model.labels.size() ||
      model.offset.size() != classes)
    parts.fail("the numbers of functions and labels differ");
  model.weights.resize(model.input.features(), classes);
  for (Index k = 0; k < classes; ++k) {
    const auto column = parts.list_of(weights[static_cast<std::size_t>(k)], "weights");
    if (static_cast<Index>(column.size()) != model.weights.rows())
      parts.fail("the numbers of weights and features differ");
    model.weights.col(k) = vector_of(column);
  }
}

Model read_second_version(Parts& parts, const std::string& path) {
  Model model;
  model.loss = parts.text("loss");
  if (!parts.at("parameter").is_null()) model.parameter = parts.number("parameter");
  model.multiclass = parts.text("multiclass");
  if (model.multiclass != "none" && model.multiclass != "one-vs-rest" &&
      model.multiclass != "softmax")
    parts.fail("unknown multiclass");
  check_loss(parts, model);
  read_labels(parts, model);
  model.label_names = parts.texts("label_names");
  if (!model.label_names.empty() && model.label_names.size() != model.labels.size())
    parts.fail("the numbers of names and labels differ");
  model.input = read_input(parts.at("input"), path);
  read_weights(parts, model);
  if (model.weights.rows() != model.input.features())
    parts.fail("the numbers of weights and features differ");
  model.training = parts.at("training");
  return model;
}

}  // namespace

json parse_json(std::string_view text, const std::string& source) {
  int depth = 0;
  bool in_text = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_text && c == '\\') ++at;
    if (c == '"') in_text = !in_text;
    if (in_text) continue;
    depth += (c == '[' || c == '{') - (c == ']' || c == '}');
    linea::require(depth <= 32, source, ": JSON with more than 32 levels");
  }
  return json::parse(text, nullptr, false);
}

void write_model(std::ostream& out, const Model& model) {
  linea::require(model.weights.allFinite() && model.offset.allFinite(),
                 "the weights are not finite: no model is written");
  json weights = json::array();
  for (Index k = 0; k < model.weights.cols(); ++k) weights.push_back(numbers(model.weights.col(k)));
  const bool one = model.multiclass == "none";
  json text{{"format", "linea model"},
            {"version", model_version},
            {"program", "linea " + version()},
            {"loss", model.loss},
            {"parameter", model.parameter ? json(*model.parameter) : json()},
            {"multiclass", model.multiclass},
            {"labels", model.labels},
            {"label_names", model.label_names},
            {"offset", one ? json(model.offset[0]) : numbers(model.offset)},
            {"weights", one ? weights[0] : weights},
            {"input", input_json(model.input)},
            {"training", model.training}};
  text["checksum"] = checksum_of(text);
  out << text.dump() << '\n';
}

Model read_model(const std::string& path) {
  const auto bytes = linea::io::read_file("reading a model", path_of(path));
  if (auto foreign = foreign_model(bytes.text(), path)) return *std::move(foreign);
  json text = parse_json(bytes.text(), path);
  linea::require(text.is_object() && text.contains("format") && text["format"].is_string() &&
                     text["format"] == "linea model",
                 path,
                 ": not a model of linea_train, of the library's write_model or of LIBLINEAR");
  linea::require(text.contains("version") && text["version"].is_number_unsigned(), path,
                 ": invalid linea model: the version is not a whole number");
  const auto version = text["version"].get<std::uint64_t>();
  linea::require(version == 1 || version == model_version, path, ": a model of format ", version,
                 ", but this program reads formats 1 and ", model_version);
  if (version == model_version) {
    const auto sum = text.find("checksum");
    linea::require(sum != text.end(), path, ": invalid linea model: no member checksum");
    const json written = *sum;
    text.erase("checksum");
    linea::require(written == checksum_of(text), path,
                   ": damaged linea model: its checksum differs");
  }
  Parts parts(text, path, "");
  parts.at("format"), parts.at("version");
  Model model;
  if (version == 1) {
    model = read_first_version(parts);
  } else {
    parts.text("program");
    model = read_second_version(parts, path);
  }
  parts.end();
  linea::require(model.weights.rows() > 0, path, ": invalid linea model: no weights");
  return model;
}

std::string Model::label_text(std::size_t k) const {
  return label_names.empty() ? linea::detail::number_text(labels[k]) : label_names[k];
}

linea::Matrix<double> Model::scores(const EntriesView& x) const {
  linea::Matrix<double> all = x * weights;
  all.rowwise() += offset.transpose();
  return all;
}

std::vector<std::size_t> Model::classes_of(const linea::Matrix<double>& all) const {
  std::vector<std::size_t> classes;
  for (Index i = 0; i < all.rows(); ++i) {
    Index best = 0;
    if (all.cols() == 1)
      best = all(i, 0) >= 0;
    else
      for (Index k = 1; k < all.cols(); ++k)
        if (all(i, k) > all(i, best)) best = k;
    classes.push_back(static_cast<std::size_t>(best));
  }
  return classes;
}

linea::Matrix<double> Model::probabilities(const linea::Matrix<double>& all) const {
  const auto sigmoid = [](double score) { return 1 / (1 + std::exp(-score)); };
  linea::Matrix<double> chances(all.rows(), std::max<Index>(2, all.cols()));
  for (Index i = 0; i < all.rows(); ++i) {
    if (all.cols() == 1) {
      chances(i, 0) = sigmoid(-all(i, 0));
      chances(i, 1) = sigmoid(all(i, 0));
      continue;
    }
    const double top = all.row(i).maxCoeff();
    for (Index k = 0; k < all.cols(); ++k)
      chances(i, k) = multiclass == "softmax" || top < -40  // where sigmoids may underflow
                          ? std::exp(all(i, k) - top)
                          : sigmoid(all(i, k));
    chances.row(i) /= chances.row(i).sum();
  }
  return chances;
}

linea::Matrix<double> Model::log_probabilities(const linea::Matrix<double>& all) const {
  linea::Matrix<double> logs = all;
  if (all.cols() == 1) logs = (linea::Matrix<double>(all.rows(), 2) << -all, all).finished();
  // Without softmax, take the logarithms of the sigmoids. Two classes need no normalisation, as
  // σ(p) + σ(−p) = 1.
  if (multiclass != "softmax")
    for (double& score : logs.reshaped()) score = -linea::Log{}.value(score, 1.0);
  if (all.cols() > 1) linea::detail::to_log_probabilities(logs);
  return logs;
}

}  // namespace program
