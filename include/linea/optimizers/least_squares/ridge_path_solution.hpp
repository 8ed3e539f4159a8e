// SPDX-License-Identifier: MIT
#pragma once
/// \file What a path of ridge regressions answers.
#include <linea/core/require.hpp>
#include <linea/core/solution.hpp>
#include <linea/core/types.hpp>
#include <linea/optimizers/least_squares/decomposition.hpp>
#include <vector>

namespace linea {

/// The minima for all λ, m of them, in their order.
template <class T>
struct [[nodiscard]] RidgePathSolution {
  std::vector<double> lambdas{};    ///< (m)
  core::ColumnMatrix<T> weights{};  ///< (d × m), a column for each λ
  Vector<T> offsets{};              ///< (m)
  /// F at these, from the moments: to 1e-10 of F at w = 0 (m).
  Eigen::VectorXd objectives{};
  /// How each ended (m): as Ridge says it for one λ.
  std::vector<Status> statuses{};
  Status status{Status::converged};      ///< the worst of them
  Eigen::VectorXd degrees_of_freedom{};  ///< trace of the hat matrix, the offset's 1 included (m)
  /// Mean squared error, Σ sᵢ(f(xᵢ) − yᵢ)²/S without ½: of each sample under the minimum, for the
  /// same λ, of all others; exact, not an estimate (m). Empty if not asked for. Where the equations
  /// hide it and refits would take long it is not a number.
  Eigen::VectorXd leave_one_out{};
  /// The mean squared error over (1 − degrees_of_freedom/n)², n the samples of positive weight (m).
  Eigen::VectorXd generalised_cross_validation{};
  /// Where leave_one_out is least, or, without it, generalised_cross_validation; of equal ones the
  /// largest λ. Means over n samples are equal where they differ by up to n·ε of each.
  Index best{0};
  /// Is that λ > 0, at an end of the list, and no other about as good? Then one beyond it may
  /// predict better.
  bool is_at_edge{false};
  Decomposition decomposition{Decomposition::eigenvalues};
  /// Of A + λI, A as in Spectrum, for the smallest λ, or the smallest that leave-one-out takes.
  double reciprocal_condition{0};
  Index rank{0};     ///< of Z, where singular values were taken; else no rank was decided on
  bool dual{false};  ///< n equations, one a sample, rather than d

  /// The minimum for λ number k, 0 ≤ k < m: LinearModel<T>{path.at(path.best)} can score samples.
  Solution<T> at(Index k) const {
    require(k >= 0 && k < weights.cols(), "RidgePathSolution::at: number ", k, " of ",
            weights.cols());
    Solution<T> solution;
    solution.weights = weights.col(k);
    solution.offset = offsets[k];
    solution.objective = objectives[k];
    solution.optimizer = "RidgePath";
    solution.status = statuses[static_cast<std::size_t>(k)];
    return solution;
  }
};

}  // namespace linea
