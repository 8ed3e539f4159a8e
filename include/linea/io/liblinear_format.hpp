// SPDX-License-Identifier: MIT
#pragma once
/// \file The solvers that LIBLINEAR's text files of models name, and what they train.
///
/// A file is lines of a word and its values: solver_type, nr_class, label (not of regression),
/// nr_feature, bias; then `w` and, for each feature, a line with a weight for each class, or with
/// one weight for two classes and for regression. With bias ≥ 0, a line more has the weights of a
/// feature that is always `bias`. Fan, Chang, Hsieh, Wang and Lin, LIBLINEAR: A Library for Large
/// Linear Classification, Journal of Machine Learning Research 9 (2008); the code is linear.cpp,
/// save_model.
#include <array>
#include <linea/io/stored_model.hpp>
#include <string_view>

namespace linea::io {

struct LiblinearSolver {
  std::string_view name;
  std::string_view loss;     ///< in linea's words
  std::string_view penalty;  ///< the same
  ModelKind kind;            ///< of a function alone

  bool is_of_regression() const { return kind == ModelKind::regressor; }
  /// Has each class its weights, even if there are but two?
  bool is_multiclass() const { return name == "MCSVM_CS"; }
};

inline constexpr std::array<LiblinearSolver, 11> liblinear_solvers{{
    {"L2R_LR", "log", "l2", ModelKind::probabilistic_classifier},
    {"L1R_LR", "log", "l1", ModelKind::probabilistic_classifier},
    {"L2R_LR_DUAL", "log", "l2", ModelKind::probabilistic_classifier},
    {"L2R_L2LOSS_SVC", "squared-hinge", "l2", ModelKind::classifier},
    {"L2R_L2LOSS_SVC_DUAL", "squared-hinge", "l2", ModelKind::classifier},
    {"L1R_L2LOSS_SVC", "squared-hinge", "l1", ModelKind::classifier},
    {"L2R_L1LOSS_SVC_DUAL", "hinge", "l2", ModelKind::classifier},
    {"MCSVM_CS", "crammer-singer", "l2", ModelKind::classifier},
    {"L2R_L2LOSS_SVR", "squared-epsilon-insensitive", "l2", ModelKind::regressor},
    {"L2R_L2LOSS_SVR_DUAL", "squared-epsilon-insensitive", "l2", ModelKind::regressor},
    {"L2R_L1LOSS_SVR_DUAL", "epsilon-insensitive", "l2", ModelKind::regressor},
}};

/// nullptr for a name that is none of them.
inline const LiblinearSolver* liblinear_solver(std::string_view name) {
  for (const auto& solver : liblinear_solvers)
    if (solver.name == name) return &solver;
  return nullptr;
}

/// What a model that was read says in place of a reason, so that it is written as it was.
inline constexpr std::string_view liblinear_reason = "solver_type ";

}  // namespace linea::io
