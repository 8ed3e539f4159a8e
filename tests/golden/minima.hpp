// SPDX-License-Identifier: MIT
#pragma once
/// \file Minima found by other programs. Written by make_minima.py, which says
/// how, with numpy 1.24.2, scipy 1.10.1, scikit-learn 1.2.1.
#include <vector>

// clang-format off

namespace golden {

// Wisconsin breast cancer, standardised: the minimum of mean loss + lambda/2 |w|^2.
inline constexpr double log_1e2 = 0.09959137548470548;
inline constexpr double hinge_1e2 = 0.06607775956948557;
inline constexpr double log_1e2_no_offset = 0.10241656575570418;
inline constexpr double hinge_1e2_no_offset = 0.06755770620793924;
inline constexpr double log_1e3 = 0.05982793727108947;
inline constexpr double hinge_1e3 = 0.042238257066475;
inline constexpr double log_1e3_no_offset = 0.05983977454242227;
inline constexpr double hinge_1e3_no_offset = 0.042273268285626144;

// Diabetes, standardised: the minimum of the mean quantile loss, with offset, no penalty.
inline constexpr double quantile_50 = 21.520750342938953;
inline constexpr double quantile_90 = 9.087896783858506;

// Diabetes, standardised: ridge weights and offset.
inline const std::vector<double> ridge_1e3{-0.45420730559230604, -11.372206870610016, 24.751447054217394, 15.402677260490401, -33.88170993313875, 19.662439844934916, 3.130325396944727, 7.967781204203309, 34.29161520933514, 3.2402978108693894};
inline constexpr double ridge_1e3_offset = 152.13348416289597;
inline const std::vector<double> ridge_1e3_no_offset{-0.4542073055923359, -11.372206870610093, 24.751447054216097, 15.402677260490398, -33.881709933151804, 19.66243984494598, 3.130325396949562, 7.9677812042035345, 34.29161520934094, 3.240297810869506};
inline constexpr double ridge_1e3_no_offset_offset = 0.0;
inline const std::vector<double> least_squares{-0.476120786179163, -11.406866923441013, 24.726548860402197, 15.429404131395618, -37.679952611016034, 22.676162766290258, 4.806138136897877, 8.422039355820775, 35.73444577133115, 3.2166737181905325};
inline constexpr double least_squares_offset = 152.13348416289597;
// The same for the first six samples, so that n < d; for lambda = 0 the solution of smallest norm.
inline const std::vector<double> wide_ridge_1e3{-4.402763857851161, -7.73341871411482, -7.329689441345716, -6.9526608356414, -4.787935296459484, 4.983962564437829, -26.6237893669683, 10.472910531567821, 12.229579646754035, 13.397907996914846};
inline constexpr double wide_ridge_1e3_offset = 150.99814546916548;
inline const std::vector<double> wide_least_squares{-4.171265902284775, -7.982451755355304, -7.751115071669845, -7.142568929404932, -5.095160480549047, 4.906148166917963, -27.053531523678746, 10.467302965561027, 12.244792214291403, 13.473666440019072};
inline constexpr double wide_least_squares_offset = 150.79624933289182;

}  // namespace golden
