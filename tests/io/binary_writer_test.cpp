// SPDX-License-Identifier: MIT
// Samples that come block by block: the file is, to the byte, what write_binary makes of all at once.
#include <limits>
#include <linea/io/binary_writer.hpp>
#include <linea/io/mapped_file.hpp>
#include <stdexcept>

#include "support/binary_file.hpp"
#include "support/catch.hpp"
#include "support/temporary_file.hpp"
#include "support/temporary_folder.hpp"

using namespace linea;
using namespace linea::test;

namespace {

/// Adds x in blocks of 1, 2, 3, … rows, and one of none.
template <class X, class W>
void add_in_blocks(const X& x, W& writer) {
  const auto y = targets<double>(x.rows());
  writer.add(X(x.middleRows(0, 0)), Vector<double>());
  for (Index begin = 0, count = 1; begin < x.rows(); begin += count, ++count) {
    count = std::min(count, x.rows() - begin);
    writer.add(X(x.middleRows(begin, count)), y.segment(begin, count));
  }
}

template <class X>
void check_whole_and_parts(const X& x) {
  const TemporaryFolder folder;
  const auto y = targets<double>(x.rows());
  BinaryWriter<X> writer(folder / "a.linea");
  add_in_blocks(x, writer);
  CHECK(writer.rows() == x.rows());
  CHECK(writer.cols() == x.cols());
  writer.write(folder / "a.linea");
  write_binary(folder / "b.linea", x, y);
  CHECK(slurp(folder / "a.linea") == slurp(folder / "b.linea"));
  for (const Index begin : {Index{0}, Index{1}, x.rows() / 2, x.rows() - 1}) {
    const Index count = (x.rows() - begin + 1) / 2;
    writer.write(folder / "a.linea", begin, count);
    write_binary(folder / "b.linea", X(x.middleRows(begin, count)), y.segment(begin, count));
    CHECK(slurp(folder / "a.linea") == slurp(folder / "b.linea"));
    const auto written = map_binary<X>(folder / "a.linea", {.verify = true});
    CHECK(written.x().rows() == count);
  }
}

}  // namespace

TEST_CASE("BinaryWriter: blocks give the bytes of write_binary, whole and in parts", "[io]") {
  check_whole_and_parts(sparse_samples<double, int>(41, 7));
  check_whole_and_parts(sparse_samples<float, Index>(23, 5));
  check_whole_and_parts(Matrix<double>(dense_samples<double>(17, 3)));
  check_whole_and_parts(Matrix<float>(dense_samples<float>(9, 4)));
}

TEST_CASE("BinaryWriter: more samples than its buffers hold", "[io]") {
  const TemporaryFolder folder;
  const auto block = sparse_samples<double, int>(1000, 40);
  Double all(50000, 40);
  all.reserve(50 * block.nonZeros());
  BinaryWriter<Double> writer(folder / "a.linea");
  for (int k = 0; k < 50; ++k) {
    writer.add(block, Vector<double>::Constant(1000, k));
    for (Index i = 0; i < 1000; ++i) {
      all.startVec(1000 * k + i);
      for (Double::InnerIterator entry(block, i); entry; ++entry)
        all.insertBack(1000 * k + i, entry.col()) = entry.value();
    }
  }
  all.finalize();
  Vector<double> y(50000);
  for (Index i = 0; i < 50000; ++i) y[i] = static_cast<double>(i / 1000);
  REQUIRE(writer.entries() * 12 > Index{1} << 22);
  writer.write(folder / "a.linea", 12345, 34567);
  write_binary(folder / "b.linea", Double(all.middleRows(12345, 34567)), y.segment(12345, 34567));
  CHECK(slurp(folder / "a.linea") == slurp(folder / "b.linea"));
}

TEST_CASE("BinaryWriter: the widest block counts, and nothing stays but the file", "[io]") {
  const TemporaryFolder folder;
  {
    BinaryWriter<Double> writer(folder / "a.linea");
    for (const Index d : {3, 5, 2}) writer.add(Double(1, d), targets<double>(1));
    CHECK(writer.cols() == 5);
    CHECK(!folder.names().empty());
    writer.write(folder / "a.linea");
  }
  CHECK(folder.names() == std::set<std::string>{"a.linea"});
  const auto written = map_binary<Double>(folder / "a.linea");
  CHECK(written.x().cols() == 5);
}

TEST_CASE("BinaryWriter: refuses what write_binary refuses, with the row of all", "[io]") {
  const TemporaryFolder folder;
  const auto path = folder / "a.linea";
  BinaryWriter<Matrix<double>> writer(path);
  Matrix<double> x = dense_samples<double>(3, 2);
  writer.add(x, targets<double>(3));
  CHECK_THROWS_WITH(writer.add(x, targets<double>(2)), "BinaryWriter: x has 3 rows but y has 2");
  CHECK_THROWS_WITH(writer.add(Matrix<double>(1, 3), targets<double>(1)),
                    "BinaryWriter: x has 3 columns, but those before it 2");
  CHECK_THROWS_WITH(writer.write(path, 1, 3), "BinaryWriter: rows 1 to 4 of 3");
  CHECK_THROWS_WITH(writer.write(path, 1, 0), "BinaryWriter: rows 1 to 1 of 3");
  CHECK_THROWS_WITH(writer.write(path, -1, 2), "BinaryWriter: rows -1 to 1 of 3");
  x(0, 1) = std::numeric_limits<double>::infinity();
  CHECK_THROWS_WITH(writer.add(x, targets<double>(3)), "BinaryWriter: x(3, 1) is not finite");
  Vector<double> y = targets<double>(3);
  y[0] = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH(writer.add(x, y), "BinaryWriter: y(3) is not finite");
  CHECK_THROWS_WITH(BinaryWriter<Double>(folder / "no" / "a.linea"),
                    Catch::Matchers::StartsWith("write_binary: cannot write '"));
  BinaryWriter<Double> none(path);
  CHECK_THROWS_WITH(none.write(path), "BinaryWriter: rows 0 to 0 of 0");
}
