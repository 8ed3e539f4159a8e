// SPDX-License-Identifier: MIT
#pragma once
/// \file From a table to a model: targets, classes, the choice of lambda, the fit.
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

/// All that training found out.
struct Trained {
  Model model{};
  Functions functions{};
  linea::Vector<double> y{};  ///< (n) numbers, or numbers of classes
  Column targets{};
  Entries x{};                    ///< (n × d) as learnt from
  linea::Index missing_cells{0};  ///< of the features, in the samples that were learnt from
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

/// Writes into the model how its functions were found, of so many samples, and adds their notes.
void describe(const TrainOptions& options, linea::Index rows, Trained& trained);

/// Keeps the model so far, while it is fitted; or empty.
using KeepModel = std::function<void(const Model&)>;
/// Writes each model to a file in place of the one before; empty where there is no path. Throws
/// std::invalid_argument at once where the file cannot be written.
KeepModel checkpoint_in(const std::string& path);
/// Keeps the model with the functions so far.
Checkpoint checkpoint_of(const Model& model, const KeepModel& keep);

/// Trains on a table as the options say, which it completes: the loss, where none was named, and
/// whether classes are fitted by one softmax. Throws std::invalid_argument for whatever is wrong with either.
Trained train(TrainOptions& options, const Table& table, const KeepModel& keep, Watch& watch);

}  // namespace program
