// SPDX-License-Identifier: MIT
#pragma once
/// \file Estimated coefficients with their standard errors and p-values, printed as a table.
#include <algorithm>  // max
#include <cmath>
#include <limits>
#include <linea/core/text_stream.hpp>
#include <linea/core/types.hpp>
#include <ostream>
#include <string>
#include <vector>

namespace linea {

/// One coefficient. Unknown values are NaN.
struct Coefficient {
  double estimate{0};
  double standard_error{std::numeric_limits<double>::quiet_NaN()};
  double ratio{std::numeric_limits<double>::quiet_NaN()};    ///< estimate over standard error
  double p_value{std::numeric_limits<double>::quiet_NaN()};  ///< see StandardErrors; NaN for λ > 0
};

/// The coefficients of a linear model and their uncertainty. See standard_errors.
///
/// p_value is the probability of a ratio at least as far from 0 if the true coefficient is 0. The
/// ratio then follows Student's t distribution with `freedom` degrees of freedom: exactly for
/// Squared with normal noise, else approximately, for large n. With λ > 0 the estimates are shrunk,
/// no such probability is known, and p_value is NaN.
struct [[nodiscard]] StandardErrors {
  std::vector<Coefficient> weights{};         ///< (d)
  Coefficient offset{};                       ///< if fixed: estimate 0, ratio and p_value NaN
  detail::ColumnMatrix<double> covariance{};  ///< (d + 1 × d + 1), the offset last
  double dispersion{1};  ///< σ², estimated for Squared; 1 for the other losses
  double freedom{std::numeric_limits<double>::infinity()};  ///< ∞: the normal distribution
  Index rank{0};       ///< rank of the samples, centred if the offset is free; at most d
  double distance{0};  ///< largest |Newton step|/(standard error) of a coefficient
  std::string note{};  ///< empty, or a description of a problem
};

namespace detail {

/// Returns Γ(a + ½)/Γ(a) for a > 0. The recurrence increases a to at least 128, where the
/// asymptotic series is accurate.
inline double half_step_of_gamma(double a) {
  double factor = 1;
  for (; a < 128; ++a) factor *= a / (a + 0.5);
  const double r = 1 / (8 * a);
  const double series = 1 - r + r * r * (0.5 + r * (2.5 - r * (2.625 + r * 49.875)));
  return factor * std::sqrt(a) * series;
}

/// Returns the continued fraction of the incomplete beta function at x, by Lentz's method (DLMF
/// 8.17.22).
inline double beta_fraction(double a, double b, double x) {
  const auto kept = [](double v) {
    return std::abs(v) < std::numeric_limits<double>::min() ? std::numeric_limits<double>::min()
                                                            : v;
  };
  double c = 1;
  double d = 1 / kept(1 - (a + b) * x / (a + 1));
  double value = d;
  for (int m = 1; m < 10000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / kept(1 + even * d);
    c = kept(1 + even / c);
    value *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / kept(1 + odd * d);
    c = kept(1 + odd / c);
    value *= d * c;
    if (std::abs(d * c - 1) <= std::numeric_limits<double>::epsilon()) break;
  }
  return value;
}

/// Returns P(|T| ≥ t) for t > 0 and Student's T with many degrees of freedom: that of the normal z
/// with the same tail (Hill, Algorithm 395, Communications of the ACM 13 (1970)).
inline double tail_of_many(double t, double freedom) {
  const double a = freedom - 0.5;
  const double b = 48 * a * a;
  const double ratio = t / std::sqrt(freedom);
  const double y = a * std::log1p(ratio * ratio);
  const double rest = (((-0.4 * y - 3.3) * y - 24) * y - 85.5) / (0.8 * y * y + 100 + b);
  const double z = ((rest + y + 3) / b + 1) * std::sqrt(y);
  return std::erfc(z / std::sqrt(2.0));
}

/// Returns P(|T| ≥ |t|) for Student's t with `freedom` > 0 degrees of freedom, which may be
/// fractional; infinitely many give the normal distribution. The relative error is about 1e-12.
/// Returns NaN if t is NaN or `freedom` is not > 0.
inline double two_sided_tail(double t, double freedom) {
  if (std::isnan(t) || !(freedom > 0)) return std::numeric_limits<double>::quiet_NaN();
  if (std::isinf(freedom)) return std::erfc(std::abs(t) / std::sqrt(2.0));
  if (t == 0) return 1;
  const double slope = std::abs(t) / std::sqrt(freedom);
  if (std::isinf(slope)) return 0;
  if (freedom > 1e4 && slope < 1) return tail_of_many(std::abs(t), freedom);
  // The tail is the incomplete beta function I_x(a, ½) at x = 1/(1 + t²/freedom): x^a·√(1 − x)/B(a,
  // ½) times the continued fraction, divided by a.
  const double a = freedom / 2;
  const double log_x = slope > 1e8 ? -2 * std::log(slope) : -std::log1p(slope * slope);
  const double x = 1 / (1 + slope * slope);
  const double root_rest = slope / std::hypot(1, slope);
  constexpr double root_pi = 1.7724538509055160273;
  const double front = std::exp(a * log_x) * root_rest * half_step_of_gamma(a) / root_pi;
  if (x < (a + 1) / (a + 2.5)) return front / a * beta_fraction(a, 0.5, x);
  return std::max(0.0, 1 - 2 * front * beta_fraction(0.5, a, root_rest * root_rest));
}

inline void write_coefficient(std::ostream& out, std::string name, const Coefficient& c) {
  const auto cell = [&](int width, int digits, double value) {
    out.width(width);
    out.precision(digits);
    std::isnan(value) ? out << "nan" : out << value;  // NaN has no sign
  };
  if (name.size() < 8) name.resize(8, ' ');
  out << name;
  cell(13, 6, c.estimate);
  cell(13, 6, c.standard_error);
  cell(11, 4, c.ratio);
  cell(11, 3, c.p_value);
  out << '\n';
}

}  // namespace detail

/// Writes one line for each coefficient, the dispersion if `freedom` is finite, and the note if
/// there is one. Weights are numbered from 0. An offset whose estimate and standard error are 0,
/// such as a fixed offset, has no line.
inline std::ostream& operator<<(std::ostream& out, const StandardErrors& errors) {
  detail::TextStream text;
  const bool is_normal = errors.freedom == std::numeric_limits<double>::infinity();
  text << "             estimate   std. error" << (is_normal ? "          z" : "          t")
       << "    p-value\n";
  for (std::size_t j = 0; j < errors.weights.size(); ++j)
    detail::write_coefficient(text, "w[" + std::to_string(j) + ']', errors.weights[j]);
  if (errors.offset.estimate != 0 || errors.offset.standard_error != 0)
    detail::write_coefficient(text, "offset", errors.offset);
  text.precision(6);
  if (!is_normal)
    text << "dispersion " << errors.dispersion << " with " << errors.freedom
         << " degrees of freedom\n";
  if (!errors.note.empty()) text << "note: " << errors.note << '\n';
  return out << text.str();
}

}  // namespace linea
