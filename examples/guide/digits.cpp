// SPDX-License-Identifier: MIT
/// \file Handwritten digits: ten classes from 8 × 8 pixels, and the weights of each class as an
/// image. Writes the image to the folder in the first argument, by default `figures`.
#include <algorithm>  // min
#include <cmath>      // abs, lround
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <linea/io.hpp>
#include <linea/linea.hpp>

using namespace linea;

namespace {

/// Returns the colour of a weight: white for 0, blue for 1 and more, red for −1 and less.
std::string colour_of(double weight) {
  const double distance = std::min(std::abs(weight), 1.0);
  const auto mix = [&](int full) { return std::lround(255 + distance * (full - 255)); };
  char text[8];
  if (weight > 0)
    std::snprintf(text, sizeof text, "#%02lx%02lx%02lx", mix(0x1f), mix(0x4f), mix(0xd8));
  else
    std::snprintf(text, sizeof text, "#%02lx%02lx%02lx", mix(0xd6), mix(0x27), mix(0x28));
  return text;
}

/// Draws the weights of the ten classes as images of 8 × 8 cells, in two rows.
void draw(const SoftmaxClassifier<double>& model, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  std::ofstream svg(folder / "digits.svg");
  svg << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 760 330' font-family='Helvetica' "
         "font-size='15'>\n<path fill='white' d='M0,0H760V330H0z'/>\n";
  const double unit = 0.6 * model.weights.cwiseAbs().maxCoeff();
  for (Index k = 0; k < 10; ++k) {
    const Index left = 20 + 148 * (k % 5);
    const Index top = 26 + 160 * (k / 5);
    svg << "<text x='" << left + 60 << "' y='" << top - 6 << "'>" << model.labels[k] << "</text>\n";
    for (Index j = 0; j < 64; ++j)
      svg << "<path fill='" << colour_of(model.weights(j, k) / unit) << "' d='M"
          << left + 16 * (j % 8) << ',' << top + 16 * (j / 8) << "h16v16h-16z'/>\n";
    svg << "<path fill='none' stroke='#999999' d='M" << left << ',' << top << "h128v128h-128z'/>\n";
  }
  svg << "</svg>\n";
}

}  // namespace

int main(int argc, char** argv) {
  const auto file = read_libsvm<double>(LINEA_EXAMPLES_DATA "/digits.svm", {.features = 64});
  const Matrix<double> x = Matrix<double>(file.x) / 16;  // grey levels from 0 to 1
  const auto [train, test] = split(x, file.y, {.stratify = true});

  const auto model = SoftmaxRegression{.lambda = 1e-2}.fit(train.x, train.y);
  std::printf("%td of %td digits are right\n",
              (model.predict(test.x).array() == test.y.array()).count(), test.y.size());
  draw(model, argc > 1 ? argv[1] : "figures");
}

// Output:
//   147 of 150 digits are right
