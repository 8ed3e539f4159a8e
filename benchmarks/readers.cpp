// SPDX-License-Identifier: MIT
/// \file Compares the text readers with scikit-learn and with a plain read of the same bytes, and a
/// mapped binary file with both.
#include <concepts>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <linea/core/random.hpp>
#include <linea/io/csv.hpp>
#include <linea/io/libsvm.hpp>
#include <linea/io/mapped_file.hpp>
#include <linea/io/write_binary.hpp>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "support/options.hpp"
#include "support/turns.hpp"

namespace {

using Path = std::filesystem::path;

struct Settings {
  std::vector<std::string> files{};
  long turns{7};
  // It may be empty. NOLINTNEXTLINE(readability-redundant-string-init)
  std::string python{LINEA_SKLEARN_PYTHON};
};

/// A temporary folder, removed by the destructor.
class Workshop {
 public:
  Workshop()
      : folder_(std::filesystem::temp_directory_path() /
                ("linea_readers_" + std::to_string(std::random_device{}()))) {
    std::filesystem::create_directory(folder_);
  }
  ~Workshop() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  Path operator/(const char* name) const { return folder_ / name; }

 private:
  Path folder_;
};

/// Returns the time of load_svmlight_file in a process of its own.
double scikit_learn(const std::string& python, const Path& path, const std::string& dtype) {
  const Path script = Path(LINEA_PEERS).parent_path() / "readers.py";
  const std::string command =
      "'" + python + "' '" + script.string() + "' '" + path.string() + "' " + dtype;
  double time = -1;
  if (std::FILE* const answer = ::popen(command.c_str(), "r")) {
    if (std::fscanf(answer, "%lf", &time) != 1) time = -1;
    ::pclose(answer);
  }
  linea::require(time >= 0, python, " cannot read ", path.string(), " with scikit-learn");
  return time;
}

void read_plainly(const Path& path) {
  std::ifstream file(path, std::ios::binary);
  const auto size = std::filesystem::file_size(path);
  const auto bytes = std::make_unique<char[]>(size);
  file.read(bytes.get(), static_cast<std::streamsize>(size));
}

template <class T>
void measure(const Path& path, const Path& binary, const Settings& settings) {
  const bool is_csv = path.extension() == ".csv";
  const std::string type = std::same_as<T, float> ? "float" : "double";
  const auto read = [&](const auto& take) {
    is_csv ? take(linea::read_csv<T>(path)) : take(linea::read_libsvm<T>(path));
  };
  read([&](const auto& data) { linea::write_binary(binary, data.x, data.y); });

  bench::Turns turns;
  turns.add_timed("text", [&] { read([](const auto&) {}); });
  turns.add_timed("plain read", [&] { read_plainly(path); });
  turns.add_timed("binary", [&] {
    if (is_csv)
      (void)linea::map_binary<linea::Matrix<T>>(binary);
    else
      (void)linea::map_binary<linea::SparseMatrix<T>>(binary);
  });
  const bool has_peer = !settings.python.empty() && !is_csv;
  if (has_peer)
    turns.add("scikit-learn", [&] {
      return scikit_learn(settings.python, path, type == "float" ? "float32" : "float64");
    });
  turns.take(settings.turns);

  const std::string work = path.filename().string() + " to " + type + ": ";
  const auto time = turns.time("text");
  const double megabytes = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
  if (has_peer)
    bench::print_row(work + "speed over that of load_svmlight_file", bench::at_least(5),
                     turns.ratio("scikit-learn", "text"));
  bench::print_row(work + "MB/s", bench::at_least(250),
                   {megabytes / time.median, megabytes / time.high, megabytes / time.low});
  bench::print_row(work + "time over that of a plain read", {}, turns.ratio("text", "plain read"));
  bench::print_row(work + "speed of mapping a binary file over it", {},
                   turns.ratio("text", "binary"));
}

/// Writes samples that have 12 of 1000 features each, with numbers of six digits.
void write_synthetic(const Path& path) {
  std::ofstream out(path);
  linea::Random random(1);
  for (int i = 0; i < 10000; ++i) {
    out << (i % 2 ? "+1" : "-1");
    for (std::uint64_t j = 1 + random.below(80); j <= 1000; j += 1 + random.below(160))
      out << ' ' << j << ":0." << 100000 + random.below(900000);
    out << '\n';
  }
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bench::read_options(
      argc, argv, "The readers of files",
      {{"files", &settings.files,
        "LIBSVM text, or CSV where the name ends in .csv; none: a small file of its own"},
       {"--turns", &settings.turns, "turns that are counted"},
       {"--python", &settings.python, "a Python that has scikit-learn, or nothing"}});
  return bench::run([&] {
    const Workshop workshop;
    if (settings.python.empty()) std::puts("scikit-learn is left out: no --python that has it");
    if (settings.files.empty()) {
      settings.files.push_back((workshop / "synthetic.svm").string());
      write_synthetic(settings.files[0]);
    }
    bench::print_head();
    for (const Path file : settings.files) {
      measure<double>(file, workshop / "binary", settings);
      measure<float>(file, workshop / "binary", settings);
    }
  });
}
