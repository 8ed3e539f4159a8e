// SPDX-License-Identifier: MIT
#pragma once
/// \file The end of a program that trains: its report and the model file.
#include <linea/io/output_file.hpp>
#include <optional>
#include <string>

#include "programs/common/training.hpp"

namespace program {

/// Returns the members of the report of --json.
json json_report(const TrainOptions& options, const Trained& trained);

/// Returns the report as several lines of text.
std::string plain_report(const TrainOptions& options, const Trained& trained);

using ModelFile = std::optional<linea::io::OutputFile>;

/// Opens the model file, if there is one, before training, to detect errors early.
void open_model_file(const TrainOptions& options, ModelFile& file);

/// Prints the report of --json or else `text`, and warnings, and writes the model to the file, if
/// any, unless the run diverged. Returns the exit code.
int finish(const std::string& program, const TrainOptions& options, const Trained& trained,
           const json& report, const std::string& text, ModelFile& file);

}  // namespace program
