// SPDX-License-Identifier: MIT
// The names that <cmath> declares outside std, which a namespace of a header cannot have.
#include <linea/io/namespace_names.hpp>
#include <string>

#include "support/catch.hpp"

using linea::io::is_identifier;
using linea::io::is_of_c_library;

TEST_CASE("is_of_c_library: functions and types of <cmath> and <cstddef>, with their variants") {
  for (const std::string name :
       {"log",    "logf", "logl",   "logf32", "logf64x", "exp",      "gamma", "floor",
        "round",  "j0",   "yn",     "sinl",   "size_t",  "int8_t",   "div",   "div_t",
        "random", "abs",  "system", "select", "strtold", "strtof32", "uint",  "exit"}) {
    INFO(name);
    CHECK(is_of_c_library(name));
  }
  for (const std::string name : {"index", "data", "words", "logs", "sinus", "rounded", "f", "size",
                                 "l", "f32", "model", "spam", "log_", "my_log", "Log", "x64"}) {
    INFO(name);
    CHECK_FALSE(is_of_c_library(name));
  }
}

TEST_CASE("is_identifier: letters, digits and single underscores, and neither keyword nor macro") {
  for (const std::string name : {"a", "a1", "a_b", "A_", "log", "Class", "NANO"})
    CHECK(is_identifier(name));
  for (const std::string name :
       {"", "1a", "_a", "a-b", "a__b", "class", "std", "main", "errno", "NAN", "FP_ZERO"})
    CHECK_FALSE(is_identifier(name));
}
