// SPDX-License-Identifier: MIT
// Tests that linea_predict refuses invalid model files and reads models of other origins, the C++
// header of a model, --version, --help and man pages.
#include <linea/io/model_file.hpp>
#include <linea/version.hpp>
#include <random>

#include "programs/program_folder.hpp"
#include "support/catch.hpp"

using namespace linea::test;
using nlohmann::json;

TEST_CASE_METHOD(Folder, "linea_predict: what is not a model is refused") {
  write("one", "7 1:1 2:2\n3 1:-1\n");
  for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {"", "model: not a model of linea: the file is empty"},
           {"[]", "model: not a model of linea: it begins with '[]'"},
           {"{\"format\":\"linea model\",\"version\":2,\"loss\":\"log\"}",
            "model: a model file of linea 0.3 or older, which scripts/convert_model converts"},
           {"{\"format\":\"linea model\",\"version\":3}", "model:1:36: expected ,, got '}'"}}) {
    write("model", text);
    refuses(LINEA_PREDICT, "one model out", message);
  }
}

TEST_CASE_METHOD(Folder, "linea_predict: damaged models are refused, or unchanged") {
  write("t.csv", "a,b,y\n1,u,0\n2.5,v,1\n,u,2\n4,w,1\n1,v,0\n3,w,2\n");
  trained("--missing mean --standardise --loss log t.csv model");
  const std::string model = contents("model");
  const std::string before = run(LINEA_PREDICT, "--probabilities t.csv model -").out;
  REQUIRE(before.size() > 50);
  std::mt19937 random(1);
  const auto below = [&](std::size_t n) { return random() % n; };
  int refused = 0;
  for (int turn = 0; turn < 60; ++turn) {
    std::string damaged = model;
    if (turn % 3 == 0)
      damaged.resize(below(model.size() - 1));
    else
      damaged[below(model.size())] ^= static_cast<char>(1 << below(8));
    write("damaged", damaged);
    const auto outcome = run(LINEA_PREDICT, "--probabilities t.csv damaged -");
    INFO(damaged);
    if (outcome.code == 0)
      CHECK(outcome.out == before);
    else
      CHECK(outcome.code == 2);
    refused += outcome.code == 2;
  }
  CHECK(refused > 55);
}

TEST_CASE_METHOD(Folder, "Programs: print their version and give examples") {
  const std::string number = std::to_string(LINEA_VERSION_MAJOR) + '.' +
                             std::to_string(LINEA_VERSION_MINOR) + '.' +
                             std::to_string(LINEA_VERSION_PATCH);
  for (const std::string program : {LINEA_TRAIN, LINEA_PREDICT, LINEA_CONVERT}) {
    CHECK_THAT(succeeds(program, "--version").out,
               ContainsSubstring("linea_") && ContainsSubstring(' ' + number + '\n'));
    CHECK_THAT(succeeds(program, "--help").out,
               ContainsSubstring("Examples:") && ContainsSubstring("Exit codes: 0 "));
  }
}

TEST_CASE_METHOD(Folder, "linea_predict: the C++ header of a model predicts like the model") {
  write("t.csv", "a,b,y\n1,u,0\n2.5,v,1\n3,u,2\n4,w,1\n1,v,0\n3,w,2\n");
  for (const char* how : {"--loss log", "--loss hinge", "--loss squared"}) {
    INFO(how);
    trained(std::string("--standardise ") + how + " t.csv model");
    succeeds(LINEA_PREDICT, "--emit-header model my-model.hpp");
    std::istringstream wanted(succeeds(LINEA_PREDICT, "t.csv model -").out);
    write("use.cpp",
          "#include \"my-model.hpp\"\n#include <cstdio>\nint main() {\n"
          "  const double rows[6][4] = {{1, 1, 0, 0}, {2.5, 0, 1, 0}, {3, 1, 0, 0},\n"
          "                             {4, 0, 0, 1}, {1, 0, 1, 0}, {3, 0, 0, 1}};\n"
          "  for (const auto& x : rows) std::printf(\"%.17g\\n\", my_model::predict(x));\n}\n");
    succeeds(LINEA_COMPILER, "-std=c++11 -Wall -Wextra -Werror use.cpp -o use");
    std::istringstream got(run("./use", "").out);
    double one = 0;
    double other = 0;
    int count = 0;
    for (; got >> one && wanted >> other; ++count) CHECK_THAT(one, WithinAbs(other, 1e-12));
    CHECK(count == 6);
  }
}

TEST_CASE_METHOD(Folder, "linea_predict: a header may not have a name of <cmath>") {
  trained("--epochs 1 " + cancer + "model");
  for (const std::string name : {"log", "gamma"})
    refuses(LINEA_PREDICT, "--emit-header model " + name + ".hpp",
            "'" + name + "' is a name of the C library: give the file another one\n");
  succeeds(LINEA_PREDICT, "--emit-header model logs.hpp");
  CHECK_THAT(contents("logs.hpp"), ContainsSubstring("namespace logs {"));
}

TEST_CASE_METHOD(Folder, "Programs: man pages name every option, and groff has no complaint") {
  for (const auto& [program, name] :
       {std::pair<std::string, std::string>{LINEA_TRAIN, "linea_train"},
        {LINEA_PREDICT, "linea_predict"},
#ifdef LINEA_TRAIN_MPI
        {LINEA_TRAIN_MPI, "linea_train_mpi"},
#endif
        {LINEA_CONVERT, "linea_convert"}}) {
    const std::string page = LINEA_SOURCE_DIR "/docs/man/" + name + ".1";
    std::string text;
    for (const char c : contents(page))
      if (c != '\\') text += c;
    const std::string help = run(program, "--help").out;
    for (std::size_t at = help.find("  --"); at != help.npos; at = help.find("  --", at + 1)) {
      const std::string option = help.substr(at + 2, help.find_first_of(" ,\n", at + 2) - at - 2);
      INFO(name << ' ' << option);
      CHECK((text.find(option) != text.npos));
    }
    if (std::system("command -v groff >/dev/null 2>&1") != 0) continue;
    CHECK(succeeds("groff", "-man -Tutf8 -ww '" + page + "'").err.empty());
  }
}

TEST_CASE_METHOD(Folder, "linea_predict: takes models of write_model and of LIBLINEAR") {
  write("t.svm", "1 1:1\n-1 2:1\n1 1:2 2:1\n-1 1:1 2:1\n");
  // Scores of the model a - 2b + 0.25 are 1.25, -1.75, 0.25, -0.75.
  linea::StoredModel stored;
  stored.kind = stored.part_kind = linea::ModelKind::probabilistic_classifier;
  stored.columns = 2;
  stored.labels = {-1, 1};
  stored.features = {"a", "b"};
  auto& part = stored.parts.emplace_back();
  part.weights = {1, -2};
  part.offset = {0.25};
  part.loss = "log";
  linea::write_model(at("m"), stored);
  const json report = predicted("--metrics t.svm m out");
  CHECK(contents("out") == "1\n-1\n1\n-1\n");
  CHECK(report["accuracy"] == 1.0);
  CHECK(report["loss"] == "log");
  // Columns are found by name, with or without the target, and by position if there are no names.
  write("t.csv", "b,y,a\n0,1,1\n1,-1,0\n");
  write("x.csv", "b,a\n0,1\n1,0\n");
  write("n.csv", "1,0\n0,1\n");
  for (const char* file : {"t.csv", "x.csv", "n.csv"}) {
    const auto outcome = succeeds(LINEA_PREDICT, std::string("--probabilities ") + file + " m -");
    CHECK(outcome.out.rfind("prediction -1 1\n1 0.22270013882530884 0.7772998611746911\n-1 ", 0) ==
          0);
  }
  write("l",
        "solver_type L2R_L2LOSS_SVC\nnr_class 2\nlabel 1 -1\nnr_feature 2\nbias -1\n"
        "w\n1 \n-2 \n");
  CHECK(succeeds(LINEA_PREDICT, "t.svm l -").out == "1\n-1\n1\n-1\n");

  stored.kind = linea::ModelKind::multi_target;
  stored.part_kind = stored.kind;
  stored.labels.clear();
  linea::write_model(at("m"), stored);
  refuses(LINEA_PREDICT, "t.svm m",
          "m: a model of kind multi-target, which linea_predict "
          "does not take");
}
