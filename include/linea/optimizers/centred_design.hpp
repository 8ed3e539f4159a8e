// SPDX-License-Identifier: MIT
#pragma once
/// \file The matrix of least squares with a free offset: Z = diag(r)·(X − 1·x̄ᵀ), rᵢ = √(sᵢ/S), without
/// a copy of X and without filling a sparse one. All in double, whatever the scalar of X.
///
/// With x̄ and ȳ the weighted means, the best offset for any w is ȳ − ⟨w, x̄⟩, and what is left of the
/// objective is ½‖Zw − diag(r)(y − ȳ)‖² + λ/2‖w‖².
#include <algorithm>  // min
#include <cmath>
#include <limits>
#include <linea/optimizers/training_set.hpp>
#include <type_traits>

namespace linea {

template <class Rows>
class CentredDesign {
 public:
  using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  /// With `centre` off, x̄ = 0. A column that is constant up to rounding holds no information beside
  /// an offset: centred, it counts as zero. Two passes.
  CentredDesign(const TrainingSet<Rows>& set, bool centre)
      : rows_(set.rows), root_(set.rows.rows()), mean_(Eigen::VectorXd::Zero(set.rows.cols())) {
    const auto n = static_cast<double>(rows_.rows());
    root_ = set.weights.size()
                ? Eigen::VectorXd((set.weights.template cast<double>() / n).cwiseSqrt())
                : Eigen::VectorXd::Constant(rows_.rows(), std::sqrt(1 / n));
    if (!centre) return;
    for (Index i = 0; i < rows_.rows(); ++i) {
      const double share = root_[i] * root_[i];
      rows_.for_each(i,
                     [&](Index j, auto value) { mean_[j] += share * static_cast<double>(value); });
    }
    Eigen::VectorXd residue = Eigen::VectorXd::Zero(cols());
    Eigen::VectorXd variance = Eigen::VectorXd::Zero(cols());
    Eigen::VectorXd present = Eigen::VectorXd::Zero(cols());  // the weight of stored entries
    std::vector<Index> stored(static_cast<std::size_t>(cols()), 0);
    for (Index i = 0; i < rows_.rows(); ++i) {
      const double share = root_[i] * root_[i];
      rows_.for_each(i, [&](Index j, auto value) {
        const double deviation = static_cast<double>(value) - mean_[j];
        residue[j] += share * deviation;
        variance[j] += share * deviation * deviation;
        present[j] += share;
        ++stored[static_cast<std::size_t>(j)];
      });
    }
    constexpr double eps = std::numeric_limits<double>::epsilon();
    for (Index j = 0; j < cols(); ++j) {
      const double absent =
          stored[static_cast<std::size_t>(j)] == rows() ? 0.0 : std::max(0.0, 1 - present[j]);
      residue[j] -= absent * mean_[j];
      variance[j] += absent * mean_[j] * mean_[j];
      mean_[j] += residue[j];
      const double rounding = 8 * eps * mean_[j];
      if (mean_[j] != 0 && variance[j] - residue[j] * residue[j] <= rounding * rounding) {
        if (constant_.empty()) constant_.assign(static_cast<std::size_t>(cols()), false);
        constant_[static_cast<std::size_t>(j)] = true;
      }
      largest_shift_ =
          std::max(largest_shift_, variance[j] > 0 ? mean_[j] * mean_[j] / variance[j] : 0.0);
    }
  }

  Index rows() const { return rows_.rows(); }
  Index cols() const { return rows_.cols(); }
  const Eigen::VectorXd& mean() const { return mean_; }
  const Eigen::VectorXd& root() const { return root_; }

  /// Z·w for w (d × k): (n × k).
  Eigen::MatrixXd apply(const Eigen::MatrixXd& w) const {
    const Eigen::RowVectorXd shift = mean_.transpose() * kept(w);
    Block product = Block::Zero(rows(), w.cols());
    for (Index i = 0; i < rows(); ++i) {
      rows_.for_each(i, [&](Index j, auto value) {
        if (!is_constant(j)) product.row(i) += static_cast<double>(value) * w.row(j);
      });
      product.row(i) = root_[i] * (product.row(i) - shift);
    }
    return product;
  }

  /// Zᵀ·a for a (n × k): (d × k).
  Eigen::MatrixXd apply_transposed(const Eigen::MatrixXd& a) const {
    Block product = Block::Zero(cols(), a.cols());
    for (Index i = 0; i < rows(); ++i)
      rows_.for_each(i, [&](Index j, auto value) {
        product.row(j) += root_[i] * static_cast<double>(value) * a.row(i);
      });
    product -= mean_ * (root_.transpose() * a);
    for (Index j = 0; j < cols(); ++j)
      if (is_constant(j)) product.row(j).setZero();
    return product;
  }

  /// Rows [first, first + count) of Z, or of Zᵀ when `transposed`, as a dense block.
  void fill(Index first, Index count, bool transposed, Block& block) const {
    if (!transposed) {
      block.resize(count, cols());
      for (Index k = 0; k < count; ++k) {
        block.row(k) = -mean_.transpose();
        rows_.for_each(first + k,
                       [&](Index j, auto value) { block(k, j) += static_cast<double>(value); });
        block.row(k) *= root_[first + k];
      }
    } else {
      block.resize(count, rows());
      for (Index k = 0; k < count; ++k) block.row(k).setConstant(-mean_[first + k]);
      for (Index i = 0; i < rows(); ++i) {
        rows_.for_each_between(i, first, first + count, [&](Index j, auto value) {
          block(j - first, i) += static_cast<double>(value);
        });
        block.col(i) *= root_[i];
      }
    }
    for (std::size_t j = 0; j < constant_.size(); ++j) {
      if (!constant_[j]) continue;
      const auto column = static_cast<Index>(j);
      if (!transposed)
        block.col(column).setZero();
      else if (column >= first && column < first + count)
        block.row(column - first).setZero();
    }
  }

  /// ZᵀZ (d × d), or ZZᵀ (n × n) when `transposed`: lower triangle. From blocks that are centred
  /// before they are multiplied; from sparse rows without filling them, where that loses no digits.
  Eigen::MatrixXd gram(bool transposed) const {
    const Index size = transposed ? rows() : cols();
    const Index length = transposed ? cols() : rows();
    Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(size, size);
    if constexpr (Rows::is_sparse) {
      if (largest_shift_ < 1e4 && constant_.empty()) {
        transposed ? sparse_kernel(gram) : sparse_moments(gram);
        return gram;
      }
    }
    Block block;
    for (Index first = 0; first < length; first += block_rows) {
      fill(first, std::min(block_rows, length - first), transposed, block);
      gram.selfadjointView<Eigen::Lower>().rankUpdate(block.transpose());
    }
    return gram;
  }

  /// Sets the weights (d × k) of columns that hold no information to 0.
  void clear_constant(Eigen::MatrixXd& w) const {
    for (Index j = 0; j < cols(); ++j)
      if (is_constant(j)) w.row(j).setZero();
  }

  static constexpr Index block_rows = 256;

 private:
  bool is_constant(Index j) const {
    return !constant_.empty() && constant_[static_cast<std::size_t>(j)];
  }

  /// ZᵀZ = Σᵢ rᵢ²xᵢxᵢᵀ − x̄x̄ᵀ.
  void sparse_moments(Eigen::MatrixXd& gram) const {
    for (Index i = 0; i < rows(); ++i) {
      const double share = root_[i] * root_[i];
      rows_.for_each(i, [&](Index j, auto a) {
        rows_.for_each(i, [&](Index k, auto b) {
          if (k >= j) gram(k, j) += share * static_cast<double>(a) * static_cast<double>(b);
        });
      });
    }
    gram.template selfadjointView<Eigen::Lower>().rankUpdate(mean_, -1.0);
  }

  /// ZZᵀ, entry by entry rᵢrₖ(⟨xᵢ, xₖ⟩ − ⟨xᵢ, x̄⟩ − ⟨xₖ, x̄⟩ + ⟨x̄, x̄⟩).
  void sparse_kernel(Eigen::MatrixXd& kernel) const {
    Eigen::VectorXd spread = Eigen::VectorXd::Zero(cols());
    Eigen::VectorXd shifts = Eigen::VectorXd::Zero(rows());
    const double square = mean_.squaredNorm();
    for (Index i = 0; i < rows(); ++i) {
      rows_.for_each(i, [&](Index j, auto value) {
        spread[j] += static_cast<double>(value);
        shifts[i] += static_cast<double>(value) * mean_[j];
      });
      for (Index k = 0; k <= i; ++k) {
        double product = square - shifts[i] - shifts[k];
        rows_.for_each(
            k, [&](Index j, auto value) { product += static_cast<double>(value) * spread[j]; });
        kernel(i, k) = root_[i] * root_[k] * product;
      }
      rows_.for_each(i, [&](Index j, auto) { spread[j] = 0; });
    }
  }

  Eigen::MatrixXd kept(const Eigen::MatrixXd& w) const {
    Eigen::MatrixXd kept = w;
    clear_constant(kept);
    return kept;
  }

  Rows rows_;
  Eigen::VectorXd root_;
  Eigen::VectorXd mean_;
  std::vector<bool> constant_;  // empty: no column is
  double largest_shift_{0};     // max over columns of mean²/variance
};

}  // namespace linea
