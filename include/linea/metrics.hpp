// SPDX-License-Identifier: MIT
#pragma once
/// \file Includes all headers of metrics/.
#include <linea/metrics/class_scores.hpp>
#include <linea/metrics/classification.hpp>
#include <linea/metrics/counted.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/metrics/margins.hpp>
#include <linea/metrics/online_evaluation.hpp>
#include <linea/metrics/probabilities.hpp>
#include <linea/metrics/ranking.hpp>
#include <linea/metrics/regression.hpp>
