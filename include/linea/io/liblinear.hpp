// SPDX-License-Identifier: MIT
#pragma once
/// \file Models of LIBLINEAR, read and written.
#include <algorithm>  // any_of, sort
#include <array>
#include <charconv>
#include <cmath>     // abs, floor
#include <concepts>  // same_as
#include <cstddef>
#include <filesystem>
#include <istream>
#include <iterator>  // istreambuf_iterator
#include <linea/core/require.hpp>
#include <linea/io/file.hpp>
#include <linea/io/output_file.hpp>
#include <linea/io/store_model.hpp>
#include <linea/io/stored_model.hpp>
#include <linea/io/text.hpp>
#include <linea/io/write_model_text.hpp>
#include <numeric>  // iota
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// The solvers that LIBLINEAR's text files of models name, and what they train.
//
// A file is lines of a word and its values: solver_type, nr_class, label (not of regression),
// nr_feature, bias; then `w` and, for each feature, a line with a weight for each class, or with
// one weight for two classes and for regression. With bias ≥ 0, a line more has the weights of a
// feature that is always `bias`. Fan, Chang, Hsieh, Wang and Lin, LIBLINEAR: A Library for Large
// Linear Classification, Journal of Machine Learning Research 9 (2008); the code is linear.cpp,
// save_model.

namespace linea::io {

struct LiblinearSolver {
  std::string_view name;
  std::string_view loss;     ///< in linea's words
  std::string_view penalty;  ///< the same
  ModelKind kind;            ///< of a function alone

  bool is_of_regression() const { return kind == ModelKind::regressor; }
  /// Has each class its weights, even if there are but two?
  bool is_multiclass() const { return name == "MCSVM_CS"; }
};

inline constexpr std::array<LiblinearSolver, 11> liblinear_solvers{{
    {"L2R_LR", "log", "l2", ModelKind::probabilistic_classifier},
    {"L1R_LR", "log", "l1", ModelKind::probabilistic_classifier},
    {"L2R_LR_DUAL", "log", "l2", ModelKind::probabilistic_classifier},
    {"L2R_L2LOSS_SVC", "squared-hinge", "l2", ModelKind::classifier},
    {"L2R_L2LOSS_SVC_DUAL", "squared-hinge", "l2", ModelKind::classifier},
    {"L1R_L2LOSS_SVC", "squared-hinge", "l1", ModelKind::classifier},
    {"L2R_L1LOSS_SVC_DUAL", "hinge", "l2", ModelKind::classifier},
    {"MCSVM_CS", "crammer-singer", "l2", ModelKind::classifier},
    {"L2R_L2LOSS_SVR", "squared-epsilon-insensitive", "l2", ModelKind::regressor},
    {"L2R_L2LOSS_SVR_DUAL", "squared-epsilon-insensitive", "l2", ModelKind::regressor},
    {"L2R_L1LOSS_SVR_DUAL", "epsilon-insensitive", "l2", ModelKind::regressor},
}};

/// nullptr for a name that is none of them.
inline const LiblinearSolver* liblinear_solver(std::string_view name) {
  for (const auto& solver : liblinear_solvers)
    if (solver.name == name) return &solver;
  return nullptr;
}

/// What a model that was read says in place of a reason, so that it is written as it was.
inline constexpr std::string_view liblinear_reason = "solver_type ";

}  // namespace linea::io

namespace linea {
namespace io {

/// The solver that a file is to name: the one that it was read with, else one for a model of this
/// kind, loss and penalty.
template <class Stored>
const LiblinearSolver& solver_for(const Stored& model) {
  const StoredPart& part = model.parts[0];
  const bool of_each = model.kind == ModelKind::one_vs_rest;
  const ModelKind kind =
      model.part_kind == ModelKind::linear ? ModelKind::regressor : model.part_kind;
  if (kind == ModelKind::softmax ||
      (of_each && (model.labels.size() == 2 || !are_two_classes(kind))))
    return *liblinear_solver("MCSVM_CS");
  require(are_two_classes(kind) || kind == ModelKind::regressor,
          "write_liblinear: LIBLINEAR has no models of kind ", name_of(model.kind));
  if (std::string_view reason = part.reason; reason.starts_with(liblinear_reason)) {
    const auto* const solver = liblinear_solver(reason.substr(liblinear_reason.size()));
    if (solver && solver->kind == kind && (of_each || !solver->is_multiclass())) return *solver;
  }
  const LiblinearSolver* like = nullptr;  // else the first of the kind
  for (const auto& solver : liblinear_solvers) {
    if (solver.kind != kind || solver.is_multiclass()) continue;
    if (!like) like = &solver;
    if (part.loss.starts_with(solver.loss) && part.penalty.starts_with(solver.penalty))
      return solver;
  }
  return *like;
}

/// Labels as LIBLINEAR has them, int.
template <class Labels>
std::string liblinear_labels(const Labels& labels) {
  std::string text = "label";
  for (const double label : labels) {
    require(std::floor(label) == label && std::abs(label) <= 2147483647.0,
            "write_liblinear: label ", core::number_text(label),
            " is not a whole number of 32 bits");
    text += ' ';
    core::append_number(text, static_cast<int>(label));
  }
  return text += '\n';
}

/// A line: what each function has, with the sign turned if there are two classes.
template <class Stored, class Of>
void append_liblinear_line(std::string& text, const Stored& model, Of&& of) {
  const double sign = are_two_classes(model.kind) ? -1 : 1;
  for (const auto& part : model.parts)
    for (std::size_t k = 0; k < part.offset.size(); ++k) {
      core::append_number(text, sign * of(part, k));
      text += ' ';
    }
  text += '\n';
}

template <class Stored>
void write_sound_liblinear(std::ostream& out, const Stored& model) {
  require_sound("write_liblinear", model);
  const LiblinearSolver& solver = solver_for(model);
  const bool has_bias =
      std::any_of(model.parts.begin(), model.parts.end(), [](const StoredPart& part) {
        return std::any_of(part.offset.begin(), part.offset.end(), [](double b) { return b != 0; });
      });
  ModelWriter writer(out);
  auto& text = writer.text();
  text.append("solver_type ").append(solver.name).append("\nnr_class ");
  core::append_number(text, solver.is_of_regression() ? std::size_t{2} : model.labels.size());
  text += '\n';
  if (!solver.is_of_regression()) text += liblinear_labels(model.labels);
  text.append("nr_feature ").append(core::number_text(model.columns));
  text += has_bias ? "\nbias 1\nw\n" : "\nbias -1\nw\n";
  for (std::size_t j = 0; j < static_cast<std::size_t>(model.columns); ++j) {
    append_liblinear_line(text, model, [j](const StoredPart& part, std::size_t k) {
      return part.weights[j * part.offset.size() + k];
    });
    writer.pass_on();
  }
  if (has_bias)
    append_liblinear_line(text, model,
                          [](const StoredPart& part, std::size_t k) { return part.offset[k]; });
  writer.end("write_liblinear");
}

}  // namespace io

/// Writes a Classifier, ProbabilisticClassifier, OneVsRestClassifier, SoftmaxClassifier, Regressor
/// or LinearModel, or a StoredModel of these kinds, for `liblinear-predict`: its labels and numbers
/// are linea's, up to rounding. `solver_type` is that of the loss and penalty where LIBLINEAR has
/// it, else one that predicts alike: MCSVM_CS for softmax (without probabilities) and for
/// one-vs-rest of two classes or of regressors. Of two classes the smaller label comes first, with
/// the sign of the weights turned: so does a score of 0 mean the larger one there too. The offset
/// is the weight of a bias of 1. A model that `read_liblinear` gave is written with the solver that
/// it had.
///
/// Refuses, by std::invalid_argument, other kinds, labels that are no whole numbers of 32 bits, and
/// a stream that fails.
template <ModelToWrite Model>
void write_liblinear(std::ostream& out, const Model& model) {
  io::write_sound_liblinear(out, io::stored_of(model));
}

/// The same into a file, whole or not at all.
template <ModelToWrite Model>
void write_liblinear(const std::filesystem::path& path, const Model& model) {
  io::write_file("write_liblinear", path, [&](std::ostream& out) { write_liblinear(out, model); });
}

namespace io {

/// The words of a LIBLINEAR file, with any blanks and line ends between them, as LIBLINEAR itself
/// takes them.
template <class Stored = StoredModel>
class LiblinearReader {
 public:
  LiblinearReader(std::string_view text, const std::string& name)
      : source_(text, name), name_(name), at_(source_.begin()) {}

  Stored read() {
    read_header();
    require_header();
    const bool of_each = classes_ > 2 || solver_->is_multiclass();
    std::vector<std::vector<double>> weights(
        static_cast<std::size_t>(of_each ? classes_ : Index{1}));
    std::vector<double> offsets(weights.size(), 0.0);
    for (Index j = 0; j < features_; ++j)
      for (auto& of_class : weights) of_class.push_back(number());
    if (bias_ >= 0)
      for (double& offset : offsets) offset = bias_ * number();
    if (const auto rest = word(); !rest.empty()) refuse_word(rest, "expected the end of the model");
    Stored model = of_each ? of_classes(weights, offsets) : of_one(weights[0], offsets[0]);
    model.source = name_;
    require_sound(name_, model);
    return model;
  }

 private:
  static bool is_space(char c) { return is_blank(c) || c == '\n' || c == '\r'; }

  /// Empty at the end of the text.
  std::string_view word() {
    while (at_ != source_.end() && is_space(*at_)) ++at_;
    const char* const first = at_;
    while (at_ != source_.end() && !is_space(*at_)) ++at_;
    return {first, static_cast<std::size_t>(at_ - first)};
  }

  double number() {
    double value = 0;
    const auto text = word();
    const auto [end, fault] = scan_number(text.data(), text.data() + text.size(), value);
    if (fault) refuse_word(text, "the number ", fault);
    if (end != text.data() + text.size()) refuse_word(text, "the number is not a number");
    return value;
  }

  /// A whole number from `least` on. No more than there are bytes left: each stands for something.
  Index count(std::string_view what, Index least) {
    const auto text = word();
    Index value = 0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, value);
    if (error != std::errc{} || end != last || value < least)
      refuse_word(text, what, " must be a whole number >= ", least);
    if (value > source_.end() - at_) refuse_word(text, "the file is too short for this ", what);
    return value;
  }

  template <class... What>
  [[noreturn]] void refuse_word(std::string_view word, const What&... what) const {
    source_.refuse_at(word.data(), word.data() + word.size(), what...);
  }

  void read_solver() {
    const auto name = word();
    solver_ = liblinear_solver(name);
    if (!solver_) refuse_word(name, "a solver_type that linea does not know");
  }

  void read_labels() {
    if (classes_ == 0) refuse_word(word(), "label comes before nr_class");
    std::set<double> seen;
    for (Index k = 0; k < classes_; ++k) {
      const char* const place = at_;
      const double label = number();
      if (!seen.insert(label).second)
        source_.refuse_at(place, at_, "a label that another class has");
      labels_.push_back(label);
    }
  }

  /// Up to and with the line `w`.
  void read_header() {
    for (auto key = word(); key != "w"; key = word()) {
      if (key == "solver_type")
        read_solver();
      else if (key == "nr_class")
        classes_ = count(key, 2);
      else if (key == "nr_feature")
        features_ = count(key, 1);
      else if (key == "bias")
        bias_ = number();
      else if (key == "label" && labels_.empty())
        read_labels();
      else
        refuse_word(key, "expected solver_type, nr_class, label, nr_feature, bias or w");
    }
  }

  void require_header() const {
    require(solver_, name_, ": no model of LIBLINEAR: there is no solver_type before w");
    require(classes_ > 0 && features_ > 0, name_, ": ", classes_ > 0 ? "nr_feature" : "nr_class",
            " is missing before w");
    const bool has_labels = !solver_->is_of_regression();
    require(static_cast<Index>(labels_.size()) == (has_labels ? classes_ : Index{0}), name_,
            ": there are ", labels_.size(), " labels, but nr_class is ", classes_, " and ",
            solver_->name, has_labels ? " needs them all" : " needs none");
    require(has_labels || classes_ == 2, name_, ": nr_class is ", classes_,
            ", but that of a regression is 2");
  }

  StoredPart part(std::vector<double>& weights, double offset) const {
    StoredPart one{.weights = std::move(weights), .offset = {offset}};
    one.loss = solver_->loss;
    one.penalty = solver_->penalty;
    one.optimizer = "LIBLINEAR";
    one.reason = std::string(liblinear_reason).append(solver_->name);
    one.status = Status::settled;
    return one;
  }

  /// A score > 0 stands for the first label of the file; here, for the larger one.
  Stored of_one(std::vector<double>& weights, double offset) {
    Stored model{.kind = solver_->kind, .part_kind = solver_->kind, .columns = features_};
    model.labels = labels_;
    if (!labels_.empty() && labels_[0] < labels_[1]) {
      for (double& weight : weights) weight = -weight;
      offset = -offset;
    }
    std::sort(model.labels.begin(), model.labels.end());
    model.parts.push_back(part(weights, offset));
    return model;
  }

  Stored of_classes(std::vector<std::vector<double>>& weights, const std::vector<double>& offsets) {
    Stored model{.kind = ModelKind::one_vs_rest, .part_kind = solver_->kind, .columns = features_};
    std::vector<std::size_t> order(labels_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return labels_[a] < labels_[b]; });
    for (const std::size_t k : order) {
      model.labels.push_back(labels_[k]);
      model.parts.push_back(part(weights[k], offsets[k]));
      model.parts.back().labels = {-1, 1};
    }
    return model;
  }

  SourceText source_;
  std::string name_;
  const char* at_;
  const LiblinearSolver* solver_{nullptr};
  Index classes_{0};
  Index features_{0};
  double bias_{-1};
  std::vector<double> labels_{};
};

/// The model as plain data, or as the fitted value that is asked for.
template <class Model>
Model model_of_liblinear(std::string_view text, const std::string& name) {
  auto stored = LiblinearReader<>(text, name).read();
  if constexpr (std::same_as<Model, StoredModel>)
    return stored;
  else
    return stored.template as<Model>();
}

}  // namespace io

/// A model that LIBLINEAR wrote (`liblinear-train`), of any solver but ONECLASS_SVM. What it is:
///
/// | solver_type              | two classes             | several, and MCSVM_CS of two            |
/// |--------------------------|-------------------------|-----------------------------------------|
/// | L2R_LR, L1R_LR, …        | ProbabilisticClassifier | OneVsRestClassifier of such             |
/// | …_SVC, MCSVM_CS          | Classifier              | OneVsRestClassifier of such             |
/// | …_SVR                    | Regressor               |                                         |
///
/// Scores are LIBLINEAR's decision values up to rounding; of two classes with their sign turned
/// where the file has the smaller label first, since a score ≥ 0 means the larger one here. Labels
/// are alike, but where a decision value is exactly 0 (LIBLINEAR takes the second label of the
/// file). Feature 1 is column 0, and the weight of the bias is in the offset.
///
/// `read_liblinear(path)` is a StoredModel of any kind, `read_liblinear<Classifier<double>>(path)`
/// the fitted value. Refuses, by std::invalid_argument that names the file, line and column, what
/// is no such model, and a file that holds another kind than is asked for.
template <class Model = StoredModel>
[[nodiscard]] Model read_liblinear(const std::filesystem::path& path) {
  const auto bytes = io::read_file("read_liblinear", path);
  return io::model_of_liblinear<Model>(bytes.text(), path.string());
}

/// The same from a stream, to its end. `name` is the source's name in messages.
template <class Model = StoredModel>
[[nodiscard]] Model read_liblinear(std::istream& in, const std::string& name = "stream") {
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return io::model_of_liblinear<Model>(text, name);
}

}  // namespace linea
