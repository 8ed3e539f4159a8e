// SPDX-License-Identifier: MIT
#include <cstddef>
#include <linea/io/learner_file.hpp>
#include <linea/io/model_json.hpp>
#include <linea/losses.hpp>
#include <linea/metrics/online_evaluation.hpp>
#include <linea/models/online.hpp>
#include <linea/optimizers/adaptive_sgd.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/perceptron.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/orders/shuffled.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l1.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/penalties/none.hpp>
#include <linea/penalties/penalty_factors.hpp>
#include <linea/step_sizes/constant.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/model_checksum.hpp"
#include "support/refusal.hpp"
#include "support/same_bits.hpp"
#include "support/synthetic.hpp"
#include "support/temporary_file.hpp"

namespace learner_file_test {

namespace {

using namespace linea;
using test::refusal_of;

constexpr Index d = 7;

template <class L>
std::string written(const L& learner) {
  std::ostringstream out;
  write_learner(out, learner);
  return out.str();
}

template <class L>
L read(const std::string& text, L start) {
  std::istringstream in(text);
  read_learner(in, start, "t");
  return start;
}

template <class T>
struct Stream {
  Matrix<T> x = synthetic::features<T>(60, d, 1);
  Vector<T> y{60};

  Stream() {
    for (Index i = 0; i < 60; ++i) y[i] = x(i, 0) + x(i, 3) * x(i, 4) > T(0) ? T(1) : T(-1);
  }
};

/// Passes part of the stream to a learner, in single samples, batches and epochs.
template <class T>
void feed(auto& learner, Index first) {
  const Stream<T> s;
  const SparseMatrix<T> sparse = s.x.sparseView();
  for (Index i = first; i < first + 10; ++i) learner.update(s.x.row(i), s.y[i], T(i % 3));
  learner.epoch(sparse.middleRows(first, 30).eval(), s.y.segment(first, 30));
  learner.update_batch(s.x.middleRows(first, 5), s.y.segment(first, 5));
  for (Index i = first; i < first + 10; ++i) learner.update(s.x.row(i), s.y[i]);
}

/// Checks that a learner that is read continues as the one that was written, from any state.
template <class T>
void continues(const auto& start) {
  auto learner = start;
  for (const Index first : {0, 20, 10}) {
    auto resumed = read(written(learner), start);
    CHECK(written(resumed) == written(learner));
    feed<T>(learner, first);
    feed<T>(resumed, first);
    const auto expected = learner.solution();
    const auto found = resumed.solution();
    CHECK(same_bits(found.weights, expected.weights));
    CHECK(same_bits(found.offset, expected.offset));
    CHECK(found.updates == expected.updates);
    CHECK(found.epochs == expected.epochs);
    CHECK(found.iterate == expected.iterate);
    CHECK(resumed.mistakes() == learner.mistakes());
  }
}

TEMPLATE_TEST_CASE("write_learner: what is read continues bit for bit", "", float, double) {
  using T = TestType;
  continues<T>(Sgd{}.start<T>(Objective{Hinge{}, L2{1e-2}}, d));
  continues<T>(Sgd{.iterate = Iterate::average}.start<T>(Objective{Log{}, L2{1e-2}}, d));
  continues<T>(Sgd{}.start<T>(Objective{Log{}, ElasticNet{1e-2, 1e-2}}, d));
  continues<T>(Sgd{.iterate = Iterate::average}.start<T>(Objective{Log{}, L1{1e-2}}, d));
  continues<T>(
      BasicSgd<ConstantStep, Shuffled>{.seed = 3}.start<T>(Objective{Squared{}, NoPenalty{}}, d));
  const PenaltyFactors<L2> weighted{L2{1e-2}, Vector<double>::LinSpaced(d, 0, 1)};
  continues<T>(Sgd{.iterate = Iterate::average}.start<T>(Objective{Hinge{}, weighted}, d));
  continues<T>(Pegasos{.project = true}.start<T>(Objective{Hinge{}, L2{1e-2}}, d));
  continues<T>(Perceptron{}.start<T>(d));
  continues<T>(AdaptiveSgd{}.start<T>(Objective{Log{}, L1{1e-3}}, d));
}

TEST_CASE("write_learner: a new label may appear after a classifier was read") {
  const Stream<double> s;
  Vector<double> labels = s.y;
  for (Index i = 0; i < 60; i += 4) labels[i] = i < 30 ? 5 : -8;
  const OnlineOneVsRest start(
      Sgd{.iterate = Iterate::average}.start<double>(Objective{Log{}, L2{1e-2}}, d));
  auto learner = start;
  for (const Index first : {0, 30, 20}) {
    auto resumed = read(written(learner), start);
    const auto feed_both = [&](auto& one) {
      for (Index i = first; i < first + 25; ++i) one.update(s.x.row(i), labels[i]);
      one.epoch(s.x.middleRows(first, 25), labels.segment(first, 25));
    };
    feed_both(learner);
    feed_both(resumed);
    CHECK(resumed.labels() == learner.labels());
    CHECK(same_bits(resumed.scores(s.x), learner.scores(s.x)));
    CHECK(written(resumed) == written(learner));
  }
  CHECK(learner.labels() == std::vector<double>{-8, -1, 1, 5});
}

TEST_CASE("write_learner: fixed labels must be those of the file") {
  const auto base = Sgd{}.start<double>(Objective{Log{}, L2{1e-2}}, d);
  const Stream<double> s;
  OnlineClassifier learner(base, {-1, 1});
  learner.epoch(s.x, s.y);
  auto resumed = read(written(learner), OnlineClassifier(base, {-1, 1}));
  CHECK(same_bits(resumed.scores(s.x), learner.scores(s.x)));
  const std::string text = written(learner);
  CHECK(refusal_of([&] {
          read(text, OnlineClassifier(base, {0, 1}));
        }) == "t:3:28: the state has other labels than this classifier");
  const std::string message = refusal_of([&] { read(text, OnlineOneVsRest(base, {-1, 1})); });
  CHECK(message.find("the list has fewer values than that of the learner here") !=
        std::string::npos);
}

TEST_CASE("write_learner: a file has the learner until it is replaced") {
  const auto start = AdaptiveSgd{}.start<float>(Objective{Log{}, L2{1e-2}}, d);
  auto learner = start;
  feed<float>(learner, 0);
  const TemporaryFile file;
  write_learner(file.path(), learner);
  auto resumed = start;
  read_learner(file.path(), resumed);
  CHECK(written(resumed) == written(learner));
}

TEST_CASE("write_learner: a stream may have several, one after another") {
  auto learner = Perceptron{}.start<double>(d);
  feed<double>(learner, 0);
  OnlineEvaluation evaluation(Log{}, 4);
  evaluation.add(1, -1);
  std::stringstream stream;
  write_learner(stream, learner);
  write_learner(stream, evaluation);
  auto resumed = Perceptron{}.start<double>(d);
  OnlineEvaluation again(Log{}, 4);
  read_learner(stream, resumed);
  read_learner(stream, again);
  CHECK(written(resumed) == written(learner));
  CHECK(written(again) == written(evaluation));
}

TEST_CASE("read_learner: what is wrong is said, and changes nothing") {
  const auto start = Sgd{}.start<double>(Objective{Log{}, L1{1e-2}}, d);
  auto learner = start;
  feed<double>(learner, 0);
  const std::string text = written(learner);
  const auto refusal = [&](const std::string& bytes, auto into) {
    const std::string before = written(into);
    std::istringstream in(bytes);
    const std::string message = refusal_of([&] { read_learner(in, into, "t"); });
    CHECK(written(into) == before);
    return message;
  };
  CHECK(refusal("", start) == "t: not a learner of linea: the file is empty");
  CHECK(refusal("x", start) == "t: not a learner of linea: it begins with 'x'");
  const auto with = [&](const std::string& old, const std::string& now) {
    std::string changed = text;
    changed.replace(changed.find(old), old.size(), now);
    return test::with_checksum(changed);
  };
  CHECK(refusal(text.substr(0, text.size() / 2), start) != "");
  std::string damaged = text;
  damaged[damaged.find("\"rounds\": 0") + 10] = '1';
  CHECK(refusal(damaged, start).find("the file is damaged: the checksum") != std::string::npos);
  CHECK(refusal(with("\"version\": 1", "\"version\": 2"), start) ==
        "t: a learner file of version 2, but this linea reads no newer one than version 1");
  CHECK(refusal(with("\"seen\": [", "\"seen\": [9"), start)
            .find("the state has weights that were seen at steps without a history") !=
        std::string::npos);
  CHECK(refusal(with("\"largest_norm\": ", "\"largest_norm\": -"), start)
            .find("the state has a largest norm that is not above 0") != std::string::npos);
  CHECK(refusal(text, Sgd{}.start<double>(Objective{Hinge{}, L1{1e-2}}, d))
            .starts_with("t:3:24: the file has the loss 'log', and the learner here 'hinge'"));
  CHECK(refusal(text, Sgd{}.start<double>(Objective{Log{}, L1{1}}, d))
            .find("the file has the penalty 'l1, lambda = 0.01', and the learner here") !=
        std::string::npos);
  CHECK(refusal(text, Sgd{}.start<double>(Objective{Log{}, L1{1e-2}}, d + 1))
            .find("the list has fewer values than that of the learner here") != std::string::npos);
  CHECK(refusal(text, Sgd{}.start<double>(Objective{Log{}, L1{1e-2}}, d - 1))
            .find("the list has more values than that of the learner here") != std::string::npos);
  std::ostringstream adaptive;
  write_learner(adaptive, AdaptiveSgd{}.start<double>(Objective{Log{}, L1{1e-2}}, 5));
  CHECK(refusal(adaptive.str(), AdaptiveSgd{}.start<double>(Objective{Log{}, L1{1e-2}}, 7))
            .ends_with("the state has 5 columns, and the learner here 7"));
  CHECK(refusal(text, AdaptiveSgd{}.start<double>(Objective{Log{}, L1{1e-2}}, d))
            .find("the file has the kind 'thresholded', and the learner here") !=
        std::string::npos);
}

TEST_CASE("write_learner: an evaluation continues, too") {
  OnlineEvaluation start(Log{}, 4);
  auto evaluation = start;
  for (const Index count : {0, 3, 6}) {
    auto resumed = read(written(evaluation), start);
    for (Index i = 0; i < count; ++i)
      for (auto* one : {&evaluation, &resumed}) one->add(0.3 * static_cast<double>(i), 1, 2);
    CHECK(written(resumed) == written(evaluation));
    CHECK(resumed.windows_without_gain() == evaluation.windows_without_gain());
  }
  CHECK(refusal_of([&] { read(written(evaluation), OnlineEvaluation(Log{}, 5)); }) != "");
  CHECK(refusal_of([&] { read(written(evaluation), OnlineEvaluation(Hinge{}, 4)); }) != "");
}

TEST_CASE("write_learner: a learner that has diverged is not written") {
  auto learner = Sgd{}.start<double>(Objective{Squared{}, NoPenalty{}}, 1);
  const std::string before = written(learner);
  learner.replace(Vector<double>::Constant(1, 1 / 0.0), 0);
  CHECK(refusal_of([&] { written(learner); }) ==
        "write_learner: a number of the state is not finite: the learner has diverged");
  CHECK(written(read(before, learner)) == before);
}

}  // namespace

}  // namespace learner_file_test
