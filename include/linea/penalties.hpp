// SPDX-License-Identifier: MIT
#pragma once
/// \file Includes all headers of penalties/.
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l1.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/penalties/none.hpp>
