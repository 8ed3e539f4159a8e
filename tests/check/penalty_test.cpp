// SPDX-License-Identifier: MIT
/// \file Every property check of a penalty detects a penalty that violates it.
#include <cmath>
#include <linea/check/penalty.hpp>
#include <linea/penalties.hpp>

#include "support/catch.hpp"
#include "support/constants.hpp"

namespace penalty_test {

using namespace linea;
using test::infinity;

namespace {

template <class P>
bool breaks(const char* law, const P& penalty, const check::PenaltyOptions& options = {}) {
  for (const check::Violation& violation : check::penalty(penalty, options))
    if (violation.law == law) return true;
  return false;
}

/// L2 with a wrong value, proximal step, decay, strong convexity or version for float.
struct WrongL2 : L2 {
  double proximal_factor{1};
  double decay_factor{1};
  double claim_factor{1};
  double constant{0};
  bool is_coarse{false};
  template <class W>
  typename W::Scalar value(const Eigen::MatrixBase<W>& w) const {
    return L2::value(w) + typename W::Scalar(constant);
  }
  template <class T>
  T proximal(T v, T s) const {
    return L2::proximal(v, T(proximal_factor) * s);
  }
  template <class T>
  T decay(T s) const {
    return L2::decay(T(decay_factor) * s) * (is_coarse && sizeof(T) < 8 ? T(0.999) : T(1));
  }
  double strong_convexity() const { return claim_factor * lambda; }
};

WrongL2 wrong_l2(double proximal_factor, double decay_factor, double claim_factor) {
  return {{.lambda = 1e-3}, proximal_factor, decay_factor, claim_factor};
}

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

struct WrongConjugate : ElasticNet {
  double factor{1};
  double narrower{infinity};
  template <class T>
  T conjugate(T v) const {
    return std::abs(v) > T(narrower) ? T(infinity) : T(factor) * ElasticNet::conjugate(v);
  }
};

/// The minimax concave penalty (Zhang, 2010) with λ = 1 and γ = 3: valid, but not convex.
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

/// L2 with a square in the conjugate that may underflow or overflow, and other wrong multiples.
struct WrongMultiple : L2 {
  double factor{1};
  bool squares{false};
  WrongMultiple scaled(double f) const { return {L2::scaled(f * factor), factor, squares}; }
  template <class T>
  T conjugate(T v) const {
    return squares ? v * v / (2 * T(lambda)) : L2::conjugate(v);
  }
};

}  // namespace

TEST_CASE("check::penalty: accepts valid penalties, convex or not", "[check]") {
  CHECK(check::penalty(wrong_l2(1, 1, 1)) == std::vector<check::Violation>{});
  CHECK(check::penalty(wrong_l2(1, 1, 0.5)) == std::vector<check::Violation>{});
  CHECK(check::penalty(WrongConjugate{{.l1 = 0.1, .l2 = 1e-2}}) == std::vector<check::Violation>{});
  CHECK(check::penalty(Concave{}, {.convex = false}) == std::vector<check::Violation>{});
}

TEST_CASE("check::penalty: each property detects a penalty that violates it", "[check]") {
  WrongL2 not_zero;
  not_zero.constant = 1;
  CHECK(breaks("penalty_is_nonnegative", not_zero));
  CHECK(breaks("penalty_is_nonnegative", Negative{}));
  CHECK(breaks("penalty_is_separable", Joined{}));
  CHECK(breaks("penalty_proximal_is_optimal", wrong_l2(1.01, 1, 1)));
  CHECK(breaks("lazy_steps_rest_at_minimisers", wrong_l2(1, 1.01, 1)));
  CHECK(breaks("lazy_steps_rest_at_minimisers", WrongThreshold{{.lambda = 1e-3}}));
  CHECK(breaks("lazy_steps_rest_at_minimisers", NoThreshold{}));
  CHECK(breaks("strong_convexity_holds", wrong_l2(1, 1, 1.01)));
  CHECK(breaks("strong_convexity_holds", Concave{}));
  CHECK(breaks("penalty_fenchel_young", WrongConjugate{{.l1 = 0.1, .l2 = 1e-2}, 1.01}));
  CHECK(breaks("penalty_fenchel_young", WrongConjugate{{.l1 = 0.1, .l2 = 1e-2}, 1, 0.1}));
  CHECK_FALSE(breaks("scaled_is_a_multiple", WrongMultiple{{0.1}}));
  CHECK(breaks("scaled_is_a_multiple", WrongMultiple{{0.1}, 1.01}));
  CHECK(breaks("scaled_is_a_multiple", WrongMultiple{{0.1}, 1, true}));
  WrongL2 coarse{{.lambda = 0.1}};
  coarse.is_coarse = true;
  CHECK(breaks("penalty_float_agrees_with_double", coarse));
  CHECK(breaks("is_valid", L2{-1}));
}

}  // namespace penalty_test
