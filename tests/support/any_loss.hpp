// SPDX-License-Identifier: MIT
#pragma once
/// \file Losses that are chosen when a test runs, so that an optimizer is compiled for several of
/// them at once.
#include <array>
#include <linea/core/loss.hpp>
#include <linea/losses/absolute.hpp>
#include <linea/losses/epsilon_insensitive.hpp>
#include <linea/losses/huber.hpp>
#include <linea/losses/log.hpp>
#include <linea/losses/quantile.hpp>
#include <linea/losses/smooth_hinge.hpp>
#include <linea/losses/squared.hpp>
#include <linea/losses/squared_hinge.hpp>
#include <string_view>

#include "support/hard_problems.hpp"

namespace linea::test {

/// What all have: each member asks the loss that `Self::with` hands to it.
template <class Self>
struct AnyConvexLoss {
  static constexpr bool is_convex = true;

  LossKind kind{};
  double parameter{1};

  template <class T>
  T value(T score, T target) const {
    return self().with([&](const auto& loss) { return loss.value(score, target); });
  }
  template <class T>
  T derivative(T score, T target) const {
    return self().with([&](const auto& loss) { return loss.derivative(score, target); });
  }
  template <class T>
  T proximal(T v, T target, T step) const {
    return self().with([&](const auto& loss) { return loss.proximal(v, target, step); });
  }
  template <class T>
  T conjugate(T slope, T target) const {
    return self().with([&](const auto& loss) { return loss.conjugate(slope, target); });
  }

 private:
  const Self& self() const { return static_cast<const Self&>(*this); }
};

template <class Self>
struct AnySmoothLoss : AnyConvexLoss<Self> {
  static constexpr bool is_smooth = true;

  template <class T>
  T second_derivative(T score, T target) const {
    return self().with([&](const auto& loss) { return loss.second_derivative(score, target); });
  }
  double curvature_bound() const {
    return self().with([](const auto& loss) { return loss.curvature_bound(); });
  }

 private:
  const Self& self() const { return static_cast<const Self&>(*this); }
};

/// Log, SquaredHinge or SmoothHinge.
struct SmoothOfClasses : AnySmoothLoss<SmoothOfClasses> {
  static constexpr std::string_view name = "any smooth loss of classes";
  static constexpr std::string_view targets = "-1 or +1";

  template <class F>
  auto with(F f) const {
    if (kind == LossKind::log) return f(Log{});
    if (kind == LossKind::squared_hinge) return f(SquaredHinge{});
    return f(SmoothHinge{parameter});
  }
  template <class T>
  bool is_valid_target(T target) const {
    return target == T(1) || target == T(-1);
  }
};

/// Squared or Huber.
struct SmoothOfNumbers : AnySmoothLoss<SmoothOfNumbers> {
  static constexpr std::string_view name = "any smooth loss of numbers";
  static constexpr bool is_of_residual = true;

  template <class F>
  auto with(F f) const {
    if (kind == LossKind::squared) return f(Squared{});
    return f(Huber{parameter});
  }
};

/// Absolute, EpsilonInsensitive or Quantile.
struct KinkedOfNumbers : AnyConvexLoss<KinkedOfNumbers> {
  static constexpr std::string_view name = "any loss of numbers with kinks";
  static constexpr bool is_smooth = false;
  static constexpr bool is_of_residual = true;

  template <class F>
  auto with(F f) const {
    if (kind == LossKind::absolute) return f(Absolute{});
    if (kind == LossKind::epsilon) return f(EpsilonInsensitive{parameter});
    return f(Quantile{parameter});
  }

  /// Those with one kink are the sum of what they are below it and above it.
  std::array<DualBox, 2> dual_boxes(double target) const {
    if (kind == LossKind::absolute) return {{{-1, 0, target}, {0, 1, target}}};
    if (kind == LossKind::epsilon) return EpsilonInsensitive{parameter}.dual_boxes(target);
    return {{{-parameter, 0, target}, {0, 1 - parameter, target}}};
  }
};

template <class L>
L loss_of(const HardProblem& problem) {
  L loss;
  loss.kind = problem.loss;
  loss.parameter = problem.parameter;
  return loss;
}

}  // namespace linea::test
