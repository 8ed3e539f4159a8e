// SPDX-License-Identifier: MIT
// linea_train and linea_predict where the world is not as it should be: nothing hangs, and nothing
// that was there is lost.
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "programs/program_folder.hpp"
#include "support/catch.hpp"
#include "support/child_process.hpp"

namespace fs = std::filesystem;
using namespace linea::test;
using nlohmann::json;
using Names = std::set<std::string>;

namespace {

const std::string quick = "--epochs 2 ";

/// Runs a program from this command of a shell, which knows it as "$0" "$@".
Outcome run_by(const Folder& folder, const std::string& command, const std::string& program,
               const std::string& arguments) {
  return folder.run("/bin/sh", "-c '" + command + "' '" + program + "' " + arguments);
}

/// Runs a program after a shell has set limits; ends it, with code 124, if it hangs.
Outcome limited(const Folder& folder, const std::string& limits, const std::string& program,
                const std::string& arguments) {
  return run_by(folder, (can_limit_memory() ? limits : ":") + R"(; exec timeout 60 "$0" "$@")",
                program, arguments);
}

bool is_model(const fs::path& path) {
  const json model = json::parse(contents(path), nullptr, false);
  return model.is_object() && model["weights"].size() == 30;
}

}  // namespace

TEST_CASE("linea_train: does with less threads what it does with all", "[programs]") {
  const Folder folder;
  const std::string arguments = "--json --threads 8 --epochs 3 " + cancer;
  const auto free = succeeds(folder, LINEA_TRAIN, arguments);
  // Room for one or two stacks beside the program.
  const auto few = limited(folder, "ulimit -s 65536; ulimit -v 200000", LINEA_TRAIN, arguments);
  INFO(few.err);
  REQUIRE(few.code == 0);
  CHECK(json::parse(few.out)["objective"] == json::parse(free.out)["objective"]);
}

TEST_CASE("linea_train: a model that cannot be written is refused before training, with the reason",
          "[programs]") {
  const Folder folder;
  // Training would take more than the time that a test has.
  const std::string endless = "--optimizer sgd --epochs 1000000000 --tolerance 0 " + cancer;
  refuses(folder, LINEA_TRAIN, endless + ".", "cannot write '.': Is a directory\n");
  refuses(folder, LINEA_TRAIN, endless + "nowhere/model",
          "cannot write 'nowhere/model': No such file or directory\n");
}

TEST_CASE("linea_train: files of other names are not touched", "[programs]") {
  const Folder folder;
  const std::string text = "1 1:1\n-1 1:-1\n";
  for (const char* name : {"m.part", "m.draft0"}) {
    folder.write(name, text);
    trained(folder, quick + name + " m");
    CHECK(contents(folder / name) == text);
  }
  CHECK(folder.names() == Names{"m", "m.draft0", "m.part"});
}

TEST_CASE("Programs: outputs go where they are told to, and leave what is there what it is",
          "[programs]") {
  const Folder folder;
  folder.write("private", "before");
  fs::permissions(folder / "private", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("private", folder / "link");
  trained(folder, quick + cancer + "link");
  CHECK(is_model(folder / "private"));
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(fs::status(folder / "private").permissions() ==
        (fs::perms::owner_read | fs::perms::owner_write));

  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  const auto piped = [&](const std::string& program, const std::string& arguments) {
    return run_by(folder,
                  R"(timeout 60 cat pipe >read & timeout 60 "$0" "$@"; code=$?; wait; exit $code)",
                  program, arguments + "pipe");
  };
  REQUIRE(piped(LINEA_TRAIN, quick + cancer).code == 0);
  CHECK(contents(folder / "read") == contents(folder / "private"));
  succeeds(folder, LINEA_PREDICT, cancer + "link predictions");
  REQUIRE(piped(LINEA_PREDICT, cancer + "link ").code == 0);
  CHECK(contents(folder / "read") == contents(folder / "predictions"));
  CHECK(fs::is_fifo(folder / "pipe"));
  CHECK(folder.names() == Names{"link", "pipe", "predictions", "private", "read"});
  // Predictions between other things on standard output.
  const auto told = folder.run(LINEA_PREDICT, "--metrics " + cancer + "link /dev/stdout");
  CHECK(told.out.find(contents(folder / "predictions") + "loss: hinge\n") == 0);

  // As /dev/null, but of the test's own.
  if (::mknod((folder / "null").c_str(), S_IFCHR | 0600, makedev(1, 3)) != 0) return;
  trained(folder, quick + cancer + "null");
  CHECK(folder.run(LINEA_PREDICT, cancer + "private null").code == 0);
  CHECK(fs::is_character_file(folder / "null"));
}

TEST_CASE("Programs: a report that cannot be printed is a failure", "[programs]") {
  const Folder folder;
  const auto without_output = [&](const std::string& program, const std::string& arguments) {
    const auto outcome = run_by(folder, R"(exec "$0" "$@" >&-)", program, arguments);
    INFO(arguments << outcome.err);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, ContainsSubstring("the report could not be printed"));
  };
  // The shell writes until it fails: only then is the reader surely gone.
  const std::string until_closed =
      R"({ trap "" PIPE; while echo 2>/dev/null; do :; done; trap - PIPE; exec "$0" "$@"; } | :)";
  const auto closed = run_by(folder, until_closed, LINEA_TRAIN, quick + cancer);
  CHECK(closed.err == "linea_train: the report could not be printed: what reads it has ended\n");
  without_output(LINEA_TRAIN, quick + cancer + "model");
  CHECK(is_model(folder / "model"));  // the work is not lost
  without_output(LINEA_TRAIN, "--json " + quick + cancer);
  without_output(LINEA_TRAIN, "--help");
  without_output(LINEA_PREDICT, cancer + "model predictions");
  without_output(LINEA_PREDICT, "--help");
  CHECK(folder.names() == Names{"model", "predictions"});
}

TEST_CASE("linea_train: a hangup, or a second signal, leaves no draft and what was there",
          "[programs]") {
  const Folder folder;
  folder.write("model", "before");
  for (const auto& signals : {std::vector{SIGHUP}, {SIGTERM, SIGINT}}) {
    const ::pid_t child = folder.start(
        LINEA_TRAIN, {"--epochs", "1000000000", "--tolerance", "0", cancer_file, "model"});
    int status = 0;
    while (!fs::exists(folder / "model.draft0") && ::waitpid(child, &status, WNOHANG) == 0)
      continue;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    // All of them before another step ends.
    ::kill(child, SIGSTOP);
    for (const int signal : signals) ::kill(child, signal);
    ::kill(child, SIGCONT);
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFSIGNALED(status));
    CHECK(std::count(signals.begin(), signals.end(), WTERMSIG(status)) == 1);
    CHECK(contents(folder / "model") == "before");
    CHECK(folder.names() == Names{"model"});
  }
}

TEST_CASE("linea_train: two runs at once leave one whole model", "[programs]") {
  const Folder folder;
  for (int turn = 0; turn < 10; ++turn) {
    std::vector<::pid_t> runs;
    for (const char* seed : {"1", "2", "3"})
      runs.push_back(
          folder.start(LINEA_TRAIN, {"--epochs", "2", "--seed", seed, cancer_file, "model"}));
    for (const ::pid_t run : runs) {
      int status = -1;
      REQUIRE(::waitpid(run, &status, 0) == run);
      CHECK(status == 0);
    }
    CHECK(is_model(folder / "model"));
    CHECK(folder.names() == Names{"model"});
  }
}

TEST_CASE("linea_train: memory is in proportion to the file", "[programs]") {
  const Folder folder;
  folder.write("typo", "1 1:1\n-1 1000000000:1\n");
  const auto refused = limited(folder, "ulimit -v 1000000", LINEA_TRAIN, "typo model");
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, ContainsSubstring("typo:2:4: feature 1000000000 lies beyond"));
  CHECK_THAT(refused.err, ContainsSubstring("--most-features allows more"));
  if (can_limit_memory()) {
    // Whoever asks for more is told what there is no memory for.
    const auto asked =
        limited(folder, "ulimit -v 1000000", LINEA_TRAIN, "--most-features 1000000000 typo model");
    CHECK(asked.code == 2);
    CHECK(asked.err ==
          "linea_train: there is not enough memory for auto on 2 samples of 1000000000 features\n");
  }
  folder.write("wide", "1 1:1\n-1 5000000:1\n");
  CHECK(trained(folder, "--epochs 1 --most-features 5000000 wide model")["d"] == 5000000);
  // Columns that the model does not know cost nothing.
  trained(folder, quick + cancer + "model");
  const auto predicted = limited(folder, "ulimit -v 1000000", LINEA_PREDICT, "--json typo model");
  REQUIRE(predicted.code == 0);
  CHECK(json::parse(predicted.out)["unknown_entries"] == 1);
  CHECK(folder.names() == Names{"model", "typo", "wide"});
}

TEST_CASE("Programs: what is no text is refused early", "[programs]") {
  const Folder folder;
  trained(folder, quick + cancer + "model");
  for (const auto& [program, arguments] :
       {std::pair<std::string, std::string>{LINEA_TRAIN, "/dev/zero"},
        {LINEA_PREDICT, "/dev/zero model"}}) {
    const auto outcome = limited(folder, "ulimit -v 1000000", program, arguments);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err,
               ContainsSubstring("/dev/zero:1:1: a byte 0 does not belong into a text"));
  }
}

TEST_CASE("linea_train: warns where no minimum is proven, and names who proves it", "[programs]") {
  const Folder folder;
  const auto said = [&](const std::string& arguments, int code = 0) {
    const auto outcome = folder.run(LINEA_TRAIN, "--quiet " + arguments);
    INFO(arguments);
    CHECK(outcome.code == code);
    return outcome.err;
  };
  const auto report = folder.run(LINEA_TRAIN, "--epochs 1 --tolerance 0 " + cancer);
  CHECK_THAT(report.out, ContainsSubstring("status: the run was not at its end"));
  CHECK(report.err.empty());  // it has been said
  const std::string first =
      "linea_train: warning: the run was not at its end when its epochs or "
      "updates were used up; ";
  CHECK(said("--epochs 1 --tolerance 0 " + cancer) == first + "--optimizer auto proves it\n");
  CHECK(said("--epochs 1 --optimizer dual --lambda 1e-8 " + cancer) ==
        first + "--optimizer auto proves it\n");
  CHECK_THAT(said("--epochs 1 --tolerance 0 --loss squared " + diabetes),
             ContainsSubstring("--optimizer ridge finds it exactly"));
  CHECK_THAT(said("--epochs 1 --tolerance 0 --l1 0.1 " + cancer),
             ContainsSubstring("--optimizer auto proves a minimum"));
  CHECK_THAT(said("--epochs 1 --optimizer perceptron " + cancer),
             ContainsSubstring("--optimizer auto --loss hinge"));
  CHECK_THAT(said("--loss squared --step constant:1e300 " + diabetes, 1),
             ContainsSubstring("--optimizer ridge finds it exactly"));
  CHECK(said("--optimizer auto --loss log --lambda 1 " + cancer).empty());
  CHECK(said("--optimizer ridge " + diabetes).empty());
}

TEST_CASE("Programs: a hyphen as output is standard output, and no file of that name",
          "[programs]") {
  const Folder folder;
  trained(folder, cancer + "model");
  succeeds(folder, LINEA_PREDICT, cancer + "model predictions");
  converted(folder, cancer + "c.csv");
  converted(folder, cancer + "c.svm");
  for (const std::string name : {"-", "/dev/stdout", "/dev/fd/1"}) {
    const auto model = succeeds(folder, LINEA_TRAIN, cancer + name);
    CHECK(model.out == contents(folder / "model"));
    CHECK_THAT(model.err, ContainsSubstring("569 samples") && ContainsSubstring("objective: "));
    CHECK(folder.run(LINEA_PREDICT, cancer + "model " + name).out ==
          contents(folder / "predictions"));
    const auto text = converted(folder, "--to csv " + cancer + name);
    CHECK(text.out == contents(folder / "c.csv"));
    CHECK(text.err == "569 samples, 30 features, 16992 entries\n");
  }
  const auto piped =
      run_by(folder, R"("$0" "$@" | cat)", LINEA_CONVERT, "--to libsvm " + cancer + "-");
  CHECK(piped.out == contents(folder / "c.svm"));
  refuses(folder, LINEA_TRAIN, "--json " + cancer + "-", "both be written to standard output");
  refuses(folder, LINEA_CONVERT, cancer + "-", "standard output takes text: give --to libsvm");
  refuses(folder, LINEA_CONVERT, "--to npy " + cancer + "-", "standard output takes text");
  refuses(folder, LINEA_CONVERT, "--to csv --parts 2 " + cancer + "-", "--parts 2 do not fit");
  CHECK(folder.names() == Names{"c.csv", "c.svm", "model", "predictions"});
}

TEST_CASE("Programs: a message names options as a shell has them", "[programs]") {
  const Folder folder;
  folder.write("zero.svm", "1 0:1 2:1\n-1 1:1\n");
  folder.write("far.svm", "1 1:1 4200000:1\n-1 1:1\n");
  for (const char* program : {LINEA_TRAIN, LINEA_CONVERT}) {
    const std::string output = program == std::string(LINEA_CONVERT) ? " out.svm" : "";
    refuses(folder, program, "zero.svm" + output,
            "zero.svm:1:3: feature indices begin at 1 unless --zero-based is given");
    refuses(folder, program, "far.svm" + output,
            "far.svm:1:7: feature 4200000 lies beyond the 4194304 features that a text of this "
            "size is trusted with (--most-features allows more)");
  }
  converted(folder, "--most-features 5000000 far.svm out.svm");
}

TEST_CASE("Programs: what people are told has no name of 100000 characters", "[programs]") {
  const Folder folder;
  const std::string end = "\u00e9\u00e9\u00e9end";
  const std::string longest = "first" + std::string(100000, 'x') + end;
  std::string table = longest + ",b,y\n";
  for (int i = 0; i < 12; ++i)
    table += (i % 3 ? "u," : longest + ",") + std::to_string(i * i % 7) + "," +
             (i % 2 ? longest : "no") + "\n";
  folder.write("t.csv", table);
  const auto is_short = [](const Outcome& outcome) {
    INFO(outcome.err.substr(0, 5000));
    CHECK(outcome.out.size() < 3000);
    CHECK(outcome.err.size() < 3000);
    return outcome.code;
  };
  const auto report = folder.run(LINEA_TRAIN, "--loss log t.csv model");
  REQUIRE(is_short(report) == 0);
  CHECK_THAT(report.out, ContainsSubstring("firstxxx") && ContainsSubstring("xxx...xxx") &&
                             ContainsSubstring(end));
  CHECK(is_short(folder.run(LINEA_PREDICT, "--metrics t.csv model predictions")) == 0);
  CHECK(contents(folder / "predictions").find(longest) != std::string::npos);
  CHECK(is_short(folder.run(LINEA_CONVERT, "t.csv t.svm")) == 0);
  const auto unknown = folder.run(LINEA_TRAIN, "--target " + longest + "z t.csv");
  CHECK(is_short(unknown) == 2);
  CHECK_THAT(unknown.err, ContainsSubstring("there is no column 'firstxxx"));
  // A character of UTF-8 is shown whole, or not at all.
  std::string accents;
  for (int k = 0; k < 200; ++k) accents += "\u00e9";
  for (const std::string lead : {"", "a"}) {
    folder.write("u.csv", "a,y\n1," + lead + accents + "\n2,no\n3,no\n4," + lead + accents + "\n");
    const auto shown = folder.run(LINEA_TRAIN, "u.csv");
    REQUIRE(shown.code == 0);
    CHECK_THAT(shown.out, ContainsSubstring("\u00e9...\u00e9"));
  }
}
