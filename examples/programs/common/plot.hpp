// SPDX-License-Identifier: MIT
#pragma once
/// \file Pictures of a run and of a model, drawn by gnuplot.
#include <string>

#include "programs/common/scoring.hpp"
#include "programs/common/training.hpp"

namespace program {

/// The run's curve, the choice of lambda, and what `plot_prediction` draws, of the training samples
/// or, where there are some, of those held out. `path` ends in .svg or .png. Throws
/// std::invalid_argument where gnuplot is not there or fails.
void plot_training(const std::string& path, const Trained& trained);

/// Of classes ROC (two of them), calibration (with probabilities) and confusion matrix; of numbers
/// predictions against targets; and the largest weights.
void plot_prediction(const std::string& path, const Model& model,
                     const linea::Matrix<double>& scores, const linea::Vector<double>& y,
                     const Figures& figures);

}  // namespace program
