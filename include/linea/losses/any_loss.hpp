// SPDX-License-Identifier: MIT
#pragma once
/// \file A loss that is chosen at run time, by its name and its parameter.
#include <array>
#include <bit>       // bit_cast
#include <concepts>  // same_as
#include <cstddef>
#include <limits>
#include <linea/core/loss.hpp>
#include <linea/core/parameters.hpp>
#include <linea/core/require.hpp>
#include <linea/losses/absolute.hpp>
#include <linea/losses/epsilon_insensitive.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/losses/huber.hpp>
#include <linea/losses/log.hpp>
#include <linea/losses/perceptron_loss.hpp>
#include <linea/losses/quantile.hpp>
#include <linea/losses/smooth_hinge.hpp>
#include <linea/losses/squared.hpp>
#include <linea/losses/squared_hinge.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>  // is_empty_v

namespace linea {
namespace losses {

/// A range of at most two dual boxes.
struct DualBoxes {
  std::array<DualBox, 2> boxes{};
  std::size_t count{0};

  constexpr std::size_t size() const { return count; }
  constexpr const DualBox& operator[](std::size_t k) const { return boxes[k]; }
  constexpr const DualBox* begin() const { return boxes.data(); }
  constexpr const DualBox* end() const { return boxes.data() + count; }
};

}  // namespace losses

/// One of `Losses`, which is chosen at run time, so that an optimizer is compiled once for all of
/// them. Each call is passed on to the loss that is chosen, and answers what that loss answers. The
/// choice is one branch, the same at every call.
///
/// It offers what all of `Losses` offer, and dual boxes and an open box where one of them does (see
/// has_dual_boxes). Losses have no parameter or one, a double. Those of a user's own are welcome:
/// AnyLoss<Hinge, Mine>.
template <class... Losses>
class AnyLoss {
  static_assert(((std::is_empty_v<Losses> || sizeof(Losses) == sizeof(double)) && ...),
                "the losses have at most one parameter, a double");

 public:
  static constexpr bool is_chosen_at_run_time = true;
  static constexpr bool is_convex = (is_convex_loss<Losses> && ...);
  static constexpr bool is_smooth = (is_smooth_loss<Losses> && ...);

  /// The first of `Losses`, with its default parameter.
  constexpr AnyLoss() { (void)((*this = AnyLoss(Losses{}), true) || ...); }

  template <class L>
    requires(std::same_as<L, Losses> || ...)
  constexpr AnyLoss(const L& loss) : kind_(index_of<L>) {
    if constexpr (!std::is_empty_v<L>) parameter_ = std::bit_cast<double>(loss);
  }

  /// Chooses the loss of this name, with its default parameter if none is given. Answers false
  /// where it has none of this name. Throws std::invalid_argument where that has no parameter.
  bool choose(std::string_view name, std::optional<double> parameter = {}) {
    return (choose_one<Losses>(name, parameter) || ...);
  }
  /// All names, with commas between them.
  static std::string names() {
    std::string text;
    ((text.append(text.empty() ? "" : ", ").append(Losses::name)), ...);
    return text;
  }

  /// Is this loss chosen?
  template <class L>
  constexpr bool is() const {
    return kind_ == index_of<L>;
  }
  /// f(loss) for the loss that is chosen.
  template <class F>
  constexpr decltype(auto) visit(const F& f) const {
    return visit_from<F, Losses...>(f, kind_);
  }

  std::string_view name() const {
    return visit([](const auto& loss) { return name_of(loss); });
  }
  std::string_view targets() const {
    return visit([](const auto& loss) { return targets_of(loss); });
  }
  bool is_of_residual() const {
    return visit([](const auto& loss) { return linea::is_of_residual(loss); });
  }
  bool is_valid() const {
    return visit([](const auto& loss) { return core::has_valid_parameters(loss); });
  }
  std::string parameters() const {
    return visit([](const auto& loss) { return core::parameters_of(loss); });
  }
  template <class T>
  bool is_valid_target(T target) const {
    return visit([=](const auto& loss) { return linea::is_valid_target(loss, target); });
  }

  template <class T>
  T value(T score, T target) const {
    return visit([=](const auto& loss) { return static_cast<T>(loss.value(score, target)); });
  }
  template <class T>
  T derivative(T score, T target) const requires(DifferentiableLoss<Losses>&&...) {
    return visit([=](const auto& loss) { return static_cast<T>(loss.derivative(score, target)); });
  }
  template <class T>
  T second_derivative(T score, T target) const requires(CurvedLoss<Losses>&&...) {
    return visit(
        [=](const auto& loss) { return static_cast<T>(loss.second_derivative(score, target)); });
  }
  double curvature_bound() const requires(SmoothLoss<Losses>&&...) {
    return visit([](const auto& loss) { return static_cast<double>(loss.curvature_bound()); });
  }
  template <class T>
  T proximal(T v, T target, T step) const requires(ProximalLoss<Losses>&&...) {
    return visit([=](const auto& loss) { return static_cast<T>(loss.proximal(v, target, step)); });
  }
  template <class T>
  T conjugate(T slope, T target) const requires(ConjugateLoss<Losses>&&...) {
    return visit([=](const auto& loss) { return static_cast<T>(loss.conjugate(slope, target)); });
  }
  /// Without elements where the loss that is chosen is no BoxLoss.
  losses::DualBoxes dual_boxes(double target) const requires(BoxLoss<Losses> || ...) {
    return visit([=]<class L>(const L& loss) {
      losses::DualBoxes found;
      if constexpr (BoxLoss<L>)
        for (const DualBox& box : loss.dual_boxes(target)) found.boxes[found.count++] = box;
      return found;
    });
  }
  /// With a NaN for `at` where the loss that is chosen is no OpenBoxLoss.
  DualBox open_box(double target) const requires(OpenBoxLoss<Losses> || ...) {
    return visit([=]<class L>(const L& loss) -> DualBox {
      if constexpr (OpenBoxLoss<L>)
        return loss.open_box(target);
      else
        return {0, 0, std::numeric_limits<double>::quiet_NaN()};
    });
  }

 private:
  template <class L>
  static constexpr int index_of = [] {
    int index = 0;
    (void)((std::same_as<L, Losses> || (++index, false)) || ...);
    return index;
  }();

  template <class F, class L, class... Rest>
  constexpr decltype(auto) visit_from(const F& f, int kind) const {
    if constexpr (sizeof...(Rest) > 0)
      if (kind != 0) return visit_from<F, Rest...>(f, kind - 1);
    if constexpr (std::is_empty_v<L>)
      return f(L{});
    else
      return f(std::bit_cast<L>(parameter_));
  }

  template <class L>
  bool choose_one(std::string_view name, std::optional<double> parameter) {
    if (name != L::name) return false;
    require(!parameter || !std::is_empty_v<L>, "the loss ", name, " takes no parameter");
    *this = L{};
    if (parameter) parameter_ = *parameter;
    return true;
  }

  int kind_{0};
  double parameter_{0};
};

/// The losses without kinks that have a conjugate.
using AnySmoothLoss = AnyLoss<Squared, Log, SquaredHinge, SmoothHinge, Huber>;
/// The losses with kinks.
using AnyKinkedLoss = AnyLoss<Hinge, PerceptronLoss, Absolute, EpsilonInsensitive, Quantile>;

/// Calls f with the loss of this name, as an AnySmoothLoss or an AnyKinkedLoss, and answers what f
/// answers for both. Without a parameter the loss has its default. Throws std::invalid_argument on
/// another name, and on a parameter for a loss that has none.
///
///     const auto solution = with_loss("huber", 1.35, [&](const auto& loss) {
///       return Auto{}.minimize(Objective{loss, L2{1e-3}}, x, y);
///     });
template <class F>
auto with_loss(std::string_view name, std::optional<double> parameter, const F& f) {
  if (AnySmoothLoss smooth; smooth.choose(name, parameter)) return f(smooth);
  if (AnyKinkedLoss kinked; kinked.choose(name, parameter)) return f(kinked);
  refuse("no loss with a derivative is called '", name, "': there are ", AnySmoothLoss::names(),
         ", ", AnyKinkedLoss::names());
}

}  // namespace linea
