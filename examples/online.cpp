// SPDX-License-Identifier: MIT
/// \file Online learning on a stream that changes. Compares a learner that continues to learn with
/// a model trained once. Writes the figure to the folder in the first argument, by default
/// `figures`.
#include <cstdio>
#include <linea/linea.hpp>
#include <linea/step_sizes/constant.hpp>
#include <vector>

#include "lectures/figure.hpp"

namespace {

/// An endless stream of made-up messages of twelve words. One message in three is spam (+1), and
/// the others are not (-1).
class Stream {
 public:
  static constexpr linea::Index words = 1000;

  Eigen::SparseVector<double> next(double& target) {
    // Words 0 to 99 are typical of spam. After 10,000 messages, words 100 to 199 are.
    const std::uint64_t first = count_++ < 10000 ? 0 : 100;
    target = random_.below(3) == 0 ? 1 : -1;
    Eigen::SparseVector<double> message(words);
    for (int k = 0; k < 12; ++k) {
      const bool telling = random_.below(6) < (target > 0 ? 3U : 1U);
      const auto word = telling ? first + random_.below(100) : random_.below(words);
      message.coeffRef(static_cast<linea::Index>(word)) = 1;
    }
    return message;
  }

 private:
  linea::Random random_{2024};
  int count_{0};
};

}  // namespace

int main(int argc, char** argv) {
  Stream stream;
  const linea::Objective objective{linea::Log{}, linea::L2{1e-5}};
  auto learner =
      linea::BasicSgd<linea::ConstantStep>{.step = {0.1}}.start<double>(objective, Stream::words);
  auto once = learner;  // learns from the first 5,000 messages only

  linea::OnlineEvaluation of_learner(objective.loss, 1000), of_once = of_learner,
                                                            of_constant = of_learner;
  std::vector<double> learner_percent, once_percent, constant_percent;  // mistakes in a thousand
  const auto percent = [](const auto& evaluation) {
    return 100 - 100 * evaluation.window_accuracy();
  };
  for (int seen = 1; seen <= 20000; ++seen) {
    double target = 0;
    const auto message = stream.next(target);
    of_learner.add(learner.score(message), target);
    learner.update(message, target);
    of_once.add(once.score(message), target);
    if (seen <= 5000) once.update(message, target);
    of_constant.add(-1, target);
    if (seen % 1000 == 0) {
      learner_percent.push_back(percent(of_learner));
      once_percent.push_back(percent(of_once));
      constant_percent.push_back(percent(of_constant));
    }
    if (seen % 4000 == 0)
      std::printf("after %5d messages: %.1f %% learner, %.1f %% trained once, %.1f %% never spam\n",
                  seen, learner_percent.back(), once_percent.back(), constant_percent.back());
  }

  // The weights so far are available at any time, and learning can continue.
  const auto solution = learner.solution();
  std::printf("%td updates, %s\n", solution.updates,
              solution.status == linea::Status::diverged ? "diverged" : "not diverged");

  lectures::Figure figure("online", "Mistakes on a stream that changes after 10,000 messages",
                          "thousands of messages", "mistakes, %");
  figure.with("set yrange [0:45]");
  figure.add("learner", lectures::style::blue, lectures::numbered(learner_percent));
  figure.add("trained once", lectures::style::red, lectures::numbered(once_percent));
  figure.add("never spam", lectures::style::dashed, lectures::numbered(constant_percent));
  lectures::Gallery(argc, argv).draw(figure);
}

// Output:
//   after  4000 messages: 12.6 % learner, 12.6 % trained once, 31.7 % never spam
//   after  8000 messages: 14.5 % learner, 13.7 % trained once, 33.5 % never spam
//   after 12000 messages: 22.0 % learner, 32.1 % trained once, 32.0 % never spam
//   after 16000 messages: 16.9 % learner, 33.9 % trained once, 33.9 % never spam
//   after 20000 messages: 13.7 % learner, 33.0 % trained once, 33.0 % never spam
//   20000 updates, not diverged
