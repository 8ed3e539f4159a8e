// SPDX-License-Identifier: MIT
#pragma once
/// \file Solves (λI + Σₖ cₖ·xₖxₖᵀ)·s = r for some rows xₖ of x by the cheapest method: conjugate
/// gradients, or a Cholesky factorisation of a matrix whose order is the number of columns of x or
/// the number of terms.
#include <algorithm>  // max, min
#include <cmath>      // isfinite, sqrt
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/core/types.hpp>
#include <linea/linear_algebra/cholesky.hpp>
#include <linea/linear_algebra/conjugate_gradients.hpp>
#include <linea/linear_algebra/product.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/samples/blocks.hpp>
#include <linea/samples/row_block.hpp>
#include <linea/samples/row_blocks.hpp>
#include <memory>   // unique_ptr
#include <utility>  // move
#include <vector>

namespace linea::detail::dual {

/// Returns the approximate cost of one scalar product with a row and one addition of the row to a
/// vector. The unit is the time of a multiply-add, as in linear_algebra::gram_cost.
inline double row_cost(const samples::RowBlocks& rows) {
  const auto entries = static_cast<double>(rows.entries());
  const auto n = static_cast<double>(std::max<Index>(rows.rows(), 1));
  const bool is_sparse = entries < n * static_cast<double>(rows.cols());
  return 30 + (is_sparse ? 6 : 1.5) * entries / n;
}

/// The costs of the factorisation of a FreeSystem, in the unit of linear_algebra::gram_cost: by
/// columns (d × d), and by rows (terms × terms). A cost is infinite if the matrices would be too
/// large, and by rows if there are more terms than columns: XXᵀ of these rows X is then singular.
struct FactorCosts {
  static constexpr Index most_packed = Index{1} << 23;  // limit of the numbers in a packed matrix

  double by_columns{std::numeric_limits<double>::infinity()}, by_rows{by_columns};

  /// Computes the costs for `terms` rows of d entries each, of which about `in_row` are not 0. With
  /// `knows_products` XXᵀ costs nothing.
  FactorCosts(double in_row, Index terms, Index d, bool knows_products = false) {
    constexpr Index most = 4096;
    const auto count = static_cast<double>(terms);
    const auto columns = static_cast<double>(d);
    if (d <= most)
      by_columns = count * linear_algebra::gram_cost(in_row, d) + linear_algebra::cholesky_cost(d);
    if (terms <= std::min(most, d) && terms * d <= most_packed)
      by_rows = (knows_products ? 0 : columns * (2 * count + count * (count + 24) / 16)) +
                linear_algebra::cholesky_cost(terms);
  }
  double least() const { return std::min(by_columns, by_rows); }
};

/// The equations at the head of this file. With an offset, each row is (xₖ, 1) instead of xₖ, and
/// the diagonal entry of the offset is `hold` instead of λ (see `set_terms`).
class FreeSystem {
 public:
  using Reals = Vector<double>;
  using Columns = detail::ColumnMatrix<double>;

  /// Takes the number of columns of x.
  FreeSystem(Index d, double lambda, bool has_offset)
      : d_(d), lambda_(lambda), has_offset_(has_offset) {}

  /// Makes these the rows xₖ, and discards the terms.
  void take(std::unique_ptr<samples::RowBlocks> rows) {
    rows_ = std::move(rows);
    coefficients_ = detail::filled(rows_->rows(), 0.0);
    terms_.clear();
    products_ = {};
    in_row_ = samples::mean_entries(*rows_);
  }

  /// Returns ⟨xₖ, v⟩ or, with an offset, ⟨(xₖ, 1), v⟩ for all k.
  Reals scores(const Reals& v) const {
    Reals scores(coefficients_.size());
    rows_->scores(0, scores.size(), v, nullptr, scores.data());
    for (double& score : scores) score += has_offset_ ? v[d_] : 0;
    return scores;
  }
  /// Computes v ← v + Σₖ aₖ·xₖ or, with an offset, v ← v + Σₖ aₖ·(xₖ, 1).
  void add_up(const Reals& a, Reals& v) const {
    rows_->add_up(0, a.size(), a.data(), v);
    if (has_offset_) v[d_] += linear_algebra::sum_of(a);
  }

  /// Sets all cₖ and the diagonal entry of the offset. The rows with cₖ > 0 are the terms.
  void set_terms(Reals coefficients, double hold) {
    coefficients_ = std::move(coefficients);
    hold_ = hold;
    terms_.clear();
    for (Index k = 0; k < coefficients_.size(); ++k)
      if (coefficients_[k] > 0) terms_.push_back(k);
  }

  /// Computes s for r: by conjugate gradients, to about 3 %, until these have cost more than a
  /// factorisation would; this call and later ones then factorise, until a factorisation fails.
  void solve(const Reals& r, Reals& s) {
    const FactorCosts costs(in_row_, count(), d_, products_.rows() > 0);
    if (prefers_factors_ ? factor(costs, r, s) : run_conjugate_gradients(r, s, costs.least()))
      return;
    prefers_factors_ = !prefers_factors_ && factor(costs, r, s);
    if (!prefers_factors_) run_conjugate_gradients(r, s, std::numeric_limits<double>::infinity());
  }
  /// Returns the cost of all solutions so far, in the unit of `row_cost`.
  double work() const { return work_; }

 private:
  Index count() const { return static_cast<Index>(terms_.size()); }
  Index term(Index k) const { return terms_[static_cast<std::size_t>(k)]; }
  /// Calls f(j, xₖⱼ) for the entries of row k.
  template <class F>
  void for_each(Index k, samples::RowBlock& row, const F& f) const {
    rows_->read(k, 1, row);
    row.for_each(0, f);
  }

  /// Runs conjugate gradients, preconditioned with the diagonal. Returns false if these would cost
  /// more than `most`.
  bool run_conjugate_gradients(const Reals& r, Reals& s, double most) {
    const Index size = r.size();
    const Reals diagonal = this->diagonal(size);
    const double work = row_cost(*rows_) * static_cast<double>(count());
    const Index enough = 2 * size + 10;
    const Index rounds =
        most < work * static_cast<double>(enough) ? static_cast<Index>(most / work) : enough;
    Reals g = r;
    linear_algebra::scale(-1, g);
    linear_algebra::ConjugateGradients<Reals> solver;
    return solver.solve(
               g, {.residual = 0.03, .noise = 0, .flatness = 0, .rounds = rounds},
               [&](const Reals& v, Reals& image) {
                 work_ += work;
                 multiply(v, image);
               },
               [&](const Reals& residual, Reals& image) {
                 for (Index j = 0; j < size; ++j) image[j] = residual[j] / diagonal[j];
                 return linear_algebra::dot(residual, image);
               },
               [](double) {}, s) ||
           rounds == enough;
  }

  Reals diagonal(Index size) const {
    Reals diagonal = detail::filled(size, lambda_);
    if (has_offset_) diagonal[d_] = hold_;
    samples::RowBlock row;
    for (const Index k : terms_) {
      for_each(k, row, [&](Index j, double x) { diagonal[j] += coefficients_[k] * x * x; });
      if (has_offset_) diagonal[d_] += coefficients_[k];
    }
    return diagonal;
  }

  /// Sets `image` to the product of the matrix of the equations and v.
  void multiply(const Reals& v, Reals& image) const {
    for (Index j = 0; j < v.size(); ++j) image[j] = (j < d_ ? lambda_ : hold_) * v[j];
    double block[samples::most_block];
    for (Index first = 0; first < coefficients_.size(); first += samples::most_block) {
      const Index size = std::min(samples::most_block, coefficients_.size() - first);
      const double* const c = coefficients_.data() + first;
      rows_->scores(first, size, v, c, block);
      for (Index k = 0; k < size; ++k)
        block[k] = c[k] > 0 ? c[k] * (block[k] + (has_offset_ ? v[d_] : 0)) : 0;
      rows_->add_up(first, size, block, image);
      for (Index k = 0; has_offset_ && k < size; ++k) image[d_] += block[k];
    }
  }

  /// Solves by the cheaper factorisation. Returns false if the matrix is too large, if rounding
  /// makes it indefinite, or if s is not finite.
  bool factor(const FactorCosts& costs, const Reals& r, Reals& s) {
    if (!std::isfinite(costs.least())) return false;
    work_ += costs.least();
    const bool is_solved =
        costs.by_rows < costs.by_columns ? factor_by_rows(r, s) : factor_by_columns(r, s);
    return is_solved && detail::all_finite(s);
  }

  bool factor_by_columns(const Reals& r, Reals& s) const {
    const Index size = r.size();
    auto matrix = linear_algebra::zeros<Columns>(size, size);
    for (Index j = 0; j < size; ++j) matrix(j, j) = j < d_ ? lambda_ : hold_;
    samples::RowBlock row;
    linear_algebra::add_gram(matrix, count(), in_row_, [&](Index k, auto&& put) {
      const double root = std::sqrt(coefficients_[term(k)]);
      for_each(term(k), row, [&](Index j, double x) { put(j, root * x); });
      if (has_offset_) put(d_, root);
    });
    const linear_algebra::Cholesky<> cholesky(std::move(matrix));
    if (!cholesky.is_positive()) return false;
    s = r;
    cholesky.solve(s.data());
    return true;
  }

  /// Solves with a matrix whose order is the number of terms. Let X have the rows xₖ of the terms,
  /// C = diag(c), and zₖ = cₖ·⟨(xₖ, 1), s⟩. Let s_b and r_b be the entries of s and r for the
  /// offset. Then (λC⁻¹ + XXᵀ)·z = X·r + λ·s_b·1, hold·s_b + Σₖ zₖ = r_b, and λ·s = r − Xᵀz in all
  /// other entries.
  bool factor_by_rows(const Reals& r, Reals& s) {
    Columns matrix = products_of_terms();
    Reals all(coefficients_.size()), z(count()), of_offset = detail::filled(count(), lambda_);
    rows_->scores(0, all.size(), r, coefficients_.data(), all.data());
    for (Index k = 0; k < count(); ++k) {
      matrix(k, k) += lambda_ / coefficients_[term(k)];
      z[k] = all[term(k)];
    }
    const linear_algebra::Cholesky<> cholesky(std::move(matrix));
    if (!cholesky.is_positive()) return false;
    cholesky.solve(z.data());
    s = r;
    if (has_offset_) {
      cholesky.solve(of_offset.data());
      double sum = r[d_], slope = hold_;
      for (Index k = 0; k < count(); ++k) {
        sum -= z[k];
        slope += of_offset[k];
      }
      s[d_] = sum / slope;
      linear_algebra::add(s[d_], of_offset, z);
    }
    all = detail::filled(all.size(), 0.0);
    for (Index k = 0; k < count(); ++k) all[term(k)] = -z[k];
    rows_->add_up(0, all.size(), all.data(), s);
    for (Index j = 0; j < d_; ++j) s[j] /= lambda_;
    return true;
  }

  /// Returns the lower triangle of XXᵀ for the rows X of the terms. Computes XXᵀ of all selected
  /// rows once and keeps it, unless this matrix is large or the terms are a small part of the rows.
  Columns products_of_terms() {
    const Index all = rows_->rows();
    if (products_.rows() == 0) {
      const bool are_few = all * std::max(all, d_) <= FactorCosts::most_packed;
      if (!are_few || all * all > 8 * count() * count())
        return products(count(), [this](Index k) { return term(k); });
      products_ = products(all, [](Index k) { return k; });
    }
    Columns matrix(count(), count());
    for (Index l = 0; l < count(); ++l)
      for (Index k = l; k < count(); ++k) matrix(k, l) = products_(term(k), term(l));
    return matrix;
  }
  template <class RowOf>
  Columns products(Index count, const RowOf& row_of) const {
    linear_algebra::PackedRows columns(d_, count);
    samples::RowBlock row;
    for (Index k = 0; k < count; ++k)
      for_each(row_of(k), row, [&](Index j, double x) { columns(j, k) = x; });
    auto products = linear_algebra::zeros<Columns>(count, count);
    linear_algebra::run_at(linear_algebra::best_vector_level(),
                           linear_algebra::symmetric_product(columns, d_, products));
    return products;
  }

  std::unique_ptr<samples::RowBlocks> rows_{};
  double in_row_{0};  // mean number of stored entries of a row
  Index d_;
  double lambda_;
  bool has_offset_;
  double hold_{1};
  Reals coefficients_{};        // c, 0 for rows that are no terms
  std::vector<Index> terms_{};  // their rows
  bool prefers_factors_{false};
  double work_{0};
  Columns products_{};  // XXᵀ of all selected rows, or empty
};

}  // namespace linea::detail::dual
