// SPDX-License-Identifier: MIT
/// \file Runs the calls of docs/model_files.md in a temporary folder.
#include <filesystem>
#include <iostream>
#include <linea/io.hpp>
#include <linea/linea.hpp>
#include <string>
#include <vector>

namespace {

template <class Model>
void use(const Model& model) {
  std::cout << model.labels.size() << " classes\n";
}

void keep(const linea::Classifier<double>& model, const std::vector<std::string>& names) {
  linea::write_model("spam.model", model);  // writes the whole file or nothing
  linea::write_model("named.model", model,
                     {.features = names, .notes = {{"trained on", "june.csv"}}});
  linea::write_header("spam.hpp", model, {.name = "spam"});  // C++11 that scores without linea
}

void look() {
  const auto model = linea::read_model<linea::Classifier<double>>("spam.model");
  const auto stored = linea::read_stored_model("spam.model");  // any kind: see stored.kind
  if (stored.kind == linea::ModelKind::softmax) use(stored.as<linea::SoftmaxClassifier<double>>());
  std::cout << linea::name_of(stored.kind) << " of " << model.weights.size() << " columns\n";
}

void exchange(const linea::Classifier<double>& svm) {
  linea::write_liblinear("news.model", svm);  // a file for liblinear-predict
  const auto model = linea::read_liblinear<linea::Classifier<double>>("news.model");
  const auto stored = linea::read_liblinear("news.model");  // any kind: see stored.kind
  std::cout << linea::name_of(stored.kind) << " of LIBLINEAR, " << model.weights.size()
            << " columns\n";
}

}  // namespace

int main() {
  const auto file = linea::read_libsvm<double>(LINEA_EXAMPLES_DATA "/wdbc.svm");
  const auto model = linea::LinearSvm{}.fit(file.x, file.y);
  const auto folder = std::filesystem::temp_directory_path() / "linea_model_files";
  std::filesystem::create_directories(folder);
  std::filesystem::current_path(folder);
  keep(model, std::vector<std::string>(30, "column"));
  look();
  exchange(model);
  std::filesystem::current_path(folder.parent_path());
  std::filesystem::remove_all(folder);
}

// Output:
//   classifier of 30 columns
//   classifier of LIBLINEAR, 30 columns
