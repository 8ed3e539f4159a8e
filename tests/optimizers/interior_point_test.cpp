// SPDX-License-Identifier: MIT
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <linea/losses.hpp>
#include <linea/optimizers/interior_point.hpp>
#include <linea/penalties.hpp>
#include <linea/rows/in_double.hpp>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/hard_problems.hpp"
#include "support/problems.hpp"
#include "support/sanitizer.hpp"
#include "support/synthetic.hpp"

namespace interior_point_test {

using namespace linea;
using linea::test::hard_problem;
using linea::test::HardProblem;
using synthetic::Problem;
using synthetic::problem_for;

namespace {

using Exact = long double;

double weight_of(const Problem& p, Index i) { return p.weights.size() ? p.weights[i] : 1.0; }

/// F in long double, from the definitions.
template <class L, class P>
double objective_at(const L& loss, const P& penalty, const Problem& p, const Vector<double>& w,
                    double b) {
  Exact losses = 0;
  Exact total = 0;
  for (Index i = 0; i < p.y.size(); ++i) {
    if (weight_of(p, i) == 0) continue;
    Exact score = b;
    for (Index j = 0; j < p.x.cols(); ++j) score += static_cast<Exact>(w[j]) * p.x(i, j);
    losses += weight_of(p, i) * loss.value(score, static_cast<Exact>(p.y[i]));
    total += weight_of(p, i);
  }
  return static_cast<double>(losses / total + static_cast<Exact>(penalty.value(w)));
}

/// What every solution must be: F at its weights, multipliers in their domain that prove the bound,
/// and a gap below the tolerance if it says so. `scale` is the size of what is added up.
template <class L, class P>
void check_claims(const DualSolution<double>& s, const L& loss, const P& penalty, const Problem& p,
                  bool offset, double tolerance, double scale) {
  const double value = objective_at(loss, penalty, p, s.weights, s.offset);
  CHECK_THAT(s.objective, WithinAbs(value, 1e-13 * scale));
  CHECK(s.status == Status::converged);
  CHECK(*s.gap <= std::max(tolerance * s.objective, 1e-15 * scale));
  CHECK(*s.gap >= 0);
  Exact conjugates = 0;
  Exact total = 0;
  Exact balance = 0;
  for (Index i = 0; i < p.y.size(); ++i) {
    total += weight_of(p, i);
    if (weight_of(p, i) == 0) continue;
    const double conjugate = loss.conjugate(-s.multipliers[i], p.y[i]);
    CHECK(std::isfinite(conjugate));
    conjugates += weight_of(p, i) * conjugate;
    balance += weight_of(p, i) * s.multipliers[i];
  }
  if (offset) CHECK(std::abs(static_cast<double>(balance / total)) < 1e-13);
  // The dual from the multipliers, with what is left of conditions at the weights found.
  Exact dual = -conjugates / total;
  for (Index j = 0; j < p.x.cols(); ++j) {
    Exact sum = 0;
    for (Index i = 0; i < p.y.size(); ++i)
      sum += weight_of(p, i) * s.multipliers[i] * static_cast<Exact>(p.x(i, j)) / total;
    const double conjugate = penalty.conjugate(static_cast<double>(sum) * (1 - 1e-12));
    dual -= std::isfinite(conjugate) ? static_cast<Exact>(conjugate)
                                     : std::abs(sum * static_cast<Exact>(s.weights[j]));
  }
  CHECK_THAT(s.dual, WithinAbs(static_cast<double>(dual), 1e-9 * scale));
}

/// The least F of a linear program in w (d) and b: at a point where d + 1 losses, or weights of an
/// absolute penalty, are at their kinks. All of them are tried. `kinks` are the scores at which the
/// loss of sample i has one.
template <class L, class P, class Kinks>
double least_by_enumeration(const L& loss, const P& penalty, const Problem& p, bool offset,
                            const Kinks& kinks) {
  const Index d = p.x.cols();
  const Index unknown = d + (offset ? 1 : 0);
  std::vector<Eigen::VectorXd> rows;  // (x, 1; kink)
  for (Index i = 0; i < p.y.size(); ++i)
    for (const double kink : kinks(p.y[i])) {
      Eigen::VectorXd row = Eigen::VectorXd::Ones(unknown + 1);
      row.head(d) = p.x.row(i).transpose();
      row[unknown] = kink;
      rows.push_back(row);
    }
  for (Index j = 0; j < d; ++j) rows.push_back(Eigen::VectorXd::Unit(unknown + 1, j));
  double least = std::numeric_limits<double>::infinity();
  std::vector<std::size_t> chosen;
  const auto choose = [&](const auto& self, std::size_t from) -> void {
    if (static_cast<Index>(chosen.size()) == unknown) {
      Eigen::MatrixXd a(unknown, unknown);
      Eigen::VectorXd right(unknown);
      for (Index k = 0; k < unknown; ++k) {
        a.row(k) = rows[chosen[static_cast<std::size_t>(k)]].head(unknown).transpose();
        right[k] = rows[chosen[static_cast<std::size_t>(k)]][unknown];
      }
      const Eigen::FullPivLU<Eigen::MatrixXd> factors(a);
      if (!factors.isInvertible()) return;
      const Eigen::VectorXd solution = factors.solve(right);
      least = std::min(
          least, objective_at(loss, penalty, p, solution.head(d), offset ? solution[d] : 0.0));
      return;
    }
    for (std::size_t k = from; k < rows.size(); ++k) {
      chosen.push_back(k);
      self(self, k + 1);
      chosen.pop_back();
    }
  };
  choose(choose, 0);
  return least;
}

/// The least F over w and b by golden sections, one within the other, for d = 1.
template <class L, class P>
double least_by_sections(const L& loss, const P& penalty, const Problem& p, double reach) {
  const auto section = [&](const auto& f) {
    double low = -reach;
    double high = reach;
    for (int k = 0; k < 90; ++k) {
      const double a = low + 0.381966011250105 * (high - low);
      const double b = high - 0.381966011250105 * (high - low);
      (f(a) < f(b) ? high : low) = f(a) < f(b) ? b : a;
    }
    return f((low + high) / 2);
  };
  return section([&](double w) {
    return section([&](double b) {
      return objective_at(loss, penalty, p, Vector<double>::Constant(1, w), b);
    });
  });
}

}  // namespace

TEST_CASE("InteriorPoint: linear programs have the least of all vertices", "[optimizers]") {
  const auto of_target = [](double y) { return std::vector<double>{y}; };
  const auto try_out = [&](const auto& loss, const auto& kinks, bool weighted, Index d) {
    for (const bool offset : {true, false})
      for (const double lambda : {0.0, 0.02, 0.2, 5.0}) {
        CAPTURE(loss.name, weighted, offset, lambda, d);
        const Problem p = problem_for(loss, 14, d, 31 + static_cast<std::uint64_t>(d), weighted);
        const L1 penalty{lambda};
        const auto s =
            InteriorPoint{.offset = offset}.minimize(Objective{loss, penalty}, p.x, p.y, p.weights);
        const double least = least_by_enumeration(loss, penalty, p, offset, kinks);
        check_claims(s, loss, penalty, p, offset, 1e-8, 3);
        CHECK(s.objective >= least - 1e-13);
        CHECK(s.objective - least <= *s.gap + 1e-13);
        CHECK(s.objective - least <= 1e-8 * least + 1e-15);
        if (lambda == 5) CHECK(s.weights.isZero(0));
        const auto none = InteriorPoint{.offset = offset}.minimize(Objective{loss, NoPenalty{}},
                                                                   p.x, p.y, p.weights);
        if (lambda == 0) CHECK_THAT(none.objective, WithinAbs(s.objective, 1e-8 * least + 1e-15));
      }
  };
  for (const bool weighted : {false, true})
    for (const Index d : {1, 2}) {
      try_out(Absolute{}, of_target, weighted, d);
      try_out(Quantile{0.8}, of_target, weighted, d);
      try_out(Hinge{}, of_target, weighted, d);
      try_out(
          EpsilonInsensitive{0.3},
          [](double y) {
            return std::vector<double>{y - 0.3, y + 0.3};
          },
          weighted, d);
    }
}

TEST_CASE("InteriorPoint: quadratic programs and elastic nets in one dimension", "[optimizers]") {
  const auto try_out = [&](const auto& loss) {
    for (const auto& penalty : {ElasticNet{0, 0.3}, ElasticNet{0.1, 0.01}, ElasticNet{0.05, 0},
                                ElasticNet{0, 0}, ElasticNet{0, 1e-6}}) {
      if (test::is_watched && (penalty.l1 == 0) == (penalty.l2 == 0)) continue;  // they take long
      CAPTURE(loss.name, penalty.l1, penalty.l2);
      const Problem p = problem_for(loss, 25, 1, 77, true);
      const auto s = InteriorPoint{}.minimize(Objective{loss, penalty}, p.x, p.y, p.weights);
      const double least = least_by_sections(loss, penalty, p, 30);
      check_claims(s, loss, penalty, p, true, 1e-8, 3);
      CHECK_THAT(s.objective, WithinAbs(least, 2e-8 * least + 1e-12));
      CHECK(s.objective - least <= *s.gap + 1e-12);
    }
  };
  try_out(Hinge{});
  try_out(SmoothHinge{0.5});
  try_out(Absolute{});
  try_out(Quantile{0.25});
  try_out(EpsilonInsensitive{});
  try_out(Huber{0.4});
  try_out(Huber{1e-3});
  try_out(Huber{100});
}

TEST_CASE("InteriorPoint: proves its answer for every loss, penalty and shape of x",
          "[optimizers]") {
  const auto try_out = [](const auto& loss, const auto& penalty, Index n, Index d) {
    for (const bool offset : {true, false}) {
      CAPTURE(loss.name, penalty.name, n, d, offset);
      const Problem p = problem_for(loss, n, d, static_cast<std::uint64_t>(n + d), true);
      const auto s =
          InteriorPoint{.offset = offset}.minimize(Objective{loss, penalty}, p.x, p.y, p.weights);
      check_claims(s, loss, penalty, p, offset, 1e-8, 3);
    }
  };
  const auto each_loss = [&](const auto& penalty, Index n, Index d) {
    try_out(Hinge{}, penalty, n, d);
    try_out(Absolute{}, penalty, n, d);
    try_out(EpsilonInsensitive{}, penalty, n, d);
    try_out(Huber{}, penalty, n, d);
  };
  for (const auto& [n, d] : {std::pair<Index, Index>{90, 7}, {12, 11}, {11, 12}, {9, 30}}) {
    each_loss(NoPenalty{}, n, d);
    each_loss(L2{1e-3}, n, d);
    each_loss(L1{1e-2}, n, d);
    each_loss(ElasticNet{1e-2, 1e-2}, n, d);
  }
}

TEST_CASE("InteriorPoint: storage and scalars agree", "[optimizers]") {
  const Problem p = problem_for(Quantile{}, 60, 4, 9);
  const Objective objective{Quantile{0.7}, ElasticNet{1e-2, 1e-3}};
  const auto expected = InteriorPoint{}.minimize(objective, p.x, p.y);
  const SparseMatrix<double> sparse = p.x.sparseView();
  const Eigen::MatrixXd columns = p.x;
  for (const auto& s : {InteriorPoint{}.minimize(objective, sparse, p.y),
                        InteriorPoint{}.minimize(objective, columns, p.y)}) {
    CHECK(s.status == Status::converged);
    CHECK_THAT(s.objective, WithinAbs(expected.objective, 1e-8 * expected.objective));
  }
  const Matrix<float> floats = p.x.cast<float>();
  const auto single = InteriorPoint{.tolerance = 1e-5}.minimize(objective, floats, p.y);
  CHECK(single.status == Status::converged);
  const Matrix<double> rounded = floats.cast<double>();
  const auto exact = InteriorPoint{}.minimize(objective, in_double(floats), p.y);
  CHECK_THAT(single.objective, WithinAbs(exact.objective, 1e-5 * exact.objective));
  const Vector<double> w = single.weights.cast<double>();
  const Problem q{rounded, p.y};
  CHECK_THAT(single.objective, WithinAbs(objective_at(objective.loss, objective.penalty, q, w,
                                                      static_cast<double>(single.offset)),
                                         1e-13));
  const auto fine = InteriorPoint{.tolerance = 1e-12}.minimize(objective, floats, p.y);
  CHECK(fine.status == Status::precision_limit);  // floats cannot hold such weights
  CHECK(*fine.gap > 1e-12 * fine.objective);
}

TEST_CASE("InteriorPoint: columns far off, of any scale, twice, constant and of zeros",
          "[optimizers]") {
  const auto try_out = [](const auto& loss, const auto& penalty, bool rescales) {
    CAPTURE(loss.name, penalty.name, rescales);
    Problem p = problem_for(loss, 80, 3, 15);
    for (Index i = 0; i < 80; ++i) p.x(i, 1) = std::round(p.x(i, 1) * 1048576) / 1048576;
    const auto expected = InteriorPoint{}.minimize(Objective{loss, penalty}, p.x, p.y);
    REQUIRE(expected.status == Status::converged);
    Problem q{Matrix<double>::Zero(80, rescales ? 7 : 5), p.y};
    q.x.leftCols(3) = p.x;
    q.x.col(3).setConstant(1e5);
    if (rescales) {  // without a penalty the scale is of no account, nor are copies
      q.x.col(0) *= 1048576.0 * 1048576.0;
      q.x.col(2) /= 1048576.0 * 1048576.0;
      q.x.col(5) = p.x.col(1);
      q.x.col(6) = 3 * p.x.col(1) - 2 * p.x.col(0);
    }
    q.x.col(1).array() += 1e6;
    const auto s = InteriorPoint{}.minimize(Objective{loss, penalty}, q.x, q.y);
    CHECK(s.status == Status::converged);
    CHECK_THAT(s.objective, WithinAbs(expected.objective, 3e-8 * expected.objective));
    CHECK_THAT(s.objective, WithinAbs(objective_at(loss, penalty, q, s.weights, s.offset), 1e-12));
    CHECK(s.weights[3] == 0);
    CHECK(s.weights[4] == 0);
  };
  const auto each_loss = [&](const auto& penalty, bool rescales) {
    try_out(Hinge{}, penalty, rescales);
    try_out(Absolute{}, penalty, rescales);
    try_out(Quantile{0.9}, penalty, rescales);
    try_out(Huber{0.5}, penalty, rescales);
  };
  each_loss(NoPenalty{}, true);
  each_loss(L2{1e-2}, false);
  each_loss(L1{1e-2}, false);
}

TEST_CASE("InteriorPoint: columns that others make up but for the rounding of their numbers",
          "[optimizers]") {
  const Objective objective{Absolute{}, NoPenalty{}};
  // The third is 0.7 times the second less 0.3 times the first, where the numbers of that are known
  // to 1e-12: a remainder of which only weights of 1e10 and more make something. There F is less,
  // and the bound must not deny it.
  int lower = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    Problem p{Matrix<double>(8, 4), Vector<double>(8)};
    for (Index i = 0; i < 8; ++i) {
      p.x(i, 0) = -54170 + 0.07 * synthetic::normal(random);
      p.x(i, 1) = -502 + 0.7 * synthetic::normal(random);
      p.x(i, 2) = -0.3 * p.x(i, 0) + 0.7 * p.x(i, 1);
      p.x(i, 3) = synthetic::normal(random);
      p.y[i] = synthetic::normal(random);
    }
    const auto s = InteriorPoint{}.minimize(objective, p.x, p.y);
    CHECK(s.weights.cwiseAbs().maxCoeff() < 1e4);
    const Matrix<double> rest = p.x(Eigen::indexing::all, {0, 1, 3});
    const auto less = InteriorPoint{}.minimize(objective, rest, p.y);
    CHECK(less.status == Status::converged);
    CHECK_THAT(s.objective, WithinAbs(less.objective, 1e-8 * less.objective + 1e-9));
    double least = s.objective;
    for (double size = 1e9; size < 1e13; size *= 1.5)
      for (const double t : {-size, size}) {
        const Vector<double> w = s.weights + t * Vector<double>{{0.3, -0.7, 1, 0}};
        least = std::min(least, objective_at(Absolute{}, NoPenalty{}, p, w, s.offset));
      }
    CHECK(s.dual <= least);
    lower += least < 0.999 * s.objective;
  }
  CHECK(lower > 2);
  // The second is the first but for 1e-14, in the direction that the third has of its own.
  Matrix<double> x(3, 3);
  x << 1, 1, 1, 0, 1e-14, 1, 2, 2, 2;
  const auto s = InteriorPoint{.offset = false}.minimize(objective, x, Vector<double>{{0, 5, 0}});
  CHECK(s.status == Status::converged);
  CHECK(s.objective < 1e-13);
}

TEST_CASE("InteriorPoint: between nearly equal columns no bound is above any F", "[optimizers]") {
  // F of the weights of a fit in double, held against the bound of one whose weights are floats.
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Problem p{Matrix<double>(20, 3), Vector<double>(20)};
    for (Index i = 0; i < 20; ++i) {
      p.x(i, 0) = synthetic::normal(random);
      const double apart = synthetic::normal(random);
      p.x(i, 1) = p.x(i, 0) * (1 + 1e-6 * apart);
      p.x(i, 2) = synthetic::normal(random);
      p.y[i] = apart + 0.5 * synthetic::normal(random) > 0 ? 1 : -1;
    }
    const Matrix<float> floats = p.x.cast<float>();
    p.x = floats.cast<double>();
    const auto s = InteriorPoint{}.minimize(Objective{Hinge{}, NoPenalty{}}, p.x, p.y);
    const auto rounded = InteriorPoint{}.minimize(Objective{Hinge{}, NoPenalty{}}, floats, p.y);
    const double value = objective_at(Hinge{}, NoPenalty{}, p, s.weights, s.offset);
    CHECK(s.dual <= value + 1e-13);
    CHECK(rounded.dual <= value + 1e-13);
  }
}

TEST_CASE("InteriorPoint: what multipliers miss of their balance counts wherever the minimum is",
          "[optimizers]") {
  // Columns of 2e5 beside one whose λ hardly counts: the offset at the minimum, seen from the mean,
  // is 1e4 times that of an answer which is 1e-6 above.
  const HardProblem problem = hard_problem(571338);
  const Objective objective{Hinge{}, L2{problem.l2}};
  Extras<double> extras;
  extras.sample_weights = problem.weights;
  const InteriorPoint coarse{.tolerance = 1e-4};
  const auto rough = coarse.minimize(objective, problem.x, problem.y, extras);
  const auto fine = InteriorPoint{}.minimize(objective, problem.x, problem.y, extras);
  CHECK(rough.status == Status::converged);
  CHECK(fine.objective <= rough.objective);
  CHECK(rough.dual <= fine.objective);
  CHECK(fine.dual <= fine.objective);
}

TEST_CASE("InteriorPoint: targets far off, large and small", "[optimizers]") {
  const Problem p = problem_for(Absolute{}, 80, 3, 25);
  const Objective objective{Absolute{}, L1{1e-3}};
  const auto expected = InteriorPoint{}.minimize(objective, p.x, p.y);
  for (const double mean : {1e8, 1.6e9}) {
    Vector<double> y = p.y.array() + mean;
    const Vector<double> moved = y.array() - mean;
    const auto near = InteriorPoint{}.minimize(objective, p.x, moved);
    const auto s = InteriorPoint{}.minimize(objective, p.x, y);
    CHECK(s.status == Status::converged);
    CHECK_THAT(s.objective, WithinAbs(near.objective, 2e-8 * near.objective + 1e-15 * mean));
  }
  for (const double scale : {1e-100, 1e-8, 1e8, 1e100}) {
    CAPTURE(scale);
    const auto s =
        InteriorPoint{}.minimize(Objective{Absolute{}, L1{1e-3 * scale}},
                                 Matrix<double>(scale * p.x), Vector<double>(scale * p.y));
    const auto none = InteriorPoint{}.minimize(Objective{Absolute{}, NoPenalty{}},
                                               Matrix<double>(scale * p.x), p.y);
    CHECK(s.status == Status::converged);
    CHECK(none.status == Status::converged);
    CHECK_THAT(none.objective, WithinAbs(expected.objective, 0.01));
  }
}

TEST_CASE("InteriorPoint: where all losses can be 0 they are", "[optimizers]") {
  Problem p = problem_for(Hinge{}, 30, 3, 4);
  p.y = (p.x.col(0).array() > 0.1).select(Vector<double>::Ones(30), -Vector<double>::Ones(30));
  const auto s = InteriorPoint{}.minimize(Objective{Hinge{}, L2{0}}, p.x, p.y);
  CHECK(s.status == Status::converged);
  CHECK(s.objective == 0);
  p.y = 2 * p.x.col(0) - p.x.col(2);
  p.y.array() += 3;
  const auto exact = InteriorPoint{}.minimize(Objective{Absolute{}, NoPenalty{}}, p.x, p.y);
  CHECK(exact.objective < 1e-14);
  CHECK((exact.weights - Eigen::Vector3d(2, 0, -1)).norm() < 1e-12);
  const auto free =
      InteriorPoint{}.minimize(Objective{EpsilonInsensitive{1e-3}, NoPenalty{}}, p.x, p.y);
  CHECK(free.status == Status::converged);
  CHECK(free.objective == 0);
  const auto one_class =
      InteriorPoint{}.minimize(Objective{Hinge{}, L1{0.1}}, p.x, Vector<double>::Ones(30).eval());
  CHECK(one_class.status == Status::converged);
  CHECK(one_class.objective <= 1e-14);
  CHECK(InteriorPoint{}
            .minimize(Objective{PerceptronLoss{}, L2{1}}, p.x, Vector<double>::Ones(30).eval())
            .objective == 0);
}

TEST_CASE("InteriorPoint: medians and quantiles of targets alone", "[optimizers]") {
  const Matrix<double> x = Matrix<double>::Zero(5, 1);
  Vector<double> y(5);
  y << 3, -1, 10, 4, 7;
  const auto median = InteriorPoint{}.minimize(Objective{Absolute{}, NoPenalty{}}, x, y);
  CHECK_THAT(median.offset, WithinAbs(4, 1e-12));
  CHECK_THAT(median.objective, WithinAbs(15 / 5.0, 1e-12));
  const auto upper = InteriorPoint{}.minimize(Objective{Quantile{0.7}, L1{1}}, x, y);
  CHECK_THAT(upper.offset, WithinAbs(7, 1e-6));
  Vector<double> weights(5);
  weights << 0, 1, 0, 1, 1;
  const auto weighted = InteriorPoint{}.minimize(Objective{Absolute{}, L2{1}}, x, y, weights);
  CHECK_THAT(weighted.offset, WithinAbs(4, 1e-6));
}

TEST_CASE("InteriorPoint: a row of weight 0 is not felt, and weight k is k repeats",
          "[optimizers]") {
  Problem p = problem_for(Absolute{}, 40, 3, 6, true);
  for (Index i = 0; i < 40; ++i) p.weights[i] = static_cast<double>(i % 4);
  const Objective objective{Absolute{}, L1{1e-2}};
  const auto s = InteriorPoint{}.minimize(objective, p.x, p.y, p.weights);
  Problem repeated{Matrix<double>(60, 3), Vector<double>(60)};
  Index k = 0;
  for (Index i = 0; i < 40; ++i)
    for (Index r = 0; r < i % 4; ++r, ++k) {
      repeated.x.row(k) = p.x.row(i);
      repeated.y[k] = p.y[i];
    }
  REQUIRE(k == 60);
  const auto all = InteriorPoint{}.minimize(objective, repeated.x, repeated.y);
  CHECK_THAT(s.objective, WithinAbs(all.objective, 2e-8 * all.objective));
  p.x.row(8).setConstant(1e308);
  p.y[8] = -1e308;
  const auto with = InteriorPoint{}.minimize(objective, p.x, p.y, p.weights);
  CHECK(with.weights == s.weights);
  CHECK(with.objective == s.objective);
  CHECK(with.gap == s.gap);
}

TEST_CASE("InteriorPoint: refuses what is not well-formed, and what came before its limit is told",
          "[optimizers]") {
  const Problem p = problem_for(Absolute{}, 20, 2, 6);
  const Objective objective{Absolute{}, L1{1e-2}};
  CHECK_THROWS_WITH(InteriorPoint{.tolerance = -1}.minimize(objective, p.x, p.y),
                    ContainsSubstring("tolerance of -1"));
  CHECK_THROWS_WITH(InteriorPoint{.iterations = 0}.minimize(objective, p.x, p.y),
                    ContainsSubstring("0 iterations"));
  CHECK_THROWS_WITH(InteriorPoint{}.minimize(Objective{Absolute{}, L1{-1}}, p.x, p.y),
                    ContainsSubstring("lambda"));
  CHECK_THROWS_WITH(InteriorPoint{}.minimize(objective, p.x, Vector<double>::Zero(3).eval()),
                    ContainsSubstring("20 rows"));
  const auto early = InteriorPoint{.iterations = 2}.minimize(objective, p.x, p.y);
  CHECK(early.iterations == 2);
  CHECK(early.status != Status::stopped);
  CHECK(*early.gap >= 0);
}

TEST_CASE("InteriorPoint: tells of each iteration, and answers with the best at a stop",
          "[optimizers]") {
  const Problem p = problem_for(Hinge{}, 90, 5, 11);
  const auto look_on = [&](const auto& objective, const auto& x) {
    const auto alone = InteriorPoint{}.minimize(objective, x, p.y);
    struct Told {
      Index epoch;
      double objective, gap;
    };
    std::vector<Told> told;
    std::vector<Point<double>> points;
    const auto watched = InteriorPoint{}.minimize(objective, x, p.y, [&](const Progress& now) {
      told.push_back({now.epoch, now.objective(), now.gap()});
      points.push_back(now.iterate());
    });
    CHECK(watched.weights == alone.weights);  // who looks on changes nothing
    CHECK(watched.offset == alone.offset);
    CHECK(watched.multipliers == alone.multipliers);
    REQUIRE(static_cast<Index>(told.size()) == alone.iterations + 1);
    for (std::size_t k = 0; k < told.size(); ++k) {
      const auto& now = told[k];
      CHECK(now.epoch == static_cast<Index>(k) + 1);
      CHECK(now.objective >= alone.objective - *alone.gap - 1e-12);
      // The gap holds, and the weights are those of the objective.
      CHECK(now.objective - now.gap <= alone.objective + 1e-12);
      CHECK_THAT(objective_at(objective.loss, objective.penalty, {x, p.y, {}}, points[k].weights,
                              points[k].offset),
                 WithinAbs(now.objective, 1e-9));
      if (k > 0 && k + 1 < told.size()) CHECK(now.objective <= told[k - 1].objective);
    }
    CHECK(told[0].gap > 1e3 * told.back().gap);
    for (const Index epoch : {1, 4}) {
      const auto stopped = InteriorPoint{}.minimize(objective, x, p.y, [&](const Progress& now) {
        return now.epoch == epoch ? Control::stop : Control::proceed;
      });
      const auto& last = told[static_cast<std::size_t>(epoch - 1)];
      CHECK(stopped.status == Status::stopped);
      CHECK(stopped.iterations == epoch);
      CHECK(stopped.objective <= last.objective + 1e-12);
      CHECK(*stopped.gap >= 0);
      CHECK(*stopped.gap <= last.gap + 1e-9);
      CHECK(stopped.objective - *stopped.gap <= alone.objective + 1e-12);
    }
  };
  Matrix<double> far = p.x;
  far.col(1).array() += 1000;  // in a frame of its own
  look_on(Objective{Hinge{}, L2{1e-3}}, far);
  look_on(Objective{Hinge{}, L1{1e-2}}, p.x);
  look_on(Objective{Hinge{}, L2{1e-3}}, Matrix<double>(p.x.topRows(90).replicate(1, 30)));
}

}  // namespace interior_point_test
