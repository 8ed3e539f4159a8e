// SPDX-License-Identifier: MIT
#include <sys/stat.h>

#include <filesystem>
#include <future>
#include <limits>
#include <linea/io/mapped_file.hpp>
#include <linea/io/write_binary.hpp>
#include <stdexcept>

#include "support/binary_file.hpp"
#include "support/catch.hpp"
#include "support/temporary_file.hpp"
#include "support/temporary_folder.hpp"

using namespace linea;
using namespace linea::test;

TEST_CASE("write_binary: writes the same file of every layout of the same samples", "[io]") {
  const TemporaryFile file;
  const auto bytes = [&](const auto& x) {
    write_binary(file.path(), x, targets<double>(x.rows()));
    return slurp(file.path());
  };
  const auto rows = dense_samples<double>(9, 4);
  const Eigen::MatrixXd columns = rows;
  Eigen::MatrixXd wider = Eigen::MatrixXd::Zero(11, 9);
  wider.block(2, 3, 9, 4) = rows;
  CHECK(bytes(columns) == bytes(rows));
  CHECK(bytes(wider.block(2, 3, 9, 4)) == bytes(rows));

  const auto loose = sparse_samples<double, int>(9, 4);
  auto tight = loose;
  tight.makeCompressed();
  CHECK_FALSE(loose.isCompressed());
  CHECK(bytes(tight) == bytes(loose));
  Double more(12, 4);
  more.middleRows(2, 9) = tight;
  more.insert(0, 1) = 5;
  CHECK(bytes(more.middleRows(2, 9)) == bytes(loose));
}

TEST_CASE("write_binary: writes targets in the scalar type of the samples", "[io]") {
  const TemporaryFile file;
  const Matrix<float> x = dense_samples<float>(3, 2);
  write_binary(file.path(), x, Eigen::Vector3d(0.1, -1, 7));
  const auto of_doubles = map_binary<Matrix<float>>(file.path());
  CHECK(of_doubles.y() == Eigen::Vector3f(0.1F, -1, 7));
  write_binary(file.path(), x, Eigen::Vector3i(3, -1, 7));
  const auto of_whole_numbers = map_binary<Matrix<float>>(file.path());
  CHECK(of_whole_numbers.y() == Eigen::Vector3f(3, -1, 7));
  CHECK_THROWS_WITH(write_binary(file.path(), x, Eigen::Vector3d(0, 1e300, 7)),
                    "write_binary: y(1) is not finite");
}

TEST_CASE("write_binary: refuses what no reader would have given", "[io]") {
  const TemporaryFile file("before");
  const Vector<double> y = targets<double>(3);
  CHECK_THROWS_WITH(write_binary(file.path(), Double(4, 2), y),
                    "write_binary: x has 4 rows but y has 3");
  CHECK_THROWS_WITH(write_binary(file.path(), Double(0, 2), Vector<double>()),
                    "write_binary: x has no rows");
  Matrix<double> dense = dense_samples<double>(3, 2);
  dense(2, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH(write_binary(file.path(), dense, y), "write_binary: x(2, 1) is not finite");
  Double sparse(3, 9);
  sparse.insert(1, 7) = std::numeric_limits<double>::infinity();
  CHECK_THROWS_WITH(write_binary(file.path(), sparse, y), "write_binary: x(1, 7) is not finite");
  sparse.coeffRef(1, 7) = 1;
  sparse.insert(1, 8) = 1;
  sparse.makeCompressed();
  sparse.innerIndexPtr()[1] = 6;
  CHECK_THROWS_WITH(write_binary(file.path(), sparse, y),
                    "write_binary: columns must ascend, but in row 1 column 6 comes after 7");
  CHECK_THROWS_AS(write_binary(file.path(), sparse, y), std::invalid_argument);
  CHECK(slurp(file.path()) == "before");
}

TEST_CASE("write_binary: leaves nothing but whole files behind", "[io]") {
  const TemporaryFolder folder;
  using Names = std::set<std::string>;
  const Vector<double> y = targets<double>(3);
  Matrix<double> x = dense_samples<double>(3, 2);
  write_binary(folder / "data", x, y);
  CHECK(folder.names() == Names{"data"});

  const auto mapped = map_binary<Matrix<double>>(folder / "data");
  const Matrix<double> before = x;
  x(0, 0) = 5;
  spill(folder / "data.draft0", "of somebody else");
  write_binary(folder / "data", x, y);
  CHECK(slurp(folder / "data.draft0") == "of somebody else");
  const auto now = map_binary<Matrix<double>>(folder / "data");
  CHECK(now.x() == x);
  CHECK(mapped.x() == before);

  x(2, 0) = std::numeric_limits<double>::infinity();
  CHECK_THROWS_AS(write_binary(folder / "data", x, y), std::invalid_argument);
  CHECK(folder.names() == Names{"data", "data.draft0"});
  x(2, 0) = 0;
  CHECK_THROWS_WITH(
      write_binary(folder.path(), x, y),
      Catch::Matchers::StartsWith("write_binary: cannot write '" + folder.path().string() + "': "));
  CHECK_FALSE(std::filesystem::exists(folder.path().string() + ".draft0"));
  CHECK_THROWS_WITH(
      write_binary(folder / "none" / "data", x, y),
      Catch::Matchers::StartsWith("write_binary: cannot write '" +
                                  (folder / "none" / "data").string() + "': No such file"));
}

TEST_CASE("write_binary: gives a pipe the bytes of a file", "[io]") {
  const TemporaryFolder folder;
  const auto pipe = folder / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const Vector<double> y = targets<double>(40);
  const auto agrees = [&](const auto& x) {
    using X = std::remove_cvref_t<decltype(x)>;
    auto read = std::async(std::launch::async, [&] { return map_binary<X>(pipe, {true}); });
    write_binary(pipe, x, y);
    const auto mapped = read.get();
    CHECK(std::filesystem::is_fifo(pipe));
    CHECK(Matrix<double>(mapped.x()) == Matrix<double>(x));
    CHECK(mapped.y() == y);
  };
  agrees(dense_samples<double>(40, 900));
  agrees(sparse_samples<double, int>(40, 900));
  CHECK(folder.names() == std::set<std::string>{"pipe"});
}
