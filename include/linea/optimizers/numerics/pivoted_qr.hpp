// SPDX-License-Identifier: MIT
#pragma once
/// \file The QR decomposition with column pivoting, which tells the rank.
#include <algorithm>  // max, min, swap_ranges
#include <cmath>
#include <limits>
#include <linea/optimizers/numerics/triangle.hpp>
#include <numeric>  // iota
#include <utility>  // move, swap
#include <vector>

namespace linea::numerics {

/// A·P = Q·R for A (m × d) by reflections of Householder, the longest column that is left first
/// (Golub and Van Loan, Matrix Computations, section 5.4.2; norms are updated as in LAPACK Working
/// Note 176).
template <class Real = double>
class PivotedQr {
  using Columns = core::ColumnMatrix<Real>;

 public:
  PivotedQr() = default;

  /// Ends where what is left is no longer than `threshold` times the first pivot; below 0, at the
  /// end.
  PivotedQr(Columns a, double threshold) : PivotedQr(std::move(a), {}, -1, threshold) {}

  /// Column j is known to noise[j], (d). What is left of a column counts as 0 where it is no longer
  /// than noise makes it. Ends after `most` columns, or where nothing is left.
  PivotedQr(Columns a, Vector<Real> noise, Index most)
      : PivotedQr(std::move(a), std::move(noise), most, -1) {}

  Index cols() const { return qr_.cols(); }
  Index rank() const { return rank_; }
  /// Did what is left of a column count as 0 though it was not?
  bool has_cleared() const { return has_cleared_; }
  /// Rᵢⱼ for i ≤ j, i < rank.
  double r(Index i, Index j) const { return qr_(i, j); }
  /// Column k of A·P is this column of A.
  Index origin(Index k) const { return order_[static_cast<std::size_t>(k)]; }

  /// Reflection number k < rank, one of those that Q is the product of, on v (m). It is its own
  /// inverse.
  void reflect(Index k, double* v) const {
    const Index rest = qr_.rows() - k - 1;
    const double* tail = qr_.data() + k * qr_.rows() + k + 1;
    const double along = coefficients_[static_cast<std::size_t>(k)] *
                         (v[k] + rows::dot<double>(tail, v + k + 1, rest, tail));
    v[k] -= along;
    rows::add(tail, -along, v + k + 1, rest);
  }

 private:
  PivotedQr(Columns a, Vector<Real> noise, Index most, double threshold)
      : qr_(std::move(a)),
        noise_(std::move(noise)),
        order_(static_cast<std::size_t>(qr_.cols())),
        norms_(order_.size()),
        exact_norms_(order_.size()) {
    std::iota(order_.begin(), order_.end(), Index{0});
    for (Index j = 0; j < qr_.cols(); ++j) measure(j, 0);
    const Index all = std::min(qr_.rows(), qr_.cols());
    for (Index k = 0; k < (most < 0 ? all : std::min(all, most)); ++k) {
      if (!exchange(k) || !reflect_column(k, threshold)) return;
      for (Index j = k + 1; j < qr_.cols(); ++j) {
        reflect(k, qr_.data() + j * qr_.rows());
        shorten(j, k);
      }
      ++rank_;
    }
  }

  double& norm(Index j) { return norms_[static_cast<std::size_t>(j)]; }
  double& exact_norm(Index j) { return exact_norms_[static_cast<std::size_t>(j)]; }

  /// The length of what is left of column j from row `first` on.
  void measure(Index j, Index first) {
    const double* entries = qr_.data() + j * qr_.rows() + first;
    norm(j) = exact_norm(j) =
        std::sqrt(rows::dot<double>(entries, entries, qr_.rows() - first, entries));
  }

  /// After row k of column j has become final.
  void shorten(Index j, Index k) {
    if (norm(j) == 0) return;
    const double ratio = std::abs(qr_(k, j)) / norm(j);
    const double left = std::max(0.0, (1 + ratio) * (1 - ratio));
    const double change = norm(j) / exact_norm(j);
    if (left * change * change <= std::sqrt(std::numeric_limits<double>::epsilon()))
      measure(j, k + 1);
    else
      norm(j) *= std::sqrt(left);
  }

  /// False if nothing is left.
  bool exchange(Index k) {
    for (Index j = k; j < noise_.size(); ++j)  // beside shorter columns such rests would count
      if (norm(j) <= 1e3 * noise_[origin(j)] && norm(j) <= noise_of(j, k)) clear(j, k);
    Index longest = longest_from(k);
    while (noise_.size() > 0 && norm(longest) > 0 && norm(longest) <= noise_of(longest, k)) {
      clear(longest, k);
      longest = longest_from(k);
    }
    if (noise_.size() > 0 && norm(longest) == 0) return false;
    if (longest == k) return true;
    double* const column = qr_.data() + k * qr_.rows();
    std::swap_ranges(column, column + qr_.rows(), qr_.data() + longest * qr_.rows());
    std::swap(order_[static_cast<std::size_t>(k)], order_[static_cast<std::size_t>(longest)]);
    std::swap(norm(k), norm(longest));
    std::swap(exact_norm(k), exact_norm(longest));
    return true;
  }

  Index longest_from(Index k) {
    Index longest = k;
    for (Index j = k + 1; j < qr_.cols(); ++j)
      if (norm(j) > norm(longest)) longest = j;
    return longest;
  }

  /// The noise of what is left of column j after k steps: its own, and that of the columns before
  /// it, as many times as it is made up of them.
  double noise_of(Index j, Index k) const {
    std::vector<double> part(qr_.data() + j * qr_.rows(), qr_.data() + j * qr_.rows() + k);
    double square = noise_[origin(j)] * noise_[origin(j)];
    for (Index i = k - 1; i >= 0; --i) {
      double& own = part[static_cast<std::size_t>(i)];
      own /= qr_(i, i);
      rows::add(qr_.data() + i * qr_.rows(), -own, part.data(), i);
      square += own * own * noise_[origin(i)] * noise_[origin(i)];
    }
    return std::sqrt(square);
  }

  /// What is left of column j from row `first` on counts as 0.
  void clear(Index j, Index first) {
    has_cleared_ = has_cleared_ || norm(j) > 0;
    for (Index i = first; i < qr_.rows(); ++i) qr_(i, j) = 0;
    norm(j) = 0;
  }

  bool reflect_column(Index k, double threshold) {
    double* const column = qr_.data() + k * qr_.rows() + k;
    const Index rest = qr_.rows() - k - 1;
    const double below = rows::dot<double>(column + 1, column + 1, rest, column + 1);
    const double length = std::sqrt(column[0] * column[0] + below);
    const double longest = k == 0 ? 0 : std::abs(qr_(0, 0));
    if (threshold >= 0 && !(length > threshold * longest)) return false;
    if (below <= std::numeric_limits<double>::min()) {
      for (Index i = 1; i <= rest; ++i) column[i] = 0;
      coefficients_.push_back(0);
      return true;
    }
    const double reflected = column[0] >= 0 ? -length : length;
    for (Index i = 1; i <= rest; ++i) column[i] /= column[0] - reflected;
    coefficients_.push_back((reflected - column[0]) / reflected);
    column[0] = reflected;
    return true;
  }

  Columns qr_;  // R, and below it the reflections' directions; the first entry of each is 1
  Vector<Real> noise_{};
  std::vector<double> coefficients_{};
  std::vector<Index> order_{};
  std::vector<double> norms_{};
  std::vector<double> exact_norms_{};
  Index rank_{0};
  bool has_cleared_{false};
};

}  // namespace linea::numerics
