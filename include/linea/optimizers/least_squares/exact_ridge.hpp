// SPDX-License-Identifier: MIT
#pragma once
/// \file Ridge regression where the normal equations are not to be trusted.
#include <linea/optimizers/least_squares/ridge_by_qr.hpp>
#include <linea/optimizers/least_squares/ridge_in_blocks.hpp>
#include <optional>

namespace linea::least_squares {

/// Ridge regression by QR for any λ: from a copy of Z or of its triangle where that is no more than
/// x itself, else block by block. Factorises when it is first asked. What it is given must outlive
/// it.
template <class Rows>
class ExactRidge {
 public:
  ExactRidge(const NormalEquations<Rows>& equations, const RidgeAnswers<Rows>& answers,
             const Columns<double>& t, bool centred)
      : equations_(equations), answers_(answers), t_(t), centred_(centred) {}

  /// `condition` is that of the normal equations.
  RidgeFit<double> solve(double lambda, double condition) const {
    if (!RidgeByQr<Rows>::can_copy(equations_.design))
      return ridge_in_blocks(equations_, answers_, t_, lambda, condition);
    if (!by_qr_) by_qr_.emplace(equations_, answers_, t_, centred_);
    return by_qr_->solve(lambda, condition);
  }

 private:
  const NormalEquations<Rows>& equations_;
  const RidgeAnswers<Rows>& answers_;
  const Columns<double>& t_;
  bool centred_;
  mutable std::optional<RidgeByQr<Rows>> by_qr_{};
};

}  // namespace linea::least_squares
