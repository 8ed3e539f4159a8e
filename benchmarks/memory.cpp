// SPDX-License-Identifier: MIT
/// \file Measures the memory of a run in addition to x and y: the largest number of bytes allocated
/// during `minimize`, divided by n + d.
#include <malloc.h>

#include <atomic>
#include <cmath>  // round
#include <cstdlib>
#include <linea/losses/hinge.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>

#include "support/data.hpp"
#include "support/options.hpp"
#include "support/turns.hpp"

namespace {

std::atomic<std::size_t> alive{0};
std::atomic<std::size_t> most_alive{0};

void* counted(void* memory) {
  const std::size_t now = alive += malloc_usable_size(memory);
  std::size_t most = most_alive;
  while (now > most && !most_alive.compare_exchange_weak(most, now)) {
  }
  return memory;
}

}  // namespace

// These functions count all allocations. Eigen allocates by malloc, and the standard library by
// operator new, which calls malloc in the GNU library.
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

void* malloc(std::size_t size) { return counted(__libc_malloc(size)); }
void* calloc(std::size_t count, std::size_t size) { return counted(__libc_calloc(count, size)); }
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return counted(__libc_memalign(alignment, size));
}
void* memalign(std::size_t alignment, std::size_t size) {
  return counted(__libc_memalign(alignment, size));
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  *memory = counted(__libc_memalign(alignment, size));
  return *memory ? 0 : 12;  // 12 is ENOMEM
}
void* realloc(void* memory, std::size_t size) {
  alive -= malloc_usable_size(memory);
  return counted(__libc_realloc(memory, size));
}
void free(void* memory) {
  alive -= malloc_usable_size(memory);
  __libc_free(memory);
}
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

namespace {

using linea::Index;

/// Returns the largest number of bytes allocated during the work, minus those allocated before it.
std::size_t height_of(const auto& work) {
  const std::size_t before = alive;
  most_alive = before;
  work();
  return most_alive - before;
}

template <class T, class Optimizer>
void measure(const std::string& name, const Optimizer& optimizer, Index n, Index d, double bar) {
  const linea::Matrix<T> x = bench::random_rows<T>(n, d);
  const linea::Vector<T> y = bench::random_targets<T>(n);
  const linea::Objective objective{linea::Hinge{}, linea::L2{1e-4}};
  const auto bytes =
      static_cast<double>(height_of([&] { (void)optimizer.minimize(objective, x, y); }));
  const double each = std::round(10 * bytes / static_cast<double>(n + d)) / 10;
  bench::print_row(name + (sizeof(T) == 8 ? ", double, " : ", float, ") + std::to_string(n) +
                       " × " + std::to_string(d) + ": bytes over n + d",
                   bench::at_most(bar), {each, each, each});
}

}  // namespace

int main(int argc, char** argv) {
  long samples = 1000000;
  long features = 1000000;
  bench::read_options(argc, argv, "Bytes alive beyond x and y during minimize",
                      {{"--samples", &samples, "n, with 10 columns"},
                       {"--features", &features, "d, with 10 rows"}});
  return bench::run([&] {
    bench::print_head();
    const linea::Sgd sgd{.epochs = 3};
    const linea::Sgd averaged{.epochs = 3, .iterate = linea::Iterate::average};
    const auto all = [&]<class T>(T, Index n, Index d) {
      // The limits: a run has three vectors of d, and an average needs a fourth.
      const double vectors = d > n ? static_cast<double>(3 * sizeof(T)) : 16;
      measure<T>("Sgd", sgd, n, d, vectors);
      measure<T>("Sgd, averaged", averaged, n, d, d > n ? vectors + sizeof(T) : 16);
    };
    all(double{}, samples, 10);
    all(float{}, samples, 10);
    all(double{}, 10, features);
    all(float{}, 10, features);
  });
}
