// SPDX-License-Identifier: MIT
#pragma once
/// \file The version of linea. CMake reads it from these three lines.

#define LINEA_VERSION_MAJOR 0
#define LINEA_VERSION_MINOR 4
#define LINEA_VERSION_PATCH 0
