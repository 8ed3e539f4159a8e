// SPDX-License-Identifier: MIT
#pragma once
/// \file The command line of a program that trains.
#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "programs/common/call_files.hpp"
#include "programs/common/fit.hpp"
#include "programs/common/preprocessing.hpp"
#include "programs/common/table.hpp"

namespace program {

struct TrainOptions {
  FitTask task{};
  std::string optimizer{};   ///< as given; empty: auto, or sgd where an option of it is given
  std::string loss{};        ///< as given; empty: seen from the targets
  std::string lambda{};      ///< a number, a list with commas, or auto; empty: 1e-4
  std::string multiclass{};  ///< one-vs-rest or softmax; empty: softmax for the log loss
  InputOptions input{};
  PreprocessingOptions preprocessing{};
  std::string class_weights{};
  linea::Index folds{0};
  std::string validation{};  ///< a file, or a share of the samples
  linea::Index patience{5};
  std::string start{};
  std::string checkpoint{};
  double checkpoint_every{60};   ///< seconds
  bool one_pass{false};          ///< the file is a stream: see one_pass.hpp
  std::vector<double> labels{};  ///< of a stream
  linea::Index features{0};      ///< of a stream; 0: not known
  linea::Index block_bytes{1 << 20};
  bool no_offset{false};
  std::string plot{};
  bool as_json{false};
  bool is_quiet{false};
  std::string train_file{};
  std::string model_file{};

  bool is_softmax{false};         ///< decided once the targets are seen
  std::vector<double> lambdas{};  ///< of `lambda`; empty for auto

  /// The share of the samples that --validation holds out; none where it names a file.
  std::optional<double> validation_share() const;
  /// What is read and written, for require_apart.
  CallFiles files() const;
};

/// The options and their help.
void add_train_options(CLI::App& app, TrainOptions& options);

/// Of the input, for programs that only read.
void add_input_options(CLI::App& app, InputOptions& options);

/// What columns of a table are, for programs that learn it.
void add_column_options(CLI::App& app, InputOptions& options);

/// Refuses characters that cannot stand together, before any file is read.
void check_reading(const Reading& reading);

/// Sets what follows from the text of options. Throws std::invalid_argument for values that are
/// out of range, before any file is read.
void settle_train_options(TrainOptions& options);

/// Refuses a file of --plot by its name, unless there is none.
void require_picture(const std::string& plot);

/// Numbers with commas between them. `option` stands for them in messages.
std::vector<double> numbers_from(const std::string& option, const std::string& text);

}  // namespace program
