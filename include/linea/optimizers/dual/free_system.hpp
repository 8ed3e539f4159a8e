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
#include <linea/linear_algebra/product.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/samples/selected_rows.hpp>
#include <utility>  // move
#include <vector>

namespace linea::detail::dual {

/// Returns the approximate cost of one scalar product with a row and one addition of the row to a
/// vector. The unit is the time of a multiply-add, as in linear_algebra::gram_cost.
template <class Rows>
double row_cost(const Rows& rows) {
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
/// the diagonal entry of the offset is `hold` instead of λ (see `clear`).
template <class Rows>
class FreeSystem {
 public:
  using Reals = Vector<double>;
  using Columns = detail::ColumnMatrix<double>;

  /// `selected` is a selection of `rows` and must outlive this object.
  FreeSystem(const samples::SelectedRows<Rows>& selected, const Rows& rows, double lambda,
             bool has_offset)
      : rows_(selected),
        row_cost_(row_cost(rows)),
        d_(rows.cols()),
        lambda_(lambda),
        has_offset_(has_offset) {}

  /// Returns ⟨xₖ, v⟩ or, with an offset, ⟨(xₖ, 1), v⟩.
  double dot(std::size_t k, const Reals& v) const {
    return rows_.dot(k, v) + (has_offset_ ? v[d_] : 0);
  }
  /// Computes v ← v + a·xₖ or, with an offset, v ← v + a·(xₖ, 1).
  void add(std::size_t k, double a, Reals& v) const {
    rows_.add(k, a, v);
    if (has_offset_) v[d_] += a;
  }

  /// Discards the stored products. Call it after selecting other rows.
  void forget() { products_ = {}; }

  /// Removes all terms and sets the diagonal entry of the offset.
  void clear(double hold) {
    hold_ = hold;
    terms_.clear();
  }
  void add_term(std::size_t k, double c) { terms_.push_back({k, c}); }

  /// Computes s for r: by conjugate gradients, to about 3 %, until these have cost more than a
  /// factorisation would; this call and later ones then factorise, until a factorisation fails.
  void solve(const Reals& r, Reals& s) {
    const FactorCosts costs(rows_.in_row(), static_cast<Index>(terms_.size()), d_,
                            products_.rows() > 0);
    if (prefers_factors_ ? factor(costs, r, s) : climb(r, s, costs.least())) return;
    prefers_factors_ = !prefers_factors_ && factor(costs, r, s);
    if (!prefers_factors_) climb(r, s, std::numeric_limits<double>::infinity());
  }
  /// Returns the cost of all solutions so far, in the unit of `row_cost`.
  double work() const { return work_; }

 private:
  struct Term {
    std::size_t k;
    double c;
  };

  /// Runs conjugate gradients, preconditioned with the diagonal. Returns false if these would cost
  /// more than `most`.
  bool climb(const Reals& r, Reals& s, double most) {
    const Index size = r.size();
    const Reals diagonal = this->diagonal(size);
    s = detail::filled(size, 0.0);
    Reals residual = r, search(size), image(size);
    for (Index j = 0; j < size; ++j) search[j] = residual[j] / diagonal[j];
    double norm = linear_algebra::dot(residual, search);
    const double enough = 0.03 * 0.03 * norm;
    const double work = row_cost_ * static_cast<double>(terms_.size());
    double done = 0;
    for (Index round = 0; round < 2 * size + 10 && norm > enough; ++round) {
      work_ += work;
      if ((done += work) > most) return false;
      curve(search, image);
      const double length = norm / linear_algebra::dot(search, image);
      if (!(length > 0) || !std::isfinite(length)) break;
      double next = 0;
      for (Index j = 0; j < size; ++j) {
        s[j] += length * search[j];
        residual[j] -= length * image[j];
        next += residual[j] * (image[j] = residual[j] / diagonal[j]);
      }
      for (Index j = 0; j < size; ++j) search[j] = image[j] + (next / norm) * search[j];
      norm = next;
    }
    return true;
  }

  Reals diagonal(Index size) const {
    Reals diagonal = detail::filled(size, lambda_);
    if (has_offset_) diagonal[d_] = hold_;
    for (const Term& term : terms_) {
      rows_.for_each(term.k, [&](Index j, double x) { diagonal[j] += term.c * x * x; });
      if (has_offset_) diagonal[d_] += term.c;
    }
    return diagonal;
  }

  void curve(const Reals& v, Reals& image) const {
    for (Index j = 0; j < v.size(); ++j) image[j] = (j < d_ ? lambda_ : hold_) * v[j];
    for (const Term& term : terms_) add(term.k, term.c * dot(term.k, v), image);
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
    linear_algebra::add_gram(matrix, static_cast<Index>(terms_.size()), rows_.in_row(),
                             [&](Index k, auto&& put) {
                               const Term& term = terms_[static_cast<std::size_t>(k)];
                               const double root = std::sqrt(term.c);
                               rows_.for_each(term.k, [&](Index j, double x) { put(j, root * x); });
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
    const auto count = static_cast<Index>(terms_.size());
    Columns matrix = products_of_terms();
    Reals z(count), of_offset(count);
    for (Index k = 0; k < count; ++k) {
      const Term& term = terms_[static_cast<std::size_t>(k)];
      matrix(k, k) += lambda_ / term.c;
      z[k] = rows_.dot(term.k, r);
      of_offset[k] = lambda_;
    }
    const linear_algebra::Cholesky<> cholesky(std::move(matrix));
    if (!cholesky.is_positive()) return false;
    cholesky.solve(z.data());
    s = r;
    if (has_offset_) {
      cholesky.solve(of_offset.data());
      double sum = r[d_], slope = hold_;
      for (Index k = 0; k < count; ++k) {
        sum -= z[k];
        slope += of_offset[k];
      }
      s[d_] = sum / slope;
      linear_algebra::add(s[d_], of_offset, z);
    }
    for (Index k = 0; k < count; ++k) rows_.add(terms_[static_cast<std::size_t>(k)].k, -z[k], s);
    for (Index j = 0; j < d_; ++j) s[j] /= lambda_;
    return true;
  }

  /// Returns the lower triangle of XXᵀ for the rows X of the terms. Computes XXᵀ of all selected
  /// rows once and keeps it, unless this matrix is large or the terms are a small part of the rows.
  Columns products_of_terms() {
    const auto row_of = [this](Index k) { return terms_[static_cast<std::size_t>(k)].k; };
    const auto count = static_cast<Index>(terms_.size());
    const Index all = rows_.size();
    if (products_.rows() == 0) {
      const bool are_few = all * std::max(all, d_) <= FactorCosts::most_packed;
      if (!are_few || all * all > 8 * count * count) return products(count, row_of);
      products_ = products(all, [](Index k) { return static_cast<std::size_t>(k); });
    }
    Columns matrix(count, count);
    for (Index l = 0; l < count; ++l) {
      const double* column = products_.data() + static_cast<Index>(row_of(l)) * all;
      for (Index k = l; k < count; ++k) matrix(k, l) = column[row_of(k)];
    }
    return matrix;
  }
  template <class RowOf>
  Columns products(Index count, RowOf&& row_of) const {
    linear_algebra::PackedRows columns(d_, count);
    for (Index k = 0; k < count; ++k)
      rows_.for_each(row_of(k), [&](Index j, double x) { columns(j, k) = x; });
    auto products = linear_algebra::zeros<Columns>(count, count);
    linear_algebra::run_at(linear_algebra::best_vector_level(),
                           linear_algebra::symmetric_product(columns, d_, products));
    return products;
  }

  const samples::SelectedRows<Rows>& rows_;
  double row_cost_;
  Index d_;
  double lambda_;
  bool has_offset_;
  double hold_{1};
  std::vector<Term> terms_{};
  bool prefers_factors_{false};
  double work_{0};
  Columns products_{};  // XXᵀ of all selected rows, or empty
};

}  // namespace linea::detail::dual
