// SPDX-License-Identifier: MIT
#pragma once
/// \file Ridge regression and least squares of least norm, computed by Eigen in long double (64
/// bits of mantissa).
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <linea/core/types.hpp>
#include <numeric>
#include <vector>

namespace linea::test {

using Wide = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using WideVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

struct WideProblem {
  Matrix<double> x{};
  Vector<double> y{};
  Vector<double> weights{};  ///< empty if all weights are 1
  bool offset{true};

  WideVector shares() const {
    WideVector shares = WideVector::Ones(x.rows());
    if (weights.size() > 0) shares = weights.cast<long double>();
    return shares / shares.sum();
  }
};

struct WideMinimum {
  WideVector weights{};
  long double offset{0};
  long double objective{0};
  long double without_features{0};  ///< F at w = 0, with the best offset if there is one
  Index rank{0};
};

/// Returns K⁺c for K of full row rank. Columns of K may have any scale.
inline WideVector least_norm(const Wide& k, const WideVector& c) {
  std::vector<Index> order(static_cast<std::size_t>(k.cols()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    return k.col(a).cwiseAbs().maxCoeff() > k.col(b).cwiseAbs().maxCoeff();
  });
  Wide sorted(k.cols(), k.rows());
  for (Index j = 0; j < k.cols(); ++j)
    sorted.row(j) = k.col(order[static_cast<std::size_t>(j)]).transpose();
  const Eigen::ColPivHouseholderQR<Wide> qr(sorted);
  const Wide triangle =
      qr.matrixR().topLeftCorner(k.rows(), k.rows()).triangularView<Eigen::Upper>();
  WideVector image = WideVector::Zero(k.cols());
  image.head(k.rows()) = triangle.transpose().triangularView<Eigen::Lower>().solve(
      WideVector(qr.colsPermutation().transpose() * c));
  image = qr.householderQ() * image;
  WideVector w(k.cols());
  for (Index j = 0; j < k.cols(); ++j) w[order[static_cast<std::size_t>(j)]] = image[j];
  return w;
}

/// Returns the minimum of F, for λ = 0 the one of least norm. A column counts as constant if its
/// deviations are at most 2·10⁻¹⁵ of its mean. For λ = 0, a column counts as dependent on others if
/// all but 10⁻¹⁵ of it is in their span.
inline WideMinimum wide_minimum(const WideProblem& p, long double lambda) {
  const Index n = p.x.rows();
  const Index d = p.x.cols();
  const WideVector share = p.shares();
  const Wide x = p.x.cast<long double>();
  const WideVector y = p.y.cast<long double>();
  const WideVector mean = p.offset ? WideVector(x.transpose() * share) : WideVector::Zero(d);
  const long double target_mean = p.offset ? share.dot(y) : 0;
  const WideVector root = share.cwiseSqrt();
  Wide z = root.asDiagonal() * (x.rowwise() - mean.transpose());
  const WideVector t = root.cwiseProduct((y.array() - target_mean).matrix());
  WideVector length(d);
  for (Index j = 0; j < d; ++j) {
    if (z.col(j).norm() <= 2e-15L * std::abs(mean[j])) z.col(j).setZero();
    length[j] = std::max(std::sqrt(z.col(j).squaredNorm() + lambda), 1e-300L);
  }
  const Wide scaled = z * length.cwiseInverse().asDiagonal();
  WideMinimum minimum;
  if (lambda > 0) {
    Wide both(n + d, d);
    both << scaled, Wide((std::sqrt(lambda) * length.cwiseInverse()).asDiagonal());
    WideVector right = WideVector::Zero(n + d);
    right.head(n) = t;
    minimum.weights = Eigen::ColPivHouseholderQR<Wide>(both).solve(right).cwiseQuotient(length);
    minimum.rank = d;
  } else {
    const Eigen::ColPivHouseholderQR<Wide> qr(scaled);
    const Wide r = qr.matrixR().template triangularView<Eigen::Upper>();
    Index& rank = minimum.rank;
    const Index free = (share.array() > 0).count() - (p.offset ? 1 : 0);
    while (rank < std::min(free, d) && std::abs(r(rank, rank)) > 1e-15L) ++rank;
    Wide kept = r.topRows(rank) * qr.colsPermutation().transpose();
    kept *= length.asDiagonal();
    const WideVector image = qr.householderQ().transpose() * t;
    minimum.weights =
        rank > 0 ? least_norm(kept, image.head(rank)) : WideVector(WideVector::Zero(d));
  }
  minimum.offset = target_mean - mean.dot(minimum.weights);
  minimum.objective =
      ((z * minimum.weights - t).squaredNorm() + lambda * minimum.weights.squaredNorm()) / 2;
  minimum.without_features = t.squaredNorm() / 2;
  return minimum;
}

}  // namespace linea::test
