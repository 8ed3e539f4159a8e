// SPDX-License-Identifier: MIT
#pragma once
/// \file The step of Newton's method without a penalty, from the samples and not from ∇²F.
#include <algorithm>  // max, min
#include <cmath>
#include <limits>
#include <linea/optimizers/numerics/tilted_least_squares.hpp>
#include <linea/optimizers/softmax/objective.hpp>
#include <utility>  // move
#include <vector>

namespace linea::softmax {

/// s with ∇²F·s = −∇F for λ = 0, a table, by a QR decomposition of k − 1 rows for each sample, as
/// smooth::StepByQr has it: it sees directions along which F bends so little that ∇²F lost them.
///
/// Over the classes but one, r, ∇² of a sample's loss is diag(q) − qqᵀ = LDLᵀ, with the tails tⱼ =
/// qᵣ + Σ qₘ over m > j: Dⱼ = qⱼtⱼ/tⱼ₋₁, and below the diagonal Lₘⱼ = −qₘ/tⱼ. No digits are lost
/// where some q is near 0 or 1. Its gradient q − e_y is Lz, zⱼ being qⱼ/tⱼ₋₁ before the class y,
/// −tⱼ/tⱼ₋₁ there and 0 behind.
template <class Problem, class Real = double>
class StepByQr {
 public:
  /// Is there such a step: without a penalty, and for the cost of some passes?
  static bool is_for(const Problem& problem) {
    const auto others = static_cast<double>(problem.classes() - 1);
    const double size = others * static_cast<double>(problem.cols());
    const double longest = std::max(others * static_cast<double>(problem.samples()), size);
    return problem.lambda() == 0 && size * size * longest <= 1e8;
  }

  /// For the probabilities q (n × stride). One pass, n·k³·d² operations.
  StepByQr(const Problem& problem, const Table& q)
      : problem_(problem),
        q_(q),
        reference_(reference_of(problem, q)),
        size_((problem.classes() - 1) * problem.cols()),
        r_(Matrix<Real>::Zero(size_, size_ + 1)),
        straight_(Vector<Real>::Zero(size_)),
        sizes_(straight_) {
    const Index a_block = std::max<Index>(128 / (problem.classes() - 1), 1);
    for (Index first = 0; first < problem.samples(); first += a_block)
      add(first, std::min(a_block, problem.samples() - first));
  }

  numerics::TiltedLeastSquares<Real> solve() const {
    const auto longest = static_cast<double>(std::max(problem_.samples(), size_));
    const double unit = (32 + 8 * std::sqrt(longest)) * std::numeric_limits<double>::epsilon();
    const auto& origin = problem_.passes().set().origin;
    Vector<Real> noise(size_), noise_of_tilt(size_);
    for (Index j = 0; j < size_; ++j) {
      const Index feature = j % problem_.cols();
      const double moved =
          origin && feature < problem_.features() ? std::abs((*origin)[feature]) : 0.0;
      noise[j] = unit * std::hypot(r_.col(j).head(j + 1).norm(), moved);
      noise_of_tilt[j] = unit * (sizes_[j] + 2 * moved);
    }
    return {r_, straight_, noise, noise_of_tilt, unit};
  }

  /// The step as a table, each row with the sum 0.
  Table direction(const Vector<Real>& step) const {
    Table table = Table::Zero(problem_.cols(), problem_.stride());
    for (Index i = 0; i < size_; ++i)
      table(i % problem_.cols(), class_at(i / problem_.cols())) = step[i];
    problem_.centre(table);
    return table;
  }

 private:
  /// The class of the unknowns from place·cols on.
  Index class_at(Index place) const { return place + (place >= reference_ ? 1 : 0); }

  void add(Index first, Index count) {
    const Index others = problem_.classes() - 1;
    Matrix<Real> block = Matrix<Real>::Zero(count * others, size_ + 1);
    RowBlock rows(problem_.features(), false);
    rows.read(problem_.passes().set(), first, count);
    for (Index i = 0; i < count; ++i)
      if (problem_.share(first + i) > 0) add_sample(first + i, rows.row(i), i * others, block);
    numerics::append_rows(r_, block);
  }

  void add_sample(Index i, const double* x, Index row, Matrix<Real>& block) {
    const Index others = problem_.classes() - 1;
    const Index y = problem_.class_of(i);
    const double share = problem_.share(i);
    std::vector<double> tails(static_cast<std::size_t>(others + 1), q_(i, reference_));
    for (Index j = others; j-- > 0;)
      tails[at(j)] = tails[at(j + 1)] + q_(i, class_at(j));  // tails[at(j)] is that before place j
    bool is_behind = false;
    for (Index j = 0; j < others; ++j) {
      const double before = tails[at(j)];
      const double after = tails[at(j + 1)];
      const double chance = q_(i, class_at(j));
      if (!(before > 0)) return;
      const bool is_own = class_at(j) == y;
      const double z = is_behind ? 0 : is_own ? -after / before : chance / before;
      is_behind = is_behind || is_own;
      const double bend = chance * (after / before);
      const double root = bend > least_bend ? std::sqrt(share * bend) : 0;
      if (root == 0 && z == 0) continue;
      for (Index m = j; m < others; ++m) {
        const double part = m == j ? 1 : after > 0 ? -q_(i, class_at(m)) / after : 0;
        if (part != 0) put(x, m, part, root, share * z, row + j, block);
      }
      if (root > 0) block(row + j, size_) = -share * z / root;
    }
  }

  /// part·(x, 1) in place of the unknowns of a class.
  void put(const double* x, Index place, double part, double root, double slope, Index row,
           Matrix<Real>& block) {
    for (Index j = 0; j < problem_.cols(); ++j) {
      const double entry = part * (j < problem_.features() ? x[j] : 1);
      const Index unknown = place * problem_.cols() + j;
      block(row, unknown) = root * entry;
      if (root == 0) straight_[unknown] += slope * entry;
      sizes_[unknown] += std::abs(slope * entry);
    }
  }

  static std::size_t at(Index j) { return static_cast<std::size_t>(j); }
  static constexpr double least_bend = 1e-20;  // below, a sample is straight

  const Problem& problem_;
  const Table& q_;
  Index reference_;
  Index size_;
  Matrix<Real> r_;         // of the rows that bend, their right-hand sides beside it
  Vector<Real> straight_;  // ∇ of those that do not
  Vector<Real> sizes_;     // of the terms of ∇F
};

/// Half of how much ∇²F bends along moves of the scores: how far a step of Newton's method falls.
template <class Problem>
double fall_along(const Problem& problem, const Table& q, const Table& moves) {
  double fall = 0;
  for (Index i = 0; i < problem.samples(); ++i) {
    if (!(problem.share(i) > 0)) continue;
    double mean = 0;
    for (Index a = 0; a < problem.classes(); ++a) mean += q(i, a) * moves(i, a);
    for (Index a = 0; a < problem.classes(); ++a) {
      const double apart = moves(i, a) - mean;
      fall += problem.share(i) / 2 * q(i, a) * apart * apart;
    }
  }
  return fall;
}

/// Is F near its minimum along directions too that are flat to ∇²F? `is_near`: it is along others.
/// If not, `direction` becomes the step that sees them.
template <class Problem, class Run>
bool is_near_by_qr(Problem& problem, const Run& run, bool is_near, Table& direction) {
  using Step = StepByQr<Problem>;
  if (!Step::is_for(problem)) return is_near;
  problem.passes().count_pass();
  const Step step(problem, run.q);
  const auto least = step.solve();
  if (least.is_endless()) return false;
  Table closer = step.direction(least.point());
  Table moves;
  problem.passes().score(closer, moves);
  const double fall = fall_along(problem, run.q, moves);
  const bool is_seen_near = run.seems_near(fall);
  if (is_seen_near && !is_near && least.has_cleared()) return false;  // what is cleared may bend
  // Conjugate gradients may have lost a long step, towards an infimum that no point attains.
  const bool is_lost = fall > std::numeric_limits<double>::epsilon() * run.value();
  const bool is_better = !is_seen_near || !is_near || (is_lost && !run.is_short(moves));
  if (is_better && run.gradient.cwiseProduct(closer).sum() < 0) direction = std::move(closer);
  return is_seen_near;
}

}  // namespace linea::softmax
