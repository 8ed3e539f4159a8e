// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <linea/core/random.hpp>
#include <linea/data/split.hpp>
#include <linea/files/binary.hpp>
#include <linea/files/libsvm.hpp>
#include <linea/files/write_binary.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "data/same_bits.hpp"
#include "data/temporary_file.hpp"
#include "support/catch.hpp"

namespace {

using linea::Index;
using linea::map_binary;
using linea::Matrix;
using linea::SparseMatrix;
using linea::Vector;
using linea::write_binary;
using linea::files::BinaryHeader;
using linea::files::BinarySections;

std::string slurp(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// In a new file: some file systems wait for the disk when an old one is cut and filled again.
void spill(const std::filesystem::path& path, const std::string& bytes) {
  std::filesystem::remove(path);
  std::ofstream(path, std::ios::binary) << bytes;
}

/// Rows 0, 3, 6 … without an entry; every fifth entry is a stored 0, one of them −0.
template <class T, class I>
SparseMatrix<T, I> sparse_samples(Index n, Index d) {
  linea::Random random(3);
  SparseMatrix<T, I> x(n, d);
  Index k = 0;
  for (Index i = 0; i < n; ++i)
    for (auto j = static_cast<Index>(random.below(3)); i % 3 && j < d;
         j += 1 + static_cast<Index>(random.below(4)))
      x.insert(i, j) = k++ % 5 ? static_cast<T>(random.uniform() - 0.5) : k == 1 ? -T(0) : T(0);
  return x;
}

template <class T>
Matrix<T> dense_samples(Index n, Index d) {
  linea::Random random(4);
  Matrix<T> x(n, d);
  for (T& value : x.reshaped()) value = static_cast<T>(random.uniform() - 0.5);
  x(0, 0) = -T(0);
  x(n - 1, d - 1) = std::numeric_limits<T>::denorm_min();
  return x;
}

template <class X>
X samples(Index n, Index d) {
  if constexpr (linea::SparseSamples<X>)
    return sparse_samples<typename X::Scalar, typename X::StorageIndex>(n, d);
  else
    return dense_samples<typename X::Scalar>(n, d);
}

template <class T>
Vector<T> targets(Index n) {
  Vector<T> y(n);
  for (Index i = 0; i < n; ++i) y[i] = i % 2 ? T(1) / static_cast<T>(i) : -T(i);
  return y;
}

/// A file of samples<X>(n, d), and its bytes to be changed.
template <class X>
class Written {
 public:
  explicit Written(Index n = 7, Index d = 5) {
    write_binary(file_.path(), samples<X>(n, d), targets<typename X::Scalar>(n));
    bytes = slurp(file_.path());
  }

  BinaryHeader header() const {
    BinaryHeader header;
    std::memcpy(&header, bytes.data(), sizeof header);
    return header;
  }

  /// With a checksum to match.
  void set_header(BinaryHeader header) {
    header.header_checksum = header.checksum();
    std::memcpy(bytes.data(), &header, sizeof header);
  }

  template <class V>
  void set(std::uint64_t offset, Index k, V value) {
    std::memcpy(bytes.data() + offset + static_cast<std::size_t>(k) * sizeof value, &value,
                sizeof value);
  }

  /// What map_binary says of the bytes behind the path; "" when it takes them.
  template <class Asked = X>
  std::string refusal(const linea::BinaryOptions& options = {}) const {
    spill(file_.path(), bytes);
    const std::string begin = "map_binary: '" + file_.path().string() + "' ";
    try {
      map_binary<Asked>(file_.path(), options);
    } catch (const std::invalid_argument& error) {
      const std::string message = error.what();
      CHECK(message.substr(0, begin.size()) == begin);
      return message.substr(std::min(begin.size(), message.size()));
    }
    return "";
  }

  std::string bytes;

 private:
  TemporaryFile file_;
};

using Float = SparseMatrix<float>;
using Double = SparseMatrix<double>;
using WideFloat = SparseMatrix<float, std::int64_t>;
using WideDouble = SparseMatrix<double, std::int64_t>;

static_assert(std::is_nothrow_move_constructible_v<linea::MappedData<double>>);
static_assert(!std::is_copy_constructible_v<linea::MappedData<double>>);
static_assert(linea::SparseSamples<decltype(std::declval<linea::MappedData<float>>().x())>);
static_assert(linea::DenseSamples<decltype(std::declval<linea::MappedRows<float>>().x())>);
static_assert(linea::VectorLike<decltype(std::declval<linea::MappedRows<float>>().y())>);
static_assert(!linea::BinarySamples<SparseMatrix<double, std::int8_t>>);

}  // namespace

TEMPLATE_TEST_CASE("map_binary: gives back the bits that were written", "[data]", Matrix<float>,
                   Matrix<double>, Float, Double, WideFloat, WideDouble) {
  using X = TestType;
  using T = typename X::Scalar;
  const auto is_aligned = [](const auto* part) {
    return reinterpret_cast<std::uintptr_t>(part) % 64 == 0;
  };
  const TemporaryFile file;
  for (const Index n : {1, 16, 50}) {
    const auto x = samples<X>(n, 17);
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

TEST_CASE("map_binary: gives back samples without entries and without features", "[data]") {
  const TemporaryFile file;
  const Vector<double> y = targets<double>(3);
  write_binary(file.path(), Double(3, 4), y);
  CHECK(map_binary<Double>(file.path()).x().cols() == 4);
  CHECK(map_binary<Double>(file.path()).x().nonZeros() == 0);
  write_binary(file.path(), Double(3, 0), y);
  CHECK(map_binary<Double>(file.path()).x().cols() == 0);
  CHECK(map_binary<Double>(file.path()).y() == y);
  write_binary(file.path(), Matrix<double>(3, 0), y);
  CHECK(map_binary<Matrix<double>>(file.path()).x().rows() == 3);
  CHECK(map_binary<Matrix<double>>(file.path()).x().cols() == 0);
}

TEST_CASE("write_binary: writes the same file of every layout of the same samples", "[data]") {
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

TEST_CASE("write_binary: writes targets in the scalar type of the samples", "[data]") {
  const TemporaryFile file;
  const Matrix<float> x = dense_samples<float>(3, 2);
  write_binary(file.path(), x, Eigen::Vector3d(0.1, -1, 7));
  CHECK(map_binary<Matrix<float>>(file.path()).y() == Eigen::Vector3f(0.1F, -1, 7));
  write_binary(file.path(), x, Eigen::Vector3i(3, -1, 7));
  CHECK(map_binary<Matrix<float>>(file.path()).y() == Eigen::Vector3f(3, -1, 7));
  CHECK_THROWS_WITH(write_binary(file.path(), x, Eigen::Vector3d(0, 1e300, 7)),
                    "write_binary: y(1) is not finite");
}

TEST_CASE("write_binary: refuses what no reader would have given", "[data]") {
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

TEST_CASE("write_binary: leaves nothing but whole files behind", "[data]") {
  const TemporaryFile name;
  const std::filesystem::path folder = name.path().string() + "_folder";
  std::filesystem::create_directory(folder);
  const auto files = [&] { return std::distance(std::filesystem::directory_iterator(folder), {}); };
  const Vector<double> y = targets<double>(3);
  Matrix<double> x = dense_samples<double>(3, 2);
  write_binary(folder / "data", x, y);
  CHECK(files() == 1);

  const auto mapped = map_binary<Matrix<double>>(folder / "data");
  const Matrix<double> before = x;
  x(0, 0) = 5;
  spill(folder / "data.draft0", "of somebody else");
  write_binary(folder / "data", x, y);
  CHECK(slurp(folder / "data.draft0") == "of somebody else");
  CHECK(files() == 2);
  CHECK(map_binary<Matrix<double>>(folder / "data").x() == x);
  CHECK(mapped.x() == before);

  x(2, 0) = std::numeric_limits<double>::infinity();
  CHECK_THROWS_AS(write_binary(folder / "data", x, y), std::invalid_argument);
  CHECK(files() == 2);
  x(2, 0) = 0;
  CHECK_THROWS_WITH(
      write_binary(folder, x, y),
      Catch::Matchers::StartsWith("write_binary: cannot replace '" + folder.string() + "': "));
  CHECK_FALSE(std::filesystem::exists(folder.string() + ".draft0"));
  CHECK_THROWS_WITH(
      write_binary(folder / "none" / "data", x, y),
      Catch::Matchers::StartsWith("write_binary: cannot open '" +
                                  (folder / "none" / "data").string() + "': No such file"));
  std::filesystem::remove_all(folder);
}

TEST_CASE("map_binary: moves with its samples", "[data]") {
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

TEST_CASE("map_binary: feeds optimizers as the matrices themselves do", "[data]") {
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

TEST_CASE("map_binary: refuses files that are not its own", "[data]") {
  Written<Double> written;
  const auto whole = written.bytes;
  CHECK(written.refusal() == "");
  written.bytes = "+1 1:0.5 7:2\n";
  CHECK(written.refusal() == "is no binary file of linea: it begins with '+1 1:0.5'");
  written.bytes = "";
  CHECK(written.refusal() == "is no binary file of linea: it begins with ''");
  written.bytes = whole.substr(0, 127);
  CHECK(written.refusal() == "has 127 bytes, but the header alone has 128");
  written.bytes = whole.substr(0, whole.size() - 1);
  CHECK(written.refusal() == "has " + std::to_string(whole.size() - 1) +
                                 " bytes, but its header asks for " + std::to_string(whole.size()));
  written.bytes = whole + '\0';
  CHECK(written.refusal() == "has " + std::to_string(whole.size() + 1) +
                                 " bytes, but its header asks for " + std::to_string(whole.size()));

  CHECK_THROWS_WITH(
      map_binary<Double>("no/such/file"),
      Catch::Matchers::StartsWith("map_binary: cannot open 'no/such/file': No such file"));
  const auto folder = std::filesystem::temp_directory_path();
  CHECK_THROWS_WITH(map_binary<Double>(folder),
                    "map_binary: cannot open '" + folder.string() + "': it is a directory");
}

TEST_CASE("map_binary: refuses another byte order, version, layout or type", "[data]") {
  Written<Double> written;
  const auto whole = written.bytes;
  std::swap(written.bytes[8], written.bytes[11]);
  std::swap(written.bytes[9], written.bytes[10]);
  CHECK(written.refusal() == "is of another byte order: its mark is 0x4030201, but 0x1020304 here");
  written.bytes = whole;
  auto header = written.header();
  header.version = 2;
  written.set_header(header);
  CHECK(written.refusal() == "has version 2 of the format, but version 1 can be read");

  written.bytes = whole;
  const std::string own = "holds sparse double samples with 32-bit indices, but ";
  CHECK(written.refusal<Float>() ==
        own + "sparse float samples with 32-bit indices were asked for");
  CHECK(written.refusal<WideDouble>() ==
        own + "sparse double samples with 64-bit indices were asked for");
  CHECK(written.refusal<Matrix<double>>() == own + "dense double samples were asked for");
  CHECK(Written<Matrix<float>>().refusal<WideFloat>() ==
        "holds dense float samples, but sparse float samples with 64-bit indices were asked for");
}

TEST_CASE("map_binary: refuses sizes that do not fit one another", "[data]") {
  const auto refusal = [](auto written, auto&& change) {
    auto header = written.header();
    change(header);
    written.set_header(header);
    return written.refusal();
  };
  const auto with_rows = [](std::uint64_t rows) {
    return [=](BinaryHeader& header) { header.rows = rows; };
  };
  const std::string size = std::to_string(Written<Double>().bytes.size());
  auto longer = Written<Double>().header();
  longer.rows = 1000;
  CHECK(refusal(Written<Double>(), with_rows(1000)) ==
        "has " + size + " bytes, but its header asks for " +
            std::to_string(BinarySections(longer).end));
  CHECK(refusal(Written<Double>(), with_rows(std::uint64_t{1} << 61)) ==
        "holds x of 2305843009213693952 rows, 5 columns and " +
            std::to_string(Written<Double>().header().entries) +
            " entries, but 36028797018963968 is too many");
  CHECK(refusal(Written<Double>(), [](BinaryHeader& header) { header.cols = 3'000'000'000; }) ==
        "holds x of 3000000000 columns and " + std::to_string(Written<Double>().header().entries) +
            " entries, but 32-bit indices end at 2147483647");
  CHECK_THAT(
      refusal(Written<Double>(), [](BinaryHeader& header) { header.entries = 3'000'000'000; }),
      Catch::Matchers::EndsWith("and 3000000000 entries, but 32-bit indices end at 2147483647"));
  // (2³² + 1)² = 2⁶⁴ + 2³³ + 1: a product that overflows to something small.
  CHECK(refusal(Written<Matrix<double>>(),
                [](BinaryHeader& header) {
                  header.rows = header.cols = (std::uint64_t{1} << 32) + 1;
                  header.entries = header.rows * header.cols;
                }) ==
        "holds x of 4294967297 rows and 4294967297 columns, but 36028797018963968 entries are "
        "too many");
  CHECK(refusal(Written<Matrix<double>>(), with_rows(8)) ==
        "holds x of 8 rows and 5 columns, but 35 entries");
  CHECK_THAT(refusal(Written<Double>(), [](BinaryHeader& header) { header.file_bytes += 64; }),
             Catch::Matchers::StartsWith("has " + size + " bytes, but "));
}

TEMPLATE_TEST_CASE("map_binary: refuses rows and columns out of bounds", "[data]", Float,
                   WideDouble) {
  using I = typename TestType::StorageIndex;
  Written<TestType> written;
  const auto whole = written.bytes;
  const auto header = written.header();
  const BinarySections at(header);
  const auto entries = static_cast<I>(header.entries);
  REQUIRE(entries > 5);
  const std::string count = std::to_string(entries);

  written.set(at.starts, 7, I(entries + 1));
  CHECK(written.refusal() == "holds rows from entry 0 to entry " + std::to_string(entries + 1) +
                                 ", but there are " + count + " entries");
  written.bytes = whole;
  written.set(at.starts, 0, I(-1));
  CHECK(written.refusal() ==
        "holds rows from entry -1 to entry " + count + ", but there are " + count + " entries");
  written.bytes = whole;
  written.set(at.starts, 3, I(1 << 30));
  const auto* const starts = reinterpret_cast<const I*>(whole.data() + at.starts);
  CHECK(written.refusal() ==
        "holds a row 3 from entry 1073741824 to entry " + std::to_string(starts[4]));
  written.bytes = whole;
  written.set(at.starts, 1, I(-5));
  CHECK(written.refusal() == "holds a row 0 from entry 0 to entry -5");

  for (const I column :
       {I(5), I(-1), std::numeric_limits<I>::max(), std::numeric_limits<I>::min()}) {
    written.bytes = whole;
    written.set(at.columns, 0, column);
    CHECK(written.refusal() ==
          "holds an entry of row 1 in column " + std::to_string(column) + ", but x has 5 columns");
  }
  written.bytes = whole;
  written.set(at.columns, 0, I(4));
  CHECK(written.refusal() == "");  // within bounds: only the checksum tells
  CHECK_THAT(written.refusal({.verify = true}),
             Catch::Matchers::StartsWith("is damaged: its checksum is 0x") &&
                 Catch::Matchers::EndsWith(" is written in the header"));
}

TEMPLATE_TEST_CASE("map_binary: refuses any damage or stays within bounds", "[data]", Matrix<float>,
                   Float, WideDouble) {
  const Written<TestType> written;
  const TemporaryFile file;
  linea::Random random(5);
  for (std::size_t size = 0; size < written.bytes.size(); size += 1 + random.below(9)) {
    spill(file.path(), written.bytes.substr(0, size));
    CHECK_THROWS_AS(map_binary<TestType>(file.path()), std::invalid_argument);
  }
  int refused = 0;
  int taken = 0;
  for (std::size_t byte = 0; byte < written.bytes.size(); ++byte) {
    CAPTURE(byte);
    auto bytes = written.bytes;
    bytes[byte] = static_cast<char>(bytes[byte] ^ 1 << random.below(8));
    spill(file.path(), bytes);
    CHECK_THROWS_AS(map_binary<TestType>(file.path(), {.verify = true}), std::invalid_argument);
    try {
      const auto data = map_binary<TestType>(file.path());
      ++taken;
      CHECK(byte >= sizeof(BinaryHeader));
      const auto x = data.x();
      if constexpr (linea::SparseSamples<TestType>) {
        const auto* starts = x.outerIndexPtr();
        for (Index i = 0; i < x.rows(); ++i) REQUIRE(starts[i] <= starts[i + 1]);
        REQUIRE((starts[0] == 0 && starts[x.rows()] == x.nonZeros()));
        for (Index k = 0; k < x.nonZeros(); ++k)
          REQUIRE((x.innerIndexPtr()[k] >= 0 && x.innerIndexPtr()[k] < x.cols()));
      }
    } catch (const std::invalid_argument&) {
      ++refused;
    }
  }
  CHECK(refused >= 128);
  CHECK(taken > 100);
}

TEST_CASE("map_file: gives the bytes that read_file gives", "[data]") {
  for (const std::size_t size : {0U, 1U, 100U, 70000U}) {
    std::string text(size, '\0');
    for (std::size_t k = 0; k < size; ++k) text[k] = static_cast<char>(k * k % 251);
    const TemporaryFile file(text);
    const auto mapped = linea::files::map_file("f", file.path());
    const auto read = linea::files::read_file("f", file.path());
    CHECK(mapped.text() == text);
    CHECK(read.text() == text);
    CHECK(reinterpret_cast<std::uintptr_t>(read.data()) % 64 == 0);
  }
}
