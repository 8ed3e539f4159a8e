// SPDX-License-Identifier: MIT
#pragma once
/// \file Models that linea_train did not write: those of the library's write_model, and LIBLINEAR's.
#include <optional>
#include <string>
#include <string_view>

#include "programs/common/model.hpp"

namespace program {

/// The model of these bytes, if they begin as those of write_model, text or binary, or of
/// liblinear-train do. Its input is lists of entries; `take_columns` makes it columns. Throws
/// std::invalid_argument that names the file for one that is damaged, and for kinds that
/// linea_predict has no use for.
std::optional<Model> foreign_model(std::string_view bytes, const std::string& path);

/// Lets a foreign model take a table: columns by the names that the model has, or else by their
/// places, with the target behind them or not at all.
void take_columns(Model& model, const Table& table);

}  // namespace program
