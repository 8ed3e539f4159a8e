// SPDX-License-Identifier: MIT
#pragma once
/// \file What an observer is shown of a run that has its samples in a frame.
#include <concepts>  // same_as
#include <functional>
#include <linea/core/extras.hpp>
#include <linea/core/observer.hpp>
#include <linea/samples/frame.hpp>

namespace linea::samples {

/// The observer that such a run is to call: it hands the news on with an iterate for the samples as
/// they are stored, rounded to T. Empty where nobody observes. Extras and frame must outlive it.
template <class T, class Real>
std::function<Control(const Progress&)> framed_observer(const Extras<T>& extras,
                                                        const Frame<Real>& frame) {
  if (!extras.observer || (std::same_as<T, Real> && !frame.is_moved())) return extras.observer;
  return [&extras, &frame](const Progress& progress) {
    Progress shown = progress;
    if (progress.iterate)
      shown.iterate = [&] {
        const Point<Real> here = point_as<Real>(progress.iterate());
        return frame.template leave<T>(here.weights, here.offset, here.objective);
      };
    return extras.observer(shown);
  };
}

}  // namespace linea::samples
