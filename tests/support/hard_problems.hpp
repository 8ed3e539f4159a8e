// SPDX-License-Identifier: MIT
#pragma once
/// \file Small numerically hard problems, each determined by a seed.
#include <algorithm>  // clamp, max
#include <cmath>
#include <cstdint>
#include <linea/core/random.hpp>
#include <linea/core/types.hpp>
#include <linea/losses/any_loss.hpp>
#include <optional>
#include <sstream>
#include <string>

#include "support/synthetic.hpp"

namespace linea::test {

/// A group of losses that the same optimizers support, tested in one file. The problems of `counts`
/// are derived from those of smooth_numbers: see hard_counts.
enum class Family { smooth_classes, smooth_numbers, hinge, kinks, squares, counts };

enum class LossKind {
  log,
  squared_hinge,
  smooth_hinge,
  squared,
  huber,
  hinge,
  absolute,
  epsilon,
  quantile,
  poisson
};

constexpr const char* name_of(LossKind kind) {
  constexpr const char* names[] = {
      "log",   "squared-hinge", "smooth-hinge",        "squared",  "huber",
      "hinge", "absolute",      "epsilon-insensitive", "quantile", "poisson"};
  return names[static_cast<int>(kind)];
}

/// A problem: x (n × d), y (n), weights (n) or none, the objective, and a description in one line.
struct HardProblem {
  std::uint64_t seed{0};
  Family family{Family::squares};
  LossKind loss{LossKind::squared};
  double parameter{1};  ///< the parameter of the loss: δ, γ, ε or τ
  double l1{0};
  double l2{0};
  bool offset{true};
  bool floats{false};  ///< can float represent x, y and the weights exactly?
  /// Did the maker draw a column whose mean is 1e12 times its scale, or 1e5 times for floats? The
  /// guarantees of the optimizers exclude such columns.
  bool beyond{false};
  bool absent_rows{false};  ///< do some rows have weight 0, and numbers that would change F?
  Matrix<double> x{};
  Vector<double> y{};
  Vector<double> weights{};
  Vector<double> factors{};  ///< of the penalties of the columns (d), or none
  bool non_negative{false};  ///< must all weights be ≥ 0?
  Index offset_column{-1};   ///< the column whose weight is 1, without a penalty; −1 for none
  std::string line{};

  bool has_classes() const { return family == Family::smooth_classes || family == Family::hinge; }
  double weight(Index i) const { return weights.size() > 0 ? weights[i] : 1.0; }

  double factor(Index j) const {
    return j == offset_column ? 0 : factors.size() > 0 ? factors[j] : 1;
  }

  /// Does a penalty apply to every weight that is not fixed?
  bool is_penalised() const {
    return (l1 > 0 || l2 > 0) && (factors.size() == 0 || factors.minCoeff() > 0);
  }

  /// Returns the first row of positive weight.
  Index present_row() const {
    Index i = 0;
    while (weight(i) == 0) ++i;
    return i;
  }

  /// Does no finite offset attain the infimum of F? True with an offset for the log loss and
  /// samples of one class, and for counts that are all 0.
  bool is_unbounded() const {
    if (loss == LossKind::poisson && offset) {
      for (Index i = 0; i < y.size(); ++i)
        if (weight(i) > 0 && y[i] != 0) return false;
      return true;
    }
    if (loss != LossKind::log || !offset) return false;
    for (Index i = 0; i < y.size(); ++i)
      if (weight(i) > 0 && y[i] != y[present_row()]) return false;
    return true;
  }

  /// Returns the same problem with ordinary entries and targets in rows of weight 0. Zeros stay 0,
  /// because the number of entries of a sparse matrix may determine the algorithm.
  HardProblem without_absent() const {
    HardProblem other = *this;
    for (Index i = 0; i < x.rows(); ++i)
      if (weight(i) == 0) {
        for (Index j = 0; j < x.cols(); ++j)
          if (x(i, j) != 0) other.x(i, j) = present_entry(j);
        other.y[i] = y[present_row()];
      }
    return other;
  }

  /// Returns the first non-zero entry of column j in a row of positive weight, or 1 if there is
  /// none.
  double present_entry(Index j) const {
    for (Index i = 0; i < x.rows(); ++i)
      if (weight(i) > 0 && x(i, j) != 0) return x(i, j);
    return 1;
  }
};

/// Draws a HardProblem. All steps use one generator, so that the seed determines the problem.
class HardProblemMaker {
 public:
  explicit HardProblemMaker(std::uint64_t seed) : random_(seed) { problem_.seed = seed; }

  static Family family_of(std::uint64_t seed) { return static_cast<Family>(Random(seed).below(5)); }

  HardProblem make() {
    problem_.family = static_cast<Family>(random_.below(5));
    problem_.floats = chance(0.4);
    problem_.offset = chance(0.8);
    draw_size();
    draw_columns();
    draw_targets();
    draw_weights();
    draw_objective();
    describe();
    return std::move(problem_);
  }

 private:
  bool chance(double p) { return random_.uniform() < p; }
  double between(double low, double high) { return low + (high - low) * random_.uniform(); }
  double power(double low, double high) { return std::pow(10.0, between(low, high)); }
  Index whole(Index low, Index high) {
    return low + static_cast<Index>(random_.below(static_cast<std::uint64_t>(high - low + 1)));
  }

  void draw_size() {
    Index n = 0;
    Index d = 0;
    switch (random_.below(4)) {
      case 0:  // n < d
        d = whole(2, 20);
        n = whole(1, d - 1);
        break;
      case 1:
        n = d = whole(1, 12);
        break;
      case 2:
        d = whole(1, 10);
        n = whole(d + 1, 40);
        break;
      default:  // n ≫ d
        d = whole(1, 4);
        n = whole(20, 80);
    }
    problem_.x.resize(n, d);
    signal_.setZero(n);
  }

  /// Draws each column from the normal distribution, with some zeros, and adds a random multiple of
  /// it to the signal of the targets. Then may shift, scale and replace the column.
  void draw_columns() {
    auto& x = problem_.x;
    problem_.beyond = chance(0.04);
    // 0: a common scale; 1: a scale for each column; 2 or 3: scale 1.
    const std::uint64_t scales = random_.below(4);
    const bool far = problem_.beyond || chance(0.4);
    const bool dependent = chance(0.35);
    const double farthest = problem_.floats ? 3 : 6;
    const double common = power(-8, 8);
    what_ << (scales == 0   ? " scale " + text(common)
              : scales == 1 ? " scales 1e-8..1e8"
                            : "")
          << (far ? " far" : "") << (problem_.beyond ? " beyond" : "");
    for (Index j = 0; j < x.cols(); ++j) {
      const double density = chance(0.15) ? 0.3 : 1.0;
      for (double& entry : x.col(j)) entry = chance(density) ? synthetic::normal(random_) : 0.0;
      signal_ += synthetic::normal(random_) * x.col(j);
      double mean = far && chance(0.5) ? power(0, farthest) : 0;
      if (problem_.beyond && (j == 0 || chance(0.3))) mean = problem_.floats ? 1e5 : 1e12;
      const double scale = scales == 0 ? common : scales == 1 ? power(-8, 8) : 1;
      if (mean != 0) x.col(j).array() += chance(0.5) ? mean : -mean;
      x.col(j) *= scale;
      if (dependent) make_dependent(j);
    }
    if (problem_.floats) x = x.cast<float>().cast<double>().eval();
  }

  void make_dependent(Index j) {
    auto& x = problem_.x;
    const Index a = j > 0 ? whole(0, j - 1) : 0;
    const Index b = j > 0 ? whole(0, j - 1) : 0;
    const double u = synthetic::normal(random_);
    const double v = synthetic::normal(random_);
    const std::uint64_t kind = random_.below(12);
    if (kind == 0) {
      x.col(j).setZero();
      what_ << " zero";
    } else if (kind == 1) {
      x.col(j).setConstant(u * power(-3, 6));
      what_ << " constant";
    } else if (kind == 2 && j > 0) {
      x.col(j) = x.col(a);
      what_ << " duplicate";
    } else if (kind == 3 && j > 0) {
      x.col(j) = u * x.col(a) + v * x.col(b);
      what_ << " collinear";
    } else if (kind == 4 && j > 0) {
      for (Index i = 0; i < x.rows(); ++i)
        x(i, j) = x(i, a) * (1 + 1e-6 * synthetic::normal(random_));
      what_ << " nearly-duplicate";
    }
  }

  void draw_targets() {
    auto& y = problem_.y;
    const Index n = problem_.x.rows();
    const double noise = chance(0.2) ? 0.0 : power(-2, 0.5);
    y = signal_;
    for (double& value : y) value += noise * synthetic::normal(random_);
    if (chance(0.04)) y.setConstant(1);
    if (problem_.has_classes()) {
      for (double& value : y) value = value >= 0 ? 1 : -1;
      return;
    }
    const double scale = chance(0.3) ? power(-3, 3) : 1;
    const double mean = chance(0.3) ? (chance(0.5) ? 1 : -1) * power(0, 9.3) : 0;
    y = (scale * y).array() + mean;
    if (problem_.floats) y = y.cast<float>().cast<double>().eval();
    const double center = y.mean();
    spread_ =
        std::max(std::sqrt((y.array() - center).square().mean()), 1e-6 * y.cwiseAbs().maxCoeff());
    what_ << " targets " << text(mean) << " +- " << text(spread_) << " noise " << text(noise);
    if (!(spread_ > 0) || n < 2) spread_ = 1;
  }

  void draw_weights() {
    if (chance(0.5)) return;
    const bool zeros = chance(0.5);
    const double range = chance(0.3) ? 3 : 0.5;
    const Index n = problem_.x.rows();
    Vector<double> weights(n);
    for (double& weight : weights) weight = power(-range, range);
    if (zeros) {
      const Index kept = whole(0, n - 1);
      for (Index i = 0; i < n; ++i) {
        if (i == kept || !chance(0.25)) continue;
        weights[i] = 0;
        problem_.absent_rows = true;
        const double size = power(3, problem_.floats ? 37 : 149);
        for (Index j = 0; j < problem_.x.cols(); ++j)
          if (problem_.x(i, j) != 0) problem_.x(i, j) = size * synthetic::normal(random_);
        if (!problem_.has_classes()) problem_.y[i] = size;
      }
    }
    if (problem_.floats) {
      weights = weights.cast<float>().cast<double>().eval();
      problem_.x = problem_.x.cast<float>().cast<double>().eval();
      problem_.y = problem_.y.cast<float>().cast<double>().eval();
    }
    problem_.weights = weights;
    what_ << (problem_.absent_rows ? " weights with 0" : " weights");
  }

  /// Draws the loss and the penalties. Either penalty may be 0. Otherwise it usually fits the
  /// scales of x and y. In one problem of ten, l2 is from 1e-12 to 1e8 whatever these scales.
  void draw_objective() {
    auto& p = problem_;
    const auto draw = [&](LossKind first, std::uint64_t count) {
      p.loss = static_cast<LossKind>(static_cast<std::uint64_t>(first) + random_.below(count));
    };
    if (p.family == Family::smooth_classes) draw(LossKind::log, 3);
    if (p.family == Family::smooth_numbers) draw(LossKind::squared, 2);
    if (p.family == Family::hinge) p.loss = LossKind::hinge;
    if (p.family == Family::kinks) draw(LossKind::absolute, 3);
    if (p.family == Family::squares) p.loss = LossKind::squared;
    if (p.loss == LossKind::smooth_hinge) p.parameter = power(-1, 0.5);
    if (p.loss == LossKind::huber) p.parameter = chance(0.5) ? spread_ * power(-3, 3) : 1;
    if (p.loss == LossKind::epsilon) p.parameter = chance(0.2) ? 0 : spread_ * power(-2, 0);
    if (p.loss == LossKind::quantile) p.parameter = chance(0.3) ? 0.5 : between(0.02, 0.98);

    const Index i = p.present_row();
    const Index j = whole(0, p.x.cols() - 1);
    const double entry = std::abs(p.x(i, j)) > 0 ? std::abs(p.x(i, j)) : 1;
    const double slope = p.has_classes() || p.family == Family::kinks ? 1 : spread_;
    if (!chance(0.2)) p.l2 = entry * entry * power(-9, 1);
    if (chance(0.1)) p.l2 = power(-12, 8);
    if (p.family != Family::squares && chance(0.3)) p.l1 = entry * slope * power(-4, 0);
  }

  void describe() {
    const auto& p = problem_;
    std::ostringstream line;
    line << "seed " << p.seed << ": " << p.x.rows() << " x " << p.x.cols()
         << (p.floats ? " floats" : " doubles") << what_.str() << ", " << name_of(p.loss);
    if (p.parameter != 1) line << '{' << p.parameter << '}';
    line << ", l1 = " << p.l1 << ", l2 = " << p.l2 << (p.offset ? "" : ", no offset");
    problem_.line = line.str();
  }

  static std::string text(double value) {
    std::ostringstream out;
    out.precision(3);
    out << value;
    return out.str();
  }

  Random random_;
  HardProblem problem_{};
  Vector<double> signal_{};
  double spread_{1};
  std::ostringstream what_{};
};

inline HardProblem hard_problem(std::uint64_t seed) { return HardProblemMaker(seed).make(); }

/// Returns up to three classes (n), from a problem of two classes: the samples with y = 1 are of
/// one class in even rows, and of another in odd rows. The classes are numbered 0, 1, … in the
/// order in which they first occur in rows of positive weight. A row of weight 0 whose class occurs
/// in no row of positive weight gets class 0.
inline Vector<double> many_classes(const HardProblem& problem) {
  Vector<double> classes(problem.y.size());
  double next = 0;
  double seen[3] = {-1, -1, -1};
  for (Index i = 0; i < classes.size(); ++i) {
    const int drawn = problem.y[i] < 0 ? 0 : 1 + static_cast<int>(i % 2);
    if (problem.weight(i) > 0 && seen[drawn] < 0) seen[drawn] = next++;
    classes[i] = drawn;
  }
  for (double& one : classes) one = std::max(seen[static_cast<int>(one)], 0.0);
  return classes;
}

/// Returns the hard problem of smooth_numbers with this seed, with counts as targets and no L1
/// penalty. The logarithms of the means of the counts follow the original targets, so that the
/// means are between 0.05 and 20, or occasionally ten times as large. Occasionally the targets are
/// the means themselves instead of counts.
inline HardProblem hard_counts(std::uint64_t seed) {
  HardProblem problem = hard_problem(seed);
  Random random(seed + 1);
  const double scale = random.uniform() < 0.2 ? 10 : 1;
  const bool rates = random.uniform() < 0.2;
  double mean = 0;
  double total = 0;
  for (Index i = 0; i < problem.y.size(); ++i)
    if (problem.weight(i) > 0) {
      mean += problem.y[i];
      total += 1;
    }
  mean /= total;
  double spread = 0;
  for (Index i = 0; i < problem.y.size(); ++i)
    if (problem.weight(i) > 0) spread += (problem.y[i] - mean) * (problem.y[i] - mean);
  spread = std::sqrt(spread / total);
  for (Index i = 0; i < problem.y.size(); ++i) {
    const double tossed = random.uniform();
    // This target may be a very large number, which must have no effect.
    if (!(problem.weight(i) > 0)) continue;
    const double score = spread > 0 ? std::clamp((problem.y[i] - mean) / spread, -3.0, 3.0) : 0;
    const double rate = scale * std::exp(score);
    problem.y[i] =
        rates ? static_cast<double>(static_cast<float>(rate)) : std::floor(rate + tossed);
  }
  problem.family = Family::counts;
  problem.loss = LossKind::poisson;
  problem.parameter = 1;
  problem.l1 = 0;
  if (spread > 0) problem.l2 /= spread;
  problem.line += ", counts instead";
  return problem;
}

/// What a problem has in addition to its loss and its elastic net.
enum class Extension { none, factors, non_negative, offsets };

/// Returns the problem with a factor for the penalty of each column, with weights ≥ 0, or with a
/// last column of fixed offsets.
inline HardProblem extended(HardProblem problem, Extension extension) {
  if (extension == Extension::none) return problem;
  Random random(problem.seed + 2);
  const auto power = [&](double low, double high) {
    return std::pow(10.0, low + (high - low) * random.uniform());
  };
  const Index d = problem.x.cols();
  if (extension == Extension::non_negative) {
    problem.non_negative = true;
    problem.line += ", weights >= 0";
  } else if (extension == Extension::factors) {
    const double zeros = random.uniform() < 0.3 ? 0.3 : 0;
    problem.factors.resize(d);
    for (double& factor : problem.factors) factor = random.uniform() < zeros ? 0 : power(-2, 2);
    // Six problems of ten have factors of any size: with strengths that make up for it, or not.
    const double kind = random.uniform();
    const double size = kind < 0.3 ? power(-280, 280) : 1;
    problem.factors *= size;
    problem.l1 /= size;
    problem.l2 /= size;
    for (double& factor : problem.factors)
      if (kind > 0.7 && random.uniform() < 0.5) factor *= power(-250, 250);
    std::ostringstream text;
    text << ", factors " << problem.factors.transpose() << " of strengths " << problem.l1 << ' '
         << problem.l2;
    problem.line += text.str();
  } else {
    const bool numbers = problem.family == Family::smooth_numbers;
    const double unit = numbers ? std::abs(problem.y[problem.present_row()]) : 1;
    const double size = (unit > 0 ? unit : 1) * power(-1, 0.5);
    const double mean = random.uniform() < 0.3 ? 3 * size : 0;
    const bool copied = problem.family != Family::counts && random.uniform() < 0.2;
    problem.x.conservativeResize(Eigen::NoChange, d + 1);
    for (double& fixed : problem.x.col(d)) fixed = mean + size * synthetic::normal(random);
    if (copied) problem.x.col(d) = problem.x.col(0);
    if (problem.floats) problem.x = problem.x.cast<float>().cast<double>().eval();
    problem.offset_column = d;
    problem.line += copied ? ", offsets as column 0" : ", offsets";
  }
  return problem;
}

/// Returns the loss of a problem as an `Any`, a type such as AnySmoothLoss.
template <class Any>
Any loss_of(const HardProblem& problem) {
  Any loss;
  const LossKind kind = problem.loss;
  const bool has_parameter = kind == LossKind::smooth_hinge || kind == LossKind::huber ||
                             kind == LossKind::epsilon || kind == LossKind::quantile;
  loss.choose(name_of(kind), has_parameter ? std::optional(problem.parameter) : std::nullopt);
  return loss;
}

}  // namespace linea::test
