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
#include <map>
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

json input_json(const Preprocessing& input) {
  const auto character = [](char c) { return std::string(c != 0, c); };
  const linea::Encoder& encoder = input.encoder;
  const linea::TableFormat& format = encoder.format;
  json columns = json::array();
  json table{{"left_out", json::array()},
             {"weights_name", ""},
             {"weights_column", -1},
             {"separator", character(format.separator)},
             {"decimal", character(format.decimal)},
             {"thousands", character(format.thousands)},
             {"missing_values", format.missing_values}};
  json target_name = "";
  json target_column = -1;
  for (std::size_t k = 0; k < encoder.columns.size(); ++k) {
    const auto& column = encoder.columns[k];
    if (column.is_feature()) {
      columns.push_back({{"name", column.name}, {"text", column.is_text}});
      if (column.is_text)
        columns.back()["categories"] = column.categories;
      else
        columns.back()["fill"] = column.fill;
    } else if (column.role == linea::ColumnRole::target) {
      target_name = column.name;
      target_column = k;
    } else {
      table["left_out"].push_back(k);
      if (column.role != linea::ColumnRole::weights) continue;
      table["weights_name"] = column.name;
      table["weights_column"] = k;
    }
  }
  json object{{"entries", input.has_entries},
              {"zero_based", input.zero_based},
              {"width", input.width},
              {"columns", columns},
              {"target_name", target_name},
              {"target_column", target_column},
              {"missing", linea::name_of(encoder.missing)},
              {"hash_bits", encoder.hash_bits},
              {"degree", input.degree},
              {"mean", numbers(input.scaling.mean)},
              {"scale", numbers(input.scaling.scale)}};
  if (!table["left_out"].empty() || format != linea::TableFormat{}) object["table"] = table;
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

linea::EncodedColumn read_column(const json& object, const std::string& path) {
  Parts parts(object, path, "column: ");
  linea::EncodedColumn plan;
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

/// Reads the member "table" of the input: the format of the text, and the columns that are neither
/// features nor the target, at their places in `others`.
void read_table_part(const json& object, const std::string& path, linea::TableFormat& format,
                     std::map<Index, linea::EncodedColumn>& others) {
  Parts parts(object, path, "table: ");
  Index last = -1;
  for (const double place : parts.list("left_out")) {
    const auto column = static_cast<Index>(place);
    if (static_cast<double>(column) != place || column <= last || others.count(column) > 0)
      parts.fail("the omitted columns do not exist or are not sorted");
    others[column].role = linea::ColumnRole::left_out;
    last = column;
  }
  const std::string name = parts.text("weights_name");
  const Index place = parts.whole("weights_column", -1, std::numeric_limits<int>::max());
  if (place >= 0) others[place] = {.name = name, .role = linea::ColumnRole::weights};
  format.separator = parts.character("separator");
  format.decimal = parts.character("decimal");
  format.thousands = parts.character("thousands");
  format.missing_values = parts.texts("missing_values");
  parts.end();
}

Preprocessing read_input(const json& object, const std::string& path,
                         const std::vector<std::string>& label_names) {
  Parts parts(object, path, "input: ");
  Preprocessing input;
  linea::Encoder& encoder = input.encoder;
  input.has_entries = parts.flag("entries");
  input.zero_based = parts.flag("zero_based");
  input.width = parts.whole("width", 0, std::numeric_limits<int>::max());
  for (const json& column : parts.array(parts.at("columns"), "columns"))
    encoder.columns.push_back(read_column(column, path));
  if (input.has_entries != encoder.columns.empty())
    parts.fail("a table needs columns, and lists of entries have none");
  std::map<Index, linea::EncodedColumn> others;
  const std::string target_name = parts.text("target_name");
  const Index target = parts.whole("target_column", -1, std::numeric_limits<int>::max());
  if (target >= 0)
    others[target] = {.name = target_name,
                      .role = linea::ColumnRole::target,
                      .is_text = !label_names.empty(),
                      .categories = label_names};
  const auto missing = linea::missing_of(parts.text("missing"));
  if (!missing) parts.fail("unknown treatment of missing values");
  encoder.missing = *missing;
  encoder.hash_bits = static_cast<int>(parts.whole("hash_bits", 0, 30));
  input.degree = static_cast<int>(parts.whole("degree", 1, 64));
  auto& [mean, scale] = input.scaling;
  mean = vector_of(parts.list("mean"));
  scale = vector_of(parts.list("scale"));
  if (mean.size() != scale.size() || (scale.size() > 0 && !(scale.minCoeff() > 0)))
    parts.fail("scales must be > 0, one for each mean");
  if (parts.has("table")) read_table_part(parts.at("table"), path, encoder.format, others);
  for (const auto& [place, column] : others) {
    if (place > static_cast<Index>(encoder.columns.size()))
      parts.fail("a table needs columns, and lists of entries have none");
    encoder.columns.insert(encoder.columns.begin() + place, column);
  }
  parts.end();
  if (input.is_scaled() && scale.size() != input.features())
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
  model.input = read_input(parts.at("input"), path, model.label_names);
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
