// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <linea/core/random.hpp>
#include <linea/io/binary_format.hpp>
#include <linea/io/mapped_file.hpp>
#include <linea/io/write_binary.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include "support/binary_file.hpp"
#include "support/catch.hpp"
#include "support/random_place.hpp"
#include "support/refusal.hpp"
#include "support/temporary_file.hpp"

using namespace linea;
using namespace linea::test;
using linea::io::BinaryHeader;
using linea::io::BinarySections;

namespace {

/// A file of samples_of<X>(n, d), and its bytes to be changed.
template <class X>
class Written {
 public:
  explicit Written(Index n = 7, Index d = 5) {
    write_binary(file_.path(), samples_of<X>(n, d), targets<typename X::Scalar>(n));
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
    const std::string message = refusal_of([&] { (void)map_binary<Asked>(file_.path(), options); });
    if (message.empty()) return "";
    CHECK(message.substr(0, begin.size()) == begin);
    return message.substr(std::min(begin.size(), message.size()));
  }

  std::string bytes;

 private:
  TemporaryFile file_;
};

}  // namespace

TEST_CASE("map_binary: refuses files that are not its own", "[io]") {
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

TEST_CASE("map_binary: refuses another byte order, version, layout or type", "[io]") {
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
  if constexpr (sizeof(Index) == 8)
    CHECK(written.refusal<WideDouble>() ==
          own + "sparse double samples with 64-bit indices were asked for");
  CHECK(written.refusal<Matrix<double>>() == own + "dense double samples were asked for");
  CHECK(Written<Matrix<float>>().refusal<Float>() ==
        "holds dense float samples, but sparse float samples with 32-bit indices were asked for");
}

TEST_CASE("map_binary: refuses sizes that do not fit one another", "[io]") {
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
  const std::string entries = std::to_string(Written<Double>().header().entries);
  const std::string most = std::to_string(linea::io::most_numbers);
  CHECK(refusal(Written<Double>(), with_rows(std::uint64_t{1} << 61)) ==
        "holds x of 2305843009213693952 rows, 5 columns and " + entries + " entries, but " + most +
            " is too many");
  const auto too_wide = [](BinaryHeader& header) { header.cols = 3'000'000'000; };
  // (2³² + 1)² = 2⁶⁴ + 2³³ + 1: a product that overflows to something small.
  const auto too_large = [](BinaryHeader& header) {
    header.rows = header.cols = (std::uint64_t{1} << 32) + 1;
    header.entries = header.rows * header.cols;
  };
  const std::string wide = refusal(Written<Double>(), too_wide);
  const std::string large = refusal(Written<Matrix<double>>(), too_large);
  if constexpr (sizeof(Index) == 8) {
    CHECK(most == "36028797018963968");
    CHECK(wide == "holds x of 3000000000 columns and " + entries +
                      " entries, but 32-bit indices end at 2147483647");
    CHECK_THAT(
        refusal(Written<Double>(), [](BinaryHeader& header) { header.entries = 3'000'000'000; }),
        Catch::Matchers::EndsWith("and 3000000000 entries, but 32-bit indices end at 2147483647"));
    CHECK(large == "holds x of 4294967297 rows and 4294967297 columns, but " + most +
                       " entries are too many");
  } else {
    CHECK_THAT(wide, Catch::Matchers::EndsWith("but 2147483647 is too many"));
    CHECK_THAT(large, Catch::Matchers::EndsWith("but 2147483647 is too many"));
  }
  CHECK(refusal(Written<Matrix<double>>(), with_rows(8)) ==
        "holds x of 8 rows and 5 columns, but 35 entries");
  CHECK_THAT(refusal(Written<Double>(), [](BinaryHeader& header) { header.file_bytes += 64; }),
             Catch::Matchers::StartsWith("has " + size + " bytes, but "));
}

TEMPLATE_TEST_CASE("map_binary: refuses rows and columns out of bounds", "[io]", Float,
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

TEMPLATE_TEST_CASE("map_binary: refuses any damage or stays within bounds", "[io]", Matrix<float>,
                   Float, WideDouble) {
  const Written<TestType> written;
  const TemporaryFile file;
  linea::Random random(5);
  for (std::size_t size = 0; size < written.bytes.size(); size += 1 + random_place(random, 9)) {
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
