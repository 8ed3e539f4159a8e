// SPDX-License-Identifier: MIT
// No program writes to a file that it reads, or twice to the same file, whatever names the file
// has.
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "programs/program_folder.hpp"
#include "support/catch.hpp"

namespace files_apart_test {

namespace fs = std::filesystem;
using namespace linea::test;

namespace {

enum class Use { samples, model, output };

/// A file that a program reads or writes.
struct Slot {
  std::string option;  ///< the option and a blank; empty for a required argument
  Use use;
  bool may_be_standard{false};  ///< does a hyphen mean standard input or output here?
};

struct Call {
  std::string program;
  std::string options;
  std::vector<Slot> slots;  ///< the files of the call, in the order of its arguments
};

// For a new option that names a file, add a line here.
const std::vector<Call> calls{
    {LINEA_TRAIN,
     "--optimizer sgd --epochs 3",
     {{"--start ", Use::model},
      {"--validation ", Use::samples, true},
      {"", Use::samples, true},
      {"", Use::output, true}}},
    {LINEA_TRAIN, "--one-pass", {{"", Use::samples, true}, {"", Use::output, true}}},
    {LINEA_PREDICT, "", {{"", Use::samples, true}, {"", Use::model}, {"", Use::output, true}}},
    {LINEA_PREDICT, "", {{"--emit-header ", Use::model}, {"", Use::output, true}}},
    {LINEA_CONVERT, "--to csv", {{"", Use::samples, true}, {"", Use::output, true}}},
    {LINEA_CONVERT, "--to libsvm", {{"", Use::samples, true}, {"", Use::output, true}}},
};

using Paths = std::vector<std::pair<const Slot*, std::string>>;

/// Files for every use, and the file `both.svg`, which has many names.
class Files {
 public:
  Files() {
    folder_.write("samples", "1 1:1 2:3\n-1 1:2 2:1\n1 1:3 2:2\n-1 1:4 2:0\n");
    folder_.succeeds(LINEA_TRAIN, calls[0].options + " samples model");
    fs::create_directory(folder_ / "deep");
    fs::create_symlink("both.svg", folder_ / "link.svg");
    fs::create_symlink("deep/../link.svg", folder_ / "chain.svg");
  }

  /// Returns the names of both.svg. One of them, hard.svg, exists only if both.svg does.
  std::vector<std::string> names() const {
    return {"both.svg", "./both.svg", "deep/../both.svg",
            "link.svg", "chain.svg",  "'" + (folder_ / "both.svg").string() + "'",
            "hard.svg"};
  }

  /// Makes both.svg a copy of a file for this use, or removes both.svg.
  void stand(Use use, bool is_there = true) {
    for (const char* name : {"both.svg", "hard.svg"}) fs::remove(folder_ / name);
    if (!is_there) return;
    folder_.write("both.svg", use == Use::output ? "before" : contents(folder_ / default_of(use)));
    fs::create_hard_link(folder_ / "both.svg", folder_ / "hard.svg");
  }

  /// Checks that the call with these paths is refused in one line, leaves both.svg unchanged, and
  /// leaves no draft.
  void is_refused(const Call& call, const Paths& paths, const std::string& redirected = "") const {
    const bool was_there = is_there();
    const std::string before = contents(folder_ / "both.svg");
    std::string command = "'" + call.program + "' " + call.options;
    for (const Slot& slot : call.slots) {
      std::string path =
          slot.option.empty() || slot.option == "--emit-header " ? default_of(slot.use) : "";
      for (const auto& [one, given] : paths)
        if (one == &slot) path = given;
      if (!path.empty()) command += " " + slot.option + path;
    }
    folder_.write("command", command + redirected + "\n");
    const auto outcome = folder_.run("/bin/sh", "command");
    INFO(command << redirected << '\n' << outcome.err);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err,
               ContainsSubstring("would be overwritten") || ContainsSubstring("are the same file"));
    CHECK(outcome.err.find('\n') + 1 == outcome.err.size());
    // The shell creates the target of a redirection, even if the program refuses the call.
    CHECK((is_there() == was_there || redirected.find('>') != redirected.npos));
    CHECK(contents(folder_ / "both.svg") == before);
    for (const auto& name : folder_.names()) CHECK(name.find(".draft") == name.npos);
  }

 private:
  static std::string default_of(Use use) {
    return use == Use::samples ? "samples" : use == Use::model ? "model" : "other.svg";
  }
  bool is_there() const { return fs::exists(folder_ / "both.svg"); }

  Folder folder_{};
};

}  // namespace

TEST_CASE("Programs: an output that is an input by any name is refused, and the input stays") {
  Files files;
  for (const Call& call : calls)
    for (const Slot& input : call.slots) {
      if (input.use == Use::output) continue;
      files.stand(input.use);
      for (const Slot& output : call.slots) {
        if (output.use != Use::output) continue;
        for (const auto& name : files.names())
          files.is_refused(call, {{&input, "both.svg"}, {&output, name}});
        files.is_refused(call, {{&input, "chain.svg"}, {&output, "both.svg"}});
        if (input.may_be_standard)
          for (const char* standard : {"-", "/dev/stdin"})
            files.is_refused(call, {{&input, standard}, {&output, "link.svg"}}, " < both.svg");
        if (output.may_be_standard)
          files.is_refused(call, {{&input, "hard.svg"}, {&output, "-"}}, " >> both.svg");
        if (output.may_be_standard && input.may_be_standard)
          files.is_refused(call, {{&input, "-"}, {&output, "-"}}, " < both.svg >> both.svg");
      }
      files.is_refused(call, {{&input, "link.svg"}}, " >> both.svg");  // both.svg gets the report
    }
}

TEST_CASE_METHOD(Folder, "linea_convert: parts differ from the input and from each other") {
  const std::string samples = "1 1:1\n-1 1:-1\n1 1:2\n";
  write("x.1.svm", samples);
  fs::create_symlink("x.1.svm", at("y.0.svm"));
  fs::create_symlink("z.1.svm", at("z.0.svm"));
  for (const std::string to : {"libsvm", "binary"}) {
    const std::string parts = "--parts 2 --to " + to + " x.1.svm ";
    refuses(LINEA_CONVERT, parts + "x.svm", "would be overwritten");
    refuses(LINEA_CONVERT, parts + "y.svm", "would be overwritten");
    refuses(LINEA_CONVERT, parts + "z.svm", "are the same file");
    CHECK(contents("x.1.svm") == samples);
  }
}

}  // namespace files_apart_test
