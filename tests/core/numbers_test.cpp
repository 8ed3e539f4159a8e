// SPDX-License-Identifier: MIT
#include <array>
#include <linea/core/extras.hpp>
#include <linea/core/numbers.hpp>
#include <span>
#include <string>
#include <vector>

#include "support/catch.hpp"

using namespace linea;

static_assert(Numbers<std::vector<int>> && Numbers<std::span<const float>> &&
              Numbers<std::array<double, 3>> && Numbers<std::vector<bool>> && Numbers<int[4]> &&
              Numbers<Vector<double>> && Numbers<Eigen::RowVectorXi>);
static_assert(!Numbers<std::string_view*> && !Numbers<std::vector<std::string>> &&
              !Numbers<Matrix<double>> && !Numbers<double> && !NumberRange<Vector<double>>);

TEST_CASE("Numbers: lists are read as the vectors that they are, in place where they can be",
          "[core]") {
  const std::vector<int> whole{3, 1, 2};
  const auto& view = core::vector_of(whole);
  CHECK(view.data() == whole.data());
  CHECK(view == Eigen::Vector3i(3, 1, 2));
  const double plain[] = {0.5, -1};
  CHECK(core::vector_of(plain) == Eigen::Vector2d(0.5, -1));
  CHECK(core::vector_of(std::span(whole).subspan(1)) == Eigen::Vector2i(1, 2));
  const std::vector<bool> bits{true, false, true};
  CHECK(core::vector_of(bits).cast<int>() == Eigen::Vector3i(1, 0, 1));
  CHECK(core::vector_of(std::vector<float>{}).size() == 0);
  const Vector<double> vector = Eigen::Vector3d(1, 2, 3);
  CHECK(&core::vector_of(vector) == &vector);
}

TEST_CASE("Numbers: a list stands for sample weights", "[core]") {
  const auto& extras = extras_of<float>(std::vector<int>{1, 2});
  CHECK(extras.sample_weights == Eigen::Vector2f(1, 2));
}
