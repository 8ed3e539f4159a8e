#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes tests/io/models/: model files of version 1, from docs/model_files.md alone, without linea.

Run by hand, from anywhere: python3 tests/golden/make_model_files.py
The models are those of tests/support/example_models.hpp. The numbers are given as text, independent of
how Python prints numbers. The files of a released version are never changed, as linea must always read
them.
"""
import os
import struct

here = os.path.dirname(os.path.abspath(__file__))
folder = os.path.join(here, "..", "io", "models")
HARD = ["-0", "0.3333333333333333", "5e-324", "1.7976931348623157e+308", "0", "-2.5e-30"]
HARD_FLOATS = ["-0", "0.33333334", "1e-45", "3.4028235e+38", "0", "-2.5e-30"]
NAMES = ['"age"', '""', '"two words"', '"Größe"', '"a \\"b\\""', '"line\\x0aend\\x7f"']
LEARNT = dict(optimizer="Newton", status="converged", iterate="best", epochs=12, updates=3, iterations=4,
              objective="0.25", gap="9.094947017729282e-13", named=True)
TOLD = dict(LEARNT, loss="your own loss (alpha = 0.5)", penalty="l2 (lambda = 0.001)",
            reason='few columns: \\"Newton\\"\\x0aand a \\\\')


def fnv1a(data):
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return value


def part_lines(number, offset, weights, labels=(), loss="", penalty="", activation="", optimizer="", reason="",
               status="epoch-limit", iterate="last", epochs=0, updates=0, iterations=0, objective="nan", gap="none",
               named=False):
    """The lines of a part, and apart from them its weights: a list of numbers for each column."""
    lines = [f"part {number}", f'loss "{loss}"', f'penalty "{penalty}"', f'activation "{activation}"',
             f'optimizer "{optimizer}"', f'reason "{reason}"', f"status {status}", f"iterate {iterate}",
             f"epochs {epochs}", f"updates {updates}", f"iterations {iterations}", f"objective {objective}",
             f"gap {gap}", "named " + ("yes" if named else "no"), f"labels {len(labels)}", *labels,
             "offset " + " ".join(offset)]
    return lines, weights


def head_lines(kind, parts, labels=(), features=(), scalar="double"):
    weights = parts[0][1]
    return ["linea-model 1", f"kind {kind}", f"scalar {scalar}", f"columns {len(weights)}",
            f"functions {len(weights[0])}", f"labels {len(labels)}", *labels, f"features {len(features)}", *features,
            "notes 0", f"parts {len(parts)}"]


def as_text(head, parts):
    lines = list(head)
    for own, weights in parts:
        lines += own + ["weights"] + [" ".join(row) for row in weights]
    text = "".join(line + "\n" for line in lines).encode()
    return text + f"checksum fnv1a-64 {fnv1a(text):016x}\n".encode()


def as_binary(head, parts, scalar):
    code, size = ("<f", 4) if scalar == "float" else ("<d", 8)
    lines = list(head)
    sections = []
    for own, weights in parts:
        lines += own + ["weights binary"]
        all_of = [text for row in weights for text in row]
        dense = b"".join(struct.pack(code, float(text)) for text in all_of)
        here_bits = sum(1 << i for i, text in enumerate(all_of) if text != "0")
        sparse = here_bits.to_bytes(-(-len(all_of) // 64) * 8, "little") + b"".join(
            struct.pack(code, float(text)) for text in all_of if text != "0")
        sections.append((2, sparse) if len(sparse) < len(dense) else (1, dense))
    sections.insert(0, (0, "".join(line + "\n" for line in lines).encode()))
    table, end = b"", 32 + 24 * len(sections)
    for encoding, data in sections:
        begin = -(-end // 64) * 64
        table += struct.pack("<IIQQ", encoding, 0, begin, len(data))
        end = begin + len(data)
    file = b"lineaM\r\n" + struct.pack("<IIQQ", 1, size, end + 8, len(sections)) + table
    for _, data in sections:
        file += bytes(-len(file) % 64) + data
    return file + struct.pack("<Q", fnv1a(file))


def write(name, kind, parts, labels=(), features=(), scalar="double"):
    head = head_lines(kind, parts, labels, features, scalar)
    for end, data in ((".txt", as_text(head, parts)), (".bin", as_binary(head, parts, scalar))):
        with open(os.path.join(folder, name + "_1" + end), "wb") as file:
            file.write(data)


def column(texts):
    return [[text] for text in texts]


os.makedirs(folder, exist_ok=True)
hard = column(HARD)
write("linear", "linear", [part_lines(0, ["0.1"], hard, **TOLD)], features=NAMES)
write("regressor", "regressor", [part_lines(0, ["0"], hard)])
diverged = dict(TOLD, objective="inf", gap="none", status="diverged")
write("activated", "activated", [part_lines(0, ["0.1"], hard, activation="exponential", **diverged)], features=NAMES)
write("classifier", "classifier", [part_lines(0, ["0.1"], hard, **TOLD)], ["-1", "1"], NAMES)
write("classifier_of_float", "classifier", [part_lines(0, ["0.1"], column(HARD_FLOATS), **TOLD)], ["-1", "1"], NAMES,
      "float")
write("probabilistic", "probabilistic-classifier", [part_lines(0, ["0.1"], hard, **TOLD)], ["0.1", "1e+22"], NAMES)
write("one_vs_rest", "one-vs-rest classifier",
      [part_lines(k, ["0.1"], column(HARD[:4] + [str(k)] + HARD[5:]), ["-1", "1"],
                  **dict(TOLD, objective=str(k), named=k != 1)) for k in range(3)], ["2", "3", "7"], NAMES)
write("softmax", "softmax",
      [part_lines(0, ["1", "0", "-1"], [["0.5", "-0", "-0.5"], ["0", "0.3333333333333333", "2"]], loss="softmax",
                  penalty="l2 (lambda = 1)", **dict(LEARNT, objective="1.5"))], ["0", "1", "2"], ['"left"', '"right"'])
zeros = [["0", "0"] for _ in range(70)]
zeros[3][1], zeros[64][0] = "-0", "1.5"
write("multi_target", "multi-target", [part_lines(0, ["0.5", "2"], zeros, **dict(LEARNT, objective="0", named=False))])
