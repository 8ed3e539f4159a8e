// SPDX-License-Identifier: MIT
#pragma once
/// \file Minima of models that scikit-learn has too. Written by make_models.py, which says
/// how, with scikit-learn 1.2.1.
#include <vector>

// clang-format off

namespace golden {

// F of Lasso(alpha=1) on diabetes
inline constexpr double lasso_1 = 1533.7687169625892;
// the number of its weights that are 0
inline constexpr double lasso_1_zeros = 3.0;
// F of ElasticNet(alpha=1, l1_ratio=0.3) on diabetes
inline constexpr double elastic_net_1 = 1844.1677289723875;
// F of LinearRegression(positive=True) on diabetes
inline constexpr double non_negative_least_squares = 1537.0893398657572;
// F of Lasso(positive=True) on diabetes
inline constexpr double non_negative_lasso_1 = 1604.623520186793;
// F of ElasticNet(positive=True) on diabetes
inline constexpr double non_negative_elastic_net_1 = 1899.1759409471447;
// mean loss of QuantileRegressor(quantile=0.8, alpha=0) on diabetes
inline constexpr double quantile_80 = 14.956426803405819;
// F of SVR(kernel='linear', C=1/(n*1e-2), epsilon=10) on diabetes
inline constexpr double support_vector_10 = 40.38881385105855;
// F of PoissonRegressor(alpha=1e-2) on diabetes
inline constexpr double poisson_1e2 = 9.579921246916824;
// F of PoissonRegressor(alpha=1e-2).fit(x, y / exposure, sample_weight=exposure) on diabetes, exposure 1 to 5
inline constexpr double poisson_rates = 10.099860137612094;
// F of LogisticRegression(class_weight='balanced'), lambda = 1e-2, on breast cancer
inline constexpr double log_balanced = 0.10507668394554624;
// F of SVC(kernel='linear', class_weight='balanced'), lambda = 1e-2, on breast cancer
inline constexpr double hinge_balanced = 0.071846434840268;
// F of LogisticRegression(class_weight={-1: 3, 1: 1}), lambda = 1e-2, on breast cancer
inline constexpr double log_3_to_1 = 0.10433663704850826;
// F of SVC(kernel='linear', class_weight={-1: 3, 1: 1}), lambda = 1e-2, on breast cancer
inline constexpr double hinge_3_to_1 = 0.0738169052193096;

}  // namespace golden
