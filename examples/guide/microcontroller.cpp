// SPDX-License-Identifier: MIT
/// \file Writes a model of floats as a C++11 header that needs no library.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <linea/io.hpp>
#include <linea/linea.hpp>
#include <string>

int main() {
  const auto file = linea::read_libsvm<double>(LINEA_EXAMPLES_DATA "/wdbc.svm");
  const linea::Matrix<float> x = linea::Matrix<double>(file.x).cast<float>();
  const auto model = linea::Standardised{linea::LogisticRegression{.lambda = 1e-2}}.fit(x, file.y);

  // On the device: #include "tumour.hpp", then tumour::predict(sample) for a const float* sample.
  const auto path = std::filesystem::temp_directory_path() / "tumour.hpp";
  linea::write_header(path, model, {.name = "tumour"});
  std::ifstream header(path);
  for (std::string line; std::getline(header, line);)
    if (line.find("float score(") != line.npos) std::cout << line << '\n';
  std::filesystem::remove(path);
}

// Output:
//   inline float score(const float* x) {
//   inline float score(const Column* indices, const float* values, std::size_t count) {
