// SPDX-License-Identifier: MIT
#pragma once
/// \file Everything of metrics/.
#include <linea/metrics/average_precision.hpp>
#include <linea/metrics/brier_score.hpp>
#include <linea/metrics/class_counts.hpp>
#include <linea/metrics/class_scores.hpp>
#include <linea/metrics/classification.hpp>
#include <linea/metrics/counted.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/metrics/likelihood.hpp>
#include <linea/metrics/margins.hpp>
#include <linea/metrics/matthews_correlation.hpp>
#include <linea/metrics/numbers.hpp>
#include <linea/metrics/positive_label.hpp>
#include <linea/metrics/precision_recall.hpp>
#include <linea/metrics/ranking.hpp>
#include <linea/metrics/regression.hpp>
#include <linea/metrics/relative_errors.hpp>
#include <linea/metrics/roc_auc.hpp>
