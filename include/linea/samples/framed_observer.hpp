// SPDX-License-Identifier: MIT
#pragma once
/// \file Observers of a run on centred or scaled samples.
#include <concepts>  // same_as
#include <functional>
#include <linea/core/extras.hpp>
#include <linea/core/observer.hpp>
#include <linea/samples/frame.hpp>

namespace linea::detail::samples {

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
