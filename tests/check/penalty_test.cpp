// SPDX-License-Identifier: MIT
/// \file Every law of a penalty fails on a penalty that breaks it.
#include <algorithm>
#include <cmath>
#include <limits>
#include <linea/check/penalty.hpp>
#include <linea/penalties.hpp>

#include "support/catch.hpp"

namespace penalty_test {

using namespace linea;

namespace {

template <class P>
bool breaks(const char* law, const P& penalty, const check::PenaltyOptions& options = {}) {
  for (const check::Violation& violation : check::penalty(penalty, options))
    if (violation.law == law) return true;
  return false;
}

struct NotZero : L2 {
  template <class W>
  typename W::Scalar value(const Eigen::MatrixBase<W>& w) const {
    return L2::value(w) + 1;
  }
};

struct Negative : NoPenalty {
  template <class W>
  typename W::Scalar value(const Eigen::MatrixBase<W>& w) const {
    return -w.squaredNorm();
  }
};

struct Joined : NoPenalty {
  template <class W>
  typename W::Scalar value(const Eigen::MatrixBase<W>& w) const {
    return w.norm();
  }
};

struct WrongL2 : L2 {
  double proximal_factor{1};
  double decay_factor{1};
  double claim_factor{1};
  template <class T>
  T proximal(T v, T s) const {
    return L2::proximal(v, T(proximal_factor) * s);
  }
  template <class T>
  T decay(T s) const {
    return L2::decay(T(decay_factor) * s);
  }
  double strong_convexity() const { return claim_factor * lambda; }
};

WrongL2 wrong_l2(double proximal_factor, double decay_factor, double claim_factor) {
  return {{.lambda = 1e-3}, proximal_factor, decay_factor, claim_factor};
}

struct WrongThreshold : L1 {
  template <class T>
  T threshold(T s) const {
    return 2 * L1::threshold(s);
  }
};

struct NoThreshold {
  template <class W>
  typename W::Scalar value(const Eigen::MatrixBase<W>& w) const {
    return w.cwiseAbs().sum();
  }
  template <class T>
  T proximal(T v, T s) const {
    return soft_threshold(v, s);
  }
  template <class T>
  T decay(T) const {
    return T(1);
  }
};

struct HardThreshold : L1 {
  template <class T>
  T proximal(T v, T s) const {
    return std::abs(v) > T(lambda) * s ? v : T(0);
  }
};

struct CoarseInFloat : L2 {
  template <class T>
  T decay(T s) const {
    return L2::decay(s) * (sizeof(T) < 8 ? T(0.999) : T(1));
  }
};

struct WrongConjugate : ElasticNet {
  double factor{1};
  double narrower{1};
  template <class T>
  T conjugate(T v) const {
    if (std::abs(v) > T(narrower)) return std::numeric_limits<T>::infinity();
    return T(factor) * ElasticNet::conjugate(v);
  }
};

/// Minimax concave penalty with λ = 1, γ = 3: right, and not convex. Zhang (2010).
struct Concave {
  template <class W>
  typename W::Scalar value(const Eigen::MatrixBase<W>& w) const {
    typename W::Scalar sum(0);
    for (Index j = 0; j < w.size(); ++j) {
      const auto size = std::abs(w.derived().coeff(j));
      sum += size <= 3 ? size - size * size / 6 : decltype(size)(1.5);
    }
    return sum;
  }
  template <class T>
  T proximal(T v, T s) const {
    const auto cost = [&](T u) {
      return value(Vector<T>::Constant(1, u)) + (u - v) * (u - v) / (2 * s);
    };
    T best = 0;
    if (cost(v) < cost(best)) best = v;
    if (const T inner = soft_threshold(v, s) / (1 - s / 3);
        s < 3 && std::abs(inner) <= 3 && cost(inner) < cost(best))
      best = inner;
    return best;
  }
};

}  // namespace

TEST_CASE("check::penalty: fails where the penalty of 0 is not 0 or one is negative", "[check]") {
  CHECK(breaks("penalty_is_nonnegative", NotZero{}));
  CHECK(breaks("penalty_is_nonnegative", Negative{}));
  CHECK_FALSE(check::penalty_is_nonnegative(L2{1}));
}

TEST_CASE("check::penalty: fails on a penalty that is no sum over the weights", "[check]") {
  CHECK(breaks("penalty_is_separable", Joined{}));
}

TEST_CASE("check::penalty: fails on a proximal step that is not optimal", "[check]") {
  for (const double factor : {2.0, 0.5, 1.01, 0.0})
    CHECK(breaks("penalty_proximal_is_optimal", wrong_l2(factor, 1, 1)));
  CHECK(breaks("penalty_proximal_is_optimal", HardThreshold{{.lambda = 0.5}}));
  CHECK_FALSE(check::penalty_proximal_is_optimal(wrong_l2(1, 1, 1)));
}

TEST_CASE("check::penalty: fails on a claim of too much strong convexity", "[check]") {
  CHECK(breaks("strong_convexity_holds", wrong_l2(1, 1, 1.01)));
  CHECK(breaks("strong_convexity_holds", wrong_l2(1, 1, -1)));
  CHECK_FALSE(breaks("strong_convexity_holds", wrong_l2(1, 1, 1)));
  CHECK_FALSE(breaks("strong_convexity_holds", wrong_l2(1, 1, 0.5)));
}

TEST_CASE("check::penalty: fails on lazy steps that do not rest at the minimisers", "[check]") {
  for (const double factor : {2.0, 0.5, 1.01, 0.0, -1.0})
    CHECK(breaks("lazy_steps_rest_at_minimisers", wrong_l2(1, factor, 1)));
  CHECK_FALSE(breaks("lazy_steps_rest_at_minimisers", wrong_l2(1, 1, 1)));
  CHECK(breaks("lazy_steps_rest_at_minimisers", WrongThreshold{{.lambda = 1e-3}}));
  CHECK(breaks("lazy_steps_rest_at_minimisers", NoThreshold{}));
}

TEST_CASE("check::penalty: fails on a conjugate that is too large, too small or too seldom finite",
          "[check]") {
  const auto wrong = [](double factor, double narrower) {
    return WrongConjugate{{.l1 = 0.1, .l2 = 1e-2}, factor, narrower};
  };
  constexpr double everywhere = std::numeric_limits<double>::infinity();
  for (const double factor : {0.0, 0.5, 0.99, 1.01, 2.0})
    CHECK(breaks("penalty_fenchel_young", wrong(factor, everywhere)));
  CHECK(breaks("penalty_fenchel_young", wrong(1, 0.1)));
  CHECK_FALSE(breaks("penalty_fenchel_young", wrong(1, everywhere)));
}

TEST_CASE("check::penalty: fails where float does not agree with double", "[check]") {
  CHECK(breaks("penalty_float_agrees_with_double", CoarseInFloat{{.lambda = 0.1}}));
}

TEST_CASE("check::penalty: says so when the strengths are not valid", "[check]") {
  CHECK(breaks("is_valid", L2{-1}));
}

TEST_CASE("check::penalty: finds nothing wrong with a right penalty that is not convex",
          "[check]") {
  CHECK(check::penalty(Concave{}, {.convex = false}) == std::vector<check::Violation>{});
  CHECK(breaks("strong_convexity_holds", Concave{}));
}

}  // namespace penalty_test
