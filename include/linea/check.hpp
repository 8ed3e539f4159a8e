// SPDX-License-Identifier: MIT
#pragma once
/// \file Tests of your own losses, penalties and activations.
#include <linea/check/activation.hpp>
#include <linea/check/loss.hpp>
#include <linea/check/penalty.hpp>
#include <linea/check/points.hpp>
