// SPDX-License-Identifier: MIT
#pragma once
/// \file A model as a C++ header that scores without linea.
#include <string>

#include "programs/common/model.hpp"

namespace program {

/// Writes the header to a file, or to standard output for "-". It takes a number for each feature:
/// columns as they are (scales are folded into the weights), and for columns of text one of 0 or 1
/// for each value. Throws std::invalid_argument for models of products or hashed names, and for a
/// path that is no file name of C++'s.
void emit_header(const Model& model, const std::string& path);

}  // namespace program
