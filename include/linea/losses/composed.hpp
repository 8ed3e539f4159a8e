// SPDX-License-Identifier: MIT
#pragma once
/// \file A loss of predictions after an activation: the losses of generalised linear models.
///
/// For some activations g the chain rule overflows, cancels or divides zero by zero. A loss of
/// predictions may define closed forms for such a g, which Composed then uses:
///
/// | expression                            | meaning                      |
/// |---------------------------------------|------------------------------|
/// | loss.value_after(g, p, y)             | ℓ(g(p), y)                   |
/// | loss.derivative_after(g, p, y)        | d/dp ℓ(g(p), y)              |
/// | loss.second_derivative_after(g, p, y) | d²/dp² ℓ(g(p), y)            |
/// | loss.curvature_bound_after(g)         | sup d²/dp² ℓ(g(p), y)        |
/// | loss.conjugate_after(g, u, y)         | sup over p, u·p − ℓ(g(p), y) |
/// | Loss::is_convex_after(g)              | is ℓ(g(p), y) convex in p?   |
#include <algorithm>  // copy
#include <array>
#include <cmath>  // isinf
#include <concepts>
#include <linea/activations/identity.hpp>
#include <linea/core/activation.hpp>
#include <linea/core/loss.hpp>
#include <linea/core/parameters.hpp>
#include <string>
#include <string_view>

namespace linea {
namespace detail {

template <class L, class G>
concept DerivativeAfter = requires(const L& loss, const G& activation, double score,
                                   double target) {
  { loss.derivative_after(activation, score, target) } -> std::convertible_to<double>;
};

template <class L, class G>
concept SecondDerivativeAfter = requires(const L& loss, const G& activation, double score,
                                         double target) {
  { loss.second_derivative_after(activation, score, target) } -> std::convertible_to<double>;
};

template <class L, class G>
concept CurvatureBoundAfter = requires(const L& loss, const G& activation) {
  { loss.curvature_bound_after(activation) } -> std::convertible_to<double>;
};

template <class L, class G>
concept ConjugateAfter = requires(const L& loss, const G& activation, double slope, double target) {
  { loss.conjugate_after(activation, slope, target) } -> std::convertible_to<double>;
};

template <class G>
inline constexpr bool is_identity = std::same_as<G, Identity>;

/// Returns a·b with 0·∞ = 0: a factor that underflows to 0 outweighs a factor that overflows to ∞.
template <class T>
constexpr T vanishing_product(T a, T b) {
  const bool vanishes = (a == T(0) && std::isinf(b)) || (b == T(0) && std::isinf(a));
  return vanishes ? T(0) : a * b;
}

template <class Named>
constexpr std::string_view name_or(std::string_view otherwise) {
  if constexpr (requires { Named::name; })
    return Named::name;
  else
    return otherwise;
}

/// The name of a composition, such as "squared of sigmoid", built at compile time.
template <class L, class G>
struct ComposedName {
  static constexpr std::string_view loss = name_or<L>("the loss");
  static constexpr std::string_view of = " of ";
  static constexpr std::string_view activation = name_or<G>("the activation");
  static constexpr auto letters = [] {
    std::array<char, loss.size() + of.size() + activation.size()> text{};
    auto end = std::copy(loss.begin(), loss.end(), text.begin());
    end = std::copy(of.begin(), of.end(), end);
    std::copy(activation.begin(), activation.end(), end);
    return text;
  }();
};

}  // namespace detail

/// The loss ℓ(g(p), y) for a loss ℓ of predictions and an activation g: Composed{Squared{},
/// Sigmoid{}}. The composition has a derivative if ℓ and g have one, or if ℓ defines a closed form
/// of it. It is convex for a convex ℓ after Identity, for CrossEntropy after Sigmoid and for
/// Poisson after Exponential; few other pairs of linea's losses and activations are convex.
///
/// Without a closed form, the value is that of ℓ at the rounded g(p). If g(p) rounds to the end of
/// its range and ℓ has a pole there, the value is infinite.
template <Loss L, Activation G>
struct Composed {
  L loss{};        ///< ℓ, a function of a prediction
  G activation{};  ///< g, a function of a score

  static constexpr std::string_view name{detail::ComposedName<L, G>::letters.data(),
                                         detail::ComposedName<L, G>::letters.size()};
  static constexpr std::string_view targets = [] {
    if constexpr (requires { L::targets; })
      return std::string_view(L::targets);
    else
      return std::string_view("a finite number");
  }();

  static constexpr bool is_convex = [] {
    if constexpr (requires { L::is_convex_after(G{}); })
      return L::is_convex_after(G{});
    else
      return detail::is_identity<G> && is_convex_loss<L>;
  }();
  static constexpr bool is_smooth = is_smooth_loss<L> && DifferentiableActivation<G>;

  template <class T>
  constexpr T value(T score, T target) const {
    if constexpr (requires { loss.value_after(activation, score, target); })
      return static_cast<T>(loss.value_after(activation, score, target));
    else
      return static_cast<T>(loss.value(static_cast<T>(activation.value(score)), target));
  }

  /// Returns the closed form if ℓ defines one, else ℓ′(g(p), y)·g′(p), with 0·∞ = 0.
  template <class T>
    requires(detail::DerivativeAfter<L, G> ||
             (DifferentiableLoss<L> && DifferentiableActivation<G>))
  constexpr T derivative(T score, T target) const {
    if constexpr (detail::DerivativeAfter<L, G>) {
      return static_cast<T>(loss.derivative_after(activation, score, target));
    } else {
      const auto prediction = static_cast<T>(activation.value(score));
      return detail::vanishing_product(static_cast<T>(loss.derivative(prediction, target)),
                                       static_cast<T>(activation.derivative(score)));
    }
  }

  /// Returns the closed form if ℓ defines one, else ℓ″(g(p), y)·g′(p)² + ℓ′(g(p), y)·g″(p), with
  /// 0·∞ = 0.
  template <class T>
    requires(detail::SecondDerivativeAfter<L, G> || (CurvedLoss<L> && CurvedActivation<G>))
  constexpr T second_derivative(T score, T target) const {
    if constexpr (detail::SecondDerivativeAfter<L, G>) {
      return static_cast<T>(loss.second_derivative_after(activation, score, target));
    } else if constexpr (detail::is_identity<G>) {
      return static_cast<T>(loss.second_derivative(score, target));
    } else {
      const auto prediction = static_cast<T>(activation.value(score));
      const auto slope = static_cast<T>(loss.derivative(prediction, target));
      const auto rise = static_cast<T>(activation.derivative(score));
      const auto curvature = static_cast<T>(loss.second_derivative(prediction, target));
      return detail::vanishing_product(detail::vanishing_product(curvature, rise), rise) +
             detail::vanishing_product(slope, static_cast<T>(activation.second_derivative(score)));
    }
  }

  constexpr double curvature_bound() const
      requires(detail::CurvatureBoundAfter<L, G> || (detail::is_identity<G> && SmoothLoss<L>)) {
    if constexpr (detail::CurvatureBoundAfter<L, G>)
      return loss.curvature_bound_after(activation);
    else
      return loss.curvature_bound();
  }

  template <class T>
    requires(detail::is_identity<G>&& ProximalLoss<L>)
  constexpr T proximal(T v, T target, T step) const {
    return static_cast<T>(loss.proximal(v, target, step));
  }

  template <class T>
    requires(detail::ConjugateAfter<L, G> || (detail::is_identity<G> && ConjugateLoss<L>))
  constexpr T conjugate(T slope, T target) const {
    if constexpr (detail::ConjugateAfter<L, G>)
      return static_cast<T>(loss.conjugate_after(activation, slope, target));
    else
      return static_cast<T>(loss.conjugate(slope, target));
  }

  template <class T>
  constexpr bool is_valid_target(T target) const {
    return linea::is_valid_target(loss, target);
  }

  constexpr bool is_valid() const {
    return detail::has_valid_parameters(loss) && detail::has_valid_parameters(activation);
  }
  std::string parameters() const {
    std::string text;
    if constexpr (requires { loss.parameters(); }) text = loss.parameters();
    if constexpr (requires { activation.parameters(); })
      text += (text.empty() ? "" : ", ") + activation.parameters();
    return text;
  }
};

template <class L, class G>
Composed(L, G) -> Composed<L, G>;

}  // namespace linea
