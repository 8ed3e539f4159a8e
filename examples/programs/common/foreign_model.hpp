// SPDX-License-Identifier: MIT
#pragma once
/// \file Reads models that the programs did not write: those of the library's write_model and of
/// LIBLINEAR.
#include <optional>
#include <string>
#include <string_view>

#include "programs/common/model.hpp"

namespace program {

/// Returns the model in these bytes, or nothing unless they begin like a file of write_model (text
/// or binary) or of liblinear-train. The model expects sparse rows; `take_columns` changes it to
/// expect columns. Throws std::invalid_argument, with the name of the file in the message, for
/// damaged files and unsupported kinds of models.
std::optional<Model> foreign_model(std::string_view bytes, const std::string& path);

/// Prepares a foreign model for a table. The program then finds columns by the model's names, or
/// else by position, with or without the target at the end.
void take_columns(Model& model, const Table& table);

}  // namespace program
