// SPDX-License-Identifier: MIT
#pragma once
/// \file Text output of fitted models: std::cout << model.
#include <cmath>  // abs
#include <limits>
#include <linea/core/require.hpp>
#include <linea/core/text_stream.hpp>
#include <linea/models/linear_model.hpp>
#include <ostream>
#include <string>
#include <vector>

namespace linea {

// one_vs_rest.hpp and softmax_regression.hpp define these classes.
template <Scalar T, class Model>
struct OneVsRestClassifier;
template <Scalar T>
struct SoftmaxClassifier;

namespace detail {

/// Prints, unless all weights w are 0, a line with up to five largest weights, "  largest: age 1.2,
/// height -0.3", that begins with `title`. Without names, columns are numbered from 0.
template <class T>
void print_largest(std::ostream& out, const std::string& title, const Vector<T>& w,
                   const std::vector<std::string>& names) {
  const bool has_names = static_cast<Index>(names.size()) == w.size();
  Index last = -1;
  T limit = std::numeric_limits<T>::infinity();
  for (Index shown = 0; shown < 5; ++shown) {
    Index next = -1;  // index of the largest remaining weight, the first of equal weights
    for (Index j = 0; j < w.size(); ++j)
      if (const T size = std::abs(w[j]); size < limit || (size == limit && j > last))
        if (next < 0 || size > std::abs(w[next])) next = j;
    if (next < 0 || w[next] == T(0)) break;  // the remaining weights are 0 or NaN
    out << (shown == 0 ? title : ", ");
    if (has_names)
      out << names[static_cast<std::size_t>(next)];
    else
      out << "column " << next;
    out << ' ' << w[next];
    last = next;
    limit = std::abs(w[next]);
  }
  if (last >= 0) out << '\n';
}

/// Prints "12 weights, 9 not 0; offset 0.5" and the largest weights.
template <class T>
void print_weights(std::ostream& out, const LinearModel<T>& model) {
  const auto& w = model.weights;
  Index count = 0;
  for (Index j = 0; j < w.size(); ++j) count += w[j] != T(0);
  out << w.size() << (w.size() == 1 ? " weight, " : " weights, ") << count << " not 0; offset "
      << model.offset << '\n';
  print_largest(out, "  largest: ", w, model.features);
}

/// Prints "  hinge + l2 (lambda = 0.01): 0.0990178, at most 2.4e-10 above the minimum", and a
/// second line with the optimizer. Prints nothing for a model of a learner, which computes no F.
template <class Model>
void print_training(std::ostream& out, const Model& model) {
  if (model.optimizer.empty()) return;
  out << "  " << (model.loss.empty() ? std::string("F") : model.loss);
  if (!model.penalty.empty()) out << " + " << model.penalty;
  out << ": " << model.objective;
  if (model.gap) out << ", at most " << *model.gap << " above the minimum";
  out << "\n  by " << model.optimizer << ", " << name_of(model.status);
  if constexpr (requires { model.reason; })
    if (!model.reason.empty()) out << ": " << model.reason;
  out << '\n';
}

}  // namespace detail

/// Prints the name of the status, such as "converged" or "epoch-limit".
inline std::ostream& operator<<(std::ostream& out, Status status) { return out << name_of(status); }

/// Prints one line: the number of weights, F, the gap and the optimizer if known, and the status.
template <class T, class W, class Offset>
std::ostream& operator<<(std::ostream& out, const Solution<T, W, Offset>& solution) {
  detail::TextStream text;
  text << solution.weights.rows();
  if (solution.weights.cols() > 1) text << " x " << solution.weights.cols();
  text << " weights";
  text << ", F = " << solution.objective;
  if (solution.gap) text << ", at most " << *solution.gap << " above the minimum";
  if (!solution.optimizer.empty()) text << ", by " << solution.optimizer;
  text << ", " << name_of(solution.status) << '\n';
  return out << text.str();
}

/// Prints a few lines: loss, penalty, objective and gap, the optimizer and the reason for it, and
/// the largest weights, by name if `features` has names.
template <class T>
std::ostream& operator<<(std::ostream& out, const LinearModel<T>& model) {
  detail::TextStream text;
  text << "linear model: ";
  detail::print_weights(text, model);
  detail::print_training(text, model);
  return out << text.str();
}

/// Prints the two labels, then the text of the linear model.
template <class T>
std::ostream& operator<<(std::ostream& out, const Classifier<T>& model) {
  detail::TextStream text;
  text << "classifier: ";
  for (Index k = 0; k < model.labels.size(); ++k)
    text << (k == 0 ? "" : " or ") << detail::number_text(model.labels[k]);
  text << "; " << static_cast<const LinearModel<T>&>(model);
  return out << text.str();
}

/// Prints the number of classes, the number of non-zero weights, the largest weights of each class,
/// loss, penalty, objective and gap, and the optimizer.
template <class T>
std::ostream& operator<<(std::ostream& out, const SoftmaxClassifier<T>& model) {
  detail::TextStream text;
  text << "softmax classifier of " << model.labels.size() << " classes: " << model.weights.size()
       << " weights, " << (model.weights.array() != T(0)).count() << " not 0\n";
  for (Index k = 0; k < std::min(model.weights.cols(), model.labels.size()); ++k)
    detail::print_largest<T>(text, "  largest of " + detail::number_text(model.labels[k]) + ": ",
                             model.weights.col(k), model.features);
  detail::print_training(text, model);
  return out << text.str();
}

/// Prints the label of each class and the text of its linear model.
template <class T, class Model>
std::ostream& operator<<(std::ostream& out, const OneVsRestClassifier<T, Model>& classifier) {
  classifier.require_models("OneVsRestClassifier");
  detail::TextStream text;
  text << "classifier of " << classifier.labels.size() << " classes, each against the rest\n";
  for (std::size_t k = 0; k < classifier.models.size(); ++k)
    text << "class " << detail::number_text(classifier.labels[static_cast<Index>(k)]) << ", "
         << static_cast<const LinearModel<T>&>(classifier.models[k]);
  return out << text.str();
}

}  // namespace linea
