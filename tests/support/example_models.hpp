// SPDX-License-Identifier: MIT
#pragma once
/// \file One small model of each kind, with numbers that are hard to represent, and a comparison of
/// models. tests/io/models/ holds files of the models of double.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <linea/activations/exponential.hpp>
#include <linea/models/linear_model.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/models/softmax_regression.hpp>
#include <string>
#include <type_traits>

namespace examples {

using linea::Index;

/// Returns −0, 1/3, the least positive number, the largest number, 0 and −2.5e-30.
template <class T>
linea::Vector<T> hard_numbers() {
  using Limits = std::numeric_limits<T>;
  linea::Vector<T> w(6);
  w << T(-0.0), T(1) / T(3), Limits::denorm_min(), Limits::max(), T(0), T(-2.5e-30);
  return w;
}

template <class Solution>
void tell_of_training(Solution& model, double objective) {
  model.status = linea::Status::converged;
  model.iterate = linea::Iterate::best;
  model.epochs = 12;
  model.updates = 3;
  model.iterations = 4;
  model.objective = objective;
  model.gap = 0x1p-40;
  model.optimizer = "Newton";
}

template <class T>
linea::LinearModel<T> linear() {
  linea::LinearModel<T> model{};
  model.weights = hard_numbers<T>();
  model.offset = T(0.1);
  tell_of_training(model, 0.25);
  model.reason = "few columns: \"Newton\"\nand a \\";
  model.loss = "your own loss (alpha = 0.5)";
  model.penalty = "l2 (lambda = 0.001)";
  model.features = {"age", "", "two words", "Größe", "a \"b\"", "line\nend\x7f"};
  return model;
}

template <class T>
linea::Regressor<T> regressor() {
  linea::Regressor<T> model{};
  model.weights = hard_numbers<T>();  // the details of the training keep their defaults
  return model;
}

template <class T>
linea::ActivatedModel<T, linea::Exponential> activated() {
  linea::ActivatedModel<T, linea::Exponential> model{linear<T>(), {}};
  model.gap.reset();
  model.objective = std::numeric_limits<double>::infinity();
  model.status = linea::Status::diverged;
  return model;
}

template <class T>
linea::Classifier<T> classifier(double smaller = -1, double larger = 1) {
  return {linear<T>(), linea::ClassLabels(Eigen::Vector2d(smaller, larger))};
}

template <class T>
linea::ProbabilisticClassifier<T> probabilistic() {
  return {classifier<T>(0.1, 1e22)};
}

template <class T>
linea::OneVsRestClassifier<T, linea::Classifier<T>> one_vs_rest() {
  linea::OneVsRestClassifier<T, linea::Classifier<T>> model{
      linea::ClassLabels(Eigen::Vector3d(7, 2, 3)), {}};
  for (int k = 0; k < 3; ++k) {
    auto one = classifier<T>();
    one.weights[4] = T(k);
    one.objective = k;
    model.models.push_back(one);
  }
  return model;
}

template <class T>
linea::SoftmaxClassifier<T> softmax() {
  linea::SoftmaxClassifier<T> model{{}, linea::ClassLabels(Eigen::Vector3d(0, 1, 2))};
  model.weights.resize(2, 3);
  model.weights << T(0.5), T(-0.0), T(-0.5), T(0), T(1) / T(3), T(2);
  model.offset = linea::Vector<T>(Eigen::Vector3d(1, 0, -1).cast<T>());
  tell_of_training(model, 1.5);
  model.penalty = "l2 (lambda = 1)";
  model.features = {"left", "right"};
  return model;
}

template <class T>
linea::MultiTargetRegressor<T> multi_target() {
  linea::MultiTargetRegressor<T> model{};
  model.weights.setZero(70, 2);
  model.weights(3, 1) = T(-0.0);
  model.weights(64, 0) = T(1.5);
  model.offset = linea::Vector<T>(Eigen::Vector2d(0.5, 2).cast<T>());
  tell_of_training(model, 0);
  return model;
}

template <class T>
bool same_number(T a, T b) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b) || (std::isnan(a) && std::isnan(b));
}

template <class A, class B>
bool same_numbers(const A& a, const B& b) {
  if constexpr (std::is_floating_point_v<A>) {
    return same_number(a, b);
  } else {
    if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
    for (Index j = 0; j < a.rows(); ++j)
      for (Index k = 0; k < a.cols(); ++k)
        if (!same_number(a(j, k), b(j, k))) return false;
    return true;
  }
}

/// Do the two models have equal labels, weights, offsets, feature names and details of the
/// training? Numbers are compared bit for bit, except that all NaN are equal.
template <class M>
bool same_model(const M& a, const M& b) {
  bool same = true;
  if constexpr (requires { a.labels; }) same = a.labels.values() == b.labels.values();
  if constexpr (requires { a.models; }) {
    same = same && a.models.size() == b.models.size();
    for (std::size_t k = 0; same && k < a.models.size(); ++k)
      same = same_model(a.models[k], b.models[k]);
  } else {
    same = same && same_numbers(a.weights, b.weights) && same_numbers(a.offset, b.offset) &&
           a.status == b.status && a.iterate == b.iterate && a.epochs == b.epochs &&
           a.updates == b.updates && a.iterations == b.iterations &&
           same_number(a.objective, b.objective) && a.gap.has_value() == b.gap.has_value() &&
           same_number(a.gap.value_or(0), b.gap.value_or(0)) && a.optimizer == b.optimizer;
    if constexpr (requires { a.loss; })
      same = same && a.loss == b.loss && a.penalty == b.penalty && a.features == b.features;
    if constexpr (requires { a.reason; }) same = same && a.reason == b.reason;
  }
  return same;
}

}  // namespace examples
