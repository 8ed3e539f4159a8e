// SPDX-License-Identifier: MIT
#pragma once
/// \file Means and scatter of rows that come in blocks, in one pass and without cancellation.
#include <cmath>
#include <linea/optimizers/numerics/symmetric_product.hpp>

namespace linea::least_squares {

/// ā = Σᵢ rᵢ²aᵢ / Σᵢ rᵢ² and Σᵢ rᵢ²(aᵢ − ā)(aᵢ − ā)ᵀ for rows aᵢ with roots rᵢ ≥ 0. Each block is centred on
/// its own mean before it is multiplied; what lies between its mean m and the mean of the rows before it, ā,
/// joins it as one row more, √(w·W/(w + W))·(m − ā) for their weights w and W (Chan, Golub and LeVeque,
/// The American Statistician 37 (1983)). Nothing is ever subtracted from a sum of squares.
///
/// Cost: the product of n·columns² additions and multiplications; O(columns²) memory.
class CentredMoments {
 public:
  static constexpr Index block_rows = 128;

  /// For at most `rows` rows in all; with `centre` off, ā = 0. The level must be offered.
  CentredMoments(Index rows, Index columns, bool centre,
                 numerics::VectorLevel level = numerics::best_vector_level())
      : level_(level),
        centre_(centre),
        packed_(std::min(rows, block_rows) + 1, columns),
        block_(Block::Zero(std::min(rows, block_rows),
                           packed_.panels() * numerics::PackedRows::width)),
        anchor_(Eigen::VectorXd::Zero(block_.cols())),
        drift_(anchor_),
        scatter_(Eigen::MatrixXd::Zero(columns, columns)) {}

  /// Row k of the next block, (columns), to be written before `add`; k < block_rows. Holds what was
  /// written last.
  double* row(Index k) { return block_.data() + k * block_.cols(); }

  /// Takes in the first rows of the block, one for each of their roots. What lies
  /// `ahead` is fetched meanwhile.
  template <class Roots>
  void add(const Roots& root, std::span<const char> ahead = {}) {
    const Index count = root.size();
    Index packed = count;
    if (centre_) {
      const double weight = root.squaredNorm();
      if (!(weight > 0)) return;
      Eigen::VectorXd mean(block_.cols());
      const Means means{block_, count, root.data(), weight, anchor_.data(), mean.data()};
      if (total_ == 0) {
        Index first = 0;
        while (root[first] == 0) ++first;
        anchor_ = block_.row(first).transpose();
        numerics::run_at(level_, means);
        anchor_ += mean;
      }
      numerics::run_at(level_, means);
      numerics::run_at(level_,
                       Centred{block_, count, root.data(), anchor_.data(), mean.data(), packed_});
      if (total_ > 0) {
        const double between = std::sqrt(total_ / (total_ + weight) * weight);
        for (Index j = 0; j < packed_.columns(); ++j)
          packed_(count, j) = between * (mean[j] - drift_[j]);
        ++packed;
      }
      total_ += weight;
      drift_ += (weight / total_) * (mean - drift_);
    } else {
      numerics::run_at(level_,
                       Centred{block_, count, root.data(), anchor_.data(), drift_.data(), packed_});
    }
    numerics::run_at(level_, numerics::SymmetricProduct(packed_, packed, scatter_, ahead));
  }

  /// ā (columns).
  Eigen::VectorXd mean() const { return (anchor_ + drift_).head(packed_.columns()); }

  /// (columns × columns), the lower triangle; 0 above it.
  const Eigen::MatrixXd& scatter() const { return scatter_; }

 private:
  using Block = Matrix<double>;

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
      using Pack = typename numerics::PackOf<Width>::type;
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
    numerics::PackedRows& packed;

    template <int Width>
    [[gnu::always_inline]] inline void run() const {
      using Pack = typename numerics::PackOf<Width>::type;
      constexpr int packs = 3;
      for (Index j = 0; j < block.cols(); j += packs * Width) {
        const double* entry = block.data() + j;
        double* out =
            packed.panel(j / numerics::PackedRows::width) + j % numerics::PackedRows::width;
        for (Index k = 0; k < count; ++k, entry += block.cols(), out += numerics::PackedRows::width)
#pragma GCC unroll 3
          for (int v = 0; v < packs; ++v)
            *reinterpret_cast<Pack*>(out + v * Width) =
                root[k] * (*reinterpret_cast<const Pack*>(entry + v * Width) -
                           *reinterpret_cast<const Pack*>(anchor + j + v * Width) -
                           *reinterpret_cast<const Pack*>(mean + j + v * Width));
      }
    }
  };

  numerics::VectorLevel level_;
  bool centre_;
  numerics::PackedRows packed_;
  Block block_;
  Eigen::VectorXd anchor_;  // near the mean: what is added up are distances from it
  Eigen::VectorXd drift_;   // ā − anchor
  double total_{0};
  Eigen::MatrixXd scatter_;
};

}  // namespace linea::least_squares
