// SPDX-License-Identifier: MIT
#pragma once
/// \file A model as a C++ header that scores without linea.
#include <string>

#include "programs/common/model.hpp"

namespace program {

/// Writes the header to a file, or to standard output for "-". Its input is a number for each
/// feature: unscaled columns (scales are folded into the weights), and for text columns one of 0 or
/// 1 for each value. Throws std::invalid_argument for models with products or hashed names, and for
/// a path that gives no C++ name.
void emit_header(const Model& model, const std::string& path);

}  // namespace program
