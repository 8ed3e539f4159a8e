// SPDX-License-Identifier: MIT
/// \file The properties of support/laws/ for Auto, for the log loss and the hinge loss.
#include <linea/optimizers/auto.hpp>

#include "optimizers/laws.hpp"

using namespace linea;

// The name of each trial is "", because a message begins with the name of Auto or of the selected
// optimizer.

TEST_CASE("Laws: Auto by Newton", "[optimizers]") {
  check::OptimizerOptions options{
      .minima = {1e-8, 1e-3}, .layouts = {1e-8, 1e-3}, .floats = {1e-8, 1e-3}};
  options.gap_tolerance = 1e-8;
  options.start = check::Start::either;
  test::obeys("", Auto{.tolerance = 1e-8}, test::log_objective, test::log_at_minimum, options);
  options.start = check::Start::weights;
  // Auto selects Newton, except for samples without features: it selects dual ascent, which refuses
  // these samples.
  test::obeys("", Auto{.tolerance = 1e-8}, Objective{Log{}, L2{1e-4}}, test::anything, options);
}

TEST_CASE("Laws: Auto on the hinge", "[optimizers]") {
  check::OptimizerOptions options{
      .minima = {2e-8, 1e-3}, .layouts = {2e-8, 1e-3}, .floats = {1e-6, 1e-3}};
  options.gap_tolerance = 1e-8;
  // The order of dual ascent groups rows by their size in bytes, which depends on the type.
  options.start = check::Start::either;
  const Auto optimizer{.tolerance = 1e-8};
  test::obeys("", optimizer, test::hinge_objective, test::hinge_at_minimum, options);
  test::obeys("", optimizer, Objective{Hinge{}, L2{1e-3}}, test::anything, options);
}
