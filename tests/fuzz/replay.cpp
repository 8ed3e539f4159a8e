// SPDX-License-Identifier: MIT
/// \file A substitute for libFuzzer: runs a fuzz target on the files of a folder, and on
/// reproducible mutations of them.
///
///     readers_fuzz -runs=20000 -seed=1 corpus
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <linea/core/random.hpp>
#include <string>
#include <vector>

#include "support/random_place.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

namespace {

constexpr std::size_t longest = 1024;

std::vector<std::string> corpus(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> inputs{""};
  for (const auto& path : files) {
    std::ifstream file(path, std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>{});
  }
  return inputs;
}

/// Returns the input after one to four changes of bits, bytes and substrings. Some substrings are
/// copied from `other`.
std::string mutated(std::string input, const std::string& other, linea::Random& random) {
  static const std::string telling[] = {"\n",  " ",   ":",     ",",     "\"",   "-",
                                        "nan", "inf", "1e309", "0",     "\xff", "4294967296",
                                        "-1",  ".",   "#",     "1e-320"};
  const auto below = [&](std::size_t n) { return linea::test::random_place(random, n); };
  for (auto changes = 1 + below(4); changes > 0; --changes) {
    const std::size_t at = below(input.size() + 1);
    switch (below(6)) {
      case 0:
        if (at < input.size()) input[at] ^= static_cast<char>(1U << below(8));
        break;
      case 1:
        if (at < input.size()) input[at] = static_cast<char>(below(256));
        break;
      case 2:
        input.erase(at, below(8));
        break;
      case 3:
        input.insert(at, telling[below(std::size(telling))]);
        break;
      case 4:
        input.insert(at, input.substr(below(input.size() + 1), below(16)));
        break;
      default:
        input.insert(at, other.substr(below(other.size() + 1), below(32)));
    }
  }
  if (input.size() > longest) input.resize(longest);
  return input;
}

void run(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

}  // namespace

int main(int count, char** words) {
  std::uint64_t runs = 1000;
  std::uint64_t seed = 1;
  std::string folder;
  for (int k = 1; k < count; ++k) {
    const std::string word = words[k];
    if (word.starts_with("-runs="))
      runs = std::strtoull(word.c_str() + 6, nullptr, 10);
    else if (word.starts_with("-seed="))
      seed = std::strtoull(word.c_str() + 6, nullptr, 10);
    else
      folder = word;
  }
  auto inputs = corpus(folder);
  const std::size_t shipped = inputs.size() - 1;
  for (const auto& input : inputs) run(input);
  linea::Random random(seed);
  for (std::uint64_t k = 0; k < runs; ++k) {
    const auto& input = inputs[linea::test::random_place(random, inputs.size())];
    const auto& other = inputs[linea::test::random_place(random, inputs.size())];
    std::string next = mutated(input, other, random);
    run(next);
    if (k % 16 == 0 && inputs.size() < 4096) inputs.push_back(std::move(next));
  }
  std::cout << "done " << runs << " runs from " << shipped << " inputs\n";
  return shipped > 0 ? 0 : 1;
}
