// SPDX-License-Identifier: MIT
#pragma once
/// \file Everything of metrics/.
#include <linea/metrics/classification.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/metrics/likelihood.hpp>
#include <linea/metrics/margins.hpp>
#include <linea/metrics/regression.hpp>
#include <linea/metrics/weighted_mean.hpp>
