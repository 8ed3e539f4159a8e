// SPDX-License-Identifier: MIT
#pragma once
/// \file A penalty behind virtual functions: the code that needs it is compiled once for all
/// penalties.
#include <cmath>  // isfinite
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/core/penalty.hpp>
#include <linea/core/types.hpp>

namespace linea::detail::proof {

/// A penalty that is a sum over the weights: Ω(w) = Σⱼ Ωⱼ(wⱼ). Its conjugate is Ω*(v) = Σⱼ Ωⱼ*(vⱼ).
class SeparablePenalty {
 public:
  using Reals = Vector<double>;

  SeparablePenalty() = default;
  SeparablePenalty(const SeparablePenalty&) = delete;
  virtual ~SeparablePenalty() = default;

  virtual double value(const Reals& w) const = 0;     ///< Ω(w), for w (d)
  virtual double value(Index j, double w) const = 0;  ///< Ωⱼ(w)
  virtual double proximal(Index j, double v, double step) const = 0;
  /// Returns l1 and l2 where Ωⱼ(w) may be l1·|w| + l2/2·w²: both are 0 without such terms.
  virtual double l1(Index j) const = 0;
  virtual double l2(Index j) const = 0;

  virtual double conjugate(const Reals& v, double scale) const = 0;  ///< Ω*(scale·v), for v (d)
  virtual double conjugate(Index j, double v) const = 0;             ///< Ωⱼ*(v)

  /// Returns the weights of finite penalty that are nearest to w.
  Reals nearest_finite(Reals w) const {
    for (Index j = 0; j < w.size(); ++j)
      w[j] = proximal(j, w[j], std::numeric_limits<double>::min());
    return w;
  }

  /// Returns the largest t in [0, 1] with Ω*(t·v) < ∞, by bisection: Ω* is convex, and finite at 0.
  /// A t below 1 is reduced by the relative amount 2ε, since a compiler may contract the product
  /// t·v to a fused multiply-add here or in the caller.
  double largest_scale(const Reals& v) const {
    if (std::isfinite(conjugate(v, 1))) return 1;
    double scale = 1;
    for (Index j = 0; j < v.size(); ++j) {
      const auto is_finite = [&](double t) { return std::isfinite(conjugate(j, t * v[j])); };
      if (is_finite(scale)) continue;
      scale = 0;
      for (double step = 0.5; step > 1e-17; step /= 2)
        if (is_finite(scale + step)) scale += step;
    }
    return scale < 1 ? scale * (1 - 2 * std::numeric_limits<double>::epsilon()) : 1;
  }
};

/// The functions of a penalty, which must outlive this object.
template <ConjugatePenalty P>
class SeparablePenaltyOf final : public SeparablePenalty {
 public:
  explicit SeparablePenaltyOf(const P& penalty) : of_(penalty) {}

  double value(const Reals& w) const override { return of_.value(w); }
  double value(Index j, double w) const override {
    return of_column(of_, j).value(detail::filled(1, w));
  }
  double proximal(Index j, double v, double step) const override {
    return of_column(of_, j).proximal(v, step);
  }
  double l1(Index j) const override {
    const auto& one = of_column(of_, j);
    if constexpr (requires { one.threshold(1.0); })
      return one.threshold(1.0);
    else
      return 0;
  }
  double l2(Index j) const override { return strong_convexity_of(of_column(of_, j)); }
  double conjugate(const Reals& v, double scale) const override {
    double sum = 0;
    for (Index j = 0; j < v.size(); ++j) sum += of_column(of_, j).conjugate(scale * v[j]);
    return sum;
  }
  double conjugate(Index j, double v) const override { return of_column(of_, j).conjugate(v); }

 private:
  const P& of_;
};

}  // namespace linea::detail::proof
