// SPDX-License-Identifier: MIT
/// \file The error messages of input validation. tests/optimizers/laws_*_test.cpp test input
/// validation for all optimizers.
#include <cstdint>
#include <linea/features/polynomial.hpp>
#include <linea/features/standardise.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/losses/squared.hpp>
#include <linea/rows/in_double.hpp>
#include <linea/samples/training_set.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/synthetic.hpp"

namespace training_set_test {

using namespace linea;
using namespace linea::test;
using V = Vector<double>;

namespace {

template <class X>
void refused(const X& x, const V& y, const std::string& what,
             const Vector<scalar_t<X>>& weights = {}) {
  REQUIRE_THROWS_AS(detail::samples::admit("call", Hinge{}, x, y, weights), std::invalid_argument);
  REQUIRE_THROWS_WITH(detail::samples::admit("call", Hinge{}, x, y, weights), "call: " + what);
}

/// Calls f with x stored by rows, by columns and sparse, in double and as floats read in double.
template <class F>
void in_every_storage(const Matrix<double>& x, const F& f) {
  f(x);
  f(Eigen::MatrixXd(x));
  f(synthetic::sparse(x));
  const Matrix<float> rows = x.cast<float>();
  const Eigen::MatrixXf columns = rows;
  const SparseMatrix<float> sparse = rows.sparseView();
  f(in_double(rows));
  f(in_double(columns));
  f(in_double(sparse));
}

}  // namespace

TEST_CASE("Validation: sizes that differ, entries that are not finite, targets and weights",
          "[samples]") {
  const Matrix<double> x = synthetic::features(6, 3, 1);
  const V y = synthetic::signs(x, 2), two = V::Ones(2);
  in_every_storage(x, [&](const auto& samples) {
    refused(samples, y.head(4), "x has 6 rows but y has 4");
    refused(samples, y.head(3),
            "x has 6 rows but y has 3: a sample is a row of x, so pass x.transpose()");
    refused(samples, y, "5 sample weights but y has 6", V::Ones(5));
  });
  refused(Matrix<double>(0, 3), {}, "x is empty (0 x 3)");
  refused(Matrix<double>(2, 0), two, "x is empty (2 x 0)");
  refused(SparseMatrix<double>(0, 0), {}, "x is empty (0 x 0)");
  const auto with = [](V changed, Index i, double value) {
    changed[i] = value;
    return changed;
  };
  for (const double bad : {not_a_number, infinity, -infinity}) {
    REQUIRE_THROWS_WITH(detail::samples::admit("call", Hinge{}, x, with(y, 2, bad)),
                        ContainsSubstring("call: y(2"));
    Matrix<double> holed = x;
    holed(4, 1) = bad;
    in_every_storage(holed,
                     [&](const auto& samples) { refused(samples, y, "x(4, 1) is not finite"); });
  }
  const Matrix<double> x_large = 1e150 * x / x.cwiseAbs().maxCoeff();
  REQUIRE_NOTHROW(detail::samples::admit("call", Hinge{}, x_large, y));
  Matrix<double> x_larger = x;
  x_larger(4, 1) = -1e200;
  refused(x_larger, y, "x(4, 1) is -1e+200" + above);
  refused(synthetic::sparse(x_larger), y, "x(4, 1) is -1e+200" + above);
  const auto of_numbers = [&](const V& targets, const std::string& what) {
    REQUIRE_THROWS_WITH(detail::samples::admit("call", Squared{}, x, targets), "call: " + what);
  };
  of_numbers(with(y, 3, 1e200), "y(3) is 1e+200" + above);
  of_numbers(1e-200 * y, "the largest magnitude of y is 1e-200" + below);
  refused(x, y, "sample weight 2 is 1e+200" + above, with(V::Ones(6), 2, 1e200));
  refused(x, y, "the largest magnitude of the sample weights is 1e-200" + below,
          1e-200 * V::Ones(6));
  refused(x, with(y, 3, 0),
          "y(3) = 0 is no target of hinge, which takes -1 or +1: ClassLabels(y).encode(y) turns "
          "two labels into these; recipes and OneVsRest take any labels");
  REQUIRE_NOTHROW(detail::samples::admit("call", Squared{}, x, with(y, 3, 0)));
  refused(x, y, "sample weight 2 is -1", with(V::Ones(6), 2, -1));
  refused(x, y, "sample weight 2 is nan", with(V::Ones(6), 2, not_a_number));
  refused(x, y, "all sample weights are zero", V::Zero(6));
}

TEST_CASE("Validation: sparse rows of foreign arrays with columns out of range", "[samples]") {
  const auto refuses = [](int column, std::vector<int> starts, const std::string& what) {
    const std::vector<int> columns{2, 0, 1, column, 0};  // the columns of row 0 may be in any order
    const std::vector<double> values(5, 1.0);
    const Eigen::Map<const SparseMatrix<double>> x(2, 3, 5, starts.data(), columns.data(),
                                                   values.data());
    refused(x, Eigen::Vector2d(1, -1), what);
    REQUIRE_THROWS_WITH(standardise(x), "standardise: " + what);
    REQUIRE_THROWS_WITH(Polynomial{}.apply(x), "Polynomial::apply: " + what);
  };
  for (const int column : {-1, 3, 1 << 30, -(1 << 30)})
    refuses(column, {0, 2, 5},
            "row 1 of x names column " + std::to_string(column) + ", but x has 3 columns");
  refuses(1, {0, 2, 5}, "row 1 of x names column 1 twice");
  const std::string misplaced = " of x overlaps the row before it, or ends behind the last entry";
  refuses(2, {0, 1 << 30, 5}, "row 0" + misplaced);
  refuses(2, {0, 2, 1 << 30}, "row 1" + misplaced);
}

TEST_CASE("Validation: an invalid start", "[samples]") {
  const auto refuses = [](const Extras<double>& extras, const std::string& what,
                          bool has_offset = true) {
    REQUIRE_THROWS_WITH(detail::samples::start_weights("call", extras, 2, has_offset),
                        "call: " + what);
  };
  const V w = V::Ones(2);
  const char* const alone = "a start_offset needs start_weights and an offset";
  refuses({.start_offset = 5}, alone);
  refuses({.start_weights = w, .start_offset = 5}, alone, false);
  refuses({.start_weights = V::Ones(4)}, "4 start weights for 2 features");
  refuses({.start_weights = not_a_number * w}, "the start is not finite");
  refuses({.start_weights = w, .start_offset = infinity}, "the start is not finite");
  refuses({.start_multipliers = V::Ones(6)},
          "start_multipliers are for DualCoordinateAscent; use start_weights");
  CHECK(detail::samples::start_weights("call", Extras<double>{.start_weights = w}, 2, true) == w);
  CHECK(detail::samples::start_weights("call", Extras<double>{}, 2, true).isZero(0));
}

TEST_CASE("Validation: sample weights are scaled to mean 1", "[samples]") {
  const auto scaled = [](const V& weights) {
    return detail::samples::admit_weights("call", weights.size(), weights);
  };
  for (const double scale : {1e-150, 1.0, 1e150})
    CHECK((scaled(V{{scale, 0, scale}}) - Eigen::Vector3d(1.5, 0, 1.5)).norm() < 1e-12);
  CHECK(scaled(V{{1e150, 0, 1e-150, 0}}) == V{{4, 0, 4e-300, 0}});
}

TEST_CASE("Validation: more rows than row numbers are refused before any is read", "[samples]") {
  // Only the number of rows exists: reading a row would crash.
  if constexpr (sizeof(Index) < 8) return;  // a smaller Index cannot be this large
  const auto n = static_cast<Index>(std::int64_t{1} << 32);
  const Eigen::Map<const Matrix<double>> rows(nullptr, n, 1);
  CHECK_THROWS_WITH(detail::samples::admit_samples("call", rows, n, V()),
                    "call: x has 4294967296 rows, more than 2^32 - 1");
  const Eigen::Map<const Matrix<float>> narrow(nullptr, n, 1);
  CHECK_THROWS_WITH(detail::samples::admit_samples_in_double("call", narrow, n, Vector<float>()),
                    "call: x has 4294967296 rows, more than 2^32 - 1");
}

}  // namespace training_set_test
