// SPDX-License-Identifier: MIT
#pragma once
/// \file Reader and writer of NumPy's .npy format.
#include <algorithm>  // max, min, reverse
#include <bit>        // endian
#include <cstddef>
#include <cstdint>
#include <cstring>  // memcpy
#include <filesystem>
#include <limits>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/io/file.hpp>
#include <linea/io/output_file.hpp>
#include <linea/io/text.hpp>  // escaped
#include <ostream>
#include <string>
#include <string_view>

namespace linea {

namespace io {

/// The header of a .npy file: the type of the numbers, and the size and layout of the array.
struct NpyHeader {
  char kind{'f'};  ///< the letter of the type in NumPy: f, i, u or b
  std::size_t bytes{8};
  bool is_swapped{false};  ///< is the byte order of the numbers not that of this machine?
  bool by_columns{false};
  Index rows{0};
  Index cols{1};
  std::size_t data{0};  ///< offset of the numbers in bytes
};

/// Returns the value of `key` in the header: the text up to the next character `end`, without
/// blanks around it. Throws if the header does not have the key, or has no `end` behind it.
inline std::string_view npy_value(std::string_view header, std::string_view key, char end,
                                  std::string_view source) {
  const auto at = header.find(key);
  require(at != header.npos, source, ": the .npy header has no ", key);
  std::string_view value = header.substr(at + key.size());
  const auto start = value.find_first_not_of(" :");
  value.remove_prefix(start == value.npos ? value.size() : start);
  const auto stop = value.find(end);
  require(stop != value.npos, source, ": the .npy header is cut off after ", key);
  return value.substr(0, value.substr(0, stop).find_last_not_of(' ') + 1);
}

/// Reads the sizes in a shape without its closing parenthesis, such as "(3, 4" or, by Python 2,
/// "(3L, 4L".
inline void set_npy_shape(std::string_view shape, std::string_view source, NpyHeader& header) {
  require(shape.starts_with('(') && shape.find_first_not_of("0123456789, L", 1) == shape.npos,
          source, ": the shape in the .npy header is '", escaped(shape),
          ")', but must be a tuple of sizes such as (3, 4)");
  constexpr auto most = static_cast<std::int64_t>(most_numbers);
  std::int64_t sizes[2]{0, 1};
  std::size_t count = 0;
  for (std::size_t at = 0; at < shape.size(); ++at) {
    if (shape[at] < '0' || shape[at] > '9') continue;
    require(count < 2, source, ": the array has more than two dimensions");
    std::int64_t size = 0;
    for (; at < shape.size() && shape[at] >= '0' && shape[at] <= '9'; ++at) {
      require(size < std::int64_t{1} << 50, source, ": the array is too large");
      size = 10 * size + (shape[at] - '0');
    }
    sizes[count++] = size;
  }
  require(count > 0, source, ": the array has no dimension");
  require(sizes[0] <= most && sizes[1] <= most / std::max(sizes[0], std::int64_t{1}), source,
          ": the array is too large");
  header.rows = detail::to<Index>(sizes[0]);
  header.cols = detail::to<Index>(sizes[1]);
}

inline NpyHeader npy_header(std::string_view bytes, std::string_view source) {
  const auto byte = [&](std::size_t k) {
    return std::size_t{static_cast<unsigned char>(bytes[k])};
  };
  require(bytes.size() >= 12 && bytes.substr(0, 6) == "\x93NUMPY", source, ": not a .npy file");
  require(byte(6) >= 1 && byte(6) <= 3, source, ": .npy version ", byte(6), " is not known");
  const std::size_t start = byte(6) == 1 ? 10 : 12;
  std::size_t size = byte(8) | byte(9) << 8;
  if (start == 12) size |= byte(10) << 16 | byte(11) << 24;
  require(bytes.size() - start >= size, source, ": the .npy header is cut off");
  const std::string_view text = bytes.substr(start, size);
  NpyHeader header;
  header.data = start + size;
  std::string_view type = npy_value(text, "'descr'", ',', source);
  const bool fits = type.size() == 5 && type.front() == '\'' && type.back() == '\'' &&
                    std::string_view("<>=|").find(type[1]) != type.npos &&
                    (type[1] != '|' || type[3] == '1');
  if (fits) type = type.substr(1, 3);
  header.kind = fits ? type[1] : '?';
  header.bytes = fits ? static_cast<std::size_t>(type[2] - '0') : 0;
  const auto is_size = [&](auto... sizes) { return ((header.bytes == sizes) || ...); };
  require((header.kind == 'f' && is_size(4u, 8u)) || (header.kind == 'b' && is_size(1u)) ||
              ((header.kind == 'i' || header.kind == 'u') && is_size(1u, 2u, 4u, 8u)),
          source, ": an array of ", type,
          ", but only f4, f8, i1 to i8, u1 to u8 and b1 can be read");
  constexpr char native = std::endian::native == std::endian::little ? '<' : '>';
  header.is_swapped = header.bytes > 1 && type[0] != native && type[0] != '=';
  const std::string_view order = npy_value(text, "'fortran_order'", ',', source);
  require(order == "True" || order == "False", source, ": 'fortran_order' in the .npy header is ",
          escaped(order), ", but must be True or False");
  header.by_columns = order == "True";
  set_npy_shape(npy_value(text, "'shape'", ')', source), source, header);
  return header;
}

template <class V>
double npy_number(const char* at, bool is_swapped) {
  char raw[sizeof(V)];
  std::memcpy(raw, at, sizeof raw);
  if (is_swapped) std::reverse(raw, raw + sizeof raw);
  V value;
  std::memcpy(&value, raw, sizeof value);
  return static_cast<double>(value);
}

/// Calls f with the function that reads one number of the header's type.
template <class F>
auto with_npy_number(const NpyHeader& header, F&& f) {
  const auto of_size = [&](auto one, auto two, auto four, auto eight) {
    if (header.bytes == 1) return f(&npy_number<decltype(one)>);
    if (header.bytes == 2) return f(&npy_number<decltype(two)>);
    if (header.bytes == 4) return f(&npy_number<decltype(four)>);
    return f(&npy_number<decltype(eight)>);
  };
  using std::int8_t, std::int16_t, std::int32_t, std::int64_t;
  if (header.kind == 'i') return of_size(int8_t{}, int16_t{}, int32_t{}, int64_t{});
  if (header.kind != 'f')
    return of_size(std::uint8_t{}, std::uint16_t{}, std::uint32_t{}, std::uint64_t{});
  return header.bytes == 4 ? f(&npy_number<float>) : f(&npy_number<double>);
}

}  // namespace io

/// Converts the bytes of a .npy file to a matrix (n × 1 or n × d). The array has one or two
/// dimensions, with numbers of type f4, f8, i1 to i8, u1 to u8 or b1, in any byte order and layout.
/// `source_name` is the name of the file in messages. Integers above 2⁵³ are rounded to doubles.
/// NaN and infinity are kept; optimizers reject them.
///
/// Throws std::invalid_argument for bytes of another format, for other types, for more dimensions,
/// for a file of another size than its header states, and for an empty array. Format:
/// numpy.lib.format, versions 1 to 3.
template <Scalar T>
Matrix<T> parse_npy(std::string_view bytes, std::string_view source_name) {
  const auto header = io::npy_header(bytes, source_name);
  const Index numbers = header.rows * header.cols;
  require(numbers > 0, source_name, ": the array is empty");
  const std::uint64_t needed = static_cast<std::uint64_t>(numbers) * header.bytes;
  require(bytes.size() - header.data == needed, source_name, ": an array of ", header.rows, " x ",
          header.cols, " needs ", needed, " bytes, but there are ", bytes.size() - header.data);
  Matrix<T> x(header.rows, header.cols);
  io::with_npy_number(header, [&](auto read) {
    const char* at = bytes.data() + header.data;
    for (Index outer = 0; outer < (header.by_columns ? x.cols() : x.rows()); ++outer)
      for (Index inner = 0; inner < (header.by_columns ? x.rows() : x.cols()); ++inner) {
        const double value = read(at, header.is_swapped);
        (header.by_columns ? x(inner, outer) : x(outer, inner)) = static_cast<T>(value);
        at += header.bytes;
      }
  });
  return x;
}

/// Reads a .npy file as `parse_npy` does; the whole file is in memory meanwhile. Throws also if the
/// file cannot be opened.
template <Scalar T>
[[nodiscard]] Matrix<T> read_npy(const std::filesystem::path& path) {
  const auto bytes = io::read_file("read_npy", path);
  return parse_npy<T>(bytes.text(), path.string());
}

/// Writes x (n × d) as a row-major array of f4 or f8, as `numpy.save` does. `numpy.load` and
/// `read_npy` return the same bits. Throws std::invalid_argument for an empty x and for a stream
/// that fails.
template <DenseSamples X>
void write_npy(std::ostream& out, const X& x) {
  using T = scalar_t<X>;
  require(x.size() > 0, "write_npy: x is empty (", x.rows(), " x ", x.cols(), ")");
  std::string header = "{'descr': '";
  header += std::endian::native == std::endian::little ? '<' : '>';
  header += 'f' + std::to_string(sizeof(T)) + "', 'fortran_order': False, 'shape': (" +
            std::to_string(x.rows()) + ", " + std::to_string(x.cols()) + "), }";
  header.resize((header.size() + 11 + 63) / 64 * 64 - 11, ' ');  // aligns the numbers to 64 bytes
  header += '\n';
  std::string magic("\x93NUMPY\x01\x00", 8);
  magic += static_cast<char>(header.size() & 0xff);
  magic += static_cast<char>(header.size() >> 8);
  io::write_all("write_npy", out, magic + header);
  for (Index i = 0; i < x.rows(); ++i) {
    const Vector<T> row = x.row(i).transpose();
    io::write_all("write_npy", out,
                  {reinterpret_cast<const char*>(row.data()),
                   sizeof(T) * static_cast<std::size_t>(row.size())});
  }
}

/// Writes x to a .npy file, which appears under its name when it is complete (see
/// io/output_file.hpp).
template <DenseSamples X>
void write_npy(const std::filesystem::path& path, const X& x) {
  io::write_file("write_npy", path, [&](std::ostream& out) { write_npy(out, x); });
}

}  // namespace linea
