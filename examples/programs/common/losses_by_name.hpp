// SPDX-License-Identifier: MIT
#pragma once
/// \file Losses by name on a command line.
#include <linea/core/require.hpp>
#include <linea/losses/any_loss.hpp>
#include <optional>
#include <string>

#include "programs/common/numbers.hpp"

namespace program {

/// A loss by its name, with an optional parameter: "name:value".
struct Named {
  std::string name;
  std::optional<double> value{};

  explicit Named(const std::string& text) : name(text.substr(0, text.find(':'))) {
    if (name.size() == text.size()) return;
    value = whole_text<double>(text.substr(name.size() + 1));
    linea::require(value.has_value(), "'", text, "': the text after the colon is not a number");
  }
};

/// Calls f with the loss of this name, as an AnySmoothLoss or an AnyKinkedLoss.
template <class F>
auto with_loss(const Named& named, const F& f) {
  return linea::with_loss(named.name, named.value, f);
}

/// Is the loss for two labels?
inline bool is_for_labels(const Named& named) {
  return with_loss(named, [](const auto& loss) { return linea::takes_labels(loss); });
}

}  // namespace program
