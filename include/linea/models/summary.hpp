// SPDX-License-Identifier: MIT
#pragma once
/// \file What a fitted model says of itself: std::cout << model.
#include <algorithm>  // min, partial_sort
#include <cmath>      // abs
#include <linea/core/require.hpp>
#include <linea/core/text_stream.hpp>
#include <linea/models/linear_model.hpp>
#include <numeric>  // iota
#include <ostream>
#include <string>
#include <vector>

namespace linea {

// Defined where they are fitted: who prints one has included that.
template <Scalar T, class Model>
struct OneVsRestClassifier;
template <Scalar T>
struct SoftmaxClassifier;

namespace models {

/// "12 columns, offset 0.5; the largest weights: age 1.2, x4 -0.3": by name where there are names,
/// else by column, from 0.
template <class T>
void print_weights(std::ostream& out, const LinearModel<T>& model) {
  constexpr Index most = 5;
  const auto& w = model.weights;
  std::vector<Index> order(static_cast<std::size_t>(w.size()));
  std::iota(order.begin(), order.end(), Index{0});
  const Index shown = std::min(most, static_cast<Index>((w.array() != T(0)).count()));
  std::partial_sort(order.begin(), order.begin() + shown, order.end(), [&](Index i, Index j) {
    return std::abs(w[i]) != std::abs(w[j]) ? std::abs(w[i]) > std::abs(w[j]) : i < j;
  });
  out << w.size() << (w.size() == 1 ? " weight, " : " weights, ") << (w.array() != T(0)).count()
      << " not 0; offset " << model.offset << '\n';
  const bool has_names = static_cast<Index>(model.features.size()) == w.size();
  for (Index k = 0; k < shown; ++k) {
    const Index j = order[static_cast<std::size_t>(k)];
    out << (k == 0 ? "  largest: " : ", ");
    if (has_names)
      out << model.features[static_cast<std::size_t>(j)];
    else
      out << "column " << j;
    out << ' ' << w[j];
  }
  if (shown > 0) out << '\n';
}

/// "  hinge + l2 (lambda = 0.01): 0.0990178, at most 2.4e-10 above the minimum": two lines, the
/// second with who found it.
template <class Model>
void print_training(std::ostream& out, const Model& model) {
  out << "  " << (model.loss.empty() ? std::string("the loss") : model.loss);
  if (!model.penalty.empty()) out << " + " << model.penalty;
  out << ": " << model.objective;
  if (model.gap) out << ", at most " << *model.gap << " above the minimum";
  out << "\n  by " << (model.optimizer.empty() ? "hand" : model.optimizer) << ", "
      << name_of(model.status);
  if constexpr (requires { model.reason; })
    if (!model.reason.empty()) out << ": " << model.reason;
  out << '\n';
}

}  // namespace models

/// A few lines for people: loss, penalty, objective and gap, the optimizer and why it was taken,
/// the largest weights, by name where `features` has names.
template <class T>
std::ostream& operator<<(std::ostream& out, const LinearModel<T>& model) {
  core::TextStream text;
  text << "linear model: ";
  models::print_weights(text, model);
  models::print_training(text, model);
  return out << text.str();
}

/// The same, with the two labels.
template <class T>
std::ostream& operator<<(std::ostream& out, const Classifier<T>& model) {
  core::TextStream text;
  text << "classifier: ";
  for (Index k = 0; k < model.labels.size(); ++k)
    text << (k == 0 ? "" : " or ") << core::number_text(model.labels[k]);
  text << "; " << static_cast<const LinearModel<T>&>(model);
  return out << text.str();
}

/// Classes, loss, penalty, objective and gap, the optimizer, and how many weights are not 0.
template <class T>
std::ostream& operator<<(std::ostream& out, const SoftmaxClassifier<T>& model) {
  core::TextStream text;
  text << "classifier of " << model.labels.size() << " classes in one: " << model.weights.rows()
       << " weights a class, " << (model.weights.array() != T(0)).count() << " not 0 of all\n";
  models::print_training(text, model);
  return out << text.str();
}

/// The same for the model of each class.
template <class T, class Model>
std::ostream& operator<<(std::ostream& out, const OneVsRestClassifier<T, Model>& classifier) {
  core::TextStream text;
  text << "classifier of " << classifier.labels.size() << " classes, each against the rest\n";
  for (std::size_t k = 0; k < classifier.models.size(); ++k)
    text << "class " << core::number_text(classifier.labels[static_cast<Index>(k)]) << ", "
         << static_cast<const LinearModel<T>&>(classifier.models[k]);
  return out << text.str();
}

}  // namespace linea
