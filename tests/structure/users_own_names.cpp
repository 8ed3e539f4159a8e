// SPDX-License-Identifier: MIT
/// \file A user's program with `using namespace linea` and types of its own, whose names linea's
/// modules use, too. A name that is also in namespace linea would make this program ambiguous. The
/// loss is in a namespace that has no names of linea. linea must declare the functions that it
/// calls for the loss before it uses them, whichever header comes first.
#include <linea/core/parameters.hpp>
// parameters.hpp comes before the optimizer deliberately.
#include <iostream>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/none.hpp>
#include <stdexcept>
#include <string_view>
// linea.hpp, which declares most names, comes after the headers above: they must compile without
// it.
#include <linea/linea.hpp>
#include <tuple>

namespace mine {

struct Scaled {
  double scale{1};
  double value(double score, double target) const {
    return (score - target) * (score - target) / (2 * scale);
  }
  double derivative(double score, double target) const { return (score - target) / scale; }
  bool is_valid() const { return scale > 0; }
};

}  // namespace mine

using namespace linea;

// Modules of linea have these names, too.
namespace core {
const int one = 1;
}
namespace losses {
const int one = 1;
}
const int data = 1, features = 1, metrics = 1, models = 1, rows = 1, samples = 1;

struct Plan {};
struct Account {};
struct ParallelLearner {};
struct Course {};
struct Dealer {};
struct Labels {};
struct Visits {};
struct LearnerRun {};
struct Candidate {};
struct Rests {};
struct ActiveSet {};
struct Routine {};
struct DualRule {};
struct BoxProgram {};
struct LinePoint {};
struct PackedRows {};
static_assert(std::tuple_size_v<std::tuple<Plan, Account, ParallelLearner, Course, Dealer, Labels,
                                           Visits, LearnerRun, Candidate, Rests, ActiveSet, Routine,
                                           DualRule, BoxProgram, LinePoint, PackedRows>> == 16);

int main() {
  const Matrix<double> x = Matrix<double>::Identity(4, 2);
  const Vector<double> y = Vector<double>::Ones(4);
  const int ones = core::one + losses::one + data + features + metrics + models + rows + samples;
  const Sgd sgd{.epochs = ones / 4};
  const auto found = sgd.minimize(Objective{mine::Scaled{}, NoPenalty{}}, x, y);
  std::string_view message = "a scale of -1 was taken";
  try {
    (void)sgd.minimize(Objective{mine::Scaled{-1}, NoPenalty{}}, x, y);
  } catch (const std::invalid_argument& error) {
    message = error.what();
    std::cout << message << ", and F = " << found.objective << " after 2 epochs\n";
    return message == "Sgd::minimize: a parameter of the loss is out of its domain" &&
                   found.objective < 0.5  // 0.5 is F at w = 0
               ? 0
               : 1;
  }
  std::cout << message << '\n';
  return 1;
}
