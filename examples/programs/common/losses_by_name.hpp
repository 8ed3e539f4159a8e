// SPDX-License-Identifier: MIT
#pragma once
/// \file Losses from their names on a command line.
#include <charconv>
#include <linea/core/require.hpp>
#include <linea/losses.hpp>
#include <optional>
#include <string>

namespace program {

/// "name:value", the value optional.
struct Named {
  std::string name;
  std::optional<double> value{};

  explicit Named(const std::string& text) : name(text.substr(0, text.find(':'))) {
    if (name.size() == text.size()) return;
    double number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + name.size() + 1, end, number);
    linea::require(error == std::errc{} && stop == end, "'", text,
                   "': what follows the colon is no number");
    value = number;
  }
};

/// Calls f with the loss of this name.
template <class F>
auto with_loss(const Named& named, F&& f) {
  const auto& name = named.name;
  const auto parameter = [&](double by_default) { return named.value.value_or(by_default); };
  if (name == "smooth-hinge") return f(linea::SmoothHinge{parameter(1)});
  if (name == "huber") return f(linea::Huber{parameter(1)});
  if (name == "epsilon-insensitive") return f(linea::EpsilonInsensitive{parameter(0.1)});
  if (name == "quantile") return f(linea::Quantile{parameter(0.5)});
  linea::require(!named.value, "the loss ", name, " takes no parameter");
  if (name == "hinge") return f(linea::Hinge{});
  if (name == "squared-hinge") return f(linea::SquaredHinge{});
  if (name == "log") return f(linea::Log{});
  if (name == "perceptron") return f(linea::PerceptronLoss{});
  if (name == "squared") return f(linea::Squared{});
  if (name == "absolute") return f(linea::Absolute{});
  linea::require(name != "zero-one", "the loss zero-one has no derivative to train on");
  linea::refuse("unknown loss '", name, "': see --help for the names");
}

}  // namespace program
