# SPDX-License-Identifier: MIT
"""readers.py FILE float32|float64: seconds of scikit-learn's load_svmlight_file, without imports."""
import io
import sys
import time

import numpy
from sklearn.datasets import load_svmlight_file

dtype = numpy.dtype(sys.argv[2])
load_svmlight_file(io.BytesIO(b"1 1:1\n"), dtype=dtype)
start = time.perf_counter()
load_svmlight_file(sys.argv[1], dtype=dtype)
print(time.perf_counter() - start)
