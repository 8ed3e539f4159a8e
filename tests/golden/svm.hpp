// SPDX-License-Identifier: MIT
#pragma once
/// \file Support vector machines and margins by other programs. Written by make_svm.py, which says
/// how, with numpy 1.24.2, scipy 1.10.1, scikit-learn 1.2.1.
#include <vector>

// clang-format off

namespace golden {

// Wisconsin breast cancer, standardised, with offset: F of LIBSVM's solution,
// and its dual objective, a lower bound.
struct Svm { double lambda; double primal; double dual; int support; };
inline constexpr Svm svms[]{
    {10.0, 0.5683191590967505, 0.5683191590967507, 406},
    {0.1, 0.1278764502318115, 0.12787645012553148, 98},
    {0.01, 0.06607775957049475, 0.06607775610604913, 56},
    {0.001, 0.042238257066475826, 0.04223823690243186, 37},
    {0.0001, 0.027904771727160264, 0.02790456197592231, 35},
    {1e-06, 0.0156283905852358, 0.015613650766660771, 29},
};

// Iris, standardised: the margin of the first species against the others, by non-negative least squares.
inline constexpr double iris_margin = 0.7160221205549767;
inline constexpr double iris_margin_libsvm = 0.7160221393078539;  // C = 1e10
inline constexpr double iris_margin_no_offset = 0.22379939209495492;
// Are the second and third species separable, and the two classes of breast cancer? By linear programming.
inline constexpr bool iris_others_separable = false;
inline constexpr bool iris_others_separable_no_offset = false;
inline constexpr bool cancer_separable = true;
inline constexpr bool cancer_separable_no_offset = false;

}  // namespace golden
