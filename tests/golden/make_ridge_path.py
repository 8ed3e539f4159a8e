#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes ridge_path.hpp: leave-one-out errors of ridge regression found by other programs.

Run by hand, from anywhere: python3 tests/golden/make_ridge_path.py > tests/golden/ridge_path.hpp
"""
import mpmath as mp
import numpy as np
import sklearn
from sklearn.linear_model import RidgeCV
from shipped import begin, load

x, y = load("diabetes.svm")


def by_ridge_cv(x, y, lam, offset):
    """Mean of RidgeCV's squared errors. Its alpha is that of a sum, here over n - 1 samples."""
    fit = RidgeCV(alphas=[(len(y) - 1) * lam], fit_intercept=offset, store_cv_values=True).fit(x, y)
    return fit.cv_values_.mean()


def by_refits(rows, y, lam, offset):
    """n fits without a sample each, by Gauss's elimination with 80 digits."""
    mp.mp.dps = 80
    n, d = len(y), len(rows[0])
    lam = mp.mpf(lam)
    total = mp.mpf(0)
    for i in range(n):
        kept = [k for k in range(n) if k != i]
        a = mp.zeros(d + 1)
        b = mp.zeros(d + 1, 1)
        for k in kept:
            row = [mp.mpf(v) for v in rows[k]] + [mp.mpf(1 if offset else 0)]
            for p in range(d + 1):
                b[p] += row[p] * y[k] / (n - 1)
                for q in range(d + 1):
                    a[p, q] += row[p] * row[q] / (n - 1)
        for p in range(d):
            a[p, p] += lam
        if not offset:
            a[d, d] = 1
        w = mp.lu_solve(a, b)
        total += (sum(w[p] * rows[i][p] for p in range(d)) + w[d] - y[i]) ** 2
    return mp.nstr(total / n, 17)


# Whole numbers, of rank 3: columns 3 and on are sums of the first three, or there are as many rows more.
base = [[2, -1, 0], [1, 3, -2], [-3, 1, 1], [0, 2, 4], [1, 1, 1], [-2, 0, 3], [4, -1, -1], [1, -2, 2]]
target = [3, -1, 2, 5, 1, -4, 2, 6]
tall = [r + [r[0] + r[1]] for r in base]
wide = [r + [r[0] + r[1], r[1] - r[2], r[0] - r[2], r[0] + 2 * r[1], 3 * r[2], r[0] + r[1] + r[2], r[0], r[1]]
        for r in base[:6]]

begin("Leave-one-out errors of ridge regression by other programs.", "make_ridge_path.py", np, sklearn, mp)
print("""struct LeaveOneOut { double lambda; double with_offset; double without; };

// Diabetes, standardised: leave-one-out errors by RidgeCV.
inline constexpr LeaveOneOut left_out_diabetes[]{""")
for lam in [10.0, 1.0, 0.1, 1e-2, 1e-3, 1e-5]:
    print(f"    {{{lam!r}, {by_ridge_cv(x, y, lam, True)!r}, {by_ridge_cv(x, y, lam, False)!r}}},")
print("""};

// The same for the first six samples of diabetes, fewer than its columns.
inline constexpr LeaveOneOut left_out_wide[]{""")
for lam in [10.0, 1.0, 0.1, 1e-2, 1e-3]:
    print(f"    {{{lam!r}, {by_ridge_cv(x[:6], y[:6], lam, True)!r}, {by_ridge_cv(x[:6], y[:6], lam, False)!r}}},")
print("};\n")
for name, rows, note in [("tall", tall, "8 x 4"), ("short", wide, "6 x 11")]:
    print(f"// Whole numbers, {note} and of rank 3: refits with 80 digits.")
    print(f"inline constexpr double {name}_rows[]{{{', '.join(str(v) for r in rows for v in r)}}};")
    print(f"inline constexpr double {name}_targets[]{{{', '.join(str(v) for v in target[:len(rows)])}}};")
    print(f"inline constexpr LeaveOneOut left_out_{name}[]{{")
    for lam in ["1e14", "1.0", "1e-4", "1e-8", "1e-12", "1e-14"]:
        t = target[:len(rows)]
        print(f"    {{{lam}, {by_refits(rows, t, lam, True)}, {by_refits(rows, t, lam, False)}}},")
    print("};\n")
print("}  // namespace golden")
