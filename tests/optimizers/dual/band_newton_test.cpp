// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <linea/losses.hpp>
#include <linea/optimizers/dual/band_newton.hpp>
#include <linea/optimizers/dual/free_system.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/rows/rows_of.hpp>
#include <linea/samples/row_blocks.hpp>
#include <set>

#include "support/catch.hpp"
#include "support/dual_claims.hpp"
#include "support/separable.hpp"
#include "support/shipped.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using test::check_claims;

namespace {

constexpr Index few_epochs = 40;

}  // namespace

TEST_CASE("BandSample: its value is the loss, its slope the maximiser", "[optimizers]") {
  const auto check = [](const auto& loss, double y) {
    const auto joint = detail::joint_of(loss, y);
    for (const double p : {-3.0, -1.0, -0.3, 0.0, 0.4, 0.7, 1.0, 4.0}) {
      CAPTURE(loss.name, y, p);
      for (const double anchor : {joint.low, joint.low / 2, 0.0, joint.high / 3, joint.high}) {
        detail::dual::BandSample one{1, joint, anchor, anchor, p, 0};
        CHECK_THAT(one.excess(),
                   WithinAbs(loss.value(p, y) + loss.conjugate(anchor, y) - anchor * p, 1e-14));
        const auto smoothed = [&](double u) {
          return u * p - loss.conjugate(u, y) - 0.35 * (u - anchor) * (u - anchor);
        };
        const double best = one.slope_at(p, 0.7);
        for (double u = joint.low; u <= joint.high; u += 1.0 / 64)
          CHECK(smoothed(u) <= smoothed(best) + 1e-14);
      }
    }
  };
  check(Hinge{}, 1);
  check(Hinge{}, -1);
  check(Quantile{0.3}, 0.2);
  check(EpsilonInsensitive{0.5}, 0.2);
  check(EpsilonInsensitive{0}, 0.2);
  check(Huber{0.5}, 0.2);
  check(SmoothHinge{0.25}, -1);
}

TEST_CASE("joint_of: takes the form of the loss that an AnyLoss holds", "[optimizers]") {
  using Any = AnyLoss<Hinge, SquaredHinge, SmoothHinge, Log>;
  const auto check_same = [](const auto& loss) {
    const auto one = detail::joint_of(Any(loss), -1.0);
    const auto other = detail::joint_of(loss, -1.0);
    CHECK(one.low == other.low);
    CHECK(one.high == other.high);
    CHECK(one.at == other.at);
    CHECK(one.curvature == other.curvature);
    CHECK(one.flat == other.flat);
  };
  check_same(Hinge{});
  check_same(SquaredHinge{});
  check_same(SmoothHinge{0.25});
  CHECK(std::isnan(detail::joint_of(Any(Log{}), 1.0).at));
  CHECK(std::isnan(detail::joint_of(AnyLoss<Hinge, Log>(Log{}), 1.0).at));
}

TEST_CASE("BandNewton: its first band may be empty", "[optimizers]") {
  const Hinge hinge;
  const Matrix<double> x{{10.0}, {8.0}, {-9.0}};
  const Vector<double> y{{1.0, 1.0, -1.0}};
  const auto set = detail::samples::admit_in_double("test", hinge, x, y);
  const detail::dual::DualBlocks blocks(hinge, set, 0.1, false);
  // All scores are far beyond the kink, at which the loss and its slope are 0.
  const Point<double> point{Vector<double>::Ones(1), 0, 0};
  detail::dual::BandNewton newton(blocks.problem, Vector<double>::Zero(3), point, 0);
  while (newton.run(1e-9)) {
  }
  newton.end_round();
  CHECK(std::abs(newton.here().weights[0]) < 1);
  CHECK(newton.dual() <= newton.point().objective);
}

TEST_CASE("FreeSystem: its solution is that of the equations, for changing terms and rows",
          "[optimizers]") {
  constexpr Index n = 90, d = 70;
  // λ is so small that factorisations are faster than conjugate gradients.
  constexpr double lambda = 1e-4;
  const Matrix<double> x = synthetic::features(n, d, 41);
  const detail::samples::RowBlocksOf rows(rows_of(x));
  const Vector<double> right = synthetic::numbers(synthetic::features(d + 1, 3, 42), 43, 1.0);
  for (const bool has_offset : {false, true}) {
    detail::dual::FreeSystem system(d, lambda, has_offset);
    for (const Index first : {Index{0}, Index{30}}) {
      Sequence members;
      for (Index i = first; i < n; ++i) members.push_back(static_cast<std::uint32_t>(i));
      system.take(rows.selected(members));
      for (const Index stride : {Index{1}, Index{2}, Index{1}, Index{3}}) {
        const Index size = d + (has_offset ? 1 : 0);
        Eigen::MatrixXd matrix = lambda * Eigen::MatrixXd::Identity(size, size);
        if (has_offset) matrix(d, d) = 0.5;
        Vector<double> factors = Vector<double>::Zero(n - first);
        for (Index k = 0; k < n - first; k += stride) {
          const double c = factors[k] = 1 + 0.1 * static_cast<double>(k);
          Eigen::VectorXd row = Eigen::VectorXd::Ones(size);
          row.head(d) = x.row(first + k).transpose();
          matrix += c * row * row.transpose();
        }
        system.set_terms(factors, 0.5);
        Vector<double> found;
        const Vector<double> r = right.head(size);
        system.solve(r, found);
        CAPTURE(has_offset, first, stride);
        // Conjugate gradients run first, and end at 3 % of the preconditioned residual.
        const bool is_first = first == 0 && stride == 1;
        CHECK((matrix * found - r).norm() <= (is_first ? 0.1 : 1e-6) * r.norm());
      }
    }
  }
}

TEST_CASE("DualCoordinateAscent: few columns and a small λ take few epochs", "[optimizers]") {
  Matrix<double> x = synthetic::features(400, 8, 21);
  x.col(7) = x.col(0) + x.col(1) + 0.01 * x.col(7);
  const Vector<double> signs = synthetic::signs(x, 22);
  const Vector<double> numbers = synthetic::numbers(x, 23, 1.0);
  const Vector<double> weights = Vector<double>::LinSpaced(400, 0, 3);
  const auto check = [&](const auto& loss, const Vector<double>& y, const Vector<double>& s) {
    for (const bool offset : {false, true})
      for (const double lambda : {1e-3, 1e-5}) {
        CAPTURE(loss.name, lambda, offset, s.size());
        const DualCoordinateAscent ascent{
            .epochs = few_epochs, .tolerance = 1e-6, .offset = offset};
        const auto found =
            ascent.minimize(Objective{loss, L2{lambda}}, x, y, {.sample_weights = s});
        CHECK(found.status == Status::converged);
        CHECK(*found.gap <= 1e-6 * found.objective);
        check_claims(found, loss, {x, y, s}, lambda, offset);
      }
  };
  check(Hinge{}, signs, {});
  check(Hinge{}, signs, weights);
  check(SquaredHinge{}, signs, {});
  check(SquaredHinge{}, signs, weights);
  check(Quantile{0.3}, numbers, weights);
  check(Absolute{}, 100 * numbers, {});
  check(EpsilonInsensitive{0.5}, numbers, weights);
  check(SmoothHinge{0.01}, signs, weights);
  for (const double unit : {1e-6, 1.0, 1e6})
    for (const double delta : {1e-3, 0.1, 10.0})
      check(Huber{delta * unit}, unit * numbers, weights);
}

TEST_CASE("DualCoordinateAscent: separable samples and uneven columns", "[optimizers]") {
  const DualCoordinateAscent ascent{.epochs = few_epochs, .tolerance = 1e-6};
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    auto set = synthetic::separable(300, 20, 0.05, seed);
    for (const bool is_uneven : {false, true}) {
      if (is_uneven)
        for (Index j = 0; j < 20; ++j) set.x.col(j) *= std::pow(10.0, 0.1 * double(j));
      for (const double lambda : {1e-3, 1e-4, 1e-5, 1e-6}) {
        const auto check = [&](const auto& loss) {
          CAPTURE(seed, is_uneven, lambda, loss.name);
          const auto found = ascent.minimize(Objective{loss, L2{lambda}}, set.x, set.y);
          CHECK(found.status == Status::converged);
          check_claims(found, loss, {set.x, set.y}, lambda, true);
        };
        check(Hinge{});
        check(SquaredHinge{});
      }
    }
  }
}

TEST_CASE("DualCoordinateAscent: many columns and a small λ take few epochs", "[optimizers]") {
  // The columns nearly depend on each other. Coordinate ascent alone would take thousands of
  // epochs.
  for (const Index n : {Index{100}, Index{300}}) {
    Matrix<double> x = synthetic::features(n, 150, 31);
    for (Index j = 10; j < 150; ++j) x.col(j) = x.col(j % 10) + 0.1 * x.col(j);
    const Vector<double> signs = synthetic::signs(synthetic::features(n, 150, 33), 32);
    const DualCoordinateAscent ascent{.epochs = 600, .tolerance = 1e-6};
    for (const double lambda : {1e-4, 1e-6}) {
      const auto check = [&](const auto& loss) {
        CAPTURE(n, lambda, loss.name);
        const auto found = ascent.minimize(Objective{loss, L2{lambda}}, x, signs);
        CHECK(found.status == Status::converged);
        check_claims(found, loss, {x, signs}, lambda, true);
      };
      check(Hinge{});
      check(SquaredHinge{});
      check(Absolute{});
      check(EpsilonInsensitive{0.1});
    }
  }
}

TEST_CASE("DualCoordinateAscent: an observer sees and stops the final Newton steps",
          "[optimizers]") {
  const auto check = [](const Matrix<double>& x, const Vector<double>& y, double lambda) {
    const auto run = [&](Index epochs, Index stop) {
      Index told = 0, falls = 0;
      double least = std::numeric_limits<double>::infinity();
      const DualCoordinateAscent ascent{.epochs = epochs, .tolerance = 1e-7};
      const auto found =
          ascent.minimize(Objective{Hinge{}, L2{lambda}}, x, y, [&](const Progress& news) {
            CHECK(news.epoch == ++told);
            CHECK(news.objective() <= least);
            CHECK(news.gap() >= 0);
            falls += news.objective() < least;
            least = news.objective();
            return news.epoch == stop ? Control::stop : Control::proceed;
          });
      CHECK(found.epochs == told);
      if (found.status == Status::converged) CHECK(2 * falls > told);
      return found;
    };
    const auto all = run(10000, -1);
    CHECK(all.status == Status::converged);
    REQUIRE(all.epochs > 6);
    std::set<double> objectives;
    for (Index epochs = 4; epochs < all.epochs; ++epochs) {
      const auto cut = run(10000, epochs);
      CHECK(cut.status == Status::stopped);
      CHECK(cut.epochs == epochs);
      CHECK(cut.objective >= all.dual);
      CHECK(cut.dual <= all.objective);
      objectives.insert(cut.objective);
      const auto ended = run(epochs, -1);
      CHECK(ended.status == Status::epoch_limit);
      CHECK(ended.weights == cut.weights);
    }
    // A run that ends within a round of Newton's method returns the point of its last step.
    CHECK(4 * objectives.size() > 3 * static_cast<std::size_t>(all.epochs - 4));
    return all.epochs;
  };
  const auto& set = shipped::breast_cancer();
  CHECK(check(set.x, set.y, 1e-4) <= few_epochs);
  // With so many columns, a step costs more than eight passes over x.
  Matrix<double> x = synthetic::features(200, 150, 31);
  for (Index j = 10; j < 150; ++j) x.col(j) = x.col(j % 10) + 0.1 * x.col(j);
  check(x, synthetic::signs(synthetic::features(200, 150, 33), 32), 1e-4);
}

TEST_CASE("DualCoordinateAscent: dependent columns and a tiny λ", "[optimizers]") {
  // The slopes at the minimum are of the size of λ. Without damping, D falls for many rounds before
  // it rises. With seeds 4 and 24 the last epochs change D by less than its rounding error. With seed
  // 62 the first trial of Newton's method fails.
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 24U, 62U})
    for (const auto& [n, d, rank] : {std::array<Index, 3>{150, 60, 20}, {300, 200, 40}}) {
      const Matrix<double> factors = synthetic::features(n, rank, seed);
      Matrix<double> loadings = synthetic::features(rank, d, seed + 10);
      for (Index k = 0; k < rank; ++k) loadings.row(k) *= std::pow(0.85, static_cast<double>(k));
      const Matrix<double> noise = synthetic::features(n, d, seed + 20);
      const Matrix<double> x = 50 * (factors * loadings + 0.05 * noise).cwiseMax(0);
      Vector<double> y(n);
      for (Index i = 0; i < n; ++i)
        y[i] = factors(i, 0) + factors(i, 1) * factors(i, 2) > 0 ? 1 : -1;
      for (const double lambda : {1e-4, 1e-6, 1e-8}) {
        CAPTURE(seed, n, lambda);
        const auto s =
            DualCoordinateAscent{.tolerance = 1e-6}.minimize(Objective{Hinge{}, L2{lambda}}, x, y);
        // At λ = 1e-8, F is about 1e-11, and 1e-6·F is below the rounding error of losses near 1.
        const double rounding = 64 * std::numeric_limits<double>::epsilon();
        CHECK((s.status == Status::converged ||
               (s.status == Status::precision_limit && s.gap.value() <= rounding)));
      }
    }
}
