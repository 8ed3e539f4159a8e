// SPDX-License-Identifier: MIT
#pragma once
/// \file Includes all headers of orders/.
#include <linea/orders/cyclic.hpp>
#include <linea/orders/shuffled.hpp>
#include <linea/orders/with_replacement.hpp>
#include <linea/orders/working_sets.hpp>
