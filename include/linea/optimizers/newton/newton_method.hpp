// SPDX-License-Identifier: MIT
#pragma once
/// \file The solver::Method of Newton (see solver/solve.hpp), and its direction by factorisation of
/// ∇²F, for few columns.
#include <algorithm>  // min
#include <cmath>      // isfinite, log, sqrt
#include <cstddef>    // size_t
#include <cstdint>
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/core/order.hpp>
#include <linea/core/penalty.hpp>
#include <linea/linear_algebra/cholesky.hpp>
#include <linea/linear_algebra/line_search.hpp>
#include <linea/linear_algebra/product.hpp>
#include <linea/optimizers/newton/newton_direction.hpp>
#include <linea/optimizers/newton/objective.hpp>
#include <linea/optimizers/newton/remembered_changes.hpp>
#include <linea/optimizers/newton/smooth_method.hpp>
#include <linea/samples/blocks.hpp>
#include <linea/samples/row_blocks.hpp>
#include <memory>  // unique_ptr
#include <optional>
#include <utility>  // exchange, move

namespace linea::detail::newton {

/// The Cholesky factorisation of ∇²F, if it is known.
using KeptCurvature = std::optional<linear_algebra::Cholesky<double>>;

/// Factorises diag(λf) + Σᵢ cᵢ·(xᵢ, 1)(xᵢ, 1)ᵀ for curvatures c ≥ 0 (n). Without an offset, the
/// entry 1 and its row and column are absent. With an offset, its diagonal entry has no λ. The row
/// and the column of a held weight are those of I. Returns no factorisation if the matrix is not
/// finite or rounding makes it indefinite.
inline KeptCurvature factorised(const samples::RowBlocks& rows, bool has_offset,
                                const SquaredTerm& penalty, const Vector<double>& curvatures) {
  const Index d = rows.cols(), size = d + (has_offset ? 1 : 0);
  auto matrix = linear_algebra::zeros<detail::ColumnMatrix<double>>(size, size);
  for (Index j = 0; j < d; ++j) matrix(j, j) = strength_of(penalty, j);
  samples::RowBlock row;
  const double in_row = static_cast<double>(rows.entries()) / static_cast<double>(rows.rows());
  linear_algebra::add_gram(matrix, rows.rows(), in_row, [&](Index i, auto&& put) {
    const double root = std::sqrt(curvatures[i]);
    rows.read(i, 1, row);
    row.for_each(0, [&](Index j, double entry) { put(j, root * entry); });
    if (has_offset) put(d, root);
  });
  if (const Index held = penalty.held; held >= 0) {
    for (Index j = 0; j < size; ++j) matrix(held, j) = matrix(j, held) = 0;
    matrix(held, held) = 1;
  }
  KeptCurvature factors;
  if (detail::all_finite(matrix)) factors.emplace(std::move(matrix));
  if (factors && !factors->is_positive()) factors.reset();
  return factors;
}

/// F on one row in `stride`, as a function of θ = (w, b), or of w without an offset. A hash of the
/// index selects the rows, so that the selection does not follow periods in x. It contains the
/// selection for any multiple of the stride. Rows of weight 0 are ignored.
class SampledMinimum {
 public:
  /// The samples must outlive this object.
  SampledMinimum(const SmoothSamples& all, const SquaredTerm& penalty, bool has_offset,
                 Index stride)
      : members_(drawn(all, stride)),
        rows_(all.rows.selected(members_)),
        y_(gathered(all.y)),
        weights_(normed(gathered(all.weights))),
        samples_{all.loss, *rows_, y_, weights_, all.frame},
        problem_(samples_, penalty, has_offset, 1) {}
  SampledMinimum(const SampledMinimum&) = delete;

  Index samples() const { return y_.size(); }
  Index rows_read() const { return rows_read_; }

  /// Runs Newton's method from θ until the next step would lower F by at most `enough`·F. Keeps the
  /// last factorisation in `curvature`. Returns false if this fails or takes 30 steps: θ and
  /// `curvature` are then useless.
  bool descend(double enough, Vector<double>& theta, KeptCurvature& curvature) {
    constexpr int most_steps = 30;
    rows_read_ += samples();
    Vector<double> scores, moves, gradient, direction;
    SmoothObjective::State at;
    problem_.score(theta, scores);
    double value = problem_.evaluate(theta, scores, at, true);
    for (int k = 0; k < most_steps; ++k) {
      curvature = factorised(*rows_, problem_.has_offset(), problem_.penalty(), at.curvatures);
      if (!curvature) return false;
      problem_.find_gradient(theta, at, gradient);
      direction = gradient;
      linear_algebra::scale(-1, direction);
      curvature->solve(direction.data());
      const double slope = linear_algebra::dot(gradient, direction);
      if (!(slope <= 0) || !std::isfinite(value)) return false;
      if (-slope / 2 <= enough * value) return true;
      problem_.score(direction, moves);
      rows_read_ += 3 * samples();
      const auto line = problem_.line(theta, direction, scores, moves);
      const auto point = linear_algebra::search_line(
          {0, value, slope}, 1, {}, [&](double t) { return problem_.evaluate(line, t, at, true); });
      if (point.step == 0) return false;
      linear_algebra::add(point.step, direction, theta);
      linear_algebra::add(point.step, moves, scores);
      value = point.value;
    }
    return false;
  }

 private:
  static Sequence drawn(const SmoothSamples& all, Index stride) {
    Sequence members;
    const double share = 1 / static_cast<double>(stride);
    for (Index i = 0; i < all.rows.rows(); ++i)
      if (samples::golden_fraction(i) < share && (all.weights.size() == 0 || all.weights[i] > 0))
        members.push_back(static_cast<std::uint32_t>(i));
    return members;
  }
  Vector<double> gathered(const Vector<double>& all) const {
    if (all.size() == 0) return {};
    Vector<double> own(static_cast<Index>(members_.size()));
    for (std::size_t k = 0; k < members_.size(); ++k)
      own[static_cast<Index>(k)] = all[static_cast<Index>(members_[k])];
    return own;
  }
  static Vector<double> normed(Vector<double> weights) {
    if (weights.size() > 0)
      linear_algebra::scale(static_cast<double>(weights.size()) / linear_algebra::sum_of(weights),
                            weights);
    return weights;
  }

  Sequence members_;
  std::unique_ptr<samples::RowBlocks> rows_;
  Vector<double> y_, weights_;
  SmoothSamples samples_;
  SmoothObjective problem_;
  Index rows_read_{0};
};

/// Without a start, the first direction leads near the minimum of F on a quarter of the rows. The
/// search for this minimum starts from the minimum on a 16th of the rows, where steps are cheap.
/// Later directions are those of Newton's method with the last factorisation of ∇²F, which L-BFGS
/// corrects with the steps since that factorisation. If ∇F decreases too slowly, or the line search
/// shortens a step to less than a tenth, the class recomputes ∇²F from all rows. So most directions
/// cost one pass for the changes of the scores, and no conjugate gradients.
///
/// NewtonDirection takes over if steps remain far too long, after 50 steps, or if a factorisation
/// fails. Bollapragada, Byrd and Nocedal, IMA Journal of Numerical Analysis 39 (2019), analyse ∇²F
/// of a sample of the rows.
class FactoredDirection {
 public:
  using Problem = SmoothObjective;

  /// The class is active if all of these hold: the loss is convex, has no kinks, and is no BoxLoss;
  /// columns are few; a factorisation costs at most as much as 40 steps; the samples are not
  /// divided among processes; a lower bound on F* is available. A run that `has_start` does not
  /// begin at the minimum of a sample of the rows.
  FactoredDirection(Problem& problem, bool has_start)
      : problem_(problem),
        is_at_work_(problem.traits().is_kinkless && !problem.traits().has_dual_boxes &&
                    problem.traits().is_convex && problem.set().rows.count() == 1 &&
                    problem.has_bound()),
        is_first_(!has_start) {
    const Index n = problem.samples(), size = problem.size();
    is_at_work_ = is_at_work_ && size <= largest_size && 8 * size <= n;
    if (!is_at_work_) return;
    in_row_ = static_cast<double>(problem.set().rows.entries()) / static_cast<double>(n);
    const double factors = linear_algebra::cholesky_cost(size) / static_cast<double>(n);
    const double step = 2 * in_row_ + 20;  // cost of a step, per row
    cost_ = (linear_algebra::gram_cost(in_row_, size) + factors) / step;
    is_at_work_ = cost_ <= most_cost;
  }

  /// Does this class still compute the directions?
  bool is_at_work() const { return is_at_work_; }

  /// Sets direction, moves and first step of `next`, on the way to F − F* ≤ `allowed`. Returns
  /// ⟨∇F, direction⟩. Becomes inactive and returns 0 if it finds no direction.
  double find(const SmoothMethod<Problem>& run, double allowed, NewtonDirection& next) {
    const bool leads_to_sample =
        std::exchange(is_first_, false) && find_sample_minimum(run.theta, next.direction);
    if (!leads_to_sample && !step_by_factors(run, allowed, next.direction)) return give_up();
    const double slope = linear_algebra::dot(run.gradient, next.direction);
    if (!(slope < 0)) return give_up();
    next.moves.resize(problem_.samples());
    problem_.score(next.direction, next.moves);
    const double curvature =
        curvature_along(problem_, run.at.curvatures, next.moves, next.direction);
    next.first_step = leads_to_sample || !(curvature > 0) ? 1 : -slope / curvature;
    return slope;
  }

  /// Adapts the next direction to the length of the step along this one, which is 0 if there was no
  /// step. Returns true if another direction may help.
  bool learn(double step) {
    const bool is_poor = step < 0.1;
    if ((is_poor && is_fresh_ && ++poor_ > most_poor) || ++steps_ > most_steps) give_up();
    if (is_poor) curvature_.reset();
    return is_poor;
  }

 private:
  static constexpr Index most_steps = 50, most_poor = 3, largest_size = 400;
  static constexpr double most_cost = 40;

  double give_up() {
    is_at_work_ = false;
    changes_.clear();
    curvature_.reset();
    return 0;
  }

  /// Sets `direction` to lead from θ to the minimum of F on a quarter of the rows. Searches for
  /// this minimum from the minimum on a 16th of the rows. Skips a sample with fewer than about four
  /// rows for each unknown. Keeps the last ∇²F. Returns false if it finds no minimum.
  bool find_sample_minimum(const Vector<double>& start, Vector<double>& direction) {
    Vector<double> theta = start;
    Index rows_read = 0;
    for (const Index stride : {16, 4}) {
      if (problem_.samples() / stride < 4 * problem_.size()) continue;
      SampledMinimum sample(problem_.set(), problem_.penalty(), problem_.has_offset(), stride);
      // About the relative difference between the minimum of F on a sample of this size and F*.
      const double enough = std::min(
          static_cast<double>(problem_.size()) / static_cast<double>(sample.samples() + 1), 0.1);
      const bool is_found = sample.descend(enough, theta, curvature_);
      rows_read += sample.rows_read();
      if (is_found) continue;
      curvature_.reset();
      break;
    }
    for (Index read = 0; read < rows_read; read += problem_.samples()) problem_.count_pass();
    direction = linear_algebra::difference(std::move(theta), start);
    return curvature_.has_value();
  }

  bool step_by_factors(const SmoothMethod<Problem>& run, double allowed,
                       Vector<double>& direction) {
    const double square = linear_algebra::squares_of(run.gradient);
    const double to_go = square / (2 * problem_.lambda() * allowed);
    is_fresh_ = !curvature_ || is_slow(square / square_, to_go);
    if (is_fresh_) {
      changes_.clear();
      factorise(run.at.curvatures);
      if (!curvature_) return false;
    } else if (theta_.size() > 0) {
      changes_.add(linear_algebra::difference(run.theta, theta_),
                   linear_algebra::difference(run.gradient, gradient_));
    }
    square_ = square;
    theta_ = run.theta;
    gradient_ = run.gradient;
    changes_.find_direction(run.gradient, direction,
                            [this](Vector<double>& v) { curvature_->solve(v.data()); });
    return true;
  }

  /// Is it better to recompute ∇²F than to continue with the old one? Each step multiplies ‖∇F‖² by
  /// `ratio`, and ‖∇F‖² must fall by a factor of `to_go`. Returns true if a step does not even
  /// halve ‖∇F‖², or if the remaining steps cost more than about three times a new ∇²F.
  bool is_slow(double ratio, double to_go) const {
    if (ratio == 0) ratio = 0.05;  // initial estimate
    return ratio > 0.5 || std::log(to_go) > -std::log(ratio) * (3 * cost_ + 1.5);
  }

  /// Factorises ∇²F of all rows.
  void factorise(const Vector<double>& curvatures) {
    problem_.count_pass();
    curvature_ =
        factorised(problem_.set().rows, problem_.has_offset(), problem_.penalty(), curvatures);
  }

  Problem& problem_;
  bool is_at_work_;
  bool is_first_;         // does the first direction lead to a minimum on a sample of the rows?
  double in_row_{0};      // mean number of entries in a row
  double cost_{0};        // cost of ∇²F from all rows, in steps
  bool is_fresh_{false};  // was ∇²F computed at the last θ?
  Index steps_{0};
  Index poor_{0};                                           // steps below 0.1 with is_fresh_
  double square_{std::numeric_limits<double>::infinity()};  // ‖∇F‖² at the last step_by_factors
  Vector<double> theta_{}, gradient_{};                     // θ and ∇F at that step
  RememberedChanges<> changes_{8};                          // since the last factorisation
  KeptCurvature curvature_{};
};

/// Newton's method:
///
/// 1. Start at the given θ, or at w = 0 with the best constant; find scores, F and ∇F there.
/// 2. Find a direction s with ∇²F·s ≈ −∇F: from factors of ∇²F (FactoredDirection) while that is
///    cheap, later by conjugate gradients (NewtonDirection).
/// 3. Find the changes of the scores along s, in one pass.
/// 4. Search the line for a step t that meets the Wolfe conditions: only the scores are needed.
/// 5. θ ← θ + t·s, and find ∇F in one pass.
/// 6. If no step lowers F, recompute the scores from θ and try again; if that fails, end.
/// 7. solver::Run ends the run if the gap or the Newton decrement is small enough; else go to 2.
class NewtonMethod : public SmoothMethod<SmoothObjective> {
 public:
  NewtonMethod(const SmoothSamples& samples, const SquaredTerm& penalty, const Point<double>& start,
               bool has_offset, Index threads)
      : SmoothMethod(start, samples, penalty, has_offset, threads),
        next_(problem_, samples.rows.is_packed() && problem_.all_samples() >= 8192 ? 8 : 1),
        factored_(problem_, start.weights.size() > 0) {}

  bool iterate(double allowed) {
    while (!is_stuck()) {
      double slope = factored_.is_at_work() ? factored_.find(*this, allowed, next_) : 0;
      const bool is_factored = factored_.is_at_work();
      if (!is_factored) slope = find_direction(next_);
      const bool has_moved = advance(next_.direction, next_.moves, slope, next_.first_step);
      const bool has_learnt = is_factored ? factored_.learn(step_) : next_.learn(*this, step_);
      if (has_moved) return true;
      if (!refresh() && !has_learnt) return false;
    }
    return false;
  }

 private:
  NewtonDirection next_;
  FactoredDirection factored_;
};

}  // namespace linea::detail::newton
