// SPDX-License-Identifier: MIT
#pragma once
/// \file From a table to a model: targets, classes, selection of lambda, fit.
#include <functional>
#include <linea/models/validation_curve.hpp>
#include <optional>
#include <string>
#include <vector>

#include "programs/common/choose_lambda.hpp"
#include "programs/common/functions.hpp"
#include "programs/common/model.hpp"
#include "programs/common/scoring.hpp"
#include "programs/common/train_options.hpp"
#include "programs/common/watch.hpp"

namespace program {

/// All results of training.
struct Trained {
  Model model{};
  Functions functions{};
  linea::Vector<double> y{};  ///< (n) numbers, or class indices
  Column targets{};
  Entries x{};                    ///< (n × d), the training samples
  linea::Index missing_cells{0};  ///< of the features, in the training samples
  std::optional<linea::ValidationCurve> curve{};
  Figures training{};
  std::optional<Figures> validation{};
  linea::Matrix<double> validation_scores{};
  linea::Vector<double> validation_y{};
  std::vector<CurvePoint> run{};
  bool is_interrupted{false};
  double train_seconds{0};
  std::string note{};
};

/// Describes the fit in the model: the number of samples, and notes.
void describe(const TrainOptions& options, linea::Index rows, Trained& trained);

/// Stores the current model during a fit; or empty.
using KeepModel = std::function<void(const Model&)>;
/// Writes each model to a file, replacing the previous one; empty without a path. Throws
/// std::invalid_argument immediately if the file cannot be written.
KeepModel checkpoint_in(const std::string& path);
/// Stores the model with the current functions.
Checkpoint checkpoint_of(const Model& model, const KeepModel& keep);

/// Trains on a table with the options, and completes them: the loss, if none was given, and whether
/// classes use softmax. Throws std::invalid_argument for errors in either.
Trained train(TrainOptions& options, const Table& table, const KeepModel& keep, Watch& watch);

}  // namespace program
