// SPDX-License-Identifier: MIT
/// \file The naive objective against values worked out by hand, and its laws on wrong twins.
#include <cmath>
#include <limits>
#include <linea/losses.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/penalties.hpp>

#include "support/catch.hpp"
#include "support/laws/objective.hpp"

namespace objective_test {

using namespace linea;

namespace {

const Matrix<double> x = (Matrix<double>(3, 2) << 1, 2, 0, -1, 3, 0).finished();
const Vector<double> y = (Vector<double>(3) << 1, -1, 1).finished();
const Vector<double> w = (Vector<double>(2) << 0.5, -1).finished();

template <class O>
bool breaks(const char* law, const O& objective, const check::ObjectiveOptions& options = {}) {
  for (const check::Violation& violation : check::objective(objective, x, y, options))
    if (violation.law == law) return true;
  return false;
}

struct Saturating : Squared {
  template <class T>
  T value(T p, T t) const {
    return std::log1p((p - t) * (p - t));
  }
  template <class T>
  T derivative(T p, T t) const {
    return 2 * (p - t) / (1 + (p - t) * (p - t));
  }
};

struct WrongDerivative : Hinge {
  double factor{1};
  double offset{0};
  template <class T>
  T derivative(T p, T t) const {
    return T(factor) * Hinge::derivative(p, t) + T(offset);
  }
};

struct Counting : Squared {
  mutable int calls{0};
  template <class T>
  T value(T p, T t) const {
    return Squared::value(p, t) + static_cast<T>(++calls);
  }
};

}  // namespace

TEST_CASE("check::objective_value: is the weighted mean of the losses plus the penalty",
          "[check]") {
  // Scores with b = 0.25 are −1.25, 1.25 and 1.75, hinge losses 2.25, 2.25 and 0; ‖w‖² = 1.25.
  const Objective hinge{Hinge{}, L2{0.8}};
  CHECK(check::objective_value(hinge, x, y, w, 0.25) == 2.0);
  const Vector<double> weights = (Vector<double>(3) << 1, 0, 3).finished();
  CHECK(check::objective_value(hinge, x, y, w, 0.25, weights) == 1.0625);
  CHECK_THAT(check::objective_value(hinge, x, y, w, 0.25, 0.3 * weights), WithinRel(1.0625, 1e-15));
  // A sample of weight 0 does not count, not even where its loss is infinite.
  const Matrix<double> far = (Matrix<double>(3, 2) << 1, 2, 1e300, 0, 3, 0).finished();
  CHECK(check::objective_value(Objective{Squared{}, NoPenalty{}}, far, y, w, 0, weights) ==
        (3.125 + 3 * 0.125) / 4);
  // The offset is not penalised.
  CHECK(check::objective_value(Objective{ZeroOne{}, L1{1}}, x, y, Vector<double>::Zero(2), 7) ==
        1.0 / 3);
}

TEST_CASE(
    "check::objective_value: takes float, sparse and column-major samples and integer targets",
    "[check]") {
  const Objective hinge{Hinge{}, L2{0.8}};
  const Eigen::MatrixXf columns = x.cast<float>();
  const SparseMatrix<float> sparse = columns.sparseView();
  const Eigen::VectorXi whole = y.cast<int>();
  CHECK(check::objective_value(hinge, columns, whole, w, 0.25) == 2.0);
  CHECK(check::objective_value(hinge, sparse, whole, w, 0.25) == 2.0);
  CHECK(check::objective(hinge, sparse, whole) == std::vector<check::Violation>{});
}

TEST_CASE("check::objective_value: refuses what does not fit together", "[check]") {
  const Objective hinge{Hinge{}, NoPenalty{}};
  const auto value = [&](Index rows, Index columns, const Vector<double>& weights) {
    return check::objective_value(hinge, x, y.head(rows), Vector<double>::Zero(columns), 0,
                                  weights);
  };
  CHECK_THROWS_WITH(value(2, 2, {}), "check::objective_value: x has 3 rows and y has 2");
  CHECK_THROWS_WITH(value(3, 4, {}),
                    "check::objective_value: x has 2 columns but there are 4 weights");
  CHECK_THROWS_WITH(value(3, 2, Vector<double>::Ones(2)),
                    "check::objective_value: 2 sample weights for 3 samples");
  CHECK_THROWS_WITH(value(3, 2, -Vector<double>::Ones(3)),
                    "check::objective_value: sample weight 0 is -1");
  CHECK_THROWS_WITH(value(3, 2, Vector<double>::Zero(3)),
                    "check::objective_value: the sample weights add up to 0");
}

TEST_CASE("check::objective: the laws hold for every kind of loss and penalty", "[check]") {
  const auto none = std::vector<check::Violation>{};
  CHECK(check::objective(Objective{Hinge{}, L2{0.1}}, x, y) == none);
  CHECK(check::objective(Objective{Log{}, L1{0.1}}, x, y) == none);
  CHECK(check::objective(Objective{Absolute{}, NoPenalty{}}, x, y) == none);
  CHECK(check::objective(Objective{Quantile{0.9}, ElasticNet{0.1, 0.2}}, x, y) == none);
  CHECK(check::objective(Objective{Saturating{}, L2{0.1}}, x, y, {.convex = false}) == none);
  CHECK(check::objective(Objective{ZeroOne{}, L2{0.1}}, x, y, {.convex = false}) == none);
}

TEST_CASE("check::objective: fails on an objective that is not convex", "[check]") {
  CHECK(breaks("objective_is_convex", Objective{Saturating{}, NoPenalty{}}));
  CHECK_FALSE(
      breaks("objective_is_convex", Objective{Saturating{}, NoPenalty{}}, {.convex = false}));
}

TEST_CASE("check::objective: fails on a gradient that is not that of the objective", "[check]") {
  WrongDerivative wrong;
  CHECK_FALSE(breaks("gradient_matches_objective", Objective{wrong, L2{0.1}}));
  for (const double factor : {-1.0, 2.0, 1.01}) {
    wrong.factor = factor;
    CHECK(breaks("gradient_matches_objective", Objective{wrong, L2{0.1}}));
  }
  wrong.factor = 1;
  wrong.offset = 0.01;
  CHECK(breaks("gradient_matches_objective", Objective{wrong, NoPenalty{}}));
}

TEST_CASE("check::objective: fails on a loss that does not answer alike every time", "[check]") {
  CHECK(breaks("weights_are_repeats", Objective{Counting{}, NoPenalty{}}));
}

}  // namespace objective_test
