// SPDX-License-Identifier: MIT
#pragma once
/// \file What linea_train and linea_predict share: the model file, and how a program ends.
#include <chrono>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace program {

using json = nlohmann::ordered_json;

/// A trained linear function: JSON on disk, every number with the digits it takes to read it back.
struct Model {
  std::string loss;
  std::vector<double> labels;  ///< of −1 and +1; empty for regression
  double offset{0};
  std::vector<double> weights;
};

inline constexpr int format_version = 1;

/// A file that appears only when it is complete: written beside its place, then moved there. Opened
/// early, so that a place that cannot be written is found before the work and not after it.
class OutputFile {
 public:
  explicit OutputFile(std::string path) : path_(std::move(path)), part_(path_ + ".part") {
    stream_.open(part_, std::ios::binary);
    linea::require(stream_.good(), "cannot write '", path_, "'");
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile() {
    if (kept_) return;
    stream_.close();
    std::error_code ignored;
    std::filesystem::remove(part_, ignored);
  }

  std::ostream& stream() { return stream_; }
  void keep() {
    stream_.close();
    linea::require(!stream_.fail(), "cannot write '", path_, "'");
    std::filesystem::rename(part_, path_);
    kept_ = true;
  }

 private:
  std::string path_;
  std::string part_;
  std::ofstream stream_;
  bool kept_{false};
};

inline void write(std::ostream& out, const Model& model) {
  out << json{{"format", "linea model"}, {"version", format_version}, {"loss", model.loss},
              {"labels", model.labels},  {"offset", model.offset},    {"weights", model.weights}}
             .dump()
      << '\n';
}

/// Throws std::invalid_argument that names the file when it is no model of this version.
inline Model read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  linea::require(in.good(), "cannot open '", path, "'");
  const json text = json::parse(in, nullptr, false);
  linea::require(text.is_object() && text.value("format", "") == "linea model", path,
                 ": no linea model");
  const int version = text.value("version", 0);
  linea::require(version == format_version, path, ": a model of format ", version, ", but format ",
                 format_version, " is wanted");
  Model model;
  try {
    model.loss = text.at("loss").get<std::string>();
    model.labels = text.at("labels").get<std::vector<double>>();
    model.offset = text.at("offset").get<double>();
    model.weights = text.at("weights").get<std::vector<double>>();
  } catch (const json::exception&) {
    linea::refuse(path, ": a linea model with a part missing or of the wrong kind");
  }
  linea::require(!model.weights.empty() && (model.labels.empty() || model.labels.size() == 2), path,
                 ": a linea model with no weights, or not two labels");
  return model;
}

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Runs main's body: whatever is refused becomes one line on stderr and exit code 2.
template <class Body>
int guarded(const char* name, const Body& body) {
  try {
    return body();
  } catch (const std::exception& error) {
    std::cerr << name << ": " << error.what() << '\n';
    return 2;
  }
}

}  // namespace program
