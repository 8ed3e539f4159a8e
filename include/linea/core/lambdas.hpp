// SPDX-License-Identifier: MIT
#pragma once
/// \file Lists of λ, and the selection of one of them by its error.
#include <cmath>    // abs, exp, isfinite, isnan, log
#include <cstddef>  // size_t
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <string_view>
#include <vector>

namespace linea {

/// Returns `count` numbers in geometric progression, with `first` as the first number and `last` as
/// the last. Throws std::invalid_argument unless `first` and `last` are positive and finite, and
/// count ≥ 2 (or count = 1 and first = last).
inline std::vector<double> log_spaced(double first, double last, Index count) {
  require(std::isfinite(first) && first > 0 && std::isfinite(last) && last > 0, "log_spaced: from ",
          first, " to ", last, ", but both must be finite and > 0");
  require(count >= 2 || (count == 1 && first == last), "log_spaced: ", count, " numbers from ",
          first, " to ", last);
  std::vector<double> numbers(static_cast<std::size_t>(count), first);
  const double steps = static_cast<double>(count - 1);
  for (Index k = 1; k < count; ++k) {
    const double share = static_cast<double>(k) / steps;
    numbers[static_cast<std::size_t>(k)] =
        k + 1 < count ? std::exp((1 - share) * std::log(first) + share * std::log(last)) : last;
  }
  return numbers;
}

namespace detail {

/// Throws when a λ is negative or not finite. The message contains the index of this λ, from 0.
inline void require_lambdas(std::string_view function, const std::vector<double>& lambdas) {
  for (std::size_t k = 0; k < lambdas.size(); ++k)
    require(std::isfinite(lambdas[k]) && lambdas[k] >= 0, function, ": lambda ", k, " is ",
            lambdas[k], ", but must be finite and >= 0");
}

/// Returns the index of the largest λ whose error equals the least error up to rounding. Error k
/// has a rounding error of at most roundings[k] ≥ 0; errors j and k count as equal if they differ
/// by at most roundings[j] + roundings[k]. NaN counts as larger than every number.
template <class Errors>
Index best_lambda(const std::vector<double>& lambdas, const Errors& errors,
                  const Errors& roundings) {
  Index least = 0;
  for (Index k = 1; k < errors.size(); ++k)
    if (errors[k] < errors[least] || (std::isnan(errors[least]) && !std::isnan(errors[k])))
      least = k;
  Index best = least;
  for (Index k = 0; k < errors.size(); ++k)
    if (errors[k] <= errors[least] + (roundings[k] + roundings[least]) &&
        lambdas[static_cast<std::size_t>(k)] > lambdas[static_cast<std::size_t>(best)])
      best = k;
  return best;
}

/// Returns whether a λ outside the range of `lambdas` may be better. The conditions are that
/// lambdas[best] is positive, that it is the least or the largest of at least two different λ, that
/// errors[best] is finite, and that no other error is less than or exceeds errors[best] by at most
/// a millionth of |errors[best]|.
template <class Errors>
bool is_at_edge(const std::vector<double>& lambdas, const Errors& errors, Index best) {
  const double chosen = lambdas[static_cast<std::size_t>(best)];
  if (!std::isfinite(errors[best])) return false;
  bool is_least = true;
  bool is_largest = true;
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    is_least = is_least && chosen <= lambdas[k];
    is_largest = is_largest && chosen >= lambdas[k];
    const auto other = static_cast<Index>(k);
    if (other != best && errors[other] - errors[best] <= 1e-6 * std::abs(errors[best]))
      return false;
  }
  return is_least != is_largest && chosen > 0;
}

}  // namespace detail
}  // namespace linea
