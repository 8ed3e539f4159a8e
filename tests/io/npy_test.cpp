// SPDX-License-Identifier: MIT
#include <linea/io/npy.hpp>
#include <sstream>
#include <string>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using linea::Matrix;
using linea::parse_npy;

namespace {

/// Returns a .npy file of version 1 with this header and these bytes.
std::string npy(const std::string& header, const std::string& bytes) {
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size());
  file += '\0';
  return file + header + bytes;
}

std::string header(const std::string& type, const std::string& order, const std::string& shape) {
  return "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

}  // namespace

TEST_CASE("parse_npy: reads integers, either byte order and layout") {
  const Matrix<double> expected{{1, 2, 3}, {4, 5, 250}};
  const auto read = [](const std::string& type, const char* order, const char* shape,
                       const std::string& bytes) {
    return parse_npy<double>(npy(header(type, order, shape), bytes), "a");
  };
  CHECK(read("|u1", "False", "(2, 3)", "\1\2\3\4\5\xfa") == expected);
  CHECK(read("|u1", "True", "(2, 3)", "\1\4\2\5\3\xfa") == expected);
  const std::string wide("\0\1\xff\xfe", 4);
  CHECK(read(">i2", "False", "(2,)", wide) == Matrix<double>{{1}, {-2}});
  CHECK(read("<u2", "False", "(2,)", wide) == Matrix<double>{{256}, {0xfeff}});
  CHECK(parse_npy<float>(npy(header(">i2", "False", "(2,)"), wide), "a") ==
        Matrix<float>{{1}, {-2}});
}

TEST_CASE("parse_npy: reads files of NumPy") {
  // The bytes are those of numpy 1.24.2: b = io.BytesIO();
  // numpy.save(b, numpy.array([[0.1, -2.5]])); b.getvalue()
  std::string file(
      "\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }", 10 + 59);
  file.resize(127, ' ');
  file += '\n';
  file += std::string("\x9a\x99\x99\x99\x99\x99\xb9?\x00\x00\x00\x00\x00\x00\x04\xc0", 16);
  const auto x = parse_npy<double>(file, "numpy");
  CHECK(x == Matrix<double>{{0.1, -2.5}});
  // linea writes the same bytes.
  std::ostringstream out;
  linea::write_npy(out, x);
  CHECK(out.str() == file);
}

TEST_CASE("write_npy: read_npy returns the bits, of float and columns too") {
  const TemporaryFolder folder;
  const Eigen::MatrixXf x = Eigen::MatrixXf::Random(5, 3);  // stored by columns
  linea::write_npy(folder.path() / "x.npy", x);
  CHECK(linea::read_npy<float>(folder.path() / "x.npy") == x);
}

TEST_CASE("parse_npy: refuses damaged files and other types, with the file's name") {
  const auto refuses = [](const std::string& file, const std::string& message) {
    CHECK_THROWS_WITH(parse_npy<double>(file, "a.npy"),
                      ContainsSubstring("a.npy: ") && ContainsSubstring(message));
  };
  const std::string one(8, '\0');
  refuses("", "not a .npy file");
  refuses("\x93NUMPY", "not a .npy file");
  refuses(npy(header("<f8", "False", "(2,)"), one), "needs 16 bytes, but there are 8");
  refuses(npy(header("<f8", "False", "(1,)"), one + one), "needs 8 bytes, but there are 16");
  refuses(npy(header("<f8", "False", "(1, 1, 1)"), one), "more than two dimensions");
  refuses(npy(header("<f8", "False", "()"), one), "no dimension");
  refuses(npy(header("<U3", "False", "(1,)"), one), "an array of <U3");
  refuses(npy(header("<f8", "False", "(9999999999999999999,)"), one), "too large");
  refuses(npy(header("<f8", "False", "(99999999999, 99999999999)"), one), "too large");
  // 2²⁹ + 1 numbers of 8 bytes are 2³² + 8 bytes, which overflow to 8 in 32 bits.
  refuses(npy(header("<f8", "False", "(536870913,)"), one),
          "needs 4294967304 bytes, but there are 8");
  refuses(npy("{'fortran_order': False, 'shape': (1,), }", one), "the .npy header has no 'descr'");
  refuses(npy(header("<f8", "False", "(0,)"), ""), "the array is empty");
  refuses("\x93NUMPY\x04 and more", ".npy version 4 is not known");
  refuses(std::string("\x93NUMPY\1\0\x99\0{'descr'", 18), "the .npy header is cut off");
  refuses(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1, ", one),
          "the .npy header is cut off after 'shape'");
  refuses(npy(header("<c8", "False", "(1,)"), one),
          "an array of <c8, but only f4, f8, i1 to i8, u1 to u8 and b1 can be read");
  std::string cut = npy(header("<f8", "False", "(1,)"), one);
  for (std::size_t size = 0; size < cut.size(); ++size)
    CHECK_THROWS_AS(parse_npy<double>(cut.substr(0, size), "a.npy"), std::invalid_argument);
}

TEST_CASE("parse_npy: the order of the numbers is exactly True or False") {
  const auto read = [](const std::string& order) {
    return parse_npy<double>(npy(header("|u1", order, "(2, 2)"), "\1\2\3\4"), "a.npy");
  };
  CHECK(read("False") == Matrix<double>{{1, 2}, {3, 4}});
  for (const char* order : {"True", "True ", "  True  "})
    CHECK(read(order) == Matrix<double>{{1, 3}, {2, 4}});
  for (const std::string order : {"true", "1", "Truer", "\"True\"", "not False"})
    CHECK_THROWS_WITH(read(order), "a.npy: 'fortran_order' in the .npy header is " + order +
                                       ", but must be True or False");
}

TEST_CASE("parse_npy: reads other valid headers, and refuses those that NumPy does not write") {
  const std::string one(8, '\0');
  CHECK(
      parse_npy<double>(npy("{'descr': '<f8' , 'fortran_order' : False, 'shape': (1L, 1L) }", one),
                        "a")(0, 0) == 0);
  const auto refuses = [&](const char* type, const char* shape, const std::string& message) {
    CHECK_THROWS_WITH(parse_npy<double>(npy(header(type, "False", shape), one), "a"),
                      ContainsSubstring(message));
  };
  for (const char* type : {"|f8", "!f8", "+i8"})
    refuses(type, "(1,)", "an array of '" + std::string(type));
  refuses("<f8", "(-1,)",
          "the shape in the .npy header is '(-1,)', but must be a tuple of sizes such as (3, 4)");
  refuses("<f8", "(1.1)", "the shape in the .npy header is '(1.1)'");
  refuses("<f8", "[1,)", "the shape in the .npy header is '[1,)'");
}

TEST_CASE("write_npy: writes the same bytes whatever the format of the stream") {
  const Matrix<double> x{{0.5, 1000000}, {-3, 4}};
  std::ostringstream plain;
  linea::write_npy(plain, x);
  std::ostringstream out;
  out << std::hex << std::fixed << std::showpos << std::left;
  out.width(1000);
  out.exceptions(std::ios::failbit | std::ios::badbit);
  linea::write_npy(out, x);
  CHECK(out.str() == plain.str());
}

TEST_CASE("write_npy: refuses empty arrays, and a stream that fails") {
  std::ostringstream out;
  CHECK_THROWS_WITH(linea::write_npy(out, Matrix<double>(0, 3)), "write_npy: x is empty (0 x 3)");
  out.setstate(std::ios::badbit);
  CHECK_THROWS_WITH(linea::write_npy(out, Matrix<double>(Matrix<double>::Ones(2, 3))),
                    "write_npy: the stream failed");
}
