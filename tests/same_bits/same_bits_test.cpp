// SPDX-License-Identifier: MIT
/// \file Golden bits of fits. A fit must give the same bits in every build with -ffp-contract=off
/// for the baseline instruction set of a processor family.
#include <cmath>
#include <linea/io/libsvm.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/perceptron.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l2.hpp>

#include "support/bits.hpp"
#include "support/catch.hpp"

using namespace linea;
using namespace linea::test;

namespace {

/// The breast cancer samples, each column divided by its largest entry.
struct Samples {
  Matrix<double> x;
  Vector<double> y;
  Samples() {
    const auto data = read_libsvm<double>(LINEA_SOURCE_DIR "/examples/data/wdbc.svm");
    x = Matrix<double>(data.x);
    y = data.y;
    for (Index j = 0; j < x.cols(); ++j) {
      const double largest = x.col(j).cwiseAbs().maxCoeff();
      for (Index i = 0; i < x.rows(); ++i) x(i, j) /= largest;
    }
  }
};

const Samples& cancer() {
  static const Samples all;
  return all;
}

const Objective svm{Hinge{}, L2{1e-3}};
const Objective logistic{Log{}, L2{1e-3}};
const Objective squared{Squared{}, L2{1e-3}};

/// Do exp, log and log1p of the C library give the bits of glibc 2.36 on a processor with fused
/// multiply-add? On older processors, glibc rounds differently.
bool functions_are_those_of_glibc() {
  Bits hash;
  for (int k = -400; k <= 400; ++k) {
    const double e = std::exp(k / 16.0);
    hash.add(e);
    hash.add(std::log1p(e));
    hash.add(std::log(1 + e));
  }
  return hash.sum() == 0x2d5251d66acb97e1;
}

}  // namespace

// The golden bits are those of this file compiled by g++ 12.2 -O0 -ffp-contract=off on x86-64,
// Debian 12. g++ at -O3, clang 14 at -O1, and g++ for aarch64 at -O2 under qemu 7.2 give the same
// bits.
TEST_CASE("Same bits: descent, sample by sample") {
  const auto& [x, y] = cancer();
  const Eigen::SparseMatrix<double, Eigen::RowMajor> sparse = x.sparseView();
  const Matrix<float> narrow = x.cast<float>();
  const Vector<float> signs = y.cast<float>();
  CHECK(bits_of(Perceptron{.epochs = 5}.fit(x, y)) == 0x8cffd276ad448580);
  CHECK(bits_of(Pegasos{.epochs = 5}.minimize(svm, x, y)) == 0xe6ac00bca76abde6);
  CHECK(bits_of(Pegasos{.epochs = 5}.minimize(svm, sparse, y)) == 0xe6ac00bca76abde6);
  CHECK(bits_of(Sgd{.epochs = 5}.minimize(svm, x, y)) == 0xf2d4af22e4fb722d);
  CHECK(bits_of(Sgd{.epochs = 5}.minimize(squared, x, y)) == 0xa5d2f9c0ee5afded);
  CHECK(bits_of(Sgd{.epochs = 5}.minimize(squared, sparse, y)) == 0x1c27190480b330b6);
  CHECK(bits_of(Sgd{.epochs = 5, .threads = 2}.minimize(squared, x, y)) == 0x69487205ab9ed467);
  CHECK(bits_of(Sgd{.epochs = 5}.minimize(squared, narrow, signs)) == 0xeafddded94f939de);
}

TEST_CASE("Same bits: to the minimum") {
  const auto& [x, y] = cancer();
  const Eigen::MatrixXd columns = x;
  const Objective net{Squared{}, ElasticNet{.l1 = 1e-3, .l2 = 1e-3}};
  CHECK(bits_of(DualCoordinateAscent{.epochs = 5, .tolerance = 1e-9}.minimize(svm, x, y)) ==
        0x08c012c31fa9b005);
  CHECK(bits_of(CoordinateDescent{}.minimize(net, columns, y)) == 0x344db78f44ba91d3);
  CHECK(bits_of(Ridge{}.minimize(squared, x, y)) == 0xbe07bd3d9e672d72);
}

TEST_CASE("Same bits: losses that call the C library, where that has the bits of glibc") {
  if (!functions_are_those_of_glibc()) {
    WARN("exp or log of this C library rounds otherwise: the log loss is left out");
    return;
  }
  const auto& [x, y] = cancer();
  CHECK(bits_of(Sgd{.epochs = 5}.minimize(logistic, x, y)) == 0x5e07b26bf39c211c);
  CHECK(bits_of(DualCoordinateAscent{.epochs = 5, .tolerance = 1e-9}.minimize(logistic, x, y)) ==
        0x7d204d33701fc015);
  CHECK(bits_of(Newton{}.minimize(logistic, x, y)) == 0xe038e5d6c1ae8943);
  CHECK(bits_of(Lbfgs{}.minimize(logistic, x, y)) == 0xff5c15ea09046911);
}
