// SPDX-License-Identifier: MIT
#pragma once
/// \file The best offset for the hinge loss when the weights are given and the samples are divided
/// among processes.
#include <algorithm>  // lower_bound, min, sort, upper_bound
#include <bit>        // bit_cast
#include <cstdint>
#include <limits>
#include <linea/core/processes.hpp>
#include <linea/optimizers/programs/hinge_offset.hpp>
#include <utility>  // pair
#include <vector>

namespace linea::programs {

/// Numbers in the order of doubles: a < b where key_of(a) < key_of(b).
inline std::uint64_t key_of(double number) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  const auto bits = std::bit_cast<std::uint64_t>(number + 0.0);  // −0 is 0
  return (bits & sign) != 0 ? ~bits : bits | sign;
}
inline double number_of(std::uint64_t key) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  return std::bit_cast<double>((key & sign) != 0 ? key & ~sign : ~key);
}

/// The slope of Σᵢ sᵢ·max(0, 1 − yᵢ(pᵢ + b)) in b, over the samples of all processes.
template <class Real = double>
class SharedHingeSlope {
 public:
  /// For scores p, targets y of −1 and +1 and weights s ≥ 0 of the samples of this process.
  SharedHingeSlope(const Vector<Real>& p, const Vector<Real>& y, const Vector<Real>& s,
                   const Processes& processes)
      : processes_(processes) {
    std::vector<std::pair<Real, Real>> kinks;
    double facts[2] = {0, 0};
    for (Index i = 0; i < p.size(); ++i) {
      if (!(s[i] > 0)) continue;
      kinks.emplace_back(y[i] - p[i], s[i]);
      if (y[i] > 0) facts[0] -= s[i];
      facts[1] += s[i];
    }
    processes.sum(facts, 2);
    first_ = facts[0];
    flat_ = 1e-13 * facts[1];
    std::sort(kinks.begin(), kinks.end());
    for (const auto& [kink, weight] : kinks) {
      kinks_.push_back(kink);
      below_.push_back(below_.back() + weight);
    }
  }

  /// Of all b with the smallest sum the one nearest to `near`: see hinge_offset.
  double root(double near) const {
    const auto at = std::lower_bound(kinks_.begin(), kinks_.end(), near);
    double slopes[2] = {below(near), below_[static_cast<std::size_t>(at - kinks_.begin())]};
    processes_.sum(slopes, 2);
    if (first_ + slopes[0] < -flat_)
      return least(key_of(near), key_of(infinity), [&](double slope) { return slope >= -flat_; });
    if (first_ + slopes[1] > flat_)
      return least(key_of(-infinity), key_of(near), [&](double slope) { return slope > flat_; });
    return near;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  /// Σ sᵢ over the kinks of this process at or below b.
  double below(double b) const {
    const auto after = std::upper_bound(kinks_.begin(), kinks_.end(), b);
    return below_[static_cast<std::size_t>(after - kinks_.begin())];
  }

  /// The least b in (low, high] with holds(slope just above b), which is a kink, given that it does
  /// not hold at low and does at high. Some eleven sums of 63 numbers: each leaves a 64th of the
  /// doubles between the two.
  template <class F>
  double least(std::uint64_t low, std::uint64_t high, F&& holds) const {
    constexpr std::uint64_t parts = 64;
    while (high - low > 1) {
      const std::uint64_t step = std::max<std::uint64_t>((high - low) / parts, 1);
      const std::uint64_t count = std::min(parts - 1, (high - low - 1) / step);
      double slopes[parts];
      for (std::uint64_t k = 0; k < count; ++k) slopes[k] = below(number_of(low + (k + 1) * step));
      processes_.sum(slopes, static_cast<Index>(count));
      std::uint64_t k = 0;
      while (k < count && !holds(first_ + slopes[k])) ++k;
      if (k < count) high = low + (k + 1) * step;
      low += k * step;
    }
    return number_of(high);
  }

  Processes processes_;
  double first_{0};  // the slope below all kinks
  double flat_{0};   // a slope that rounding may leave of none
  std::vector<double> kinks_{};
  std::vector<double> below_{0};  // sums of the weights of kinks, from the least on
};

/// That of hinge_offset, for the samples of all processes.
template <class Real>
double hinge_offset(const Vector<Real>& p, const Vector<Real>& y, const Vector<Real>& s,
                    double near, const Processes& processes) {
  if (processes.is_alone()) return hinge_offset(p, y, s, near);
  return SharedHingeSlope<Real>(p, y, s, processes).root(near);
}

}  // namespace linea::programs
