# SPDX-License-Identifier: MIT
"""scikit-learn for support/scikit_learn.hpp: one command a line, with a reply of one line.

load FILE                               samples and targets            ok
fit MODEL LOSS LAMBDA EPOCHS TOLERANCE FILE
                                        writes the weights there       seconds of the fit alone

All models minimise lambda/2 |w|^2 + mean loss in one thread, Ridge with an intercept, the others without; Lasso and
SparseLogisticRegression have lambda |w|_1. Samples are stored by rows, as linea has them; the time of a fit includes a
conversion to columns. The BLAS in use is printed to stderr. With --cpu the seconds are the processor's.
"""
import sys
import time

import numpy as np
import scipy.sparse
import sklearn
from sklearn.linear_model import Lasso, LogisticRegression, Ridge, SGDClassifier
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_info


def load(path):
    with open(path, "rb") as file:
        is_sparse, n, d, entries = np.fromfile(file, np.int64, 4)
        if is_sparse:
            starts = np.fromfile(file, np.int32, n + 1)
            columns = np.fromfile(file, np.int32, entries)
            x = scipy.sparse.csr_matrix((np.fromfile(file, np.float64, entries), columns, starts), (n, d))
        else:
            x = np.fromfile(file, np.float64, entries).reshape(n, d)
        return x, np.fromfile(file, np.float64, n)


def model_of(name, loss, strength, epochs, tolerance, n):
    if name == "SGDClassifier":
        names = {"hinge": "hinge", "log": "log_loss", "squared": "squared_error"}
        stop = {"max_iter": epochs, "tol": None} if epochs else {}
        return SGDClassifier(loss=names[loss], alpha=strength, fit_intercept=False, random_state=0, **stop)
    if name == "LinearSVC":
        return LinearSVC(loss=loss, C=1 / (strength * n), fit_intercept=False, random_state=0)
    if name == "LogisticRegression":
        return LogisticRegression(C=1 / (strength * n), fit_intercept=False)
    if name == "Ridge":
        return Ridge(alpha=strength * n, solver="cholesky")
    if name == "Lasso":
        return Lasso(alpha=strength, fit_intercept=False, tol=tolerance, max_iter=20000)
    if name == "SparseLogisticRegression":
        return LogisticRegression(C=1 / (strength * n), fit_intercept=False, penalty="l1", solver="saga", tol=tolerance,
                                  max_iter=2000, random_state=0)
    raise ValueError(f"no model {name}")


def fit(samples, name, loss, strength, epochs, tolerance, path):
    x, y = samples
    model = model_of(name, loss, float(strength), int(epochs), float(tolerance), x.shape[0])
    clock = time.process_time if "--cpu" in sys.argv else time.perf_counter
    start = clock()
    model.fit(x, y)
    seconds = clock() - start
    np.ravel(model.coef_).astype(np.float64).tofile(path)
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
                answer = repr(fit(samples, *words))
        except Exception as error:
            answer = "error: " + " ".join(str(error).split())
        print(answer, flush=True)


if __name__ == "__main__":
    main()
