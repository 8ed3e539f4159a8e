// SPDX-License-Identifier: MIT
#pragma once
/// \file Programs without a penalty: which columns have weights, and what bounds miss.
#include <algorithm>  // max
#include <cmath>
#include <linea/optimizers/programs/box_program.hpp>
#include <linea/optimizers/programs/kept_columns.hpp>
#include <utility>  // move
#include <vector>

namespace linea::programs {

/// Σₖ Uₖ·row k over the rows (n × m), in twice the digits: by sums and products
/// with their errors (Ogita, Rump and Oishi, SIAM J. Sci. Comput. 26 (2005), algorithm 5.3).
template <class Real = double>
Vector<Real> precise_sums(const BoxProgram<Real>& program, const Vector<Real>& slopes) {
  const Index m = program.rows.cols();
  Vector<Real> high = numerics::constant(m, 0);
  Vector<Real> low = high;
  for (Index k = 0; k < program.size(); ++k) {
    const double* row = program.rows.data() + k * m;
    for (Index j = 0; j < m; ++j) {
      const double product = slopes[k] * row[j];
      const double sum = high[j] + product;
      const double part = sum - high[j];
      low[j] += (high[j] - (sum - part)) + (product - part) + std::fma(slopes[k], row[j], -product);
      high[j] = sum;
    }
  }
  numerics::add(1, low, high);
  return high;
}

/// Without a penalty a column that others make up, but for the rounding of its numbers, has no
/// weight of its own: it is taken for one of zeros, with a strength that keeps its weight at 0.
///
/// The numbers of a column that lies far from 0 are known to fewer digits than sums can tell. A
/// bound is for the columns as sums tell them.
template <class Real = double>
class FreeColumns {
  using Reals = Vector<Real>;

 public:
  /// `roots` (n) of the weights, each at one row of its sample, others 0; the columns are known up
  /// to their `roundings` (r), their mean squares being 1. Drops columns of the program.
  FreeColumns(BoxProgram<Real>& program, Reals roots, Reals roundings, double count)
      : roots_(std::move(roots)) {
    constexpr double of_sums = 1e-13;
    const auto kept = [&](const Reals& limits) {
      return KeptColumns<Real>(program.rows, roots_, limits, count);
    };
    told_ = kept(numerics::constant(roundings.size(), of_sums));
    bool are_all_known = true;
    for (double& rounding : roundings) {
      are_all_known = are_all_known && rounding <= of_sums;
      rounding = std::max(of_sums, rounding);
    }
    const KeptColumns<Real> known = are_all_known ? told_ : kept(roundings);
    for (Index j = 0; j < roundings.size(); ++j) {
      if (!known.is_dropped(j)) continue;
      Doubtful one{j, numerics::constant(program.size(), 0)};
      for (Index k = 0; k < program.size(); ++k) one.entries[k] = program.rows(k, j);
      if (!told_.is_dropped(j)) doubtful_.push_back(std::move(one));
      for (Index k = 0; k < program.size(); ++k) program.rows(k, j) = 0;
      program.strengths[j] = 1;
    }
  }

  /// How far n·F may fall below what slopes U (n) of the rows prove, for their sums are not 0, at
  /// scores of the size of those at q and of those where losses have kinks, twice.
  double missed(const BoxProgram<Real>& program, const Reals& slopes, const Reals& q) const {
    const Reals scores = numerics::times(program.rows, q);
    double square = 0;
    for (Index k = 0; k < program.size(); ++k) {
      const double kink = program.levels[k] - program.curvatures[k] * program.origins[k];
      const double size = roots_[k] * (std::abs(scores[k]) + std::abs(kink));
      square += size * size;
    }
    Reals sums = precise_sums(program, slopes);
    for (const Doubtful& one : doubtful_) sums[one.column] = numerics::dot(one.entries, slopes);
    return told_.most(sums, 2 * std::sqrt(square));
  }

 private:
  /// A column that sums can tell from others, but not its numbers.
  struct Doubtful {
    Index column;
    Reals entries;
  };

  Reals roots_;
  KeptColumns<Real> told_{};  // as sums can tell them
  std::vector<Doubtful> doubtful_{};
};

}  // namespace linea::programs
