// SPDX-License-Identifier: MIT
/// \file Every property check of a loss detects a loss that violates it, and accepts unusual but
/// valid losses.
#include <cmath>
#include <linea/activations.hpp>
#include <linea/check/loss.hpp>
#include <linea/losses.hpp>

#include "support/catch.hpp"
#include "support/constants.hpp"

namespace loss_test {

using namespace linea;
using namespace linea::test;

/// A user's loss without a name, in a namespace other than linea.
struct Nameless {
  template <class T>
  T value(T p, T y) const {
    return (p - y) * (p - y);
  }
  bool is_valid() const { return false; }
};

namespace {

const std::vector<double> signs{-1, 1};
const std::vector<double> numbers{-2, 0, 0.7};

/// log(1 + r²): a smooth loss that is not convex, with ℓ″ between −¼ and 2.
struct Cauchy {
  template <class T>
  T value(T p, T y) const {
    return std::log1p((p - y) * (p - y));
  }
  template <class T>
  T derivative(T p, T y) const {
    return 2 * (p - y) / (1 + (p - y) * (p - y));
  }
  template <class T>
  T second_derivative(T p, T y) const {
    const T square = (p - y) * (p - y);
    return 2 * (1 - square) / ((1 + square) * (1 + square));
  }
  double curvature_bound() const { return 2; }
};

/// min(|r|, 1): a loss with kinks that is not convex.
struct CappedAbsolute {
  static constexpr bool is_smooth = false;
  template <class T>
  T value(T p, T y) const {
    return std::abs(p - y) > 1 ? p * 0 + 1 : std::abs(p - y);
  }
  template <class T>
  T derivative(T p, T y) const {
    return std::abs(p - y) >= 1 || p == y ? T(0) : (p > y ? T(1) : T(-1));
  }
};

/// exp(p) − y·p for counts y. Its curvature is unbounded, and in double its value overflows from p
/// = 710.
struct LogLinear {
  static constexpr std::string_view targets = "a count";
  template <class T>
  T value(T p, T y) const {
    return std::exp(p) - y * p;
  }
  template <class T>
  T derivative(T p, T y) const {
    return std::exp(p) - y;
  }
  template <class T>
  T second_derivative(T p, T) const {
    return std::exp(p);
  }
  bool is_valid_target(double y) const { return y >= 0 && y == std::floor(y); }
};

/// `Right`, but with the derivative factor·ℓ′ + offset.
template <class Right>
struct WrongDerivative : Right {
  double factor{1};
  double offset{0};
  template <class T>
  T derivative(T p, T y) const {
    return T(factor) * Right::derivative(p, y) + T(offset);
  }
};

template <class Right>
WrongDerivative<Right> wrong_derivative(double factor, double offset) {
  return {{}, factor, offset};
}

/// Does check::loss report a violation of the property named `law`?
template <class L>
bool breaks(const char* law, const L& loss, const std::vector<double>& targets,
            const check::LossOptions& options = {}) {
  for (const check::Violation& violation : check::loss(loss, targets, options))
    if (violation.law == law) return true;
  return false;
}

const check::LossOptions not_convex{.convex = false};

struct HidesNan : Hinge {
  template <class T>
  T value(T p, T y) const {
    return std::max(T(0), 1 - y * p);
  }
};

struct MakesNan : Hinge {
  template <class T>
  T value(T p, T y) const {
    return p == 0 ? T(not_a_number) : Hinge::value(p, y);
  }
};

struct WrongAtTheKink : Hinge {
  double choice{0};
  template <class T>
  T derivative(T p, T y) const {
    return y * p == 1 ? T(choice) * y : Hinge::derivative(p, y);
  }
};

struct KinkedButCurved : Hinge {
  template <class T>
  T second_derivative(T, T) const {
    return T(0);
  }
};

/// |r|, without the declaration that it has a kink.
struct SilentKink {
  template <class T>
  T value(T p, T y) const {
    return std::abs(p - y);
  }
  template <class T>
  T derivative(T p, T y) const {
    return T((p > y) - (p < y));
  }
};

struct WrongCurvature : Log {
  double factor{1};
  template <class T>
  T second_derivative(T p, T y) const {
    return T(factor) * Log::second_derivative(p, y);
  }
};

struct WrongBound : Log {
  double bound{0.25};
  double curvature_bound() const { return bound; }
};

struct BoundWithoutSecondDerivative {
  double bound{1};
  double value(double p, double y) const { return (p - y) * (p - y) / 2; }
  double derivative(double p, double y) const { return p - y; }
  double curvature_bound() const { return bound; }
};

struct HalfStep : Squared {
  template <class T>
  T proximal(T v, T y, T s) const {
    return Squared::proximal(v, y, s / 2);
  }
};

template <class Right>
struct WrongConjugate : Right {
  double factor{1};
  double offset{0};
  bool everywhere{false};
  template <class T>
  T conjugate(T u, T y) const {
    const T right = Right::conjugate(u, y);
    if (everywhere && std::isinf(right)) return u * y;
    return T(factor) * right + T(offset);
  }
};

struct NaiveLog : Log {
  template <class T>
  T value(T p, T y) const {
    return std::log(1 + std::exp(-y * p));
  }
};

struct CoarseInFloat : Squared {
  template <class T>
  T derivative(T p, T y) const {
    return p - y + (sizeof(T) < 8 ? T(1e-4) : T(0)) * p;
  }
};

struct Silent {
  template <class T>
  T value(T p, T y) const {
    return (p - y) * (p - y) / 2;
  }
  template <class T>
  T derivative(T p, T y) const {
    return p - y;
  }
};

struct WithConjugate : Silent {
  double conjugate(double u, double y) const { return u * y + u * u / 2; }
};

struct WithProximal : Silent {
  double proximal(double v, double y, double s) const { return (v + s * y) / (1 + s); }
};

/// A loss whose three declarations are false: min(|p − 1.5y|, 2).
struct Boaster {
  static constexpr bool is_convex = true;
  static constexpr bool is_smooth = true;
  static constexpr bool is_of_residual = true;
  template <class T>
  T value(T p, T y) const {
    return std::min(std::abs(p - T(1.5) * y), T(2));
  }
  template <class T>
  T derivative(T p, T y) const {
    const T r = p - T(1.5) * y;
    return std::abs(r) > T(2) || r == T(0) ? T(0) : r > T(0) ? T(1) : T(-1);
  }
};

}  // namespace

// Compares the declarations of losses, and the defaults for losses without declarations.
static_assert(!is_convex_loss<Silent> && is_convex_loss<WithConjugate>);
static_assert(KinklessLoss<Silent> && KinklessLoss<WithProximal>);
static_assert(is_convex_loss<Hinge> && !is_smooth_loss<Hinge> && !KinklessLoss<Hinge>);
static_assert(!KinklessLoss<Absolute> && !KinklessLoss<Quantile> && KinklessLoss<Huber>);
static_assert(!is_convex_loss<ZeroOne> && !KinklessLoss<ZeroOne>);
static_assert(is_residual_loss<Squared> && is_residual_loss<Huber> && !is_residual_loss<Hinge>);
static_assert(!is_residual_loss<Silent> && !is_residual_loss<Composed<Squared, Tanh>>);
static_assert(is_convex_loss<SigmoidCrossEntropy> && KinklessLoss<SigmoidCrossEntropy>);
static_assert(is_convex_loss<Composed<Poisson, Exponential>>);
static_assert(!is_convex_loss<Composed<Poisson, Sigmoid>>);
static_assert(!is_convex_loss<Composed<Squared, Tanh>> && KinklessLoss<Composed<Squared, Tanh>>);
static_assert(is_convex_loss<Composed<Absolute, Identity>>);
static_assert(!KinklessLoss<Composed<Absolute, Sigmoid>>);

TEST_CASE("check::loss: accepts valid losses, convex or not", "[check]") {
  CHECK(check::loss(Cauchy{}, numbers, not_convex) == std::vector<check::Violation>{});
  CHECK(check::loss(CappedAbsolute{}, numbers, not_convex) == std::vector<check::Violation>{});
  CHECK(check::loss(Silent{}, {0, 1}) == std::vector<check::Violation>{});
  // LogLinear is infinite at the scores of about 1000, which the check skips.
  check::LossOptions far;
  far.scores.push_back(1000);
  CHECK(check::loss(LogLinear{}, {0, 1, 7}, far) == std::vector<check::Violation>{});
  // At a kink, every value between the one-sided derivatives is valid.
  for (const double choice : {0.0, -0.5, -1.0})
    CHECK(check::loss(WrongAtTheKink{{}, choice}, signs) == std::vector<check::Violation>{});
  CHECK(check::loss(WrongCurvature{}, signs) == std::vector<check::Violation>{});
  CHECK_FALSE(breaks("curvature_bound_holds", BoundWithoutSecondDerivative{}, numbers));
  CHECK_FALSE(breaks("fenchel_young", WrongConjugate<Log>{}, signs));
  CHECK_FALSE(breaks("fenchel_young", WrongConjugate<Hinge>{}, signs));
}

TEST_CASE("check::loss: each property detects a loss that violates it", "[check]") {
  CHECK(breaks("nan_in_nan_out", HidesNan{}, signs));
  CHECK(breaks("nan_in_nan_out", MakesNan{}, signs));
  CHECK(breaks("derivative_matches_value", wrong_derivative<Squared>(1.01, 0), numbers));
  CHECK(breaks("derivative_matches_value", wrong_derivative<Hinge>(1, -1e-4), signs));
  CHECK(breaks("is_convex", CappedAbsolute{}, numbers));
  CHECK(breaks("subgradient_inequality", WrongAtTheKink{{}, 1e-6}, signs));
  CHECK(breaks("derivative_matches_value", WrongAtTheKink{{}, not_a_number}, signs));
  CHECK(breaks("second_derivative_matches_derivative", WrongCurvature{{}, 0.99}, signs));
  CHECK(breaks("second_derivative_matches_derivative", KinkedButCurved{}, signs));
  CHECK(breaks("is_smooth", SilentKink{}, numbers));
  for (const double bound : {0.249, not_a_number})
    CHECK(breaks("curvature_bound_holds", WrongBound{{}, bound}, signs));
  CHECK(breaks("curvature_bound_holds", BoundWithoutSecondDerivative{.bound = 0.999}, numbers));
  CHECK(breaks("curvature_bound_holds", WrongCurvature{{}, 1.001}, signs));
  CHECK(breaks("proximal_is_optimal", HalfStep{}, numbers));
  CHECK(breaks("fenchel_young", WrongConjugate<Log>{{}, 1, 1e-6}, signs));
  CHECK(breaks("fenchel_young", WrongConjugate<Hinge>{{}, 1, 0, true}, signs));
  CHECK(breaks("float_agrees_with_double", NaiveLog{}, signs));
  CHECK(breaks("float_agrees_with_double", CoarseInFloat{}, numbers));
  CHECK(breaks("is_valid", Huber{-1}, numbers));
}

TEST_CASE("check::loss: verifies the facts that a loss states", "[check]") {
  std::vector<std::string> broken;
  for (const auto& violation : check::loss(Boaster{}, {0, 1}, not_convex))
    broken.push_back(violation.law);
  CHECK(broken == std::vector<std::string>{"is_of_residual", "is_convex", "subgradient_inequality",
                                           "is_smooth"});
}

TEST_CASE("check: a violation names the property, the loss, the target, the score and both numbers",
          "[check]") {
  const auto found = check::loss(wrong_derivative<Squared>(2, 0), {0.5});
  REQUIRE(found.size() >= 2);
  CHECK(found[0].law == "derivative_matches_value");
  CHECK(found[0].message ==
        "squared with target 0.5: from score -100 to -100.01220703125 the slope is "
        "-100.506103515625, the derivative between -201.0244140625 and -201");
  CHECK(found[1].law == "subgradient_inequality");
  const auto nameless = check::loss(Nameless{}, {1});
  REQUIRE(nameless.size() == 1);
  CHECK(nameless[0].message == "the loss calls its own parameters not valid");
}

TEST_CASE("check: refuses to check a loss without targets or with invalid ones", "[check]") {
  CHECK_THROWS_WITH(check::loss(Hinge{}, {}), "check::loss: given 0 targets and 39 scores");
  CHECK_THROWS_WITH(check::loss(Hinge{}, {1, 0.5}),
                    "check::loss: hinge takes -1 or +1 as target, not 0.5");
  CHECK_THROWS_AS(check::loss(LogLinear{}, {0.5}), std::invalid_argument);
}

}  // namespace loss_test
