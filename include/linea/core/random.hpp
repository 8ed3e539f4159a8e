// SPDX-License-Identifier: MIT
#pragma once
/// \file A random number generator that gives the same integers, doubles and shuffles on every
/// platform.
#include <cstddef>  // size_t
#include <cstdint>
#include <linea/core/compiler.hpp>
#include <span>

namespace linea {

/// The generator xoshiro256++ (Blackman and Vigna, ACM TOMS 47(4), 2021). splitmix64 expands the
/// seed.
class Random {
 public:
  explicit constexpr Random(std::uint64_t seed = 0) {
    for (auto& word : state_) {
      seed += 0x9e3779b97f4a7c15U;
      std::uint64_t z = seed;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
      word = z ^ (z >> 31);
    }
  }

  constexpr std::uint64_t operator()() {
    const std::uint64_t result = rotate(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  /// Returns a uniform integer in [0, bound), bound > 0: for bounds below 2³² by multiplication
  /// (Lemire, ACM TOMACS 29(1), 2019), for larger bounds by rejection.
  constexpr std::uint64_t below(std::uint64_t bound) {
    if (bound > 0xffffffffU) {
      const std::uint64_t limit = bound * (~std::uint64_t{0} / bound);
      std::uint64_t draw = (*this)();
      while (draw >= limit) draw = (*this)();
      return draw % bound;
    }
    std::uint64_t product = ((*this)() >> 32) * bound;
    if ((product & 0xffffffffU) < bound) {
      const std::uint64_t threshold = (std::uint64_t{1} << 32) % bound;
      while ((product & 0xffffffffU) < threshold) product = ((*this)() >> 32) * bound;
    }
    return product >> 32;
  }

  /// Returns a uniform multiple of 2⁻⁵³ in [0, 1).
  constexpr double uniform() { return static_cast<double>((*this)() >> 11) * 0x1.0p-53; }

  /// Shuffles the values by the method of Fisher and Yates: every permutation is equally likely.
  template <class T>
  constexpr void shuffle(T* values, std::size_t count) {
    for (std::size_t i = count; i > 1; --i) {
      T& other = values[below(i)];
      const T last = values[i - 1];
      values[i - 1] = other;
      other = last;
    }
  }
  template <class T>
  constexpr void shuffle(std::span<T> values) {
    shuffle(values.data(), values.size());
  }

  /// Passes the state to visit(name, value), which may change it.
  template <class Visit>
  void each_state(const Visit& visit) {
    visit("words", state_);
  }

 private:
  static constexpr std::uint64_t rotate(std::uint64_t x, int k) {
    return (x << k) | (x >> (64 - k));
  }

  std::uint64_t state_[4]{};
};

}  // namespace linea
