// SPDX-License-Identifier: MIT
#pragma once
/// \file The optimizers of linea_train that prove how near the minimum they are, compiled apart.
#include <linea/core/certificate.hpp>
#include <linea/core/solution.hpp>
#include <linea/optimizers/dual/bound.hpp>
#include <optional>
#include <string>

#include "programs/losses_by_name.hpp"

namespace program {

struct CertifiedTask {
  std::string optimizer{};  ///< dual, newton, lbfgs or auto
  Named loss{"hinge"};
  double lambda{0};
  bool offset{true};
  std::optional<linea::Index> epochs{};
  double tolerance{1e-4};
  std::uint64_t seed{0};
  linea::Index threads{1};
};

struct CertifiedOutcome {
  linea::Solution<double> solution{};
  double dual{0};  ///< F is nowhere below it
  std::string note{};
};

/// Minimises mean loss + lambda/2·‖w‖² for x (n × d) and y (n).
CertifiedOutcome train_certified(const CertifiedTask& task, const linea::SparseMatrix<double>& x,
                                 const linea::Vector<double>& y);

/// A number that F is nowhere below, as near to F(weights, offset) as certify brings it.
double bound_from(const CertifiedTask& task, const linea::Solution<double>& solution,
                  const linea::SparseMatrix<double>& x, const linea::Vector<double>& y);

}  // namespace program
