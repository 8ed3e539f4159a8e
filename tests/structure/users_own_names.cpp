// SPDX-License-Identifier: MIT
/// \file A user's program that takes all names of linea, and has names of its own for which linea's
/// rooms have types too: a name of a room in namespace linea would make this program ambiguous.
#include <linea/linea.hpp>

using namespace linea;

struct Plan {
  int days{7};
};
struct Account {
  double balance{100};
};
struct Team {
  int players{11};
};
struct Course {
  int lessons{12};
};
struct Dealer {
  int cards{52};
};
struct Labels {
  int printed{3};
};
struct Visits {
  int today{4};
};
struct Trainee {
  Plan plan{};
};
struct Candidate {
  int votes{2};
};
struct Rests {
  int minutes{15};
};
struct ActiveSet {
  int members{6};
};
struct Routine {
  Course course{};
};
struct DualRule {
  bool applies{true};
};
struct BoxProgram {
  int boxes{8};
};
struct LinePoint {
  double x{0.5};
};
struct PackedRows {
  int packed{9};
};

namespace {

double sum_of_all() {
  const Plan plan;
  const Account account;
  const Team team;
  const Course course;
  const Dealer dealer;
  const Labels labels;
  const Visits visits;
  const Trainee trainee;
  const Candidate candidate;
  const Rests rests;
  const ActiveSet active;
  const Routine routine;
  const DualRule rule;
  const BoxProgram program;
  const LinePoint point;
  const PackedRows rows;
  return plan.days + account.balance + team.players + course.lessons + dealer.cards +
         labels.printed + visits.today + trainee.plan.days + candidate.votes + rests.minutes +
         active.members + routine.course.lessons + (rule.applies ? 1 : 0) + program.boxes +
         point.x + rows.packed;
}

}  // namespace

int main() {
  const Matrix<double> x = Matrix<double>::Identity(4, 2);
  const Vector<double> y = Vector<double>::Ones(4);
  const auto solution = Sgd{.epochs = 2}.minimize(Objective{Squared{}, L2{0.1}}, x, y);
  return sum_of_all() == 249.5 && solution.weights.size() == 2 ? 0 : 1;
}
