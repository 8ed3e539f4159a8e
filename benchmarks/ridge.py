# SPDX-License-Identifier: MIT
"""scikit-learn's closed-form ridge at the word of support/scikit_learn.hpp: one order a line, one line back.

load FILE                               samples and targets            ok
fit Ridge squared LAMBDA 0 FILE         writes the weights there       seconds of the fit alone

Minimises lambda/2 |w|^2 + 1/(2n) |xw + b - y|^2, in one thread. The BLAS behind it is named on stderr.
"""
import sys
import time

import numpy as np
import sklearn
from sklearn.linear_model import Ridge
from threadpoolctl import threadpool_info


def load(path):
    with open(path, "rb") as file:
        _, n, d, entries = np.fromfile(file, np.int64, 4)
        x = np.fromfile(file, np.float64, entries).reshape(n, d)
        return x, np.fromfile(file, np.float64, n)


def fit(samples, strength, path):
    x, y = samples
    model = Ridge(alpha=float(strength) * x.shape[0], solver="cholesky", fit_intercept=True)
    start = time.perf_counter()
    model.fit(x, y)
    seconds = time.perf_counter() - start
    model.coef_.tofile(path)
    return seconds


def main():
    blas = [f"{pool['internal_api']} {pool['version']} ({pool.get('architecture')}), threads: {pool['num_threads']}"
            for pool in threadpool_info() if pool["user_api"] == "blas"]
    print(f"scikit-learn {sklearn.__version__}, NumPy {np.__version__}, BLAS:",
          "; ".join(blas) or "none that threadpoolctl knows", file=sys.stderr)
    samples = None
    for line in sys.stdin:
        order, *words = line.split()
        try:
            if order == "load":
                samples = load(words[0])
                answer = "ok"
            else:
                answer = repr(fit(samples, words[2], words[4]))
        except Exception as error:
            answer = "error: " + " ".join(str(error).split())
        print(answer, flush=True)


if __name__ == "__main__":
    main()
