// SPDX-License-Identifier: MIT
#pragma once
/// \file Input validation of one sample, for learners that are fed by their caller and for models.
#include <cmath>  // isfinite
#include <linea/core/objective.hpp>
#include <linea/rows/rows_of.hpp>
#include <string_view>

namespace linea::samples {

/// Refuses rows that are not one sample of d features. O(1).
template <class Row>
void require_one_sample(std::string_view function, const Row& row, Index d) {
  require(row.rows() == 1, function, ": a sample is one row, but x has ", row.rows());
  require(row.cols() == d, function, ": a sample of ", row.cols(), " numbers, but the model has ",
          d, " weights");
}

/// Refuses rows that are not one sample of d finite features, a target that the loss does not take,
/// and a weight that is negative or not finite. O(non-zeros).
template <class L, class Row, class T>
void require_sample(std::string_view function, const L& loss, const Row& row, Index d, T target,
                    T weight) {
  require_one_sample(function, row, d);
  rows::require_distinct(function, row);
  rows::require_finite(function, row);
  require(is_valid_target(loss, target), function, ": y = ", target, " is no target of ",
          name_of(loss), ", which takes ", targets_of(loss));
  require(std::isfinite(weight) && weight >= 0, function, ": the sample weight is ", weight);
}

}  // namespace linea::samples
