// SPDX-License-Identifier: MIT
#pragma once
/// \file What linea_train and linea_predict share: the model file, and how a program ends.
#include <CLI/CLI.hpp>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/files/draft.hpp>
#include <linea/files/native_file.hpp>
#include <new>
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

/// Refuses an output that is the same file as an input: by its inode, whatever the paths say.
inline void require_apart(const std::string& output, const std::string& input) {
  std::error_code unknown;
  linea::require(!std::filesystem::equivalent(output, input, unknown) ||
                     std::filesystem::is_character_file(output, unknown) ||
                     std::filesystem::is_socket(output, unknown),
                 "'", output, "' is the file that is read, '", input, "': it would be overwritten");
}

/// Ends the program on a signal without leaving files behind that are half written.
inline void handle_signals() {
  const auto handler = [](int signal) {
    linea::remove_drafts();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  };
  for (const int signal : {SIGINT, SIGTERM})
    if (std::signal(signal, handler) == SIG_IGN) std::signal(signal, SIG_IGN);
#ifdef SIGHUP
  if (std::signal(SIGHUP, handler) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // nohup
#endif
#ifdef SIGPIPE
  std::signal(SIGPIPE, SIG_IGN);  // what cannot be printed is told by flush_report
#endif
}

/// Refuses to end well unless all of standard output has arrived.
inline void flush_report() {
  errno = 0;
  std::cout.flush();
  const std::string why = errno ? ": " + linea::files::last_system_error() : "";
  linea::require(std::cout.good(), "the report could not be printed", why);
}

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

/// Runs main's body, body(task): whatever is refused becomes one line on stderr and exit code 2. Of
/// what the body writes into the string `task`, people are told should the memory not be enough.
template <class Body>
int guarded(const char* name, const Body& body) {
  std::string task = "starting";
  try {
    handle_signals();
    return body(task);
  } catch (const std::bad_alloc&) {
    std::cerr << name << ": there is not enough memory for " << task << '\n';
  } catch (const std::exception& error) {
    std::cerr << name << ": " << error.what() << '\n';
  }
  return 2;
}

/// The end of a program whose command line does not ask for work: --help, or a mistake.
inline int refused(const char* name, const CLI::App& app, const CLI::ParseError& error) {
  return guarded(name, [&](std::string&) {
    linea::require(error.get_exit_code() == 0, error.what());
    app.exit(error);
    flush_report();
    return 0;
  });
}

}  // namespace program
