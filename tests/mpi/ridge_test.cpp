// SPDX-License-Identifier: MIT
/// \file Ridge on rows divided among processes, compared with all rows on one process.
#include <linea/optimizers/ridge.hpp>

#include "mpi/divided.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"
#include "support/synthetic.hpp"

namespace mpi_ridge_test {

using namespace linea;
using namespace divided;

namespace {

template <class X>
void agrees(double lambda, bool offset, const Problem<X>& problem, double tolerance = 1e-9) {
  const Objective objective{Squared{}, L2{lambda}};
  const auto [alone, shared] = alone_and_shared(Ridge{.offset = offset}, objective, problem);
  REQUIRE(shared.status == Status::converged);
  REQUIRE_THAT(shared.objective, WithinRel(alone.objective, 1e-9));
  REQUIRE((shared.weights - alone.weights).norm() <= tolerance * alone.weights.norm());
  if (!alone.dual) REQUIRE(shared.rank == alone.rank);
}

}  // namespace

TEST_CASE("Ridge: divided rows have the weights of all rows") {
  const auto [x, signs] = made_up(97, 6);
  const auto y = made_up_numbers(x);
  for (const auto division : {Division::even, Division::last_empty, Division::by_target})
    for (const bool offset : {false, true}) {
      agrees(1e-2, offset, divide(x, y, {}, division));
      agrees(1e-2, offset, divide(x, y, made_up_weights(97), division));
    }
  agrees(0, true, divide(SparseMatrix<double>(x.sparseView()), y, {}, Division::even));
}

TEST_CASE("Ridge: columns far from 0, and dependent columns") {
  auto [x, signs] = made_up(97, 6, 1e5);
  const auto y = made_up_numbers(x);
  agrees(1e-3, true, divide(x, y, {}, Division::even), 1e-7);
  x.col(0) = x.col(1) - 2 * x.col(2);
  agrees(0, true, divide(x, y, {}, Division::even), 1e-7);
}

TEST_CASE("Ridge: converged is within 1e-6, however far from 0 the columns are") {
  for (const double far : {1e7, 1e9, 1e11, 1e12}) {
    CAPTURE(far);
    const auto [x, signs] = made_up(400, 4, far);
    Vector<double> y = 1e-3 * signs;
    y.array() += 0.3 * (x.col(0).array() - far);
    const auto [alone, shared] =
        alone_and_shared(Ridge{}, Objective{Squared{}, L2{1e-6}}, divide(x, y, {}, Division::even));
    if (shared.status == Status::converged)
      REQUIRE(shared.objective <= alone.objective * (1 + 2e-6));
    else
      REQUIRE(far >= 1e9);
  }
}

TEST_CASE("Ridge: fewer rows than ranks or columns, and several targets") {
  const auto [x, signs] = made_up(4, 6);
  agrees(1e-2, true, divide(x, made_up_numbers(x), {}, Division::even), 1e-8);
  Matrix<double> y(4, 2);
  y.col(0) = made_up_numbers(x);
  y.col(1) = signs;
  const Objective objective{Squared{}, L2{0.1}};
  const auto problem = divide(x, signs, {}, Division::even);
  const auto [first, last] = own_rows(4, Division::even);
  const auto alone = Ridge{}.minimize(objective, x, y);
  const auto shared = Ridge{}.minimize(objective, mpi::divided(problem.x, world()),
                                       Matrix<double>(y.middleRows(first, last - first)));
  REQUIRE((shared.weights - alone.weights).norm() <= 1e-8 * alone.weights.norm());
  REQUIRE_THAT(shared.objective, WithinRel(alone.objective, 1e-9));
}

TEST_CASE("Ridge: refuses divided rows with many columns, and options that differ") {
  const auto refusal = [](const Ridge& ridge, double lambda, Index d) {
    const SparseMatrix<double> x(2, d);
    const Vector<double> y = Vector<double>::Ones(2);
    return test::refusal_of([&] {
      (void)ridge.minimize(Objective{Squared{}, L2{lambda}}, mpi::divided(x, world()), y);
    });
  };
  if (world().size() == 1) {
    REQUIRE(refusal({}, 0.1, 5000).empty());  // no error, as with rows that are not divided
    return;
  }
  REQUIRE_THAT(refusal({}, 0.1, 5000),
               ContainsSubstring("Ridge::minimize: x has 5000 columns, but divided rows can "
                                 "have at most 4096: use Newton"));
  const bool is_last = world().rank() == world().size() - 1;
  const auto same = "Ridge::minimize: lambda and offset must be the same on all ranks";
  REQUIRE_THAT(refusal({}, is_last ? 0.1 : 0.2, 3), ContainsSubstring(same));
  REQUIRE_THAT(refusal({.offset = is_last}, 0.1, 3), ContainsSubstring(same));
  REQUIRE(refusal({}, 0.1, 3).empty());
}

TEST_CASE("Condensed samples: any w and b have the mean square of all rows") {
  const auto x = synthetic::features(300, 3, 31);
  detail::ColumnMatrix<double> y(300, 2);
  y.col(0) = Vector<double>::LinSpaced(300, -1, 2);
  y.col(1) = x.col(0).cwiseAbs() + Vector<double>::Ones(300);
  Vector<double> weights(300);
  for (Index i = 0; i < 300; ++i) weights[i] = static_cast<double>(i % 4);
  const auto own = mpi::divided(x, Processes{});  // rows of this process alone
  const auto set = detail::samples::admit_samples("test", own, x.rows(), weights);

  const auto condensed = mpi::condense(set, y);
  REQUIRE(condensed.x.rows() == 10);  // two for each of three features and two targets
  REQUIRE(condensed.y.rows() == 10);
  REQUIRE(condensed.weights.size() == 10);
  REQUIRE_THAT(condensed.weights.sum(), WithinRel(set.weights.sum(), 1e-13));
  const auto mean_square = [](const auto& rows, const auto& targets, const auto& s, const auto& w,
                              double b) {
    const Vector<double> errors = (rows * w).array() + b - targets.array();
    return s.dot(errors.cwiseAbs2()) / s.sum();
  };
  for (const Index seed : {1, 2, 3}) {
    const Vector<double> w = synthetic::features(1, 3, static_cast<unsigned>(seed)).row(0);
    for (const double b : {-2.0, 0.0, 1.5})
      for (const Index k : {0, 1})
        REQUIRE_THAT(mean_square(condensed.x, condensed.y.col(k), condensed.weights, w, b),
                     WithinRel(mean_square(x, y.col(k), weights, w, b), 1e-12));
  }
}

}  // namespace mpi_ridge_test
