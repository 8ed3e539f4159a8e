// SPDX-License-Identifier: MIT
#pragma once
/// \file Leave-one-out errors of least squares.
#include <algorithm>  // max, min
#include <cmath>
#include <limits>
#include <linea/core/workers.hpp>
#include <linea/optimizers/least_squares/spectral_path.hpp>
#include <vector>

namespace linea::detail::least_squares {

/// Computes the leave-one-out error Σᵢ pᵢ(yᵢ − f₋ᵢ(xᵢ))² for each λ. Here pᵢ = sᵢ/S, S = Σᵢ sᵢ, and
/// f₋ᵢ is the fit for the same λ without sample i. As F is a mean, f₋ᵢ minimises the sum over the
/// other samples with the penalty λ′ = (1 − pᵢ)λ. So rᵢ(yᵢ − f₋ᵢ(xᵢ)) = aᵢ/(1 − hᵢ) for
/// a = (I − H)t and h = diag H, where H is the hat matrix for λ′ (Allen, Technometrics 16 (1974)),
///
///     H = r·rᵀ + Z(ZᵀZ + λ′I)⁻¹Zᵀ,      1 − hᵢ = Nᵢ + λ′·Σₖ uᵢₖ²/(σₖ² + λ′).
///
/// The first term of H is absent without an offset. uₖ and σₖ are the left singular vectors and the
/// singular values of Z. Nᵢ is the squared norm of the part of the unit vector of sample i that is
/// orthogonal to r and to the range of Z. In the dual form Nᵢ is 0 unless Z is rank-deficient. The
/// dual form computes aᵢ and 1 − hᵢ by sums over k, which lose no digits for hᵢ near 1.
///
/// Cost for n ≥ d: n·d² multiplications and additions, twice those of the normal equations, and
/// 2·n·d for each λ. Unequal weights add a division for each sample, feature and λ. Threads divide
/// the samples. Cost for n < d: 2·n² for each λ, and n²·rank if Z is rank-deficient. Memory beside
/// x: O(min(n, d)·(min(n, d) + m)).
template <class Design>
class LeaveOneOut {
 public:
  /// Computes the errors for targets t (n) and m values of λ. T of the spectrum must be diagonal.
  LeaveOneOut(const Design& design, const Spectrum& spectrum, const Reals& t, bool offset,
              const std::vector<double>& lambdas, Index threads)
      : design_(design),
        spectrum_(spectrum),
        t_(t),
        offset_(offset),
        lambdas_(lambdas),
        across_(linear_algebra::packed(inverses(false))),
        along_(linear_algebra::packed(inverses(true))),
        errors_(linear_algebra::constant(count(), 0)) {
    for (const double root : design.root()) weighted_ = weighted_ || root != design.root()[0];
    if (spectrum.is_dual())
      visit_basis();
    else
      visit_rows(threads);
  }

  /// Returns the errors (m), without those of the samples left to refits.
  const Reals& errors() const { return errors_; }

  /// Returns the samples whose errors need a refit: those with nearly all of the weight, and those
  /// for which the formula would lose too many digits.
  const std::vector<Index>& left_to_refits() const { return left_to_refits_; }

 private:
  static constexpr Index block_rows = 5 * linear_algebra::PackedRows::width;

  /// The workspace for a block of samples, reused for later blocks.
  struct Block {
    Matrix<double> rows{};  // rows of Z (count × d)
    Columns b{};            // coordinates of these rows (count × rank)
    Columns along{};        // Σₖ bₖ·rightₖ/(σₖ² + λ), (count × m)
    Columns across{};       // Σₖ bₖ²/(σₖ² + λ), (count × m)
    linear_algebra::PackedRows packed_rows{}, packed{};  // `rows` and b, packed
  };

  Index count() const { return static_cast<Index>(lambdas_.size()); }
  double share(Index i) const { return design_.root()[i] * design_.root()[i]; }
  bool is_heavy(Index i) const { return share(i) >= 1 - 1e-4; }
  /// Returns the penalty λ′ = (1 − pᵢ)λ of sample i.
  double own_lambda(Index i, Index k) const {
    return (1 - share(i)) * lambdas_[static_cast<std::size_t>(k)];
  }

  /// Returns 1/(σ² + λ′), or right/(σ² + λ′), for the penalties λ′ of sample 0: (rank × m).
  Columns inverses(bool times_right) const {
    Columns inverses(spectrum_.rank(), count());
    for (Index k = 0; k < count(); ++k)
      for (Index j = 0; j < inverses.rows(); ++j)
        inverses(j, k) =
            (times_right ? spectrum_.right()[j] : 1) / (spectrum_.squares()[j] + own_lambda(0, k));
    return inverses;
  }

  /// Computes `along` and `across` of a block of samples from `first` on, from their coordinates b.
  void add_up(Index first, Block& block) const {
    const Columns& b = block.b;
    if (!weighted_) {
      linear_algebra::pack(b.transpose(), block.packed);
      linear_algebra::multiply(block.packed, along_, b.cols(), block.along);
      block.packed.square();
      return linear_algebra::multiply(block.packed, across_, b.cols(), block.across);
    }
    if (block.along.rows() != b.rows()) block.along = block.across = Columns(b.rows(), count());
    for (Index i = 0; i < b.rows(); ++i)
      for (Index k = 0; k < count(); ++k) {
        const double lambda = own_lambda(first + i, k);
        double along = 0;
        double across = 0;
        for (Index j = 0; j < b.cols(); ++j) {
          const double part = b(i, j) / (spectrum_.squares()[j] + lambda);
          along += part * spectrum_.right()[j];
          across += part * b(i, j);
        }
        block.along(i, k) = along;
        block.across(i, k) = across;
      }
  }

  void visit_rows(Index threads) {
    const linear_algebra::PackedRows basis = linear_algebra::packed(spectrum_.basis());
    const Index blocks = (design_.rows() + block_rows - 1) / block_rows;
    Workers workers(std::max<Index>(std::min(threads, blocks), 1));
    auto errors = linear_algebra::zeros<Columns>(count(), workers.count());
    std::vector<std::vector<Index>> left(static_cast<std::size_t>(workers.count()));
    workers.run([&](Index worker) {
      const auto [from, to] = share_of(blocks, worker, workers.count());
      Block block;
      for (Index k = from; k < to; ++k)
        visit_block(k * block_rows, basis, block, errors.data() + worker * count(),
                    left[static_cast<std::size_t>(worker)]);
    });
    for (Index worker = 0; worker < workers.count(); ++worker) {
      for (Index k = 0; k < count(); ++k) errors_[k] += errors(k, worker);
      for (const Index i : left[static_cast<std::size_t>(worker)]) left_to_refits_.push_back(i);
    }
  }

  /// Adds the errors of a block to `errors` (m). Leaves a sample to refits if it has nearly all of
  /// the weight, or if the spectrum is resolved and 1 − h ≤ 10⁻⁶ for some λ: the digits of 1 − h
  /// are then lost.
  void visit_block(Index first, const linear_algebra::PackedRows& basis, Block& block,
                   double* errors, std::vector<Index>& left) const {
    const Index count_of_rows = std::min(block_rows, design_.rows() - first);
    design_.fill(first, count_of_rows, false, block.rows);
    linear_algebra::pack(block.rows.transpose(), block.packed_rows);
    linear_algebra::multiply(block.packed_rows, basis, design_.cols(), block.b);
    add_up(first, block);
    for (Index i = 0; i < count_of_rows; ++i) {
      const double most = offset_ ? 1 - share(first + i) : 1;
      double least = most;
      for (Index k = 0; k < count(); ++k) least = std::min(least, most - block.across(i, k));
      if (is_heavy(first + i) || (spectrum_.is_resolved() && least <= 1e-6)) {
        left.push_back(first + i);
        continue;
      }
      for (Index k = 0; k < count(); ++k) {
        const double error = (t_[first + i] - block.along(i, k)) / (most - block.across(i, k));
        errors[k] += error * error;
      }
    }
  }

  /// Adds all errors in the dual form, where row i of the basis holds the coordinates of sample i.
  void visit_basis() {
    const Columns& basis = spectrum_.basis();
    const Index n = basis.rows();
    const bool full = spectrum_.interpolates();
    Reals rest = t_;  // the part of t orthogonal to the range of Z
    for (Index j = 0; j < spectrum_.rank(); ++j)
      rows::add(basis.data() + j * n, -spectrum_.right()[j], rest.data(), n);
    Block block;
    Columns& b = block.b;
    for (Index first = 0; first < n; first += block_rows) {
      const Index count_of_rows = std::min(block_rows, n - first);
      if (b.rows() != count_of_rows) b = Columns(count_of_rows, spectrum_.rank());
      for (Index j = 0; j < b.cols(); ++j)
        for (Index i = 0; i < b.rows(); ++i) b(i, j) = basis(first + i, j);
      add_up(first, block);
      for (Index i = 0; i < b.rows(); ++i)
        add(first + i, i, block, full ? Reals() : beyond(first + i), rest);
    }
  }

  /// Returns the part of the unit vector of sample i that is orthogonal to the range of Z and, with
  /// an offset, to r. The squared norm of this part is Nᵢ.
  Reals beyond(Index i) const {
    const Columns& basis = spectrum_.basis();
    Reals unit = linear_algebra::constant(basis.rows(), 0);
    unit[i] = 1;
    if (offset_) linear_algebra::add(-design_.root()[i], design_.root(), unit);
    for (Index j = 0; j < basis.cols(); ++j)
      rows::add(basis.data() + j * basis.rows(), -basis(i, j), unit.data(), basis.rows());
    return unit;
  }

  void add(Index i, Index row, const Block& block, const Reals& beyond, const Reals& rest_of_t) {
    if (share(i) == 0) return;
    const double rounding = std::numeric_limits<double>::epsilon() *
                            static_cast<double>(std::max(design_.rows(), design_.cols()));
    const double spread = spectrum_.rank() > 0 ? spectrum_.largest() / spectrum_.smallest() : 0;
    const double least = std::min(1e-6, rounding * rounding * spread);
    const double length = linear_algebra::squares_of(beyond);
    // The error of √length is about √least. If √length has fewer than four digits, but is not mere
    // rounding, refit instead.
    if (is_heavy(i) || (length > 1e-2 * least && length < 1e8 * least))
      return left_to_refits_.push_back(i);
    const double rest = length > least ? linear_algebra::dot(beyond, rest_of_t) : 0;
    for (Index k = 0; k < count(); ++k) {
      const double lambda = own_lambda(i, k);
      const double along = block.along(row, k);
      const double across = block.across(row, k);
      const double error =
          length > least ? (lambda * along + rest) / (lambda * across + length) : along / across;
      errors_[k] += error * error;
    }
  }

  const Design& design_;
  const Spectrum& spectrum_;
  const Reals& t_;
  bool offset_;
  bool weighted_{false};
  const std::vector<double>& lambdas_;
  linear_algebra::PackedRows across_, along_;  // inverses, if the weights are equal
  Reals errors_;
  std::vector<Index> left_to_refits_{};
};

/// Returns pᵢ(yᵢ − f₋ᵢ(xᵢ))² for each λ (m), from fits without sample i, or NaN where a fit has
/// diverged.
template <class Rows>
Reals refitted_error(samples::TrainingSet<Rows> set, bool centred, const Columns& y,
                     const std::vector<double>& lambdas, double least, Index i) {
  const Index n = set.rows.rows();
  if (set.weights.size() == 0) set.weights = linear_algebra::constant(n, 1);
  const double part = set.weights[i] / static_cast<double>(n);
  set.weights[i] = 0;
  const double most = linear_algebra::largest_of(set.weights.data(), n);
  double sum = 0;
  for (double& weight : set.weights) sum += weight /= most;
  for (double& weight : set.weights) weight *= static_cast<double>(n) / sum;
  const SpectralPath<Rows> path(set, centred, y, false, false, least, false);
  const auto found = path.solve(lambdas);
  Reals errors(static_cast<Index>(lambdas.size()));
  for (Index k = 0; k < errors.size(); ++k) {
    const auto fit = path.finished(found, k, lambdas[static_cast<std::size_t>(k)]);
    long double error = static_cast<long double>(fit.offset[0]) - static_cast<long double>(y(i, 0));
    set.rows.for_each(i, [&](Index j, double value) {
      error += static_cast<long double>(value) * static_cast<long double>(fit.weights(j, 0));
    });
    errors[k] = fit.status == Status::diverged ? std::numeric_limits<double>::quiet_NaN()
                                               : part * static_cast<double>(error * error);
  }
  return errors;
}

/// The mean squared leave-one-out errors for m values of λ. Where the formula of LeaveOneOut loses
/// too many digits, refits without the sample replace it. If these would take more than 4·10⁹
/// multiplications, an error is NaN if it has fewer than three digits or lacks refits of samples.
template <class Rows>
class LeftOutErrors {
 public:
  LeftOutErrors(const samples::TrainingSet<Rows>& set, bool centred, const Columns& y,
                const SpectralPath<Rows>& path, const std::vector<double>& lambdas, Index threads)
      : set_(set),
        centred_(centred),
        y_(y),
        path_(path),
        lambdas_(lambdas),
        threads_(threads),
        errors_(linear_algebra::constant(static_cast<Index>(lambdas.size()), 0)) {
    const auto& spectrum = path.spectrum();
    const Reals& root = path.design().root();
    std::vector<Index> present, sound, doubtful, lost;
    for (Index i = 0; i < root.size(); ++i)
      if (root[i] > 0) present.push_back(i);
    for (Index k = 0; k < errors_.size(); ++k) {
      const double doubt =
          spectrum.decomposition() == Decomposition::eigenvalues
              ? 0
              : 16 * std::numeric_limits<double>::epsilon() * spectrum.condition(lambda(k));
      (doubt < 1e-9 ? sound : doubt < 1e-3 ? doubtful : lost).push_back(k);
    }
    by_formula(sound);
    if (!by_refits(present, lost)) clear(lost);
    if (!by_refits(present, doubtful)) by_formula(doubtful);
  }

  const Reals& errors() const { return errors_; }

 private:
  double lambda(Index k) const { return lambdas_[static_cast<std::size_t>(k)]; }
  std::vector<double> chosen(const std::vector<Index>& places) const {
    std::vector<double> chosen;
    chosen.reserve(places.size());
    for (const Index k : places) chosen.push_back(lambda(k));
    return chosen;
  }
  void clear(const std::vector<Index>& places) {
    for (const Index k : places) errors_[k] = std::numeric_limits<double>::quiet_NaN();
  }

  void by_formula(const std::vector<Index>& places) {
    if (places.empty()) return;
    const std::vector<double> lambdas = chosen(places);
    const Reals t = path_.targets();
    const LeaveOneOut found(path_.design(), path_.spectrum(), t, centred_, lambdas, threads_);
    Index c = 0;
    for (const Index k : places) errors_[k] = found.errors()[c++];
    if (!by_refits(found.left_to_refits(), places)) clear(places);
  }

  /// Adds errors from refits. Returns false, and adds nothing, if all refits so far would need too
  /// many multiplications.
  bool by_refits(const std::vector<Index>& left_out, const std::vector<Index>& places) {
    if (left_out.empty() || places.empty()) return true;
    const auto n = static_cast<double>(path_.design().rows());
    const auto d = static_cast<double>(path_.design().cols());
    const double size = std::min(n, d);
    work_ += static_cast<double>(left_out.size()) *
             (n * d * size + 10 * static_cast<double>(places.size()) * size * size * d);
    if (!(work_ < 4e9)) return false;
    const std::vector<double> lambdas = chosen(places);
    double least = lambdas[0];
    for (const double one : lambdas) least = std::min(least, one);
    for (const Index i : left_out) {
      const Reals own = refitted_error(set_, centred_, y_, lambdas, least, i);
      Index c = 0;
      for (const Index k : places) errors_[k] += own[c++];
    }
    return true;
  }

  const samples::TrainingSet<Rows>& set_;
  bool centred_;
  const Columns& y_;
  const SpectralPath<Rows>& path_;
  const std::vector<double>& lambdas_;
  Index threads_;
  Reals errors_;
  double work_{0};
};

}  // namespace linea::detail::least_squares
