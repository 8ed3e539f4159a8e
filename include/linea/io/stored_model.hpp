// SPDX-License-Identifier: MIT
#pragma once
/// \file Models as plain data. Model files, models of LIBLINEAR and C++ headers are read into this
/// form or written from it.
#include <algorithm>  // adjacent_find
#include <array>
#include <cmath>  // isfinite
#include <cstddef>
#include <functional>  // greater_equal
#include <limits>
#include <linea/core/activation.hpp>
#include <linea/core/require.hpp>
#include <linea/core/solution.hpp>
#include <linea/core/types.hpp>
#include <linea/io/encoder.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>  // pair
#include <vector>

namespace linea {

/// The kind of model in a file.
enum class ModelKind {
  linear,                    ///< LinearModel
  regressor,                 ///< Regressor
  activated,                 ///< ActivatedModel, a generalised linear model
  classifier,                ///< Classifier, for two classes
  probabilistic_classifier,  ///< ProbabilisticClassifier, for two classes
  one_vs_rest,               ///< OneVsRestClassifier
  softmax,                   ///< SoftmaxClassifier
  multi_target,              ///< MultiTargetRegressor
};

constexpr std::string_view name_of(ModelKind kind) {
  constexpr std::array<std::string_view, 8> names{
      "linear",      "regressor", "activated",   "classifier", "probabilistic-classifier",
      "one-vs-rest", "softmax",   "multi-target"};
  return names[static_cast<std::size_t>(kind)];
}

/// k linear functions that were fitted together, with information about the fit. k is 1 except for
/// the kinds `softmax` and `multi_target`.
struct StoredPart {
  std::vector<double> weights{};  ///< (d × k), row-major: the weights of a column are adjacent
  std::vector<double> offset{};   ///< (k)
  std::vector<double> labels{};   ///< labels of the two classes of a classifier in one-vs-rest
  std::string loss{};
  std::string penalty{};
  std::string activation{};
  std::string optimizer{};
  std::string reason{};
  Status status{Status::epoch_limit};
  Iterate iterate{Iterate::last};
  Index epochs{0};
  Index updates{0};
  Index iterations{0};
  double objective{std::numeric_limits<double>::quiet_NaN()};
  std::optional<double> gap{};
};

/// A model of any kind, for programs that learn the kind from a file. `as<Model>()` converts it to
/// a fitted model that can predict; `store_model` is the inverse.
struct [[nodiscard]] StoredModel {
  ModelKind kind{ModelKind::linear};
  ModelKind part_kind{ModelKind::linear};  ///< kind of the models of one-vs-rest; else `kind`
  bool is_float{false};                    ///< are all weights and offsets floats?
  Index columns{0};                        ///< d
  std::vector<double> labels{};            ///< labels of classifiers, ascending
  std::vector<std::string> features{};     ///< names of the columns (d), or none
  bool zero_based{false};                  ///< do the indices of LIBSVM texts count from 0?
  int degree{1};                           ///< of Polynomial, which follows the encoder; 1: none
  std::optional<Encoder> encoder{};  ///< from a table to the input of the model or of Polynomial
  std::vector<std::pair<std::string, std::string>> notes{};  ///< names and texts of the user
  std::vector<StoredPart> parts{};  ///< one for each label of one-vs-rest; else one
  std::string source{};             ///< the file that the model was read from, for messages

  /// Converts this model to a LinearModel, Regressor, Classifier, … of float or double. Throws
  /// std::invalid_argument if the kind or the activation differs, or if this model has doubles and
  /// the result is of float. Floats become doubles without a change.
  template <class Model>
  Model as() const;
};

namespace io {

inline bool are_two_classes(ModelKind kind) {
  return kind == ModelKind::classifier || kind == ModelKind::probabilistic_classifier;
}

constexpr bool is_of_one_function(ModelKind kind) { return kind < ModelKind::one_vs_rest; }

/// Returns "float" or "double".
inline std::string_view scalar_name(bool is_float) { return is_float ? "float" : "double"; }

/// Throws if labels are not finite or do not strictly ascend.
template <class... What>
void require_labels(const std::vector<double>& labels, const What&... what) {
  for (std::size_t k = 0; k < labels.size(); ++k) {
    require(std::isfinite(labels[k]), what..., "label ", k, " is not finite");
    if (k > 0 && !(labels[k - 1] < labels[k]))
      refuse(what..., "labels must ascend, but ", detail::number_text(labels[k]), " comes after ",
             detail::number_text(labels[k - 1]));
  }
}

/// Throws if a part has a wrong number of weights, offsets or labels, if one of these is not
/// finite, or if labels do not ascend.
inline void require_part(std::string_view who, const StoredModel& model, std::size_t part,
                         std::size_t functions) {
  const StoredPart& one = model.parts[part];
  const auto columns = static_cast<std::size_t>(model.columns);
  require(one.offset.size() == functions && one.weights.size() / functions == columns &&
              one.weights.size() % functions == 0,
          who, ": part ", part, " has ", one.weights.size(), " weights and ", one.offset.size(),
          " offsets, but there are ", columns, " columns and ", functions, " functions of them");
  for (std::size_t i = 0; i < one.weights.size(); ++i)
    require(std::isfinite(one.weights[i]), who, ": part ", part, ": the weight of column ",
            i / functions, " is not finite");
  for (const double offset : one.offset)
    require(std::isfinite(offset), who, ": part ", part, ": an offset is not finite");
  const bool has_labels = model.kind == ModelKind::one_vs_rest && are_two_classes(model.part_kind);
  require(one.labels.size() == (has_labels ? 2U : 0U), who, ": part ", part, " has ",
          one.labels.size(), " labels of its own, but needs ", has_labels ? 2 : 0);
  require_labels(one.labels, who, ": part ", part, ": ");
}

inline constexpr int largest_degree = 64;

/// Throws unless the model has a valid encoder, or none.
inline void require_encoder(std::string_view who, const StoredModel& model) {
  require(1 <= model.degree && model.degree <= largest_degree, who, ": the degree ", model.degree,
          " is not in [1, ", largest_degree, "]");
  if (!model.encoder) return;
  const Encoder& encoder = *model.encoder;
  require(0 <= encoder.hash_bits && encoder.hash_bits <= 30, who, ": the encoder has ",
          encoder.hash_bits, " hash bits, which is not in [0, 30]");
  encoder.format.validate();
  for (const auto& column : encoder.columns)
    require(std::isfinite(column.fill) &&
                std::adjacent_find(column.categories.begin(), column.categories.end(),
                                   std::greater_equal<>()) == column.categories.end(),
            who, ": the encoder's column '", column.name,
            "' has categories that do not ascend, or a fill that is not finite");
  const Index features = encoder.features();
  require(model.degree > 1 || features == model.columns, who, ": the encoder has ", features,
          " features, but the model has ", model.columns, " columns");
}

/// Throws, with `who` in the message, unless the model is valid for its kind. Writers call this
/// function first, readers last.
inline void require_sound(std::string_view who, const StoredModel& model) {
  const bool of_parts = model.kind == ModelKind::one_vs_rest;
  const auto classes = model.labels.size();
  require(model.columns > 0, who, ": the model has no columns");
  require(of_parts ? is_of_one_function(model.part_kind) : model.part_kind == model.kind, who,
          ": a model of kind ", name_of(model.kind), " cannot be made of ",
          name_of(model.part_kind));
  require_labels(model.labels, who, ": ");
  if (are_two_classes(model.kind))
    require(classes == 2, who, ": a ", name_of(model.kind), " has 2 labels, not ", classes);
  else if (of_parts || model.kind == ModelKind::softmax)
    require(classes >= 2, who, ": a ", name_of(model.kind),
            " classifier has at least 2 labels, not ", classes);
  else
    require(classes == 0, who, ": a ", name_of(model.kind), " model has no labels, not ", classes);
  require(model.features.empty() || static_cast<Index>(model.features.size()) == model.columns, who,
          ": there are ", model.features.size(), " names for ", model.columns, " columns");
  require_encoder(who, model);
  require(model.parts.size() == (of_parts ? classes : 1U), who, ": there are ", model.parts.size(),
          " models for ", of_parts ? classes : 1U, of_parts ? " labels" : " model");
  std::size_t functions = model.kind == ModelKind::softmax ? classes : 1;
  if (model.kind == ModelKind::multi_target) functions = model.parts[0].offset.size();
  require(functions > 0, who, ": the model predicts nothing, it has no offsets");
  for (std::size_t part = 0; part < model.parts.size(); ++part)
    require_part(who, model, part, functions);
}

}  // namespace io

// The headers of models/ define these types. Programs that call `as` include these headers.
template <Scalar T>
struct LinearModel;
template <Scalar T>
struct Regressor;
template <Scalar T, Activation G>
struct ActivatedModel;
template <Scalar T>
struct Classifier;
template <Scalar T>
struct ProbabilisticClassifier;
template <Scalar T, class Model>
struct OneVsRestClassifier;
template <Scalar T>
struct SoftmaxClassifier;
template <Scalar T>
struct MultiTargetRegressor;

namespace io {

/// The kind of a fitted model, and the scalar of the model.
template <class Model>
struct KindOf {};

template <class T, ModelKind K, ModelKind Part = K>
struct KindOfScalar {
  using Real = T;
  static constexpr ModelKind kind = K;
  static constexpr ModelKind part_kind = Part;
};

template <class T>
struct KindOf<LinearModel<T>> : KindOfScalar<T, ModelKind::linear> {};
template <class T>
struct KindOf<Regressor<T>> : KindOfScalar<T, ModelKind::regressor> {};
template <class T, class G>
struct KindOf<ActivatedModel<T, G>> : KindOfScalar<T, ModelKind::activated> {};
template <class T>
struct KindOf<Classifier<T>> : KindOfScalar<T, ModelKind::classifier> {};
template <class T>
struct KindOf<ProbabilisticClassifier<T>> : KindOfScalar<T, ModelKind::probabilistic_classifier> {};
template <class T, class Model>
  requires(is_of_one_function(KindOf<Model>::kind))
struct KindOf<OneVsRestClassifier<T, Model>>
    : KindOfScalar<T, ModelKind::one_vs_rest, KindOf<Model>::kind> {};
template <class T>
struct KindOf<SoftmaxClassifier<T>> : KindOfScalar<T, ModelKind::softmax> {};
template <class T>
struct KindOf<MultiTargetRegressor<T>> : KindOfScalar<T, ModelKind::multi_target> {};

}  // namespace io

/// A fitted model that a file can hold: one of the models that linea's recipes return.
template <class Model>
concept StorableModel = requires {
  io::KindOf<Model>::kind;  // must be a fitted model: LinearModel, Regressor, …
};

}  // namespace linea
