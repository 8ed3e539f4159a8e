// SPDX-License-Identifier: MIT
// Tests the programs that draw, run as from a shell.
#include <cmath>  // abs
#include <cstdlib>
#include <filesystem>
#include <map>
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

/// Returns the corners of all lines and marks of an SVG, in pixels.
std::vector<std::pair<double, double>> corners_of(const std::string& svg) {
  std::vector<std::pair<double, double>> corners;
  const std::regex corner("[ML]([0-9.]+),([0-9.]+)");
  for (std::sregex_iterator at(svg.begin(), svg.end(), corner), end; at != end; ++at)
    corners.emplace_back(std::stod((*at)[1]), std::stod((*at)[2]));
  return corners;
}

}  // namespace

TEST_CASE_METHOD(Folder, "docs/pictures holds the pictures drawn by the programs") {
  if (std::system("command -v gnuplot >/dev/null 2>&1") != 0) return;
  const std::pair<std::string, std::string> pictures[] = {
      {"demo", "demo"},
      {"boundaries", "boundaries"},
      {"online", "online"},
      {"choosing_lambda", "choosing_lambda"},
      {"digits", "digits"},
      {"imbalanced", "imbalanced"},
      {"lectures_svm_and_pegasos", "svm_margins"},
      {"lectures_least_squares", "ridge_lambda"}};
  for (const auto& [program, name] : pictures) {
    succeeds(LINEA_FIGURES + program, "figures");
    const auto drawn = corners_of(contents("figures/" + name + ".svg"));
    const auto shown = corners_of(contents(LINEA_SOURCE_DIR "/docs/pictures/" + name + ".svg"));
    INFO(name);
    REQUIRE(drawn.size() > 50);
    REQUIRE(drawn.size() == shown.size());
    for (std::size_t k = 0; k < drawn.size(); ++k) {
      INFO("corner " << k);
      CHECK(std::abs(drawn[k].first - shown[k].first) <= 1);
      CHECK(std::abs(drawn[k].second - shown[k].second) <= 1);
    }
  }
}

TEST_CASE("demo and lectures: each draws its figures, and without gnuplot says so and goes on") {
  const bool has_gnuplot = std::system("command -v gnuplot >/dev/null 2>&1") == 0;
  const auto lines_with = [](const std::string& text, const std::string& part) {
    int found = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) found += line.find(part) == 0;
    return found;
  };
  // The demo also prints times, which differ between runs.
  const auto without_times = [](const std::string& text) {
    return std::regex_replace(text, std::regex(" +[0-9.]+ ms"), "");
  };
  const std::map<std::string, int> figures{
      {"boundaries", 1},
      {"demo", 1},
      {"lectures_empirical_risk", 4},
      {"lectures_least_squares", 3},
      {"lectures_linear_and_logistic", 9},
      {"lectures_parametric_models", 7},
      {"lectures_svm_and_pegasos", 6},
  };
  for (const auto& [chapter, count] : figures) {
    INFO(chapter);
    const Folder folder;
    const std::string program = LINEA_FIGURES + chapter;
    // With this PATH, no gnuplot is found. The program itself is called by its full path.
    const auto without = folder.succeeds("/usr/bin/env' 'PATH=/nowhere' '" + program, "none");
    CHECK(lines_with(without.err, "not drawn") == count);
    CHECK(lines_with(without.err, "drawn") == 0);
    CHECK((!fs::exists(folder / "none") || fs::is_empty(folder / "none")));
    if (!has_gnuplot) continue;
    const auto with = folder.succeeds(program, "some/where");
    CHECK(without_times(with.out) == without_times(without.out));
    CHECK(lines_with(with.err, "drawn") == count);
    int files = 0;
    for (const auto& file : fs::directory_iterator(folder / "some/where")) {
      ++files;
      CHECK(file.path().extension() == ".svg");
      const std::string svg = contents(file.path());
      CHECK_THAT(svg, ContainsSubstring("</svg>"));
      CHECK_THAT(svg, ContainsSubstring("<path"));
    }
    CHECK(files == count);
  }
}
