// SPDX-License-Identifier: MIT
#pragma once
/// \file From a table to a model.
#include <linea/core/observer.hpp>
#include <linea/core/solution.hpp>
#include <linea/models/validation_curve.hpp>
#include <optional>
#include <string>

#include "programs/common/model.hpp"
#include "programs/common/scoring.hpp"
#include "programs/common/train_options.hpp"

namespace program {

/// The predictions of --one-pass, each made before the sample was learned.
struct Progressive {
  double loss{0};   ///< their mean loss
  double error{0};  ///< their error rate or mean squared error
};

/// A model, and all that the report says of its training.
struct Trained {
  Model model{};
  linea::Index rows{0};
  linea::Index entries{0};
  Entries x{};                                     ///< (n × d); empty for streams and divided rows
  linea::Vector<double> y{};                       ///< (n) class indices or numbers, as x
  linea::Index missing_cells{0};                   ///< in features
  linea::Status status{linea::Status::converged};  ///< the worst of the functions
  double objective{0};                             ///< the sum over the functions
  std::optional<double> gap{0};                    ///< the sum over the functions, if all are known
  linea::Index epochs{0};
  linea::Index updates{0};
  std::string note{};
  std::optional<linea::ValidationCurve> curve{};
  std::optional<Figures> training{};
  std::optional<Figures> validation{};
  std::optional<Progressive> progressive{};
  double read_seconds{0};
  double train_seconds{0};
  bool is_interrupted{false};

  /// Adds the status, objective and so on of one fit.
  template <class S>
  void add(const S& solution) {
    status = std::max(status, solution.status);
    objective += solution.objective;
    gap = gap && solution.gap ? std::optional(*gap + *solution.gap) : std::nullopt;
    epochs += solution.epochs;
    updates += solution.updates;
    auto& fit = model.fits.emplace_back();
    linea::copy_account(solution, fit);
    fit.optimizer = solution.optimizer;
  }
  /// Adds a remark on the training, unless there is such a remark.
  void add_note(const std::string& text);
  bool diverged() const { return status == linea::Status::diverged; }
};

/// Returns an observer that ends a run after Ctrl-C or SIGTERM. If `shows` and standard error is a
/// terminal, the observer prints a line of progress every two seconds.
linea::ObserverFunction observer_of(bool shows);

/// Returns the linear function of the model --start as a start of the fit, in terms of the scales of
/// `model`. Throws std::invalid_argument unless it has the features of `model`.
linea::Extras<double> read_start(const TrainOptions& options, const Model& model);

/// Writes how the model was trained to trained.model.fits and notes.
void describe(const TrainOptions& options, Trained& trained);

/// Trains on a table with the options. In the options, sets the loss if it is not given, and lambda
/// if it is selected. Throws std::invalid_argument for errors in
/// the options or the table.
Trained train(TrainOptions& options, const Table& table);

}  // namespace program
