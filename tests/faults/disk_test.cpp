// SPDX-License-Identifier: MIT
// A disk that is full at the k-th byte, for every k, and a mapped file that was cut.
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <linea/io/mapped_file.hpp>
#include <linea/io/model_file.hpp>
#include <linea/io/npy.hpp>
#include <linea/io/write_binary.hpp>
#include <linea/io/write_libsvm.hpp>
#include <string>

#include "faults/allocations.hpp"
#include "support/binary_file.hpp"
#include "support/child_process.hpp"
#include "support/example_models.hpp"
#include "support/temporary_folder.hpp"

using namespace linea;
using namespace linea::test;
namespace fs = std::filesystem;

namespace {

/// Writes where files may have `bytes` bytes only: 0 if it succeeds, 1 if it is refused as a full
/// disk is, 2 for anything else.
template <class Write>
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

template <class Write>
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

}  // namespace

TEST_CASE("Faults: a disk that is full sooner or later", "[faults]") {
  const Matrix<double> x{{1, 0.5}, {0, -2}, {3, 0}};
  const Vector<double> y{{1, -1, 1}};
  const auto model = examples::one_vs_rest<double>();
  is_whole_or_refused([&](const fs::path& path) { write_npy(path, x); });
  is_whole_or_refused([&](const fs::path& path) { write_libsvm(path, x, y); });
  is_whole_or_refused([&](const fs::path& path) { write_binary(path, x, y); });
  is_whole_or_refused([&](const fs::path& path) { write_model(path, model); });
  is_whole_or_refused(
      [&](const fs::path& path) { write_model(path, model, {.format = ModelFormat::binary}); });
}

TEST_CASE("Faults: a binary file that is cut anywhere is refused when it is mapped", "[faults]") {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "x.linea";
  write_binary(path, Matrix<double>(Matrix<double>::Ones(3, 2)), Vector<double>::Ones(3).eval());
  const std::string whole = slurp(path);
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    spill(path, whole.substr(0, bytes));
    CHECK_THROWS_AS(map_binary<Matrix<double>>(path), std::invalid_argument);
  }
}
