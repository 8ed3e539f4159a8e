// SPDX-License-Identifier: MIT
#pragma once
/// \file The solver::Method of SoftmaxNewton: see solver/solve.hpp.
#include <algorithm>  // fill_n, max, min
#include <cmath>      // abs, sqrt
#include <limits>
#include <linea/linear_algebra/cholesky.hpp>
#include <linea/linear_algebra/conjugate_gradients.hpp>
#include <linea/linear_algebra/product.hpp>
#include <linea/linear_algebra/triangle.hpp>
#include <linea/linear_algebra/vector_level.hpp>
#include <linea/optimizers/newton/smooth_method.hpp>
#include <linea/optimizers/newton/softmax_objective.hpp>
#include <linea/samples/blocks.hpp>
#include <linea/samples/row_block.hpp>
#include <optional>
#include <utility>  // exchange, move
#include <vector>

namespace linea::detail::newton {

/// Returns the Cholesky factorisation of a symmetric matrix, whose lower triangle is that of `a`,
/// with each diagonal entry multiplied by 1 + `added`. Zeros on the diagonal count as the largest
/// diagonal entry. If the matrix is not positive definite, returns that of its diagonal instead.
inline linear_algebra::Cholesky<double> raised_cholesky(detail::ColumnMatrix<double> a,
                                                        double added) {
  double largest = 0;
  for (Index i = 0; i < a.rows(); ++i) largest = std::max(largest, a(i, i));
  if (largest == 0) largest = 1;
  for (Index i = 0; i < a.rows(); ++i) a(i, i) = (a(i, i) > 0 ? a(i, i) : largest) * (1 + added);
  linear_algebra::Cholesky<double> factor(a);
  if (factor.is_positive()) return factor;
  for (Index j = 0; j < a.rows(); ++j)
    for (Index i = j + 1; i < a.rows(); ++i) a(i, j) = 0;
  return linear_algebra::Cholesky<double>(std::move(a));
}

/// Computes v ← (RᵀR)⁻¹·v for an upper triangular R and all columns of v (size × stride) at once.
inline void solve_all(const linear_algebra::Triangle& r, Table& v) {
  constexpr Index block = 32;
  const Index stride = v.cols();
  const auto level = samples::level_for(stride);
  const Vector<double> zeros = detail::filled(stride, 0.0);
  Table part(block, stride);
  samples::RowBlock right;  // the rows of a block, from the columns after it on
  const auto row = [&](Index i) { return v.data() + i * stride; };
  const auto select = [&](Index first, Index last) {
    right.count = last - first;
    right.columns = r.size - last;
    right.rows = r.row(first) + last;
    right.row_stride = r.stride;
  };
  const auto divide = [&](Index i) {
    for (Index k = 0; k < stride; ++k) row(i)[k] /= r.row(i)[i];
  };
  for (Index first = 0; first < r.size; first += block) {
    const Index last = std::min(first + block, r.size);
    for (Index i = first; i < last; ++i) {
      divide(i);
      for (Index j = i + 1; j < last; ++j) rows::add(row(i), -r.row(i)[j], row(j), stride);
    }
    select(first, last);
    for (Index k = 0; k < right.count * stride; ++k) part.data()[k] = -row(first)[k];
    linear_algebra::run_at(
        level, samples::TableProduct<false>(right, row(last), nullptr, part.data(), stride));
  }
  for (Index last = r.size; last > 0;) {
    const Index first = (last - 1) / block * block;
    select(first, last);
    linear_algebra::run_at(
        level, samples::TableProduct<true>(right, row(last), zeros.data(), part.data(), stride));
    rows::add(part.data(), -1.0, row(first), right.count * stride);
    for (Index i = last - 1; i >= first; --i) {
      divide(i);
      for (Index j = first; j < i; ++j) rows::add(row(i), -r.row(j)[i], row(j), stride);
    }
    last = first;
  }
}

/// An approximate inverse of ∇²F, class by class. With ωᵢ = sᵢ/S·qᵢ(1 − qᵢ) for the probabilities
/// qᵢ of a class, the block of the class is B = Σᵢ ωᵢ·xᵢxᵢᵀ + λI, and c = Σᵢ ωᵢ. There are three
/// approximations of the blocks:
///
/// 1. c/c̄ times the mean of the blocks, with the mean c̄ of c. It is computed at first or, if it
///    costs more than `credit` products with ∇²F, when they have cost as much (see `patience`), and
///    again when the products since then have cost as much.
/// 2. B itself, when the products since the last computation have cost as much as computing the
///    blocks of all classes. Computed again when they have cost as much once more.
/// 3. The diagonals of c·mean x², if blocks are not useful, or too large: see `fits_blocks`.
///
/// A block costs about 2·cols³ multiplications and cols² doubles. With many samples, it is computed
/// from about `rows_a_column` drawn rows for each column, which is accurate enough for a
/// preconditioner: row i is drawn with a probability proportional to ωᵢ, up to 1, and ωᵢ is divided
/// by this probability.
class Preconditioner {
 public:
  static constexpr Index most_in_blocks = 1200;
  static constexpr Index rows_a_column = 8;
  static constexpr double credit = 4;
  static constexpr Index never = Index{1} << 30;

  /// Are blocks useful, and do they fit into memory? With more columns than samples, ∇²F within a
  /// class has a low rank apart from λI, and blocks are not useful.
  static bool fits_blocks(Index samples, Index columns, Index classes) {
    constexpr Index most_numbers = Index{1} << 24;  // numbers in all blocks, 128 MiB
    return columns <= std::min(most_in_blocks, samples) &&
           classes <= most_numbers / (columns * columns);
  }

  explicit Preconditioner(SoftmaxObjective& problem) : problem_(problem) {}

  /// Computes the approximate inverse at these slopes, if it pays. `products` is the number of
  /// products with ∇²F since the last call.
  void find(const SoftmaxObjective::State& at, Index products) {
    spent_ += static_cast<double>(products) * cost_of_product();
    const Index classes = problem_.classes();
    Vector<double> sums = detail::filled(problem_.stride(), 0.0);  // of ω
    Vector<double> sizes = sums;                                   // of the sizes of the slopes
    double all = 0;
    for (Index i = 0; i < problem_.samples(); ++i)
      for (Index a = 0; a < problem_.stride(); ++a) {
        const double size = std::abs(at.slopes(i, a));
        sums[a] += curvature_of(size, problem_.share(i));
        sizes[a] += size;
      }
    for (Index a = 0; a < classes; ++a) all += sums[a];
    const bool has_blocks = patience() == 0;
    // Columns may be dependent in the drawn rows but not in all rows.
    const double added = is_drawn() ? 1e-3 : 1e-12;
    find_noise(sizes, sums, has_blocks ? added : 1);
    if (!has_blocks) return find_diagonal(sums);
    const auto count = static_cast<double>(classes);
    const bool splits =
        spent_ >= count * cost_of_block() || static_cast<Index>(blocks_.size()) == classes;
    if (!blocks_.empty() && spent_ < (splits ? count : 1) * cost_of_block()) return;
    spent_ = 0;
    problem_.count_pass();
    blocks_.clear();
    blocks_.resize(splits ? static_cast<std::size_t>(classes) : 1);
    parts_.assign(static_cast<std::size_t>(classes), 1);
    if (splits)
      return problem_.for_each_class([&](Index a) {
        blocks_[static_cast<std::size_t>(a)].emplace(
            raised_cholesky(curvature_of_class(at.slopes, a, a + 1, sums[a]), added));
      });
    blocks_[0].emplace(raised_cholesky(curvature_of_class(at.slopes, 0, classes, all), added));
    // A block of a rare class is mostly λI, so its part must not be tiny.
    for (Index a = 0; a < classes; ++a)
      parts_[static_cast<std::size_t>(a)] = all > 0 ? std::max(sums[a] / all, 0.01 / count) : 1;
  }

  /// Returns the number of products with ∇²F until the first block pays: 0 if there is a block, and
  /// `never` if blocks are not useful.
  Index patience() const {
    if (!fits_blocks(problem_.samples(), problem_.cols(), problem_.classes())) return never;
    if (!blocks_.empty()) return 0;
    const double left = (cost_of_block() - spent_) / cost_of_product();
    return left > (spent_ > 0 ? 0 : credit) ? static_cast<Index>(left) + 1 : 0;
  }

  /// Sets `scaled` to the approximate inverse times the residual, with a sum of 0 over the classes:
  /// ∇²F may be singular along directions that are the same for all classes. Returns ⟨residual,
  /// scaled⟩.
  double apply(const Table& residual, Table& scaled) const {
    if (blocks_.empty()) {
      scaled.resize(residual.rows(), residual.cols());
      for (Index k = 0; k < scaled.size(); ++k)
        scaled.data()[k] = scale_.data()[k] * residual.data()[k];
    } else if (blocks_.size() == 1) {
      scaled = residual;
      solve_all(blocks_[0]->triangle(), scaled);
      for (Index j = 0; j < scaled.rows(); ++j)
        for (Index a = 0; a < problem_.classes(); ++a)
          scaled(j, a) /= parts_[static_cast<std::size_t>(a)];
    } else {
      scaled.resize(residual.rows(), residual.cols());
      std::fill_n(scaled.data(), scaled.size(), 0.0);
      problem_.for_each_class([&](Index a) {
        Vector<double> column = linear_algebra::column_of(residual, a);
        blocks_[static_cast<std::size_t>(a)]->solve(column.data());
        for (Index j = 0; j < column.size(); ++j) scaled(j, a) = column[j];
      });
    }
    problem_.centre(scaled);
    return linear_algebra::dot(residual.data(), scaled.data(), scaled.size());
  }

  /// Returns the approximate norm of the rounding error of ∇F in the metric of this preconditioner.
  /// This error comes from the slopes, and from scores whose magnitude is assumed to be about 4.
  double noise() const { return noise_; }

 private:
  /// Are the blocks computed from drawn rows?
  bool is_drawn() const { return rows_a_column * problem_.cols() < problem_.samples(); }

  /// Sets noise_, from the sums of the sizes of the slopes and of the curvatures of each class. The
  /// trace of the inverse of a block, scaled to a unit diagonal, is at most cols/added.
  void find_noise(const Vector<double>& sizes, const Vector<double>& sums, double added) {
    double square = 0;
    for (Index a = 0; a < problem_.classes(); ++a) {
      const double rounding = 4 * std::numeric_limits<double>::epsilon() * (sizes[a] + 4 * sums[a]);
      if (sums[a] > 0) square += rounding * rounding / sums[a];
    }
    noise_ = std::sqrt(square * static_cast<double>(problem_.cols()) / added);
  }

  void find_diagonal(const Vector<double>& sums) {
    const Vector<double>& squares = problem_.mean_squares();
    scale_.resize(problem_.cols(), problem_.stride());
    for (Index j = 0; j < scale_.rows(); ++j)
      for (Index a = 0; a < scale_.cols(); ++a) {
        const double lambda = j < problem_.features() ? problem_.lambda() : 0;
        const double entry = sums[a] * squares[j] + lambda;
        scale_(j, a) = entry > 0 ? 1 / entry : 1;
      }
  }

  double drawn_rows() const {
    const Index rows = problem_.samples();
    return static_cast<double>(is_drawn() ? rows_a_column * problem_.cols() : rows);
  }
  /// The costs are in multiplications.
  double cost_of_block() const {
    const auto cols = static_cast<double>(problem_.cols());
    return (drawn_rows() / 2 + cols / 6) * cols * cols;
  }
  double cost_of_product() const {
    return 2 * static_cast<double>(problem_.rows().entries()) *
           static_cast<double>(problem_.stride());
  }

  /// Returns the lower triangle of Σᵢ ωᵢ·xᵢxᵢᵀ + mλI, where ωᵢ is the sum over the classes from
  /// `first` to `last`, and m their number; from all rows or from drawn rows. `sum` is Σᵢ ωᵢ.
  detail::ColumnMatrix<double> curvature_of_class(const Table& slopes, Index first, Index last,
                                                  double sum) const {
    const Index cols = problem_.cols();
    const double wanted = is_drawn() ? drawn_rows() : std::numeric_limits<double>::infinity();
    std::vector<Index> drawn;
    std::vector<double> roots;
    for (Index i = 0; i < problem_.samples(); ++i) {
      double weight = 0;
      for (Index a = first; a < last; ++a)
        weight += curvature_of(std::abs(slopes(i, a)), problem_.share(i));
      if (weight == 0) continue;
      const double chance = std::min(wanted * weight / sum, 1.0);
      if (!(samples::golden_fraction(i + first) < chance)) continue;
      drawn.push_back(i);
      roots.push_back(std::sqrt(weight / chance));
    }
    auto block = linear_algebra::zeros<detail::ColumnMatrix<double>>(cols, cols);
    for (Index j = 0; j < problem_.features(); ++j)
      block(j, j) = static_cast<double>(last - first) * problem_.lambda();
    samples::RowBlock row;
    linear_algebra::add_full_gram(
        block, static_cast<Index>(drawn.size()), [&](Index k, auto&& put) {
          const auto at = static_cast<std::size_t>(k);
          problem_.rows().read(drawn[at], 1, row);
          row.for_each(0, [&](Index j, double x) { put(j, roots[at] * x); });
          if (problem_.has_offset()) put(cols - 1, roots[at]);
        });
    return block;
  }

  SoftmaxObjective& problem_;
  Table scale_{};
  std::vector<std::optional<linear_algebra::Cholesky<double>>> blocks_{};  // one, or all classes
  std::vector<double> parts_{};  // by class: its block over the one in blocks_
  double spent_{0};              // cost of the products since the blocks were computed
  double noise_{0};
};

/// Solves ∇²F·s = −∇F by conjugate gradients, with one pass over x for each iteration.
///
/// For λ = 0, F has no curvature along combinations of dependent columns. Along these, ∇F is only
/// rounding error, which the preconditioner amplifies. So the iterations end when the residual is
/// rounding error.
class SoftmaxDirection {
 public:
  explicit SoftmaxDirection(SoftmaxObjective& problem)
      : problem_(problem), preconditioner_(problem) {}

  Table direction{};  ///< s
  Table moves{};      ///< changes of the scores along s (n × stride)

  /// Computes s and the moves, with a residual of at most `enough` times ∇F. Returns ⟨∇F, s⟩.
  template <class Run>
  double find(const Run& run, double enough) {
    constexpr Index most_rounds = 500;
    preconditioner_.find(run.at, std::exchange(products_, 0));
    // A direction that takes long with the diagonals ends early. The next one has a block.
    const Index patience = preconditioner_.patience();
    const Index rounds = patience > 0 ? std::min(patience, most_rounds) : most_rounds;
    const bool is_solved = solver_.solve(
        run.gradient, {enough, preconditioner_.noise(), 1e-16, rounds},
        [&](const Table& v, Table& image) {
          ++products_;
          problem_.find_curvature(v, run.at.slopes, image);
        },
        [this](const Table& residual, Table& scaled) {
          return preconditioner_.apply(residual, scaled);
        },
        [](double) {}, direction);
    is_whole_ = is_solved && !solver_.is_flat;
    problem_.score(direction, moves);
    return dot(run.gradient, direction);
  }

  /// Was the system solved, and was there curvature along all search directions? If there was none,
  /// F may be unbounded below.
  bool is_whole() const { return is_whole_; }

 private:
  SoftmaxObjective& problem_;
  Preconditioner preconditioner_;
  Index products_{0};  // since the last call of preconditioner_.find
  bool is_whole_{false};
  linear_algebra::ConjugateGradients<Table> solver_{};
};

/// Truncated Newton for all classes at once:
///
/// 1. Start at the given θ, or at w = 0 with the best constants; find scores, F and ∇F there.
/// 2. Solve ∇²F·s = −∇F by preconditioned conjugate gradients, one pass for each product, to a
///    residual of at most a tenth of ∇F, or up to half if the gap is nearly small enough; less near
///    the minimum if there is no bound on F*.
/// 3. Find the changes of the scores along s, and search the line for the Wolfe conditions.
/// 4. Minimise over the offsets alone (SoftmaxObjective::polish), which costs no pass; find ∇F.
/// 5. If no step lowers F, recompute the scores and try again, then end; else go to 2.
class SoftmaxMethod : public SmoothMethod<SoftmaxObjective> {
 public:
  using SmoothMethod::SmoothMethod;  // the constructor

  bool iterate(double allowed) {
    allowed_ = allowed;
    while (!is_stuck()) {
      const double slope =
          find_direction(next_, std::max(0.1, 0.5 * std::sqrt(allowed / std::max(gap_, allowed))));
      if (advance(next_.direction, next_.moves, slope, 1, {1e-4, 0.5})) return true;
      if (!refresh()) return false;
    }
    return false;
  }

  double bound_here() {
    const double bound = SmoothMethod::bound_here();
    gap_ = value() - bound;
    return bound;
  }

 private:
  SoftmaxDirection next_{problem_};
  double gap_{std::numeric_limits<double>::infinity()};
};

}  // namespace linea::detail::newton
