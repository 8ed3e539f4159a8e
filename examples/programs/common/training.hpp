// SPDX-License-Identifier: MIT
#pragma once
/// \file From a table to a model: targets, classes, selection of lambda, fit.
#include <functional>
#include <linea/models/validation_curve.hpp>
#include <optional>
#include <string>
#include <utility>
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
  linea::Vector<double> y{};  ///< (n) numbers for regression, else class indices
  Column targets{};
  Entries x{};                    ///< (n × d), the training samples
  linea::Index missing_cells{0};  ///< in features of the training samples
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

/// Writes how the model was trained to trained.model.training, and the notes of the fits to
/// trained.note.
void describe(const TrainOptions& options, linea::Index rows, Trained& trained);

/// A function that stores the current model during a fit; or empty.
using KeepModel = std::function<void(const Model&)>;
/// Writes checkpoints to a file.
class CheckpointFile {
 public:
  /// `program` is the name of the program in messages, and `path` may be empty.
  CheckpointFile(const char* program, std::string path)
      : program_(program), path_(std::move(path)) {}

  /// Returns a function that writes each model to the file, replacing the previous one, or an empty
  /// function if there is no file. If a model cannot be written, for example to a full disk, the
  /// function prints a warning, once until a model can be written again: the run goes on.
  KeepModel writer();

  /// Throws std::invalid_argument if the last model could not be written.
  void require_written() const;

 private:
  const char* program_;
  std::string path_;
  std::string failure_{};
};
/// Returns a function that passes the model with the current functions to `keep`, or an empty
/// function if `keep` is empty. `keep` must outlive the result.
Checkpoint checkpoint_of(const Model& model, const KeepModel& keep);

/// Trains on a table with the options. In the options, sets the loss if it is not given, whether
/// classes use softmax, and lambda if it is selected. Throws std::invalid_argument for errors in
/// the options or the table, and Interrupted after a signal during the selection.
Trained train(TrainOptions& options, const Table& table, const KeepModel& keep, Watch& watch);

}  // namespace program
