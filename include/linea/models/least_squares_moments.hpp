// SPDX-License-Identifier: MIT
#pragma once
/// \file Least squares of samples that come and go: sums over samples from which the weights
/// follow.
#include <algorithm>  // max
#include <cmath>      // abs, isfinite, sqrt
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/core/require.hpp>
#include <linea/core/solution.hpp>
#include <linea/linear_algebra/cholesky.hpp>
#include <linea/linear_algebra/product.hpp>
#include <linea/losses/squared.hpp>
#include <linea/rows/rows_of.hpp>
#include <linea/samples/scores.hpp>
#include <linea/samples/training_set.hpp>
#include <string_view>
#include <utility>  // move

namespace linea {

/// Weights and offset of LeastSquaresMoments, with figures of the fit.
struct [[nodiscard]] MomentsSolution : Solution<double> {
  /// 1 − Σ s(y − p)²/Σ s(y − ȳ)², with ȳ = 0 if there is no offset.
  double r_squared{std::numeric_limits<double>::quiet_NaN()};
  /// Σ s(y − p)² over W − the number of coefficients, where W is the sum of the sample weights.
  double residual_variance{std::numeric_limits<double>::quiet_NaN()};
  /// (d): roots of the diagonal of residual_variance·(Σ s(x − x̄)(x − x̄)ᵀ + WλI)⁻¹; NaN for a
  /// constant column.
  Vector<double> standard_errors{};
  double offset_error{std::numeric_limits<double>::quiet_NaN()};  ///< standard error of b
  /// About 1/(‖A‖₁·‖A⁻¹‖₁), where A is the matrix of the equations with a diagonal of 1.
  double reciprocal_condition{0};
};

/// Least squares and ridge regression of samples that are added and removed: rolling windows, and
/// recursive least squares, which forgets. Holds the means and the centred second moments of
/// (x, y), in (d + 1)·(d + 4) doubles: an update costs O(d²), and `solve` O(d³).
///
///     LeastSquaresMoments window(d);
///     for (Index i = 0; i < n; ++i) {
///       window.add(x.row(i), y[i]);
///       if (i >= 250) window.remove(x.row(i - 250), y[i - 250]);
///       const auto fit = window.solve();
///     }
///
/// Weights of samples count as numbers of samples. The sums are in double: weights times squares of
/// entries must neither overflow nor underflow. Every removal leaves the rounding errors of the
/// sample: `solve` reports precision_limit where they may be seen. Chan, Golub and LeVeque, The
/// American Statistician 37 (1983).
class LeastSquaresMoments {
 public:
  /// Starts without samples, for d features. Without an offset, moments are those about 0.
  explicit LeastSquaresMoments(Index d, bool offset = true)
      : has_offset_(offset),
        means_(detail::filled(d + 1, 0.0)),
        moments_(square(d + 1)),
        sizes_(means_),
        difference_(means_) {
    require(d >= 1, "LeastSquaresMoments: ", d, " features");
  }

  Index cols() const { return means_.size() - 1; }  ///< d
  double weight() const { return weight_; }         ///< sum of the sample weights

  /// Adds a sample: a row or vector (d), dense or sparse, with its target and weight. Throws
  /// std::invalid_argument, and changes nothing, on invalid input.
  template <class X>
  void add(const X& sample, double target, double weight = 1) {
    change("LeastSquaresMoments::add", sample, target, weight, 1);
  }
  /// Removes a sample that was added with this weight. Throws std::invalid_argument, and changes
  /// nothing, on invalid input, and if the sum of the weights would be below 0. After `forget`, the
  /// weight is what is left of it.
  template <class X>
  void remove(const X& sample, double target, double weight = 1) {
    change("LeastSquaresMoments::remove", sample, target, weight, -1);
  }

  /// Adds x (n × d), y (n), with sample weights (n) or none. With tens of columns this takes a
  /// third of the time of `add` for each row, or less.
  template <Samples X, Numbers Y>
  void add_block(const X& x, const Y& y, const Vector<scalar_t<X>>& sample_weights = {}) {
    constexpr std::string_view function = "LeastSquaresMoments::add_block";
    require(x.cols() == cols(), function, ": x has ", x.cols(), " columns, but the moments have ",
            cols());
    const auto set =
        detail::samples::admit_samples_in_double(function, x, detail::vector_of(y).size(), {});
    const Vector<double> targets = detail::samples::admit_targets<double>(function, Squared{}, y);
    if (sample_weights.size() > 0)  // validates them
      detail::largest_weight(function, x.rows(), sample_weights);
    const auto weight_of = [&](Index i) {
      return sample_weights.size() > 0 ? static_cast<double>(sample_weights[i]) : 1;
    };
    LeastSquaresMoments block(cols(), has_offset_);
    for (Index i = 0; i < x.rows(); ++i) block.weight_ += weight_of(i);
    if (block.weight_ == 0) return;
    Vector<double> z(cols() + 1);  // (x, y) of a sample, less the means
    const auto take = [&](Index i) {
      for (Index j = 0; j < z.size(); ++j) z[j] = -block.means_[j];
      set.rows.for_each(i, [&](Index j, double entry) { z[j] += entry; });
      z[cols()] += targets[i];
    };
    for (int pass = 0; has_offset_ && pass < 2; ++pass) {  // the second one removes rounding errors
      Vector<double> sums = detail::filled(z.size(), 0.0);
      for (Index i = 0; i < x.rows(); ++i) {
        take(i);
        for (Index j = 0; j < z.size(); ++j) sums[j] += weight_of(i) / block.weight_ * z[j];
      }
      for (Index j = 0; j < z.size(); ++j) block.means_[j] += sums[j];
    }
    detail::linear_algebra::add_full_gram(block.moments_, x.rows(), [&](Index i, auto&& put) {
      take(i);
      const double root = std::sqrt(weight_of(i));
      for (Index j = 0; j < z.size(); ++j) put(j, root * z[j]);
    });
    for (Index j = 0; j < z.size(); ++j) block.sizes_[j] = block.moments_(j, j);
    merge(block);
  }

  /// Adds the samples of other moments, such as those that another thread has summed.
  void add(const LeastSquaresMoments& other) {
    require(other.cols() == cols() && other.has_offset_ == has_offset_,
            "LeastSquaresMoments::add: moments of ", other.cols(), " features ",
            other.has_offset_ ? "with" : "without", " offset, not of ", cols(),
            has_offset_ ? " with" : " without", " offset");
    merge(other);
  }

  /// Multiplies the weights of all samples so far by `factor` in (0, 1], as recursive least squares
  /// does before each sample.
  void forget(double factor) {
    require(factor > 0 && factor <= 1, "LeastSquaresMoments::forget: factor = ", factor,
            " is not in (0, 1]");
    weight_ *= factor;
    for (Index k = 0; k < moments_.size(); ++k) moments_.data()[k] *= factor;
    for (double& size : sizes_) size *= factor;
  }

  /// Minimises mean s·½(y − p)² + λ/2·‖w‖². A constant column gets the weight 0. The status is
  /// precision_limit if the equations are singular or nearly so, or if rounding errors of removed
  /// samples may change the weights by more than 1e-6 of their size; w is 0 if the equations cannot
  /// be solved, as for fewer samples than columns without λ. Throws std::invalid_argument without
  /// samples, and unless λ is finite and ≥ 0.
  MomentsSolution solve(double lambda = 0) const {
    constexpr const char* function = "LeastSquaresMoments::solve";
    require(std::isfinite(lambda) && lambda >= 0, function, ": lambda = ", lambda, " is not >= 0");
    require(weight_ > 0, function, ": there are no samples");
    const Index d = cols();
    Vector<double> scale = detail::filled(d, 0.0);  // 1/√(diagonal); 0 for constant columns
    auto equations = square(d);
    double lost = 0;  // the largest rounding error of the equations
    for (Index j = 0; j < d; ++j) {
      const double error = rounding * sizes_[j];  // of the diagonal
      if (lambda == 0 && sizes_[j] <= weight_ * rounding * means_[j] * means_[j])
        continue;  // constant
      const double entry = moments_(j, j) + weight_ * lambda;
      scale[j] = entry > error ? 1 / std::sqrt(entry) : 0;
      lost = std::max(lost, entry > error ? error / entry : 1);
    }
    for (Index j = 0; j < d; ++j) {
      equations(j, j) = 1;
      for (Index i = j + 1; i < d; ++i) equations(i, j) = moments_(i, j) * scale[i] * scale[j];
    }
    MomentsSolution found;
    found.optimizer = "LeastSquaresMoments";
    found.weights = detail::filled(d, 0.0);
    const detail::linear_algebra::Cholesky<double> factor(std::move(equations));
    found.reciprocal_condition = factor.reciprocal_condition();
    found.status =
        lost <= 1e-6 * found.reciprocal_condition ? Status::converged : Status::precision_limit;
    if (factor.is_positive()) solve_by(factor, scale, found);
    finish(factor, scale, lambda, found);
    return found;
  }

 private:
  using Square = detail::ColumnMatrix<double>;
  static constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();

  static Square square(Index size) { return detail::linear_algebra::zeros<Square>(size, size); }

  template <class X>
  void change(std::string_view function, const X& sample, double target, double weight, int sign) {
    const auto& row = row_of(sample);
    detail::samples::require_one_sample(function, row, cols());
    detail::rows::require_distinct(function, row);
    detail::rows::require_entries(function, row);
    detail::samples::require_target<double>(function, Squared{}, target, "y");
    detail::require_weight(function, weight, "the sample weight");
    require(sign > 0 || weight <= weight_ * (1 + 1e-9), function, ": a weight of ", weight,
            " is more than the sum of the weights, ", weight_);
    for (Index j = 0; j < cols(); ++j) difference_[j] = -means_[j];
    row.for_each(0, [&](Index j, auto entry) { difference_[j] += static_cast<double>(entry); });
    difference_[cols()] = target - means_[cols()];
    count(sign * weight);
  }

  /// Adds samples of total weight `weight` (negative: removes them), whose mean is difference_ from
  /// the means, as if all were equal.
  void count(double weight) {
    const Vector<double>& difference = difference_;
    const double after = weight_ + weight;
    if (!(after > 1e-9 * std::abs(weight))) {  // nothing is left
      *this = LeastSquaresMoments(cols(), has_offset_);
      return;
    }
    const double factor = has_offset_ ? weight * (weight_ / after) : weight;
    const double share = has_offset_ ? weight / after : 0;
    // The rounding error of a mean that changes, ε·|mean|, counts, too; `rounding` is 16·ε.
    const double of_mean = weight_ > 0 ? std::abs(weight) / 16 : 0;
    for (Index j = 0; j < difference.size(); ++j) {
      means_[j] += share * difference[j];
      const double product = factor * difference[j];
      sizes_[j] +=
          std::abs(product * difference[j]) + of_mean * std::abs(means_[j] * difference[j]);
      double* const column = moments_.data() + j * moments_.rows();
      for (Index i = j; i < difference.size(); ++i) column[i] += product * difference[i];
    }
    weight_ = after;
  }

  /// Adds the samples of other moments.
  void merge(const LeastSquaresMoments& other) {
    if (!(other.weight_ > 0)) return;
    for (Index j = 0; j < means_.size(); ++j) difference_[j] = other.means_[j] - means_[j];
    count(other.weight_);  // adds 0 without an offset
    for (Index k = 0; k < moments_.size(); ++k) moments_.data()[k] += other.moments_.data()[k];
    for (Index j = 0; j < sizes_.size(); ++j) sizes_[j] += other.sizes_[j];
  }

  /// Sets weights and offset from the factorised, scaled equations.
  void solve_by(const detail::linear_algebra::Cholesky<double>& factor, const Vector<double>& scale,
                MomentsSolution& found) const {
    for (Index j = 0; j < cols(); ++j) found.weights[j] = scale[j] * moments_(cols(), j);
    factor.solve(found.weights.data());
    for (Index j = 0; j < cols(); ++j) found.weights[j] *= scale[j];
  }

  /// Sets the offset and the figures of the fit.
  void finish(const detail::linear_algebra::Cholesky<double>& factor, const Vector<double>& scale,
              double lambda, MomentsSolution& found) const {
    const Index d = cols();
    const Vector<double>& w = found.weights;
    double squares = 0, along = 0, explained = 0, coefficients = has_offset_ ? 1 : 0;
    for (Index j = 0; j < d; ++j) {
      found.offset += -means_[j] * w[j];
      squares += w[j] * w[j];
      along += w[j] * moments_(d, j);
      explained += w[j] * w[j] * moments_(j, j);
      for (Index i = j + 1; i < d; ++i) explained += 2 * w[i] * w[j] * moments_(i, j);
      coefficients += scale[j] > 0 ? 1 : 0;
    }
    found.offset += means_[d];
    const double total = moments_(d, d);
    const double residual = std::max(total - 2 * along + explained, 0.0);
    found.objective = residual / (2 * weight_) + lambda / 2 * squares;
    // Rounding errors of the targets, also of removed ones.
    const double hidden = rounding * sizes_[d];
    const double of_mean = rounding * means_[d];
    if (hidden > std::max(1e-6 * total, weight_ * of_mean * of_mean))
      found.status = Status::precision_limit;
    found.standard_errors = detail::filled(d, std::numeric_limits<double>::quiet_NaN());
    if (total > 1e6 * hidden) found.r_squared = 1 - residual / total;
    if (residual <= hidden) return;
    if (weight_ > coefficients) found.residual_variance = residual / (weight_ - coefficients);
    if (!factor.is_positive()) return;
    // Column j of the inverse gives the error of wⱼ; the inverse times x̄ gives that of b.
    Vector<double> unit(d);
    double of_means = 0;
    for (Index j = 0; j < d; ++j) {
      if (scale[j] == 0) continue;
      for (double& entry : unit) entry = 0;
      unit[j] = scale[j];
      factor.solve(unit.data());
      found.standard_errors[j] = std::sqrt(found.residual_variance * scale[j] * unit[j]);
      double sum = 0;
      for (Index i = 0; i < d; ++i) sum += means_[i] * scale[i] * unit[i];
      of_means += means_[j] * sum;
    }
    if (has_offset_)
      found.offset_error = std::sqrt(found.residual_variance * (1 / weight_ + of_means));
  }

  bool has_offset_;
  double weight_{0};
  Vector<double> means_;       // (d + 1): of (x, y); 0 without an offset
  Square moments_;             // Σ s(z − z̄)(z − z̄)ᵀ for z = (x, y), lower triangle
  Vector<double> sizes_;       // sums of the magnitudes that were added to the diagonal
  Vector<double> difference_;  // scratch: (x, y) of a sample, less the means
};

}  // namespace linea
