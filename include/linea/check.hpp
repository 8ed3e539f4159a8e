// SPDX-License-Identifier: MIT
#pragma once
/// \file The checks of losses, penalties and activations, for tests of your own.
#include <linea/check/activation.hpp>
#include <linea/check/loss.hpp>
#include <linea/check/penalty.hpp>
#include <linea/check/points.hpp>
