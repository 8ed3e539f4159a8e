// SPDX-License-Identifier: MIT
#include <cstdint>
#include <limits>
#include <linea/core/extras.hpp>
#include <linea/core/objective.hpp>
#include <linea/core/types.hpp>

#include "support/catch.hpp"

using namespace linea;

namespace {

using Columns = Eigen::MatrixXd;
using Rows = Matrix<double>;
using Strides = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
using ColumnSparse = Eigen::SparseMatrix<double>;

/// The type of an expression in a, a matrix of type M.
template <class M, class F>
using type_of = std::remove_cvref_t<std::invoke_result_t<F, M&>>;

constexpr auto row = [](auto& a) { return a.row(0); };
constexpr auto column = [](auto& a) { return a.col(0); };
constexpr auto head = [](auto& a) { return a.col(0).head(2); };
constexpr auto block_of_block = [](auto& a) { return a.block(0, 0, 2, 2).leftCols(1); };
constexpr auto transpose = [](auto& a) { return a.transpose(); };
constexpr auto array = [](auto& a) { return a.array(); };
constexpr auto product = [](auto& a) { return a * a; };
constexpr auto twice = [](auto& a) { return 2 * a; };
constexpr auto as_float = [](auto& a) { return a.template cast<float>(); };
constexpr auto middle_rows = [](auto& a) { return a.middleRows(1, 1); };

// Dense samples: what holds its numbers in memory.
static_assert(DenseSamples<Rows> && DenseSamples<Columns>);
static_assert(DenseSamples<Matrix<float>> && DenseSamples<Eigen::ArrayXXf>);
static_assert(DenseSamples<Eigen::Matrix3d> && DenseSamples<Eigen::VectorXd>);
static_assert(DenseSamples<Eigen::RowVectorXd>);
static_assert(DenseSamples<Eigen::Map<const Columns, 0, Strides>>);
static_assert(DenseSamples<Eigen::Map<Rows>>);
static_assert(DenseSamples<Eigen::Ref<const Columns>>);
static_assert(DenseSamples<Eigen::Ref<Rows, 0, Strides>>);
static_assert(DenseSamples<type_of<Columns, decltype(row)>>);
static_assert(DenseSamples<type_of<Rows, decltype(column)>>);
static_assert(DenseSamples<type_of<Columns, decltype(head)>>);
static_assert(DenseSamples<type_of<const Rows, decltype(block_of_block)>>);
static_assert(DenseSamples<type_of<Columns, decltype(transpose)>>);
static_assert(DenseSamples<type_of<Columns, decltype(array)>>);
// … and not what would be computed, or holds other numbers.
static_assert(!Samples<type_of<Columns, decltype(product)>>);
static_assert(!Samples<type_of<Columns, decltype(twice)>>);
static_assert(!Samples<type_of<Columns, decltype(as_float)>>);
static_assert(!Samples<Eigen::MatrixXi> && !Samples<Eigen::MatrixXcd>);
static_assert(!Samples<Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>>);
static_assert(!Samples<double> && !Samples<double*> && !Samples<std::string>);

// Sparse samples: row-major, whatever the index.
static_assert(SparseSamples<SparseMatrix<double>> && SparseSamples<SparseMatrix<float>>);
static_assert(SparseSamples<SparseMatrix<double, std::int64_t>>);
static_assert(SparseSamples<Eigen::Map<const SparseMatrix<double>>>);
static_assert(SparseSamples<Eigen::Ref<const SparseMatrix<double>>>);
static_assert(SparseSamples<type_of<const SparseMatrix<double>, decltype(row)>>);
static_assert(SparseSamples<type_of<SparseMatrix<double>, decltype(middle_rows)>>);
static_assert(SparseSamples<type_of<ColumnSparse, decltype(transpose)>>);
static_assert(!Samples<ColumnSparse> && !Samples<Eigen::Map<const ColumnSparse>>);
static_assert(!Samples<type_of<SparseMatrix<double>, decltype(transpose)>>);
static_assert(!Samples<type_of<SparseMatrix<double>, decltype(product)>>);
static_assert(!Samples<SparseMatrix<int>>);
static_assert(!Samples<Eigen::SparseVector<double>>);
static_assert(!Samples<Eigen::SparseVector<double, Eigen::RowMajor>>);
static_assert(!DenseSamples<SparseMatrix<double>> && !SparseSamples<Columns>);

// Targets: any real or integer vector or expression of one.
static_assert(VectorLike<Eigen::VectorXd> && VectorLike<Eigen::RowVectorXf>);
static_assert(VectorLike<Eigen::VectorXi> && VectorLike<Eigen::ArrayXd>);
static_assert(VectorLike<Eigen::Array<bool, Eigen::Dynamic, 1>>);
static_assert(VectorLike<type_of<Columns, decltype(column)>>);
static_assert(VectorLike<type_of<Eigen::VectorXd, decltype(twice)>>);
static_assert(!VectorLike<Columns> && !VectorLike<Eigen::VectorXcd> && !VectorLike<double>);

// Observers answer with a Control, or nothing.
constexpr auto silent = [](const Progress&) {};
constexpr auto in_control = [](const Progress&) { return Control::stop; };
constexpr auto yes_or_no = [](const Progress&) { return true; };
constexpr auto of_nothing = [] {};
struct Counter {
  int calls{0};
  void operator()(const Progress&) { ++calls; }
};
static_assert(Observer<decltype(silent)> && Observer<decltype(in_control)>);
static_assert(Observer<Counter> && Observer<Counter&> && !Observer<const Counter>);
static_assert(!Observer<decltype(yes_or_no)> && !Observer<decltype(of_nothing)>);

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("lambda_from_c: one over C times the samples, and back", "[core]") {
  CHECK(lambda_from_c(2, 50) == 0.01);
  CHECK(c_from_lambda(0.01, 50) == 2);
  for (const double lambda : {1e-12, 3e-4, 1.0, 7e5})
    for (const Index n : {Index{1}, Index{569}, Index{1} << 40})
      CHECK_THAT(lambda_from_c(c_from_lambda(lambda, n), n), WithinRel(lambda, 1e-15));
}

TEST_CASE("lambda_from_c: refuses what is not positive", "[core]") {
  REQUIRE_THROWS_AS(lambda_from_c(0, 10), std::invalid_argument);
  REQUIRE_THROWS_WITH(lambda_from_c(0, 10), "lambda_from_c: C = 0 is not a positive number");
  REQUIRE_THROWS_WITH(lambda_from_c(-1.5, 10), "lambda_from_c: C = -1.5 is not a positive number");
  REQUIRE_THROWS_WITH(lambda_from_c(infinity, 10), ContainsSubstring("is not a positive number"));
  REQUIRE_THROWS_WITH(lambda_from_c(1, 0), "lambda_from_c: n = 0 samples");
  REQUIRE_THROWS_WITH(c_from_lambda(0, 10), "c_from_lambda: lambda = 0 is not a positive number");
  REQUIRE_THROWS_WITH(c_from_lambda(std::numeric_limits<double>::quiet_NaN(), 10),
                      ContainsSubstring("is not a positive number"));
  REQUIRE_THROWS_WITH(c_from_lambda(1, -3), "c_from_lambda: n = -3 samples");
}

TEST_CASE("require: writes its parts one after the other, only when it refuses", "[core]") {
  REQUIRE_NOTHROW(require(true, "nothing"));
  REQUIRE_THROWS_AS(require(false, "f"), std::invalid_argument);
  REQUIRE_THROWS_WITH(require(false, "f: x(", Index{17}, ", ", 4, ") is ", 0.5),
                      "f: x(17, 4) is 0.5");
  static_assert([] {
    require(true, "at compile time");
    return true;
  }());
}

TEST_CASE("require: numbers are written the same whatever the locale", "[core]") {
  struct Grouped : std::numpunct<char> {
    char do_thousands_sep() const override { return '.'; }
    char do_decimal_point() const override { return ','; }
    std::string do_grouping() const override { return "\3"; }
  };
  struct Restore {
    std::locale before;
    ~Restore() { std::locale::global(before); }
  };
  const Restore restore{std::locale::global(std::locale(std::locale::classic(), new Grouped))};
  REQUIRE_THROWS_WITH(refuse("x has ", 60000, " rows and ", 0.5), "x has 60000 rows and 0.5");
}

TEST_CASE("Observer: what an observer answers reaches the run", "[core]") {
  Progress progress;
  progress.epoch = 3;

  const auto stopping = observed_by<double>(in_control);
  REQUIRE(stopping.observer(progress) == Control::stop);
  REQUIRE(stopping.sample_weights.size() == 0);
  REQUIRE(stopping.start_weights.size() == 0);

  Index seen = 0;
  const auto watching = observed_by<float>([&seen](const Progress& p) { seen = p.epoch; });
  REQUIRE(watching.observer(progress) == Control::proceed);
  REQUIRE(seen == 3);

  Counter counter;  // kept outside, so passed by reference
  const auto counting = observed_by<double>(std::ref(counter));
  counting.observer(progress);
  counting.observer(progress);
  REQUIRE(counter.calls == 2);

  REQUIRE_FALSE(Extras<double>{}.observer);
}
