// SPDX-License-Identifier: MIT
#pragma once
/// \file What an observer is shown of a run that has its samples in a frame.
#include <concepts>  // same_as
#include <functional>
#include <linea/core/extras.hpp>
#include <linea/core/observer.hpp>
#include <linea/samples/frame.hpp>

namespace linea::samples {

/// The same run, with iterates for the samples as they are stored, rounded to T.
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

/// The observer that such a run is to call. Empty where nobody observes. Extras and frame must
/// outlive it.
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

}  // namespace linea::samples
