// SPDX-License-Identifier: MIT
// Tests the selection of lambda, held-out samples, starts, pictures, Ctrl-C and progress lines.
#include <pty.h>

#include <csignal>
#include <linea/io/libsvm.hpp>
#include <linea/models/classifiers.hpp>
#include <linea/models/cross_validation.hpp>
#include <thread>
#include <tuple>
#include <vector>

#include "programs/program_folder.hpp"
#include "support/catch.hpp"

namespace fs = std::filesystem;
using namespace linea::test;
using nlohmann::json;

TEST_CASE_METHOD(Folder, "linea_train: selects the lambda of the library's cross-validation") {
  const json report = trained("--loss log --lambda 1e-3,1,1e-1,1e-2 --folds 4 --seed 2 " + cancer);
  const auto set = linea::read_libsvm<double>(LINEA_SOURCE_DIR "/examples/data/wdbc.svm");
  const auto chosen = linea::CrossValidation{.folds = 4, .seed = 2}.choose(
      linea::LogisticRegression{.tolerance = 1e-4}, {1, 1e-1, 1e-2, 1e-3}, set.x, set.y);
  REQUIRE(report["lambdas"].size() == 4);
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(report["lambdas"][k] == chosen.lambdas[k]);
    CHECK_THAT(report["validation_errors"][k],
               WithinAbs(chosen.mean[static_cast<linea::Index>(k)], 0.005));
  }
  CHECK(report["lambda"] == chosen.lambdas[static_cast<std::size_t>(chosen.best)]);
}

TEST_CASE_METHOD(Folder, "linea_train: --lambda auto prints its table and selects the best") {
  const std::string automatic = "--loss log --standardise --lambda auto --folds 3 " + cancer;
  const auto outcome = succeeds(LINEA_TRAIN, automatic + "model");
  CHECK_THAT(outcome.out, ContainsSubstring("lambda  % wrong"));
  CHECK_THAT(outcome.out, ContainsSubstring("<- selected"));
  CHECK(outcome.err.empty());  // there is no progress without a terminal
  const json auto_report = trained(automatic);
  CHECK(auto_report["lambdas"].size() == 13);
  CHECK(auto_report["train_error"] < 0.02);
  CHECK(json::parse(contents("model"))["training"]["lambda"] == auto_report["lambda"]);
  // If the smallest λ is the best, the list is extended three times by four.
  const json further = trained("--lambda auto " + diabetes);
  CHECK(further["lambdas"].size() == 25);
  CHECK(further["lambdas"][0] == 1e5);
  CHECK(further["lambdas"][23] == 3e-7);
  CHECK(further["lambda"] == 1e-7);
}

TEST_CASE_METHOD(Folder,
                 "linea_train: held-out samples are not used for training, and end the run") {
  const json share = trained("--standardise --validation 0.25 --loss log " + cancer + "m");
  CHECK(share["n"] == 427);
  CHECK(share["validation"]["n"] == 142);
  CHECK(share["validation"]["accuracy"] > 0.94);
  converted("--parts 2 " + cancer + "part.svm");
  const json file = trained("--validation part.1.svm --standardise --loss log part.0.svm m");
  CHECK(file["n"] == 284);
  CHECK(file["validation"]["n"] == 285);
  const auto judged = predicted("--metrics part.1.svm m");
  CHECK(judged["log_loss"] == file["validation"]["log_loss"]);
  // A run of many epochs on few samples ends early, with its best iterate.
  converted("--parts 9 " + cancer + "few.svm");
  const std::string descent =
      "--optimizer sgd --lambda 0 --loss log --standardise --epochs 3000 --tolerance 0 ";
  const json early = trained(descent + "--validation part.1.svm few.0.svm");
  const json late = trained(descent + "few.0.svm late");
  CHECK(early["stopped_early"] == true);
  CHECK(early["epochs"] < 3000);
  const auto of_late = predicted("part.1.svm late");
  CHECK(early["validation"]["log_loss"] < of_late["log_loss"]);
  CHECK(run(LINEA_TRAIN, "--validation nowhere " + cancer).code == 2);
}

TEST_CASE_METHOD(Folder, "linea_train: continues from a model") {
  const std::string how = "--loss log --lambda 1e-2 --optimizer lbfgs --tolerance 1e-6 ";
  const json cold = trained(how + cancer + "model");
  const json warm = trained(how + "--start model " + cancer);
  CHECK(warm["epochs"] < cold["epochs"]);
  CHECK_THAT(warm["objective"], WithinRel(cold["objective"], 1e-5));
  // The model to continue from may have been trained on features of another scale.
  const std::string tight = "--loss squared --lambda 0 --optimizer lbfgs --tolerance 1e-9 ";
  const json scaled = trained(tight + "--standardise " + diabetes + "scaled");
  const json plain = trained(tight + "--start scaled " + diabetes + "plain");
  CHECK(plain["updates"] <= 6);  // six updates show that F hardly changes
  CHECK_THAT(plain["objective"], WithinRel(scaled["objective"], 1e-8));
  const json again = trained(tight + "--standardise --start plain " + diabetes);
  CHECK(again["updates"] <= 6);
}

TEST_CASE_METHOD(Folder, "linea_train: weights of an earlier epoch have not converged") {
  converted("--parts 2 " + cancer + "part.svm");
  const std::string how = "--lambda 1e-5 --validation part.1.svm part.0.svm model ";
  // The run of all epochs converges, but another epoch predicts the held-out samples best.
  const double minimum = trained("--lambda 1e-5 part.0.svm")["objective"];
  for (const std::string options : {"", "--patience 1000 "}) {
    INFO(options);
    const json early = trained(options + how);
    CHECK(early["status"] == "stopped");
    CHECK_FALSE(early.contains("gap"));
    CHECK(json::parse(contents("model"))["training"]["status"] == "stopped");
    CHECK(early["objective"] > 1.001 * minimum);
  }
  CHECK_THAT(succeeds(LINEA_TRAIN, "--patience 1 " + how).out,
             ContainsSubstring("status: stopped early, with the weights that predict held-out "
                               "samples best\n"));
  CHECK_THAT(succeeds(LINEA_TRAIN, "--patience 1000 " + how).out,
             ContainsSubstring("status: ended, with the earlier weights that predict held-out "
                               "samples best\n"));
}

TEST_CASE_METHOD(Folder, "linea_train: softmax stops early at the best score of held-out samples") {
  const std::string how = "--loss log --lambda 1e-9 --validation 0.3 " + iris;
  const json all = trained("--patience 1000 " + how + "all");
  const json early = trained("--patience 2 " + how + "early");
  CHECK(early["multiclass"] == "softmax");
  CHECK(early["stopped_early"] == true);
  CHECK(early["updates"] < all["updates"]);
  // Both runs return the same best iterate, which is an early one.
  CHECK(json::parse(contents("early"))["weights"] == json::parse(contents("all"))["weights"]);
  CHECK(early["validation"] == all["validation"]);
  // A run without early stopping ends at a lower F.
  const json whole = trained("--loss log --lambda 1e-9 " + iris + "whole");
  CHECK(whole["objective"] < early["objective"]);
}

TEST_CASE_METHOD(Folder, "Programs: pictures are drawn completely or not at all") {
  const auto without =
      run("/usr/bin/env' 'PATH=/nowhere' '" LINEA_TRAIN, "--plot a.svg " + cancer + "model");
  CHECK(without.code == 2);
  CHECK_THAT(without.err, ContainsSubstring("gnuplot is not installed, or failed"));
  CHECK(names() == std::set<std::string>{"model"});
  if (std::system("command -v gnuplot >/dev/null 2>&1") != 0) return;
  const std::string quick = "--standardise --lambda 1,1e-1,1e-2 --folds 2 --plot a.svg --loss ";
  trained(quick + "log " + cancer + "model");
  std::string svg = contents("a.svg");
  for (const char* title : {"the run", "selection of lambda", "ROC, area 0.9", "calibration of 1",
                            "confusion", "largest weights", "</svg>"})
    CHECK((svg.find(title) != svg.npos));
  trained(quick + "squared " + diabetes);
  svg = contents("a.svg");
  for (const char* title : {"selection of lambda", "predictions", "largest weights", "</svg>"})
    CHECK((svg.find(title) != svg.npos));
  // Names are drawn as they are, whatever they mean to gnuplot.
  write("names.csv", table("x%d,p_{1}^2,100%,y", 0, 40, [](int i) {
          return csv(i % 7, i % 5, i % 3, i % 7 + i % 2 > 3 ? "50%" : "%s_it's");
        }));
  trained("--plot a.svg --loss log names.csv");
  svg = contents("a.svg");
  for (const char* name :
       {">x%d<", ">p_{1}^2<", ">100%<", ">50%<", ">%s_it's<", "calibration of 50%,"})
    CHECK_THAT(svg, ContainsSubstring(name));
  succeeds(LINEA_PREDICT, "--plot b.png " + cancer + "model");
  CHECK(contents("b.png").substr(1, 3) == "PNG");
}

TEST_CASE_METHOD(Folder,
                 "linea_train: Ctrl-C and SIGTERM end the run and leave the best model so far") {
  // Two signals within half a second, as the command `timeout` sends them, count as one, however
  // busy the machine is.
  const auto [signal, word, sending] =
      GENERATE(std::tuple(SIGINT, "interrupted", 0), std::tuple(SIGTERM, "terminated", 100));
  int status = 0;
  // A signal before the run begins ends the program, so the delay grows until the signal arrives
  // during the run.
  for (int delay = 200; delay < 20000; delay *= 3) {
    const ::pid_t child = start(LINEA_TRAIN, {"--epochs", "1000000000", "--tolerance", "0",
                                              "--json", cancer_file, "model"});
    std::this_thread::sleep_for(std::chrono::milliseconds(delay));
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(sending);
    do {
      ::kill(child, signal);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } while (std::chrono::steady_clock::now() < end);
    REQUIRE(::waitpid(child, &status, 0) == child);
    if (WIFEXITED(status)) break;
    CHECK(names().empty());
  }
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 1);
  CHECK_THAT(contents(".err"),
             ContainsSubstring(std::string(word) + "; the best model so far is written"));
  const json report = json::parse(contents(".out"));
  CHECK(report["interrupted"] == true);
  CHECK(report["status"] == "stopped");
  CHECK(json::parse(contents("model"))["weights"].size() == 30);
  predicted(cancer + "model");
}

TEST_CASE_METHOD(Folder, "linea_train: prints a line of progress to a terminal, unless quiet") {
  // Returns what linea_train writes to a terminal. If `last` is not empty, the program is killed
  // when it has written `last`.
  const auto seen = [&](const std::vector<const char*>& options, const std::string& last = "") {
    std::vector<const char*> words{LINEA_TRAIN, "--loss", "log"};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {cancer_file.c_str(), nullptr});
    int terminal = -1;
    const ::pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
    if (child == 0) {
      ::alarm(60);
      ::execv(LINEA_TRAIN, const_cast<char* const*>(words.data()));
      ::_exit(99);
    }
    const auto ended = [&](const std::string& text) {
      return !last.empty() && text.find(last) != std::string::npos;
    };
    std::string text;
    char part[4096];
    for (::ssize_t size; !ended(text) && (size = ::read(terminal, part, sizeof part)) > 0;)
      text.append(part, static_cast<std::size_t>(size));
    if (ended(text)) ::kill(child, SIGKILL);
    int status = -1;
    CHECK(::waitpid(child, &status, 0) == child);
    CHECK(status == (ended(text) ? SIGKILL : 0));
    ::close(terminal);
    return text;
  };
  CHECK_THAT(seen({"--lambda=1,0.1", "--standardise"}),
             ContainsSubstring("fold 1 of 5, lambda 1: epoch 1, objective "));
  CHECK(seen({"--lambda=1,0.1", "--quiet"}).empty());
  // The run is too long to end: the test kills it after the first estimate of its remaining time.
  CHECK_THAT(
      seen({"--lambda=0.1", "--optimizer=sgd", "--epochs=100000000", "--tolerance=0"}, " left"),
      ContainsSubstring(", at most "));
}
