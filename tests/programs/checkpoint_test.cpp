// SPDX-License-Identifier: MIT
#include <sys/types.h>

#include <csignal>

#include "programs/program_folder.hpp"
#include "support/catch.hpp"

using namespace linea::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// Starts a run of sgd that would last for hours and that writes a checkpoint after every epoch.
/// Returns the process once there is a checkpoint.
::pid_t long_run_with_checkpoint(const Folder& folder) {
  const ::pid_t child = folder.start(
      LINEA_TRAIN, {"--optimizer", "sgd", "--epochs", "1000000000", "--tolerance", "0",
                    "--checkpoint", "so_far", "--checkpoint-every", "0", cancer_file, "model"});
  bool is_on = true;
  while (is_on && !fs::exists(folder / "so_far")) is_on = ::waitpid(child, nullptr, WNOHANG) == 0;
  REQUIRE(is_on);
  return child;
}

}  // namespace

TEST_CASE_METHOD(Folder, "linea_train: a killed run leaves its checkpoint, a model to start from") {
  const ::pid_t child = long_run_with_checkpoint(*this);
  ::kill(child, SIGKILL);
  REQUIRE(::waitpid(child, nullptr, 0) == child);
  CHECK_FALSE(fs::exists(at("model")));
  CHECK(run(LINEA_PREDICT, cancer + "so_far predictions").code == 0);
  // A run without epochs returns its start.
  const auto objective = [&](const std::string& start) {
    const json report = trained("--optimizer sgd --epochs 0 --tolerance 0 " + start + cancer);
    return report["objective"].get<double>();
  };
  CHECK(objective("--start so_far ") < 0.9 * objective(""));
}

TEST_CASE_METHOD(Folder,
                 "linea_train: Ctrl-C writes the best model so far to the checkpoint, too") {
  const ::pid_t child = long_run_with_checkpoint(*this);
  ::kill(child, SIGINT);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 1);
  CHECK_THAT(contents(".err"),
             ContainsSubstring("interrupted; the best model so far is written; --start 'so_far' "
                               "continues from it\n"));
  CHECK_THAT(contents(".out"), ContainsSubstring("status: interrupted"));
  CHECK(contents("so_far") == contents("model"));
}

TEST_CASE_METHOD(Folder, "linea_train: a checkpoint changes nothing in the model") {
  const std::string options[] = {"--optimizer sgd --epochs 30 " + cancer,
                                 "--loss log --multiclass one-vs-rest " + iris,
                                 "--loss log " + iris, "--loss hinge " + iris};
  for (const std::string& each : options) {
    INFO(each);
    trained(each + "plain");
    trained("--checkpoint so_far --checkpoint-every 0 " + each + "kept");
    CHECK(contents("plain") == contents("kept"));
    CHECK(contents("plain") == contents("so_far"));
  }
}

TEST_CASE_METHOD(Folder, "linea_train: an unwritable checkpoint is refused before the run") {
  refuses(LINEA_TRAIN, "--checkpoint - " + cancer, "--checkpoint -: a checkpoint is a file");
  refuses(LINEA_TRAIN, "--checkpoint nowhere/so_far " + cancer,
          "--checkpoint: cannot write 'nowhere/so_far'");
  for (const std::string seconds : {"-1", "inf", "nan"})
    refuses(LINEA_TRAIN, "--checkpoint so_far --checkpoint-every " + seconds + ' ' + cancer,
            "is not >= 0");
}

TEST_CASE_METHOD(Folder, "linea_train: a checkpoint that cannot be written loses no model") {
  if (!fs::is_character_file("/dev/full")) return;
  const std::string options = "--quiet --optimizer sgd --epochs 20 --tolerance 0 ";
  succeeds(LINEA_TRAIN, options + cancer + "wanted");
  const auto outcome =
      run(LINEA_TRAIN, options + "--checkpoint /dev/full --checkpoint-every 0 " + cancer + "model");
  CHECK(outcome.code == 2);
  CHECK(contents("model") == contents("wanted"));
  const std::string failure =
      "--checkpoint: could not write all of '/dev/full': No space left on device";
  CHECK(outcome.err.starts_with("linea_train: warning: " + failure + "; the run goes on\n"));
  CHECK(outcome.err.ends_with("linea_train: " + failure + "\n"));
  // There is one warning for all checkpoints.
  CHECK(outcome.err.find("goes on") == outcome.err.rfind("goes on"));
}
