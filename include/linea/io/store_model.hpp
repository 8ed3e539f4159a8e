// SPDX-License-Identifier: MIT
#pragma once
/// \file Conversion of fitted models to plain data and back.
#include <concepts>  // same_as
#include <linea/core/activation.hpp>
#include <linea/core/numbers.hpp>
#include <linea/core/parameters.hpp>
#include <linea/core/require.hpp>
#include <linea/data/labels.hpp>
#include <linea/io/stored_model.hpp>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace linea {

namespace io {

/// Returns a copy of the name that lives as long as the process, because a Solution does not own
/// the name of its optimizer. Each name is stored once. To limit memory with hostile files, all
/// names after the thousandth become "another optimizer".
template <class Text>
std::string_view lasting_name(const Text& name) {
  static std::mutex alone;
  static std::set<Text> names;
  const std::lock_guard lock(alone);
  if (names.size() >= 1000 && names.count(name) == 0) return "another optimizer";
  return *names.insert(name).first;
}

/// Stores numbers in row-major order.
template <class Numbers>
void store_numbers(const Numbers& numbers, std::vector<double>& stored) {
  if constexpr (std::is_floating_point_v<Numbers>) {
    stored = {static_cast<double>(numbers)};
  } else {
    const Matrix<double> rows = numbers.template cast<double>();
    stored.assign(rows.data(), rows.data() + rows.size());
  }
}

/// Sets a scalar, a vector (m) or a matrix (m × columns) to the stored numbers.
template <class Numbers>
void restore_numbers(const std::vector<double>& stored, std::size_t columns, Numbers& numbers) {
  if constexpr (std::is_floating_point_v<Numbers>)
    numbers = static_cast<Numbers>(stored[0]);
  else
    numbers = Matrix<double>::Map(stored.data(), static_cast<Index>(stored.size() / columns),
                                  static_cast<Index>(columns))
                  .template cast<typename Numbers::Scalar>();
}

/// Calls f(stored member, model member) for each of loss, penalty and reason that the model has.
template <class Part, class Model, class F>
void for_each_text(Part& part, Model& model, F&& f) {
  if constexpr (requires { model.loss; }) f(part.loss, model.loss);
  if constexpr (requires { model.penalty; }) f(part.penalty, model.penalty);
  if constexpr (requires { model.reason; }) f(part.reason, model.reason);
}

template <class Model>
StoredPart store_part(const Model& model) {
  StoredPart part;
  store_numbers(model.weights, part.weights);
  store_numbers(model.offset, part.offset);
  for_each_text(part, model, [](std::string& stored, const std::string& own) { stored = own; });
  if constexpr (requires { model.activation; })
    part.activation = detail::described(model.activation, " (", ")");
  part.optimizer = model.optimizer;
  copy_account(model, part);
  return part;
}

/// Returns a fitted model without weights, for valid labels.
template <class Model>
Model model_of_labels(const std::vector<double>& labels) {
  if constexpr (!requires(Model model) { model.labels; })
    return {};
  else if constexpr (requires(Model model) { model.models; })
    return {ClassLabels(detail::vector_of(labels)), {}};
  else if constexpr (KindOf<Model>::kind == ModelKind::probabilistic_classifier)
    return {{{}, ClassLabels(detail::vector_of(labels))}};
  else
    return {{}, ClassLabels(detail::vector_of(labels))};
}

template <class Model>
Model restore_part(const StoredModel& stored, const StoredPart& part,
                   const std::vector<double>& labels) {
  Model model = model_of_labels<Model>(labels);
  restore_numbers(part.weights, part.offset.size(), model.weights);
  restore_numbers(part.offset, 1, model.offset);
  for_each_text(part, model, [](const std::string& text, std::string& own) { own = text; });
  if constexpr (requires { model.features; }) model.features = stored.features;
  if constexpr (requires { model.activation; }) {
    const std::string own = detail::described(model.activation, " (", ")");
    require(own == part.activation, "read_model: '", stored.source, "' has the activation ",
            part.activation, ", but a model with ", own, " is asked for");
  }
  model.optimizer = lasting_name(part.optimizer);
  copy_account(part, model);
  return model;
}

}  // namespace io

/// Converts a fitted model to plain data, with a copy of the weights. Throws std::invalid_argument
/// for a model that a file cannot hold: weights that are not finite, a wrong number of labels or
/// column names, or models of one-vs-rest with different column names.
template <StorableModel Model>
StoredModel store_model(const Model& model) {
  using Kind = io::KindOf<Model>;
  StoredModel stored{.kind = Kind::kind, .part_kind = Kind::part_kind};
  stored.is_float = std::is_same_v<typename Kind::Real, float>;
  if constexpr (requires { model.labels; }) stored.labels = model.labels.values();
  if constexpr (requires { model.models; }) {
    for (const auto& one : model.models) {
      stored.parts.push_back(io::store_part(one));
      require(one.features.empty() || stored.features.empty() || stored.features == one.features,
              "store_model: the models of two classes have different names for the columns");
      if (stored.features.empty()) stored.features = one.features;
      if constexpr (requires { one.labels; }) stored.parts.back().labels = one.labels.values();
    }
    if (!model.models.empty()) stored.columns = model.models[0].weights.size();
  } else {
    stored.parts.push_back(io::store_part(model));
    if constexpr (requires { model.features; }) stored.features = model.features;
    stored.columns = model.weights.rows();
  }
  io::require_sound("store_model", stored);
  return stored;
}

/// Types that can be written: fitted models and StoredModel.
template <class Model>
concept ModelToWrite = StorableModel<Model> || std::same_as<Model, StoredModel>;

namespace io {

/// Returns store_model(model), or the model itself if it is a StoredModel.
template <ModelToWrite Model>
decltype(auto) stored_of(const Model& model) {
  if constexpr (std::same_as<Model, StoredModel>)
    return (model);
  else
    return store_model(model);
}

}  // namespace io

template <class Model>
Model StoredModel::as() const {
  static_assert(StorableModel<Model>,
                "Model must be a type that fit of a recipe returns, such as Classifier<double>");
  using Kind = io::KindOf<Model>;
  constexpr bool wants_float = std::is_same_v<typename Kind::Real, float>;
  if (kind != Kind::kind || part_kind != Kind::part_kind || (wants_float && !is_float)) {
    const auto text = [](ModelKind one, ModelKind part, bool of_float) {
      std::string words(name_of(one));
      if (one != part) words.append(" of ").append(name_of(part));
      return words.append(", ").append(io::scalar_name(of_float));
    };
    refuse("read_model: '", source, "' holds another kind of model (",
           text(kind, part_kind, is_float), ") than is asked for (",
           text(Kind::kind, Kind::part_kind, wants_float), ")");
  }
  io::require_sound("read_model", *this);
  if constexpr (requires(Model model) { model.models; }) {
    using One = typename decltype(Model::models)::value_type;
    Model model = io::model_of_labels<Model>(labels);
    for (const auto& part : parts)
      model.models.push_back(io::restore_part<One>(*this, part, part.labels));
    return model;
  } else {
    return io::restore_part<Model>(*this, parts[0], labels);
  }
}

}  // namespace linea
