// SPDX-License-Identifier: MIT
// write_binary and BinaryWriter must give the same bytes.
#include <filesystem>
#include <limits>
#include <linea/io/mapped_file.hpp>
#include <linea/io/write_binary.hpp>
#include <stdexcept>

#include "support/binary_file.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace linea;
using namespace linea::test;
using Catch::Matchers::StartsWith;
using NameSet = std::set<std::string>;

namespace {

template <class X, class Y>
std::string bytes_of(const X& x, const Y& y) {
  const TemporaryFolder folder;
  write_binary(folder / "data", x, y);
  return slurp(folder / "data");
}

/// Checks the file of a BinaryWriter that gets x in blocks of 0, 1, 2, 3, … rows, and files of
/// parts of its rows.
template <class X>
void check_whole_and_parts(const X& x) {
  const TemporaryFolder folder;
  const auto y = targets<double>(x.rows());
  BinaryWriter<X> writer(folder / "a.linea");
  for (Index begin = 0, count = 0; begin < x.rows(); begin += count, ++count) {
    count = std::min(count, x.rows() - begin);
    writer.add(X(x.middleRows(begin, count)), y.segment(begin, count));
  }
  CHECK(writer.rows() == x.rows());
  CHECK(writer.cols() == x.cols());
  writer.write(folder / "a.linea");
  CHECK(slurp(folder / "a.linea") == bytes_of(x, y));
  for (const Index begin : {Index{0}, Index{1}, x.rows() / 2, x.rows() - 1}) {
    const Index count = (x.rows() - begin + 1) / 2;
    writer.write(folder / "a.linea", begin, count);
    CHECK(slurp(folder / "a.linea") ==
          bytes_of(X(x.middleRows(begin, count)), y.segment(begin, count)));
  }
}

}  // namespace

TEST_CASE("write_binary: writes the same file for every layout of the same samples") {
  const auto y = targets<double>(9);
  const auto rows = dense_samples<double>(9, 4);
  Eigen::MatrixXd wider = Eigen::MatrixXd::Zero(11, 9);
  wider.block(2, 3, 9, 4) = rows;
  CHECK(bytes_of(Eigen::MatrixXd(rows), y) == bytes_of(rows, y));
  CHECK(bytes_of(wider.block(2, 3, 9, 4), y) == bytes_of(rows, y));

  const auto loose = sparse_samples<double, int>(9, 4);
  auto tight = loose;
  tight.makeCompressed();
  CHECK_FALSE(loose.isCompressed());
  CHECK(bytes_of(tight, y) == bytes_of(loose, y));
  Double more(12, 4);
  more.middleRows(2, 9) = tight;
  more.insert(0, 1) = 5;
  CHECK(bytes_of(more.middleRows(2, 9), y) == bytes_of(loose, y));

  // Targets are written in the scalar type of the samples.
  const Matrix<float> x = dense_samples<float>(3, 2);
  CHECK(bytes_of(x, Eigen::Vector3d(0.1, -1, 7)) == bytes_of(x, Eigen::Vector3f(0.1F, -1, 7)));
  CHECK(bytes_of(x, Eigen::Vector3i(3, -1, 7)) == bytes_of(x, Eigen::Vector3f(3, -1, 7)));
  CHECK_THROWS_WITH(bytes_of(x, Eigen::Vector3d(0, 1e300, 7)), "write_binary: y(1) is not finite");
}

TEST_CASE("write_binary: refuses invalid samples, and keeps the old file") {
  const TemporaryFolder folder;
  spill(folder / "data", "before");
  const auto refuses = [&](const auto& x, const std::string& message) {
    const Vector<double> y = targets<double>(x.rows() == 0 ? 0 : 3);
    CHECK_THROWS_WITH(write_binary(folder / "data", x, y), "write_binary: " + message);
  };
  refuses(Double(4, 2), "x has 4 rows but y has 3");
  refuses(Double(0, 2), "x has no rows");
  Matrix<double> dense = dense_samples<double>(3, 2);
  dense(2, 1) = std::numeric_limits<double>::quiet_NaN();
  refuses(dense, "x(2, 1) is not finite");
  Double sparse(3, 9);
  sparse.insert(1, 7) = std::numeric_limits<double>::infinity();
  refuses(sparse, "x(1, 7) is not finite");
  sparse.coeffRef(1, 7) = 1;
  sparse.insert(1, 8) = 1;
  sparse.makeCompressed();
  sparse.innerIndexPtr()[1] = 6;
  refuses(sparse, "columns must ascend, but in row 1 column 6 comes after 7");
  CHECK(slurp(folder / "data") == "before");
  for (const auto& [path, reason] :
       {std::pair{folder.path(), ""}, {folder / "none" / "data", "No such file"}})
    CHECK_THROWS_WITH(write_binary(path, dense_samples<double>(3, 2), targets<double>(3)),
                      StartsWith("write_binary: cannot write '" + path.string() + "': " + reason));
  CHECK(folder.names() == NameSet{"data"});
  CHECK_FALSE(std::filesystem::exists(folder.path().string() + ".draft0"));
}

TEST_CASE("write_binary: mapped samples stay valid when their file is replaced") {
  const TemporaryFolder folder;
  Matrix<double> x = dense_samples<double>(3, 2);
  write_binary(folder / "data", x, targets<double>(3));
  const auto mapped = map_binary<Matrix<double>>(folder / "data");
  const Matrix<double> before = x;
  x(0, 0) = 5;
  write_binary(folder / "data", x, targets<double>(3));
  const auto now = map_binary<Matrix<double>>(folder / "data");
  CHECK(now.x() == x);
  CHECK(mapped.x() == before);
}

TEST_CASE("BinaryWriter: blocks give the bytes of write_binary, whole and in parts") {
  check_whole_and_parts(sparse_samples<double, int>(41, 7));
  check_whole_and_parts(sparse_samples<float, Index>(23, 5));
  check_whole_and_parts(dense_samples<double>(17, 3));
  check_whole_and_parts(dense_samples<float>(9, 4));
}

TEST_CASE("BinaryWriter: more samples than its buffers hold") {
  const TemporaryFolder folder;
  const auto block = sparse_samples<double, int>(1000, 40);
  Double all(50000, 40);
  Vector<double> y(50000);
  BinaryWriter<Double> writer(folder / "a.linea");
  for (int k = 0; k < 50; ++k) {
    writer.add(block, Vector<double>::Constant(1000, k));
    all.middleRows(1000 * k, 1000) = block;
    y.segment(1000 * k, 1000).setConstant(k);
  }
  REQUIRE(writer.entries() * 12 > Index{1} << 22);
  writer.write(folder / "a.linea", 12345, 34567);
  CHECK(slurp(folder / "a.linea") ==
        bytes_of(Double(all.middleRows(12345, 34567)), y.segment(12345, 34567)));
}

TEST_CASE("BinaryWriter: the widest block sets the width, and only the file remains") {
  const TemporaryFolder folder;
  {
    BinaryWriter<Double> writer(folder / "a.linea");
    for (const Index d : {3, 5, 2}) writer.add(Double(1, d), targets<double>(1));
    CHECK(writer.cols() == 5);
    CHECK(!folder.names().empty());
    writer.write(folder / "a.linea");
  }
  CHECK(folder.names() == NameSet{"a.linea"});
  const auto written = map_binary<Double>(folder / "a.linea");
  CHECK(written.x().cols() == 5);
}

TEST_CASE("BinaryWriter: has the errors of write_binary, with the row in the whole") {
  const TemporaryFolder folder;
  const auto path = folder / "a.linea";
  BinaryWriter<Matrix<double>> writer(path);
  Matrix<double> x = dense_samples<double>(3, 2);
  Vector<double> y = targets<double>(3);
  writer.add(x, y);
  CHECK_THROWS_WITH(writer.add(x, targets<double>(2)),
                    "BinaryWriter: x has 3 rows but y has 2: a sample is a row of x, so pass "
                    "x.transpose()");
  CHECK_THROWS_WITH(writer.add(Matrix<double>(1, 3), targets<double>(1)),
                    "BinaryWriter: x has 3 columns, but those before it 2");
  CHECK_THROWS_WITH(writer.write(path, 1, 3), "BinaryWriter: rows 1 to 4 of 3");
  CHECK_THROWS_WITH(writer.write(path, 1, 0), "BinaryWriter: rows 1 to 1 of 3");
  CHECK_THROWS_WITH(writer.write(path, -1, 2), "BinaryWriter: rows -1 to 1 of 3");
  x(0, 1) = std::numeric_limits<double>::infinity();
  CHECK_THROWS_WITH(writer.add(x, y), "BinaryWriter: x(3, 1) is not finite");
  y[0] = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH(writer.add(x, y), "BinaryWriter: y(3) is not finite");
  CHECK_THROWS_WITH(BinaryWriter<Double>(folder / "no" / "a.linea"),
                    StartsWith("write_binary: cannot write '"));
  BinaryWriter<Double> none(path);
  CHECK_THROWS_WITH(none.write(path), "BinaryWriter: rows 0 to 0 of 0");
}
