// SPDX-License-Identifier: MIT
#pragma once
/// \file Includes all headers of activations/.
#include <linea/activations/exponential.hpp>
#include <linea/activations/hard_threshold.hpp>
#include <linea/activations/identity.hpp>
#include <linea/activations/sigmoid.hpp>
#include <linea/activations/tanh.hpp>
