// SPDX-License-Identifier: MIT
#pragma once
/// \file What the loop is handed beside the rows: which of them to visit, their targets and
/// weights.
#include <cstdint>
#include <linea/core/order.hpp>
#include <linea/core/types.hpp>
#include <linea/samples/training_set.hpp>
#include <span>

namespace linea::descent {

/// A stretch of visits: the rows in the order of their visits, and rows of a later stretch.
/// Visit k fetches upcoming[k] into the cache while it works.
struct Visits {
  std::span<const std::uint32_t> rows;
  std::span<const std::uint32_t> upcoming{};

  std::size_t size() const { return rows.size(); }
  Index operator[](std::size_t k) const { return static_cast<Index>(rows[k]); }
  /// The row that visit k fetches: its own where there is none upcoming.
  Index ahead(std::size_t k) const {
    return static_cast<Index>(k < upcoming.size() ? upcoming[k] : rows[k]);
  }
};

/// Targets and sample weights as the loop reads them. No weights means that all are 1.
template <class T>
struct Labels {
  const T* y;
  const T* weights{nullptr};

  T weight(Index i) const { return weights ? weights[i] : T(1); }
  /// Brings target and weight of row i into the cache.
  void fetch(Index i) const {
    __builtin_prefetch(y + i);
    if (weights) __builtin_prefetch(weights + i);
  }
};

/// The labels of a training set, read where they lie.
template <class Set>
auto labels_of(const Set& set) {
  using T = typename decltype(set.y)::Scalar;
  return Labels<T>{set.y.data(), set.weights.size() ? set.weights.data() : nullptr};
}

/// The labels of copied rows: row i is a copy of row origins[i] of the set.
template <class T>
class CopiedLabels {
 public:
  /// Copies the labels of the rows visited. The result is valid for these rows, until the next
  /// call.
  template <class Rows>
  Labels<T> of(const samples::TrainingSet<Rows>& set, const Visits& visits,
               const Sequence& origins) {
    const bool weighted = set.weights.size() > 0;
    y_.resize(static_cast<Index>(origins.size()));
    weights_.resize(weighted ? y_.size() : 0);
    for (const auto row : visits.rows) {
      y_[row] = set.y[origins[row]];
      if (weighted) weights_[row] = set.weights[origins[row]];
    }
    return {y_.data(), weighted ? weights_.data() : nullptr};
  }

 private:
  Vector<T> y_;
  Vector<T> weights_;
};

}  // namespace linea::descent
