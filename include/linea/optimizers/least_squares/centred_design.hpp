// SPDX-License-Identifier: MIT
#pragma once
/// \file The matrix of least squares with a free offset: Z = diag(r)·(X − 1·x̄ᵀ), rᵢ = √(sᵢ/S), S =
/// Σᵢ sᵢ. X is not copied, and a sparse X stays sparse. All computations are in double, whatever
/// the scalar type of X.
///
/// With the weighted means x̄ and ȳ, the best offset for any w is ȳ − ⟨w, x̄⟩, and the objective
/// becomes ½‖Zw − diag(r)(y − ȳ)‖² + λ/2‖w‖².
#include <algorithm>  // copy, max, min
#include <cmath>      // sqrt
#include <limits>
#include <linea/linear_algebra/product.hpp>
#include <linea/linear_algebra/qr.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/samples/blocks.hpp>
#include <linea/samples/origin.hpp>
#include <linea/samples/training_set.hpp>
#include <memory>   // shared_ptr
#include <utility>  // move
#include <vector>

namespace linea::detail::least_squares {

using Columns = detail::ColumnMatrix<double>;
using Reals = Vector<double>;

/// The matrix Z of a training set. Columns far from 0 are read relative to an origin near their
/// means (samples/origin.hpp), so that products with uncentred rows lose few digits.
template <class Rows>
class CentredDesign {
 public:
  using Block = Matrix<double>;

  /// Computes r, chooses an origin if the set has none, and computes x̄ in one pass. Without
  /// `centre`, x̄ is 0. With `later`, the caller must set x̄ before other calls.
  CentredDesign(samples::TrainingSet<Rows> set, bool centre, bool later = false)
      : set_(std::move(set)), root_(rows()), mean_(linear_algebra::constant(cols(), 0)) {
    for (Index i = 0; i < rows(); ++i)
      root_[i] = std::sqrt(set_.weight(i) / static_cast<double>(set_.all_rows()));
    if (!set_.origin) {
      samples::choose_origin(set_, centre);
      origin_ = set_.origin;
    }
    if (centre && !later) {
      const Reals shares = linear_algebra::product(root_, root_);
      samples::for_each_block(samples(), [&](Index first, Index count) {
        samples().add_up(first, count, shares.data() + first, mean_);
      });
      samples::all_of(samples()).sum_entries(mean_);
    }
  }

  Index rows() const { return set_.rows.rows(); }
  Index cols() const { return set_.rows.cols(); }
  /// Returns the samples relative to the origin.
  const Rows& samples() const { return set_.rows; }
  Rows stored_samples() const { return samples::stored_rows(set_); }
  const Reals& root() const { return root_; }  ///< r, (n)

  /// Sets rᵢ to 1, or to 0 for samples of weight 0, and keeps x̄.
  void ignore_weights() {
    for (double& root : root_) root = root > 0 ? 1 : 0;
  }

  /// Sets x̄ relative to the origin, (d).
  void set_mean(Reals mean) { mean_ = std::move(mean); }
  /// Returns x̄ relative to the origin, (d).
  const Reals& mean_of_samples() const { return mean_; }
  /// Returns x̄ⱼ of the samples as given. The rounding error of a double may be large compared with
  /// the deviations of the column.
  long double exact_mean(Index j) const {
    const auto mean = static_cast<long double>(mean_[j]);
    return origin_ ? static_cast<long double>((*origin_)[j]) + mean : mean;
  }
  /// Returns x̄ of the samples as given, (d).
  Reals mean() const {
    Reals mean(cols());
    for (Index j = 0; j < cols(); ++j) mean[j] = static_cast<double>(exact_mean(j));
    return mean;
  }

  /// Returns Z·w (n × k) for w (d × k).
  Columns apply(const Columns& w) const {
    Columns product(rows(), w.cols());
    for_each_scored(w, [&](Index first, const Columns& scores, const Block*) {
      for (Index k = 0; k < w.cols(); ++k)
        for (Index i = 0; i < scores.rows(); ++i) product(first + i, k) = scores(i, k);
    });
    return product;
  }

  /// Returns Zᵀ·a (d × k) for a (n × k).
  Columns apply_transposed(const Columns& a) const {
    Sums sums(cols(), a);
    Block block;
    each_block(is_filled_for(a), [&](Index first, Index count) {
      Columns part(count, a.cols());
      for (Index k = 0; k < a.cols(); ++k)
        for (Index i = 0; i < count; ++i) part(i, k) = a(first + i, k);
      if (is_filled_for(a)) fill(first, count, false, block);
      add_up(first, part, is_filled_for(a) ? &block : nullptr, sums);
    });
    return centred(sums);
  }

  /// Returns ‖y − Zw‖² for y (n × k) and w (d × k). Sets `gradient` to Zᵀ(y − Zw) (d × k). Makes
  /// one pass over x.
  double residual(const Columns& y, const Columns& w, Columns& gradient) const {
    Sums sums(cols(), w);
    double squares = 0;
    for_each_scored(w, [&](Index first, Columns& scores, const Block* block) {
      for (Index k = 0; k < w.cols(); ++k)
        for (Index i = 0; i < scores.rows(); ++i) scores(i, k) = y(first + i, k) - scores(i, k);
      squares += linear_algebra::squares_of(scores);
      add_up(first, scores, block, sums);
    });
    gradient = centred(sums);
    return squares;
  }

  /// Sets `block` to rows [first, first + count) of Z, or of Zᵀ if `transposed`, as dense rows with
  /// space for `beside` more columns.
  void fill(Index first, Index count, bool transposed, Block& block, Index beside = 0) const {
    const Index width = (transposed ? rows() : cols()) + beside;
    if (block.rows() != count || block.cols() != width) block = Block(count, width);
    const auto row = [&](Index k) { return block.data() + k * block.cols(); };
    if (transposed) {
      for (Index k = 0; k < count; ++k)
        for (Index i = 0; i < rows(); ++i) row(k)[i] = -mean_[first + k];
      for (Index i = 0; i < rows(); ++i)
        samples().for_each_between(i, first, first + count,
                                   [&](Index j, double value) { row(j - first)[i] += value; });
      for (Index k = 0; k < count; ++k)
        for (Index i = 0; i < rows(); ++i) row(k)[i] *= root_[i];
    } else {
      for (Index k = 0; k < count; ++k) {
        double* const entries = row(k);
        for (Index j = 0; j < cols(); ++j) entries[j] = -mean_[j];
        samples().for_each(first + k, [entries](Index j, double value) { entries[j] += value; });
        for (Index j = 0; j < cols(); ++j) entries[j] *= root_[first + k];
      }
    }
  }

  /// Returns an estimate of the rounding error of a column of norm 1.
  double rounding() const {
    const auto longest = static_cast<double>(std::max(rows(), cols()));
    return (8 + 2 * std::sqrt(longest)) * std::numeric_limits<double>::epsilon();
  }

  /// Returns R (d × d) with RᵀR = ZᵀZ. Uses orthogonal transformations, which avoid the squared
  /// condition number of ZᵀZ.
  Block triangle() const {
    double beyond = 0;
    return triangle(false, Columns(rows(), 0), beyond);
  }

  /// Returns R of the QR decomposition of Z, computed by blocks, and beside it Qᵀt for t (n × k).
  /// Adds the squared norm of the part of t outside the range of Z to `beyond`. If `transposed`,
  /// returns R of the QR decomposition of Zᵀ, and ignores t.
  Block triangle(bool transposed, const Columns& t, double& beyond) const {
    const Index size = transposed ? rows() : cols();
    const Index length = transposed ? cols() : rows();
    const Index beside = transposed ? 0 : t.cols();
    auto r = linear_algebra::zeros<Block>(size, size + beside);
    Block block;
    for (Index first = 0; first < length; first += block_rows) {
      const Index count = std::min(block_rows, length - first);
      fill(first, count, transposed, block, beside);
      for (Index i = 0; i < count; ++i)
        for (Index k = 0; k < beside; ++k) block(i, size + k) = t(first + i, k);
      linear_algebra::append_rows(r, block);
      for (Index i = 0; i < count; ++i)
        for (Index k = 0; k < beside; ++k) beyond += block(i, size + k) * block(i, size + k);
    }
    return r;
  }

  static constexpr Index block_rows = 256;

 private:
  /// Sums over rows for a (n × k).
  struct Sums {
    Sums(Index d, const Columns& a)
        : whole(linear_algebra::zeros<Columns>(is_filled_for(a) ? d : 0, a.cols())),
          of_rows(is_filled_for(a) ? 0 : static_cast<std::size_t>(a.cols()),
                  linear_algebra::constant(d, 0)),
          total(linear_algebra::constant(a.cols(), 0)) {}
    Columns whole;               // Zᵀa (d × k), if blocks of Z are filled
    std::vector<Reals> of_rows;  // else Σᵢ rᵢxᵢaᵢ (d) for each column of a
    Reals total;                 // and Σᵢ rᵢaᵢ (k)
  };

  /// Is it faster to fill blocks of Z? True for dense rows and eight or more targets.
  static bool is_filled_for(const Columns& columns) {
    return !Rows::is_sparse && columns.cols() >= 8;
  }

  template <class F>
  void each_block(bool filled, const F& f) const {
    if (!filled) return samples::for_each_block(samples(), f);
    constexpr Index most = 5 * linear_algebra::PackedRows::width;
    for (Index first = 0; first < rows(); first += most) f(first, std::min(most, rows() - first));
  }

  /// Calls visit(first, scores, block) for each block of rows of Z. `scores` (count × k) holds Z·w
  /// for these rows. `block` points to the rows if they are filled, else it is null.
  template <class Visit>
  void for_each_scored(const Columns& w, const Visit& visit) const {
    const bool filled = is_filled_for(w);
    const linear_algebra::PackedRows right = linear_algebra::packed(filled ? w : Columns());
    Columns scores;
    Block block;
    std::vector<Reals> columns;
    Reals shifts(w.cols());
    for (Index k = 0; k < w.cols() && !filled; ++k) {
      columns.push_back(linear_algebra::column_of(w, k));
      shifts[k] = linear_algebra::dot(mean_, columns.back());
    }
    each_block(filled, [&](Index first, Index count) {
      if (filled) {
        fill(first, count, false, block);
        linear_algebra::multiply(linear_algebra::packed(block.transpose()), right, cols(), scores);
        return visit(first, scores, &block);
      }
      if (scores.rows() != count) scores = Columns(count, w.cols());
      for (Index k = 0; k < w.cols(); ++k) {
        samples().scores(first, count, columns[static_cast<std::size_t>(k)],
                         scores.data() + k * count);
        for (Index i = 0; i < count; ++i)
          scores(i, k) = (scores(i, k) - shifts[k]) * root_[first + i];
      }
      visit(first, scores, nullptr);
    });
  }

  /// Adds the rows of Z from `first` on, multiplied by a (count × k), to the sums. Overwrites a.
  void add_up(Index first, Columns& a, const Block* block, Sums& sums) const {
    if (block) {
      using linear_algebra::Product;
      linear_algebra::run_at(linear_algebra::best_vector_level(),
                             Product(linear_algebra::packed(*block), linear_algebra::packed(a),
                                     a.rows(), Product::Part::whole, sums.whole.data(), cols()));
      return;
    }
    for (Index k = 0; k < a.cols(); ++k) {
      double* const part = a.data() + k * a.rows();
      for (Index i = 0; i < a.rows(); ++i) sums.total[k] += part[i] *= root_[first + i];
      samples().add_up(first, a.rows(), part, sums.of_rows[static_cast<std::size_t>(k)]);
    }
  }

  Columns centred(Sums& sums) const {
    if (!sums.of_rows.empty()) sums.whole.resize(cols(), sums.whole.cols());
    for (std::size_t k = 0; k < sums.of_rows.size(); ++k) {
      const double total = sums.total[static_cast<Index>(k)];
      double* const column = sums.whole.data() + static_cast<Index>(k) * cols();
      std::copy(sums.of_rows[k].data(), sums.of_rows[k].data() + cols(), column);
      for (Index j = 0; j < cols() && total != 0; ++j) column[j] -= total * mean_[j];
    }
    return std::move(sums.whole);
  }

  samples::TrainingSet<Rows> set_;
  std::shared_ptr<const Reals> origin_{};  // set if the constructor chose an origin
  Reals root_;
  Reals mean_;  // relative to the origin
};

}  // namespace linea::detail::least_squares
