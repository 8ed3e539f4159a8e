// SPDX-License-Identifier: MIT
// Tests the selection of lambda, held-out samples, starts, Ctrl-C and progress lines.
#include <pty.h>

#include <csignal>
#include <linea/core/numbers.hpp>
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
  CHECK(json::parse(contents("model"))["parts"][0]["penalty"] ==
        "l2 (lambda = " + linea::detail::number_text(auto_report["lambda"].get<double>()) + ")");
  CHECK(trained("--lambda auto " + diabetes)["lambda"] == 0.1);
  CHECK_THAT(succeeds(LINEA_TRAIN, "--lambda auto " + diabetes).out,
             ContainsSubstring("the best lambda is at an end of the list: extend the list\n"));
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
  CHECK_THAT(judged["log_loss"], WithinRel(file["validation"]["log_loss"].get<double>(), 1e-12));
  // A run of many epochs on few samples ends early, with its best iterate.
  converted("--parts 9 " + cancer + "few.svm");
  const std::string descent =
      "--optimizer sgd --lambda 0 --loss log --standardise --epochs 3000 --tolerance 0 ";
  const json early = trained(descent + "--validation part.1.svm few.0.svm");
  const json late = trained(descent + "few.0.svm late");
  CHECK(early["status"] == "stopped");
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
    CHECK(json::parse(contents("model"))["parts"][0]["status"] == "stopped");
    CHECK(early["objective"] > 1.001 * minimum);
  }
  CHECK_THAT(succeeds(LINEA_TRAIN, "--patience 1 " + how).out,
             ContainsSubstring("status: stopped, with the weights that predict held-out samples "
                               "best\n") &&
                 ContainsSubstring("; the weights are those of epoch "));
}

TEST_CASE_METHOD(Folder, "linea_train: held-out samples of three classes do not end the run") {
  const std::string how = "--loss log --multiclass one-vs-rest --validation 0.3 " + iris;
  const json report = trained("--patience 1 " + how);
  CHECK(report["status"] == "converged");
  CHECK(report["objective"] == trained("--patience 1000 " + how)["objective"]);
  CHECK(report["validation"]["accuracy"] > 0.8);
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
  CHECK(json::parse(contents("model"))["columns"] == 30);
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
  CHECK(seen({"--lambda=1,0.1", "--quiet"}).empty());
  // The run is too long to end: the test kills it after its first line.
  CHECK_THAT(seen({"--optimizer=sgd", "--epochs=100000000", "--tolerance=0"}, ", objective "),
             ContainsSubstring("epoch "));
}
