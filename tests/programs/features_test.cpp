// SPDX-License-Identifier: MIT
// Tests tables with text and missing values, scaling, polynomials and hashing. The model stores
// these conversions.
#include <cmath>

#include "programs/program_folder.hpp"
#include "support/catch.hpp"

using namespace linea::test;
using nlohmann::json;

namespace {

const std::string houses =
    "town,rooms,\"size, m2\",note,price\nUlm,3,70,,300\nBonn,4,,quiet,410\nUlm,2,45,loud,205\n"
    "Kiel,5,120,quiet,480\nBonn,1,30,loud,150\nKiel,3,NA,quiet,330\nUlm,4,95,,390\n"
    "Kiel,2,50,loud,210\n";

std::vector<double> numbers_in(const std::string& text) {
  std::istringstream lines(text);
  std::vector<double> numbers;
  for (double number; lines >> number;) numbers.push_back(number);
  return numbers;
}

}  // namespace

TEST_CASE_METHOD(Folder,
                 "linea_train: a table with text and missing values agrees with scikit-learn") {
  write("houses.csv", houses);
  trained("--missing mean --standardise --lambda 1e-2 houses.csv model");
  const json model = json::parse(contents("model"));
  // The weights of scikit-learn 1.2.1: Ridge(alpha = 1e-2*8, solver = "cholesky"). The columns are
  // Bonn, Kiel, Ulm, rooms, size, loud and quiet. Rooms and size had their mean subtracted and were
  // divided by their deviation; missing numbers are the mean. The file has the weights for rooms and
  // sizes as they are: rooms have mean 3 and variance 1.5; sizes have the mean 68.33… and variance 716.6666666666666.
  const double expected[] = {12.15690221251, -6.46364833911,  -5.693253873396, 72.50759956409,
                             19.52177797797, -23.43383657389, 23.7546350237};
  const double deviations[] = {1, 1, 1, std::sqrt(1.5), 26.770630673681683, 1, 1};
  const json& weights = model["parts"][0]["weights"];
  REQUIRE(weights.size() == 7);
  for (std::size_t j = 0; j < 7; ++j)
    CHECK_THAT(weights[j][0], WithinRel(expected[j] / deviations[j], 1e-10));
  CHECK_THAT(model["parts"][0]["offset"][0], WithinRel(83.33740673784138, 1e-10));

  // The new rows have another order of columns, an unknown town, missing values, and no target.
  write("new.csv", "rooms,note,\"size, m2\",town\n4,quiet,?,Rom\n3,,70,Ulm\n");
  const auto numbers = numbers_in(succeeds(LINEA_PREDICT, "new.csv model -").out);
  REQUIRE(numbers.size() == 2);
  CHECK_THAT(numbers[0], WithinRel(393.7311555169, 1e-10));
  CHECK_THAT(numbers[1], WithinRel(306.2964322946, 1e-10));
  const json report = predicted("new.csv model");
  CHECK(report["unknown_entries"] == 1);
  CHECK_FALSE(report.contains("r2"));
  const json same = predicted("--metrics houses.csv model");
  CHECK_THAT(same["mean_squared_error"], WithinRel(16.21525654449, 1e-9));
  CHECK_THAT(same["r2"], WithinRel(0.9985964139728, 1e-12));

  const auto report_of = run(LINEA_TRAIN, "--missing mean --standardise --lambda 1e-2 houses.csv");
  CHECK_THAT(report_of.out, ContainsSubstring("+72.51  rooms\n  +23.75  note=quiet\n"));
  write("less.csv", "rooms,town\n4,Ulm\n");
  refuses(LINEA_PREDICT, "less.csv model", "there is no column 'size, m2'");
}

TEST_CASE_METHOD(Folder, "linea_train: text as classes, numbers as text") {
  write("t.csv", "zip,x,kind\n01,1,cat\n1,2,dog\n01,1.5,cat\n1,3,dog\n01,5,cat\n");
  const json report = trained("--text zip --loss log t.csv model");
  CHECK(report["d"] == 3);
  CHECK(report["classes"] == 2);
  const auto outcome = run(LINEA_PREDICT, "--probabilities t.csv model -");
  CHECK(outcome.out.find("prediction cat dog\ncat ") == 0);
  write("new.csv", "zip,x\n1,1\n");
  CHECK(run(LINEA_PREDICT, "new.csv model -").out == "dog\n");
  write("three.csv", "x;y\n1;a\n2;b\n3;c\n1;a\n2;b\n3;c\n");
  CHECK(trained("three.csv model3")["classes"] == 3);
  predicted("--metrics three.csv model3");
  write("bare.csv", "1,a\n2,b\n1,a\n");
  CHECK(trained("--header no bare.csv bare")["n"] == 3);
  write("one.csv", "1\n2\n");
  CHECK(run(LINEA_PREDICT, "--header no one.csv bare -").out == "a\nb\n");
}

TEST_CASE_METHOD(Folder, "linea_train: standardised columns have mean 0 and deviation 1") {
  const std::string how = "--standardise --loss log --lambda 1e-3 --tolerance 1e-9 " + cancer;
  CHECK_THAT(succeeds(LINEA_TRAIN, how + "model").out, ContainsSubstring("  -1.611  feature 22\n"));
  // The file has the weight for the feature as it is, whose deviation is 6.1408….
  CHECK_THAT(json::parse(contents("model"))["parts"][0]["weights"][21][0],
             WithinRel(-1.611 / 6.140854318589003, 5e-4));
  const json metrics = predicted("--metrics " + cancer + "model");
  CHECK(metrics["accuracy"] > 0.98);
  CHECK(metrics["log_loss"] < 0.07);
  // If fewer than half of the entries are stored, the others stay zeros.
  write("sparse", "1 1:3\n-1 2:4 3:1\n1 1:4\n-1 2:2\n");
  CHECK(trained("--standardise sparse model")["nnz"] == 5);
  CHECK_THAT(succeeds(LINEA_TRAIN, "--standardise sparse").out,
             ContainsSubstring("  +1.071  feature 1\n"));
  CHECK_THAT(json::parse(contents("model"))["parts"][0]["weights"][0][0],
             WithinRel(1.071 / 2.5, 5e-4));  // 2.5 is the root mean square
}

TEST_CASE_METHOD(Folder, "linea_train: products of features separate inseparable classes") {
  write("xor.csv", "a,b,y\n0,0,0\n1,0,1\n0,1,1\n1,1,0\n");
  CHECK(trained("xor.csv")["train_error"] > 0.2);
  CHECK(trained("--polynomial 2 xor.csv model")["train_error"] == 0.0);
  CHECK(run(LINEA_PREDICT, "xor.csv model -").out == "0\n1\n1\n0\n");
  const auto report = run(LINEA_TRAIN, "--polynomial 2 xor.csv");
  CHECK_THAT(report.out, ContainsSubstring("  a * b\n"));
  CHECK(run(LINEA_TRAIN, "--polynomial 0 xor.csv").code == 2);
}

TEST_CASE_METHOD(Folder, "linea_train: hashes words to features") {
  write("mail.csv",
        "text,spam\ncheap pills now,yes\nmeeting at noon,no\ncheap watches,yes\nlunch at "
        "noon,no\npills and watches,yes\nnoon meeting,no\n");
  const json report = trained("--hash 12 mail.csv model");
  CHECK(report["d"] == 4096);
  CHECK(report["train_error"] == 0.0);
  write("new.csv", "text\ncheap cheap lunch pills\nnoon at the office\n");
  CHECK(run(LINEA_PREDICT, "new.csv model -").out == "yes\nno\n");
  CHECK(trained("--hash 8 --loss log " + cancer + "lists")["d"] == 256);
  CHECK(run(LINEA_PREDICT, cancer + "lists").code == 0);
  CHECK(run(LINEA_TRAIN, "--hash 31 mail.csv").code == 2);
}
