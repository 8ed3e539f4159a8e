// SPDX-License-Identifier: MIT
#pragma once
/// \file F and its minimum in long double, by code that shares nothing with the library: the judge
/// of what optimizers answer.
#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <linea/core/types.hpp>

namespace linea::test {

using Long = long double;
using LongMatrix = Eigen::Matrix<Long, Eigen::Dynamic, Eigen::Dynamic>;
using LongVector = Eigen::Matrix<Long, Eigen::Dynamic, 1>;

/// F(w, b) = mean loss + λ/2·‖w‖² on x (n × d), y (n) and sample weights s (n).
template <class L>
struct ExactProblem {
  L loss;
  Long lambda;
  bool offset;
  LongMatrix x;
  LongVector y, s;

  struct At {
    Long value{0};
    Long rounding{0};  // about what F loses where scores are computed in double
    LongVector slopes, curvatures;
  };

  At at(const LongVector& w, Long b) const {
    At all{0, 0, LongVector::Zero(y.size()), LongVector::Zero(y.size())};
    const Long total = s.sum();
    for (Eigen::Index i = 0; i < y.size(); ++i) {
      if (s[i] == 0) continue;
      Long p = b;
      Long size = std::abs(b) + std::abs(y[i]);
      for (Eigen::Index j = 0; j < w.size(); ++j) {
        p += w[j] * x(i, j);
        size += std::abs(w[j] * x(i, j));
      }
      all.value += s[i] / total * loss.value(p, y[i]);
      all.slopes[i] = s[i] / total * loss.derivative(p, y[i]);
      all.curvatures[i] = s[i] / total * loss.second_derivative(p, y[i]);
      const Long shift = std::numeric_limits<double>::epsilon() * size;
      all.rounding += (std::abs(all.slopes[i]) + all.curvatures[i] * shift) * shift;
    }
    all.value += lambda / 2 * w.squaredNorm();
    all.rounding += std::numeric_limits<double>::epsilon() * all.value;
    return all;
  }

  struct Minimum {
    LongVector w;
    Long b{0};
    Long value{0};
  };

  /// The best b for w, by bisection of the slope.
  Long best_offset(const LongVector& w, Long near) const {
    const auto slope = [&](Long b) { return at(w, b).slopes.sum(); };
    Long low = near, high = near, width = 1;
    for (int k = 0; k < 100 && slope(low) > 0; ++k, width *= 2) low -= width;
    width = 1;
    for (int k = 0; k < 100 && slope(high) < 0; ++k, width *= 2) high += width;
    for (int k = 0; k < 200 && high > low; ++k) {
      const Long middle = low + (high - low) / 2;
      if (middle == low || middle == high) break;
      (slope(middle) < 0 ? low : high) = middle;
    }
    return low + (high - low) / 2;
  }

  /// The best constant.
  Minimum constant() const {
    Minimum best{LongVector::Zero(x.cols()), 0, 0};
    if (offset) best.b = best_offset(best.w, s.dot(y) / s.sum());
    best.value = at(best.w, best.b).value;
    return best;
  }

  /// The minimum, or what 400 steps of Newton's method, damped as by Levenberg and Marquardt, reach
  /// from w and b: never below the minimum. Columns are centred and scaled.
  Minimum descend(const LongVector& w, Long b) const {
    const Eigen::Index d = x.cols();
    LongVector mean = LongVector::Zero(d), scale(d);
    LongMatrix z = x;
    for (Eigen::Index j = 0; j < d; ++j) {
      Long sum = 0, squares = 0;
      for (Eigen::Index i = 0; i < y.size(); ++i) sum += s[i] == 0 ? 0 : s[i] * x(i, j);
      if (offset) mean[j] = sum / s.sum();
      for (Eigen::Index i = 0; i < y.size(); ++i) {
        z(i, j) = s[i] == 0 ? 0 : x(i, j) - mean[j];
        squares += s[i] / s.sum() * z(i, j) * z(i, j);
      }
      scale[j] = squares > 0 ? std::sqrt(squares) : 1;
      z.col(j) /= scale[j];
    }
    ExactProblem inner{loss, 0, offset, z, y, s};
    const LongVector ridge = lambda * scale.cwiseProduct(scale).cwiseInverse();
    LongVector v = w.cwiseProduct(scale);
    Long c = b + w.dot(mean);
    const auto value_at = [&](const LongVector& u, const At& a) {
      return a.value + u.cwiseProduct(u).dot(ridge) / 2;
    };
    At here = inner.at(v, c);
    Long value = value_at(v, here);
    Long damping = 1e-3L;
    for (int step = 0; step < 400; ++step) {
      LongMatrix hessian(d + 1, d + 1);
      hessian.topLeftCorner(d, d) = z.transpose() * here.curvatures.asDiagonal() * z;
      hessian.topLeftCorner(d, d).diagonal() += ridge;
      hessian.topRightCorner(d, 1) = z.transpose() * here.curvatures;
      hessian.bottomLeftCorner(1, d) = hessian.topRightCorner(d, 1).transpose();
      hessian(d, d) = here.curvatures.sum();
      LongVector gradient(d + 1);
      gradient.head(d) = z.transpose() * here.slopes + ridge.cwiseProduct(v);
      gradient[d] = here.slopes.sum();
      if (!offset) {
        hessian.row(d).setZero();
        hessian.col(d).setZero();
        gradient[d] = 0;
      }
      hessian.diagonal().array() += damping;
      const LongVector move = -Eigen::LDLT<LongMatrix>(hessian).solve(gradient);
      const At there = inner.at(v + move.head(d), c + move[d]);
      const Long next = value_at(v + move.head(d), there);
      if (std::isfinite(next) && next < value) {
        v += move.head(d);
        c += move[d];
        here = there;
        value = next;
        damping = std::max(damping / 10, 1e-17L);
      } else {
        if (damping > 1e6L) break;
        damping = std::max(damping * 4, 1e-16L);
      }
    }
    const LongVector back = v.cwiseQuotient(scale);
    return {back, c - back.dot(mean), value};
  }
};

}  // namespace linea::test
