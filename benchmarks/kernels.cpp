// SPDX-License-Identifier: MIT
/// \file Measures the operations on rows: dot, add, squared norm, and the scores of all rows.
/// Prints the bytes of x per second in each layout and scalar, with x in the first cache, in the
/// second, and in neither.
#include <benchmark/benchmark.h>

#include <linea/rows/rows_of.hpp>
#include <memory>
#include <string>
#include <utility>  // pair

#include "support/data.hpp"
#include "support/turns.hpp"

namespace {

using linea::Index;

enum class Kernel { dot, add, squared_norm, scores };

struct Place {
  const char* name;
  double kilobytes;
};
constexpr Place places[] = {{"L1", 16}, {"L2", 512}, {"memory", 400000}};

/// Returns n rows of 64 random columns out of 4096.
template <class T>
linea::SparseMatrix<T> random_sparse_rows(Index n) {
  constexpr Index columns = 4096;
  constexpr int entries = 64;
  linea::Random random(1);
  linea::SparseMatrix<T> x(n, columns);
  x.reserve(Eigen::VectorXi::Constant(n, entries));
  for (Index i = 0; i < n; ++i)
    for (int k = 0; k < entries; ++k)
      x.insert(i, k * (columns / entries) + static_cast<Index>(random.below(columns / entries))) =
          static_cast<T>(random.uniform() - 0.5);
  x.makeCompressed();
  return x;
}

template <class X>
void run(benchmark::State& state, const X& x, Kernel kernel) {
  using T = linea::scalar_t<X>;
  const auto rows = linea::rows_of(x);
  linea::Vector<T> w = linea::Vector<T>::Constant(x.cols(), T(0.01));
  linea::Vector<T> scores(x.rows());
  const Index n = rows.rows();
  T sum{0};
  for (auto _ : state) {
    switch (kernel) {
      case Kernel::dot:
        for (Index i = 0; i < n; ++i) sum += rows.dot(i, w);
        break;
      case Kernel::add:
        for (Index i = 0; i < n; ++i) rows.add(i, T(1e-6), w);
        break;
      case Kernel::squared_norm:
        for (Index i = 0; i < n; ++i) sum += rows.squared_norm(i);
        break;
      case Kernel::scores:
        rows.scores(0, n, w, scores.data());
        break;
    }
    benchmark::DoNotOptimize(sum);
    benchmark::DoNotOptimize(w.data());
    benchmark::DoNotOptimize(scores.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * n * rows.row_bytes());
}

/// The samples generated last. Kernels of the same layout and size run consecutively and share
/// them.
struct {
  std::string name{};
  std::shared_ptr<const void> samples{};
} latest;

template <class Make>
void add(const std::string& layout, Make make) {
  constexpr std::pair<const char*, Kernel> kernels[] = {{"dot", Kernel::dot},
                                                        {"add", Kernel::add},
                                                        {"squared_norm", Kernel::squared_norm},
                                                        {"scores", Kernel::scores}};
  for (const auto& place : places)
    for (const auto& [name, kernel] : kernels) {
      const auto work = [=, kernel = kernel](benchmark::State& state) {
        using X = decltype(make(0.0));
        const std::string wanted = layout + place.name;
        if (latest.name != wanted) {
          latest = {};
          latest = {wanted, std::make_shared<const X>(make(1000 * place.kilobytes))};
        }
        run(state, *static_cast<const X*>(latest.samples.get()), kernel);
      };
      benchmark::RegisterBenchmark((layout + "/" + name + "/" + place.name).c_str(), work);
    }
}

template <class T>
void add_all(const std::string& scalar) {
  for (const Index d : {54, 784}) {
    const auto rows = [d](double bytes) {
      return bench::random_rows<T>(bench::rows_of_megabytes<T>(bytes / 1e6, d), d);
    };
    const std::string suffix = ", " + scalar + ", d = " + std::to_string(d);
    add("row-major" + suffix, rows);
    add("column-major" + suffix, [rows](double bytes) {
      return Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>(rows(bytes));
    });
  }
  add("sparse, " + scalar, [](double bytes) {
    return random_sparse_rows<T>(
        std::max<Index>(static_cast<Index>(bytes) / (64 * static_cast<Index>(4 + sizeof(T))), 1));
  });
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run([&] {
    add_all<double>("double");
    add_all<float>("float");
    benchmark::Initialize(&argc, argv);
    linea::require(!benchmark::ReportUnrecognizedArguments(argc, argv), "see --help");
    benchmark::RunSpecifiedBenchmarks();
  });
}
