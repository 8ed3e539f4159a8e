// SPDX-License-Identifier: MIT
#pragma once
/// \file Any of linea's losses behind one type, so that an optimizer is compiled once and not once
/// a loss.
#include <linea/losses.hpp>
#include <string>
#include <variant>

#include "programs/common/losses_by_name.hpp"

namespace program {

/// A loss of a variant: the choice is made at every call, the same one each time, which costs next
/// to nothing beside the score of a row.
template <class... Losses>
struct AnyLoss {
  std::variant<Losses...> loss{};

  template <class T>
  T value(T score, T target) const {
    return std::visit([&](const auto& any) { return static_cast<T>(any.value(score, target)); },
                      loss);
  }
  template <class T>
  T derivative(T score, T target) const {
    return std::visit(
        [&](const auto& any) { return static_cast<T>(any.derivative(score, target)); }, loss);
  }
  template <class T>
  bool is_valid_target(T target) const {
    return std::visit([&](const auto& any) { return linea::is_valid_target(any, target); }, loss);
  }
};

/// The losses with kinks.
using AnyKinkedLoss = AnyLoss<linea::Hinge, linea::PerceptronLoss, linea::Absolute,
                              linea::EpsilonInsensitive, linea::Quantile>;

/// Those of bounded curvature.
struct AnySmoothLoss
    : AnyLoss<linea::SquaredHinge, linea::SmoothHinge, linea::Log, linea::Squared, linea::Huber> {
  double curvature_bound() const {
    return std::visit([](const auto& any) { return static_cast<double>(any.curvature_bound()); },
                      loss);
  }
};

/// Calls f with the loss of this name as one of the two types.
template <class F>
auto with_any_loss(const Named& named, F&& f) {
  return with_loss(named, [&](const auto& loss) {
    if constexpr (linea::SmoothLoss<std::remove_cvref_t<decltype(loss)>>) {
      AnySmoothLoss any;
      any.loss = loss;
      return f(any);
    } else {
      AnyKinkedLoss any;
      any.loss = loss;
      return f(any);
    }
  });
}

/// Does the loss tell two labels apart? One that takes ½ is for numbers.
inline bool is_for_labels(const Named& named) {
  return with_loss(named, [](const auto& loss) { return !linea::is_valid_target(loss, 0.5); });
}

}  // namespace program
