// SPDX-License-Identifier: MIT
/// \file Follows a slope that changes, by least squares on the last 250 samples and by least squares
/// that forgets.
#include <cstdio>
#include <linea/core/random.hpp>
#include <linea/models/least_squares_moments.hpp>
#include <vector>

using namespace linea;

int main() {
  Random random(1);
  Matrix<double> x(1000, 2);
  Vector<double> y(1000);
  for (Index i = 0; i < x.rows(); ++i) {
    x.row(i) << random.uniform(), random.uniform();
    const double slope = i < 500 ? 2 : -1;
    y[i] = slope * x(i, 0) + 3 + 0.2 * (random.uniform() - 0.5);
  }

  std::vector<double> slopes;
  LeastSquaresMoments window(x.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    window.add(x.row(i), y[i]);
    if (i >= 250) window.remove(x.row(i - 250), y[i - 250]);
    if (i >= 250) slopes.push_back(window.solve().weights[0]);
  }
  const auto last = window.solve();
  std::printf("window: slope %.2f at first, %.2f at last, with standard error %.3f and R2 %.3f\n",
              slopes.front(), slopes.back(), last.standard_errors[0], last.r_squared);

  LeastSquaresMoments recursive(x.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    recursive.forget(0.99);
    recursive.add(x.row(i), y[i]);
  }
  std::printf("forgetting: slope %.2f\n", recursive.solve().weights[0]);
}

// Output:
//   window: slope 1.98 at first, -0.99 at last, with standard error 0.012 and R2 0.963
//   forgetting: slope -0.98
