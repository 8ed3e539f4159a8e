// SPDX-License-Identifier: MIT
#pragma once
/// \file Samples in coordinates of the space they span: min(n, d) numbers each, however large d is.
#include <Eigen/QR>
#include <algorithm>  // max, min
#include <linea/optimizers/least_squares/centred_design.hpp>

namespace linea::programs {

/// Rows cᵢ of C (n × r), r = min(n, d), with the inner products of the samples xᵢ − x̄. For d ≤ n they are
/// these; for d > n, C = Rᵀ from the QR decomposition of the (d × n) matrix of them, in blocks and
/// without Q: O(n²·d), and O(n²) memory. A sample of weight 0 has a row of zeros.
template <class Rows>
class RowSpace {
  using Real = typename least_squares::CentredDesign<Rows>::Real;
  using Columns = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

 public:
  using Block = typename least_squares::CentredDesign<Rows>::Block;

  /// With `centre` off, x̄ = 0. The samples must outlive this object.
  RowSpace(const samples::TrainingSet<Rows>& set, bool centre)
      : design_(set, centre),
        inverse_root_(design_.root().unaryExpr([](double r) { return r > 0 ? 1 / r : 0.0; })) {
    const Index n = design_.rows();
    const Index d = design_.cols();
    if (d <= n) {
      design_.fill(0, n, false, coordinates_);
    } else {
      Columns r = Columns::Zero(n, n);
      Block block;
      const Index step = std::max(n, least_squares::CentredDesign<Rows>::block_rows);
      for (Index first = 0; first < d; first += step) {
        const Index count = std::min(step, d - first);
        design_.fill(first, count, true, block);
        Columns stacked(n + count, n);
        stacked << r, block;
        r = Eigen::HouseholderQR<Columns>(stacked)
                .matrixQR()
                .topRows(n)
                .template triangularView<Eigen::Upper>();
      }
      lower_ = r.transpose();
      coordinates_ = lower_;
      factor_.setThreshold(1e-6);
      factor_.compute(lower_);
    }
    coordinates_ = inverse_root_.asDiagonal() * coordinates_;
  }

  const Block& coordinates() const { return coordinates_; }
  const Vector<Real>& mean() const { return design_.mean(); }

  /// Σᵢ aᵢ·(xᵢ − x̄), (d), for a (n).
  Vector<Real> sum(const Vector<Real>& a) const {
    if (lower_.size() == 0) return coordinates_.transpose() * a;
    return design_.apply_transposed(inverse_root_.cwiseProduct(a));
  }

  /// The weights (d) whose scores are ⟨cᵢ, v⟩, for v = Σᵢ aᵢcᵢ up to rounding: for d > n this sum of the
  /// samples. Its terms may be far larger than itself; what their rounding does to the scores is
  /// then taken away.
  Vector<Real> weights(const Vector<Real>& v, const Vector<Real>& a) const {
    if (lower_.size() == 0) return v;
    Vector<Real> weights = sum(a);
    for (int round = 0; round < 2; ++round) {
      const Vector<Real> missing = lower_ * v - design_.apply(weights);
      const Vector<Real> along = factor_.solve(missing);
      weights += design_.apply_transposed(Vector<Real>(factor_.transpose().solve(along)));
    }
    return weights;
  }

 private:
  least_squares::CentredDesign<Rows> design_;
  Vector<Real> inverse_root_;  // 0 where the root is
  Block coordinates_;
  Columns lower_;  // C with rows times their roots; empty for d ≤ n
  Eigen::CompleteOrthogonalDecomposition<Columns> factor_;
};

}  // namespace linea::programs
