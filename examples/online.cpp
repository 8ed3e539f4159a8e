// SPDX-License-Identifier: MIT
/// \file Online learning: samples come one at a time, are predicted first and learnt from after.
#include <cstdio>
#include <linea/linea.hpp>

namespace {

/// An endless stream of sparse samples: words of a message, and whether it is spam (+1) or not
/// (-1).
class Stream {
 public:
  static constexpr linea::Index words = 1000;

  Eigen::SparseVector<double> next(double& target) {
    target = random_.below(3) == 0 ? 1 : -1;
    Eigen::SparseVector<double> message(words);
    for (int k = 0; k < 12; ++k) {
      // Spam prefers the first hundred words, and one word in six is of this kind anywhere.
      const bool telling = random_.below(6) < (target > 0 ? 3U : 1U);
      const auto word = random_.below(telling ? 100 : words);
      message.coeffRef(static_cast<linea::Index>(word)) = 1;
    }
    return message;
  }

 private:
  linea::Random random_{2024};
};

}  // namespace

int main() {
  Stream stream;
  const linea::Objective objective{linea::Log{}, linea::L2{1e-5}};
  auto learner = linea::Sgd{}.start<double>(objective, Stream::words);

  int mistakes = 0;
  for (int seen = 1; seen <= 20000; ++seen) {
    double target = 0;
    const auto message = stream.next(target);
    if (learner.score(message) * target <= 0) ++mistakes;
    learner.update(message, target);
    if (seen % 5000 == 0) {
      std::printf("messages %5d to %5d: %.0f %% mistakes\n", seen - 4999, seen, mistakes / 50.0);
      mistakes = 0;
    }
  }

  // The weights so far are available at any time, and learning can continue.
  const auto solution = learner.solution();
  std::printf("%td updates, %s\n", solution.updates,
              solution.status == linea::Status::diverged ? "diverged" : "not diverged");
  std::printf(
      "a telling word weighs %s than another\n",
      solution.weights.head(100).mean() > solution.weights.tail(900).mean() ? "more" : "less");
}

// Output:
//   messages     1 to  5000: 16 % mistakes
//   messages  5001 to 10000: 15 % mistakes
//   messages 10001 to 15000: 14 % mistakes
//   messages 15001 to 20000: 14 % mistakes
//   20000 updates, not diverged
//   a telling word weighs more than another
