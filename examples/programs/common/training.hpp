// SPDX-License-Identifier: MIT
#pragma once
/// \file From a table to a model: targets, classes, the choice of lambda, the fit.
#include <exception>
#include <linea/models/validation_curve.hpp>
#include <optional>
#include <string>
#include <vector>

#include "programs/common/fit.hpp"
#include "programs/common/model.hpp"
#include "programs/common/scoring.hpp"
#include "programs/common/train_options.hpp"
#include "programs/common/watch.hpp"

namespace program {

/// One linear function, or one a class, and how each was found. A softmax has one fit for all.
struct Functions {
  linea::Matrix<double> weights{};
  linea::Vector<double> offset{};
  std::vector<Fit> fits{};

  linea::Status status() const;  ///< the worst of the fits'
  double objective() const;      ///< the sum of the fits'
  std::optional<double> dual() const;
  linea::Index epochs() const;
  linea::Index updates() const;
};

/// Softmax regression for classes 0, 1, … (n), compiled apart.
Functions fit_softmax(const FitTask& task, const linea::SparseMatrix<double>& x,
                      const linea::Vector<double>& classes);

/// Ctrl-C was pressed before there was a model.
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted: no model is written"; }
};

/// All that training found out.
struct Trained {
  Model model{};
  Functions functions{};
  linea::Vector<double> y{};  ///< (n) numbers, or numbers of classes
  Column targets{};
  linea::SparseMatrix<double> x{};  ///< (n × d) as learnt from
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

/// Trains on a table as the options say, which it completes: the loss, where none was named, and
/// whether classes are fitted by one softmax. Throws std::invalid_argument for whatever is wrong
/// with either.
Trained train(TrainOptions& options, const Table& table, Watch& watch);

}  // namespace program
