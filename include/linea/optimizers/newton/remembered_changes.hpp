// SPDX-License-Identifier: MIT
#pragma once
/// \file The two-loop recursion of L-BFGS.
#include <cmath>  // sqrt
#include <cstddef>
#include <linea/linear_algebra/vectors.hpp>
#include <utility>  // move
#include <vector>

namespace linea::detail::newton {

/// The last changes of θ and the corresponding changes of ∇F. With these, L-BFGS corrects an
/// approximation of (∇²F)⁻¹, so that the corrected matrix maps the last change of ∇F to that of θ.
template <class Real = double>
class RememberedChanges {
 public:
  explicit RememberedChanges(Index most) : most_(static_cast<std::size_t>(most)) {}

  /// Adds the change `step` of θ and the change y of ∇F, and drops the oldest pair if there are too
  /// many. Returns false, and adds nothing, if F has no positive curvature along the step.
  bool add(Vector<Real> step, Vector<Real> y) {
    const Real product = linear_algebra::dot(step, y);
    const Real squares = linear_algebra::squares_of(step) * linear_algebra::squares_of(y);
    if (!(product > 1e-14 * std::sqrt(squares))) return false;
    if (changes_.size() == most_) changes_.erase(changes_.begin());
    changes_.push_back({std::move(step), std::move(y), product, 0});
    return true;
  }
  bool is_empty() const { return changes_.empty(); }
  void clear() { changes_.clear(); }

  /// Sets the direction to minus the corrected matrix times ∇F, and returns ⟨∇F, direction⟩.
  /// apply(v) must multiply v by the uncorrected matrix. This is algorithm 7.4 of Nocedal and
  /// Wright, Numerical Optimization, 2006, which also defines `alpha`.
  template <class Apply>
  Real find_direction(const Vector<Real>& gradient, Vector<Real>& direction, Apply&& apply) {
    direction = gradient;
    linear_algebra::scale(-1, direction);
    for (std::size_t k = changes_.size(); k-- > 0;) {
      Change& change = changes_[k];
      change.alpha = linear_algebra::dot(change.step, direction) / change.product;
      linear_algebra::add(-change.alpha, change.y, direction);
    }
    apply(direction);
    for (const auto& change : changes_)
      linear_algebra::add(change.alpha - linear_algebra::dot(change.y, direction) / change.product,
                          change.step, direction);
    return linear_algebra::dot(gradient, direction);
  }

 private:
  struct Change {
    Vector<Real> step, y;  // changes of θ and of ∇F (y of Nocedal and Wright)
    Real product{0};       // ⟨step, y⟩ > 0
    Real alpha{0};         // set by the last find_direction
  };

  std::size_t most_;
  std::vector<Change> changes_{};
};

}  // namespace linea::detail::newton
