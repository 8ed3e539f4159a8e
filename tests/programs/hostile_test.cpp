// SPDX-License-Identifier: MIT
// Tests the programs in abnormal conditions: they must not hang, and no file may be lost.
#include <sys/stat.h>

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

/// Runs a program by this shell command, in which the program and its arguments are "$0" "$@".
Outcome run_by(const Folder& folder, const std::string& command, const std::string& program,
               const std::string& arguments) {
  return folder.run("/bin/sh", "-c '" + command + "' '" + program + "' " + arguments);
}

/// Runs a program with at most 1 GB of memory, if memory can be limited. If the program hangs,
/// `timeout` ends it with code 124.
Outcome limited(const Folder& folder, const std::string& program, const std::string& arguments) {
  const std::string limits = can_limit_memory() ? "ulimit -v 1000000" : ":";
  return run_by(folder, limits + R"(; exec timeout 60 "$0" "$@")", program, arguments);
}

}  // namespace

TEST_CASE_METHOD(Folder, "Programs: outputs follow links and keep pipes and devices") {
  // Training would exceed the time limit of a test, so the error must come before.
  const std::string endless = "--optimizer sgd --epochs 1000000000 --tolerance 0 " + cancer;
  refuses(LINEA_TRAIN, endless + ".", "cannot write '.': Is a directory\n");
  refuses(LINEA_TRAIN, endless + "nowhere/model",
          "cannot write 'nowhere/model': No such file or directory\n");

  trained(quick + cancer + "model");
  refuses(LINEA_PREDICT, cancer + "model nowhere/out", "OUT_FILE: cannot write 'nowhere/out': ");
  for (const std::string parts : {"", "--parts 3 "})
    refuses(LINEA_CONVERT, parts + cancer + "nowhere/x.csv", "OUT: cannot write 'nowhere/x");
  succeeds(LINEA_PREDICT, cancer + "model predictions");
  REQUIRE(::mkfifo((at("pipe")).c_str(), 0600) == 0);
  fs::create_symlink("pipe", at("link"));
  const auto piped = [&](const std::string& program, const std::string& arguments) {
    const auto outcome = run_by(
        *this, R"(timeout 60 cat pipe >read & timeout 60 "$0" "$@"; code=$?; wait; exit $code)",
        program, arguments + "link");
    CHECK(outcome.code == 0);
    return contents("read");
  };
  CHECK(piped(LINEA_TRAIN, quick + cancer) == contents("model"));
  CHECK(piped(LINEA_PREDICT, cancer + "model ") == contents("predictions"));
  CHECK(fs::is_fifo(at("pipe")));
  CHECK(names() == Names{"link", "model", "pipe", "predictions", "read"});
  // Standard output receives the predictions and then other text.
  const auto told = run(LINEA_PREDICT, "--metrics " + cancer + "model /dev/stdout");
  CHECK(told.out.find(contents("predictions") + "loss: hinge\n") == 0);
}

TEST_CASE_METHOD(Folder, "linea_convert: reads a named pipe from its first byte") {
  REQUIRE(::mkfifo((at("pipe")).c_str(), 0600) == 0);
  converted(cancer + "a.svm");
  for (const std::string to : {"csv", "linea"}) {  // a table in memory, and text by blocks
    converted("a.svm file." + to);
    const auto outcome = run_by(
        *this, R"(timeout 60 cat a.svm >pipe & timeout 60 "$0" "$@"; code=$?; wait; exit $code)",
        LINEA_CONVERT, "pipe piped." + to);
    CHECK(outcome.code == 0);
    CHECK(contents("piped." + to) == contents("file." + to));
  }
}

TEST_CASE_METHOD(Folder, "Programs: an unprintable report is an error") {
  // The shell writes until a write fails: then the reader has certainly ended.
  const std::string until_closed =
      R"({ trap "" PIPE; while echo 2>/dev/null; do :; done; trap - PIPE; exec "$0" "$@"; } | :)";
  const auto closed = run_by(*this, until_closed, LINEA_TRAIN, quick + cancer + "model");
  CHECK(closed.err == "linea_train: the report could not be printed: what reads it has ended\n");
  CHECK(json::parse(contents("model"))["columns"] == 30);  // the model is still written
  for (const auto& [program, arguments] : {std::pair{LINEA_TRAIN, "--json " + quick + cancer},
                                           {LINEA_TRAIN, "--help"},
                                           {LINEA_PREDICT, cancer + "model predictions"},
                                           {LINEA_PREDICT, "--help"}}) {
    const auto outcome = run_by(*this, R"(exec "$0" "$@" >&-)", program, arguments);
    INFO(arguments << outcome.err);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, ContainsSubstring("the report could not be printed"));
  }
  CHECK(names() == Names{"model", "predictions"});
}

TEST_CASE_METHOD(Folder, "Programs: no file takes the place of a closed standard stream") {
  const std::string text = "1 1:1 2:3\n-1 1:2\n1 2:5\n";
  write("in.svm", text);
  converted("in.svm in.linea");
  trained("--epochs 1 in.svm model");
  const Names before = names();
  const std::string binary = contents("in.linea");
  for (const auto& [program, arguments] : {std::pair{LINEA_CONVERT, "--to csv in.svm -"},
                                           {LINEA_CONVERT, "--to libsvm in.svm -"},
                                           {LINEA_CONVERT, "--to csv in.linea -"},
                                           {LINEA_CONVERT, "--to csv in.svm /dev/stdout"},
                                           {LINEA_TRAIN, "in.svm -"},
                                           {LINEA_TRAIN, "--one-pass in.svm -"},
                                           {LINEA_PREDICT, "in.svm model -"},
                                           {LINEA_PREDICT, "--emit-header model"}})
    for (const std::string closed : {">&-", "<&- >&-", "<&- >&- 2>&-"}) {
      const auto outcome = run_by(*this, R"(exec "$0" "$@" )" + closed, program, arguments);
      INFO(arguments << closed << outcome.err);
      CHECK(outcome.code == 2);
      if (closed.find("2>") == closed.npos)
        CHECK_THAT(outcome.err, ContainsSubstring(": standard output is closed\n"));
    }
  for (const auto& [program, arguments] :
       {std::pair{LINEA_TRAIN, "- other"}, {LINEA_CONVERT, "- other.csv"}})
    CHECK_THAT(run_by(*this, R"(exec "$0" "$@" <&-)", program, arguments).err,
               ContainsSubstring(": standard input is closed\n"));
  CHECK(run_by(*this, R"(exec "$0" "$@" <&- 2>&-)", LINEA_CONVERT, "--to libsvm in.svm -").out ==
        text);
  CHECK(contents("in.svm") == text);
  CHECK(contents("in.linea") == binary);
  CHECK(names() == before);
}

TEST_CASE_METHOD(Folder, "linea_train: a mapped file that becomes shorter ends the run in words") {
  converted(cancer + "t.linea");
  const std::string whole = contents("t.linea");
  int status = 0;
  // The delay grows until the file becomes shorter during the run.
  for (int delay = 200; delay < 20000; delay *= 3) {
    write("t.linea", whole);
    const ::pid_t child =
        start(LINEA_TRAIN, {"--epochs", "1000000000", "--tolerance", "0", "t.linea", "model"});
    std::this_thread::sleep_for(std::chrono::milliseconds(delay));
    fs::resize_file(at("t.linea"), 0);
    REQUIRE(::waitpid(child, &status, 0) == child);
    if (contents(".err").find("mapped") != std::string::npos) break;
  }
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 2);
  CHECK(contents(".err") ==
        "linea_train: an input file that is mapped into memory was shortened during the run, or "
        "cannot be read\n");
  CHECK(names() == Names{"t.linea"});
}

TEST_CASE_METHOD(
    Folder, "linea_train: a hangup, or a second signal, leaves no draft and keeps the old file") {
  write("model", "before");
  for (const auto& signals : {std::vector{SIGHUP}, {SIGTERM, SIGINT}}) {
    const ::pid_t child =
        start(LINEA_TRAIN, {"--epochs", "1000000000", "--tolerance", "0", cancer_file, "model"});
    int status = 0;
    while (!fs::exists(at("model.draft0")) && ::waitpid(child, &status, WNOHANG) == 0) continue;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    // Stop the process, so that all signals arrive before it continues.
    ::kill(child, SIGSTOP);
    for (const int signal : signals) ::kill(child, signal);
    ::kill(child, SIGCONT);
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFSIGNALED(status));
    CHECK(std::count(signals.begin(), signals.end(), WTERMSIG(status)) == 1);
    CHECK(contents("model") == "before");
    CHECK(names() == Names{"model"});
  }
}

TEST_CASE_METHOD(
    Folder, "Programs: memory is proportional to the file, and binary data are refused early") {
  trained(quick + cancer + "model");
  write("typo", "1 1:1\n-1 1000000000:1\n");
  const auto refused = [&](const std::string& program, const std::string& arguments) {
    const auto outcome = limited(*this, program, arguments);
    CHECK(outcome.code == 2);
    return outcome.err;
  };
  CHECK_THAT(refused(LINEA_TRAIN, "typo other"),
             ContainsSubstring("typo:2:4: feature 1000000000 lies beyond") &&
                 ContainsSubstring("--most-features allows more"));
  if (can_limit_memory())  // the error is about the missing memory
    CHECK(refused(LINEA_TRAIN, "--most-features 1000000000 typo other") ==
          "linea_train: there is not enough memory for auto on 2 samples of 1000000000 features\n");
  for (const auto& [program, arguments] :
       {std::pair{LINEA_TRAIN, "/dev/zero"}, {LINEA_PREDICT, "/dev/zero model"}})
    CHECK_THAT(refused(program, arguments),
               ContainsSubstring("/dev/zero:1:1: a text cannot have a byte 0"));
  write("wide", "1 1:1\n-1 5000000:1\n");
  CHECK(trained("--epochs 1 --most-features 5000000 wide wide_model")["d"] == 5000000);
  // Columns that the model does not know need no memory.
  const auto predicted = limited(*this, LINEA_PREDICT, "--json typo model");
  REQUIRE(predicted.code == 0);
  CHECK(json::parse(predicted.out)["unknown_entries"] == 1);
  CHECK(names() == Names{"model", "typo", "wide", "wide_model"});
}

TEST_CASE_METHOD(Folder, "linea_train: warns if there is no gap, and names an optimizer with one") {
  const auto report = run(LINEA_TRAIN, "--epochs 1 --tolerance 0 " + cancer);
  CHECK_THAT(report.out, ContainsSubstring("status: the limit of epochs"));
  CHECK(report.err.empty());  // the report contains the warning already
  const std::string first =
      "linea_train: warning: the limit of epochs ended the run before it met its "
      "tolerance; ";
  const struct {
    std::string arguments, message;
    int code{0};
  } rows[] = {
      {"--epochs 1 --tolerance 0 " + cancer, first + "--optimizer auto proves the minimum\n"},
      {"--epochs 1 --optimizer dual --lambda 1e-8 " + cancer,
       first + "--optimizer auto proves the minimum\n"},
      {"--loss squared --step 1e300 " + diabetes, "--optimizer auto proves the minimum", 1},
      {"--optimizer auto --loss log --lambda 1 " + cancer, ""},
      {"--optimizer ridge " + diabetes, ""},
  };
  for (const auto& [arguments, message, code] : rows) {
    INFO(arguments);
    const auto outcome = run(LINEA_TRAIN, "--quiet " + arguments);
    CHECK(outcome.code == code);
    CHECK(outcome.err.empty() == message.empty());
    CHECK_THAT(outcome.err, ContainsSubstring(message));
    if (message.starts_with(first)) CHECK(outcome.err == message);
  }
}

TEST_CASE_METHOD(Folder,
                 "Programs: a hyphen as output is standard output, and no file of that name") {
  trained(cancer + "model");
  succeeds(LINEA_PREDICT, cancer + "model predictions");
  converted(cancer + "c.csv");
  for (const std::string name : {"-", "/dev/stdout", "/dev/fd/1"}) {
    const auto model = succeeds(LINEA_TRAIN, cancer + name);
    CHECK(model.out == contents("model"));
    CHECK_THAT(model.err, ContainsSubstring("569 samples") && ContainsSubstring("objective: "));
    CHECK(run(LINEA_PREDICT, cancer + "model " + name).out == contents("predictions"));
    const auto text = converted("--to csv " + cancer + name);
    CHECK(text.out == contents("c.csv"));
    CHECK(text.err == "569 samples, 30 features, 16992 entries\n");
  }
  CHECK(run_by(*this, R"("$0" "$@" | cat)", LINEA_CONVERT, "--to csv " + cancer + "-").out ==
        contents("c.csv"));
  refuses(LINEA_TRAIN, "--json " + cancer + "-", "both be written to standard output");
  refuses(LINEA_CONVERT, cancer + "-", "standard output takes text: give --to libsvm");
  refuses(LINEA_CONVERT, "--to npy " + cancer + "-", "standard output takes text");
  refuses(LINEA_CONVERT, "--to csv --parts 2 " + cancer + "-",
          "--parts 2: standard output takes one part");
  CHECK(names() == Names{"c.csv", "model", "predictions"});
}

TEST_CASE_METHOD(Folder, "Programs: messages shorten names of 100000 characters") {
  const std::string end = "\u00e9\u00e9\u00e9end";
  const std::string longest = "first" + std::string(100000, 'x') + end;
  write("t.csv", table(longest + ",b,y", 0, 12, [&](int i) {
          return csv(i % 3 ? "u" : longest, i * i % 7, i % 2 ? longest : "no");
        }));
  const auto is_short = [&](const std::string& program, const std::string& arguments, int code) {
    const auto outcome = run(program, arguments);
    INFO(outcome.err.substr(0, 5000));
    CHECK(outcome.code == code);
    CHECK(outcome.out.size() < 3000);
    CHECK(outcome.err.size() < 3000);
    return outcome;
  };
  CHECK_THAT(
      is_short(LINEA_TRAIN, "--loss log t.csv model", 0).out,
      ContainsSubstring("firstxxx") && ContainsSubstring("xxx...xxx") && ContainsSubstring(end));
  is_short(LINEA_PREDICT, "--metrics t.csv model predictions", 0);
  CHECK(contents("predictions").find(longest) != std::string::npos);
  is_short(LINEA_CONVERT, "t.csv t.svm", 0);
  CHECK_THAT(is_short(LINEA_TRAIN, "--target " + longest + "z t.csv", 2).err,
             ContainsSubstring("there is no column 'firstxxx"));
  // A UTF-8 character is shown completely or not at all.
  std::string accents;
  for (int k = 0; k < 200; ++k) accents += "\u00e9";
  for (const std::string lead : {"", "a"}) {
    write("u.csv", "a,y\n1," + lead + accents + "\n2,no\n3,no\n4," + lead + accents + "\n");
    CHECK_THAT(is_short(LINEA_TRAIN, "u.csv", 0).out, ContainsSubstring("\u00e9...\u00e9"));
  }
}
