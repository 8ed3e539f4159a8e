// SPDX-License-Identifier: MIT
/// \file Fuzz target: the command lines of linea_train, linea_predict and linea_convert.
///
/// The first line of the input names a program, and each following line is an argument. The byte
/// 255 and the next byte stand for a word: an option that --help lists, or an interesting value.
/// Options are refused by an exception of CLI11 or std::invalid_argument, or have the values given.
/// Then the program itself runs in a folder with small files, if a run takes only milliseconds. The
/// program must return a documented exit code, write only lines that begin with its name to
/// standard error, and write no file on an error.
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "programs/common/train_options.hpp"

int linea_train_main(int count, char** words);
int linea_predict_main(int count, char** words);
int linea_convert_main(int count, char** words);

namespace {

using program::TrainOptions;
using Words = std::vector<std::string>;
namespace fs = std::filesystem;

struct Program {
  const char* name;
  int (*main)(int, char**);
  std::string help{};
};

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

Words words_of_input;

/// Ends the process with a message unless `holds`. Both libFuzzer and ctest detect the end.
void demand(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what.c_str());
  for (const auto& word : words_of_input) std::fprintf(stderr, "  argument: '%s'\n", word.c_str());
  std::abort();
}

/// Runs a program as a shell does, and captures its output.
Outcome run(const Program& program, Words words) {
  words.insert(words.begin(), program.name);
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  std::ostringstream out;
  std::ostringstream err;
  auto* const out_before = std::cout.rdbuf(out.rdbuf());
  auto* const err_before = std::cerr.rdbuf(err.rdbuf());
  const int code = program.main(static_cast<int>(words.size()), pointers.data());
  std::cout.rdbuf(out_before);
  std::cerr.rdbuf(err_before);
  return {code, out.str(), err.str()};
}

/// The folder in which the programs run. It contains only the files written here.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("linea_fuzz_" + std::to_string(::getpid()))) {
    fs::create_directories(path_);
    // Make standard input empty.
    demand(std::freopen("/dev/null", "r", stdin) != nullptr, "there is no /dev/null");
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }
  const fs::path& path() const { return path_; }

  void fill() const {
    for (const auto& entry : fs::directory_iterator(path_)) fs::remove_all(entry.path());
    std::ofstream("t.svm") << "1 1:1 2:2\n-1 1:-1\n1 2:2.5\n-1 1:-2 2:1\n1 1:3 3:1\n-1 3:-1\n";
    std::ofstream("t.csv") << "a,b,y\n1,u,0\n2.5,v,1\n3,u,2\n4,w,1\n1,v,0\n3,w,2\n";
    std::ofstream("m") << model_;
  }
  /// Trains a model on t.svm and leaves it in the folder.
  void keep_model(const Program& train) {
    demand(run(train, {"--quiet", "--loss", "log", "t.svm", "m"}).code == 0, "there is no model");
    std::ostringstream text;
    text << std::ifstream("m", std::ios::binary).rdbuf();
    model_ = text.str();
  }
  static std::set<std::string> names() {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(".")) found.insert(entry.path().string());
    return found;
  }

 private:
  fs::path path_;
  std::string model_{};
};

/// Changes the working directory during its lifetime: libFuzzer uses the initial directory.
class Inside {
 public:
  explicit Inside(const Folder& folder) : before_(fs::current_path()) {
    fs::current_path(folder.path());
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() { fs::current_path(before_); }

 private:
  fs::path before_;
};

/// Returns words for a command line: interesting values, and the options in the programs' help.
Words telling_words(const std::vector<Program>& programs) {
  Words found;
  std::istringstream values(
      "0 1 2 -1 010 0x10 1.5 1e-4 1e309 1e-320 nan inf - -- EMPTY 18446744073709551616 "
      "9223372036854775807 auto all sgd pegasos perceptron ridge dual newton lbfgs hinge "
      "log squared huber:1 quantile:2 constant:0.1 inverse-time cyclic softmax one-vs-rest "
      "balanced mean csv libsvm npy binary t.svm t.csv m out.svm out.linea run.svg \x1b[31m "
      "NEWLINE = ,");
  for (std::string word; values >> word;)
    found.push_back(word == "EMPTY" ? "" : word == "NEWLINE" ? "\n" : word);
  std::set<std::string> options;
  for (const auto& program : programs) {
    std::istringstream text(program.help);
    for (std::string word; text >> word;)
      if (word.starts_with("--")) options.insert(word.substr(0, word.find_first_of(",=[;.:)")));
  }
  found.insert(found.end(), options.begin(), options.end());
  return found;
}

/// The folder, the programs with their help, and the words. Initialised once.
struct World {
  std::vector<Program> programs{{"linea_train", linea_train_main},
                                {"linea_predict", linea_predict_main},
                                {"linea_convert", linea_convert_main}};
  Folder folder{};
  Words words{};

  World() {
    for (auto& program : programs) {
      const auto outcome = run(program, {"--help"});
      demand(outcome.code == 0 && outcome.err.empty(), "--help is refused");
      program.help = outcome.out;
    }
    words = telling_words(programs);
    const Inside inside(folder);
    folder.fill();
    folder.keep_model(programs[0]);
    folder.fill();
  }
};

World& world() {
  static World only;
  return only;
}

/// Returns the arguments in an input. A slash becomes '|', so that only files of the folder are
/// used.
Words words_from(const std::string& input) {
  Words words;
  std::string word;
  for (std::size_t at = 0; at < input.size(); ++at) {
    const char c = input[at];
    if (c == '\n') {
      words.push_back(word);
      word.clear();
    } else if (c == '\xff' && at + 1 < input.size()) {
      word += world().words[static_cast<unsigned char>(input[++at]) % world().words.size()];
    } else if (c != '\0') {
      word += c == '/' ? '|' : c;
    }
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

/// Returns the text given to an option, or "" if there is none.
std::string given_to(const std::string& option, const Words& words) {
  for (std::size_t k = 0; k < words.size() && words[k] != "--"; ++k) {
    if (words[k] == option && k + 1 < words.size()) return words[k + 1];
    if (words[k].starts_with(option + "=")) return words[k].substr(option.size() + 1);
  }
  return "";
}

/// Checks that a whole number, if it is accepted, has the value of its decimal digits.
void demand_whole(const std::string& option, const std::string& value, const Words& words) {
  std::string text = given_to(option, words);
  if (text.empty()) return;
  demand(text.find_first_not_of("0123456789", text[0] == '-') == text.npos,
         option + " takes '" + text + "' for a whole number");
  const bool is_negative = text[0] == '-';
  text.erase(0, is_negative);
  text.erase(0, std::min(text.find_first_not_of('0'), text.size() - 1));
  demand((is_negative && text != "0" ? "-" : "") + text == value,
         option + " " + text + " is read as " + value);
}

void demand_values(const TrainOptions& options, const Words& words) {
  const auto& task = options.task;
  const auto strength = [](double value) { return std::isfinite(value) && value >= 0; };
  demand(strength(task.lambda) && strength(task.l1), "a penalty that is none");
  for (const double lambda : options.lambdas) demand(strength(lambda), "a lambda that is none");
  demand(strength(task.tolerance), "a tolerance that is none");
  demand(task.epochs.value_or(0) >= 0 && task.epochs.value_or(0) <= std::int64_t{1} << 53,
         "epochs");
  demand(task.threads >= 1, "threads");
  demand(task.max_updates.value_or(0) >= 0, "updates");
  demand(task.batch_growth >= 1 && std::isfinite(task.batch_growth), "a growth of batches");
  demand(strength(task.change_tolerance), "a change that is none");
  demand(!std::isnan(task.target_objective.value_or(0)), "a target that is no number");
  const double start = task.random_start.value_or(1);
  demand(start > 0 && std::isfinite(start), "a random start");
  demand(options.folds == 0 || options.folds >= 2, "folds");
  demand(options.patience >= 1, "patience");
  demand(options.preprocessing.degree >= 1 && options.preprocessing.degree <= 64, "a degree");
  demand(options.preprocessing.hash_bits >= 0 && options.preprocessing.hash_bits <= 30, "bits");
  demand_whole("--seed", std::to_string(task.seed), words);
  demand_whole("--threads", std::to_string(task.threads), words);
  demand_whole("--epochs", std::to_string(task.epochs.value_or(0)), words);
  demand_whole("--max-updates", std::to_string(task.max_updates.value_or(0)), words);
  demand_whole("--folds", std::to_string(options.folds), words);
  demand_whole("--patience", std::to_string(options.patience), words);
  demand_whole("--polynomial", std::to_string(options.preprocessing.degree), words);
  demand_whole("--hash", std::to_string(options.preprocessing.hash_bits), words);
  demand_whole("--most-features", std::to_string(options.input.most_features), words);
}

/// Does a run with these options take only milliseconds and draw no plot?
bool is_cheap(const TrainOptions& options) {
  const auto& task = options.task;
  return options.plot.empty() && task.threads <= 3 && task.epochs.value_or(0) <= 100 &&
         options.folds <= 6 && options.lambdas.size() <= 4 && options.preprocessing.degree <= 3 &&
         options.preprocessing.hash_bits <= 8 && task.tolerance >= 1e-9 && options.patience <= 100;
}

/// Checks that options are refused or have the values given. Returns whether linea_train may run
/// them.
bool check_train_options(Words words) {
  TrainOptions options;
  CLI::App app{"fuzz"};
  app.set_version_flag("--version", "fuzz");
  program::add_train_options(app, options);
  const Words given = words;
  std::reverse(words.begin(), words.end());  // CLI11 expects the words in reverse order
  try {
    app.parse(words);
    program::settle_train_options(options);
  } catch (const CLI::ParseError&) {
    return true;
  } catch (const std::invalid_argument&) {
    return true;
  }
  demand_values(options, given);
  return is_cheap(options);
}

/// Checks the properties that every run of a program must have.
void demand_outcome(const Program& program, const Outcome& outcome, const Words& words) {
  demand(outcome.code >= 0 && outcome.code <= 2, "an exit code that is not documented");
  demand(outcome.code != 2 || !outcome.err.empty(), "refused without a word");
  demand(outcome.err.empty() || outcome.err.back() == '\n', "a line without an end");
  std::istringstream lines(outcome.err);
  for (std::string line; std::getline(lines, line);) {
    demand(line.starts_with(std::string(program.name) + ": "), "on standard error: " + line);
    for (const char c : line)
      demand(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f, "a control character is printed");
  }
  // Options for help or version take precedence over all others.
  const bool asks = outcome.out == program.help || outcome.out.starts_with(program.name);
  if (outcome.code == 2 || asks) return;
  for (const auto& word : words) {
    if (word == "--") return;
    if (!word.starts_with("--")) continue;
    const std::string name = word.substr(0, word.find('='));
    demand(program.help.find(name) != std::string::npos, name + " is accepted, but not in --help");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string input(reinterpret_cast<const char*>(bytes), size);
  World& all = world();
  Words words = words_from(input);
  if (words.empty() || words.size() > 40) return 0;
  std::size_t which = words[0].empty() ? 0 : static_cast<unsigned char>(words[0][0]) % 3;
  for (std::size_t k = 0; k < 3; ++k)
    if (words[0] == all.programs[k].name) which = k;
  words.erase(words.begin());
  words_of_input = words;
  if (which == 0 && !check_train_options(words)) return 0;
  // Do not start gnuplot, and do not write to standard output.
  for (const auto& word : words)
    if (word == "-" || word.starts_with("--plot")) return 0;

  const Inside inside(all.folder);
  const auto before = Folder::names();
  const Program& program = all.programs[which];
  const Outcome outcome = run(program, words);
  demand_outcome(program, outcome, words);
  if (which == 0 && outcome.code == 2) demand(Folder::names() == before, "files are left behind");
  if (outcome.code != 2 || Folder::names() != before) all.folder.fill();
  return 0;
}
