// SPDX-License-Identifier: MIT
#pragma once
/// \file The command line of a program that trains.
#include <CLI/CLI.hpp>
#include <charconv>
#include <optional>
#include <string>
#include <type_traits>

#include "programs/common/call_files.hpp"
#include "programs/common/fit.hpp"
#include "programs/common/preprocessing.hpp"
#include "programs/common/table.hpp"

namespace program {

/// Adds an option of a decimal whole number. Refuses other text, and numbers out of range: CLI11
/// alone reads 010 as 8, and replaces numbers that are too large by the largest one.
template <class Number>
CLI::Option* add_whole(CLI::App& app, const char* name, Number& value, const char* help) {
  using T = std::conditional_t<std::is_unsigned_v<Number>, std::uint64_t, linea::Index>;
  const auto check = [](std::string& text) -> std::string {
    T number{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc::result_out_of_range) return '\'' + text + "' is too large";
    if (error != std::errc{} || stop != end)
      return '\'' + text +
             (std::is_signed_v<T> ? "' is not a whole number" : "' is not a whole number >= 0");
    text = std::to_string(number);
    return {};
  };
  return app.add_option(name, value, help)->transform(CLI::Validator(check, ""));
}

/// Adds an option of a list with commas.
template <class Item>
CLI::Option* add_list(CLI::App& app, const char* name, std::vector<Item>& items, const char* help) {
  return app.add_option(name, items, help)->delimiter(',')->allow_extra_args(false);
}

struct TrainOptions {
  FitOptions fit{};          ///< settled by settle_train_options, and the loss by the targets
  std::string optimizer{};   ///< empty: sgd if an option of sgd is given, else auto
  std::string loss{};        ///< empty: selected by the optimizer or the targets
  std::string lambda{};      ///< a number, a list with commas, or auto; empty: 1e-4
  std::string multiclass{};  ///< one-vs-rest or softmax; empty: see settle_targets
  InputOptions input{};
  PreprocessingOptions preprocessing{};
  std::string class_weights{};
  linea::Index folds{0};
  std::string validation{};  ///< a file, or a fraction of the samples
  linea::Index patience{0};  ///< 0: not given
  std::string start{};
  bool one_pass{false};          ///< is the file a stream? See one_pass.hpp
  std::vector<double> labels{};  ///< the two labels of a stream
  bool no_offset{false};
  bool as_json{false};
  bool is_quiet{false};
  std::string train_file{};
  std::string model_file{};

  std::vector<double> lambdas{};  ///< the numbers in `lambda`; empty for auto

  /// Is λ selected by cross-validation?
  bool selects_lambda() const { return lambda == "auto" || lambdas.size() > 1; }
  /// Returns the fraction of the samples that --validation holds out, or none if the option is not
  /// given or names a file.
  std::optional<double> validation_share() const;
  /// Returns the input and output files, for require_apart.
  CallFiles files() const;
};

/// Adds the options of linea_train and their help.
void add_train_options(CLI::App& app, TrainOptions& options);

/// Adds those of these options that linea_train_mpi has.
void add_divided_options(CLI::App& app, TrainOptions& options);

/// Adds the options for reading files.
void add_input_options(CLI::App& app, InputOptions& options);

/// Adds --text, --drop and --most-features, for programs that convert or learn.
void add_column_options(CLI::App& app, InputOptions& options);

/// Sets values that depend on the text of options. Throws std::invalid_argument for values out of
/// range, before any file is read.
void settle_train_options(TrainOptions& options);

/// Returns comma-separated numbers. `option` is the name of the option in messages.
std::vector<double> numbers_from(const std::string& option, const std::string& text);

}  // namespace program
