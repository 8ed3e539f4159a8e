// SPDX-License-Identifier: MIT
#pragma once
/// \file Polynomial features: products of features up to a degree.
#include <algorithm>  // min, sort
#include <limits>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/rows/rows_of.hpp>
#include <numeric>  // gcd
#include <string_view>
#include <utility>  // pair
#include <vector>

namespace linea {

/// The map from x (d) to all products of 1 to `degree` of its entries. A quadratic function of x is
/// a linear function of Polynomial{}.apply(x). The map does not depend on data: use the same object
/// for training and test.
///
/// Columns are ordered by degree, then by their factors, as in PolynomialFeatures of scikit-learn:
/// x₁, x₂, x₁², x₁x₂, x₂², x₁³, … The offset b is already the weight of a constant feature.
/// `constant` adds a constant column, whose weight is penalised.
struct Polynomial {
  int degree{2};                  ///< ≥ 0; with degree 0 there is at most the constant column
  bool constant{false};           ///< the empty product, 1, as column 0
  bool interactions_only{false};  ///< no column more than once in a product: x₁x₂ but not x₁²

  /// Returns the number of columns for d features: C(d + degree, degree) − 1 with repeated factors,
  /// and one more with `constant`. Throws std::invalid_argument if the degree or d is negative, or
  /// the number overflows an Index.
  Index columns(Index d) const { return columns_of<Index>("Polynomial::columns", d); }

  /// Returns the indices of the columns of x (m × d) whose product is column j, from 0 and
  /// ascending. The list is empty for the constant column. Throws std::invalid_argument as
  /// `columns` does, and unless 0 ≤ j < columns(d). O(degree²·log d).
  std::vector<Index> factors(Index j, Index d) const {
    const Index width = columns_of<Index>("Polynomial::factors", d);
    require(0 <= j && j < width, "Polynomial::factors: column ", j, " of ", width);
    std::vector<Index> result;
    if (constant && j == 0) return result;
    if (constant) --j;
    Index remaining = 1;  // the degree of column j, then the number of factors still to find
    for (; j >= of_degree(d, remaining); ++remaining) j -= of_degree(d, remaining);
    Index later = of_degree(d, remaining) - 1 - j;  // products of this degree after column j
    for (; remaining > 0; --remaining) {
      Index rest = 0;  // largest number of columns with at most `later` products
      for (Index high = d - 1; rest < high;) {
        const Index middle = high - (high - rest) / 2;
        if (of_degree(middle, remaining) <= later)
          rest = middle;
        else
          high = middle - 1;
      }
      result.push_back(d - 1 - rest);
      later -= of_degree(rest, remaining);
    }
    return result;
  }

  /// Returns the products (m × columns(d)) for x (m × d). Throws std::invalid_argument as `columns`
  /// does, and if an entry of x or a product is not finite or above 1e150.
  template <DenseSamples X>
  Matrix<scalar_t<X>> apply(const X& x) const {
    using T = scalar_t<X>;
    const auto rows = rows_of(x);
    const Index width = columns_of<Index>(function, x.cols());
    detail::rows::require_entries(function, rows);
    Matrix<T> result(x.rows(), width);
    Vector<T> row(x.cols());
    Vector<T> values = Vector<T>::Ones(width + (constant ? 0 : 1));
    for (Index i = 0; i < x.rows(); ++i) {
      rows.for_each(i, [&](Index j, T value) { row[j] = value; });
      for_each_block(x.cols(), [&](Index, Index entry, Index from, Index count, Index to) {
        values.segment(to, count) = row[entry] * values.segment(from, count);
      });
      result.row(i) = values.tail(width);
      if (!detail::rows::all_in_range(result.data() + i * width, width)) [[unlikely]]
        for (Index j = 0; j < width; ++j) require_product(result(i, j), i, j);
    }
    return result;
  }

  /// Returns the products for sparse x. Computes and stores columns(e) products for a row with e
  /// non-zeros, whatever d is. Throws std::invalid_argument as for dense x, if the index type of x
  /// is too small for the columns or for the stored products, and if a row has a column twice.
  template <SparseSamples X>
  SparseMatrix<scalar_t<X>, typename X::StorageIndex> apply(const X& x) const {
    using T = scalar_t<X>;
    using J = typename X::StorageIndex;
    const auto rows = detail::rows::valid_rows(function, x);
    const Index d = x.cols();
    SparseMatrix<T, J> result(x.rows(), columns_of<J>(function, d));
    detail::rows::require_entries(function, rows);

    reserve_products(rows, result);
    std::vector<std::pair<Index, T>> row;  // the non-zeros of a row, ascending by column
    SparseProducts<T> products_of_row;
    for (Index i = 0; i < x.rows(); ++i) {
      row.clear();
      rows.for_each(i, [&](Index j, T value) {
        if (value != T(0)) row.emplace_back(j, value);
      });
      std::sort(row.begin(), row.end());
      multiply_out(row, d, products_of_row);
      const Index start = result.outerIndexPtr()[i];
      for (Index k = constant ? 0 : 1, to = start; k < products_of_row.values.size(); ++k, ++to) {
        const Index j = products_of_row.columns[k] - (constant ? 0 : 1);
        require_product(products_of_row.values[k], i, j);
        result.innerIndexPtr()[to] = static_cast<J>(j);
        result.valuePtr()[to] = products_of_row.values[k];
      }
    }
    return result;
  }

 private:
  static constexpr std::string_view function = "Polynomial::apply";

  /// The result if a count overflows an Index.
  static constexpr Index too_many = std::numeric_limits<Index>::max();

  /// Returns the binomial coefficient of n over k, or too_many.
  static Index choose(Index n, Index k) {
    if (k > n) return 0;
    k = std::min(k, n - k);
    Index result = 1;
    for (Index i = 1; i <= k; ++i) {
      const Index factor = n - k + i;
      if ((result | factor) < Index{1} << (4 * sizeof(Index) - 1)) [[likely]] {  // the product fits
        result = result * factor / i;
        continue;
      }
      // The quotient is an integer: i divides result·factor, so i/gcd(result, i) divides factor.
      const Index common = std::gcd(result, i);
      const Index rest = factor / (i / common);
      if (result / common > too_many / rest) return too_many;
      result = result / common * rest;
    }
    return result;
  }

  /// Returns the number of products of t ≥ 1 factors out of `a` columns, or too_many. With repeated
  /// factors this is the number of subsets of size t of a + t − 1 elements.
  Index of_degree(Index a, Index t) const { return choose(interactions_only ? a : a + (t - 1), t); }

  /// Returns the number of columns for d features, or too_many: for d > 2³² already at the second
  /// degree, before d + t can overflow.
  Index width_of(Index d) const {
    Index sum = constant ? 1 : 0;
    for (Index t = 1; t <= degree; ++t) {
      const Index more = of_degree(d, t);
      if (more == 0) break;
      if (more >= too_many - sum) return too_many;
      sum += more;
    }
    return sum;
  }

  /// Calls f(t, entry, from, count, to) for each degree t and, within a degree, for each entry of a
  /// row, both in ascending order. The products to, to + 1, … of degree t are the entry times the
  /// `count` products from, from + 1, … of degree t − 1: those whose first factor is a later entry
  /// or, unless interactions_only, the entry itself, which are the last of their degree. Product 0
  /// is the constant. When f is called for entry j, first[j] is the index of the first product of
  /// degree t − 1 whose first factor is entry j or a later entry.
  ///
  /// Of the products of degree t of d columns, of_degree(d − 1 − j, t) follow those that begin with
  /// column j. So multiplication by an entry of column j increases the column of a product of
  /// degree t − 1 by of_degree(d, t) − of_degree(d − 1 − j, t).
  template <class F>
  void for_each_block(Index entries, F&& f) const {
    std::vector<Index> first(static_cast<std::size_t>(entries) + 1, 0);  // described above
    Index end = 1;
    for (Index t = 1; t <= degree; ++t) {
      const Index end_below = end;
      for (std::size_t j = 0; j + 1 < first.size(); ++j) {
        const Index from = first[interactions_only ? j + 1 : j];
        first[j] = end;
        f(t, static_cast<Index>(j), from, end_below - from, end);
        end += end_below - from;
      }
      if (end == end_below) break;
      first.back() = end;
    }
  }

  /// The products of the non-zeros of a row. The first product is always the constant, as column 0.
  template <class T>
  struct SparseProducts {
    Vector<Index> columns;
    Vector<T> values;
  };

  /// Allocates `result` for the products of all rows, and sets the starts of its rows.
  template <class Rows, class T, class J>
  void reserve_products(const Rows& rows, SparseMatrix<T, J>& result) const {
    constexpr Index most = std::numeric_limits<J>::max();
    Index stored = 0;
    for (Index i = 0; i < rows.rows(); ++i) {
      Index entries = 0;
      rows.for_each(i, [&](Index, T value) { entries += value != T(0); });
      const Index more = width_of(entries);
      require(more <= most - stored, function, ": rows 0 to ", i, " have more than ", most,
              " products of non-zeros, which the index type of x cannot count");
      stored += more;
      result.outerIndexPtr()[i + 1] = static_cast<J>(stored);
    }
    result.resizeNonZeros(stored);
  }

  /// Computes all products of the non-zeros of a row of d columns.
  template <class T>
  void multiply_out(const std::vector<std::pair<Index, T>>& row, Index d,
                    SparseProducts<T>& all) const {
    const auto entries = static_cast<Index>(row.size());
    const Index size = width_of(entries) + (constant ? 0 : 1);
    all.columns.setZero(size);
    all.values.setOnes(size);
    for_each_block(entries, [&](Index t, Index entry, Index from, Index count, Index to) {
      const auto [j, value] = row[static_cast<std::size_t>(entry)];
      const Index further = of_degree(d, t) - of_degree(d - 1 - j, t);
      for (Index k = 0; k < count; ++k) {
        all.columns[to + k] = all.columns[from + k] + further;
        all.values[to + k] = value * all.values[from + k];
      }
    });
  }

  template <class J>
  Index columns_of(std::string_view caller, Index d) const {
    constexpr Index most = std::numeric_limits<J>::max();
    require(degree >= 0, caller, ": degree ", degree);
    require(d >= 0, caller, ": ", d, " features");
    const Index width = width_of(d);
    require(width <= most && width < too_many, caller, ": ", d, " features to degree ", degree,
            " make ", width == too_many ? "at least " : "", width, " columns, but indices of ",
            8 * sizeof(J), " bits count to ", most,
            sizeof(J) < sizeof(Index) ? ": use a SparseMatrix<T, std::int64_t>" : "");
    return width;
  }

  template <class T>
  static void require_product(T value, Index i, Index j) {
    detail::require_in_range(function, static_cast<double>(value), "row ", i, ", column ", j,
                             " of the products");
  }
};

}  // namespace linea
