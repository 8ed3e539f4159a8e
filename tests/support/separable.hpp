// SPDX-License-Identifier: MIT
#pragma once
/// \file Random separable data with a known margin.
#include <algorithm>
#include <cmath>

#include "support/synthetic.hpp"

namespace synthetic {

struct Separable {
  linea::Matrix<double> x;
  linea::Vector<double> y;
  double radius{0};  // max ‖(x, 1)‖
  double margin{0};  // min |⟨u, x⟩ + b| for some (u, b) of norm 1, in general not the best one
};

/// Returns points on both sides of a random hyperplane, at a distance of at least `gap` from it.
inline Separable separable(linea::Index n, linea::Index d, double gap, std::uint64_t seed) {
  linea::Random random(seed);
  linea::Vector<double> u(d + 1);
  for (double& value : u) value = normal(random);
  u.normalize();
  Separable set{linea::Matrix<double>(n, d), linea::Vector<double>(n), 0, 1e300};
  for (linea::Index i = 0; i < n;) {
    for (linea::Index j = 0; j < d; ++j) set.x(i, j) = normal(random);
    const double score = set.x.row(i).dot(u.head(d)) + u[d];
    if (std::abs(score) < gap) continue;
    set.y[i] = score > 0 ? 1 : -1;
    set.margin = std::min(set.margin, std::abs(score));
    set.radius = std::max(set.radius, std::sqrt(set.x.row(i).squaredNorm() + 1));
    ++i;
  }
  return set;
}

}  // namespace synthetic
