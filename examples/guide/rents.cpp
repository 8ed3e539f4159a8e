// SPDX-License-Identifier: MIT
/// \file Trains on a table with columns of text and missing cells, stores the model with its
/// encoder, and predicts from raw cells.
#include <filesystem>
#include <iostream>
#include <linea/io.hpp>
#include <linea/linea.hpp>

namespace {

void train(const std::filesystem::path& path) {
  const auto table = linea::read_table(LINEA_EXAMPLES_DATA "/flats.csv");
  const auto encoder = linea::Encoder{.missing = linea::Missing::mean}.fit(table);
  const auto model = linea::Standardised{linea::RidgeRegression{.lambda = 1e-3}}.fit(
      encoder.apply(table), encoder.targets(table));
  linea::write_model(path, model, {.encoder = encoder});
}

void predict(const std::filesystem::path& path) {
  const auto stored = linea::read_stored_model(path);
  const linea::Encoder& encoder = stored.encoder.value();
  const auto model = stored.as<linea::Regressor<double>>();
  std::cout << model.predict(encoder.apply({"Ulm", "3", "79.4", "", "district"})) << '\n';
  // A whole file, with the columns in any order.
  const auto table = linea::read_table(LINEA_EXAMPLES_DATA "/flats.csv", encoder.table_options());
  std::cout << linea::r2(model.predict(encoder.apply(table)), encoder.targets(table)) << '\n';
}

}  // namespace

int main() {
  const auto file = std::filesystem::temp_directory_path() / "linea_rents.model";
  train(file);
  predict(file);
  std::filesystem::remove(file);
}

// Output:
//   1038.93
//   0.962915
