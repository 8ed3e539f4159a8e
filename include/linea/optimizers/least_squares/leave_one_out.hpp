// SPDX-License-Identifier: MIT
#pragma once
/// \file Errors of least squares on samples that it was not fitted to, without fitting again.
#include <algorithm>  // max, min
#include <limits>
#include <linea/core/workers.hpp>
#include <linea/optimizers/least_squares/spectrum.hpp>
#include <linea/optimizers/numerics/product.hpp>
#include <vector>

namespace linea::least_squares {

/// Σᵢ pᵢ(yᵢ − f₋ᵢ(xᵢ))² for each λ, pᵢ = sᵢ/S and f₋ᵢ the minimum for the same λ without sample i.
/// Since F is a mean, that one is the minimum of the sum over the other samples for the penalty (1
/// − pᵢ)λ; so the error rᵢ(yᵢ − f₋ᵢ(xᵢ)) is aᵢ/(1 − hᵢ) for a = (I − H)t and h = diag H with the
/// hat matrix of that penalty,
///
///     H = r·rᵀ + Z(ZᵀZ + λ(1 − pᵢ)I)⁻¹Zᵀ,      1 − hᵢ = Nᵢ + λ(1 − pᵢ)·Σₖ uᵢₖ²/(σₖ² + λ(1 − pᵢ)),
///
/// the first term with an offset alone (Allen, Technometrics 16 (1974)). N and ρ, of length and of
/// t beyond the span of r and Z, are 0 in the dual form unless Z is short of rank; there, and
/// wherever 1 − hᵢ is small, numerator and denominator are sums of such terms and lose no digits
/// however close h is to 1.
///
/// Cost, n ≥ d: n·d² multiplications and additions and 2·n·d for each λ, as fast as those of the
/// normal equations, which take half of n·d²; weights that differ add a division for each sample,
/// feature and λ. n < d: 2·n² for each λ. Threads divide the samples where n ≥ d. Memory beside x:
/// O(min(n, d)·(min(n, d) + m)).
template <class Design>
class LeaveOneOut {
  using Real = typename Design::Reals::Scalar;
  using Columns = core::ColumnMatrix<Real>;
  using Reals = Vector<Real>;
  using Row = Eigen::Matrix<Real, 1, Eigen::Dynamic>;
  using Terms = Eigen::Array<Real, Eigen::Dynamic, 1>;

 public:
  /// For t (n) and λ (m). The spectrum has a diagonal T.
  /// Samples of a part `most` of all weight and above are left to the caller; so are those that fit
  /// themselves almost, unless `has_all`: the design has all samples of the spectrum.
  LeaveOneOut(const Design& design, const Spectrum<Real>& spectrum, const Reals& t, bool offset,
              const std::vector<double>& lambdas, double most, Index threads, bool has_all = true)
      : design_(design),
        spectrum_(spectrum),
        t_(t),
        offset_(offset),
        most_(most),
        has_all_(has_all),
        weighted_(design.root().minCoeff() != design.root().maxCoeff()),
        lambdas_(Eigen::Map<const Reals>(lambdas.data(), static_cast<Index>(lambdas.size()))),
        along_(numerics::packed(Columns(spectrum.right().asDiagonal() * inverses_of(0)))),
        across_(numerics::packed(inverses_of(0))),
        errors_(Reals::Zero(lambdas_.size())) {
    if (spectrum.is_dual())
      visit_basis();
    else
      visit_rows(threads);
  }

  /// (m), without those of samples that are left to the caller.
  const Reals& errors() const { return errors_; }

  /// The samples whose errors are not to be had from here: the heaviest, and those of which
  /// rounding hides whether others hold what they hold.
  const std::vector<Index>& left_to_refits() const { return left_to_refits_; }

 private:
  static constexpr Index block_rows = 5 * numerics::PackedRows::width;

  /// Of some samples, (count × m): Σₖ bₖ·rightₖ/(σₖ² + λ) and Σₖ cₖ/(σₖ² + λ).
  struct Sums {
    Columns along;
    Columns across;
  };

  double share(Index i) const { return design_.root()[i] * design_.root()[i]; }
  double own_lambda(Index i, Index k) const { return (1 - share(i)) * lambdas_[k]; }
  Terms inverse_at(double lambda) const { return (spectrum_.squares().array() + lambda).inverse(); }

  /// 1/(σ² + λ) for each λ of sample i: (rank × m).
  Columns inverses_of(Index i) const {
    Columns inverses(spectrum_.rank(), lambdas_.size());
    for (Index k = 0; k < lambdas_.size(); ++k) inverses.col(k) = inverse_at(own_lambda(i, k));
    return inverses;
  }

  /// For b and c (count × rank), of the samples `first` and on, or of those that are listed.
  template <class IndexOf>
  Sums sums_of(const Columns& b, const Columns& c, IndexOf&& index_of) const {
    if (!weighted_)
      return {numerics::wide_product(numerics::packed(b.transpose()), along_, b.cols()),
              numerics::wide_product(numerics::packed(c.transpose()), across_, c.cols())};
    Sums sums{Columns(b.rows(), lambdas_.size()), Columns(b.rows(), lambdas_.size())};
    for (Index i = 0; i < b.rows(); ++i) {
      const Terms linear = b.row(i).transpose().cwiseProduct(spectrum_.right());
      const Terms square = c.row(i).transpose();
      for (Index k = 0; k < lambdas_.size(); ++k) {
        const Terms inverse = inverse_at(own_lambda(index_of(i), k));
        sums.along(i, k) = (linear * inverse).sum();
        sums.across(i, k) = (square * inverse).sum();
      }
    }
    return sums;
  }

  /// What a thread finds in its share of the blocks.
  struct Found {
    Reals errors;
    std::vector<Index> left_to_refits{};
    std::vector<Index> steep{};
    std::vector<Row> steep_rows{};
  };

  void visit_rows(Index threads) {
    const numerics::PackedRows basis = numerics::packed(spectrum_.basis());
    const Index blocks = (design_.rows() + block_rows - 1) / block_rows;
    Workers workers(std::max<Index>(std::min(threads, blocks), 1));
    std::vector<Found> found(static_cast<std::size_t>(workers.count()), Found{errors_});
    workers.run([&](Index worker) {
      const auto [from, to] = share_of(blocks, worker, workers.count());
      for (Index block = from; block < to; ++block)
        visit_block(block * block_rows, basis, found[static_cast<std::size_t>(worker)]);
    });
    for (Found& one : found) {
      errors_ += one.errors;
      left_to_refits_.insert(left_to_refits_.end(), one.left_to_refits.begin(),
                             one.left_to_refits.end());
      for (std::size_t first = 0; first < one.steep.size(); first += block_rows)
        add_steep(one, first);
    }
  }

  void visit_block(Index first, const numerics::PackedRows& basis, Found& found) const {
    Index smallest = 0;
    lambdas_.minCoeff(&smallest);
    // u = b/σ is known to this part of itself.
    const bool is_sharp =
        16 * std::numeric_limits<double>::epsilon() * spectrum_.condition(0) < 1e-8;
    const Index count = std::min(block_rows, design_.rows() - first);
    Matrix<Real> block;
    design_.fill(first, count, false, block);
    const Columns b =
        numerics::wide_product(numerics::packed(block.transpose()), basis, block.cols());
    Sums sums = sums_of(b, b.cwiseAbs2(), [first](Index i) { return first + i; });
    sums.along = (-sums.along).colwise() + t_.segment(first, count);
    const Reals most = offset_ ? Reals(1 - design_.root().segment(first, count).array().square())
                               : Reals::Ones(count);
    sums.across = (-sums.across).colwise() + most;
    for (Index i = 0; i < count; ++i) {
      const bool is_heavy = share(first + i) >= most_;
      if (!is_heavy && (!spectrum_.is_resolved() || sums.across(i, smallest) > 1e-6)) continue;
      sums.along.row(i).setZero();
      sums.across.row(i).setOnes();
      if (is_heavy || !is_sharp || !has_all_) {
        found.left_to_refits.push_back(first + i);
        continue;
      }
      found.steep.push_back(first + i);
      found.steep_rows.push_back(b.row(i));
    }
    found.errors += sums.along.cwiseQuotient(sums.across).colwise().squaredNorm().transpose();
  }

  /// Samples that fit themselves almost, 1 − h ≤ 10⁻⁶, at most `rank` of them; b are their
  /// coordinates.
  void add_steep(const Found& found, std::size_t first) {
    const std::size_t size = std::min<std::size_t>(block_rows, found.steep.size() - first);
    const std::vector<Index> steep(found.steep.data() + first, found.steep.data() + first + size);
    const auto count = static_cast<Index>(size);
    Columns b(count, spectrum_.rank());
    for (Index i = 0; i < count; ++i)
      b.row(i) = found.steep_rows[first + static_cast<std::size_t>(i)];
    const Reals inverses = spectrum_.squares().cwiseInverse();
    const auto inverse = inverses.asDiagonal();
    if (rest_.size() == 0)
      rest_ = t_ - design_.apply(spectrum_.outwards(inverse * spectrum_.right()));
    Columns beyond(0, count);
    if (!spectrum_.interpolates())
      beyond = -design_.apply(spectrum_.outwards(inverse * b.transpose()));
    for (Index k = 0; beyond.rows() > 0 && k < count; ++k) {
      const Index i = steep[static_cast<std::size_t>(k)];
      if (offset_) beyond.col(k) -= design_.root()[i] * design_.root();
      beyond(i, k) += 1;
    }
    add(sums_of(b * inverse, b.cwiseAbs2() * inverse,
                [&](Index k) { return steep[static_cast<std::size_t>(k)]; }),
        beyond, [&](Index k) { return steep[static_cast<std::size_t>(k)]; });
  }

  void visit_basis() {
    const Columns& basis = spectrum_.basis();
    const bool full = spectrum_.interpolates();
    rest_ = t_ - basis * spectrum_.right();
    for (Index first = 0; first < design_.rows(); first += block_rows) {
      const Index count = std::min(block_rows, design_.rows() - first);
      const Columns b = basis.middleRows(first, count);
      Columns beyond = Columns::Zero(full ? 0 : basis.rows(), count);
      for (Index k = 0; !full && k < count; ++k) {
        beyond.col(k) -= basis * b.row(k).transpose();
        if (offset_) beyond.col(k) -= design_.root()[first + k] * design_.root();
        beyond(first + k, k) += 1;
      }
      const auto index_of = [first](Index i) { return first + i; };
      add(sums_of(b, b.cwiseAbs2(), index_of), beyond, index_of);
    }
  }

  /// Takes in samples whose sums are over u = b/σ. The columns of `beyond` are what of their unit
  /// vectors lies beyond the span of r and Z: its length is N.
  template <class IndexOf>
  void add(const Sums& sums, const Columns& beyond, IndexOf&& index_of) {
    const double rounding = std::numeric_limits<double>::epsilon() *
                            static_cast<double>(std::max(design_.rows(), design_.cols()));
    const double least =
        std::min(1e-6, rounding * rounding * spectrum_.largest() /
                           (spectrum_.rank() > 0 ? spectrum_.squares().minCoeff() : 1.0));
    for (Index i = 0; i < sums.along.rows(); ++i) {
      if (share(index_of(i)) == 0) continue;
      const double length = beyond.rows() > 0 ? beyond.col(i).squaredNorm() : 0;
      // A length is known to the root of `least`: not to four digits means not at all.
      if (share(index_of(i)) >= most_ || (length > 1e-2 * least && length < 1e8 * least)) {
        left_to_refits_.push_back(index_of(i));
        continue;
      }
      const double rest = length > least ? beyond.col(i).dot(rest_) : 0;
      for (Index k = 0; k < lambdas_.size(); ++k) {
        const double lambda = own_lambda(index_of(i), k);
        const double error = length > least ? (lambda * sums.along(i, k) + rest) /
                                                  (lambda * sums.across(i, k) + length)
                                            : sums.along(i, k) / sums.across(i, k);
        errors_[k] += error * error;
      }
    }
  }

  const Design& design_;
  const Spectrum<Real>& spectrum_;
  const Reals& t_;
  bool offset_;
  double most_;
  bool has_all_, weighted_;
  Reals lambdas_;
  // right/(σ² + λ) and 1/(σ² + λ) of the first sample: of all if none has more weight
  numerics::PackedRows along_, across_;
  Reals rest_;
  Reals errors_;
  std::vector<Index> left_to_refits_{};
};

}  // namespace linea::least_squares
