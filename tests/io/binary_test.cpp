// SPDX-License-Identifier: MIT
#include <cstdint>
#include <linea/data/split.hpp>
#include <linea/io/binary_format.hpp>
#include <linea/io/mapped_file.hpp>
#include <linea/io/write_binary.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>
#include <type_traits>
#include <utility>

#include "support/binary_file.hpp"
#include "support/catch.hpp"
#include "support/same_bits.hpp"
#include "support/temporary_file.hpp"

using namespace linea;
using namespace linea::test;

namespace {

static_assert(std::is_nothrow_move_constructible_v<linea::MappedData<double>>);
static_assert(!std::is_copy_constructible_v<linea::MappedData<double>>);
static_assert(linea::SparseSamples<decltype(std::declval<const linea::MappedData<float>&>().x())>);
static_assert(linea::DenseSamples<decltype(std::declval<const linea::MappedRows<float>&>().x())>);
static_assert(linea::VectorLike<decltype(std::declval<const linea::MappedRows<float>&>().y())>);
static_assert(!linea::BinarySamples<SparseMatrix<double, std::int8_t>>);

}  // namespace

TEMPLATE_TEST_CASE("map_binary: gives back the bits that were written", "[io]", Matrix<float>,
                   Matrix<double>, Float, Double, WideFloat, WideDouble) {
  using X = TestType;
  using T = typename X::Scalar;
  const auto is_aligned = [](const auto* part) {
    return reinterpret_cast<std::uintptr_t>(part) % 64 == 0;
  };
  const TemporaryFile file;
  for (const Index n : {1, 16, 50}) {
    const auto x = samples_of<X>(n, 17);
    const auto y = targets<T>(n);
    write_binary(file.path(), x, y);
    const auto data = map_binary<X>(file.path(), {.verify = true});
    CHECK(same_bits(X(data.x()), x));
    CHECK(same_bits(Vector<T>(data.y()), y));
    CHECK(is_aligned(data.y().data()));
    if constexpr (linea::SparseSamples<X>) {
      CHECK(data.x().nonZeros() == x.nonZeros());
      CHECK(data.x().isCompressed());
      CHECK(x.isCompressed() == (n == 1));
      CHECK(is_aligned(data.x().outerIndexPtr()));
      CHECK(is_aligned(data.x().innerIndexPtr()));
      CHECK(is_aligned(data.x().valuePtr()));
    } else {
      CHECK(is_aligned(data.x().data()));
    }
  }
}

TEST_CASE("map_binary: gives back samples without entries and without features", "[io]") {
  const TemporaryFile file;
  const Vector<double> y = targets<double>(3);
  write_binary(file.path(), Double(3, 4), y);
  const auto of_entries = map_binary<Double>(file.path());
  CHECK(of_entries.x().cols() == 4);
  CHECK(of_entries.x().nonZeros() == 0);
  write_binary(file.path(), Double(3, 0), y);
  const auto without_columns = map_binary<Double>(file.path());
  CHECK(without_columns.x().cols() == 0);
  CHECK(without_columns.y() == y);
  write_binary(file.path(), Matrix<double>(3, 0), y);
  const auto dense = map_binary<Matrix<double>>(file.path());
  CHECK(dense.x().rows() == 3);
  CHECK(dense.x().cols() == 0);
}

TEST_CASE("map_binary: moves with its samples", "[io]") {
  const TemporaryFile file;
  const auto x = dense_samples<double>(9, 4);
  write_binary(file.path(), x, targets<double>(9));
  auto first = map_binary<Matrix<double>>(file.path());
  const double* const data = first.x().data();
  auto second = std::move(first);
  CHECK(second.x().data() == data);
  CHECK(second.x() == x);
  first = map_binary<Matrix<double>>(file.path());
  CHECK(first.x() == x);
  second = std::move(first);
  CHECK(second.x() == x);
}

TEST_CASE("map_binary: feeds optimizers as the matrices themselves do", "[io]") {
  const TemporaryFile file;
  const auto check = [&](const auto& x) {
    using X = std::decay_t<decltype(x)>;
    Vector<double> y = targets<double>(x.rows());
    for (double& target : y) target = target > 0 ? 1 : -1;
    write_binary(file.path(), x, y);
    const auto data = map_binary<X>(file.path());
    const linea::Objective objective{linea::Hinge{}, linea::L2{1e-2}};
    const linea::Sgd sgd{.epochs = 3};
    const auto own = sgd.minimize(objective, x, y);
    const auto mapped = sgd.minimize(objective, data.x(), data.y());
    CHECK(own.weights == mapped.weights);
    CHECK(own.offset == mapped.offset);
    CHECK(own.weights.squaredNorm() > 0);
    const auto parts = linea::split(data.x(), data.y(), {.test_fraction = 0.5});
    CHECK(parts.train.x.rows() + parts.test.x.rows() == x.rows());
  };
  check(dense_samples<double>(40, 5));
  auto sparse = sparse_samples<double, int>(40, 5);
  sparse.makeCompressed();
  check(sparse);
}
