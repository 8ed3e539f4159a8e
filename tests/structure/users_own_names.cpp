// SPDX-License-Identifier: MIT
/// \file A user's program that takes all names of linea, and has names of its own for which linea's
/// rooms have types too: a name of a room in namespace linea would make this program ambiguous.
#include <linea/linea.hpp>
#include <tuple>

using namespace linea;

struct Plan {};
struct Account {};
struct Team {};
struct Course {};
struct Dealer {};
struct Labels {};
struct Visits {};
struct Trainee {};
struct Candidate {};
struct Rests {};
struct ActiveSet {};
struct Routine {};
struct DualRule {};
struct BoxProgram {};
struct LinePoint {};
struct PackedRows {};

int main() {
  const std::tuple<Plan, Account, Team, Course, Dealer, Labels, Visits, Trainee, Candidate, Rests,
                   ActiveSet, Routine, DualRule, BoxProgram, LinePoint, PackedRows>
      all{};
  const Matrix<double> x = Matrix<double>::Identity(4, 2);
  const Vector<double> y = Vector<double>::Ones(4);
  const auto solution = Sgd{.epochs = 2}.minimize(Objective{Squared{}, L2{0.1}}, x, y);
  return std::tuple_size_v<decltype(all)> == 16 && solution.weights.size() == 2 ? 0 : 1;
}
