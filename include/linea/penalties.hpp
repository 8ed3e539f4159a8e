// SPDX-License-Identifier: MIT
#pragma once
/// \file Includes all headers of penalties/.
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l1.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/penalties/non_negative.hpp>
#include <linea/penalties/none.hpp>
#include <linea/penalties/penalty_factors.hpp>
