// SPDX-License-Identifier: MIT
#include "programs/common/foreign_model.hpp"

#include <algorithm>  // min
#include <linea/core/require.hpp>
#include <linea/io/liblinear.hpp>
#include <linea/io/model_file.hpp>
#include <unordered_set>

#include "programs/common/losses_by_name.hpp"

namespace program {
namespace {

using linea::Index;
using linea::ModelKind;
using linea::StoredModel;

/// Returns the name of a loss of the programs: "softmax" or "log" if the model has probabilities,
/// else the loss of the model if the programs have it, else "squared" or "hinge".
std::string loss_of(const StoredModel& stored) {
  const std::string& name = stored.parts.front().loss;
  if (stored.kind == ModelKind::softmax) return "softmax";
  if (stored.part_kind == ModelKind::probabilistic_classifier) return "log";
  try {
    with_loss(Named(name), [](const auto&) {});
    if (name != "log") return Named(name).name;
  } catch (const std::invalid_argument&) {
  }
  return stored.labels.empty() ? "squared" : "hinge";
}

/// Stores the functions as columns: weights (d × k) and offset (k).
void take_functions(const StoredModel& stored, Model& model) {
  const auto d = stored.columns;
  const auto of_part = static_cast<Index>(stored.parts.front().offset.size());
  const auto k = of_part * static_cast<Index>(stored.parts.size());
  model.weights.resize(d, k);
  model.offset.resize(k);
  Index at = 0;
  for (const auto& part : stored.parts) {
    model.weights.middleCols(at, of_part) =
        linea::Matrix<double>::Map(part.weights.data(), d, of_part);
    model.offset.segment(at, of_part) = linea::Vector<double>::Map(part.offset.data(), of_part);
    at += of_part;
  }
}

}  // namespace

std::optional<Model> foreign_model(std::string_view bytes, const std::string& path) {
  StoredModel stored;
  if (bytes.starts_with("{\"format\": ") || bytes.starts_with("linea-model ") ||
      bytes.starts_with("lineaM\r\n"))
    stored = linea::io::parse_model(bytes, path);
  else if (bytes.starts_with("solver_type "))
    stored = linea::io::model_of_liblinear<StoredModel>(bytes, path);
  else
    return std::nullopt;
  linea::require(stored.kind != ModelKind::multi_target && stored.part_kind != ModelKind::activated,
                 path, ": a model of kind ", linea::name_of(stored.kind),
                 ", which linea_predict does not take; the library's read_model does");
  Model model;
  model.is_foreign = true;
  model.loss = loss_of(stored);
  model.labels = stored.labels;
  model.multiclass = stored.kind == ModelKind::one_vs_rest ? "one-vs-rest"
                     : stored.kind == ModelKind::softmax   ? "softmax"
                                                           : "none";
  take_functions(stored, model);
  model.input.width = stored.columns;
  for (const auto& name : stored.features) {
    auto& column = model.input.encoder.columns.emplace_back();
    column.name = name;
  }
  return model;
}

void take_columns(Model& model, const Table& table) {
  Preprocessing& input = model.input;
  auto& columns = input.encoder.columns;
  const bool has_names = !table.columns.empty() && !table.columns.front().name.empty();
  input.has_entries = false;
  columns.resize(static_cast<std::size_t>(input.width));
  const bool by_name = has_names && !columns.front().name.empty();
  std::unordered_set<std::string> known;
  for (const auto& column : columns) known.insert(column.name);
  linea::EncodedColumn target{.role = linea::ColumnRole::target};
  for (std::size_t j = 0; j < table.columns.size(); ++j)
    if (const auto& column = table.columns[j]; column.is_left_out) {
      const auto place = columns.begin() + static_cast<Index>(std::min(j, columns.size()));
      columns.insert(place, {.role = linea::ColumnRole::left_out});
    } else if (by_name && known.count(column.name) == 0) {
      target.name = column.name;  // of several such columns, the last is the target
    }
  columns.push_back(target);
}

}  // namespace program
