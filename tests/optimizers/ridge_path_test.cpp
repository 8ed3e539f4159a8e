// SPDX-License-Identifier: MIT
#include <Eigen/SVD>
#include <linea/optimizers/ridge.hpp>
#include <linea/optimizers/ridge_path.hpp>

#include "golden/ridge_path.hpp"
#include "support/catch.hpp"
#include "support/shipped.hpp"
#include "support/synthetic.hpp"

using namespace linea;

namespace {

Objective<Squared, L2> ridge(double lambda) { return {Squared{}, L2{lambda}}; }

double relative(double value, double reference) {
  return std::abs(value - reference) / std::abs(reference);
}

/// Positive weights that differ.
Vector<double> some_weights(Index n, std::uint64_t seed) {
  Random random(seed);
  Vector<double> weights(n);
  for (double& weight : weights) weight = 0.1 + random.uniform();
  return weights;
}

/// The leave-one-out error by its definition, one fit a sample with 64 bits of mantissa, from the normal
/// equations of the smaller side. These must be well conditioned.
double by_refits(const Matrix<double>& x, const Vector<double>& y, const Vector<double>& weights,
                 double lambda, bool offset) {
  using Wide = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  using WideVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
  const Wide wide_x = x.cast<long double>();
  const WideVector wide_y = y.cast<long double>();
  long double sum = 0;
  for (Index i = 0; i < x.rows(); ++i) {
    WideVector share = weights.cast<long double>();
    share[i] = 0;
    share /= share.sum();
    WideVector mean = WideVector::Zero(x.cols());
    long double target_mean = 0;
    if (offset) {
      mean = wide_x.transpose() * share;
      target_mean = share.dot(wide_y);
    }
    const WideVector root = share.cwiseSqrt();
    const Wide z = root.asDiagonal() * (wide_x.rowwise() - mean.transpose());
    const WideVector t = root.cwiseProduct((wide_y.array() - target_mean).matrix());
    const bool dual = x.rows() - 1 - (offset ? 1 : 0) < x.cols();
    Wide a = dual ? Wide(z * z.transpose()) : Wide(z.transpose() * z);
    a.diagonal().array() += static_cast<long double>(lambda);
    if (dual) a(i, i) = 1;  // the sample that is not there
    const WideVector right = dual ? t : WideVector(z.transpose() * t);
    const WideVector solved = a.ldlt().solve(right);
    const WideVector w = dual ? WideVector(z.transpose() * solved) : solved;
    const long double error = wide_y[i] - target_mean - (wide_x.row(i) - mean.transpose()).dot(w);
    sum += static_cast<long double>(weights[i]) * error * error;
  }
  return static_cast<double>(sum / weights.cast<long double>().sum());
}

/// The same by Ridge.
double by_ridge(const Matrix<double>& x, const Vector<double>& y, const Vector<double>& weights,
                double lambda, bool offset) {
  double sum = 0;
  for (Index i = 0; i < x.rows(); ++i) {
    Vector<double> kept = weights;
    kept[i] = 0;
    const auto fit = Ridge{.offset = offset}.minimize(ridge(lambda), x, y, kept);
    const double error = y[i] - fit.offset - x.row(i).dot(fit.weights);
    sum += weights[i] * error * error;
  }
  return sum / weights.sum();
}

template <std::size_t size>
void check_golden(const Matrix<double>& x, const Vector<double>& y,
                  const golden::LeaveOneOut (&golden)[size], double tolerance) {
  std::vector<double> lambdas;
  for (const auto& line : golden) lambdas.push_back(line.lambda);
  const auto with_offset = RidgePath{.lambdas = lambdas}.fit(x, y);
  const auto without = RidgePath{.lambdas = lambdas, .offset = false}.fit(x, y);
  for (std::size_t k = 0; k < size; ++k) {
    CAPTURE(lambdas[k]);
    const auto index = static_cast<Index>(k);
    CHECK(relative(with_offset.leave_one_out[index], golden[k].with_offset) < tolerance);
    CHECK(relative(without.leave_one_out[index], golden[k].without) < tolerance);
  }
}

const std::vector<std::pair<Index, Index>> shapes{{30, 5}, {8, 20}, {12, 12}, {13, 12}, {300, 40}};

}  // namespace

TEST_CASE("RidgePath: each solution is that of Ridge, to 1e-10", "[optimizers]") {
  const std::vector<double> lambdas{1e-3, 10, 1e-5, 0.1, 1e4};
  for (const auto& [n, d] : shapes)
    for (const bool offset : {true, false})
      for (const bool leave_one_out : {true, false}) {
        CAPTURE(n, d, offset, leave_one_out);
        const auto x = synthetic::features(n, d, 1, 0.6);
        const auto y = synthetic::numbers(x, 2);
        const auto weights = some_weights(n, 3);
        const RidgePath fit{.lambdas = lambdas, .offset = offset, .leave_one_out = leave_one_out};
        const auto path = fit.fit(x, y, weights);
        const auto by_column = fit.fit(Eigen::MatrixXd(x), y, weights);
        const auto sparse = fit.fit(synthetic::sparse(x), y, weights);
        CHECK(path.dual == (d > n));
        CHECK((path.leave_one_out.size() > 0) == leave_one_out);
        for (Index k = 0; k < 5; ++k) {
          const auto one = Ridge{.offset = offset}.minimize(
              ridge(lambdas[static_cast<std::size_t>(k)]), x, y, weights);
          const double size = one.weights.norm();
          CHECK((path.weights.col(k) - one.weights).norm() < 1e-10 * size);
          CHECK((by_column.weights.col(k) - one.weights).norm() < 1e-10 * size);
          CHECK((sparse.weights.col(k) - one.weights).norm() < 1e-10 * size);
          CHECK_THAT(path.offsets[k], WithinAbs(one.offset, 1e-10));
          CHECK(relative(path.objectives[k], one.objective) < 1e-10);
          const auto solution = path.at(k);
          CHECK(solution.weights == path.weights.col(k));
          CHECK(solution.offset == path.offsets[k]);
          CHECK(solution.objective == path.objectives[k]);
          CHECK(solution.status == Status::converged);
        }
      }
}

TEST_CASE("RidgePath: leave-one-out is what n refits give, for λ from 1e-14 to 1e14",
          "[optimizers]") {
  const auto lambdas = log_spaced(1e14, 1e-14, 15);
  for (const auto& [n, d] : {std::pair<Index, Index>{30, 5}, {8, 20}, {12, 12}, {13, 12}, {12, 11}})
    for (const bool offset : {true, false})
      for (const bool weighted : {true, false}) {
        CAPTURE(n, d, offset, weighted);
        const auto x = synthetic::features(n, d, 4);
        const auto y = synthetic::numbers(x, 5);
        const Vector<double> weights = weighted ? some_weights(n, 6) : Vector<double>::Ones(n);
        const RidgePath path{.lambdas = lambdas, .offset = offset};
        const auto dense = path.fit(x, y, weights);
        const auto sparse = path.fit(synthetic::sparse(x), y, weights);
        for (std::size_t k = 0; k < lambdas.size(); ++k) {
          CAPTURE(lambdas[k]);
          const double expected = by_refits(x, y, weights, lambdas[k], offset);
          CHECK(relative(dense.leave_one_out[static_cast<Index>(k)], expected) < 1e-9);
          CHECK(relative(sparse.leave_one_out[static_cast<Index>(k)], expected) < 1e-9);
        }
      }
}

TEST_CASE("RidgePath: leave-one-out agrees with scikit-learn and with refits in 80 digits",
          "[optimizers]") {
  const auto& data = shipped::diabetes();
  check_golden(data.x, data.y, golden::left_out_diabetes, 1e-10);
  check_golden(data.x.topRows(6), data.y.head(6), golden::left_out_wide, 1e-10);
  // Short of rank, down to λ = 1e-14. Refits in double are then wrong in the first digit: rounding of X gives it
  // singular values of 1e-16, and 1e-16/λ multiplies y.
  check_golden(Eigen::Map<const Matrix<double>>(golden::tall_rows, 8, 4),
               Eigen::Map<const Vector<double>>(golden::tall_targets, 8), golden::left_out_tall,
               1e-12);
  check_golden(Eigen::Map<const Matrix<double>>(golden::short_rows, 6, 11),
               Eigen::Map<const Vector<double>>(golden::short_targets, 6), golden::left_out_short,
               1e-12);
}

TEST_CASE("RidgePath: a sample that alone holds a feature is left out exactly", "[optimizers]") {
  // With λ = 0 its leverage is 1 and its error 0: the answer is that of smallest norm on the others.
  const Index n = 400;
  const Index alone = 130;  // more than are taken at once
  Matrix<double> x(n, 3 + alone);
  x << synthetic::features(n, 3, 7), Matrix<double>::Zero(n, alone);
  for (Index j = 0; j < alone; ++j) x(2 * j, 3 + j) = 1 + 0.01 * static_cast<double>(j);
  const auto y = synthetic::numbers(Matrix<double>(x.leftCols(3)), 8);
  const std::vector<double> lambdas{0, 1e-14, 1e-10, 1e-4, 1};
  for (const bool offset : {true, false})
    for (const bool weighted : {true, false}) {
      CAPTURE(offset, weighted);
      const Vector<double> weights = weighted ? some_weights(n, 9) : Vector<double>::Ones(n);
      const auto path = RidgePath{.lambdas = lambdas, .offset = offset}.fit(x, y, weights);
      // Without the features of one sample each that sample is as good as new: refit on the other three.
      const double expected = [&] {
        double sum = 0;
        Vector<double> kept = weights;
        for (Index j = 0; j < alone; ++j) kept[2 * j] = 0;
        const auto others = Ridge{.offset = offset}.minimize(ridge(0), x.leftCols(3), y, kept);
        for (Index j = 0; j < alone; ++j) {
          const double error = y[2 * j] - others.offset - x.row(2 * j).head(3).dot(others.weights);
          sum += weights[2 * j] * error * error;
        }
        const auto rest = RidgePath{.lambdas = {0}, .offset = offset}.fit(x.leftCols(3), y, kept);
        return (sum + rest.leave_one_out[0] * kept.sum()) / weights.sum();
      }();
      CHECK(relative(path.leave_one_out[0], expected) < 1e-12);
      CHECK(relative(path.leave_one_out[1], expected) < 1e-10);
      CHECK(path.leave_one_out.allFinite());
    }
}

TEST_CASE("RidgePath: at λ = 0 leave-one-out is that of smallest norm", "[optimizers]") {
  const auto base = synthetic::features(12, 4, 10);
  const auto y = synthetic::numbers(base, 11);
  Matrix<double> tall(12, 7);
  tall << base, base.col(0) + base.col(1), Vector<double>::Zero(12), base.col(3);
  Matrix<double> wide(12, 16);
  wide << base, base, base, base;
  Matrix<double> repeated = synthetic::features(6, 9, 12);
  repeated.row(4) = repeated.row(1);
  for (const bool offset : {true, false}) {
    const auto check = [&](const Matrix<double>& x, const Vector<double>& weights) {
      const Index n = x.rows();
      const auto path =
          RidgePath{.lambdas = {0, 1e-3}, .offset = offset}.fit(x, y.head(n), weights);
      CHECK(path.decomposition == Decomposition::singular_values);
      const auto full = Ridge{.offset = offset}.minimize(ridge(0), x, y.head(n), weights);
      CHECK(path.rank == full.rank);
      CHECK((path.weights.col(0) - full.weights).norm() < 1e-12 * full.weights.norm());
      for (Index k = 0; k < 2; ++k)
        CHECK(relative(path.leave_one_out[k],
                       by_ridge(x, y.head(n), weights, k == 0 ? 0 : 1e-3, offset)) < 1e-9);
    };
    check(tall, Vector<double>::Ones(12));
    check(wide, Vector<double>::Ones(12));
    check(repeated, Vector<double>::Ones(6));
    check(tall, some_weights(12, 13));
    check(wide, some_weights(12, 14));
    check(repeated, some_weights(6, 15));
  }
}

TEST_CASE("RidgePath: degrees of freedom and generalised cross-validation by the hat matrix",
          "[optimizers]") {
  const auto lambdas = log_spaced(100, 1e-3, 6);
  for (const auto& [n, d] : shapes)
    for (const bool offset : {true, false})
      for (const bool leave_one_out : {true, false}) {
        CAPTURE(n, d, offset, leave_one_out);
        const auto x = synthetic::features(n, d, 16);
        const auto y = synthetic::numbers(x, 17);
        const auto weights = some_weights(n, 18);
        const auto path =
            RidgePath{.lambdas = lambdas, .offset = offset, .leave_one_out = leave_one_out}.fit(
                x, y, weights);
        const Eigen::VectorXd root = (weights / weights.sum()).cwiseSqrt();
        Eigen::MatrixXd columns = root.asDiagonal() * x;
        columns.conservativeResize(n, d + 1);
        columns.col(d) = root;
        const Eigen::MatrixXd used = columns.leftCols(offset ? d + 1 : d);
        for (std::size_t k = 0; k < lambdas.size(); ++k) {
          Eigen::MatrixXd gram = used.transpose() * used;
          gram.topLeftCorner(d, d).diagonal().array() += lambdas[k];
          const Eigen::MatrixXd hat = used * gram.ldlt().solve(used.transpose());
          const Eigen::VectorXd t = root.cwiseProduct(y);
          const double ratio = 1 - hat.trace() / static_cast<double>(n);
          const double expected = (t - hat * t).squaredNorm() / (ratio * ratio);
          const auto index = static_cast<Index>(k);
          CHECK_THAT(path.degrees_of_freedom[index], WithinAbs(hat.trace(), 1e-9));
          CHECK(relative(path.generalised_cross_validation[index], expected) < 1e-9);
        }
      }
  // Where all samples are interpolated it has a limit as λ falls to 0.
  const auto x = synthetic::features(10, 30, 19);
  const auto y = synthetic::numbers(x, 20);
  for (const bool leave_one_out : {true, false}) {
    const RidgePath fit{.lambdas = {1e-10, 1e-14, 0}, .leave_one_out = leave_one_out};
    const auto path = fit.fit(x, y);
    CHECK(relative(path.generalised_cross_validation[1], path.generalised_cross_validation[2]) <
          1e-12);
    CHECK(relative(path.generalised_cross_validation[0], path.generalised_cross_validation[2]) <
          1e-8);
    CHECK_THAT(path.degrees_of_freedom[2], WithinAbs(10, 1e-12));
  }
}

TEST_CASE("RidgePath: a sample of weight 0 is not there, and the scale of weights does not matter",
          "[optimizers]") {
  for (const auto& [n, d] : {std::pair<Index, Index>{20, 4}, {10, 25}})
    for (const bool offset : {true, false}) {
      const auto x = synthetic::features(n, d, 21);
      const auto y = synthetic::numbers(x, 22);
      auto weights = some_weights(n, 23);
      weights[0] = weights[7] = 0;
      Matrix<double> kept_x(n - 2, d);
      kept_x << x.middleRows(1, 6), x.bottomRows(n - 8);
      Vector<double> kept_y(n - 2);
      kept_y << y.segment(1, 6), y.tail(n - 8);
      Vector<double> kept_weights(n - 2);
      kept_weights << weights.segment(1, 6), weights.tail(n - 8);
      for (const std::vector<double>& lambdas :
           {std::vector<double>{1, 1e-2}, std::vector<double>{1, 1e-6, 0}}) {
        const RidgePath fit{.lambdas = lambdas, .offset = offset};
        const auto path = fit.fit(x, y, weights);
        const auto kept = fit.fit(kept_x, kept_y, kept_weights);
        const auto scaled = fit.fit(x, y, 1e-3 * weights);
        for (Index k = 0; k < path.weights.cols(); ++k) {
          CAPTURE(n, d, offset, lambdas[static_cast<std::size_t>(k)]);
          CHECK((path.weights.col(k) - kept.weights.col(k)).norm() < 1e-10);
          CHECK(relative(path.leave_one_out[k], kept.leave_one_out[k]) < 1e-9);
          CHECK(relative(scaled.leave_one_out[k], kept.leave_one_out[k]) < 1e-9);
          CHECK(relative(path.generalised_cross_validation[k],
                         kept.generalised_cross_validation[k]) < 1e-9);
          CHECK_THAT(path.degrees_of_freedom[k], WithinAbs(kept.degrees_of_freedom[k], 1e-9));
        }
      }
    }
}

TEST_CASE("RidgePath: an ill-conditioned problem goes to singular values and keeps its digits",
          "[optimizers]") {
  // As in Ridge's test: singular values from 1 to 1e-7.
  const Eigen::MatrixXd q =
      Eigen::HouseholderQR<Eigen::MatrixXd>(synthetic::features(50, 5, 8)).householderQ() *
      Eigen::MatrixXd::Identity(50, 5);
  Vector<double> scales(5);
  scales << 1, 1e-2, 1e-4, 1e-6, 1e-7;
  const Matrix<double> x = q * scales.asDiagonal();
  const Vector<double> truth = Vector<double>::LinSpaced(5, 1, 5);
  const Vector<double> y = x * truth;
  for (const bool leave_one_out : {true, false}) {
    const RidgePath fit{.lambdas = {0}, .offset = false, .leave_one_out = leave_one_out};
    const auto path = fit.fit(x, y);
    CHECK(path.decomposition == Decomposition::singular_values);
    CHECK(path.rank == 5);
    CHECK_THAT(path.reciprocal_condition, WithinRel(1e-14, 1e-6));
    CHECK((path.weights.col(0) - truth).norm() < 1e-7 * truth.norm());
    const auto safe = RidgePath{.lambdas = {1e-5, 1}, .leave_one_out = leave_one_out}.fit(x, y);
    CHECK(safe.decomposition == Decomposition::eigenvalues);
  }
  CHECK(name_of(Decomposition::eigenvalues) == "eigenvalues");
  CHECK(name_of(Decomposition::singular_values) == "singular-values");
}

TEST_CASE("RidgePath: its own grid falls from the largest eigenvalue, and the best is the best",
          "[optimizers]") {
  const auto& data = shipped::diabetes();
  for (const bool leave_one_out : {true, false}) {
    const auto path = RidgePath{.leave_one_out = leave_one_out}.fit(data.x, data.y);
    REQUIRE(path.lambdas.size() == 100);
    const Matrix<double> covariance = data.x.transpose() * data.x / 442;
    const double largest =
        Eigen::JacobiSVD<Eigen::MatrixXd>(Eigen::MatrixXd(covariance)).singularValues()[0];
    CHECK_THAT(path.lambdas[0], WithinRel(largest, 1e-12));
    CHECK_THAT(path.lambdas[99], WithinRel(1e-6 * largest, 1e-12));
    CHECK(path.decomposition == Decomposition::eigenvalues);
    const auto& errors = leave_one_out ? path.leave_one_out : path.generalised_cross_validation;
    CHECK(errors[path.best] == errors.minCoeff());
    CHECK(path.best > 0);
    CHECK(path.best < 99);
  }
  const auto constant =
      RidgePath{}.fit(Matrix<double>(Matrix<double>::Constant(9, 2, 0.1)), data.y.head(9));
  CHECK(constant.weights.isZero(0));
  CHECK_THAT(constant.leave_one_out[0],
             WithinRel((data.y.head(9).array() - data.y.head(9).mean()).square().mean() *
                           std::pow(9.0 / 8, 2),
                       1e-12));
}

TEST_CASE("RidgePath: float data are summed in double", "[optimizers]") {
  const auto x = synthetic::features<float>(500, 4, 24);
  const auto y = synthetic::numbers<float>(x, 25);
  const RidgePath fit{.lambdas = {1e-3, 1}};
  const auto narrow = fit.fit(x, y);
  const auto wide = fit.fit(Matrix<double>(x.cast<double>()), y);
  // Only the rounding of the answer itself, 2⁻²⁴, is left.
  CHECK((narrow.weights.cast<double>() - wide.weights).norm() < 1.2e-7 * wide.weights.norm());
  for (Index k = 0; k < 2; ++k) {
    CHECK(relative(narrow.leave_one_out[k], wide.leave_one_out[k]) < 1e-12);
    CHECK(relative(narrow.objectives[k], wide.objectives[k]) < 1e-12);
  }
}

TEST_CASE("RidgePath: what cannot be had is not a number, and said", "[optimizers]") {
  const auto x = synthetic::features(9, 4, 31);
  const auto y = synthetic::numbers(x, 32);
  // One sample and an offset leave no freedom.
  const RidgePath alone{.leave_one_out = false};
  const auto one = alone.fit(Matrix<double>(x.topRows(1)), y.head(1));
  CHECK(one.generalised_cross_validation.array().isNaN().all());
  CHECK(one.best == 0);
  CHECK_THAT(one.offsets[0], WithinRel(y[0], 1e-15));
  CHECK(one.at(0).status == Status::converged);
  // Sums of squares beyond the largest number.
  for (const Index n : {9, 3}) {
    const RidgePath fit{.lambdas = {1}, .offset = false};
    const auto path = fit.fit(Matrix<double>(1e200 * x.topRows(n)), y.head(n));
    CHECK(path.at(0).status == Status::diverged);
  }
  // A sample that outweighs all others, up to 1 − p = 1e-8.
  for (const double heavy : {1e3, 1e8}) {
    Vector<double> weights = Vector<double>::Ones(9);
    weights[2] = heavy;
    for (const double lambda : {1e-12, 1e-6, 1.0})
      CHECK(relative(RidgePath{.lambdas = {lambda}}.fit(x, y, weights).leave_one_out[0],
                     by_refits(x, y, weights, lambda, true)) < 1e-6);
  }
}

TEST_CASE("RidgePath: wrong input is refused", "[optimizers]") {
  const auto x = synthetic::features(5, 2, 26);
  const auto y = synthetic::numbers(x, 27);
  CHECK_THROWS_WITH((RidgePath{.lambdas = {1, -1}}.fit(x, y)),
                    "RidgePath::fit: lambda 1 is -1, but must be finite and >= 0");
  CHECK_THROWS_WITH(RidgePath{}.fit(x, y.head(3)), "RidgePath::fit: x has 5 rows but y has 3");
  Vector<double> bad = y;
  bad[2] = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH(RidgePath{}.fit(x, bad), "RidgePath::fit: y(2) is not finite");
  Vector<double> one = Vector<double>::Zero(5);
  one[3] = 2;
  CHECK_THROWS_WITH(RidgePath{}.fit(x, y, one),
                    "RidgePath::fit: leave-one-out needs two samples, but 1 has a positive weight");
  const auto path = RidgePath{.lambdas = {1}, .leave_one_out = false}.fit(x, y, one);
  CHECK(path.weights.isZero(1e-15));
  CHECK_THAT(path.offsets[0], WithinRel(y[3], 1e-15));
  CHECK_THROWS_WITH(path.at(1), "RidgePathSolution::at: number 1 of 1");
}

TEST_CASE("log_spaced: has both ends and one ratio", "[optimizers]") {
  const auto numbers = log_spaced(1e4, 1e-4, 5);
  REQUIRE(numbers.size() == 5);
  CHECK(numbers.front() == 1e4);
  CHECK(numbers.back() == 1e-4);
  for (std::size_t k = 1; k < 5; ++k)
    CHECK_THAT(numbers[k] / numbers[k - 1], WithinRel(0.01, 1e-14));
  CHECK(log_spaced(2, 2, 1) == std::vector<double>{2});
  CHECK_THROWS_WITH(log_spaced(0, 1, 3),
                    "log_spaced: from 0 to 1, but both must be finite and > 0");
  CHECK_THROWS_WITH(log_spaced(1, 2, 1), "log_spaced: 1 numbers from 1 to 2");
}

TEST_CASE("wide_product: the same product at every vector level and size", "[optimizers]") {
  for (const Index count : {0, 1, 7, 130})
    for (const Index left : {1, 5, 24, 50})
      for (const Index right : {1, 8, 25}) {
        const Eigen::MatrixXd a = synthetic::features(count, left, 28);
        const Eigen::MatrixXd b = synthetic::features(count, right, 29);
        const Eigen::MatrixXd expected = a.transpose() * b;
        for (const numerics::VectorLevel level :
             {numerics::VectorLevel::baseline, numerics::VectorLevel::avx2,
              numerics::VectorLevel::avx512}) {
          if (!numerics::is_offered(level)) continue;
          const numerics::PackedRows packed_a = packed(a);
          const numerics::PackedRows packed_b = packed(Matrix<double>(b));
          Eigen::MatrixXd c(left, right);
          numerics::run_at(level, numerics::WideProduct(packed_a, packed_b, count, c));
          CHECK((c - expected).norm() <= 1e-14 * (1 + expected.norm()));
        }
      }
}

TEST_CASE("orthogonalise_columns: lengths are singular values, small ones to their own digits",
          "[optimizers]") {
  Eigen::MatrixXd m = synthetic::features(21, 20, 30);
  for (Index j = 0; j < 20; ++j) m.col(j) *= std::pow(10.0, -static_cast<double>(j) / 2);
  const Eigen::MatrixXd before = m;
  numerics::orthogonalise_columns(m, 20, 1e-20);
  const Eigen::MatrixXd top = m.topRows(20);
  const Eigen::VectorXd lengths = top.colwise().norm().transpose();
  const Eigen::MatrixXd directions = top * lengths.cwiseInverse().asDiagonal();
  CHECK((directions.transpose() * directions - Eigen::MatrixXd::Identity(20, 20)).norm() < 1e-13);
  // The rotation is the same for the row below.
  const Eigen::MatrixXd upper = before.topRows(20);
  const Eigen::VectorXd row = upper.transpose().fullPivLu().solve(before.row(20).transpose());
  CHECK((top.transpose() * row - m.row(20).transpose()).norm() < 1e-9 * m.row(20).norm());
  const Eigen::VectorXd expected =
      Eigen::JacobiSVD<Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>>(
          upper.cast<long double>())
          .singularValues()
          .cast<double>();
  for (Index j = 0; j < 20; ++j) CHECK(relative(lengths[j], expected[j]) < 1e-12);
}
