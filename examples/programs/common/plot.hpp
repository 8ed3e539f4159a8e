// SPDX-License-Identifier: MIT
#pragma once
/// \file Pictures of a run and of a model, drawn by gnuplot.
#include <string>

#include "programs/common/scoring.hpp"
#include "programs/common/training.hpp"

namespace program {

/// Draws the run's curve, the errors for each lambda if several were tried, and the picture of
/// `plot_prediction` for the held-out samples, if any, or the training samples. `path` ends in .svg
/// or .png. Throws std::invalid_argument if gnuplot is missing or fails, or if the file cannot be
/// written.
void plot_training(const std::string& path, const Trained& trained);

/// Draws predictions. For classes it draws the ROC curve (of two classes), the calibration (of two
/// classes, with probabilities) and the confusion matrix (of at most 20 classes). For regression it
/// draws predictions against targets. In both cases it draws the largest weights.
void plot_prediction(const std::string& path, const Model& model,
                     const linea::Matrix<double>& scores, const linea::Vector<double>& y,
                     const Figures& figures);

}  // namespace program
