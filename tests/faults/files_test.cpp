// SPDX-License-Identifier: MIT
// Reads and writes files while memory runs out, and writes them while their size is limited, as on
// a full disk. No file may be written partially.
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <functional>
#include <linea/core/text_stream.hpp>
#include <linea/io/csv.hpp>
#include <linea/io/liblinear.hpp>
#include <linea/io/libsvm.hpp>
#include <linea/io/mapped_file.hpp>
#include <linea/io/matrix_market.hpp>
#include <linea/io/model_file.hpp>
#include <linea/io/npy.hpp>
#include <linea/io/write_binary.hpp>
#include <linea/io/write_header.hpp>
#include <linea/io/write_libsvm.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "faults/allocations.hpp"
#include "support/binary_file.hpp"
#include "support/child_process.hpp"
#include "support/example_models.hpp"
#include "support/temporary_folder.hpp"

using namespace linea;
using namespace linea::test;
namespace fs = std::filesystem;
using Write = std::function<void(const fs::path&)>;

namespace {

const std::string liblinear =
    "solver_type L2R_LR\nnr_class 2\nlabel 3 -2\nnr_feature 2\nbias -1\nw\n1\n2\n";
const std::string model_files = std::string(LINEA_SOURCE_DIR) + "/tests/io/models/";

std::uint64_t bits_of_samples(const SparseMatrix<double>& x, const Vector<double>& y) {
  Bits bits;
  for (Index i = 0; i < x.rows(); ++i)
    for (SparseMatrix<double>::InnerIterator entry(x, i); entry; ++entry)
      bits.add(static_cast<std::uint64_t>(entry.col())).add(entry.value());
  return bits.add(y).sum();
}

/// Checks that `write(path)` leaves the old file or the complete new one, and no other file,
/// whichever allocation fails.
void leaves_whole_files(const Write& write) {
  for (const bool exists : {false, true}) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "file";
    write(path);
    const std::string whole = slurp(path);
    const auto is_whole_or_as_before = [&] {
      const auto names = folder.names();
      const std::string is = names.empty() ? "" : slurp(path);
      const bool was = exists ? is == "before" : names.empty();
      if (exists)
        spill(path, "before");
      else
        fs::remove(path);
      return was || (names == std::set<std::string>{"file"} && is == whole);
    };
    REQUIRE(is_whole_or_as_before());
    survives(
        [&] {
          write(path);
          return std::uint64_t{0};
        },
        is_whole_or_as_before);
  }
}

/// Writes while files are limited to `bytes` bytes. Returns 0 on success, 1 for the error of a file
/// that is too large, 2 for other errors of writing, and 3 if the limit cannot be set.
int written_within(const fs::path& path, std::size_t bytes, const Write& write) {
  return in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const ::rlimit limit{bytes, bytes};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 3;
    try {
      write(path);
      return 0;
    } catch (const std::invalid_argument& error) {
      const std::string message = error.what();
      return message.find(": could not write all of '" + path.string() + "': ") != message.npos &&
                     message.ends_with("File too large")
                 ? 1
                 : 2;
    }
  });
}

void is_whole_or_refused(const Write& write) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "file";
  write(path);
  const std::string whole = slurp(path);
  REQUIRE(whole.size() > 8);
  spill(path, "before");
  for (std::size_t bytes = 0; bytes < whole.size(); bytes += 1 + whole.size() / 12) {
    INFO(bytes << " of " << whole.size() << " bytes");
    CHECK(written_within(path, bytes, write) == 1);
    CHECK(slurp(path) == "before");
    CHECK(folder.names() == std::set<std::string>{"file"});
  }
  CHECK(written_within(path, whole.size(), write) == 0);
  CHECK(slurp(path) == whole);
}

const Matrix<double> three{{1, 0.5}, {0, -2}, {3, 0}};
const Vector<double> labels{{1, -1, 1}};

/// Returns a writer for each file format.
std::vector<Write> all_writers() {
  const auto several = examples::one_vs_rest<double>();
  std::istringstream in(liblinear);
  return {
      [](const fs::path& path) { write_npy(path, three); },
      [](const fs::path& path) { write_libsvm(path, three, labels); },
      [](const fs::path& path) { write_binary(path, three, labels); },
      [=](const fs::path& path) { write_model(path, several); },
      [](const fs::path& path) { write_header(path, examples::probabilistic<double>()); },
      [model = read_liblinear(in)](const fs::path& path) { write_liblinear(path, model); },
  };
}

}  // namespace

TEST_CASE("Faults: files are written completely or not at all if memory runs out") {
  for (const auto& write : all_writers()) leaves_whole_files(write);
}

TEST_CASE("Faults: files are written completely or not at all if the disk is full") {
  for (const auto& write : all_writers()) is_whole_or_refused(write);
}

TEST_CASE("Faults: reading text") {
  survives([] {
    const auto data = parse_libsvm<double>("1 1:2 3:4\n-1 2:0.5\n1\n", "t");
    return bits_of_samples(data.x, data.y);
  });
  survives([] {
    const auto data = parse_csv<double>("a,b,y\n1,2,3\n4,\"5\",6\n", "t");
    return Bits().add(data.x).add(data.y).add(static_cast<double>(data.feature_names.size())).sum();
  });
  survives([] {
    const auto data = parse_csv<double>("1,red\n2,blue\n", "t", {.text_targets = true});
    return Bits().add(data.x).add(data.y).sum();
  });
  survives([] {
    const auto data = parse_matrix_market<double>(
        "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 3\n2 1 4\n", "t");
    return bits_of_samples(data.x, {});
  });
}

TEST_CASE("Faults: reading files of numbers") {
  const TemporaryFolder folder;
  write_npy(folder / "x.npy", three);
  survives([&] { return Bits().add(read_npy<double>(folder.path() / "x.npy")).sum(); });
  write_libsvm(folder / "x.svm", three, labels);
  survives([&] {
    const auto data = read_libsvm<double>(folder.path() / "x.svm");
    return bits_of_samples(data.x, data.y);
  });
  write_binary(folder / "x.linea", three, labels);
  survives([&] {
    const auto mapped = map_binary<Matrix<double>>(folder.path() / "x.linea", {.verify = true});
    return Bits().add(Matrix<double>(mapped.x())).add(mapped.y()).sum();
  });
}

TEST_CASE("Faults: reading models") {
  for (const char* name : {"one_vs_rest_3.json", "softmax_3.json", "encoded_3.json"})
    survives([=] {
      detail::TextStream out;
      write_model(out, read_stored_model(model_files + name));
      return Bits().add(std::string_view(out.str())).sum();
    });
  survives([] {
    const auto model = read_stored_model(model_files + "regressor_3.json").as<Regressor<double>>();
    return bits_of(model);
  });
  survives([] {
    std::istringstream in(liblinear);
    detail::TextStream out;
    write_liblinear(out, read_liblinear(in));
    return Bits().add(std::string_view(out.str())).sum();
  });
}
