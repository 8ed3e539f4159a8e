// SPDX-License-Identifier: MIT
// The programs that draw, as a shell runs them.
#include <cmath>  // abs
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <utility>  // pair
#include <vector>

#include "programs/program_folder.hpp"
#include "support/catch.hpp"

namespace fs = std::filesystem;
using namespace linea::test;

namespace {

/// The corners of all lines and marks of an SVG, in pixels.
std::vector<std::pair<double, double>> corners_of(const std::string& svg) {
  std::vector<std::pair<double, double>> corners;
  const std::regex corner("[ML]([0-9.]+),([0-9.]+)");
  for (std::sregex_iterator at(svg.begin(), svg.end(), corner), end; at != end; ++at)
    corners.emplace_back(std::stod((*at)[1]), std::stod((*at)[2]));
  return corners;
}

}  // namespace

TEST_CASE("demo: the picture in the README is the one it draws", "[programs]") {
  if (std::system("command -v gnuplot >/dev/null 2>&1") != 0) return;
  const Folder folder;
  REQUIRE(folder.run(LINEA_FIGURES "demo", "figures").code == 0);
  const auto drawn = corners_of(contents(folder / "figures/demo.svg"));
  const auto shown = corners_of(contents(LINEA_SOURCE_DIR "/docs/pictures/demo.svg"));
  REQUIRE(drawn.size() > 100);
  REQUIRE(drawn.size() == shown.size());
  for (std::size_t k = 0; k < drawn.size(); ++k) {
    INFO("corner " << k);
    CHECK(std::abs(drawn[k].first - shown[k].first) <= 1);
    CHECK(std::abs(drawn[k].second - shown[k].second) <= 1);
  }
}

TEST_CASE("lectures and demo: each draws its figures, and without gnuplot says so and goes on",
          "[programs]") {
  const bool has_gnuplot = std::system("command -v gnuplot >/dev/null 2>&1") == 0;
  const auto drawn_by = [](const std::string& chapter) {
    if (chapter == "demo") return 1;
    if (chapter == "lectures_empirical_risk") return 4;
    if (chapter == "lectures_least_squares") return 3;
    if (chapter == "lectures_linear_and_logistic") return 9;
    if (chapter == "lectures_parametric_models") return 7;
    return 6;
  };
  const auto lines_with = [](const std::string& text, const std::string& part) {
    int count = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) count += line.find(part) == 0;
    return count;
  };
  // The demo also prints times, which are never the same twice.
  const auto without_times = [](const std::string& text) {
    return std::regex_replace(text, std::regex(" +[0-9.]+ ms"), "");
  };
  for (const std::string chapter :
       {"demo", "lectures_empirical_risk", "lectures_least_squares", "lectures_linear_and_logistic",
        "lectures_parametric_models", "lectures_svm_and_pegasos"}) {
    INFO(chapter);
    const Folder folder;
    const std::string program = LINEA_FIGURES + chapter;
    // A shell finds no gnuplot on an empty path; the program itself is named by its whole path.
    const auto without = folder.run("/usr/bin/env' 'PATH=/nowhere' '" + program, "none");
    CHECK(without.code == 0);
    CHECK(lines_with(without.err, "not drawn") == drawn_by(chapter));
    CHECK(lines_with(without.err, "drawn") == 0);
    CHECK((!fs::exists(folder / "none") || fs::is_empty(folder / "none")));
    if (!has_gnuplot) continue;
    const auto with = folder.run(program, "some/where");
    CHECK(with.code == 0);
    CHECK(without_times(with.out) == without_times(without.out));
    CHECK(lines_with(with.err, "drawn") == drawn_by(chapter));
    int files = 0;
    for (const auto& file : fs::directory_iterator(folder / "some/where")) {
      ++files;
      CHECK(file.path().extension() == ".svg");
      const std::string svg = contents(file.path());
      CHECK_THAT(svg, ContainsSubstring("</svg>"));
      CHECK_THAT(svg, ContainsSubstring("<path"));
    }
    CHECK(files == drawn_by(chapter));
  }
}
