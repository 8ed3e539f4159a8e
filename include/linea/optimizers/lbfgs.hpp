// SPDX-License-Identifier: MIT
#pragma once
/// \file L-BFGS: directions from the last few changes of the gradient, one pass over the samples an
/// iteration.
#include <linea/optimizers/smooth/line_search_run.hpp>
#include <string_view>
#include <type_traits>  // common_type
#include <vector>

namespace linea {

/// Minimises F for any loss with a continuous derivative, with no penalty or a squared one.
///
/// The step 1 is tried first, with value and gradient in one pass; any other step of the line
/// search needs none, for scores move linearly, and one more pass for the gradient at its end. The
/// first guess of the inverse of ∇²F is the diagonal 1/(λ + c·mean x²ⱼ), so that the scale of the
/// features hardly matters. Liu and Nocedal, Mathematical Programming 45 (1989).
struct Lbfgs {
  static constexpr std::string_view name = "Lbfgs";

  bool offset{true};  ///< fit b, or leave it 0
  Index memory{10};   ///< changes of w and ∇F that are kept: 16·d bytes each
  double tolerance{
      1e-6};  ///< of F above its minimum, relative to F (see LineSearchRun); 0: run all iterations
  Index iterations{1000};
  Index threads{1};  ///< the same bits with any number

  /// Minimises F over w and b for x (n × d), y (n). O(non-zeros) a pass, of which `epochs` of the
  /// solution says how many were made. Sums are in double for float x too. The gap is known where λ
  /// > 0 and the loss has a conjugate. Throws std::invalid_argument on input that is not
  /// well-formed.
  template <KinklessLoss L, smooth::SquaredPenalty P, Samples X, VectorLike Y,
            ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  Solution<scalar_t<X>> minimize(const Objective<L, P>& objective, const X& x, const Y& y,
                                 const E& given = {}) const {
    return run(objective, x, y, extras_of<scalar_t<X>>(given));
  }

 private:
  template <class L, class P, class X, class Y>
  Solution<scalar_t<X>> run(const Objective<L, P>& objective, const X& x, const Y& y,
                            const Extras<scalar_t<X>>& extras) const {
    using Real = std::common_type_t<scalar_t<X>, double>;
    constexpr std::string_view function = "Lbfgs::minimize";
    require(memory >= 1, function, ": a memory of ", memory, " changes");
    smooth::SmoothObjective<L, X> problem(function, objective, x, y, extras.sample_weights, offset,
                                          threads);
    smooth::LineSearchRun<scalar_t<X>, smooth::SmoothObjective<L, X>> run(
        function, problem, extras, offset, tolerance, iterations);
    run.template start<CurvedLoss<L>>();
    double curvature = 1;
    if constexpr (CurvedLoss<L>) curvature = run.at.curvatures.sum();
    if (!(curvature > 0)) curvature = 1;
    Memory<Real> changes(memory);
    Vector<Real> direction, moves, theta, scores, gradient;
    while (run.begin(0)) {
      if (changes.scale.size() == 0) {
        changes.scale = scale_of(problem, curvature);
        scores.resize(problem.samples());
        moves.resize(problem.samples());
      }
      const double slope = changes.find_descent(run.gradient, direction);
      if (run.ends_by(slope)) break;
      const auto line = problem.line(run.theta, direction, run.scores, moves);
      theta = run.theta + direction;
      double last = 0;
      const auto point =
          numerics::search_line({0, run.value, slope}, 1, {}, [&](double t) -> numerics::LinePoint {
            if (last == 0 && t == 1) {
              last = t;
              const double value = problem.evaluate_with_gradient(theta, scores, run.at, gradient);
              moves = scores - run.scores;
              return {t, value, gradient.dot(direction)};
            }
            last = t;
            return problem.template evaluate<false>(line, t, run.at);
          });
      const bool first = point.step == 1 && last == 1;
      run.step(direction, point, slope);
      if (run.has_ended()) break;
      if (first) {
        run.scores.swap(scores);
      } else {
        run.scores += point.step * moves;
        problem.find_gradient(run.theta, run.at, gradient);
      }
      changes.add(point.step * direction, gradient - run.gradient);
      run.gradient.swap(gradient);
      run.report();
    }
    return run.solution(name);
  }

  /// The inverse of each entry of ∇²F's diagonal, with `curvature` for that of the mean loss; 1
  /// where it is 0.
  template <class Problem>
  static auto scale_of(Problem& problem, double curvature) {
    auto scale = problem.mean_squares();
    scale *= curvature;
    scale.head(problem.features()).array() += problem.lambda();
    scale = (scale.array() > 0).select(scale.cwiseInverse(), 1.0).eval();
    return scale;
  }

  // Templates, so that they are compiled where they are used and not where they are included.

  template <class Real>
  struct Change {
    Vector<Real> step, bend;  // of θ and of ∇F
    double product{0};        // of the two, > 0
    double alpha{0};          // of the last find_direction
  };

  template <class Real>
  struct Memory {
    explicit Memory(Index most) : most_(static_cast<std::size_t>(most)) {}

    void add(Vector<Real> step, Vector<Real> bend) {
      const double product = step.dot(bend);
      if (!(product > 1e-14 * step.norm() * bend.norm())) return;  // F does not bend upwards there
      if (changes_.size() == most_) changes_.erase(changes_.begin());
      const double curved = bend.dot(scale.cwiseProduct(bend));
      factor_ = product / curved;
      changes_.push_back({std::move(step), std::move(bend), product, 0});
    }
    void clear() {
      changes_.clear();
      factor_ = 1;
    }

    /// A direction along which F falls: what is remembered is forgotten where it gives none.
    double find_descent(const Vector<Real>& gradient, Vector<Real>& direction) {
      const double slope = find_direction(gradient, direction);
      if (slope < 0) return slope;
      clear();
      return find_direction(gradient, direction);
    }

    /// The two-loop recursion (Nocedal and Wright, Numerical Optimization, 2006, algorithm 7.4),
    /// from which alpha has its name. Returns ⟨∇F, direction⟩.
    double find_direction(const Vector<Real>& gradient, Vector<Real>& direction) {
      direction = -gradient;
      for (auto change = changes_.rbegin(); change != changes_.rend(); ++change) {
        change->alpha = change->step.dot(direction) / change->product;
        direction -= change->alpha * change->bend;
      }
      direction = factor_ * scale.cwiseProduct(direction);
      for (const auto& change : changes_)
        direction += (change.alpha - change.bend.dot(direction) / change.product) * change.step;
      return gradient.dot(direction);
    }

    Vector<Real> scale{};

   private:
    std::size_t most_;
    double factor_{1};
    std::vector<Change<Real>> changes_{};
  };
};

}  // namespace linea
