// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <linea/io/mapped_file.hpp>
#include <linea/io/write_binary.hpp>
#include <string>
#include <type_traits>
#include <utility>

#include "support/binary_file.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"
#include "support/same_bits.hpp"
#include "support/temporary_file.hpp"

using namespace linea;
using namespace linea::test;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using linea::io::BinaryHeader;
using linea::io::BinarySections;

namespace {

static_assert(std::is_nothrow_move_constructible_v<linea::MappedData<double>>);
static_assert(!std::is_copy_constructible_v<linea::MappedData<double>>);
static_assert(linea::SparseSamples<decltype(std::declval<const linea::MappedData<float>&>().x())>);
static_assert(linea::DenseSamples<decltype(std::declval<const linea::MappedRows<float>&>().x())>);
static_assert(linea::VectorLike<decltype(std::declval<const linea::MappedRows<float>&>().y())>);
static_assert(!linea::BinarySamples<SparseMatrix<double, std::int8_t>>);

/// Returns the bytes of a file with 7 samples of 5 features.
template <class X>
std::string written() {
  const TemporaryFile file;
  write_binary(file.path(), samples_of<X>(7, 5), targets<typename X::Scalar>(7));
  return slurp(file.path());
}

BinaryHeader header_of(const std::string& bytes) {
  BinaryHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  return header;
}

/// Returns the bytes with a changed header and a corrected checksum.
template <class F>
std::string with_header(std::string bytes, F&& change) {
  BinaryHeader header = header_of(bytes);
  change(header);
  header.header_checksum = header.checksum();
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

template <class V>
std::string with(std::string bytes, std::uint64_t offset, std::size_t k, V value) {
  std::memcpy(bytes.data() + offset + k * sizeof value, &value, sizeof value);
  return bytes;
}

/// Returns the error of map_binary for a file of these bytes, without the name of the file, or ""
/// if there is none.
template <class X>
std::string refusal(const std::string& bytes, const linea::BinaryOptions& options = {}) {
  const TemporaryFile file(bytes);
  const std::string begin = "map_binary: '" + file.path().string() + "' ";
  const std::string message = refusal_of([&] { (void)map_binary<X>(file.path(), options); });
  if (message.empty()) return "";
  CHECK_THAT(message, StartsWith(begin));
  return message.substr(begin.size());
}

}  // namespace

TEST_CASE("map_file and read_file: give the bytes of a file") {
  for (const std::size_t size : {0U, 1U, 100U, 70000U}) {
    std::string text(size, '\0');
    for (std::size_t k = 0; k < size; ++k) text[k] = static_cast<char>(k * k % 251);
    const TemporaryFile file(text);
    const auto mapped = linea::io::map_file("f", file.path());
    const auto read = linea::io::read_file("f", file.path());
    CHECK(mapped.text() == text);
    CHECK(read.text() == text);
    CHECK(reinterpret_cast<std::uintptr_t>(read.data()) % 64 == 0);
  }
}

TEST_CASE("map_file: maps a file beyond 4 GiB completely, or not at all") {
  const TemporaryFile file;
  constexpr std::uintmax_t size = (std::uintmax_t{1} << 32) + 4096;
  std::filesystem::resize_file(file.path(), size);  // a sparse file, which reads as zeros
  if constexpr (sizeof(std::size_t) > 4)
    CHECK(linea::io::map_file("f", file.path()).size() == size);
  else
    CHECK_THROWS_WITH(linea::io::map_file("f", file.path()),
                      ContainsSubstring("needs 4294971393 bytes of memory"));
}

TEMPLATE_TEST_CASE("map_binary: returns the bits that were written", "[io]", Matrix<float>,
                   Matrix<double>, Float, Double, WideFloat, WideDouble) {
  using X = TestType;
  using T = typename X::Scalar;
  const auto is_aligned = [](const auto* part) {
    return reinterpret_cast<std::uintptr_t>(part) % 64 == 0;
  };
  const TemporaryFile file;
  for (const auto& [n, d] : {std::pair<Index, Index>{1, 17}, {16, 17}, {50, 17}, {3, 0}}) {
    const X x = d > 0 ? samples_of<X>(n, d) : X(n, d);
    const auto y = targets<T>(n);
    write_binary(file.path(), x, y);
    auto first = map_binary<X>(file.path(), {.verify = true});
    const auto* const targets_before = first.y().data();
    const auto data = std::move(first);
    CHECK(data.y().data() == targets_before);
    CHECK(same_bits(X(data.x()), x));
    CHECK(same_bits(Vector<T>(data.y()), y));
    CHECK(is_aligned(data.y().data()));
    if constexpr (linea::SparseSamples<X>) {
      CHECK(data.x().nonZeros() == x.nonZeros());
      CHECK(data.x().isCompressed());
      CHECK(x.isCompressed() == (n == 1 || d == 0));
      CHECK(is_aligned(data.x().outerIndexPtr()));
      CHECK(is_aligned(data.x().innerIndexPtr()));
      CHECK(is_aligned(data.x().valuePtr()));
    } else {
      CHECK(is_aligned(data.x().data()));
    }
    first = map_binary<X>(file.path());
    CHECK(same_bits(X(first.x()), x));
  }
}

TEST_CASE("map_binary: refuses files of other formats or types") {
  const auto whole = written<Double>();
  const auto size = [](std::size_t bytes) {
    return "has " + std::to_string(bytes) + " bytes, but ";
  };
  const std::string asks = "its header asks for " + std::to_string(whole.size());
  CHECK(refusal<Double>(whole) == "");
  CHECK(refusal<Double>("+1 1:0.5 7:2\n") ==
        "is not a binary file of linea: it begins with '+1 1:0.5'");
  CHECK(refusal<Double>("") == "is not a binary file of linea: it begins with ''");
  CHECK(refusal<Double>(whole.substr(0, 127)) == size(127) + "the header alone has 128");
  CHECK(refusal<Double>(whole.substr(0, whole.size() - 1)) == size(whole.size() - 1) + asks);
  CHECK(refusal<Double>(whole + '\0') == size(whole.size() + 1) + asks);
  CHECK(refusal<Double>(with(whole, 8, 0, std::uint32_t{0x4030201})) ==
        "is of another byte order: its mark is 0x4030201, but 0x1020304 here");
  CHECK(refusal<Double>(with_header(whole, [](auto& header) { header.version = 2; })) ==
        "has version 2 of the format, but only version 1 can be read");
  const std::string own = "holds sparse double samples with 32-bit indices, but ";
  CHECK(refusal<Float>(whole) == own + "sparse float samples with 32-bit indices were asked for");
  if constexpr (sizeof(Index) == 8)
    CHECK(refusal<WideDouble>(whole) ==
          own + "sparse double samples with 64-bit indices were asked for");
  CHECK(refusal<Matrix<double>>(whole) == own + "dense double samples were asked for");
  CHECK(refusal<Float>(written<Matrix<float>>()) ==
        "holds dense float samples, but sparse float samples with 32-bit indices were asked for");

  CHECK_THROWS_WITH(map_binary<Double>("no/such/file"),
                    StartsWith("map_binary: cannot open 'no/such/file': No such file"));
  const auto folder = std::filesystem::temp_directory_path();
  CHECK_THROWS_WITH(map_binary<Double>(folder),
                    "map_binary: cannot open '" + folder.string() + "': it is a directory");
}

TEST_CASE("map_binary: refuses inconsistent sizes") {
  const std::string sparse = written<Double>();
  const auto changed = [&](auto&& change) { return refusal<Double>(with_header(sparse, change)); };
  const std::string has = "has " + std::to_string(sparse.size()) + " bytes, but ";
  const std::string entries = std::to_string(header_of(sparse).entries);
  const std::string most = std::to_string(linea::io::most_numbers);
  auto longer = header_of(sparse);
  longer.rows = 1000;
  CHECK(changed([](auto& header) { header.rows = 1000; }) ==
        has + "its header asks for " + std::to_string(BinarySections(longer).end));
  CHECK(changed([](auto& header) { header.rows = std::uint64_t{1} << 61; }) ==
        "holds x of 2305843009213693952 rows, 5 columns and " + entries + " entries, but " + most +
            " is too many");
  CHECK_THAT(changed([](auto& header) { header.file_bytes += 64; }), StartsWith(has));
  const std::string wide = changed([](auto& header) { header.cols = 3'000'000'000; });
  const std::string dense = written<Matrix<double>>();
  CHECK(refusal<Matrix<double>>(with_header(dense, [](auto& header) { header.rows = 8; })) ==
        "holds x of 8 rows and 5 columns, but 35 entries");
  // (2³² + 1)² = 2⁶⁴ + 2³³ + 1: the product overflows to a small number.
  const std::string large = refusal<Matrix<double>>(with_header(dense, [](auto& header) {
    header.rows = header.cols = (std::uint64_t{1} << 32) + 1;
    header.entries = header.rows * header.cols;
  }));
  if constexpr (sizeof(Index) == 8) {
    CHECK(most == "36028797018963968");
    CHECK(wide == "holds x of 3000000000 columns and " + entries +
                      " entries, but 32-bit indices end at 2147483647");
    CHECK_THAT(changed([](auto& header) { header.entries = 3'000'000'000; }),
               EndsWith("and 3000000000 entries, but 32-bit indices end at 2147483647"));
    CHECK(large == "holds x of 4294967297 rows and 4294967297 columns, but " + most +
                       " entries are too many");
  } else {
    CHECK_THAT(wide, EndsWith("but 2147483647 is too many"));
    CHECK_THAT(large, EndsWith("but 2147483647 is too many"));
  }
}

TEMPLATE_TEST_CASE("map_binary: refuses rows and columns out of bounds", "[io]", Float,
                   WideDouble) {
  using X = TestType;
  using I = typename X::StorageIndex;
  const std::string whole = written<X>();
  const BinarySections at(header_of(whole));
  const auto entries = static_cast<I>(header_of(whole).entries);
  REQUIRE(entries > 5);
  const std::string count = std::to_string(entries);
  const auto start = [&](std::size_t row, I entry) {
    return refusal<X>(with(whole, at.starts, row, entry));
  };
  const std::string but = ", but there are " + count + " entries";
  CHECK(start(7, I(entries + 1)) ==
        "holds rows from entry 0 to entry " + std::to_string(entries + 1) + but);
  CHECK(start(0, I(-1)) == "holds rows from entry -1 to entry " + count + but);
  const auto* const starts = reinterpret_cast<const I*>(whole.data() + at.starts);
  CHECK(start(3, I(1 << 30)) ==
        "holds a row 3 from entry 1073741824 to entry " + std::to_string(starts[4]));
  CHECK(start(1, I(-5)) == "holds a row 0 from entry 0 to entry -5");
  for (const I column : {I(5), I(-1), std::numeric_limits<I>::max(), std::numeric_limits<I>::min()})
    CHECK(refusal<X>(with(whole, at.columns, 0, column)) ==
          "holds an entry of row 1 in column " + std::to_string(column) + ", but x has 5 columns");
  const std::string within = with(whole, at.columns, 0, I(4));
  CHECK(refusal<X>(within) == "");  // only the checksum detects an index that is within bounds
  CHECK_THAT(refusal<X>(within, {.verify = true}),
             StartsWith("is damaged: its checksum is 0x") && EndsWith(" is written in the header"));
}
