// SPDX-License-Identifier: MIT
// Compares linea_train_mpi on several ranks with linea_train.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "programs/program_folder.hpp"
#include "support/catch.hpp"

using namespace linea::test;
using nlohmann::json;

namespace {

/// Returns a command that runs linea_train_mpi on `ranks` ranks. It allows Open MPI to run as root
/// and on few cores, and turns the leak check of the address sanitizer off.
std::string command_on(int ranks, const std::string& arguments) {
  return "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
         "OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 "
         "ASAN_OPTIONS=detect_leaks=0 " LINEA_MPIEXEC " " +
         std::to_string(ranks) + " '" LINEA_TRAIN_MPI "' " + arguments;
}

/// Runs linea_train_mpi on `ranks` ranks. After an error, Open MPI kills ranks without waiting.
Outcome run_on(int ranks, const Folder& folder, const std::string& arguments) {
  return folder.run("/usr/bin/env",
                    "OMPI_MCA_odls_base_sigkill_timeout=0 " + command_on(ranks, arguments));
}

json trained_on(int ranks, const Folder& folder, const std::string& arguments) {
  const auto outcome = run_on(ranks, folder, "--json " + arguments);
  INFO(ranks << " ranks: " << arguments << '\n' << outcome.err);
  REQUIRE(outcome.code == 0);
  REQUIRE(outcome.out.find('\n') + 1 == outcome.out.size());  // only one rank prints
  return json::parse(outcome.out);
}

/// Returns the model in a file as JSON with a path for each value. Values that differ between runs
/// are removed.
json model_in(const std::filesystem::path& path) {
  json model = json::parse(contents(path));
  model.erase("checksum");
  for (json& part : model["parts"])
    for (const char* detail : {"optimizer", "epochs", "updates", "iterations", "objective", "gap"})
      part.erase(detail);
  return model.flatten();
}

/// Checks that the models of one rank and of three equal that of linea_train: the objective up to a
/// relative `tolerance`, weights and offsets up to √tolerance times the largest weight or offset,
/// all else exactly.
void agrees(const Folder& folder, const std::string& arguments, double tolerance) {
  const json alone = folder.trained(arguments + "alone");
  const json expected = model_in(folder / "alone");
  std::map<std::string, double> largest{{"/weight", 0}, {"/offset", 0}};
  const auto kind_of = [](const std::string& place) {  // of "/parts/0/weights/3/0"
    return place.starts_with("/parts/") ? place.substr(place.find('/', 7), 7) : "";
  };
  for (const auto& [place, value] : expected.items())
    if (const auto most = largest.find(kind_of(place)); most != largest.end())
      most->second = std::max(most->second, std::abs(value.get<double>()));
  REQUIRE(largest["/weight"] > 0);
  for (const int ranks : {1, 3}) {
    INFO(arguments << " on " << ranks);
    const json shared = trained_on(ranks, folder, arguments + "shared");
    for (const char* field : {"n", "d", "nnz", "loss", "classes", "status", "lambda"})
      CHECK(shared[field] == alone[field]);
    CHECK_THAT(shared["objective"], WithinRel(alone["objective"], tolerance));
    CHECK(shared["ranks"] == ranks);
    CHECK((shared["rounds"] > 0) == (ranks > 1));
    CHECK((shared["bytes_sent"] > 0) == (ranks > 1));
    const json found = model_in(folder / "shared");
    REQUIRE(found.size() == expected.size());
    for (const auto& [place, value] : expected.items()) {
      INFO(place);
      REQUIRE(found.contains(place));
      const std::string part = kind_of(place);
      if (largest.count(part))
        CHECK_THAT(found[place], WithinAbs(value, std::sqrt(tolerance) * largest[part]));
      else
        CHECK(found[place] == value);
    }
  }
}

/// Returns the processes of linea_train_mpi that run in the folder.
std::vector<::pid_t> ranks_in(const Folder& folder) {
  std::vector<::pid_t> ranks;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::error_code failure;
    const auto place = std::filesystem::read_symlink(entry.path() / "cwd", failure);
    if (failure || place != std::filesystem::canonical(folder / ".")) continue;
    if (contents(entry.path() / "comm") == "linea_train_mpi\n")
      ranks.push_back(static_cast<::pid_t>(std::stoi(entry.path().filename().string())));
  }
  return ranks;
}

/// Sends the signal to one of two ranks during a long run, and returns the exit status of the job.
int ended_by(int signal, const Folder& folder) {
  const std::string arguments =
      "--loss log --optimizer gradient-descent --epochs 1000000000 --tolerance 0 ";
  int status = 0;
  // A signal before the run begins ends the program, so the delay grows until it arrives during it.
  for (int delay = 1000; delay < 30000; delay *= 3) {
    const ::pid_t job = folder.start(
        "/bin/sh", {"-c", "exec /usr/bin/env " + command_on(2, arguments + cancer + "model")});
    std::this_thread::sleep_for(std::chrono::milliseconds(delay));
    const auto ranks = ranks_in(folder);
    if (ranks.size() == 2)
      ::kill(ranks.back(), signal);
    else
      ::kill(job, SIGTERM);
    REQUIRE(::waitpid(job, &status, 0) == job);
    if (signal == SIGKILL ? ranks.size() == 2 : std::filesystem::exists(folder / "model")) break;
  }
  return status;
}

/// Checks that two ranks fail with this message, printed once, and write no model.
void ranks_refuse(const Folder& folder, const std::string& arguments, const std::string& message) {
  const auto outcome = run_on(2, folder, arguments + " model");
  INFO(arguments << '\n' << outcome.err);
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.err, ContainsSubstring(message));
  CHECK(outcome.err.find("linea_train_mpi: ") == outcome.err.rfind("linea_train_mpi: "));
  CHECK_FALSE(std::filesystem::exists(folder / "model"));
}

}  // namespace

TEST_CASE_METHOD(Folder,
                 "linea_train_mpi: gives the model of linea_train for any number of ranks") {
  agrees(*this, "--loss log --lambda 1e-2 --optimizer newton --tolerance 1e-9 " + cancer, 1e-8);
  agrees(*this, "--loss squared-hinge --lambda 1e-3 --tolerance 1e-8 " + iris, 1e-7);
  agrees(*this, "--optimizer ridge " + diabetes, 1e-8);
  agrees(*this, "--optimizer lbfgs --loss huber --lambda 0.1 --tolerance 1e-9 " + diabetes, 1e-8);
  agrees(*this,
         "--optimizer gradient-descent --tolerance 1e-12 --epochs 3000 --loss log --standardise " +
             cancer,
         1e-9);
  agrees(*this, "--loss squared-hinge --polynomial 2 --tolerance 1e-9 --lambda 0.1 " + iris, 1e-7);
  // The rows of all ranks determine how columns are standardised.
  const std::string newton = " --loss log --optimizer newton --tolerance 1e-9 ";
  agrees(*this, "--standardise --lambda 1e-2" + newton + cancer, 1e-8);
  write("rare.svm", "1 1:3\n2 2:-1\n1 3:1e5\n2 1:-1\n1 2:0.3\n2 4:1e-6\n1 4:2e-6\n");
  agrees(*this, "--standardise --no-offset --lambda 0.1" + newton + "rare.svm ", 1e-8);
}

TEST_CASE_METHOD(Folder, "linea_train_mpi: auto selects ridge for the squared loss, else newton") {
  const auto chosen = [&](const std::string& arguments) {
    return trained_on(2, *this, arguments)["optimizer"];
  };
  CHECK(chosen(diabetes) == "ridge");
  CHECK(chosen("--optimizer auto --loss huber " + diabetes) == "newton");
  CHECK(chosen("--loss log " + cancer + "start") == "newton");
  CHECK(chosen("--loss squared --start start " + cancer) == "newton");
}

TEST_CASE_METHOD(Folder,
                 "linea_train_mpi: no rank writes a file that another one reads or writes") {
  namespace fs = std::filesystem;
  const std::string samples = "1 1:1 2:1\n-1 1:-1\n1 2:2\n-1 1:-2 2:1\n";
  for (const char* name : {"part-0.svm", "part-1.svm"}) write(name, samples);
  const std::string sgd = "--loss log --optimizer gradient-descent --epochs 2 ";
  REQUIRE(run_on(2, *this, sgd + "part-%r.svm model").code == 0);
  fs::create_symlink("part-1.svm", at("link"));
  const auto before = names();
  for (const std::string& arguments : {sgd + "part-%r.svm ./part-1.svm", sgd + "part-%r.svm link",
                                       sgd + "--start model part-%r.svm ./model"}) {
    const auto outcome = run_on(2, *this, arguments);
    INFO(arguments << '\n' << outcome.err);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err,
               ContainsSubstring("would be overwritten") || ContainsSubstring("are the same file"));
    CHECK(names() == before);
    CHECK(contents("part-1.svm") == samples);
  }
  // A hyphen means standard output here, too.
  const auto printed = run_on(2, *this, sgd + "part-%r.svm -");
  CHECK(printed.out == contents("model"));
  CHECK(names() == before);
}

TEST_CASE_METHOD(Folder, "linea_train_mpi: starts from a model, the same one on all ranks") {
  const std::string newton = "--loss log --lambda 1e-2 --optimizer newton --tolerance 1e-9 ";
  const json whole = trained(newton + cancer + "model");
  for (const int ranks : {1, 3}) {
    INFO(ranks);
    const json again = trained_on(ranks, *this, newton + "--start model " + cancer);
    CHECK(again["epochs"] < whole["epochs"]);
    CHECK_THAT(again["objective"], WithinRel(whole["objective"], 1e-8));
  }
  // A run without epochs returns its start, which shows whether the ranks use a given start.
  const std::string none =
      "--loss log --lambda 1e-2 --optimizer gradient-descent --epochs 0 " + cancer;
  trained(newton + cancer + "model");
  const double there = trained(none + "--start model ")["objective"].get<double>();
  CHECK_THAT(trained_on(2, *this, none + "--start model ")["objective"].get<double>(),
             WithinRel(there, 1e-12));
  CHECK(trained_on(2, *this, none)["objective"].get<double>() > 1.01 * there);
  std::filesystem::rename(at("model"), at("start"));
  ranks_refuse(*this, "--optimizer ridge --start start " + diabetes, "ridge takes no --start");
  ranks_refuse(*this, "--loss log --optimizer newton --start none " + cancer, "none");
  ranks_refuse(*this, "--loss log --start start " + iris,
               "--start is for one linear function, but there are 3 classes");
  ranks_refuse(*this, "--loss squared --optimizer newton --start start " + diabetes,
               "start: a model of 30 features, but there are 10");
}

TEST_CASE_METHOD(Folder, "linea_train_mpi: if a rank is killed the job ends without a model") {
  const int status = ended_by(SIGKILL, *this);
  CHECK((!WIFEXITED(status) || WEXITSTATUS(status) != 0));
  CHECK_FALSE(std::filesystem::exists(at("model")));
}

TEST_CASE_METHOD(
    Folder,
    "linea_train_mpi: a signal to one rank ends all after their step, and keeps the model") {
  const int status = ended_by(SIGTERM, *this);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 1);
  CHECK_THAT(contents(".err"), ContainsSubstring("linea_train_mpi: ") &&
                                   ContainsSubstring("; the best model so far is written\n"));
  CHECK(names() == std::set<std::string>{"model"});
}

TEST_CASE_METHOD(Folder, "linea_train_mpi: ranks share the rows of a file, or read a file each") {
  write("few.svm", "# labels and features\n+1 1:1 2:2\n-1 1:-1\n\n+1 3:1\n-1 1:-2 3:-1");
  const std::string options = "--loss log --lambda 0.1 --optimizer newton --tolerance 1e-9 ";
  const json alone = trained(options + "few.svm");
  for (const int ranks : {2, 3, 6}) {  // some ranks have no rows
    const json shared = trained_on(ranks, *this, options + "few.svm");
    INFO(ranks);
    CHECK(shared["n"] == 4);
    CHECK(shared["d"] == 3);
    CHECK_THAT(shared["objective"], WithinRel(alone["objective"], 1e-8));
  }
  write("part-0.svm", "+1 1:1 2:2\n+1 3:1\n");  // this rank has only one label
  write("part-1.svm", "-1 1:-1\n-1 1:-2 3:-1\n");
  const json shared = trained_on(2, *this, options + "part-%r.svm model");
  CHECK(shared["n"] == 4);
  CHECK_THAT(shared["objective"], WithinRel(alone["objective"], 1e-8));
  CHECK(std::filesystem::exists(at("model")));
}

TEST_CASE_METHOD(Folder,
                 "linea_train_mpi: ranks divide the rows of one file in linea's binary form") {
  converted(cancer + "all.linea");
  converted("--parts 2 " + cancer + "part.linea");
  const std::string options = "--loss log --lambda 1e-2 --optimizer newton --tolerance 1e-9 ";
  const json alone = trained(options + cancer);
  const json parts = trained_on(2, *this, options + "part.%r.linea");
  for (const int ranks : {2, 3}) {
    const json shared = trained_on(ranks, *this, options + "all.linea");
    INFO(ranks);
    for (const char* field : {"n", "d", "nnz"}) CHECK(shared[field] == alone[field]);
    CHECK_THAT(shared["objective"], WithinRel(alone["objective"], 1e-8));
    // Ranks with the same rows give the same bits.
    if (ranks == 2) CHECK(shared["objective"] == parts["objective"]);
  }
  converted(data + "flats.csv' --missing mean table.linea");
  ranks_refuse(*this, "--loss squared table.linea",
               "table.linea: a table; ranks learn from lists of entries");
}

TEST_CASE_METHOD(Folder, "linea_train_mpi: invalid input is refused once, by all ranks") {
  std::filesystem::create_directory(at("folder"));
  std::string numbers;
  for (int i = 0; i < 1500; ++i) numbers += std::to_string(i) + " 1:1\n";
  const std::pair<std::string, std::string> files[] = {
      {"bad.svm", "+1 1:1\n-1 1:-1\n+1 1:0.5\n-1 1:x\n"},
      {"part-0.svm", "+1 1:1\n"},
      {"table.csv", "1,2,3\n"},
      {"one.svm", "1 1:1\n1 1:2\n"},
      {"numbers.svm", numbers},
      {"missing-0.svm", "1 1:1\n2 1:2\n"},
      {"missing-1.svm", "1 1:1\nnan 1:2\n"},
      {"packed.svm", "\x1f\x8b\x08 no text"},
      {"empty.svm", "# nothing\n\n"},
      {"table-0.csv", "y,a,b\n1,2,3\n-1,1,2\n"},
      {"table-1.csv", "y,a,b\n1,2,4\n-1,1,5\n"},
  };
  for (const auto& [name, text] : files) write(name, text);
  const std::pair<std::string, std::string> rows[] = {
      {"bad.svm", "linea_train_mpi: bad.svm:4:6: value is not a number"},
      {"part-%r.svm", "part-1.svm"},
      {"table.csv", "table.csv: a table; ranks learn from lists of entries"},
      {"packed.svm", "packed.svm: the compressed data is"},
      {"folder", "cannot open 'folder': it is a directory"},
      {"none.svm", "cannot open 'none.svm'"},
      {"empty.svm", "empty.svm:3:1: there is no sample"},
      {"table-%r.csv", "table; ranks learn from lists of entries, such as LIBSVM text"},
      {"--loss log one.svm", "the loss log needs two or more labels, but the file has 1"},
      {"--loss log numbers.svm",
       "is for classes, but the file has 1500 labels; for numbers take a loss like squared"},
      {"--loss log missing-%r.svm", "missing-1.svm:2:1: label is not finite"},
  };
  for (const auto& [arguments, message] : rows) ranks_refuse(*this, arguments, message);
}

TEST_CASE_METHOD(Folder,
                 "linea_train_mpi: refuses options, optimizers and losses that linea_train takes") {
  ranks_refuse(*this, "--lambda auto " + cancer, "ranks take one --lambda; linea_train selects it");
  ranks_refuse(*this, "-", "ranks take no standard input");
  for (const std::string option : {"--l1", "--seed", "--validation", "--weights", "--one-pass"})
    ranks_refuse(*this, option + " 1 " + cancer, "there is no option " + option + ": see --help");
  for (const std::string name : {"dual", "sgd"})
    ranks_refuse(*this, "--optimizer " + name + " " + cancer, "--optimizer: " + name + " not in ");
  for (const auto& [loss, arguments] : {std::pair{"hinge", cancer},
                                        {"hinge", "--loss hinge " + cancer},
                                        {"quantile", "--loss quantile " + diabetes}})
    ranks_refuse(
        *this, arguments,
        std::string("ranks take smooth losses, such as squared-hinge, log and huber; for ") + loss +
            ", which has a kink, use linea_train");
}
