// SPDX-License-Identifier: MIT
/// \file The readers of text against a plain read of the same bytes and against scikit-learn, and a
/// mapped binary file against both. All take turns; figures are medians, ratios those of single turns.
#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <linea/core/random.hpp>
#include <linea/data/binary.hpp>
#include <linea/data/csv.hpp>
#include <linea/data/libsvm.hpp>
#include <linea/data/write_binary.hpp>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace {

using Path = std::filesystem::path;

double seconds(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Figures {
  std::vector<double> of_turns{};

  double at(std::size_t rank) const {
    auto sorted = of_turns;
    std::sort(sorted.begin(), sorted.end());
    return sorted[rank];
  }
  double median() const { return at(of_turns.size() / 2); }

  /// "12.3 (11.9..13.0)"
  std::string text() const {
    char text[64];
    std::snprintf(text, sizeof text, "%.*f (%.*f..%.*f)", digits(), median(), digits(), at(0),
                  digits(), at(of_turns.size() - 1));
    return text;
  }

 private:
  int digits() const { return median() < 10 ? 2 : median() < 100 ? 1 : 0; }
};

/// A folder of this run's own, gone at its end.
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

/// As long as load_svmlight_file takes in a process of its own; negative where there is none.
double scikit_learn(const Path& path, const char* dtype) {
  const Path script = Path(__FILE__).parent_path() / "readers.py";
  const std::string command = "/usr/bin/python3 '" + script.string() + "' '" + path.string() +
                              "' " + dtype + " 2>/dev/null";
  double time = -1;
#if defined(__unix__) || defined(__APPLE__)
  if (std::FILE* const answer = ::popen(command.c_str(), "r")) {
    if (std::fscanf(answer, "%lf", &time) != 1) time = -1;
    ::pclose(answer);
  }
#endif
  return time;
}

void read_plainly(const Path& path) {
  std::ifstream file(path, std::ios::binary);
  const auto size = std::filesystem::file_size(path);
  const auto bytes = std::make_unique<char[]>(size);
  file.read(bytes.get(), static_cast<std::streamsize>(size));
}

template <class T>
void measure(const Path& path, const Path& binary, int turns, bool against_scikit_learn) {
  const bool is_csv = path.extension() == ".csv";
  const auto megabytes = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
  const char* const dtype = std::same_as<T, float> ? "float32" : "float64";
  const auto read = [&] {
    if (is_csv)
      linea::read_csv<T>(path);
    else
      linea::read_libsvm<T>(path);
  };
  const auto map = [&] {
    if (is_csv)
      linea::map_binary<linea::Matrix<T>>(binary);
    else
      linea::map_binary<linea::SparseMatrix<T>>(binary);
  };
  if (is_csv) {
    const auto data = linea::read_csv<T>(path);
    linea::write_binary(binary, data.x, data.y);
  } else {
    const auto data = linea::read_libsvm<T>(path);
    linea::write_binary(binary, data.x, data.y);
  }

  Figures speed, plain, peer, mapped;
  for (int turn = 0; turn <= turns; ++turn) {
    const double r = seconds(read);
    const double p = seconds([&] { read_plainly(path); });
    const double m = seconds(map);
    const double s = against_scikit_learn && !is_csv ? scikit_learn(path, dtype) : -1;
    if (turn == 0) continue;  // warms caches and clocks up
    speed.of_turns.push_back(megabytes / r);
    plain.of_turns.push_back(r / p);
    mapped.of_turns.push_back(r / m);
    if (s >= 0) peer.of_turns.push_back(s / r);
  }
  std::printf("%-24s %6.1f  %-7s %19s  %18s  %18s  %19s\n", path.filename().string().c_str(),
              megabytes, dtype, speed.text().c_str(), plain.text().c_str(),
              peer.of_turns.empty() ? "-" : peer.text().c_str(), mapped.text().c_str());
  std::fflush(stdout);
}

/// Samples of 12 features out of 1000, with six digits each.
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

/// readers [file…]: LIBSVM text, or CSV where the name ends in .csv; none: a small file of its own, and
/// no scikit-learn.
int main(int argc, char** argv) {
#ifndef NDEBUG
  std::fprintf(stderr, "a debug build measures nothing: use -DCMAKE_BUILD_TYPE=Release\n");
  return 2;
#endif
  const Workshop workshop;
  std::vector<Path> files(argv + 1, argv + argc);
  const bool own = files.empty();
  if (own) {
    files.push_back(workshop / "synthetic.svm");
    write_synthetic(files[0]);
  }
  std::printf("%-24s %6s  %-7s %19s  %18s  %18s  %19s\n", "file", "MB", "scalar", "MB/s",
              "time / ifstream", "x scikit-learn", "map_binary x text");
  try {
    for (const Path& file : files) {
      measure<double>(file, workshop / "binary", 7, !own);
      measure<float>(file, workshop / "binary", 7, !own);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
