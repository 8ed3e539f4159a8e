// SPDX-License-Identifier: MIT
#pragma once
/// \file Which samples dual coordinate ascent visits in an epoch: all but those whose multipliers
/// rest.
#include <algorithm>  // min
#include <cstdint>
#include <linea/core/order.hpp>
#include <linea/core/types.hpp>
#include <vector>

namespace linea::dual {

/// A multiplier that visits do not move rests: most of them lie at an end of their domain. It is
/// visited less and less often, but for ever: after k visits in a row that have not moved it, 2ᵏ⁻¹
/// − 1 epochs pass by before the next, at most 63.
class RestingMultipliers {
 public:
  explicit RestingMultipliers(Index n)
      : visits_(static_cast<std::size_t>(n)), waits_(visits_.size()), present_(n) {}

  /// Sample i is not to be visited at all.
  void leave_out(std::size_t i) {
    present_ -= waits_[i] != forever;
    waits_[i] = forever;
  }
  Index present() const { return present_; }  ///< samples that are not left out

  /// Takes note of a visit to sample i.
  void note(std::size_t i, bool moved) {
    auto& visits = visits_[i];
    visits = moved ? std::uint8_t{0} : std::min<std::uint8_t>(visits + 1, longest);
    waits_[i] = static_cast<std::uint8_t>((1U << visits >> 1U) - (visits > 0 ? 1U : 0U));
  }
  /// All are to be visited in the next epoch.
  void wake() {
    for (std::size_t i = 0; i < waits_.size(); ++i)
      if (waits_[i] != forever) visits_[i] = waits_[i] = 0;
  }
  /// Sets `due` to the samples to visit in the next epoch, in ascending order.
  void draw(Sequence& due) {
    due.clear();
    for (std::size_t i = 0; i < waits_.size(); ++i)
      if (waits_[i] == 0)
        due.push_back(static_cast<std::uint32_t>(i));
      else if (waits_[i] != forever)
        --waits_[i];
  }

 private:
  static constexpr std::uint8_t longest = 7;
  static constexpr std::uint8_t forever = 255;
  std::vector<std::uint8_t> visits_;  // in a row that have not moved it
  std::vector<std::uint8_t> waits_;   // epochs to pass by before the next visit
  Index present_;                     // samples that are not left out
};

}  // namespace linea::dual
