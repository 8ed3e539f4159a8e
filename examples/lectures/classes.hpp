// SPDX-License-Identifier: MIT
#pragma once
/// \file Two classes in the plane: generating and drawing them.
#include <cstdint>
#include <lectures/figure.hpp>
#include <linea/core/random.hpp>
#include <linea/data/split.hpp>
#include <string>

namespace lectures {

/// Returns a nearly standard normal number: the sum of twelve uniform numbers minus 6, which has
/// the same bits on every platform.
inline double normal(linea::Random& random) {
  double sum = -6;
  for (int k = 0; k < 12; ++k) sum += random.uniform();
  return sum;
}

/// Returns n points (n × 2) with targets (n). The classes alternate: class +1 lies around `centre`,
/// class −1 around −`centre`. The standard deviation of both coordinates is `spread`.
inline linea::LabelledRows<double> two_clouds(linea::Index n, const Eigen::RowVector2d& centre,
                                              double spread, std::uint64_t seed) {
  linea::Random random(seed);
  linea::LabelledRows<double> clouds{linea::Matrix<double>(n, 2), linea::Vector<double>(n)};
  for (linea::Index i = 0; i < n; ++i) {
    clouds.y[i] = i % 2 == 0 ? 1 : -1;
    for (linea::Index j = 0; j < 2; ++j)
      clouds.x(i, j) = clouds.y[i] * centre[j] + spread * normal(random);
  }
  return clouds;
}

/// Returns the rows of x (n × d) for which keep(i) is true, in order.
template <class Keep>
Points rows_where(const linea::Matrix<double>& x, Keep&& keep) {
  Points kept(x.rows(), x.cols());
  linea::Index count = 0;
  for (linea::Index i = 0; i < x.rows(); ++i)
    if (keep(i)) kept.row(count++) = x.row(i);
  return kept.topRows(count);
}

/// Adds the points x (n × 2 or 3) to the figure, by class: y[i] > 0 is the positive class.
inline void add_classes(Figure& figure, const linea::Matrix<double>& x,
                        const linea::Vector<double>& y, const std::string& positive = "+1",
                        const std::string& negative = "−1") {
  figure.add(positive, style::positive, rows_where(x, [&](auto i) { return y[i] > 0; }));
  figure.add(negative, style::negative, rows_where(x, [&](auto i) { return y[i] <= 0; }));
}

/// Returns the line ⟨w, x⟩ + b = level, long enough to cross any figure.
inline Points level_line(const linea::Vector<double>& w, double b, double level) {
  const Eigen::RowVector2d foot = (level - b) / w.squaredNorm() * w.transpose();
  const Eigen::RowVector2d along = 1e3 / w.norm() * Eigen::RowVector2d(-w[1], w[0]);
  Points ends(2, 2);
  ends << foot - along, foot + along;
  return ends;
}

}  // namespace lectures
