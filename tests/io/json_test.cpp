// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <limits>
#include <linea/io/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/refusal.hpp"

namespace json_test {

namespace {

using namespace linea::test;
using linea::Index;
using linea::io::JsonReader;
using linea::io::JsonWriter;

enum class Side { left, right };
std::string_view side_name(Side side) { return side == Side::left ? "left" : "right"; }

/// One value of each kind.
struct Example {
  std::string text{};
  double real{0};
  Index whole{0};
  bool flag{false};
  Side side{Side::left};
  std::vector<double> list{};
  std::optional<std::vector<std::vector<Index>>> more{};
};

template <class At>
void pass(At& at, Side& side) {
  at.one_of(side, Side::right, side_name);
}

template <class At>
void pass(At& at, Example& example) {
  pass_object(at, "text", example.text, "real", example.real, "whole", example.whole, "flag",
              example.flag, "side", example.side, "list", example.list, "more", example.more);
}

std::string written(Example example) {
  JsonWriter writer;
  pass(writer, example);
  return writer.take();
}

Example read(std::string_view text) {
  JsonReader reader(text, "t");
  Example example;
  pass(reader, example);
  if (!reader.accept("") || !reader.rest().empty()) reader.refuse("expected the end");
  return example;
}

std::string text_in(std::string_view json) {
  JsonReader reader(json, "t");
  std::string text;
  reader.text(text);
  return text;
}

double number_in(std::string_view json) {
  JsonReader reader(json, "t");
  double number = 0;
  reader.number(number);
  if (!reader.rest().empty()) reader.refuse("expected the end");
  return number;
}

}  // namespace

TEST_CASE("json: values are written like this, and read back") {
  const std::string json =
      "{\"text\": \"a \\\"b\\\"\\\\\\u000aä\",\n\"real\": \"-inf\",\n\"whole\": 7,\n"
      "\"flag\": true,\n\"side\": \"right\",\n\"list\": [0.1, -0, 1e+300, 5e-324],\n"
      "\"more\": [\n[1, 2],\n[]]}";
  const Example example = read(json);
  CHECK(example.text == "a \"b\"\\\nä");
  CHECK(example.real == -std::numeric_limits<double>::infinity());
  CHECK(example.whole == 7);
  CHECK(example.flag);
  CHECK(example.side == Side::right);
  CHECK(example.list == std::vector<double>{0.1, 0, 1e300, 5e-324});
  CHECK(std::signbit(example.list[1]));
  REQUIRE(example.more);
  CHECK(*example.more == std::vector<std::vector<Index>>{{1, 2}, {}});
  CHECK(written(example) == json);
  CHECK(written({.real = std::nan("")}) ==
        "{\"text\": \"\",\n\"real\": null,\n\"whole\": 0,\n\"flag\": false,\n"
        "\"side\": \"left\",\n\"list\": [],\n\"more\": null}");
  CHECK(std::isnan(read(written({.real = std::nan("")})).real));
}

TEST_CASE("json: numbers may be floats") {
  JsonWriter writer;
  writer.is_float = true;
  writer.number(static_cast<double>(0.1F));
  CHECK(writer.text() == "0.1");
  JsonReader reader("0.1", "t");
  reader.is_float = true;
  double number = 0;
  reader.number(number);
  CHECK(number == static_cast<double>(0.1F));
}

TEST_CASE("json: blanks may stand between all parts") {
  const Example example = read(
      " {\"text\":\"\",\t\"real\" :1 ,\r\n\"whole\":3,\"flag\":true,"
      "\"side\":\"left\",\"list\" : [ 4 , 5 ] , \"more\" : null } \n");
  CHECK(example.real == 1);
  CHECK(example.list == std::vector<double>{4, 5});
}

TEST_CASE("json: escapes of texts") {
  CHECK(text_in(R"("\"\\\/\b\f\n\r\t")") == "\"\\/\b\f\n\r\t");
  CHECK(text_in(R"("\u0041\u00E4\u20ac\ud83d\uDE00")") == "Aä€😀");
  CHECK(text_in(R"("a\u0000b")") == std::string("a\0b", 3));
  CHECK(text_in("\"{[\x7f\"") == "{[\x7f");
}

TEST_CASE("json: texts that JSON does not have") {
  const auto says = [](std::string_view json, const std::string& message) {
    CHECK(refusal_of([&] { (void)text_in(json); }) == "t:1:" + message);
  };
  says("abc", "1: expected a text in quotes, got 'abc'");
  says("\"abc", "2: the text in quotes does not end in this line, got 'abc'");
  says("\"a\nb\"", "2: the text in quotes does not end in this line, got 'a'");
  says("\"a\tb\"", "2: the text in quotes does not end in this line, got 'a\\x09b\"'");
  says("\"\\x41\"", "2: expected an escape of JSON, such as \\n or \\u00e4, got '\\x41\"'");
  says("\"\\u12g4\"", "2: expected an escape of JSON, such as \\n or \\u00e4, got '\\u12g4\"'");
  says("\"\\u12", "2: expected an escape of JSON, such as \\n or \\u00e4, got '\\u12'");
  says("\"\\", "2: expected an escape of JSON, such as \\n or \\u00e4, got '\\'");
  says(R"("\ud83d\u0041")", R"(2: half of a surrogate pair, got '\ud83d\u0041"')");
  says(R"("\ude00")", R"(2: half of a surrogate pair, got '\ude00"')");
  says(R"("\ud83d")", R"(8: expected an escape of JSON, such as \n or \u00e4, got '"')");
  says("\"\xff\"", "2: the text is not UTF-8, got '\xff\"'");
  CHECK(refusal_of([&] { (void)written({.text = "a\xff"}); }) ==
        "write_model: the text 'a\xff' is not UTF-8");
}

TEST_CASE("json: numbers are those of RFC 8259") {
  for (const auto& [json, number] :
       std::vector<std::pair<const char*, double>>{{"0", 0},
                                                   {"-12.50", -12.5},
                                                   {"1e3", 1000},
                                                   {"1E+3", 1000},
                                                   {"2.5e-1", 0.25},
                                                   {"1e-400", 0},
                                                   {"0.1", 0.1},
                                                   {"9007199254740993", 9007199254740992}})
    CHECK(number_in(json) == number);
  for (const char* json : {"", "-", "+1", "01", "-01", ".5", "1.", "1.e5", "1e", "1e+", "0x1",
                           "nan", "inf", "--1", "1-1", "1.2.3"}) {
    CAPTURE(json);
    CHECK_THAT(refusal_of([&] { (void)number_in(json); }), ContainsSubstring("t:1:"));
  }
  CHECK(refusal_of([] { (void)number_in("-1e999"); }) ==
        "t:1:1: the number is too large for a double, got '-1e999'");
}

TEST_CASE("json: other members, values and lists are refused at their place") {
  const std::string json = written({.list = {1, 2}});
  const auto says = [&](const std::string& what, const std::string& by,
                        const std::string& message) {
    std::string changed = json;
    changed.replace(changed.find(what), what.size(), by);
    CHECK_THAT(refusal_of([&] { (void)read(changed); }), ContainsSubstring("t:" + message));
  };
  says("{", "[", "1:1: expected {, got '[");
  says("\"real\"", "\"text\"", "2:1: expected \"real\", got '\"text\": 0,'");
  says("\"more\"", "\"other\"", "7:1: expected \"more\"");
  says("\"whole\": 0", "\"whole\" 0", "3:9: expected :, got '0,'");
  const std::string whole = "3:10: expected a whole number >= 0 that is not too large, got '";
  says("\"whole\": 0", "\"whole\": -6", whole + "-6,'");
  says("\"whole\": 0", "\"whole\": 1.0", whole + "1.0,'");
  says("\"whole\": 0", "\"whole\": 99999999999999999999", whole + "9999");
  says("false", "0", "4:9: expected true or false, got '0,'");
  says("\"left\"", "\"up\"", "5:9: expected one of left, right, got '\"up\",'");
  says("[1, 2]", "[1 2]", "6:12: expected ,, got '2],'");
  says("[1, 2]", "[1, 2,]", "6:15: expected a number, got '],'");
  says("[1, 2]", "[, 1]", "6:10: expected a number, got ', 1],'");
  says("[1, 2]", "[1, [2]]", "6:13: expected a number");
  says("null", "null}", "7:14: expected the end, got '}'");
  says("null}", "null", "7:13: expected }, got the end of the text");
  says("null}", "null,\n\"and\": 1}", "7:13: expected }, got ','");
  // Nothing recurses into lists.
  CHECK_THAT(refusal_of([&] { (void)read("{\"text\": " + std::string(1 << 20, '[')); }),
             ContainsSubstring("t:1:10: expected a text in quotes, got '[[["));
}

}  // namespace json_test
