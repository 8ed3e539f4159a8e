// SPDX-License-Identifier: MIT
// Every option that a model stores goes through the file of the model: linea_predict, --start and
// --emit-header read what linea_train writes.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "programs/program_folder.hpp"
#include "support/catch.hpp"

namespace stored_options_test {

using namespace linea::test;
using nlohmann::json;

namespace {

constexpr int samples = 24;
using Features = std::array<double, 3>;

Features features(int i) { return {i % 5 - 2.0, i * i % 7 + 0.5, 1000.0 * (i % 3)}; }
int sign(int i) { return i % 5 > 1 || i % 7 == 0 ? 1 : -1; }

/// A call of linea_train. `features_are_plain`: does the header of the model take features(i)?
struct Row {
  std::string options;
  std::string file;
  bool features_are_plain{true};
};

// For a new option that models store, add a line here.
const std::vector<Row> rows{
    {"--l1 0.01 --lambda 0.1 --loss log", "signs.csv"},
    {"--no-offset", "signs.csv"},
    {"--class-weights balanced", "signs.csv"},
    {"--standardise", "signs.csv"},
    {"--standardise --no-offset", "signs.svm"},
    {"--loss log --multiclass one-vs-rest", "three.csv"},
    {"--loss log --multiclass softmax", "three.csv"},
    {"--loss log --standardise --multiclass softmax", "names.csv"},
    {"--class-weights blue:2", "names.csv"},
    {"--polynomial 2", "signs.csv", false},
    {"--hash 4", "text.csv", false},
    {"--missing mean --standardise", "holes.csv", false},
    {"--missing zero", "holes.csv", false},
    {"--missing refuse", "text.csv", false},
    {"--text 1 --target -1", "names.csv", false},
    {"--target y", "first.csv"},
    {"--drop spare --weights w", "more.csv"},
    {"--loss squared", "signs.csv"},
    {"--header no", "bare.csv"},
    {"--format libsvm", "signs.svm"},
    {"--zero-based --most-features 9", "zeros.svm"},
    {"--separator semicolon --decimal comma --thousands point", "german.csv"},
    {"--missing-values nothing,naught --missing mean", "words.csv", false},
};

void write_files(const Folder& folder) {
  const auto plain = [](int i) {
    const auto [a, b, c] = features(i);
    return csv(a, b, c);
  };
  const auto all = [&](const std::string& name, const std::string& header, const auto& row) {
    folder.write(name, table(header, 0, samples, row));
  };
  const char* const colours[] = {"red", "green", "blue"};
  all("signs.csv", "a,b,c,y", [&](int i) { return csv(plain(i), sign(i)); });
  all("bare.csv", "", [&](int i) { return csv(plain(i), sign(i)); });
  all("three.csv", "a,b,c,y", [&](int i) { return csv(plain(i), i % 5 % 3); });
  all("names.csv", "a,b,c,y", [&](int i) { return csv(plain(i), colours[i % 5 % 3]); });
  all("text.csv", "t,b,y", [&](int i) { return csv(colours[i % 3], i % 4, sign(i)); });
  all("holes.csv", "a,b,y",
      [&](int i) { return csv(i % 6 ? std::to_string(i % 5) : "", i % 4, sign(i)); });
  all("words.csv", "a,b,y",
      [&](int i) { return csv(i % 6 ? std::to_string(i % 5) : "nothing", i % 4, sign(i)); });
  all("first.csv", "y,a,b,c", [&](int i) { return csv(sign(i), plain(i)); });
  all("more.csv", "a,spare,b,w,c,y", [&](int i) {
    const auto [a, b, c] = features(i);
    return csv(a, i, b, 1 + i % 2, c, sign(i));
  });
  const auto entries = [](int i, int first) {
    std::ostringstream line;
    line << sign(i);
    for (const double value : features(i)) line << ' ' << first++ << ':' << value;
    return line.str();
  };
  all("signs.svm", "", [&](int i) { return entries(i, 1); });
  all("zeros.svm", "", [&](int i) { return entries(i, 0); });
  all("german.csv", "a;b;c;y", [&](int i) {
    const auto [a, b, c] = features(i);
    std::ostringstream line;
    line << a << ';' << b - 0.5 << ",5;" << c / 1000 << ".000;" << sign(i);
    return line.str();
  });
}

/// Returns the rows, and one for each loss of linea_train, with and without its parameter.
std::vector<Row> all_rows(const Folder& folder) {
  std::vector<Row> all = rows;
  const std::string refused = folder.run(LINEA_TRAIN, "--loss none signs.csv").err;
  const std::string before = "there are ";
  REQUIRE(refused.find(before) != refused.npos);
  std::istringstream names(refused.substr(refused.find(before) + before.size()));
  int parameters = 0;
  for (std::string name; names >> name;) {
    name = name.substr(0, name.find(','));
    all.push_back({"--loss " + name, "signs.csv"});
    const std::string with = "--loss " + name + ":0.5";
    if (folder.run(LINEA_TRAIN, "--quiet " + with + " signs.csv").code != 0) continue;
    all.push_back({with, "signs.csv"});
    ++parameters;
  }
  CHECK(parameters >= 4);
  CHECK(all.size() >= rows.size() + 14);
  return all;
}

/// Adds the members of a model, lists as "name[]", and their values.
void collect(const json& part, const std::string& name,
             std::map<std::string, std::set<std::string>>& values) {
  if (part.is_array()) values[name].insert(std::to_string(part.size()));
  if (part.is_structured() && !part.empty())
    for (const auto& [key, value] : part.items())
      collect(value, part.is_array() ? name + "[]" : name + "/" + key, values);
  else
    values[name].insert(part.dump());
}

/// Returns the options in the groups of linea_train's help whose titles begin in this way.
std::vector<std::string> options_in(const std::string& help, const std::string& group) {
  std::istringstream lines(help);
  std::vector<std::string> options;
  bool is_inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(' ')) is_inside = line.starts_with(group);
    const auto at = line.find("--");
    if (is_inside && at == 2) options.push_back(line.substr(at, line.find_first_of(" ,", at) - at));
  }
  return options;
}

double number_in(const std::string& line) { return std::stod(line); }

/// Are the lines the same labels, or numbers that differ by rounding? Weights for standardised
/// features are stored for features as they are.
bool same_predictions(const std::string& one, const std::string& other) {
  std::istringstream lines(one);
  std::istringstream others(other);
  bool are_same = true;
  for (std::string a, b; std::getline(lines, a) && std::getline(others, b);)
    are_same = are_same && (a == b || std::abs(number_in(a) - number_in(b)) <
                                          1e-12 * (1 + std::abs(number_in(a))));
  return are_same && lines.eof();
}

/// Returns the classes of a text target.
json classes_in(const json& model) {
  if (model["encoder"].is_object())
    for (const json& column : model["encoder"]["columns"])
      if (column["role"] == "target") return column["categories"];
  return json::array();
}

}  // namespace

TEST_CASE_METHOD(Folder, "Programs: each option that a model stores survives the model's file") {
  write_files(*this);
  const std::vector<Row> all = all_rows(*this);
  std::map<std::string, std::set<std::string>> values;
  std::ostringstream includes;
  std::ostringstream body;
  std::string wanted;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto& [options, file, is_plain] = all[k];
    const std::string model = "m" + std::to_string(k);
    INFO(options << ' ' << file);
    const json report = trained(options + ' ' + file + ' ' + model);
    const json stored = json::parse(contents(model));
    collect(stored, "", values);

    // linea_predict gets from the file alone what linea_train had.
    const json predicted_again = predicted(file + ' ' + model + " out");
    const bool has_classes = predicted_again.contains("accuracy");
    const double error = has_classes ? 1 - predicted_again["accuracy"].get<double>()
                                     : predicted_again["mean_squared_error"].get<double>();
    CHECK_THAT(error, WithinAbs(report["train_error"].get<double>(), 1e-12));
    const std::string predictions = contents("out");

    // A run without epochs returns its start.
    if (stored["kind"] != "softmax" && stored["kind"] != "one-vs-rest") {
      trained("--optimizer sgd --epochs 0 --start " + model + ' ' + options + ' ' + file + " next");
      predicted(file + " next out");
      CHECK(same_predictions(contents("out"), predictions));
    }

    if (options.find("--polynomial") != options.npos || options.find("--hash") != options.npos) {
      refuses(LINEA_PREDICT, "--emit-header " + model + " no.hpp",
              "a header cannot compute features");
      continue;
    }
    succeeds(LINEA_PREDICT, "--emit-header " + model + ' ' + model + ".hpp");
    includes << "#include \"" << model << ".hpp\"\n";
    if (!is_plain) continue;
    body << "  for (const auto& x : rows) std::printf(\"%.17g\\n\", double(" << model
         << "::predict(x)));\n";
    const json names = classes_in(stored);
    std::istringstream lines(predictions);
    for (std::string line; std::getline(lines, line);) {
      const auto name = std::find(names.begin(), names.end(), line);
      wanted += (names.empty() ? line : std::to_string(name - names.begin())) + '\n';
    }
  }

  // The headers of all models compile together, and predict the same.
  includes << "#include <cstdio>\nint main() {\n  const double rows[][3] = {";
  for (int i = 0; i < samples; ++i) {
    const auto [a, b, c] = features(i);
    includes << "{" << a << ", " << b << ", " << c << "}, ";
  }
  write("use.cpp", includes.str() + "};\n" + body.str() + "}\n");
  succeeds(LINEA_COMPILER, "-std=c++11 -Wall -Wextra -Werror use.cpp -o use");
  std::istringstream got(run("./use", "").out);
  std::istringstream expected(wanted);
  int count = 0;
  for (std::string one, other; std::getline(expected, one); ++count) {
    REQUIRE(std::getline(got, other));
    CHECK_THAT(number_in(other), WithinAbs(number_in(one), 1e-9));
  }
  CHECK(count >= 20 * samples);

  // Each member of the file has several values among these models, so that no option is forgotten.
  for (const auto& [name, seen] : values) {
    INFO(name << " is always " << *seen.begin());
    const bool is_fixed = name == "/encoder" || name == "/format" || name == "/version" ||
                          name == "/scalar" || name.starts_with("/notes");
    CHECK((is_fixed || name.starts_with("/parts[]") || seen.size() > 1));
  }
}

TEST_CASE_METHOD(Folder, "Programs: the test of stored options has every option of its groups") {
  const std::string help = succeeds(LINEA_TRAIN, "--help").out;
  std::string given = " --loss ";
  for (const Row& row : rows) given += row.options + ' ';
  std::size_t count = 0;
  for (const char* group : {"Objective", "Features (stored with the model)", "Reading files"})
    for (const std::string& option : options_in(help, group)) {
      INFO(option);
      CHECK(given.find(option + ' ') != given.npos);
      ++count;
    }
  CHECK(count >= 20);
  for (const char* choices : {"--missing TEXT:{", "--multiclass TEXT:{"}) {
    const std::string option = std::string(choices).substr(0, std::string(choices).find(' ') + 1);
    const auto at = help.find(choices);
    REQUIRE(at != help.npos);
    const auto open = help.find('{', at) + 1;
    std::istringstream list(help.substr(open, help.find('}', open) - open));
    for (std::string choice; std::getline(list, choice, ',');) {
      INFO(option << choice);
      CHECK(given.find(option + choice + ' ') != given.npos);
    }
  }
}

}  // namespace stored_options_test
