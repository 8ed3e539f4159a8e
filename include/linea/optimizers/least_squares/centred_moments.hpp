// SPDX-License-Identifier: MIT
#pragma once
/// \file Means and scatter of blocks of rows, in one pass and without cancellation.
#include <algorithm>  // copy, fill, min
#include <cmath>
#include <linea/linear_algebra/product.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <span>

namespace linea::least_squares {

/// ā = Σᵢ rᵢ²aᵢ / Σᵢ rᵢ² and Σᵢ rᵢ²(aᵢ − ā)(aᵢ − ā)ᵀ for rows aᵢ with roots rᵢ ≥ 0. Each block is
/// centred at its own mean m before it is multiplied. Let w be the weight of the block, and W that
/// of the rows before, whose mean is ā. The row √(w·W/(w + W))·(m − ā) is then added to the block
/// (Chan, Golub and LeVeque, The American Statistician 37 (1983)). Nothing is ever subtracted from
/// a sum of squares.
///
/// Cost: the product of n·columns² additions and multiplications; O(columns²) memory.
class CentredMoments {
 public:
  static constexpr Index block_rows = 128;

  /// Takes at most `rows` rows in total. Without `centre`, ā = 0. The processor must support
  /// `level`.
  CentredMoments(Index rows, Index columns, bool centre,
                 linear_algebra::VectorLevel level = linear_algebra::best_vector_level())
      : level_(level),
        centre_(centre),
        packed_(std::min(rows, block_rows) + 1, columns),
        block_(std::min(rows, block_rows), packed_.panels() * linear_algebra::PackedRows::width),
        anchor_(linear_algebra::constant(block_.cols(), 0)),
        drift_(anchor_),
        scatter_(columns, columns) {
    std::fill(block_.data(), block_.data() + block_.size(), 0.0);
    std::fill(scatter_.data(), scatter_.data() + scatter_.size(), 0.0);
  }

  /// Returns row k < block_rows of the next block. Write all its columns before `add`: it still
  /// holds the values of the previous block.
  double* row(Index k) { return block_.data() + k * block_.cols(); }

  /// Adds the first `count` rows of the block, with their roots. Prefetches the bytes `ahead`.
  void add(const double* root, Index count, std::span<const char> ahead = {}) {
    Index packed = count;
    if (centre_) {
      const double weight = linear_algebra::dot(root, root, count);
      if (!(weight > 0)) return;
      const Eigen::VectorXd mean = mean_of_block(root, count, weight);
      linear_algebra::run_at(level_,
                             Centred{block_, count, root, anchor_.data(), mean.data(), packed_});
      if (total_ > 0) {
        const double between = std::sqrt(total_ / (total_ + weight) * weight);
        for (Index j = 0; j < packed_.columns(); ++j)
          packed_(count, j) = between * (mean[j] - drift_[j]);
        ++packed;
      }
      total_ += weight;
      const double share = weight / total_;
      for (Index j = 0; j < mean.size(); ++j) drift_[j] += share * (mean[j] - drift_[j]);
    } else {
      linear_algebra::run_at(level_,
                             Centred{block_, count, root, anchor_.data(), drift_.data(), packed_});
    }
    linear_algebra::run_at(level_,
                           linear_algebra::symmetric_product(packed_, packed, scatter_, ahead));
  }

  /// Adds the rows of `other`, which has the same columns and centring.
  void join(const CentredMoments& other) {
    const Index columns = packed_.columns();
    if (centre_ && other.total_ > 0 && total_ == 0) {
      anchor_ = other.anchor_;
      drift_ = other.drift_;
      total_ = other.total_;
    } else if (centre_ && other.total_ > 0) {
      const double share = other.total_ / (total_ + other.total_);
      Eigen::VectorXd way(columns);  // difference of the means
      for (Index j = 0; j < columns; ++j)
        way[j] = (other.anchor_[j] - anchor_[j]) + (other.drift_[j] - drift_[j]);
      for (Index j = 0; j < columns; ++j)
        for (Index i = j; i < columns; ++i) scatter_(i, j) += total_ * share * way[i] * way[j];
      for (Index j = 0; j < columns; ++j) drift_[j] += share * way[j];
      total_ += other.total_;
    }
    for (Index j = 0; j < columns; ++j)
      for (Index i = j; i < columns; ++i) scatter_(i, j) += other.scatter_(i, j);
  }

  /// Returns ā (columns).
  Eigen::VectorXd mean() const {
    Eigen::VectorXd mean(packed_.columns());
    for (Index j = 0; j < mean.size(); ++j) mean[j] = anchor_[j] + drift_[j];
    return mean;
  }

  /// Returns the rounding error of the mean (columns).
  Eigen::VectorXd rest_of_mean() const {
    Eigen::VectorXd rest(packed_.columns());
    for (Index j = 0; j < rest.size(); ++j) {
      const double sum = anchor_[j] + drift_[j];
      const double part = sum - anchor_[j];
      rest[j] = (anchor_[j] - (sum - part)) + (drift_[j] - part);
    }
    return rest;
  }

  /// Returns the scatter (columns × columns) in the lower triangle; above it are zeros.
  const core::ColumnMatrix<double>& scatter() const { return scatter_; }

 private:
  using Block = Matrix<double>;

  /// Returns the mean of the block's rows relative to the anchor, which the first block sets.
  Eigen::VectorXd mean_of_block(const double* root, Index count, double weight) {
    Eigen::VectorXd mean(block_.cols());
    const Means means{block_, count, root, weight, anchor_.data(), mean.data()};
    if (total_ == 0) {
      Index first = 0;
      while (root[first] == 0) ++first;
      std::copy(row(first), row(first) + block_.cols(), anchor_.data());
      linear_algebra::run_at(level_, means);
      linear_algebra::add(1, mean, anchor_);
    }
    linear_algebra::run_at(level_, means);
    return mean;
  }

  /// mean ← Σₖ rₖ²(aₖ − anchor)/weight.
  struct Means {
    const Block& block;
    Index count;
    const double* root;
    double weight;
    const double* anchor;
    double* mean;

    template <int Width>
    [[gnu::always_inline]] inline void run() const {
      using Pack = typename linear_algebra::PackOf<Width>::type;
      constexpr int packs = 3;
      for (Index j = 0; j < block.cols(); j += packs * Width) {
        const double* entry = block.data() + j;
        Pack sum[packs] = {};
        for (Index k = 0; k < count; ++k, entry += block.cols())
#pragma GCC unroll 3
          for (int v = 0; v < packs; ++v)
            sum[v] += root[k] * root[k] *
                      (*reinterpret_cast<const Pack*>(entry + v * Width) -
                       *reinterpret_cast<const Pack*>(anchor + j + v * Width));
#pragma GCC unroll 3
        for (int v = 0; v < packs; ++v)
          *reinterpret_cast<Pack*>(mean + j + v * Width) = sum[v] / weight;
      }
    }
  };

  /// packed ← diag(r)·(A − 1·(anchor + mean)ᵀ).
  struct Centred {
    const Block& block;
    Index count;
    const double* root;
    const double* anchor;
    const double* mean;
    linear_algebra::PackedRows& packed;

    template <int Width>
    [[gnu::always_inline]] inline void run() const {
      using Pack = typename linear_algebra::PackOf<Width>::type;
      constexpr int packs = 3;
      for (Index j = 0; j < block.cols(); j += packs * Width) {
        const double* entry = block.data() + j;
        double* out = packed.panel(j / linear_algebra::PackedRows::width) +
                      j % linear_algebra::PackedRows::width;
        for (Index k = 0; k < count;
             ++k, entry += block.cols(), out += linear_algebra::PackedRows::width)
#pragma GCC unroll 3
          for (int v = 0; v < packs; ++v)
            *reinterpret_cast<Pack*>(out + v * Width) =
                root[k] * (*reinterpret_cast<const Pack*>(entry + v * Width) -
                           *reinterpret_cast<const Pack*>(anchor + j + v * Width) -
                           *reinterpret_cast<const Pack*>(mean + j + v * Width));
      }
    }
  };

  linear_algebra::VectorLevel level_;
  bool centre_;
  linear_algebra::PackedRows packed_;
  Block block_;
  Eigen::VectorXd anchor_;  // near the mean: sums are of differences from the anchor
  Eigen::VectorXd drift_;   // ā − anchor
  double total_{0};
  core::ColumnMatrix<double> scatter_;
};

}  // namespace linea::least_squares
