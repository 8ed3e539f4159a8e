// SPDX-License-Identifier: MIT
/// \file Every property check of an activation detects an activation that violates it.
#include <cmath>
#include <linea/activations.hpp>
#include <linea/check/activation.hpp>

#include "support/catch.hpp"

namespace activation_test {

using namespace linea;

namespace {

/// Does check::activation report a violation of the property named `law`?
template <class G>
bool breaks(const char* law, const G& activation, const check::ActivationOptions& options = {}) {
  for (const check::Violation& violation : check::activation(activation, options))
    if (violation.law == law) return true;
  return false;
}

/// max(0, p): it has a kink at 0, where any slope from 0 to 1 is valid.
struct Rectifier {
  double choice{0};
  template <class T>
  T value(T p) const {
    return p < 0 ? T(0) : p;
  }
  template <class T>
  T derivative(T p) const {
    return p == 0 ? T(choice) : (p > 0 ? T(1) : T(0));
  }
};

struct KinkedButCurved : Rectifier {
  template <class T>
  T second_derivative(T) const {
    return T(0);
  }
};

/// `Right`, but with the derivatives factor·g′ + offset and second_factor·g″ + second_offset.
template <class Right>
struct Wrong : Right {
  double factor{1};
  double offset{0};
  double second_factor{1};
  double second_offset{0};
  template <class T>
  T derivative(T p) const {
    return T(factor) * Right::derivative(p) + T(offset);
  }
  template <class T>
  T second_derivative(T p) const {
    return T(second_factor) * Right::second_derivative(p) + T(second_offset);
  }
};

Wrong<Sigmoid> wrong(double factor, double offset, double second_factor, double second_offset) {
  return {{}, factor, offset, second_factor, second_offset};
}

/// HardThreshold with the derivative 0, which is the slope on both sides of its jump.
struct TrainedThreshold : HardThreshold {
  template <class T>
  T derivative(T) const {
    return T(0);
  }
};

struct HidesNan : Sigmoid {
  template <class T>
  T value(T p) const {
    return p < 0 ? 1 - Sigmoid::value(-p) : (p >= 0 ? Sigmoid::value(p) : T(1));
  }
};

/// exp(p)/(1 + exp(p)), which is ∞/∞ from p = 89 in float, and from p = 710 in double.
struct NaiveSigmoid {
  static constexpr std::string_view name = "naive-sigmoid";
  template <class T>
  T value(T p) const {
    return std::exp(p) / (1 + std::exp(p));
  }
};

/// tanh with its derivative computed as 1 − tanh², which suffers from cancellation.
struct CancellingTanh : Tanh {
  template <class T>
  T derivative(T p) const {
    return 1 - std::tanh(p) * std::tanh(p);
  }
};

struct Scaled : Identity {
  bool is_valid() const { return false; }
};

const check::ActivationOptions up_to_hundred = [] {
  check::ActivationOptions options;
  options.scores = {-100, -10, 0, 10, 100};  // exp(100) is finite in double, but not in float
  return options;
}();

}  // namespace

TEST_CASE("check::activation: accepts kinks and activations without a derivative", "[check]") {
  for (const double choice : {0.0, 0.5, 1.0})
    CHECK(check::activation(Rectifier{choice}) == std::vector<check::Violation>{});
  CHECK(check::activation(HardThreshold{}) == std::vector<check::Violation>{});
  check::ActivationOptions beside;
  beside.scores = {-1, 1};
  CHECK_FALSE(breaks("activation_second_derivative_matches_derivative", KinkedButCurved{}, beside));
  CHECK_FALSE(breaks("activation_float_agrees_with_double", Tanh{}, up_to_hundred));
}

TEST_CASE("check::activation: each property detects an activation that violates it", "[check]") {
  CHECK(check::activation(wrong(1, 0, 1, 0)).empty());
  CHECK(breaks("activation_derivative_matches_value", wrong(1.01, 0, 1, 0)));
  CHECK(breaks("activation_derivative_matches_value", wrong(1, 1e-4, 1, 0)));
  CHECK(breaks("activation_second_derivative_matches_derivative", wrong(1, 0, 1.01, 0)));
  CHECK(breaks("activation_second_derivative_matches_derivative", wrong(1, 0, 1, 1e-4)));
  CHECK(breaks("activation_derivative_matches_value", TrainedThreshold{}));
  CHECK(breaks("activation_derivative_matches_value", Rectifier{3.0}));
  CHECK(breaks("activation_second_derivative_matches_derivative", KinkedButCurved{}));
  CHECK(breaks("activation_nan_in_nan_out", HidesNan{}));
  CHECK(breaks("activation_nan_in_nan_out", NaiveSigmoid{}));
  CHECK(breaks("activation_float_agrees_with_double", NaiveSigmoid{}, up_to_hundred));
  CHECK(breaks("activation_float_agrees_with_double", CancellingTanh{}, up_to_hundred));
  CHECK(breaks("is_valid", Scaled{}));
}

TEST_CASE(
    "check::activation: a violation names the property, the activation, the score and both numbers",
    "[check]") {
  const auto found = check::activation(NaiveSigmoid{});
  REQUIRE_FALSE(found.empty());
  CHECK(found[0].law == "activation_nan_in_nan_out");
  CHECK(found[0].message == "naive-sigmoid: the value at score 800 is NaN");
  const auto jump = check::activation(TrainedThreshold{});
  REQUIRE(jump.size() == 1);
  CHECK(jump[0].message ==
        "hard-threshold: from score 0 to -0.0001220703125 the slope is 8192, the derivative "
        "between 0 and 0");
}

}  // namespace activation_test
