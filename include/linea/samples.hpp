// SPDX-License-Identifier: MIT
#pragma once
/// \file Includes all headers of samples/.
#include <linea/samples/best_constant.hpp>
#include <linea/samples/blocks.hpp>
#include <linea/samples/columns.hpp>
#include <linea/samples/frame.hpp>
#include <linea/samples/loss_blocks.hpp>
#include <linea/samples/origin.hpp>
#include <linea/samples/passes.hpp>
#include <linea/samples/present_columns.hpp>
#include <linea/samples/risk.hpp>
#include <linea/samples/risk_of_scores.hpp>
#include <linea/samples/row_block.hpp>
#include <linea/samples/row_blocks.hpp>
#include <linea/samples/row_order.hpp>
#include <linea/samples/scores.hpp>
#include <linea/samples/second_moment.hpp>
#include <linea/samples/training_set.hpp>
