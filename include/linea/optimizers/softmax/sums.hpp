// SPDX-License-Identifier: MIT
#pragma once
/// \file What multinomial logistic regression sums up over the samples, besides ∇F.
#include <algorithm>  // max
#include <cmath>      // abs
#include <linea/core/types.hpp>

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
    for (Index a = 0; a < balance.size(); ++a) balance[a] += other.balance[a];
  }
  /// The largest entry of the balance, whatever its sign.
  double imbalance() const {
    double most = 0;
    for (const double one : balance) most = std::max(most, std::abs(one));
    return most;
  }
};

}  // namespace linea::softmax
