// SPDX-License-Identifier: MIT
#pragma once
/// \file What dual coordinate ascent maximises, and the interface of a method that finishes its
/// runs.
#include <linea/core/observer.hpp>
#include <linea/core/types.hpp>
#include <linea/samples/all_rows.hpp>
#include <linea/samples/best_constant.hpp>
#include <linea/samples/loss_blocks.hpp>
#include <linea/samples/row_blocks.hpp>

namespace linea::detail::dual {

/// The objective mean loss + λ/2·‖w‖², λ > 0, for rows, targets y (n) and sample weights (n) of
/// mean 1 or none. The samples are validated, centred if the offset is free, and not divided.
struct DualProblem {
  const samples::LossBlocks& loss;
  const samples::RowBlocks& rows;
  const Vector<double>&y, &weights;
  double lambda;
  bool has_offset;

  Index samples() const { return rows.rows(); }
  double weight(Index i) const { return weights.size() > 0 ? weights[i] : 1; }
};

/// Returns the best constant score, see samples::best_constant.
inline double best_constant(const DualProblem& of) {
  return samples::best_constant(of.loss.slope(), of.y, of.weights, samples::AllRowsHere{}, 4096,
                                Vector<double>{});
}

/// Returns the scores of a point (n).
inline Vector<double> scores_at(const DualProblem& of, const Point<double>& point) {
  Vector<double> scores = samples::scores_of(of.rows, point.weights);
  for (double& score : scores) score += point.offset;
  return scores;
}

/// A method that continues a run of dual coordinate ascent, in rounds.
class Finish {
 public:
  virtual ~Finish() = default;
  virtual bool is_sound() const = 0;  ///< can it run?
  /// Begins or continues a round, which aims at a gap of at most `allowed`. Returns true if the
  /// round is not over: it makes a pause after some time.
  virtual bool run(double allowed) = 0;
  virtual bool is_in_round() const = 0;
  /// Ends a round. Returns false if further rounds are unlikely to make progress.
  virtual bool end_round() = 0;
  virtual Vector<double> multipliers() const = 0;  ///< the best dual variables (n)
  virtual double dual() const = 0;                 ///< an estimate of D there
  virtual const Point<double>& point() const = 0;  ///< the best point
  virtual Point<double> here() const = 0;          ///< the iterate, with F at NaN
};

}  // namespace linea::detail::dual
