// SPDX-License-Identifier: MIT
#pragma once
/// \file The door for one sample, of a learner that is fed by its caller.
#include <cmath>  // isfinite
#include <linea/core/objective.hpp>
#include <linea/rows/rows_of.hpp>
#include <string_view>

namespace linea::samples {

/// Refuses a sample of another number of features than d.
template <class Row>
void require_features(std::string_view function, const Row& row, Index d) {
  require(row.cols() == d, function, ": the sample has ", row.cols(),
          " features but the learner has ", d, " weights");
}

/// Refuses rows that are not one sample of d finite features, a target that the loss does not take,
/// and a weight that is negative or not finite. O(non-zeros).
template <class L, class Row, class T>
void require_sample(std::string_view function, const L& loss, const Row& row, Index d, T target,
                    T weight) {
  require(row.rows() == 1, function, ": a sample is one row, but x has ", row.rows());
  require_features(function, row, d);
  rows::require_distinct(function, row);
  rows::require_finite(function, row);
  require(is_valid_target(loss, target), function, ": y = ", target, " is no target of ",
          name_of(loss), ", which takes ", targets_of(loss));
  require(std::isfinite(weight) && weight >= 0, function, ": the sample weight is ", weight);
}

}  // namespace linea::samples
