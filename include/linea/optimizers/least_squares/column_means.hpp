// SPDX-License-Identifier: MIT
#pragma once
/// \file Weighted means of columns, and which columns are constant.
#include <algorithm>  // max
#include <cmath>      // abs, isfinite, sqrt
#include <cstddef>
#include <limits>
#include <linea/core/types.hpp>
#include <vector>

namespace linea::least_squares {

/// The mean of column j is mean[j] + rest[j]: one double holds a mean only to its rounding, which
/// may be much of how far a column with a large mean varies.
struct ColumnMeans {
  Eigen::VectorXd mean;        ///< (d)
  Eigen::VectorXd rest;        ///< (d), what rounding took from `mean`
  std::vector<bool> constant;  ///< (d); empty: no column is
  double largest_shift{0};     ///< max of mean²/variance over columns that are not constant

  /// Are there columns so far from zero that products with them, corrected for the means
  /// afterwards, would lose more than four digits?
  bool is_far() const { return largest_shift > 1e8; }

  bool is_constant(Index j) const {
    return !constant.empty() && constant[static_cast<std::size_t>(j)];
  }

  /// Column j is constant if its standard deviation is no more than rounding makes of its mean.
  void judge(Index j, double deviation) {
    const double rounding = 8 * std::numeric_limits<double>::epsilon() * std::abs(mean[j]);
    if (mean[j] == 0 || !std::isfinite(deviation)) return;
    if (!(deviation <= rounding)) {
      const double shift = mean[j] / deviation;
      largest_shift = std::max(largest_shift, shift * shift);
      return;
    }
    if (constant.empty()) constant.assign(static_cast<std::size_t>(mean.size()), false);
    constant[static_cast<std::size_t>(j)] = true;
  }

  /// Of rows (n × d) with weights rᵢ², Σᵢ rᵢ² = 1. Two passes.
  template <class Rows>
  void find(const Rows& rows, const Eigen::VectorXd& root) {
    const Index d = rows.cols();
    mean = rest = Eigen::VectorXd::Zero(d);
    for (Index i = 0; i < rows.rows(); ++i) {
      const double share = root[i] * root[i];
      rows.for_each(i, [&](Index j, auto value) { mean[j] += share * static_cast<double>(value); });
    }
    Eigen::VectorXd residue = Eigen::VectorXd::Zero(d);
    Eigen::VectorXd variance = Eigen::VectorXd::Zero(d);
    Eigen::VectorXd present = Eigen::VectorXd::Zero(d);  // the weight of stored entries
    Eigen::VectorXd stored = Eigen::VectorXd::Zero(d);
    Eigen::VectorXd farthest = Eigen::VectorXd::Zero(d);  // for where squares underflow
    double counted = 0;
    for (Index i = 0; i < rows.rows(); ++i) {
      const double share = root[i] * root[i];
      if (share == 0) continue;  // not there, even where its square is not finite
      ++counted;
      rows.for_each(i, [&](Index j, auto value) {
        const double deviation = static_cast<double>(value) - mean[j];
        residue[j] += share * deviation;
        variance[j] += share * deviation * deviation;
        farthest[j] = std::max(farthest[j], std::abs(deviation));
        present[j] += share;
        ++stored[j];
      });
    }
    for (Index j = 0; j < d; ++j) {
      const double absent = stored[j] == counted ? 0.0 : std::max(0.0, 1 - present[j]);
      residue[j] -= absent * mean[j];
      variance[j] += absent * mean[j] * mean[j];
      const double rounded = mean[j] + residue[j];
      rest[j] = residue[j] - (rounded - mean[j]);
      mean[j] = rounded;
      const double spread = variance[j] - residue[j] * residue[j];
      const bool underflows = variance[j] < std::numeric_limits<double>::min();
      judge(j, underflows ? farthest[j] : std::sqrt(std::max(spread, 0.0)));
    }
  }
};

}  // namespace linea::least_squares
