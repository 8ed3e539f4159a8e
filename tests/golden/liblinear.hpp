// SPDX-License-Identifier: MIT
#pragma once
/// \file The decision values of liblinear.csv, which make_liblinear.py writes.
#include <sstream>
#include <string>
#include <vector>

#include "golden/table.hpp"

namespace golden {

struct LiblinearRow {
  int row;                     ///< the row of the data set
  std::vector<double> values;  ///< in the order of the file's labels
  double answer;               ///< the prediction: a label or a number
};

struct LiblinearModel {
  std::string name;  ///< the name of the model file in tests/io/liblinear
  std::string data;  ///< a file of examples/data, or "two_of_iris": the first 100 rows of iris
  std::vector<LiblinearRow> rows;
};

inline const std::vector<LiblinearModel> liblinear_models = [] {
  std::vector<LiblinearModel> models;
  for (const auto& cells : table("liblinear.csv")) {
    if (models.empty() || models.back().name != cells[0])
      models.push_back({cells[0], cells[1], {}});
    LiblinearRow row{std::stoi(cells[3]), {}, std::stod(cells[4])};
    std::istringstream values(cells[5]);
    for (double value; values >> value;) row.values.push_back(value);
    models.back().rows.push_back(row);
  }
  return models;
}();

}  // namespace golden
