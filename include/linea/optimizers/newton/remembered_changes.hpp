// SPDX-License-Identifier: MIT
#pragma once
/// \file What the last steps have told of ∇²F: the two-loop recursion of L-BFGS.
#include <cmath>  // sqrt
#include <cstddef>
#include <linea/linear_algebra/vectors.hpp>
#include <utility>  // move
#include <vector>

namespace linea::newton {

/// The last changes of θ, each with the change of ∇F that it brought. They correct a matrix that
/// stands for ∇²F⁻¹, so that the corrected one takes the last change of ∇F to that of θ.
template <class Real = double>
class RememberedChanges {
 public:
  explicit RememberedChanges(Index most) : most_(static_cast<std::size_t>(most)) {}

  /// Takes note of a change, and forgets the oldest where there are too many. False for one along
  /// which F does not bend upwards: that is not kept.
  bool add(Vector<Real> step, Vector<Real> bend) {
    const Real product = linear_algebra::dot(step, bend);
    const Real squares = linear_algebra::squares_of(step) * linear_algebra::squares_of(bend);
    if (!(product > 1e-14 * std::sqrt(squares))) return false;
    if (changes_.size() == most_) changes_.erase(changes_.begin());
    changes_.push_back({std::move(step), std::move(bend), product, 0});
    return true;
  }
  bool is_empty() const { return changes_.empty(); }
  void clear() { changes_.clear(); }

  /// Sets the direction to minus the corrected matrix times ∇F; apply(v) multiplies v by the matrix
  /// that is corrected. Returns ⟨∇F, direction⟩. Nocedal and Wright, Numerical Optimization, 2006,
  /// algorithm 7.4, from which alpha has its name.
  template <class Apply>
  Real find_direction(const Vector<Real>& gradient, Vector<Real>& direction, Apply&& apply) {
    direction = gradient;
    linear_algebra::scale(-1, direction);
    for (auto change = changes_.rbegin(); change != changes_.rend(); ++change) {
      change->alpha = linear_algebra::dot(change->step, direction) / change->product;
      linear_algebra::add(-change->alpha, change->bend, direction);
    }
    apply(direction);
    for (const auto& change : changes_)
      linear_algebra::add(
          change.alpha - linear_algebra::dot(change.bend, direction) / change.product, change.step,
          direction);
    return linear_algebra::dot(gradient, direction);
  }

 private:
  struct Change {
    Vector<Real> step, bend;  // of θ and of ∇F
    Real product{0};          // of the two, > 0
    Real alpha{0};            // of the last find_direction
  };

  std::size_t most_;
  std::vector<Change> changes_{};
};

}  // namespace linea::newton
