#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes tests/io/liblinear/*.model with liblinear-train, and liblinear.csv with the decision values of
LIBLINEAR's predict_values for rows of the shipped data.

Run by hand, from anywhere: python3 tests/golden/make_liblinear.py > tests/golden/liblinear.csv
Uses Debian's liblinear-tools 2.3.0+dfsg-5 and the library liblinear4, because liblinear-predict prints six digits only.
"""
import ctypes
import os
import subprocess
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
data = os.path.join(here, "..", "..", "examples", "data")
folder = os.path.join(here, "..", "io", "liblinear")
library = ctypes.CDLL("liblinear.so.4")
ROWS = 7  # rows 0, n/7, 2n/7, ...


class Node(ctypes.Structure):
    _fields_ = [("index", ctypes.c_int), ("value", ctypes.c_double)]


library.load_model.restype = ctypes.c_void_p
library.get_nr_class.argtypes = [ctypes.c_void_p]
library.predict_values.argtypes = [ctypes.c_void_p, ctypes.POINTER(Node), ctypes.POINTER(ctypes.c_double)]
library.predict_values.restype = ctypes.c_double


def rows_of(path):
    rows = []
    with open(path) as file:
        for line in file:
            words = line.split()
            rows.append((float(words[0]), [(int(w.split(":")[0]), float(w.split(":")[1])) for w in words[1:]]))
    return rows


def decision_values(path, row):
    """The results of liblinear-predict: k values, and the prediction."""
    keys = dict(line.split(None, 1) for line in open(path).read().split("\nw\n")[0].splitlines())
    bias, features = float(keys["bias"]), int(keys["nr_feature"])
    nodes = row + ([(features + 1, bias)] if bias >= 0 else []) + [(-1, 0.0)]
    model = ctypes.c_void_p(library.load_model(path.encode()))
    classes = library.get_nr_class(model)
    many = classes > 2 or keys["solver_type"].strip() == "MCSVM_CS"
    values = (ctypes.c_double * max(classes, 1))()
    answer = library.predict_values(model, (Node * len(nodes))(*nodes), values)
    return list(values)[:classes if many else 1], answer


def main():
    os.makedirs(folder, exist_ok=True)
    iris = open(os.path.join(data, "iris.svm")).readlines()
    two = tempfile.NamedTemporaryFile("w", suffix=".svm")
    two.writelines(line for line in iris if line.split()[0] in ("0", "1"))
    two.flush()
    # name, data, its name in examples/data, options
    runs = [(f"{name}_s{solver}{'_bias' if bias else ''}", path, name, f"-s {solver}" + (f" -B {bias}" if bias else ""))
            for name, path, solvers in (("wdbc", None, (("0", "1"), ("3", ""), ("6", "1"))),
                                        ("iris", None, (("2", "1"), ("4", ""), ("7", "0.5"))),
                                        ("two_of_iris", two.name, (("1", "1"), ("4", "1"), ("5", ""))),
                                        ("diabetes", None, (("11", "1"), ("12", ""), ("13", "1"))))
            for solver, bias in solvers]
    print("# Decision values by LIBLINEAR 2.3.0 (Debian liblinear4): written by make_liblinear.py.")
    print("model,data,command,row,answer,values in the order of the model's labels")
    for name, path, short, options in runs:
        path = path or os.path.join(data, short + ".svm")
        model = os.path.join(folder, name + ".model")
        subprocess.run(["liblinear-train", "-q", *options.split(), path, model], check=True)
        rows = rows_of(path)
        for k in range(ROWS):
            at = k * len(rows) // ROWS
            values, answer = decision_values(model, rows[at][1])
            print(f"{name},{short},liblinear-train {options},{at},{answer!r},{' '.join(map(repr, values))}")


main()
