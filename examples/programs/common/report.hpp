// SPDX-License-Identifier: MIT
#pragma once
/// \file The final report of training, as text and as JSON.
#include <linea/io/output_file.hpp>
#include <optional>
#include <string>

#include "programs/common/training.hpp"

namespace program {

/// Returns the report as one line of JSON without its newline.
std::string json_report(const TrainOptions& options, const Trained& trained, double read_seconds);

/// Returns the report as several lines of text.
std::string plain_report(const TrainOptions& options, const Trained& trained);

/// Returns the table of lambdas with their errors on held-out folds, as text.
std::string lambda_table(const linea::ValidationCurve& curve, bool of_classes);

/// Ends a program that trains. Prints to standard error a warning, unless the text report has it,
/// and whether the run diverged or a signal ended it, in the words `how`. Writes the model to the
/// file, if any, unless the run diverged.
void finish(const std::string& program, const TrainOptions& options, const Trained& trained,
            std::optional<linea::io::OutputFile>& file, const char* how);

/// A weight, and the name of its feature.
struct NamedWeight {
  std::string name;
  double weight;
};

/// Returns the weights of function k that are largest by absolute value: at most `most`, none of
/// them 0.
std::vector<NamedWeight> largest_weights(const Model& model, linea::Index k, std::size_t most);

}  // namespace program
