// SPDX-License-Identifier: MIT
/// \file Classifies text: reviews are sparse counts of hashed words in a memory-mapped binary file.
/// Prints the accuracy on held-out reviews, and the words with the largest weights.
#include <algorithm>  // min, sort
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <linea/io.hpp>
#include <linea/linea.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace {

/// Returns the column of a word, one of 2¹⁶: the upper half of its 32-bit FNV-1a hash.
int column_of(std::string_view word) {
  std::uint32_t hash = 2166136261U;
  for (const char c : word) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return static_cast<int>(hash >> 16);
}

/// Returns one row for each review, with the count of each word.
linea::SparseMatrix<float> counts(const std::vector<std::string>& reviews) {
  std::vector<Eigen::Triplet<float, int>> entries;
  for (std::size_t i = 0; i < reviews.size(); ++i) {
    std::string_view rest = reviews[i];
    while (!rest.empty()) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      if (!word.empty()) entries.emplace_back(static_cast<int>(i), column_of(word), 1.0F);
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    }
  }
  linea::SparseMatrix<float> x(static_cast<linea::Index>(reviews.size()), 1 << 16);
  x.setFromTriplets(entries.begin(), entries.end());
  return x;
}

/// Returns a made-up review of five words. Good and bad reviews prefer different words.
std::string review(bool is_good, linea::Random& random) {
  const char* const good[] = {"superb", "warm", "clever", "moving"};
  const char* const bad[] = {"dull", "noisy", "stale", "endless"};
  const char* const any[] = {"film", "plot", "actor", "scene", "music", "the", "a", "of"};
  std::string text;
  for (int k = 0; k < 5; ++k) {
    const bool tells = random.below(4) == 0;
    const bool as_good = is_good != (random.below(8) == 0);
    text +=
        std::string(tells ? (as_good ? good : bad)[random.below(4)] : any[random.below(8)]) + ' ';
  }
  return text;
}

/// Converts text of any length to a binary file, with the memory of one block and a few buffers.
void convert(const std::string& text, const std::string& binary) {
  std::ifstream in(text, std::ios::binary);
  linea::LibsvmBlocks<float> blocks(in, text);
  linea::BinaryWriter<linea::SparseMatrix<float>> all(binary);
  while (const auto block = blocks.next()) all.add(block->x, block->y);
  all.write(binary);
}

}  // namespace

int main() {
  linea::Random random{1};
  std::vector<std::string> reviews;
  linea::Vector<float> y(3000);
  for (linea::Index i = 0; i < y.size(); ++i) {
    y[i] = i % 2 == 0 ? 1.0F : -1.0F;
    reviews.push_back(review(y[i] > 0, random));
  }
  const std::vector<std::string> held_out(reviews.begin() + 2000, reviews.end());
  reviews.resize(2000);

  const auto path = (std::filesystem::temp_directory_path() / "linea_text.linea").string();
  linea::write_binary(path, counts(reviews), y.head(2000));

  const auto file = linea::map_binary<linea::SparseMatrix<float>>(path);
  const linea::Objective objective{linea::Log{}, linea::L2{1e-4}};
  const auto solution =
      linea::Sgd{.epochs = 20, .iterate = linea::Iterate::average, .seed = 1, .threads = 2}
          .minimize(objective, file.x(), file.y());
  const auto certificate = linea::certify(objective, solution, file.x(), file.y());
  std::printf("F - F* is at most %.0f %% of F\n", 100 * certificate.relative_gap());

  const auto model = linea::model_of(solution, objective);
  std::printf("accuracy on held-out reviews: %.2f\n",
              linea::accuracy(model.predict(counts(held_out)), y.tail(1000)));
  std::printf("probability that \"a superb plot\" is good: %.2f\n",
              model.probabilities(counts({"a superb plot"}))[0]);

  std::vector<std::string> words{"superb",  "warm", "clever", "moving", "dull",  "noisy", "stale",
                                 "endless", "film", "plot",   "actor",  "scene", "music", "the"};
  std::sort(words.begin(), words.end(), [&](const std::string& one, const std::string& other) {
    return model.weights[column_of(one)] > model.weights[column_of(other)];
  });
  std::printf("most positive: %s, %s; most negative: %s, %s\n", words[0].c_str(), words[1].c_str(),
              words[13].c_str(), words[12].c_str());

  const std::string copy = path + ".svm";
  linea::write_libsvm(copy, counts(reviews), y.head(2000));
  const std::string binary = copy + ".linea";
  convert(copy, binary);
  const auto again = linea::map_binary<linea::SparseMatrix<float>>(binary);
  std::printf("entries, block by block: %s\n",
              again.x().nonZeros() == file.x().nonZeros() ? "as many" : "not as many");
  for (const auto& name : {path, copy, binary}) std::filesystem::remove(name);
}

// Output:
//   F - F* is at most 11 % of F
//   accuracy on held-out reviews: 0.79
//   probability that "a superb plot" is good: 0.73
//   most positive: clever, moving; most negative: endless, noisy
//   entries, block by block: as many
