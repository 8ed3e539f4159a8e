// SPDX-License-Identifier: MIT
#pragma once
/// \file The solver::Method of Newton (see solver/solve.hpp), and its direction by factorisation of
/// ∇²F, for few columns.
#include <algorithm>  // min
#include <cmath>      // isfinite, log, sqrt
#include <cstdint>
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/core/loss.hpp>
#include <linea/core/penalty.hpp>
#include <linea/linear_algebra/cholesky.hpp>
#include <linea/linear_algebra/line_search.hpp>
#include <linea/linear_algebra/product.hpp>
#include <linea/optimizers/newton/iterate.hpp>
#include <linea/optimizers/newton/newton_direction.hpp>
#include <linea/optimizers/newton/objective.hpp>
#include <linea/optimizers/newton/remembered_changes.hpp>
#include <linea/optimizers/newton/risk_of_scores.hpp>
#include <linea/samples/selected_rows.hpp>
#include <linea/samples/training_set.hpp>
#include <optional>
#include <utility>  // exchange, move

namespace linea::detail::newton {

/// The Cholesky factorisation of ∇²F, if it is known.
template <class Real>
using KeptCurvature = std::optional<linear_algebra::Cholesky<Real>>;

/// Factorises diag(λf) + Σₖ cₖ·(xₖ, 1)(xₖ, 1)ᵀ for `count` rows xₖ of d entries. Without an offset,
/// the entry 1 and its row and column are absent. With an offset, its diagonal entry has no λ. The
/// row and the column of a held weight are those of I.
/// curvature(k) is cₖ ≥ 0. entries(k, f) must call f(j, entry) for the entries of xₖ, about
/// `in_row` of them. Returns no factorisation if the matrix is not finite or rounding makes it
/// indefinite.
template <class Real, class Curvature, class Entries>
KeptCurvature<Real> factorised(Index d, bool has_offset, const SquaredTerm& penalty, Index count,
                               double in_row, Curvature&& curvature, Entries&& entries) {
  const Index size = d + (has_offset ? 1 : 0);
  auto matrix = linear_algebra::zeros<detail::ColumnMatrix<Real>>(size, size);
  for (Index j = 0; j < d; ++j) matrix(j, j) = strength_of(penalty, j);
  linear_algebra::add_gram(matrix, count, in_row, [&](Index k, auto&& put) {
    const double root = std::sqrt(curvature(k));
    entries(k, [&](Index j, auto entry) { put(j, root * static_cast<double>(entry)); });
    if (has_offset) put(d, root);
  });
  if (const Index held = penalty.held; held >= 0) {
    for (Index j = 0; j < size; ++j) matrix(held, j) = matrix(j, held) = 0;
    matrix(held, held) = 1;
  }
  KeptCurvature<Real> factors;
  if (detail::all_finite(matrix)) factors.emplace(std::move(matrix));
  if (factors && !factors->is_positive()) factors.reset();
  return factors;
}

/// F on one row in `stride`, as a function of θ = (w, b), or of w without an offset. A hash of the
/// index selects the rows, so that the selection does not follow periods in x. It contains the
/// selection for any multiple of the stride. Rows of weight 0 are ignored.
template <class L, class Rows>
class SampledMinimum {
 public:
  using Real = detail::DoubleFor<Rows>;

  /// Loss, set and penalty must outlive this object.
  SampledMinimum(const L& loss, const samples::TrainingSet<Rows>& set, const SquaredTerm& penalty,
                 bool has_offset, Index stride)
      : penalty_(penalty),
        has_offset_(has_offset),
        d_(set.rows.cols()),
        members_(drawn(set, stride)),
        rows_(set.rows),
        y_(gathered(set.y)),
        weights_(normed(gathered(set.weights))),
        risk_(loss, y_, weights_) {
    rows_.take(members_);
  }
  SampledMinimum(const SampledMinimum&) = delete;

  Index samples() const { return y_.size(); }
  Index rows_read() const { return rows_read_; }

  /// Runs Newton's method from θ until the next step would lower F by at most `enough`·F. Keeps the
  /// last factorisation in `curvature`. Returns false if this fails or takes 30 steps: θ and
  /// `curvature` are then useless.
  bool descend(double enough, Vector<Real>& theta, KeptCurvature<Real>& curvature) {
    constexpr int most_steps = 30;
    rows_read_ += samples();
    Vector<Real> scores = score(theta);
    Vector<Real> moves, direction;
    double value = risk_.evaluate(scores, at_) + penalty_.lambda / 2 * product(theta, theta);
    for (int k = 0; k < most_steps; ++k) {
      curvature = factorised<Real>(
          d_, has_offset_, penalty_, samples(), rows_.in_row(),
          [this](Index i) { return at_.curvatures[i]; },
          [this](Index i, auto&& f) { rows_.for_each(static_cast<std::size_t>(i), f); });
      if (!curvature) return false;
      const Vector<Real> gradient = gradient_at(theta);
      direction = gradient;
      linear_algebra::scale(-1, direction);
      curvature->solve(direction.data());
      const double slope = linear_algebra::dot(gradient, direction);
      if (!(slope <= 0) || !std::isfinite(value)) return false;
      if (-slope / 2 <= enough * value) return true;
      moves = score(direction);
      rows_read_ += 3 * samples();
      const double along = product(theta, direction);
      const double square = product(direction, direction);
      const double start = penalty_.lambda / 2 * product(theta, theta);
      const auto point = linear_algebra::search_line({0, value, slope}, 1, {}, [&](double t) {
        const double risk = risk_.evaluate(scores, at_, t, &moves);
        return linear_algebra::LinePoint{
            t, risk + start + penalty_.lambda * t * (along + t * square / 2),
            linear_algebra::dot(at_.slopes, moves) + penalty_.lambda * (along + t * square)};
      });
      if (point.step == 0) return false;
      linear_algebra::add(point.step, direction, theta);
      linear_algebra::add(point.step, moves, scores);
      value = point.value;
    }
    return false;
  }

 private:
  static Sequence drawn(const samples::TrainingSet<Rows>& set, Index stride) {
    Sequence members;
    const auto every = static_cast<std::uint64_t>(stride);
    for (Index i = 0; i < set.rows.rows(); ++i) {
      const std::uint32_t hash = static_cast<std::uint32_t>(i) * 2654435769U;  // 2³²/golden ratio
      if ((hash * every) >> 32 == 0 && set.weight(i) > 0)
        members.push_back(static_cast<std::uint32_t>(i));
    }
    return members;
  }
  Vector<Real> gathered(const Vector<Real>& all) const {
    if (all.size() == 0) return {};
    Vector<Real> own(static_cast<Index>(members_.size()));
    for (std::size_t k = 0; k < members_.size(); ++k)
      own[static_cast<Index>(k)] = all[static_cast<Index>(members_[k])];
    return own;
  }
  static Vector<Real> normed(Vector<Real> weights) {
    if (weights.size() > 0)
      linear_algebra::scale(static_cast<double>(weights.size()) / linear_algebra::sum_of(weights),
                            weights);
    return weights;
  }

  Vector<Real> score(const Vector<Real>& v) const {
    Vector<Real> scores(samples());
    for (Index i = 0; i < scores.size(); ++i)
      scores[i] = rows_.dot(static_cast<std::size_t>(i), v) + (has_offset_ ? v[d_] : 0);
    return scores;
  }
  double product(const Vector<Real>& one, const Vector<Real>& other) const {
    return product_of(penalty_, one, other, d_);
  }
  Vector<Real> gradient_at(const Vector<Real>& theta) const {
    Vector<Real> gradient = linear_algebra::constant(theta.size(), 0);
    add_gradient(penalty_, theta, gradient, d_);
    for (Index i = 0; i < samples(); ++i)
      rows_.add(static_cast<std::size_t>(i), at_.slopes[i], gradient);
    if (has_offset_) gradient[d_] = linear_algebra::sum_of(at_.slopes);
    if (penalty_.held >= 0) gradient[penalty_.held] = 0;
    return gradient;
  }

  const SquaredTerm& penalty_;
  bool has_offset_;
  Index d_;
  Sequence members_;
  samples::SelectedRows<Rows> rows_;
  Vector<Real> y_, weights_;
  RiskOfScores<L> risk_;
  typename RiskOfScores<L>::Samplewise at_{};
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
template <class L, class Rows>
class FactoredDirection {
 public:
  using Problem = SmoothObjective<L, Rows>;
  using Real = typename Problem::Real;

  /// The class is active if all of these hold: the loss is convex, has no kinks, and is no BoxLoss;
  /// columns are few; a factorisation costs at most as much as 40 steps; the samples are not
  /// divided among processes; a lower bound on F* is available. A run that `has_start` does not
  /// begin at the minimum of a sample of the rows.
  FactoredDirection(const L& loss, Problem& problem, bool has_start)
      : loss_(loss),
        problem_(problem),
        is_at_work_(KinklessLoss<L> && !has_dual_boxes(loss) && Problem::is_convex &&
                    problem.set().all().parts() == 1 && problem.has_bound()),
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
  double find(const Iterate<Problem>& run, double allowed, NewtonDirection<Problem>& next) {
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
  bool find_sample_minimum(const Vector<Real>& start, Vector<Real>& direction) {
    Vector<Real> theta = start;
    Index rows_read = 0;
    for (const Index stride : {16, 4}) {
      if (problem_.samples() / stride < 4 * problem_.size()) continue;
      SampledMinimum<L, Rows> sample(loss_, problem_.set(), problem_.penalty(),
                                     problem_.has_offset(), stride);
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

  bool step_by_factors(const Iterate<Problem>& run, double allowed, Vector<Real>& direction) {
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
                            [this](Vector<Real>& v) { curvature_->solve(v.data()); });
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
  void factorise(const Vector<Real>& curvatures) {
    problem_.count_pass();
    const auto& rows = problem_.set().rows;
    curvature_ = factorised<Real>(
        problem_.features(), problem_.has_offset(), problem_.penalty(), problem_.samples(), in_row_,
        [&](Index i) { return curvatures[i]; }, [&](Index i, auto&& f) { rows.for_each(i, f); });
  }

  const L& loss_;
  Problem& problem_;
  bool is_at_work_;
  bool is_first_;         // does the first direction lead to a minimum on a sample of the rows?
  double in_row_{0};      // mean number of entries in a row
  double cost_{0};        // cost of ∇²F from all rows, in steps
  bool is_fresh_{false};  // was ∇²F computed at the last θ?
  Index steps_{0};
  Index poor_{0};                                           // steps below 0.1 with is_fresh_
  double square_{std::numeric_limits<double>::infinity()};  // ‖∇F‖² at the last step_by_factors
  Vector<Real> theta_{}, gradient_{};                       // θ and ∇F at that step
  RememberedChanges<Real> changes_{8};                      // since the last factorisation
  KeptCurvature<Real> curvature_{};
};

/// Newton's method with a line search for the Wolfe conditions. FactoredDirection finds the
/// directions while it is active, and NewtonDirection finds all later directions.
template <class L, class Rows>
class NewtonMethod : public Iterate<SmoothObjective<L, Rows>> {
 public:
  NewtonMethod(const L& loss, const SquaredTerm& penalty, samples::TrainingSet<Rows> set,
               const Point<double>& start, bool has_offset, Index threads)
      : Iterate<SmoothObjective<L, Rows>>(start, loss, penalty, std::move(set), has_offset,
                                          threads),
        next_(problem_, Rows::is_packed && problem_.all_samples() >= 8192 ? 8 : 1),
        factored_(loss, problem_, start.weights.size() > 0) {}

  bool iterate(double allowed) {
    while (!this->is_stuck()) {
      double slope = factored_.is_at_work() ? factored_.find(*this, allowed, next_) : 0;
      const bool is_factored = factored_.is_at_work();
      if (!is_factored) slope = this->find_direction(next_);
      const bool has_moved = this->advance(next_.direction, next_.moves, slope, next_.first_step);
      const bool has_learnt =
          is_factored ? factored_.learn(this->step_) : next_.learn(*this, this->step_);
      if (has_moved) return true;
      if (!this->refresh() && !has_learnt) return false;
    }
    return false;
  }

 private:
  using Iterate<SmoothObjective<L, Rows>>::problem_;

  NewtonDirection<SmoothObjective<L, Rows>> next_;
  FactoredDirection<L, Rows> factored_;
};

}  // namespace linea::detail::newton
