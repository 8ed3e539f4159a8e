// SPDX-License-Identifier: MIT
#pragma once
/// \file The matrix of least squares with a free offset: Z = diag(r)·(X − 1·x̄ᵀ), rᵢ = √(sᵢ/S), without
/// a copy of X and without filling a sparse one. All in double, whatever the scalar of X.
///
/// With x̄ and ȳ the weighted means, the best offset for any w is ȳ − ⟨w, x̄⟩, and what is left of the
/// objective is ½‖Zw − diag(r)(y − ȳ)‖² + λ/2‖w‖².
#include <algorithm>  // copy, min
#include <cmath>
#include <linea/optimizers/least_squares/centred_moments.hpp>
#include <linea/optimizers/least_squares/column_means.hpp>
#include <linea/optimizers/least_squares/double_rows.hpp>
#include <linea/optimizers/least_squares/sparse_products.hpp>
#include <linea/samples/training_set.hpp>
#include <type_traits>  // common_type
#include <utility>      // move
#include <vector>

namespace linea::least_squares {

/// ZᵀZ (d × d) and Zᵀ·diag(r)(y − ȳ) (d × k); for d > n ZZᵀ (n × n) and diag(r)(y − ȳ) (n × k).
template <class Real>
struct NormalEquationsOf {
  Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic> product;  ///< its lower triangle
  Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic> right;
  Eigen::Matrix<Real, 1, Eigen::Dynamic> target_mean;  ///< ȳ (k)
};

using NormalEquations = NormalEquationsOf<double>;

template <class Rows>
class CentredDesign {
 public:
  using Real = std::common_type_t<typename Rows::Scalar, double>;
  using Columns = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
  using RowVector = Eigen::Matrix<Real, 1, Eigen::Dynamic>;
  using Block = Matrix<Real>;

  /// With `centre` off, x̄ = 0. A column that is constant up to rounding holds no information beside
  /// an offset: centred, it counts as zero. Two passes.
  CentredDesign(const samples::TrainingSet<Rows>& set, bool centre) : CentredDesign(set) {
    if (centre) means_.find(rows_, root_);
  }

  /// The same, and the normal equations of the targets y (n × k): one pass over dense rows if d ≤ n.
  /// Rows are centred before they are multiplied, but for sparse ones where that loses no digits.
  CentredDesign(const samples::TrainingSet<Rows>& set, bool centre, const Columns& y,
                NormalEquationsOf<Real>& equations)
      : CentredDesign(set) {
    const bool dual = cols() > rows();
    if constexpr (!Rows::is_sparse)
      if (!dual) {
        find_moments(centre, y, equations);
        return;
      }
    if (centre) means_.find(rows_, root_);
    RowVector& mean = equations.target_mean;
    mean = RowVector::Zero(y.cols());
    for (int round = 0; centre && round < 2; ++round)
      mean += root_.cwiseAbs2().transpose() * (y.rowwise() - mean);
    equations.right = root_.asDiagonal() * (y.rowwise() - mean);
    equations.product = product(dual);
    if (!dual) equations.right = apply_transposed(equations.right);
  }

  Index rows() const { return rows_.rows(); }
  Index cols() const { return rows_.cols(); }
  const Vector<Real>& mean() const { return means_.mean; }
  const Vector<Real>& root() const { return root_; }

  /// Z·w for w (d × k): (n × k).
  Columns apply(const Columns& w) const {
    const auto columns = columns_of(w);
    Columns product(rows(), w.cols());
    DoubleRows<Rows>(rows_).for_each_block([&](const auto& block) {
      for (const Column& column : columns)
        product.col(column.k).segment(block.first(), block.count()) = scores(block, column);
    });
    return product;
  }

  /// Zᵀ·a for a (n × k): (d × k).
  Columns apply_transposed(const Columns& a) const {
    auto columns = columns_of(Columns::Zero(cols(), a.cols()));
    DoubleRows<Rows>(rows_).for_each_block([&](const auto& block) {
      for (Column& column : columns)
        add(block, a.col(column.k).segment(block.first(), block.count()), column);
    });
    return sums(columns);
  }

  /// ‖y − Zw‖² for y (n × k) and w (d × k); `gradient` becomes Zᵀ(y − Zw) (d × k). One pass.
  double residual(const Columns& y, const Columns& w, Columns& gradient) const {
    auto columns = columns_of(w);
    double squares = 0;
    DoubleRows<Rows>(rows_).for_each_block([&](const auto& block) {
      for (Column& column : columns) {
        Vector<Real> left =
            y.col(column.k).segment(block.first(), block.count()) - scores(block, column);
        squares += left.squaredNorm();
        add(block, std::move(left), column);
      }
    });
    gradient = sums(columns);
    return squares;
  }

  /// Rows [first, first + count) of Z, or of Zᵀ when `transposed`, as a dense block.
  void fill(Index first, Index count, bool transposed, Block& block) const {
    if (!transposed) {
      block.resize(count, cols());
      for (Index k = 0; k < count; ++k) {
        block.row(k) = -mean().transpose();
        rows_.for_each(first + k,
                       [&](Index j, auto value) { block(k, j) += static_cast<double>(value); });
        block.row(k) *= root_[first + k];
      }
    } else {
      block.resize(count, rows());
      for (Index k = 0; k < count; ++k) block.row(k).setConstant(-mean()[first + k]);
      for (Index i = 0; i < rows(); ++i) {
        rows_.for_each_between(i, first, first + count, [&](Index j, auto value) {
          block(j - first, i) += static_cast<double>(value);
        });
        block.col(i) *= root_[i];
      }
    }
    for (Index j = 0; j < cols(); ++j) {
      if (!means_.is_constant(j)) continue;
      if (!transposed)
        block.col(j).setZero();
      else if (j >= first && j < first + count)
        block.row(j - first).setZero();
    }
  }

  /// Sets the weights (d × k) of columns that hold no information to 0.
  void clear_constant(Columns& w) const {
    for (Index j = 0; j < cols(); ++j)
      if (means_.is_constant(j)) w.row(j).setZero();
  }

  static constexpr Index block_rows = 256;

 private:
  explicit CentredDesign(const samples::TrainingSet<Rows>& set)
      : rows_(set.rows),
        root_(set.rows.rows()),
        means_{Vector<Real>::Zero(set.rows.cols()), {}, 0} {
    const auto n = static_cast<double>(rows_.rows());
    root_ = set.weights.size() ? Vector<Real>((set.weights.template cast<Real>() / n).cwiseSqrt())
                               : Vector<Real>::Constant(rows_.rows(), std::sqrt(1 / n));
  }

  /// From the moments of the rows (xᵢ yᵢ).
  void find_moments(bool centre, const Columns& y, NormalEquationsOf<Real>& equations) {
    const Index d = cols();
    CentredMoments moments(rows(), d + y.cols(), centre);
    for (Index first = 0; first < rows(); first += CentredMoments::block_rows) {
      const Index count = std::min(CentredMoments::block_rows, rows() - first);
      for (Index k = 0; k < count; ++k) {
        DoubleRows<Rows>::copy(rows_, first + k, moments.row(k));
        for (Index t = 0; t < y.cols(); ++t) moments.row(k)[d + t] = y(first + k, t);
      }
      const Index next = first + count;
      const Index last = std::min(next + CentredMoments::block_rows, rows());
      moments.add(Vector<Real>(root_.segment(first, count)),
                  DoubleRows<Rows>::bytes(rows_, next, last));
    }
    means_.mean = moments.mean().head(d);
    equations.target_mean = moments.mean().tail(y.cols()).transpose();
    equations.product = moments.scatter().topLeftCorner(d, d);
    equations.right = moments.scatter().bottomLeftCorner(y.cols(), d).transpose();
    for (Index j = 0; j < d; ++j) {
      if (centre) means_.judge(j, equations.product(j, j));
      if (means_.is_constant(j)) equations.product.col(j).setZero();
    }
    clear_constant(equations.product);
    clear_constant(equations.right);
  }

  /// ZᵀZ, or ZZᵀ when `transposed`.
  Columns product(bool transposed) const {
    if constexpr (Rows::is_sparse)
      if (means_.largest_shift < 1e4 && means_.constant.empty())
        return transposed ? sparse_kernel(rows_, root_, mean())
                          : sparse_moments(rows_, root_, mean());
    const Index size = transposed ? rows() : cols();
    const Index length = transposed ? cols() : rows();
    CentredMoments moments(length, size, false);
    Block block;
    for (Index first = 0; first < length; first += CentredMoments::block_rows) {
      const Index count = std::min(CentredMoments::block_rows, length - first);
      fill(first, count, transposed, block);
      for (Index k = 0; k < count; ++k)
        std::copy(block.data() + k * size, block.data() + (k + 1) * size, moments.row(k));
      moments.add(Vector<Real>(Vector<Real>::Ones(count)));
    }
    return moments.scatter();
  }

  /// Column k of weights w, those of constant columns cleared, with ⟨x̄, w⟩; Σᵢ aᵢxᵢ and Σᵢ aᵢ.
  struct Column {
    Index k;
    Vector<Real> w;
    double shift;
    Vector<Real> sum;
    double total{0};
  };

  std::vector<Column> columns_of(Columns w) const {
    clear_constant(w);
    std::vector<Column> columns;
    for (Index k = 0; k < w.cols(); ++k)
      columns.push_back({k, w.col(k), mean().dot(w.col(k)), Vector<Real>::Zero(cols())});
    return columns;
  }

  Vector<Real> scores(const DoubleRows<Rows>& block, const Column& column) const {
    return (block.scores(column.w).array() - column.shift) *
           root_.segment(block.first(), block.count()).array();
  }

  /// Takes in rows of Z times a (count).
  void add(const DoubleRows<Rows>& block, Vector<Real> a, Column& column) const {
    a.array() *= root_.segment(block.first(), block.count()).array();
    column.total += a.sum();
    block.add(a, column.sum);
  }

  Columns sums(const std::vector<Column>& columns) const {
    Columns sums(cols(), static_cast<Index>(columns.size()));
    for (const Column& column : columns) sums.col(column.k) = column.sum - column.total * mean();
    clear_constant(sums);
    return sums;
  }

  Rows rows_;
  Vector<Real> root_;
  ColumnMeans means_;
};

}  // namespace linea::least_squares
