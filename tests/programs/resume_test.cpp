// SPDX-License-Identifier: MIT
#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <iterator>
#include <thread>

#include "program_folder.hpp"
#include "support/sanitizer.hpp"

using namespace linea::test;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

/// Runs linea_train and sends the signal so many milliseconds after it has begun; answers how it
/// ended, as waitpid has it.
int interrupted(const Folder& folder, const std::vector<std::string>& arguments, int signal,
                int delay) {
  const ::pid_t child = folder.start(LINEA_TRAIN, arguments);
  int status = 0;
  while (!fs::exists(folder / "state.draft0"))
    if (::waitpid(child, &status, WNOHANG) == child) return status;
  std::this_thread::sleep_for(std::chrono::milliseconds(delay));
  ::kill(child, signal);
  REQUIRE(::waitpid(child, &status, 0) == child);
  return status;
}

/// A run that is interrupted again and again must write the bytes that one writes which is not.
/// `options` go in front of the file of samples.
void require_resumes(const std::string& options, const std::string& file) {
  INFO(options << file);
  const Folder folder;
  auto arguments = words_of("--quiet " + options + "--save-state state");
  arguments.push_back(file);
  arguments.push_back("model");
  REQUIRE(folder.run(LINEA_TRAIN, "--quiet " + options + "'" + file + "' whole").code == 0);
  int delay = 20;
  int cuts = 0;
  for (int attempt = 0; attempt < 60; ++attempt) {
    const bool is_key = attempt % 2 == 0;  // Ctrl-C, else kill
    const int status = interrupted(folder, arguments, is_key ? SIGINT : SIGTERM, delay);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
      if (cuts > 0) break;
      delay /= 2;  // too late
    } else if (WIFSIGNALED(status)) {
      delay += 10;  // before the run had begun
    } else {
      REQUIRE(WEXITSTATUS(status) == 1);
      CHECK_THAT(contents(folder / ".err"),
                 ContainsSubstring(is_key ? "interrupted" : "terminated") &&
                     ContainsSubstring("--resume 'state' goes on"));
      if (++cuts == 1) arguments.insert(arguments.begin(), {"--resume", "state"});
      delay *= 2;  // so that there is an end
    }
  }
  CHECK(cuts > 0);
  CHECK(contents(folder / "model") == contents(folder / "whole"));
  CHECK(folder.names() == std::set<std::string>{"model", "state", "whole"});
  // What is done is not done again, and nothing changes.
  const std::string state = contents(folder / "state");
  const auto again = folder.run(
      LINEA_TRAIN, "--quiet --resume state --save-state again " + options + "'" + file + "' model");
  CHECK(again.code == 0);
  CHECK(contents(folder / "model") == contents(folder / "whole"));
  CHECK(contents(folder / "again") == state);
}

/// As an option, with a blank behind it.
std::string epochs(int number) { return "--epochs " + std::to_string(long_run(number)) + ' '; }

const std::string folder_of_data = LINEA_SOURCE_DIR "/examples/data/";

}  // namespace

TEST_CASE("linea_train: --resume goes on to the bits of a run that was never interrupted",
          "[programs]") {
  SECTION("sgd") {
    require_resumes("--loss hinge --optimizer sgd --tolerance 0 " + epochs(1500),
                    folder_of_data + "wdbc.svm");
  }
  SECTION("pegasos in float") {
    require_resumes("--optimizer pegasos --float --standardise --tolerance 0 " + epochs(1500),
                    folder_of_data + "wdbc.svm");
  }
  SECTION("dual ascent for each of three classes") {
    require_resumes("--optimizer dual --loss log --lambda 1e-7 --tolerance 1e-15 " + epochs(4000),
                    folder_of_data + "iris.svm");
  }
  SECTION("held-out samples that stop it") {
    require_resumes(
        "--loss log --optimizer sgd --standardise --step constant:1e-5 --tolerance 0 "
        "--validation 0.3 --patience 1000 " +
            epochs(1000),
        folder_of_data + "wdbc.svm");
  }
  SECTION("auto, where it takes the interior point") {
    const std::string choice = is_watched ? "1e-5,1e-4 --folds 2" : "1e-7,1e-6,1e-5,1e-4 --folds 5";
    require_resumes("--loss hinge --standardise --tolerance 1e-9 --lambda " + choice + ' ',
                    folder_of_data + "wdbc.svm");
  }
  SECTION("a softmax") {
    require_resumes(
        "--loss log --optimizer newton --lambda 1e-15 --tolerance 0 --polynomial 4 " + epochs(5000),
        folder_of_data + "iris.svm");
  }
  SECTION("weights that are exactly 0, by auto") {
    require_resumes("--loss log --l1 1e-3 --lambda 0 --tolerance 1e-10 ",
                    folder_of_data + "wdbc.svm");
  }
  SECTION("the choice of lambda") {
    require_resumes("--optimizer sgd --epochs 100 --tolerance 0 --lambda 1e-2,1e-3,1e-4 ",
                    folder_of_data + "wdbc.svm");
  }
}

TEST_CASE("linea_train: a run is kept while it goes on, and one that is killed is not lost",
          "[programs]") {
  for (const std::string& options :
       {"--quiet --optimizer sgd --tolerance 0 " + epochs(2000),
        "--quiet --optimizer sgd --tolerance 0 --lambda 1e-2,1e-3 " + epochs(200)}) {
    INFO(options);
    const Folder folder;
    REQUIRE(folder.run(LINEA_TRAIN, options + cancer + "whole").code == 0);
    // Stopped and taken up all the while, a run has the bytes of one that was not.
    REQUIRE(
        folder
            .run(LINEA_TRAIN, options + "--save-state often --save-every 1e-6 " + cancer + "model")
            .code == 0);
    CHECK(contents(folder / "model") == contents(folder / "whole"));
    fs::remove(folder / "model");

    auto arguments = words_of(options + "--save-state state --save-every 1e-6");
    arguments.insert(arguments.end(), {folder_of_data + "wdbc.svm", "model"});
    const ::pid_t child = folder.start(LINEA_TRAIN, arguments);
    bool is_on = true;
    while (is_on && !fs::exists(folder / "state")) is_on = ::waitpid(child, nullptr, WNOHANG) == 0;
    REQUIRE(is_on);
    ::kill(child, SIGKILL);
    REQUIRE(::waitpid(child, nullptr, 0) == child);
    CHECK_FALSE(fs::exists(folder / "model"));
    REQUIRE(folder.run(LINEA_TRAIN, options + "--resume state " + cancer + "model").code == 0);
    CHECK(contents(folder / "model") == contents(folder / "whole"));
  }
  const Folder folder;
  for (const char* seconds : {"-1", "inf", "nan"}) {
    const auto refused = folder.run(
        LINEA_TRAIN, "--save-state state --save-every " + std::string(seconds) + " " + cancer);
    CHECK(refused.code == 2);
    CHECK_THAT(refused.err,
               ContainsSubstring("--save-every ") && ContainsSubstring(" is not >= 0"));
  }
  CHECK(folder.names().empty());
}

TEST_CASE("linea_train: a state of another run, or a damaged one, is refused", "[programs]") {
  const Folder folder;
  const std::string options = "--quiet --optimizer newton --loss log ";
  const auto refused = [&](const std::string& arguments, const std::string& why) {
    const auto outcome = folder.run(LINEA_TRAIN, "--resume state " + arguments);
    INFO(arguments << outcome.err);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, ContainsSubstring(why));
  };
  REQUIRE(folder.run(LINEA_TRAIN, options + "--save-state state " + cancer + "model").code == 0);
  REQUIRE(folder.run(LINEA_TRAIN, options + "--resume state " + cancer + "again").code == 0);
  CHECK(contents(folder / "again") == contents(folder / "model"));
  refused("--optimizer newton " + cancer,
          "state: the run that left it had --loss log, which is not");
  refused(options + "--lambda 1 " + cancer, "state: the run that left it had no --lambda 1");
  folder.write("few", "1 1:1\n-1 2:1\n");
  refused(options + "few", "learnt from 569 samples of 30 features, but there are 2 of 2");
  std::string samples = contents(LINEA_SOURCE_DIR "/examples/data/wdbc.svm");
  samples[samples.find("1:") + 2] = samples[samples.find("1:") + 2] == '2' ? '3' : '2';
  folder.write("other", samples);
  refused(options + "other", "learnt from 569 samples, too, but from others than those of other");
  const std::string state = contents(folder / "state");
  for (std::size_t at = 0; at < state.size(); at += 7) {
    std::string damaged = state;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
    folder.write("state", damaged);
    if (at % 35 == 0) refused(options + cancer, "state: ");
  }
  folder.write("state", state.substr(0, state.size() / 2));
  refused(options + cancer, "state: the state is damaged");
  folder.write("state", contents(folder / "model"));
  refused(options + cancer, "state: no state that linea_train --save-state wrote");
}

TEST_CASE("linea_train: --save-state with what keeps no state is refused at the door",
          "[programs]") {
  const Folder folder;
  const auto refused = [&](const std::string& arguments, const std::string& why) {
    const auto outcome = folder.run(LINEA_TRAIN, "--save-state state " + arguments);
    INFO(arguments << outcome.err);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, ContainsSubstring(why));
    CHECK(folder.names().empty());
  };
  refused("--optimizer ridge " + diabetes, "sgd, pegasos, perceptron, dual, newton and lbfgs do");
  refused(cancer + "state", "--save-state and MODEL_FILE are the same file");
  CHECK_THAT(folder.run(LINEA_TRAIN, "--save-state - " + cancer).err,
             ContainsSubstring("--save-state -: a state is a file"));
  CHECK_THAT(folder.run(LINEA_TRAIN, "--resume - " + cancer).err,
             ContainsSubstring("--resume -: a state is a file"));
  CHECK(folder.run(LINEA_TRAIN, "--resume nowhere " + cancer).code == 2);
}
