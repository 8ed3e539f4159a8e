// SPDX-License-Identifier: MIT
/// \file linea behind C functions: a shared library that is compiled as C++20, for programs in C,
/// in C++11 or with -ffast-math. No exception leaves a function.
#include "guide/c_interface.h"

#include <array>
#include <cstdio>
#include <exception>
#include <linea/models/logistic_regression.hpp>

using Rows = Eigen::Map<const linea::Matrix<double>>;
using Numbers = Eigen::Map<const linea::Vector<double>>;
using Model = decltype(linea::LogisticRegression{}.fit(Rows(nullptr, 0, 0), Numbers(nullptr, 0)));

struct classifier {
  Model model;
};

namespace {

/// Calls f and returns nullptr, or the message of the exception that f throws.
template <class F>
const char* message_of(const F& f) noexcept {
  thread_local std::array<char, 500> message;
  try {
    f();
    return nullptr;
  } catch (const std::exception& error) {
    std::snprintf(message.data(), message.size(), "%s", error.what());
  }
  return message.data();
}

}  // namespace

extern "C" {

const char* classifier_train(const double* x, const double* y, ptrdiff_t rows, ptrdiff_t columns,
                             double lambda, classifier** trained) {
  return message_of([&] {
    const linea::LogisticRegression recipe{.lambda = lambda};
    *trained = new classifier{recipe.fit(Rows(x, rows, columns), Numbers(y, rows))};
  });
}

const char* classifier_predict(const classifier* trained, const double* x, ptrdiff_t rows,
                               double* labels) {
  return message_of([&] {
    const auto columns = trained->model.weights.size();
    Eigen::Map<linea::Vector<double>>(labels, rows) =
        trained->model.predict(Rows(x, rows, columns));
  });
}

void classifier_free(classifier* trained) { delete trained; }
}
