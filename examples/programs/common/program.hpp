// SPDX-License-Identifier: MIT
#pragma once
/// \file Common parts of linea's programs: messages and exit codes.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <exception>
#include <iostream>
#include <linea/core/require.hpp>
#include <linea/io/file.hpp>
#include <linea/io/text.hpp>
#include <linea/version.hpp>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "programs/common/call_files.hpp"
#include "programs/common/system.hpp"

namespace program {

/// Returns the version, such as "0.1.0".
inline std::string version() {
  return std::to_string(LINEA_VERSION_MAJOR) + "." + std::to_string(LINEA_VERSION_MINOR) + "." +
         std::to_string(LINEA_VERSION_PATCH);
}

/// Flushes standard output, and throws unless all of it was written.
inline void flush_report() {
  errno = 0;
  std::cout.flush();
  const std::string why = errno == EPIPE ? ": what reads it has ended"
                          : errno        ? ": " + linea::io::last_system_error()
                                         : "";
  linea::require(std::cout.good(), "the report could not be printed", why);
}

/// Returns a user's text for reports: on one line, and without its middle if it has more than
/// `most` bytes.
inline std::string shown(const std::string& text, std::size_t most = 80) {
  if (text.size() <= most) return linea::io::escaped(text);
  const auto is_inside = [&](std::size_t at) {  // is the byte inside a character of UTF-8?
    return (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
  };
  std::size_t head = most / 2;
  std::size_t tail = text.size() - most / 2;
  for (int k = 0; k < 3 && is_inside(head); ++k) --head;
  for (int k = 0; k < 3 && is_inside(tail); ++k) ++tail;
  return linea::io::escaped(text.substr(0, head)) + "..." + linea::io::escaped(text.substr(tail));
}

/// Returns the library's error message in terms of the command line: with the names of options, and
/// without the name of the function.
inline std::string in_words_of_a_shell(std::string message) {
  const auto colons = message.find("::");
  const auto end = message.find(": ");
  const auto is_of_a_name = [](char c) { return std::isalnum(c) || c == '_' || c == ':'; };
  if (colons < end && end != message.npos &&
      std::all_of(message.begin(), message.begin() + static_cast<std::ptrdiff_t>(end),
                  is_of_a_name))
    message.erase(0, end + 2);
  for (const auto& [name, option] :
       {std::pair{"LibsvmOptions::zero_based", "--zero-based is given"},
        std::pair{"most_features allows", "--most-features allows"},
        std::pair{"features of LibsvmOptions",
                  "features that weights are kept for (--most-features)"},
        std::pair{": read with std::int64_t as the index type", ""},
        std::pair{" (std::int64_t as index type allows more)", ""},
        std::pair{": use a SparseMatrix<T, std::int64_t>", ""},
        std::pair{", or SparseMatrix<T, std::int64_t>", " (--parts)"},
        std::pair{"take another name, or a name_space around it", "give the file another one"},
        std::pair{"split: of ", "--validation: of "},
        std::pair{"a test_fraction of ", "a share of "},
        std::pair{"CsvHeader::present", "--header yes"},
        std::pair{"CsvHeader::absent", "--header no"},
        std::pair{"TableFormat::separator", "--separator"},
        std::pair{"TableFormat::thousands and decimal", "--thousands and --decimal"},
        std::pair{"drop and weights take others", "--drop and --weights take others"},
        std::pair{"drop it if it is no feature", "--drop leaves it out"},
        std::pair{"fit the encoder with Missing::mean or Missing::zero",
                  "train or convert with --missing mean or zero"}}) {
    const auto at = message.find(name);
    if (at != message.npos) message.replace(at, std::string_view(name).size(), option);
  }
  return message;
}

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Runs body(task), the body of main. An error becomes one line on stderr and exit code 2. If
/// memory runs out, the message includes the string `task`, which the body sets.
template <class Body>
int guarded(const char* name, const Body& body) {
  std::string task = "starting";
  try {
    handle_signals(name);
    return body(task);
  } catch (const std::bad_alloc&) {
    std::cerr << name << ": there is not enough memory for " << task << '\n';
  } catch (const std::exception& error) {
    std::cerr << name << ": " << shown(in_words_of_a_shell(error.what()), 2000) << '\n';
  }
  return 2;
}

/// Returns the message for an invalid command line, in the style of other errors.
inline std::string slip_of(const CLI::App& app, const CLI::ParseError& error) {
  const std::string what = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error)) {
    const auto left = app.remaining();
    const auto is_option = [](const std::string& word) {
      return word.size() > 1 && word[0] == '-';
    };
    const auto option = std::find_if(left.begin(), left.end(), is_option);
    if (option != left.end()) return "there is no option " + *option + ": see --help";
  }
  const std::string conversion = "Could not convert: ";
  const auto equals = what.find(" = ");
  if (what.starts_with(conversion) && equals != what.npos)
    return what.substr(conversion.size(), equals - conversion.size()) + ": '" +
           what.substr(equals + 3) + "' is not a number";
  return what;
}

/// Ends a program that has no work, because of --help or an invalid command line. Returns the exit
/// code.
inline int refused(const char* name, const CLI::App& app, const CLI::ParseError& error) {
  return guarded(name, [&](std::string&) {
    linea::require(error.get_exit_code() == 0, slip_of(app, error));
    app.exit(error);
    flush_report();
    return 0;
  });
}

/// Parses the command line. Refuses empty values, such as "$MODEL" of a variable that is not set: an
/// empty file name would count as no option, and --option= would take the next argument.
inline void parse(CLI::App& app, int argc, char** argv) {
  const std::string empty = "the value is empty; is a variable of the shell not set?";
  for (int k = 1; k < argc && argv[k] != std::string_view("--"); ++k) {
    const std::string_view word = argv[k];
    if (word.starts_with("--") && word.find('=') + 1 == word.size())
      throw CLI::ValidationError(std::string(word.substr(0, word.size() - 1)), empty);
  }
  app.parse(argc, argv);
  for (const CLI::Option* const option : app.get_options())
    for (const std::string& value : option->results())
      if (value.empty()) throw CLI::ValidationError(option->get_name(), empty);
}

/// Parses the command line, then runs body(task) as `guarded` does. Returns the exit code.
template <class Body>
int run_program(const char* name, CLI::App& app, int argc, char** argv, const Body& body) {
  open_standard_streams();
  try {
    parse(app, argc, utf8_arguments(argv));
  } catch (const CLI::ParseError& error) {
    return refused(name, app, error);
  }
  return guarded(name, body);
}

}  // namespace program
