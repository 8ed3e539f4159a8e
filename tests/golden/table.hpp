// SPDX-License-Identifier: MIT
#pragma once
/// \file Reads the tables in tests/golden, which hold numbers computed by other programs.
#include <algorithm>  // count
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace golden {

/// Returns the rows of a CSV file. Its first line states the origin of the numbers, and its second
/// line names the columns. Only the last column may contain commas.
inline std::vector<std::vector<std::string>> table(const std::string& name) {
  std::ifstream file(LINEA_SOURCE_DIR "/tests/golden/" + name);
  std::string line;
  std::getline(file, line);
  std::getline(file, line);
  const auto commas = std::count(line.begin(), line.end(), ',');
  std::vector<std::vector<std::string>> rows;
  while (std::getline(file, line)) {
    std::vector<std::string>& row = rows.emplace_back();
    std::istringstream cells(line);
    for (int k = 0; k < commas; ++k) std::getline(cells, row.emplace_back(), ',');
    std::getline(cells, row.emplace_back());
  }
  if (rows.empty()) throw std::runtime_error("no rows in tests/golden/" + name);
  return rows;
}

}  // namespace golden
