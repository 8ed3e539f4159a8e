// SPDX-License-Identifier: MIT
#pragma once
/// \file Many targets at once against the same targets one by one.
#include <cstddef>
#include <linea/core/observer.hpp>
#include <linea/optimizers/descent/descent.hpp>
#include <vector>

#include "support/catch.hpp"

namespace linea::test {

/// Several working sets of rows, and more than one block of those that F is evaluated by.
inline constexpr Index many = 4500;
inline constexpr Index wide = 9;

/// The columns' solutions are those of the columns alone, in all there is to know about them.
template <class Optimizer, class L, class P, class X, class Y>
void check_each(const Optimizer& optimizer, const Objective<L, P>& objective, const X& samples,
                const Y& y, Extras<scalar_t<X>> extras = {}) {
  std::vector<std::vector<double>> seen;
  extras.observer = [&](const Progress& progress) {
    if (progress.epoch == 1) seen.emplace_back();
    seen.back().push_back(progress.objective());
    return Control::proceed;
  };
  std::vector<DescentSolution<scalar_t<X>>> alone;
  for (Index k = 0; k < y.cols(); ++k)
    alone.push_back(optimizer.minimize(objective, samples, y.col(k), extras));
  extras.observer = {};
  auto divided = optimizer;
  for (const Index threads : {1, 2, 3}) {
    CAPTURE(threads);
    divided.threads = threads;
    const auto all = divided.minimize_each(objective, samples, y, extras);
    REQUIRE(all.size() == alone.size());
    for (std::size_t k = 0; k < all.size(); ++k) {
      CAPTURE(k);
      CHECK(all[k].weights == alone[k].weights);
      CHECK(all[k].offset == alone[k].offset);
      CHECK(all[k].objective == alone[k].objective);
      CHECK(all[k].status == alone[k].status);
      CHECK(all[k].iterate == alone[k].iterate);
      CHECK(all[k].epochs == alone[k].epochs);
      CHECK(all[k].updates == alone[k].updates);
      CHECK(all[k].restarts == alone[k].restarts);
      CHECK(all[k].first_step == alone[k].first_step);
      CHECK(all[k].last_step == alone[k].last_step);
      CHECK(all[k].current.weights == alone[k].current.weights);
    }
  }
  // One observer hears of every epoch of every column.
  std::size_t epochs = 0;
  double sum = 0;
  for (const auto& run : seen) {
    epochs += run.size();
    for (const double each : run) sum += each;
  }
  std::size_t calls = 0;
  double heard = 0;
  extras.observer = [&](const Progress& progress) {
    ++calls;
    heard += progress.objective();
    return Control::proceed;
  };
  optimizer.minimize_each(objective, samples, y, extras);
  CHECK(calls == epochs);
  CHECK_THAT(heard, WithinRel(sum, 1e-9));
}

}  // namespace linea::test
