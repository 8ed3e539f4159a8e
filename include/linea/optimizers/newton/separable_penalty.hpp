// SPDX-License-Identifier: MIT
#pragma once
/// \file A penalty behind virtual functions, so that coordinate descent is compiled once for all
/// penalties.
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/core/penalty.hpp>
#include <linea/core/types.hpp>
#include <linea/optimizers/dual/bound.hpp>

namespace linea::detail::newton {

/// A penalty that is a sum over the weights: Ω(w) = Σⱼ Ωⱼ(wⱼ).
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

  /// Returns Ω*(scale·v), for v (d).
  virtual double conjugate(const Reals& v, double scale) const = 0;
  /// Returns the largest scale ≤ 1 with a finite Ω*(scale·v): see dual::largest_scale.
  virtual double largest_scale(const Reals& v) const = 0;

  /// Returns the weights of finite penalty that are nearest to w.
  Reals nearest_finite(Reals w) const {
    for (Index j = 0; j < w.size(); ++j)
      w[j] = proximal(j, w[j], std::numeric_limits<double>::min());
    return w;
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
    return dual::conjugate_of(of_, v, scale);
  }
  double largest_scale(const Reals& v) const override { return dual::largest_scale(of_, v); }

 private:
  const P& of_;
};

}  // namespace linea::detail::newton
