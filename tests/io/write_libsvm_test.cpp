// SPDX-License-Identifier: MIT
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <linea/core/random.hpp>
#include <linea/io/libsvm.hpp>
#include <linea/io/write_libsvm.hpp>
#include <sstream>
#include <string>

#include "support/catch.hpp"
#include "support/random_place.hpp"
#include "support/same_bits.hpp"
#include "support/temporary_file.hpp"

using linea::Index;
using linea::Matrix;

namespace {

template <class X, class Y>
std::string written(const X& x, const Y& y) {
  std::ostringstream out;
  linea::write_libsvm(out, x, y);
  return out.str();
}

/// Returns a finite number: with probability 1/4 a special one, such as the least denormal, else
/// one with random bits, so that all exponents are equally likely.
template <class T>
T any_number(linea::Random& random) {
  constexpr auto limits = std::numeric_limits<T>();
  constexpr std::array extremes{T(0),         -T(0),           limits.denorm_min(), limits.min(),
                                limits.max(), limits.lowest(), limits.epsilon(),    T(1) / 3,
                                T(16777217)};
  if (random.below(4) == 0) return extremes[linea::test::random_place(random, extremes.size())];
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  for (;;)
    if (const T value = std::bit_cast<T>(static_cast<Bits>(random())); std::isfinite(value))
      return value;
}

template <class T>
linea::LabelledData<T> any_data(std::uint64_t seed) {
  linea::Random random(seed);
  const auto rows = static_cast<Index>(1 + random.below(6));
  const auto cols = static_cast<Index>(1 + random.below(8));
  linea::LabelledData<T> data{linea::SparseMatrix<T>(rows, cols), linea::Vector<double>(rows)};
  for (Index i = 0; i < rows; ++i) {
    data.y[i] = any_number<T>(random);
    for (Index j = 0; j < cols; ++j)
      if (random.below(2)) data.x.insert(i, j) = any_number<T>(random);
  }
  return data;  // not compressed: there are gaps between the rows
}

}  // namespace

TEMPLATE_TEST_CASE("write_libsvm: the text reads back bit for bit", "[io]", float, double) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const auto data = any_data<TestType>(seed);
    const auto read = [&](const std::string& text) {
      return linea::parse_libsvm<TestType>(text, "t", {.features = data.x.cols()});
    };
    CHECK(same_bits(read(written(data.x, data.y)), data));
    // The text of dense samples contains no entries of +0.
    const Matrix<TestType> dense = data.x.toDense();
    CHECK(same_bits(Matrix<TestType>(read(written(dense, data.y)).x), dense));
    const Eigen::Matrix<TestType, -1, -1> column_major = dense;
    CHECK(written(column_major, data.y) == written(dense, data.y));
    CHECK(written(dense.rightCols(1), data.y) == written(dense.rightCols(1).eval(), data.y));
  }
}

TEST_CASE("write_libsvm: writes the shortest numbers, indices from 1") {
  const Matrix<double> x{{0.1, 0, -2}, {0, 1e-300, 0}};
  CHECK(written(x, Eigen::Vector2d(1, -1)) == "1 1:0.1 3:-2\n-1 2:1e-300\n");
  CHECK(written(x, Eigen::Vector2i(3, -4)) == "3 1:0.1 3:-2\n-4 2:1e-300\n");
  CHECK(written(x, Eigen::Matrix<bool, 2, 1>(true, false)) == "1 1:0.1 3:-2\n0 2:1e-300\n");
  const Eigen::RowVector2f floats(0.1F, 16777216.0F);
  CHECK(written(floats, Eigen::Matrix<float, 1, 1>(0.1F)) == "0.1 1:0.1 2:16777216\n");
}

TEST_CASE("write_libsvm: refuses what could not be read back, and keeps the old file") {
  const Eigen::Vector2d y(1, 2);
  Matrix<double> x = Matrix<double>::Ones(2, 3);
  CHECK_THROWS_WITH(written(x, Eigen::Vector3d(1, 2, 3)),
                    "write_libsvm: x has 2 rows but y has 3: a sample is a row of x, so pass "
                    "x.transpose()");
  CHECK_THROWS_WITH(written(x.topRows(0), Eigen::VectorXd()), "write_libsvm: x has no rows");
  CHECK_THROWS_WITH(written(x, Eigen::Vector2d(1, std::nan(""))),
                    "write_libsvm: y(1) is not finite");
  linea::SparseMatrix<double> unsorted(2, 3);
  unsorted.insert(1, 0) = unsorted.insert(1, 2) = 1;
  unsorted.makeCompressed();
  std::swap(unsorted.innerIndexPtr()[0], unsorted.innerIndexPtr()[1]);
  CHECK_THROWS_WITH(written(unsorted, y),
                    "write_libsvm: columns must ascend, but in row 1 column 0 comes after 2");
  std::ostringstream broken;
  broken.setstate(std::ios::badbit);
  CHECK_THROWS_WITH(linea::write_libsvm(broken, x, y), "write_libsvm: the stream failed");
  const auto folder = std::filesystem::temp_directory_path();
  CHECK_THROWS_WITH(linea::write_libsvm(folder, x, y),
                    ContainsSubstring("write_libsvm: cannot write '" + folder.string() + "': "));
  const TemporaryFile file;
  linea::write_libsvm(file.path(), x, y);
  x(1, 2) = std::numeric_limits<double>::infinity();
  CHECK_THROWS_WITH(linea::write_libsvm(file.path(), x, y), "write_libsvm: x(1, 2) is not finite");
  CHECK(linea::read_libsvm<double>(file.path()).x.toDense() == Matrix<double>::Ones(2, 3));
}
