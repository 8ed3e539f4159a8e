// SPDX-License-Identifier: MIT
#pragma once
/// \file Ridge regression and least squares of least norm, computed by Eigen in long double (64
/// bits of mantissa), and numerically hard problems for tests of both.
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <linea/core/random.hpp>
#include <linea/core/types.hpp>
#include <numeric>
#include <vector>

#include "support/synthetic.hpp"

namespace linea::test {

using Wide = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using WideVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

struct HardProblem {
  Matrix<double> x{};
  Vector<double> y{};
  Vector<double> weights{};  ///< empty if all weights are 1
  bool offset{true};

  WideVector shares() const {
    WideVector shares = WideVector::Ones(x.rows());
    if (weights.size() > 0) shares = weights.cast<long double>();
    return shares / shares.sum();
  }

  /// Returns F for the loss ½(p − y)² and the penalty λ/2·‖w‖², from the definition.
  long double objective(const WideVector& w, long double b, long double lambda) const {
    const WideVector share = shares();
    long double sum = lambda * w.squaredNorm();
    for (Index i = 0; i < x.rows(); ++i) {
      const long double left =
          x.row(i).cast<long double>().dot(w.transpose()) + b - static_cast<long double>(y[i]);
      if (share[i] > 0) sum += share[i] * left * left;
    }
    return sum / 2;
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
inline WideMinimum wide_minimum(const HardProblem& p, long double lambda) {
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

using synthetic::normal;

/// Returns a random problem with n ≤ d or n > d. Column means are up to 1e6 standard deviations
/// (3e3 for float), and standard deviations are from 1e-8 to 1e8. Two columns may be equal, a
/// column may be zero or constant, weights may be 0, and targets may have a mean of up to 2e9. T
/// can represent all entries of x.
template <class T>
HardProblem hard_problem(std::uint64_t seed) {
  Random random(seed);
  const auto below = [&](std::uint64_t n) { return static_cast<Index>(random.below(n)); };
  HardProblem p;
  const Index d = 1 + below(10);
  const Index shape = below(3);
  const Index n =
      shape == 0 ? 1 + below(static_cast<std::uint64_t>(d)) : d + (shape == 1 ? 0 : 1 + below(30));
  const double most_mean = sizeof(T) == 4 ? 3e3 : 1e6;
  const Index means = below(3);
  const Index scales = below(3);
  p.x.resize(n, d);
  for (Index j = 0; j < d; ++j) {
    const double mean = means > 0 && below(3) < means ? std::pow(most_mean, random.uniform()) : 0;
    const double scale =
        scales == 0 ? 1 : std::pow(10, (scales == 1 ? 2 : 16) * (random.uniform() - 0.5));
    for (Index i = 0; i < n; ++i) p.x(i, j) = scale * (mean + normal(random));
  }
  const Index copied = below(static_cast<std::uint64_t>(d));
  if (const Index fault = below(4); fault == 1)
    p.x.col(copied) = p.x.col(d - 1).eval();
  else if (fault == 2)
    p.x.col(copied).setConstant(static_cast<double>(below(2)) * 12345.678);
  p.x = p.x.cast<T>().template cast<double>().eval();
  p.y.resize(n);
  for (double& target : p.y) target = normal(random);
  if (below(2) == 0) p.y += p.x.col(0) / (1e-300 + p.x.col(0).cwiseAbs().maxCoeff());
  if (below(3) == 0) p.y.array() += std::pow(2e9, random.uniform());
  if (const Index weighting = below(3); weighting > 0) {
    p.weights.resize(n);
    for (double& weight : p.weights)
      weight = weighting == 1 ? 0.125 * static_cast<double>(1 + below(9))
                              : static_cast<double>(below(3));
    p.weights[0] += p.weights.sum() == 0 ? 1 : 0;
  }
  p.offset = below(3) > 0;
  return p;
}

}  // namespace linea::test
