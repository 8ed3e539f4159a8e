// SPDX-License-Identifier: MIT
#pragma once
/// \file Includes all headers of core/.
#include <linea/core/compiler.hpp>
// The checks of compiler.hpp come before all other headers.
#include <linea/core/activation.hpp>
#include <linea/core/by_rows.hpp>
#include <linea/core/entries.hpp>
#include <linea/core/extras.hpp>
#include <linea/core/lambdas.hpp>
#include <linea/core/loss.hpp>
#include <linea/core/numbers.hpp>
#include <linea/core/objective.hpp>
#include <linea/core/observer.hpp>
#include <linea/core/order.hpp>
#include <linea/core/parameters.hpp>
#include <linea/core/penalty.hpp>
#include <linea/core/platform.hpp>
#include <linea/core/random.hpp>
#include <linea/core/require.hpp>
#include <linea/core/rows.hpp>
#include <linea/core/rule.hpp>
#include <linea/core/solution.hpp>
#include <linea/core/step_size.hpp>
#include <linea/core/text_stream.hpp>
#include <linea/core/types.hpp>
#include <linea/core/validate.hpp>
#include <linea/core/workers.hpp>
#include <linea/core/wrong_call.hpp>
