// SPDX-License-Identifier: MIT
#pragma once
/// \file Centred samples and targets, scaled columns, and the conversion of weights and offset.
#include <algorithm>  // clamp
#include <cmath>      // abs, fma, isfinite, sqrt
#include <concepts>   // same_as
#include <limits>
#include <linea/core/extras.hpp>
#include <linea/core/loss.hpp>
#include <linea/core/observer.hpp>
#include <linea/samples/origin.hpp>
#include <memory>   // make_shared, shared_ptr
#include <utility>  // move

namespace linea::detail::samples {

/// Returns the number c to subtract from all targets of a loss of p − y, and to add to the free
/// offset at the end, which does not change the minimum. c is the mean of the targets if |mean|
/// exceeds far_in_deviations standard deviations, as for times or years: without c, products would
/// lose digits. Otherwise c is 0. Rows of weight 0 are ignored.
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

/// The centring (o, c) of the samples of a run: rows xᵢ − o, and targets yᵢ − c for losses of the
/// residual. F does not change if the offset becomes b + ⟨w, o⟩ − c. Both o and c are 0 if the
/// offset is not free. Otherwise o is 0 for columns that are not far from 0, and c is 0 if the
/// targets are not far from 0.
///
/// A frame may also have scales s (d), one for each column: rows are (xᵢ − o)/s, and weights w·s.
/// The functions that convert only an offset take the weights for the stored samples.
///
/// If the set keeps only some columns of x, d is their number here, and `all_of` and `kept_of`
/// convert weights.
template <class Real = double>
class Frame {
 public:
  Frame() = default;

  /// If the offset is free, chooses o and centres the rows of the set.
  template <class Rows>
  Frame(TrainingSet<Rows>& set, bool has_offset) {
    choose_origin(set, has_offset);
    origin_ = set.origin;
    columns_ = set.columns;
  }

  /// If the offset is free, chooses o and c and centres rows and targets of the set.
  template <Loss L, class Rows>
  Frame(const L& loss, TrainingSet<Rows>& set, bool has_offset) : Frame(set, has_offset) {
    if (!has_offset) return;
    target_ = static_cast<Real>(target_origin(loss, set));
    if (target_ != 0) set.y.array() -= target_;
  }

  /// Makes the frame of the rows (xᵢ − origin)/scale (d), which the caller computes.
  Frame(Vector<Real> origin, Vector<Real> scale) : scale_(std::move(scale)) {
    if (!origin.isZero(0)) origin_ = std::make_shared<const Vector<Real>>(std::move(origin));
  }

  /// Returns whether the frame changes the samples.
  bool is_moved() const { return origin_ || target_ != 0 || scale_.size() > 0; }

  /// Returns whether the frame scales rows of d columns.
  bool scales(Index d) const { return scale_.size() > 0 && scale_.size() == d; }

  /// Returns weights for all columns of x: those of the kept columns, and 0.
  template <class T>
  Vector<T> all_of(Vector<T> kept) const {
    if (!columns_) return kept;
    Vector<T> all = Vector<T>::Zero(columns_->all);
    for (Index j = 0; j < kept.size(); ++j) all[columns_->at(j)] = kept[j];
    return all;
  }
  /// Returns the weights of the kept columns, from those of all columns of x.
  template <class T>
  Vector<T> kept_of(Vector<T> all) const {
    if (!columns_) return all;
    Vector<T> kept(columns_->size());
    for (Index j = 0; j < kept.size(); ++j) kept[j] = all[columns_->at(j)];
    return kept;
  }

  /// Returns the offset for the centred samples, from w and b for the stored samples, with about
  /// one rounding error.
  Real enter(const Vector<Real>& w, Real b) const { return is_moved() ? sum(w, b, 1) : b; }
  /// Returns the offset for the stored samples, from the weights w for the stored samples and the
  /// offset b for the centred samples.
  Real leave(const Vector<Real>& w, Real b) const { return is_moved() ? sum(w, b, -1) : b; }

  /// Converts w (d) and b for the stored samples to θ = (w, b) for the centred and scaled samples,
  /// or to θ = w without offset.
  template <class T>
  void enter(const Vector<T>& w, T b, bool has_offset, Vector<Real>& theta) const {
    theta.resize(w.size() + has_offset);
    theta.head(w.size()) = w.template cast<Real>();
    if (has_offset) theta[w.size()] = enter(theta.head(w.size()), static_cast<Real>(b));
    if (scale_.size() > 0) theta.head(w.size()).array() *= scale_.array();
  }
  /// Converts θ to w and b for the stored samples. Rounds w to T, and computes b from the rounded
  /// w, which cancels a part of its rounding errors.
  template <class T>
  void leave(const Vector<Real>& theta, bool has_offset, Vector<T>& w, T& b) const {
    const Index d = theta.size() - has_offset;
    w = stored_weights<T>(theta.head(d));
    if (has_offset) b = static_cast<T>(leave(w.template cast<Real>(), theta[d]));
  }

  /// Returns the point (w, b) for the stored samples, rounded to T in the same way.
  template <class T>
  Point<double> leave(const Vector<Real>& w, Real b, double objective) const {
    const Vector<T> rounded = stored_weights<T>(w);
    const T offset = static_cast<T>(leave(rounded.template cast<Real>(), b));
    return point_as<double>(Point<T>{rounded, offset, objective});
  }

 private:
  /// Returns the weights w/s for the stored samples, rounded to T. Finite weights that overflow
  /// become the largest number of T, with their sign.
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

  /// Returns b + sign·(⟨w, o⟩ − c) as if computed in twice the precision (Ogita, Rump and Oishi,
  /// SIAM J. Sci. Comput. 26 (2005), algorithm 5.3).
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
  Vector<Real> scale_{};                          // (d); empty: all scales are 1
  std::shared_ptr<const KeptColumns> columns_{};  // null: all
};

/// A run that converts the iterates of another run to the stored samples and rounds them to T.
template <class T, class Real>
class FramedRun final : public ObservedRun {
 public:
  FramedRun(const ObservedRun& run, const Frame<Real>& frame) : run_(run), frame_(frame) {}
  double objective() const override { return run_.objective(); }
  double gap() const override { return run_.gap(); }
  Index iterates() const override { return run_.iterates(); }
  Point<double> iterate(Index k) const override {
    const Point<Real> here = point_as<Real>(run_.iterate(k));
    return frame_.template leave<T>(here.weights, here.offset, here.objective);
  }

 private:
  const ObservedRun& run_;
  const Frame<Real>& frame_;
};

/// Returns an observer for a run on the samples of the frame, which calls extras.observer with a
/// FramedRun. Returns extras.observer itself if it is empty, or if the frame changes nothing and T
/// is Real. The extras and the frame must outlive the result.
template <class T, class Real>
ObserverFunction framed_observer(const Extras<T>& extras, const Frame<Real>& frame) {
  if (!extras.observer || (std::same_as<T, Real> && !frame.is_moved())) return extras.observer;
  return [&extras, &frame](const Progress& progress) {
    if (!progress.run) return extras.observer(progress);
    const FramedRun<T, Real> framed(*progress.run, frame);
    Progress shown = progress;
    shown.run = &framed;
    return extras.observer(shown);
  };
}

}  // namespace linea::detail::samples
