// SPDX-License-Identifier: MIT
#pragma once
/// \file Deprecated: the former name of io.hpp.
#include <linea/io.hpp>
