// SPDX-License-Identifier: MIT
#pragma once
/// \file Estimates of coefficients with their standard errors: a value, and a table for people.
#include <cmath>  // isnan
#include <iomanip>
#include <limits>
#include <linea/core/text_stream.hpp>
#include <linea/core/types.hpp>
#include <ostream>
#include <string>
#include <vector>

namespace linea {

/// One coefficient. What cannot be told is NaN.
struct Coefficient {
  double estimate{0};
  double standard_error{std::numeric_limits<double>::quiet_NaN()};
  double ratio{std::numeric_limits<double>::quiet_NaN()};    ///< estimate over standard error
  double p_value{std::numeric_limits<double>::quiet_NaN()};  ///< with λ = 0 only: see below
};

/// The coefficients of a linear model, and how sure they are. See standard_errors.
///
/// p_value: how likely the ratio would be as far from 0 if the coefficient were 0, by Student's t
/// with as many degrees of `freedom`. With λ > 0 estimates are drawn to 0 and towards each other,
/// and no such probability is known.
struct [[nodiscard]] StandardErrors {
  std::vector<Coefficient> weights{};  ///< (d)
  Coefficient offset{};                ///< all 0 but its ratio and p_value where it is fixed at 0
  core::ColumnMatrix<double> covariance{};  ///< (d + 1 × d + 1), the offset last
  double dispersion{1};  ///< σ², estimated for Squared; 1 where the loss is a likelihood
  double freedom{std::numeric_limits<double>::infinity()};  ///< ∞: the normal distribution
  Index rank{0};       ///< of the samples, centred where the offset is free; d is full
  double distance{0};  ///< by how many of its standard errors a coefficient is off the minimum
  std::string note{};  ///< empty, or what is wrong, for people
};

namespace models {

inline void write_cell(std::ostream& out, int width, int digits, double value) {
  out << std::setw(width);
  if (std::isnan(value))
    out << "nan";  // whatever its sign
  else
    out << std::setprecision(digits) << value;
}

inline void write_coefficient(std::ostream& out, const std::string& name, const Coefficient& c) {
  out << std::left << std::setw(8) << name << std::right;
  write_cell(out, 13, 6, c.estimate);
  write_cell(out, 13, 6, c.standard_error);
  write_cell(out, 11, 4, c.ratio);
  write_cell(out, 11, 3, c.p_value);
  out << '\n';
}

}  // namespace models

/// A line for each coefficient, weights numbered from 0, without an offset that is fixed, and the
/// note.
inline std::ostream& operator<<(std::ostream& out, const StandardErrors& errors) {
  core::TextStream text;
  const bool is_normal = errors.freedom == std::numeric_limits<double>::infinity();
  text << "             estimate   std. error" << (is_normal ? "          z" : "          t")
       << "    p-value\n";
  for (std::size_t j = 0; j < errors.weights.size(); ++j)
    models::write_coefficient(text, "w[" + std::to_string(j) + ']', errors.weights[j]);
  if (errors.offset.estimate != 0 || errors.offset.standard_error != 0)
    models::write_coefficient(text, "offset", errors.offset);
  if (!is_normal)
    text << std::setprecision(6) << "dispersion " << errors.dispersion << " with " << errors.freedom
         << " degrees of freedom\n";
  if (!errors.note.empty()) text << "note: " << errors.note << '\n';
  return out << text.str();
}

}  // namespace linea
