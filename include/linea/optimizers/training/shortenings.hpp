// SPDX-License-Identifier: MIT
#pragma once
/// \file How often, and when, a run has shortened the steps of its rule.
#include <linea/core/state_archive.hpp>
#include <linea/core/types.hpp>
#include <vector>

namespace linea::training {

/// Shortens steps and takes note of it. So the rule of a run that is taken up, whatever the type of
/// its step size, can be brought to where that of the run before was.
class Shortenings {
 public:
  /// Multiplies the steps of a rule by `factor`, after `steps` of them.
  template <class Rule>
  void add(Rule& rule, double factor, Index steps) {
    noted_.push_back({factor, steps});
    if constexpr (requires { rule.step_size.shortened(factor, steps); })
      rule.step_size = rule.step_size.shortened(factor, steps);
    else
      rule.factor *= factor;
  }

  /// Hands them to an archive; when that reads, `rule` is one that nobody has shortened.
  template <class Rule>
  void keep(core::StateArchive& archive, Rule& rule) {
    auto noted = noted_;
    archive(noted);
    if (archive.reads())
      for (const auto& one : noted) add(rule, one.factor, one.steps);
  }

 private:
  struct One {
    double factor;
    Index steps;
  };
  std::vector<One> noted_{};
};

}  // namespace linea::training
