// SPDX-License-Identifier: MIT
#pragma once
/// \file The matrix of least squares with a free offset: Z = diag(r)·(X − 1·x̄ᵀ), rᵢ = √(sᵢ/S),
/// without a copy of X and without filling a sparse one. All in double, whatever X stores.
///
/// With x̄ and ȳ the weighted means, the best offset for any w is ȳ − ⟨w, x̄⟩, and what is left of
/// the objective is ½‖Zw − diag(r)(y − ȳ)‖² + λ/2‖w‖².
#include <algorithm>  // copy, fill, min
#include <cmath>
#include <linea/optimizers/least_squares/column_means.hpp>
#include <linea/optimizers/least_squares/many_targets.hpp>
#include <linea/optimizers/numerics/vectors.hpp>
#include <linea/samples/passes.hpp>
#include <linea/samples/training_set.hpp>
#include <type_traits>  // is_same
#include <utility>      // move
#include <vector>

namespace linea::least_squares {

/// r (n).
template <class Rows>
Vector<double> root_weights(const samples::TrainingSet<Rows>& set) {
  const Index n = set.rows.rows();
  Vector<double> root(n);
  for (Index i = 0; i < n; ++i)
    root[i] = std::sqrt((set.weights.size() > 0 ? set.weights[i] : 1.0) /
                        static_cast<double>(set.all_rows()));
  return root;
}

template <class Rows>
class CentredDesign {
  static_assert(std::is_same_v<typename Rows::Scalar, double>, "rows come from rows_in_double");

 public:
  using Columns = core::ColumnMatrix<typename Rows::Scalar>;
  using Reals = Vector<typename Rows::Scalar>;
  using Block = Matrix<typename Rows::Scalar>;

  /// With `centre` off, x̄ = 0. A column that is constant up to rounding holds no information
  /// beside an offset: centred, it counts as zero. Two passes.
  CentredDesign(const samples::TrainingSet<Rows>& set, bool centre)
      : CentredDesign(set.rows, root_weights(set), {}) {
    means_.mean = means_.rest = numerics::constant(cols(), 0);
    if (centre) means_.find(rows_, root_);
  }

  /// The same from r and means that are known.
  CentredDesign(const Rows& rows, Reals root, ColumnMeans means)
      : rows_(rows), root_(std::move(root)), means_(std::move(means)) {}

  Index rows() const { return rows_.rows(); }
  Index cols() const { return rows_.cols(); }
  const Rows& samples() const { return rows_; }
  const ColumnMeans& means() const { return means_; }
  const Reals& mean() const { return means_.mean; }
  const Reals& rest_of_mean() const { return means_.rest; }
  const Reals& root() const { return root_; }

  /// Z·w for w (d × k): (n × k).
  Columns apply(const Columns& w) const {
    if (is_filled_for(w)) return apply_to_many(*this, w);
    const auto columns = columns_of(w);
    Columns product(rows(), w.cols());
    samples::for_each_block(rows_, [&](Index first, Index count) {
      for (const Column& column : columns)
        score(first, count, column, product.data() + column.k * rows() + first);
    });
    return product;
  }

  /// Zᵀ·a for a (n × k): (d × k).
  Columns apply_transposed(const Columns& a) const {
    if (is_filled_for(a)) return apply_transposed_to_many(*this, a);
    auto columns = empty_columns(a.cols());
    std::vector<double> part(samples::most_block);
    samples::for_each_block(rows_, [&](Index first, Index count) {
      for (Column& column : columns) {
        const double* from = a.data() + column.k * rows() + first;
        std::copy(from, from + count, part.data());
        add_up(first, count, part.data(), column);
      }
    });
    return sums(columns);
  }

  /// ‖y − Zw‖² for y (n × k) and w (d × k); `gradient` becomes Zᵀ(y − Zw) (d × k). One pass.
  double residual(const Columns& y, const Columns& w, Columns& gradient) const {
    if (is_filled_for(w)) return residual_of_many(*this, y, w, gradient);
    auto columns = columns_of(w);
    std::vector<double> left(samples::most_block);
    double squares = 0;
    samples::for_each_block(rows_, [&](Index first, Index count) {
      for (Column& column : columns) {
        score(first, count, column, left.data());
        const double* target = y.data() + column.k * rows() + first;
        for (Index k = 0; k < count; ++k) left[at(k)] = target[k] - left[at(k)];
        squares += numerics::dot(left.data(), left.data(), count);
        add_up(first, count, left.data(), column);
      }
    });
    gradient = sums(columns);
    return squares;
  }

  /// Rows [first, first + count) of Z, or of Zᵀ when `transposed`, as a dense block.
  void fill(Index first, Index count, bool transposed, Block& block) const {
    block.resize(count, transposed ? rows() : cols());
    if (transposed)
      fill_columns(first, count, block);
    else
      fill_rows(first, count, block);
  }

  /// Sets the weights (d × k) of columns that hold no information to 0.
  void clear_constant(Columns& w) const {
    for (Index j = 0; j < cols(); ++j)
      if (means_.is_constant(j))
        for (Index k = 0; k < w.cols(); ++k) w(j, k) = 0;
  }

  static constexpr Index block_rows = 256;

 private:
  /// Is a block of Z worth filling for the tiles of a product? So it is for many targets, and where
  /// products with rows that are not centred would lose their digits.
  bool is_filled_for(const Columns& columns) const {
    return means_.is_far() || (!Rows::is_sparse && columns.cols() >= 8);
  }

  static std::size_t at(Index k) { return static_cast<std::size_t>(k); }

  void fill_rows(Index first, Index count, Block& block) const {
    for (Index k = 0; k < count; ++k) {
      double* const row = block.data() + k * cols();
      for (Index j = 0; j < cols(); ++j) row[j] = -mean()[j];
      rows_.for_each(first + k, [row](Index j, double value) { row[j] += value; });
      for (Index j = 0; j < cols(); ++j)
        row[j] = means_.is_constant(j) ? 0 : (row[j] - means_.rest[j]) * root_[first + k];
    }
  }

  void fill_columns(Index first, Index count, Block& block) const {
    const auto row = [&](Index k) { return block.data() + k * rows(); };
    const auto rest = [&](Index j) { return means_.rest[j]; };
    for (Index k = 0; k < count; ++k)
      for (Index i = 0; i < rows(); ++i) row(k)[i] = -mean()[first + k];
    for (Index i = 0; i < rows(); ++i)
      rows_.for_each_between(i, first, first + count,
                             [&](Index j, double value) { row(j - first)[i] += value; });
    for (Index k = 0; k < count; ++k)
      for (Index i = 0; i < rows(); ++i)
        row(k)[i] = means_.is_constant(first + k) ? 0 : (row(k)[i] - rest(first + k)) * root_[i];
  }

  /// Column k of weights w, those of constant columns cleared, with ⟨x̄, w⟩; Σᵢ aᵢxᵢ and Σᵢ aᵢ.
  struct Column {
    Index k;
    Reals w;
    double shift;
    Reals sum;
    double total{0};
  };

  std::vector<Column> empty_columns(Index count) const {
    std::vector<Column> columns;
    for (Index k = 0; k < count; ++k) columns.push_back({k, {}, 0, numerics::constant(cols(), 0)});
    return columns;
  }

  std::vector<Column> columns_of(const Columns& w) const {
    auto columns = empty_columns(w.cols());
    for (Column& column : columns) {
      column.w.resize(cols());
      for (Index j = 0; j < cols(); ++j) column.w[j] = means_.is_constant(j) ? 0 : w(j, column.k);
      column.shift = numerics::dot(mean(), column.w) + numerics::dot(means_.rest, column.w);
    }
    return columns;
  }

  /// Rows of Z times w.
  void score(Index first, Index count, const Column& column, double* scores) const {
    rows_.scores(first, count, column.w, scores);
    for (Index k = 0; k < count; ++k) scores[k] = (scores[k] - column.shift) * root_[first + k];
  }

  /// Takes in rows of Z times a (count), which is used up.
  void add_up(Index first, Index count, double* a, Column& column) const {
    for (Index k = 0; k < count; ++k) column.total += a[k] *= root_[first + k];
    rows_.add_up(first, count, a, column.sum);
  }

  Columns sums(const std::vector<Column>& columns) const {
    Columns sums(cols(), static_cast<Index>(columns.size()));
    for (const Column& column : columns)
      for (Index j = 0; j < cols(); ++j)
        sums(j, column.k) =
            column.sum[j] - column.total * mean()[j] - column.total * means_.rest[j];
    clear_constant(sums);
    return sums;
  }

  Rows rows_;
  Reals root_;
  ColumnMeans means_;
};

}  // namespace linea::least_squares
