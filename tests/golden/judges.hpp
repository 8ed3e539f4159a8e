// SPDX-License-Identifier: MIT
#pragma once
/// \file The minima of judges.csv. make_judges.py writes this file and documents how the minima
/// were found.
#include <algorithm>  // find
#include <iterator>   // begin, end
#include <stdexcept>
#include <string>
#include <vector>

#include "golden/table.hpp"

namespace golden {

enum class JudgedLoss {
  hinge,
  squared_hinge,
  log,
  squared,
  huber,
  epsilon,
  quantile,
  poisson,
  softmax
};

inline JudgedLoss judged_loss(const std::string& name) {
  static const char* const names[] = {"hinge",   "squared_hinge", "log",     "squared", "huber",
                                      "epsilon", "quantile",      "poisson", "softmax"};
  const auto* const found = std::find(std::begin(names), std::end(names), name);
  if (found == std::end(names)) throw std::runtime_error("no loss " + name);
  return static_cast<JudgedLoss>(found - std::begin(names));
}

struct Judged {
  std::string set;  ///< the name of the data set in tests/support/judged_sets.hpp
  JudgedLoss loss;
  double parameter;  ///< of the loss: delta, epsilon or tau
  double l1;
  double l2;
  bool offset;
  double objective;  ///< F at the weights that the program returned
  /// The tolerance of the program, relative to F. Infinity if its iterations ran out, or if saga
  /// stayed at w = 0.
  double tolerance;
  std::string command;
};

inline const std::vector<Judged> judged = [] {
  std::vector<Judged> rows;
  for (const auto& c : table("judges.csv"))
    rows.push_back({c[0], judged_loss(c[1]), std::stod(c[2]), std::stod(c[3]), std::stod(c[4]),
                    c[5] == "1", std::stod(c[6]), std::stod(c[7]), c[8]});
  return rows;
}();

}  // namespace golden
