// SPDX-License-Identifier: MIT
#pragma once
/// \file Samples and targets near 0 instead of far from it, or columns of one scale, and the
/// weights and offset that make up for it.
#include <algorithm>  // clamp
#include <cmath>      // abs, fma, isfinite, sqrt
#include <limits>
#include <linea/core/loss.hpp>
#include <linea/core/point.hpp>
#include <linea/samples/origin.hpp>
#include <memory>   // make_shared, shared_ptr
#include <utility>  // move

namespace linea::samples {

/// A number c to take from all targets, and to add to a free offset in the end: for a function of
/// p − y the problem stays the same. It is the mean of targets that lie as far from 0 as columns do
/// that get an origin, such as times or years: their digits would be lost in products. Otherwise 0,
/// as for every other loss. Rows of weight 0 are not looked at.
template <Loss L, class Rows>
double target_origin(const L& loss, const TrainingSet<Rows>& set) {
  if (!is_of_residual(loss)) return 0;
  const auto sum = [&](auto&& f) {
    double total = 0;
    for (Index i = 0; i < set.y.size(); ++i)
      if (const auto s = static_cast<double>(set.weight(i)); s > 0)
        total += s * f(static_cast<double>(set.y[i]));
    return set.all().sum(total);
  };
  const double count = sum([](double) { return 1.0; });
  const double mean = sum([&](double y) { return y / count; });
  const double variance = sum([&](double y) { return (y - mean) * ((y - mean) / count); });
  return std::abs(mean) > far_in_deviations * std::sqrt(variance) && std::isfinite(mean) ? mean : 0;
}

/// The frame (o, c) in which a run sees its samples: rows xᵢ − o, and targets yᵢ − c for losses of
/// the residual. With the offset b + ⟨w, o⟩ − c in place of b, F is the same. Where the offset is
/// not free, or nothing lies far from 0, o and c are 0.
///
/// A frame may have scales s too: rows (xᵢ − o)/s, column by column, whose weights are w·s. Then
/// the functions that take weights to or from the frame multiply or divide them; those that take an
/// offset alone expect the w of the samples as they are stored.
template <class Real = double>
class Frame {
 public:
  Frame() = default;

  /// Chooses o alone, and moves the rows of the set there.
  template <class Rows>
  Frame(TrainingSet<Rows>& set, bool has_offset) {
    choose_origin(set, has_offset);
    origin_ = set.origin;
  }

  /// Chooses a frame and moves the set into it.
  template <Loss L, class Rows>
  Frame(const L& loss, TrainingSet<Rows>& set, bool has_offset) : Frame(set, has_offset) {
    if (!has_offset) return;
    target_ = static_cast<Real>(target_origin(loss, set));
    if (target_ != 0) set.y.array() -= target_;
  }

  /// The frame of rows (xᵢ − origin)/scale that the caller has made, for origin and scale (d).
  Frame(Vector<Real> origin, Vector<Real> scale) : scale_(std::move(scale)) {
    if (!origin.isZero(0)) origin_ = std::make_shared<const Vector<Real>>(std::move(origin));
  }

  /// Is it another than that of the samples as they are stored?
  bool is_moved() const { return origin_ || target_ != 0 || scale_.size() > 0; }

  /// Does it scale rows of d columns?
  bool scales(Index d) const { return scale_.size() > 0 && scale_.size() == d; }

  /// b in the frame, for w and the b of the samples as they are stored; to the last digit.
  Real enter(const Vector<Real>& w, Real b) const { return is_moved() ? sum(w, b, 1) : b; }
  /// The b of the samples as they are stored, for w and the b in the frame.
  Real leave(const Vector<Real>& w, Real b) const { return is_moved() ? sum(w, b, -1) : b; }

  /// θ = (w, b), or w without offset, for w (d) and b of the samples as they are stored.
  template <class T>
  void enter(const Vector<T>& w, T b, bool has_offset, Vector<Real>& theta) const {
    theta.resize(w.size() + has_offset);
    theta.head(w.size()) = w.template cast<Real>();
    if (has_offset) theta[w.size()] = enter(theta.head(w.size()), static_cast<Real>(b));
    if (scale_.size() > 0) theta.head(w.size()).array() *= scale_.array();
  }
  /// w and b of the samples as they are stored for a θ, rounded to T: b last, so that it makes up
  /// for some of the rounding of w.
  template <class T>
  void leave(const Vector<Real>& theta, bool has_offset, Vector<T>& w, T& b) const {
    const Index d = theta.size() - has_offset;
    w = stored_weights<T>(theta.head(d));
    if (has_offset) b = static_cast<T>(leave(w.template cast<Real>(), theta[d]));
  }

  /// A point in the frame as one for the samples as they are stored, rounded to T likewise.
  template <class T>
  Point<double> leave(const Vector<Real>& w, Real b, double objective) const {
    const Vector<T> rounded = stored_weights<T>(w);
    const T offset = static_cast<T>(leave(rounded.template cast<Real>(), b));
    return point_as<double>(Point<T>{rounded, offset, objective});
  }

 private:
  /// w of the samples as they are stored, rounded to T. A weight that the division takes beyond the
  /// numbers of T becomes the largest of them.
  template <class T>
  Vector<T> stored_weights(const Vector<Real>& w) const {
    if (scale_.size() == 0) return w.template cast<T>();
    constexpr auto most = static_cast<Real>(std::numeric_limits<T>::max());
    Vector<T> stored(w.size());
    for (Index j = 0; j < w.size(); ++j) {
      const Real weight = w[j] / scale_[j];
      stored[j] = static_cast<T>(std::isfinite(w[j]) ? std::clamp(weight, -most, most) : weight);
    }
    return stored;
  }

  /// b + sign·(⟨w, o⟩ − c), in twice the digits: sums and products with their errors (Ogita, Rump
  /// and Oishi, SIAM J. Sci. Comput. 26 (2005), algorithm 5.3).
  Real sum(const Vector<Real>& w, Real b, Real sign) const {
    Real high = b;
    Real low = 0;
    const auto add = [&](Real term) {
      const Real both = high + term;
      const Real part = both - high;
      low += (high - (both - part)) + (term - part);
      high = both;
    };
    add(-sign * target_);
    if (origin_)
      for (Index j = 0; j < w.size(); ++j) {
        const Real product = sign * w[j] * (*origin_)[j];
        add(product);
        low += std::fma(sign * w[j], (*origin_)[j], -product);
      }
    return high + low;
  }

  std::shared_ptr<const Vector<Real>> origin_{};
  Real target_{0};
  Vector<Real> scale_{};  // none: all 1
};

}  // namespace linea::samples
