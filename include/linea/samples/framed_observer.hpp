// SPDX-License-Identifier: MIT
#pragma once
/// \file What an observer is shown of a run that has its samples in a frame.
#include <concepts>  // same_as
#include <functional>
#include <linea/core/extras.hpp>
#include <linea/core/observer.hpp>
#include <linea/samples/frame.hpp>
#include <vector>

namespace linea::samples {

/// The observer that such a run is to call: it hands the news on with the iterate, or the iterates
/// of all classes, for the samples as they are stored, rounded to T. Empty where nobody observes.
/// Extras and frame must outlive it.
template <class T, class Real>
std::function<Control(const Progress&)> framed_observer(const Extras<T>& extras,
                                                        const Frame<Real>& frame) {
  if (!extras.observer || (std::same_as<T, Real> && !frame.is_moved())) return extras.observer;
  return [&extras, &frame](const Progress& progress) {
    const auto leave = [&frame](const Point<double>& point) {
      const Point<Real> here = point_as<Real>(point);
      return frame.template leave<T>(here.weights, here.offset, here.objective);
    };
    Progress shown = progress;
    if (progress.iterate) shown.iterate = [&] { return leave(progress.iterate()); };
    if (progress.iterates)
      shown.iterates = [&] {
        std::vector<Point<double>> points = progress.iterates();
        for (Point<double>& point : points) point = leave(point);
        return points;
      };
    return extras.observer(shown);
  };
}

}  // namespace linea::samples
