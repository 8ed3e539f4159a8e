// SPDX-License-Identifier: MIT
#pragma once
/// \file Samples with their targets: what the readers and the split answer with.
#include <linea/core/types.hpp>

namespace linea {

/// x (n × d) and its targets y (n), doubles whatever x is: float would not hold every label.
template <SampleMatrix X>
struct [[nodiscard]] Labelled {
  X x{};
  Vector<double> y{};
};

template <Scalar T, class J = int>
using LabelledData = Labelled<SparseMatrix<T, J>>;

template <Scalar T>
using LabelledRows = Labelled<Matrix<T>>;

}  // namespace linea
