// SPDX-License-Identifier: MIT
#pragma once
/// \file The version, in the one place that states it; CMake reads these three lines.

#define LINEA_VERSION_MAJOR 0
#define LINEA_VERSION_MINOR 3
#define LINEA_VERSION_PATCH 0
