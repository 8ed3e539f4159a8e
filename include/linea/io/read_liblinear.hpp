// SPDX-License-Identifier: MIT
#pragma once
/// \file Models that LIBLINEAR trained.
#include <algorithm>  // sort
#include <charconv>
#include <concepts>  // same_as
#include <cstddef>
#include <filesystem>
#include <istream>
#include <iterator>  // istreambuf_iterator
#include <linea/core/require.hpp>
#include <linea/io/file.hpp>
#include <linea/io/liblinear_format.hpp>
#include <linea/io/store_model.hpp>
#include <linea/io/stored_model.hpp>
#include <linea/io/text.hpp>
#include <numeric>  // iota
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace linea {
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
