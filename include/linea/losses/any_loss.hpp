// SPDX-License-Identifier: MIT
#pragma once
/// \file A loss that is chosen at run time by its name and its parameter.
#include <array>
#include <bit>       // bit_cast
#include <concepts>  // same_as
#include <cstddef>
#include <limits>
#include <linea/core/loss.hpp>
#include <linea/core/parameters.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
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
namespace detail {

/// A range of at most two DualBoxes.
struct DualBoxes {
  std::array<DualBox, 2> boxes{};
  std::size_t count{0};

  constexpr std::size_t size() const { return count; }
  constexpr const DualBox& operator[](std::size_t k) const { return boxes[k]; }
  constexpr const DualBox* begin() const { return boxes.data(); }
  constexpr const DualBox* end() const { return boxes.data() + count; }
};

}  // namespace detail

/// One of `Losses`, chosen at run time: an optimizer is compiled once for all of them. Each member
/// calls the same member of the chosen loss. Each call compares the choice with the losses in turn,
/// in branches that processors predict well.
///
/// An AnyLoss has the members that all of `Losses` have. It has `dual_boxes` or `open_box` if at
/// least one loss has this member (see has_dual_boxes). Each loss has at most one parameter, a
/// double. `Losses` may include your own losses: AnyLoss<Hinge, Mine>.
template <class... Losses>
class AnyLoss {
  static_assert(((std::is_empty_v<Losses> || sizeof(Losses) == sizeof(double)) && ...),
                "the losses have at most one parameter, a double");

 public:
  static constexpr bool is_chosen_at_run_time = true;
  static constexpr bool is_convex = (is_convex_loss<Losses> && ...);
  static constexpr bool is_smooth = (is_smooth_loss<Losses> && ...);

  /// Chooses the first of `Losses`, with its default parameter.
  constexpr AnyLoss() { (void)((*this = AnyLoss(Losses{}), true) || ...); }

  template <class L>
    requires(std::same_as<L, Losses> || ...)
  constexpr AnyLoss(const L& loss) : kind_(index_of<L>) {
    if constexpr (!std::is_empty_v<L>) parameter_ = std::bit_cast<double>(loss);
  }

  /// Chooses the loss with this name, and its parameter: the default if `parameter` is empty.
  /// Returns false if no loss has this name. Throws std::invalid_argument if `parameter` is given
  /// for a loss without parameters.
  bool choose(std::string_view name, std::optional<double> parameter = {}) {
    return (choose_one<Losses>(name, parameter) || ...);
  }
  /// Returns the names of `Losses`, separated by commas.
  static std::string names() {
    std::string text;
    ((text.append(text.empty() ? "" : ", ").append(Losses::name)), ...);
    return text;
  }

  /// Returns whether L is the chosen loss.
  template <class L>
  constexpr bool is() const {
    return kind_ == index_of<L>;
  }
  /// Returns f(loss) for the chosen loss.
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
    return visit([](const auto& loss) { return detail::has_valid_parameters(loss); });
  }
  std::string parameters() const {
    return visit([](const auto& loss) { return detail::parameters_of(loss); });
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
  /// Returns the dual boxes of the chosen loss, or an empty range if the loss is not a BoxLoss.
  detail::DualBoxes dual_boxes(double target) const requires(BoxLoss<Losses> || ...) {
    return visit([=]<class L>(const L& loss) {
      detail::DualBoxes found;
      if constexpr (BoxLoss<L>)
        for (const DualBox& box : loss.dual_boxes(target)) found.boxes[found.count++] = box;
      return found;
    });
  }
  /// Returns the open box of the chosen loss; `at` is NaN if the loss is not an OpenBoxLoss.
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
    (void)((std::same_as<L, Losses> || (static_cast<void>(++index), false)) || ...);
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

/// Any of linea's losses of scores (not of predictions) that have a continuous derivative.
using AnySmoothLoss = AnyLoss<Squared, Log, SquaredHinge, SmoothHinge, Huber>;
/// Any of linea's convex losses with kinks.
using AnyKinkedLoss = AnyLoss<Hinge, PerceptronLoss, Absolute, EpsilonInsensitive, Quantile>;

/// Returns f(loss) for the loss with this name, as an AnySmoothLoss or an AnyKinkedLoss. f must
/// return the same type for both. If `parameter` is empty, the loss has its default parameter.
/// Throws std::invalid_argument for an unknown name, and if `parameter` is given for a loss without
/// parameters.
///
///     const auto solution = with_loss("huber", 1.35, [&](const auto& loss) {
///       return Auto{}.minimize(Objective{loss, L2{1e-3}}, x, y);
///     });
template <class F>
auto with_loss(std::string_view name, std::optional<double> parameter, const F& f) {
  using Smooth = detail::TypeFor<F, AnySmoothLoss>;
  using Kinked = detail::TypeFor<F, AnyKinkedLoss>;
  if (Smooth smooth; smooth.choose(name, parameter)) return f(smooth);
  if (Kinked kinked; kinked.choose(name, parameter)) return f(kinked);
  refuse("no loss with a derivative is called '", name, "': there are ", Smooth::names(), ", ",
         Kinked::names());
}

}  // namespace linea
