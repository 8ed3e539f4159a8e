// SPDX-License-Identifier: MIT
// When a dual ascent looks at its gap. The ascent here is a script: its minimum is 1, and what the
// visits see of the gap, half of it above and half below, falls by the same factor every epoch.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <linea/core/point.hpp>
#include <linea/optimizers/dual/bound.hpp>
#include <linea/optimizers/dual/climb.hpp>
#include <vector>

#include "support/catch.hpp"

namespace climb_test {

using namespace linea;

namespace {

constexpr Index samples = 300;

class Scripted {
 public:
  explicit Scripted(double factor, Index visits = samples) : factor_(factor), visits_(visits) {
    best_.objective = 2;  // old, and far above what F is when it is looked at
  }

  Index run_epoch() {
    ++epochs_;
    return visits_;
  }
  double excess() const {
    const double never = std::numeric_limits<double>::infinity();
    return epochs_ == 0 ? never : std::pow(factor_, static_cast<double>(epochs_));
  }
  double dual_estimate() const { return 1 - excess() / 2; }
  void look(double, double, bool) {
    looks.push_back(epochs_);
    best_.objective = std::min(best_.objective, 1 + excess() / 2);
  }
  dual::Proof proof() {
    ++proofs;
    return {Vector<double>::Zero(samples), {}, epochs_ == 0 ? 0 : dual_estimate()};
  }
  void renew(const dual::Proof&) {}
  const Point<double>& best() const { return best_; }
  bool is_finite() const { return true; }
  Index epochs() const { return epochs_; }
  Index updates() const { return epochs_ * visits_; }

  std::vector<Index> looks{};  // the epochs after which there was a look
  int proofs{0};

 private:
  double factor_;
  Index visits_, epochs_{0};
  Point<double> best_{};
};

/// Climbs to a relative gap of 1e-3, in at most so many epochs.
bool climbs(Scripted& ascent, Index epochs = 1000,
            const std::function<Control(const Progress&)>& observer = {}) {
  dual::Climb climb(ascent, 1e-3, 0);
  climb.run(epochs, observer);
  return climb.is_proven();
}

}  // namespace

TEST_CASE("Climb: looks when half of the gap that was seen would do", "[optimizers]") {
  Scripted halves(0.5);
  CHECK(climbs(halves));
  // 2⁻⁹/2 is below 1e-3, 2⁻¹⁰ is below it itself. 2⁻⁸/2 is below 1e-3 of the old F alone.
  CHECK(halves.looks == std::vector<Index>{9, 10});
  CHECK(halves.epochs() == 10);
  CHECK(halves.proofs == 2);  // of the start, and of the end

  Scripted tenths(0.1);
  CHECK(climbs(tenths));
  CHECK(tenths.looks == std::vector<Index>{2, 3});  // 0.1 · 0.1² is 1e-3
}

TEST_CASE("Climb: after short epochs a look waits until it is likely to be the last",
          "[optimizers]") {
  // What is left at the end of an epoch is ½·log 2/½ = 0.69 of what was seen on the way.
  Scripted halves(0.5, samples / 3);
  CHECK(climbs(halves));
  CHECK(halves.looks == std::vector<Index>{10});
  Scripted longer(0.5, samples / 3 + 1);
  CHECK(climbs(longer));
  CHECK(longer.looks == std::vector<Index>{9, 10});
}

TEST_CASE("Climb: in vain it looks again a fifth nearer, and now and then in any case",
          "[optimizers]") {
  // 0.9⁵⁹ is 2.0e-3, of which half would do; 0.9³ is below 0.8, 0.9² is not; 0.9⁶⁸ is 7.7e-4. The
  // others are 16 epochs after the start and after each look, or half of what there were.
  Scripted slow(0.9);
  CHECK(climbs(slow));
  CHECK(slow.looks == std::vector<Index>{16, 32, 48, 59, 62, 65, 68});
  CHECK(slow.proofs == 2);

  Scripted slower(0.97);
  CHECK_FALSE(climbs(slower, 170));
  CHECK(slower.looks == std::vector<Index>{16, 32, 48, 72, 108, 162, 170});
}

TEST_CASE("Climb: proves what there is at the last epoch, and after each for an observer",
          "[optimizers]") {
  Scripted cut(0.5);
  CHECK_FALSE(climbs(cut, 5));
  CHECK(cut.looks == std::vector<Index>{5});
  CHECK(cut.proofs == 2);

  Scripted watched(0.5);
  std::vector<double> gaps;
  CHECK(climbs(watched, 1000, [&](const Progress& progress) {
    gaps.push_back(progress.gap());
    return Control::proceed;
  }));
  CHECK(watched.looks == std::vector<Index>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  REQUIRE(gaps.size() == 10);
  for (std::size_t k = 0; k < gaps.size(); ++k) CHECK(gaps[k] == std::pow(0.5, k + 1));
}

}  // namespace climb_test
