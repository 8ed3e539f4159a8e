// SPDX-License-Identifier: MIT
#pragma once
/// \file Leave-one-out errors of ridge regression by other programs. Written by make_ridge_path.py, which says
/// how, with numpy 1.24.2, scikit-learn 1.2.1, mpmath 1.2.1.
#include <vector>

// clang-format off

namespace golden {

struct LeaveOneOut { double lambda; double with_offset; double without; };

// Diabetes, standardised: leave-one-out errors by RidgeCV.
inline constexpr LeaveOneOut left_out_diabetes[]{
    {10.0, 4849.482808932408, 28066.328151593414},
    {1.0, 3326.7635729140047, 26894.267669359164},
    {0.1, 3004.592948348016, 26979.309149504836},
    {0.01, 3000.389543412763, 27159.086296518173},
    {0.001, 3000.6588371309326, 27239.53287230944},
    {1e-05, 3001.738084755363, 27258.243237145634},
};

// The same for the first six samples of diabetes, fewer than its columns.
inline constexpr LeaveOneOut left_out_wide[]{
    {10.0, 2134.318338687282, 20408.79878820845},
    {1.0, 1226.6679398939086, 21591.541526814177},
    {0.1, 595.885556103926, 18548.29645523885},
    {0.01, 618.2015557935455, 16044.30664686091},
    {0.001, 647.3896289994899, 15702.797448323394},
};

// Whole numbers, 8 x 4 and of rank 3: refits with 80 digits.
inline constexpr double tall_rows[]{2, -1, 0, 1, 1, 3, -2, 4, -3, 1, 1, -2, 0, 2, 4, 2, 1, 1, 1, 2, -2, 0, 3, -2, 4, -1, -1, 3, 1, -2, 2, -1};
inline constexpr double tall_targets[]{3, -1, 2, 5, 1, -4, 2, 6};
inline constexpr LeaveOneOut left_out_tall[]{
    {1e14, 11.6734693877555, 12.000000000000073},
    {1.0, 21.716465098413267, 14.783042053610554},
    {1e-4, 38.802845076580293, 16.33495649633854},
    {1e-8, 38.808774396328345, 16.335194029281589},
    {1e-12, 38.808774989412184, 16.335194053036128},
    {1e-14, 38.808774989470905, 16.33519405303848},
};

// Whole numbers, 6 x 11 and of rank 3: refits with 80 digits.
inline constexpr double short_rows[]{2, -1, 0, 1, -1, 2, 0, 0, 1, 2, -1, 1, 3, -2, 4, 5, 3, 7, -6, 2, 1, 3, -3, 1, 1, -2, 0, -4, -1, 3, -1, -3, 1, 0, 2, 4, 2, -2, -4, 4, 12, 6, 0, 2, 1, 1, 1, 2, 0, 0, 3, 3, 3, 1, 1, -2, 0, 3, -2, -3, -5, -2, 9, 1, -2, 0};
inline constexpr double short_targets[]{3, -1, 2, 5, 1, -4};
inline constexpr LeaveOneOut left_out_short[]{
    {1e14, 12.000000000004808, 9.333333333336964},
    {1.0, 76.853362053333359, 34.165223511838014},
    {1e-4, 102.46750009733278, 39.480096893176542},
    {1e-8, 102.47125240564742, 39.480781256987206},
    {1e-12, 102.47125278089638, 39.480781325425565},
    {1e-14, 102.47125278093354, 39.480781325432341},
};

}  // namespace golden
