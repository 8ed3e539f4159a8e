// SPDX-License-Identifier: MIT
#pragma once
/// \file Reads models that the programs did not write: those of the library's write_model and of
/// LIBLINEAR.
#include <optional>
#include <string>
#include <string_view>

#include "programs/common/model.hpp"

namespace program {

/// Returns the model in these bytes if they begin like those of write_model, text or binary, or of
/// liblinear-train; else none. The input of the model is sparse rows; `take_columns` changes it to
/// columns. Throws std::invalid_argument, which names the file, for damaged files and unsupported
/// kinds of models.
std::optional<Model> foreign_model(std::string_view bytes, const std::string& path);

/// Prepares a foreign model for a table. Columns are found by the model's names, or else by
/// position, with or without the target at the end.
void take_columns(Model& model, const Table& table);

}  // namespace program
