// SPDX-License-Identifier: MIT
#pragma once
/// \file A penalty with a factor for each column, and a column of fixed offsets.
#include <cmath>  // isfinite
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/core/parameters.hpp>
#include <linea/core/penalty.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <string>
#include <string_view>

namespace linea {

/// The penalty Ω(w) = Σⱼ fⱼ·Ω₁(wⱼ) with a factor fⱼ for each column: PenaltyFactors{L1{0.1},
/// factors}. Unlike `penalty.factor` of glmnet, the factors are not scaled to a sum of d. A column
/// of factor 0 is not penalised; then there is no duality gap, and CoordinateDescent, Newton and
/// Lbfgs end with Status::settled. Newton and Lbfgs take the factors of L2 and of NoPenalty.
///
/// A column of x may hold a fixed offset for each sample, which is added to the score of the
/// sample: PenaltyFactors<L2>{.penalty = {0.1}, .offset_column = 4} holds the weight of column 4 at
/// 1. The samples in a call of `predict` then need this column, too. WithOffsetColumn does the same
/// for recipes.
template <ScalablePenalty P>
  requires(!ColumnPenalty<P>)
struct PenaltyFactors {
  P penalty{};               ///< Ω₁, a sum over the weights
  Vector<double> factors{};  ///< f (d), finite and ≥ 0; empty: all 1
  Index offset_column{-1};   ///< the column of offsets, −1 for none

  static constexpr std::string_view name = "penalty-factors";

  /// The penalty of one column: fⱼ·Ω₁, or a constraint that holds the weight at 1.
  struct OfColumn {
    P penalty{};
    bool is_held{false};

    template <class W>
    typename W::Scalar value(const Eigen::MatrixBase<W>& w) const {
      using T = typename W::Scalar;
      if (!is_held) return penalty.value(w);
      return (w.array() == 1).all() ? T(0) : std::numeric_limits<T>::infinity();
    }

    template <class T>
    constexpr T proximal(T v, T step) const {
      return is_held ? T(1) : penalty.proximal(v, step);
    }

    constexpr double strong_convexity() const { return is_held ? 0 : strong_convexity_of(penalty); }

    template <class T>
    constexpr T threshold(T step) const requires requires(const P& p) {
      p.threshold(step);
    }
    { return is_held ? T(0) : penalty.threshold(step); }

    /// Returns v if the weight is held at 1.
    template <class T>
    constexpr T conjugate(T v) const requires ConjugatePenalty<P> {
      return is_held ? v : penalty.conjugate(v);
    }
  };

  OfColumn column(Index j) const {
    return {factors.size() > 0 ? penalty.scaled(factors[j]) : penalty, j == offset_column};
  }

  SquaredTerm squared_term(Index d) const requires SquaredPenalty<P> {
    SquaredTerm term{strong_convexity_of(penalty)};
    if (factors.size() == 0 && offset_column < 0) return term;
    term.factors = factors.size() > 0 ? factors : detail::filled(d, 1.0);
    term.held = offset_column;
    if (term.held >= 0) term.factors[term.held] = 0;
    return term;
  }

  template <class W>
  typename W::Scalar value(const Eigen::MatrixBase<W>& w) const {
    typename W::Scalar sum{0};
    for (Index j = 0; j < w.size(); ++j) sum += column(j).value(w.segment(j, 1));
    return sum;
  }

  void validate(std::string_view function, Index d) const {
    detail::require_valid_penalty(function, penalty, d);
    require(factors.size() == 0 || factors.size() == d, function, ": ", factors.size(),
            " penalty factors for ", d, " features");
    for (Index j = 0; j < factors.size(); ++j)
      require(std::isfinite(factors[j]) && factors[j] >= 0, function, ": penalty factor ", j,
              " is ", factors[j], ", but must be finite and >= 0");
    const Vector<double> one = Vector<double>::Ones(1);
    for (Index j = 0; j < factors.size(); ++j)
      if (!std::isfinite(penalty.scaled(factors[j]).value(one)) &&
          std::isfinite(penalty.value(one)))
        refuse(function, ": penalty factor ", j, " = ", factors[j], " times the penalty (",
               parameters(), ") overflows; choose a smaller factor or strength");
    require(offset_column >= -1 && offset_column < d, function, ": offset_column = ", offset_column,
            " of ", d, " features");
  }
  std::string parameters() const { return detail::described(penalty); }
};

template <ScalablePenalty P>
PenaltyFactors(P, Vector<double>) -> PenaltyFactors<P>;

}  // namespace linea
