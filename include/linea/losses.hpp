// SPDX-License-Identifier: MIT
#pragma once
/// \file Includes all headers of losses/.
#include <linea/losses/absolute.hpp>
#include <linea/losses/any_loss.hpp>
#include <linea/losses/composed.hpp>
#include <linea/losses/cross_entropy.hpp>
#include <linea/losses/epsilon_insensitive.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/losses/huber.hpp>
#include <linea/losses/joint.hpp>
#include <linea/losses/log.hpp>
#include <linea/losses/perceptron_loss.hpp>
#include <linea/losses/poisson.hpp>
#include <linea/losses/quantile.hpp>
#include <linea/losses/smooth_hinge.hpp>
#include <linea/losses/squared.hpp>
#include <linea/losses/squared_hinge.hpp>
#include <linea/losses/zero_one.hpp>
