// SPDX-License-Identifier: MIT
#pragma once
/// \file Writes a model as a C++ header that scores without linea.
#include <string>

#include "programs/common/model.hpp"

namespace program {

/// Writes the header to a file, or to standard output for "-". The functions of the header expect a
/// number for each feature. The numbers are those of the table, because the weights of the header
/// include the scales; a text column has a feature of 0 or 1 for each value. Throws
/// std::invalid_argument for models with products or hashed names, for a path that gives no C++
/// name, and if the file cannot be written.
void emit_header(const Model& model, const std::string& path);

}  // namespace program
