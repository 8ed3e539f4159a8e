// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/losses/hinge.hpp>
#include <linea/optimizers/programs/hinge_bound.hpp>
#include <linea/samples/training_set.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

namespace {

using Exact = long double;

/// The dual of the mean hinge loss in long double, at the multipliers that one label has too much
/// of, less the share that is too much.
Exact exact_dual(const Matrix<double>& x, const Vector<double>& y, const Vector<double>& a,
                 double lambda) {
  Exact sides[2] = {0, 0};
  for (Index i = 0; i < y.size(); ++i) sides[y[i] > 0] += a[i];
  const auto less = [&](Index i) -> Exact {
    const Exact own = sides[y[i] > 0];
    const Exact other = sides[y[i] < 0];
    return own > other ? a[i] * (other / own) : a[i];
  };
  Exact dual = 0;
  for (Index i = 0; i < y.size(); ++i) dual += less(i);
  for (Index j = 0; j < x.cols(); ++j) {
    Exact sum = 0;
    for (Index i = 0; i < y.size(); ++i) sum += less(i) * y[i] * x(i, j);
    dual -= sum * sum / (2 * static_cast<Exact>(lambda));
  }
  return dual;
}

}  // namespace

TEST_CASE("Hinge bound: that of multipliers in balance, where rounding has left them out of it",
          "[optimizers]") {
  const Index n = 12;
  const Index d = 3;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Matrix<double> x(n, d);
    Vector<double> y(n), a(n);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < d; ++j)
        x(i, j) = random.uniform() < 0.3 ? 0 : 1e3 + synthetic::normal(random);
      y[i] = i % 2 == 0 ? 1 : -1;
      a[i] = i % 2 == 0 ? random.uniform() / n : a[i - 1];
    }
    // From a ten-millionth of the multipliers to less than their last digit.
    a[static_cast<Index>(seed) % n] *= 1 + std::pow(10.0, -static_cast<double>(7 + seed % 11));
    const Vector<double> centre = x.colwise().mean().transpose();
    const double lambda = 1e3;
    const Exact exact = exact_dual(x, y, a, lambda);
    const Exact rounding = 1e-16L * (1 + std::abs(exact));
    const auto holds = [&](const auto& samples, const Vector<double>& at) {
      const auto set = samples::admit_in_double("test", Hinge{}, samples, y, Vector<double>{});
      const double bound = programs::hinge_bound(set, a, at, lambda, true);
      CHECK(static_cast<Exact>(bound) <= exact + rounding);
      CHECK(static_cast<Exact>(bound) >= exact - 1e-9L * (1 + std::abs(exact)));
    };
    const SparseMatrix<double> sparse = x.sparseView();
    for (const Vector<double>& at : {centre, Vector<double>(Vector<double>::Zero(d))}) {
      holds(x, at);
      holds(sparse, at);
    }
  }
}

TEST_CASE("Hinge bound: where the offset is fixed nothing has to be in balance", "[optimizers]") {
  const Matrix<double> x{{1, 0}, {0, 2}};
  const Vector<double> y{{1, 1}};
  const Vector<double> a{{0.25, 0.5}};
  const auto set = samples::admit_in_double("test", Hinge{}, x, y, Vector<double>{});
  const Vector<double> centre = Vector<double>::Zero(2);
  CHECK_THAT(programs::hinge_bound(set, a, centre, 1, false),
             WithinAbs(0.75 - (0.0625 + 1) / 2, 1e-14));
  CHECK_THAT(programs::hinge_bound(set, a, centre, 1, true), WithinAbs(0, 1e-14));
}
