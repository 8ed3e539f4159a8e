// SPDX-License-Identifier: MIT
#pragma once
/// \file What multinomial logistic regression sums up over the samples, besides ∇F.
#include <algorithm>  // copy_n
#include <linea/core/processes.hpp>
#include <linea/core/types.hpp>
#include <vector>

namespace linea::softmax {

/// What is found at some scores besides F.
struct Sums {
  double value{0};             ///< mean loss
  double slope{0};             ///< of the mean loss along the line
  double negative_entropy{0};  ///< (1/S) Σᵢ sᵢ·Σₖ qᵢₖ·ln qᵢₖ
  Vector<double> balance{};    ///< (1/S) Σᵢ sᵢ·(qᵢ − e_yᵢ), (stride): ∇F for b

  void operator+=(const Sums& other) {
    value += other.value;
    slope += other.slope;
    negative_entropy += other.negative_entropy;
    balance += other.balance;
  }
  /// They become those of all processes.
  void add_up(const Processes& processes) {
    if (processes.is_alone()) return;
    std::vector<double> all(balance.data(), balance.data() + balance.size());
    all.insert(all.end(), {value, slope, negative_entropy});
    processes.sum(all.data(), static_cast<Index>(all.size()));
    negative_entropy = all.back();
    slope = all[all.size() - 2];
    value = all[all.size() - 3];
    std::copy_n(all.data(), balance.size(), balance.data());
  }
  void keep(auto& archive) { archive(value, slope, negative_entropy, balance); }
};

}  // namespace linea::softmax
