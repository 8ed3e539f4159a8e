// SPDX-License-Identifier: MIT
#pragma once
/// \file Runs scikit-learn in one Python process (peers.py), which measures the time itself.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <linea/core/require.hpp>
#include <linea/rows/rows_of.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "support/peer_fit.hpp"
#include "support/turns.hpp"

namespace bench {

class ScikitLearn {
 public:
  /// Starts peers.py with `python` and passes it x (n × d) and y (n) in a file.
  template <linea::Samples X, class T>
  ScikitLearn(const std::string& python, const X& x, const linea::Vector<T>& y)
      : columns_(x.cols()) {
    std::string name = (std::filesystem::temp_directory_path() / "linea-peers-XXXXXX").string();
    linea::require(mkdtemp(name.data()) != nullptr, "no directory like ", name, " can be made");
    directory_ = name;
    write(x, y);
    start(python);
    say("load " + (directory_ / "samples").string());
  }
  ScikitLearn(const ScikitLearn&) = delete;
  ScikitLearn& operator=(const ScikitLearn&) = delete;
  ~ScikitLearn() {
    if (to_) std::fclose(to_);
    if (from_) std::fclose(from_);
    if (child_ > 0) waitpid(child_, nullptr, 0);
    std::error_code unknown;
    std::filesystem::remove_all(directory_, unknown);
  }

  /// Fits `model`, a class of sklearn.linear_model or sklearn.svm, with the hinge, log or squared
  /// loss. There is no offset except for Ridge. The fit stops by its own tolerance, or after
  /// `epochs` if that is not 0. Lasso and SparseLogisticRegression have the penalty λ·‖w‖₁ and stop
  /// by the given tolerance.
  PeerFit fit(const std::string& model, const std::string& loss, double lambda, long epochs = 0,
              double tolerance = 0) {
    char numbers[80];
    static_cast<void>(
        std::snprintf(numbers, sizeof numbers, "%.17g %ld %.17g", lambda, epochs, tolerance));
    const auto file = directory_ / "weights";
    const std::string answer =
        say("fit " + model + ' ' + loss + ' ' + numbers + ' ' + file.string());
    PeerFit fit;
    fit.seconds = std::stod(answer);
    fit.weights.resize(columns_);
    std::ifstream in(file, std::ios::binary);
    in.read(reinterpret_cast<char*>(fit.weights.data()),
            static_cast<std::streamsize>(sizeof(double)) * columns_);
    linea::require(bool(in), "scikit-learn wrote no weights");
    return fit;
  }

 private:
  template <class V>
  static void put(std::ofstream& out, const std::vector<V>& values) {
    out.write(reinterpret_cast<const char*>(values.data()),
              static_cast<std::streamsize>(sizeof(V) * values.size()));
  }

  /// Writes whether x is sparse, n, d and the number of non-zeros. Then writes x: row starts,
  /// columns and values if it is sparse, else the values. At the end writes y.
  template <class X, class T>
  void write(const X& x, const linea::Vector<T>& y) const {
    const auto rows = linea::rows_of(x);
    constexpr bool is_sparse = decltype(rows)::is_sparse;
    std::vector<std::int32_t> starts{0};
    std::vector<std::int32_t> columns;
    std::vector<double> values;
    for (linea::Index i = 0; i < rows.rows(); ++i) {
      rows.for_each(i, [&](linea::Index j, T value) {
        if constexpr (is_sparse) columns.push_back(static_cast<std::int32_t>(j));
        values.push_back(static_cast<double>(value));
      });
      if constexpr (is_sparse) starts.push_back(static_cast<std::int32_t>(values.size()));
    }
    std::ofstream out(directory_ / "samples", std::ios::binary);
    put(out, std::vector<std::int64_t>{is_sparse, x.rows(), x.cols(),
                                       static_cast<std::int64_t>(values.size())});
    if constexpr (is_sparse) {
      put(out, starts);
      put(out, columns);
    }
    put(out, values);
    put(out, std::vector<double>(y.begin(), y.end()));
    out.close();
    linea::require(bool(out), "could not write all of ", (directory_ / "samples").string());
  }

  void start(const std::string& python) {
    int down[2];
    int up[2];
    linea::require(pipe(down) == 0 && pipe(up) == 0, "no pipe can be made");
    std::signal(SIGPIPE, SIG_IGN);
    for (const char* threads : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"})
      setenv(threads, "1", 1);
    child_ = fork();
    linea::require(child_ >= 0, "no process can be started");
    if (child_ == 0) {
      dup2(down[0], STDIN_FILENO);
      dup2(up[1], STDOUT_FILENO);
      for (const int end : {down[0], down[1], up[0], up[1]}) close(end);
      execl(python.c_str(), python.c_str(), "-W", "ignore", LINEA_PEERS,
            counts_processor_time ? "--cpu" : nullptr, nullptr);
      _exit(127);
    }
    close(down[0]);
    close(up[1]);
    to_ = fdopen(down[1], "w");
    from_ = fdopen(up[0], "r");
  }

  /// Sends one line, and returns the line of the reply.
  std::string say(const std::string& order) {
    std::fputs((order + '\n').c_str(), to_);
    std::fflush(to_);
    std::string answer;
    for (int c = std::getc(from_); c != EOF && c != '\n'; c = std::getc(from_))
      answer += static_cast<char>(c);
    linea::require(!answer.empty() && !answer.starts_with("error"),
                   "peers.py: ", answer.empty() ? "it has ended" : answer);
    return answer;
  }

  linea::Index columns_;
  std::filesystem::path directory_{};
  pid_t child_{0};
  std::FILE* to_{nullptr};
  std::FILE* from_{nullptr};
};

}  // namespace bench
