// SPDX-License-Identifier: MIT
#pragma once
/// \file Fits one linear function with the loss and the optimizer of the command line.
#include <cstdint>
#include <linea/core/extras.hpp>
#include <linea/core/types.hpp>
#include <linea/models/linear_model.hpp>
#include <optional>
#include <string>

#include "programs/common/losses_by_name.hpp"
#include "programs/common/table.hpp"

namespace program {

struct FitOptions {
  /// auto, dual, newton, lbfgs, ridge, sgd or gradient-descent; adaptive-sgd for --one-pass.
  std::string optimizer{"auto"};
  Named loss{"hinge"};
  double lambda{1e-4};
  double l1{0};
  bool offset{true};
  std::optional<linea::Index> epochs{};
  double tolerance{1e-4};
  std::uint64_t seed{0};
  linea::Index threads{1};
  // Options of sgd.
  double step{0};  ///< a constant step size; 0: automatic
  linea::Index batch{1};
  bool average{false};
};

/// Throws std::invalid_argument for numbers out of range and for options that the optimizer does
/// not take, unless the library's optimizer does.
void check_fit(const FitOptions& options);

/// Returns the optimizer's name in the library, such as "Newton" for newton.
std::string library_name(const std::string& optimizer);

/// Held-out samples x (m × d), class indices or numbers (m), and sample weights (m) or none.
struct HeldOut {
  Entries x{};
  linea::Vector<double> y{};
  linea::Vector<double> sample_weights{};
};

/// A recipe for one linear function: minimises mean loss + λ/2·‖w‖² + l1·‖w‖₁. OneVsRest extends it
/// to several classes.
struct LinearRecipe {
  FitOptions options{};
  const HeldOut* held_out{nullptr};  ///< if given, their y are targets of the loss
  linea::Index patience{5};

  /// Fits x (n × d) to targets y (n) of the loss. With held-out samples, the fit ends early, and
  /// the result is the iterate that predicts them best: see EarlyStopping. The model's `reason`
  /// says what was done. If auto finds no optimizer with a proof, Sgd minimises the objective.
  linea::LinearModel<double> fit(const EntriesView& x, const linea::Vector<double>& y,
                                 const linea::Extras<double>& extras) const;
};

}  // namespace program
