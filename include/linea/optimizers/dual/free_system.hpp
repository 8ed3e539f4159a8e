// SPDX-License-Identifier: MIT
#pragma once
/// \file The equations (λI + Σₖ cₖ·xₖxₖᵀ)·s = r of some rows, by conjugate gradients or,
/// where those would take longer, by Cholesky's factorisation.
#include <algorithm>  // fill
#include <cmath>      // isfinite, sqrt
#include <linea/core/entries.hpp>
#include <linea/core/types.hpp>
#include <linea/optimizers/numerics/cholesky.hpp>
#include <linea/optimizers/numerics/product.hpp>
#include <linea/samples/selected_rows.hpp>
#include <utility>  // move
#include <vector>

namespace linea::dual {

/// The rows are xₖ, or (xₖ, 1) with an offset, whose diagonal is `hold` instead of λ.
template <class Rows>
class FreeSystem {
 public:
  using Reals = Vector<typename Rows::Scalar>;

  FreeSystem(const samples::SelectedRows<Rows>& rows, Index d, double lambda, bool has_offset)
      : rows_(rows), d_(d), lambda_(lambda), has_offset_(has_offset) {}

  /// ⟨(xₖ, 1), v⟩.
  double dot(std::size_t k, const Reals& v) const {
    return rows_.dot(k, v) + (has_offset_ ? v[d_] : 0);
  }
  /// v ← v + a·(xₖ, 1).
  void add(std::size_t k, double a, Reals& v) const {
    rows_.add(k, a, v);
    if (has_offset_) v[d_] += a;
  }

  /// Empties the sum.
  void clear(double hold) {
    hold_ = hold;
    terms_.clear();
  }
  void add_term(std::size_t k, double c) { terms_.push_back({k, c}); }

  /// s for r, to 3 % at least.
  void solve(const Reals& r, Reals& s) {
    const double work =
        static_cast<double>(terms_.size()) * numerics::gram_cost(rows_.in_row(), r.size()) +
        numerics::cholesky_cost(r.size());
    if (work < work_ && factor(r, s)) return;
    const Index rounds = climb(r, s);
    work_ = 0;
    for (const Term& term : terms_) rows_.for_each(term.k, [&](Index, double) { work_ += 2; });
    work_ *= static_cast<double>(rounds);
  }

 private:
  struct Term {
    std::size_t k;
    double c;
  };

  /// Conjugate gradients, preconditioned with the diagonal. Answers the rounds.
  Index climb(const Reals& r, Reals& s) const {
    const Reals scale = diagonal(r.size()).cwiseInverse();
    s.setZero(r.size());
    Reals residual = r;
    Reals search = scale.cwiseProduct(residual);
    Reals image = residual;  // never resized: GCC 12 warns of Eigen's code that frees what it was
    double norm = residual.dot(search);
    const double enough = 0.03 * 0.03 * norm;
    Index round = 0;
    for (; round < 2 * r.size() + 10 && norm > enough; ++round) {
      curve(search, image);
      const double bend = search.dot(image);
      const double length = norm / bend;
      if (!(bend > 0) || !std::isfinite(length)) break;
      s += length * search;
      residual -= length * image;
      image.array() = scale.array() * residual.array();
      const double next = residual.dot(image);
      search.array() = image.array() + (next / norm) * search.array();
      norm = next;
    }
    return round;
  }

  Reals diagonal(Index size) const {
    Reals diagonal = Reals::Constant(size, lambda_);
    if (has_offset_) diagonal[d_] = hold_;
    for (const Term& term : terms_) {
      rows_.for_each(term.k, [&](Index j, double x) { diagonal[j] += term.c * x * x; });
      if (has_offset_) diagonal[d_] += term.c;
    }
    return diagonal;
  }

  void curve(const Reals& v, Reals& image) const {
    image.array() = lambda_ * v.array();
    if (has_offset_) image[d_] = hold_ * v[d_];
    for (const Term& term : terms_) add(term.k, term.c * dot(term.k, v), image);
  }

  /// By the factors of the matrix. False if rounding does not let it be positive.
  bool factor(const Reals& r, Reals& s) const {
    const Index size = r.size();
    core::ColumnMatrix<double> matrix(size, size);
    std::fill(matrix.data(), matrix.data() + matrix.size(), 0.0);
    for (Index j = 0; j < size; ++j) matrix(j, j) = j < d_ ? lambda_ : hold_;
    numerics::add_gram(matrix, static_cast<Index>(terms_.size()), rows_.in_row(),
                       [&](Index k, auto&& put) {
                         const Term& term = terms_[static_cast<std::size_t>(k)];
                         const double root = std::sqrt(term.c);
                         rows_.for_each(term.k, [&](Index j, double x) { put(j, root * x); });
                         if (has_offset_) put(d_, root);
                       });
    const numerics::Cholesky<> cholesky(std::move(matrix));
    if (!cholesky.is_positive()) return false;
    s = r;
    cholesky.solve(s.data());
    return core::all_finite(s);
  }

  const samples::SelectedRows<Rows>& rows_;
  Index d_;
  double lambda_;
  bool has_offset_;
  double hold_{1};
  std::vector<Term> terms_{};
  double work_{0};  // of the conjugate gradients that were made last
};

}  // namespace linea::dual
