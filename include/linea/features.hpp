// SPDX-License-Identifier: MIT
#pragma once
/// \file Everything of features/.
#include <linea/features/standardise.hpp>
