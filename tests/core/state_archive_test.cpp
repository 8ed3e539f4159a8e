// SPDX-License-Identifier: MIT
#include <limits>
#include <linea/core/extras.hpp>
#include <linea/core/random.hpp>
#include <linea/core/state_archive.hpp>
#include <stdexcept>
#include <utility>

#include "support/catch.hpp"
#include "support/same_bits.hpp"

using namespace linea;

namespace {

struct Pair {
  std::vector<double> numbers{};
  std::string name{};
  void keep(auto& archive) { archive(numbers, name); }
};

/// One of each kind of value.
struct Values {
  Index index{0};
  bool flag{false};
  float single{0};
  Random random{};
  Vector<double> vector{};
  Matrix<float> table{};
  std::vector<Pair> pairs{};
  Point<double> point{};

  void keep(auto& archive) { archive(index, flag, single, random, vector, table, pairs, point); }
};

Values some_values() {
  Values values;
  values.index = -7;
  values.flag = true;
  values.single = 0.1F;
  values.random = Random(42);
  values.random();
  values.vector = Vector<double>::LinSpaced(5, -0.0, 1e300);
  values.table = Matrix<float>::Constant(2, 3, 1e-40F);
  values.pairs = {{{1, 2, 3}, "one"}, {{}, ""}};
  values.point = {Vector<double>::Ones(2), 3, -4};
  return values;
}

std::string bytes_of(Values values) {
  core::StateArchive archive("Test");
  archive(values);
  return archive.finish();
}

}  // namespace

TEST_CASE("StateArchive: what is written is read, bit for bit", "[core]") {
  Values before = some_values();
  Values after;
  core::StateArchive archive("Test", bytes_of(before));
  archive(after);
  archive.finish();
  REQUIRE(after.index == -7);
  REQUIRE(after.flag);
  REQUIRE(same_bits(after.single, 0.1F));
  REQUIRE(after.random() == before.random());
  REQUIRE(same_bits(after.vector, before.vector));
  REQUIRE(same_bits(after.table, before.table));
  REQUIRE(after.pairs.size() == 2);
  REQUIRE(after.pairs[0].numbers == std::vector<double>{1, 2, 3});
  REQUIRE(after.pairs[0].name == "one");
  REQUIRE(after.pairs[1].numbers.empty());
  REQUIRE(same_bits(after.point.weights, before.point.weights));
  REQUIRE(after.point.offset == 3);
  REQUIRE(after.point.objective == -4);
}

TEST_CASE("StateArchive: every cut and every flipped bit is refused", "[core]") {
  const std::string bytes = bytes_of(some_values());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    REQUIRE_THROWS_WITH(core::StateArchive("Test", bytes.substr(0, size)),
                        "Test: the state is damaged: its checksum is another");
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << at % 8));
    REQUIRE_THROWS_AS(core::StateArchive("Test", flipped), std::invalid_argument);
  }
}

TEST_CASE("StateArchive: values of another kind or number are refused", "[core]") {
  core::StateArchive writer("Test");
  Index huge = Index{1} << (8 * sizeof(Index) - 4);
  writer(huge, huge);
  const std::string bytes = writer.finish();
  Vector<double> vector;
  std::vector<double> list;
  std::string text;
  const auto reader = [&] { return core::StateArchive("Test", bytes); };
  REQUIRE_THROWS_WITH(reader()(vector), "Test: the state is cut short");
  REQUIRE_THROWS_WITH(reader()(list), "Test: the state is cut short");
  REQUIRE_THROWS_WITH(reader()(text), "Test: the state is cut short");
  REQUIRE_THROWS_WITH(reader()(huge, huge, huge), "Test: the state is cut short");
  core::StateArchive half = reader();
  half(huge);
  REQUIRE_THROWS_WITH(half.finish(),
                      "Test: the state has " + std::to_string(sizeof(Index)) + " bytes too many");
  // No rows of two columns are no vector, though they need no bytes.
  core::StateArchive odd("Test");
  Index shape[] = {0, 2};
  odd(shape[0], shape[1]);
  REQUIRE_THROWS_WITH(core::StateArchive("Test", odd.finish())(vector),
                      "Test: the state is cut short");
}

TEST_CASE("StateArchive: a fact that differs is named with both values", "[core]") {
  const auto of = [](Index samples, const char* optimizer = "Sgd") {
    return [samples, optimizer](core::StateArchive& archive) {
      archive.same_problem(optimizer, samples, 30);
    };
  };
  RunState state;
  const Extras<double> extras{.state = &state};
  core::take_up("Test", extras, [](core::StateArchive&) { FAIL("there is nothing to read"); });
  core::leave("Test", Extras<double>{}, [](core::StateArchive&) { FAIL("nobody asks for it"); });
  core::leave("Test", extras, of(569));
  REQUIRE(!state.empty());
  core::take_up("Test", extras, of(569));
  REQUIRE_THROWS_WITH(
      core::take_up("Test", extras, of(569, "Newton")),
      "Test: the state is of a run with an optimizer = Sgd, but this one has Newton");
  REQUIRE_THROWS_WITH(core::take_up("Test", extras, of(568)),
                      ContainsSubstring("a number of samples = 569, but this one has 568"));
}

TEST_CASE("StateArchive: tells whose state it is", "[core]") {
  RunState state;
  REQUIRE_FALSE(core::is_state_of("Sgd", &state));
  REQUIRE_FALSE(core::is_state_of("Sgd", nullptr));
  core::leave("Test", Extras<double>{.state = &state},
              [](auto& archive) { archive.same_problem("Sgd", 569, 30); });
  REQUIRE(core::is_state_of("Sgd", &state));
  REQUIRE_FALSE(core::is_state_of("Newton", &state));
}

TEST_CASE("StateArchive: a table may be the last of the bytes", "[core]") {
  for (const Index n : {0, 1, 5}) {
    Vector<double> before = Vector<double>::LinSpaced(n, 1, 2), after;
    core::StateArchive writer("Test");
    writer(before);
    core::StateArchive reader("Test", writer.finish());
    reader(after);
    reader.finish();
    REQUIRE(after == before);
  }
}

TEST_CASE("StateArchive: a fact that is not a number is the same as itself alone", "[core]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto reads_as = [](double written, double now) {
    core::StateArchive writer("Test");
    writer.same("the fact", written);
    core::StateArchive reader("Test", writer.finish());
    reader.same("the fact", now);
  };
  REQUIRE_NOTHROW(reads_as(nan, nan));
  REQUIRE_NOTHROW(reads_as(2, 2));
  for (const auto& [written, now] : {std::pair{nan, 2.0}, {2.0, nan}, {2.0, 3.0}})
    REQUIRE_THROWS_AS(reads_as(written, now), std::invalid_argument);
}
