#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes tests/io/models/*_3.json: model files of version 3, from docs/internals/model_format.md alone, without linea.

Run by hand, from anywhere: python3 tests/golden/make_model_files.py
The models are those of tests/support/example_models.hpp. The numbers are given as text, independent of
how Python prints numbers. The files of a released version are never changed.
"""
import json
import os

here = os.path.dirname(os.path.abspath(__file__))
folder = os.path.join(here, "..", "io", "models")
HARD = ["-0", "0.3333333333333333", "5e-324", "1.7976931348623157e+308", "0", "-2.5e-30"]
HARD_FLOATS = ["-0", "0.33333334", "1e-45", "3.4028235e+38", "0", "-2.5e-30"]
NAMES = ["age", "", "two words", "Größe", 'a "b"', "line\nend\x7f"]
LEARNT = dict(optimizer="Newton", status="converged", iterate="best", epochs=12, updates=3, iterations=4,
              objective="0.25", gap="9.094947017729282e-13")
TOLD = dict(LEARNT, loss="your own loss (alpha = 0.5)", penalty="l2 (lambda = 0.001)",
            reason='few columns: "Newton"\nand a \\')


def fnv1a(data):
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return value


def text(value):
    return json.dumps(value, ensure_ascii=False).replace("\\n", "\\u000a")


def numbers(items):
    return "[" + ", ".join(items) + "]"


def part(offset, weights, labels=(), loss="", penalty="", activation="", optimizer="", reason="",
         status="epoch-limit", iterate="last", epochs=0, updates=0, iterations=0, objective="null", gap="null"):
    members = [("loss", text(loss)), ("penalty", text(penalty)), ("activation", text(activation)),
               ("optimizer", text(optimizer)), ("reason", text(reason)), ("status", text(status)),
               ("iterate", text(iterate)), ("epochs", epochs), ("updates", updates), ("iterations", iterations),
               ("objective", objective), ("gap", gap), ("labels", numbers(labels)), ("offset", numbers(offset)),
               ("weights", "[\n" + ",\n".join(numbers(row) for row in weights) + "]")]
    return "{" + ", ".join(f'"{name}": {value}' for name, value in members) + "}", len(weights)


def write(name, kind, parts, labels=(), features=(), scalar="double", part_kind=None, encoder="null", notes=()):
    lines = ['{"format": "linea model"', '"version": 3', f'"kind": "{kind}"', f'"part_kind": "{part_kind or kind}"',
             f'"scalar": "{scalar}"', f'"columns": {parts[0][1]}', f'"labels": {numbers(labels)}',
             f'"features": {numbers(map(text, features))}', '"zero_based": false', '"degree": 1',
             f'"encoder": {encoder}', '"notes": [' + ",".join(f'\n{{"name": {text(name)}, "text": {text(note)}}}' for name, note in notes) + "]",
             '"parts": [' + ",".join("\n" + one for one, _ in parts) + "]"]
    begin = (",\n".join(lines) + ",\n").encode()
    with open(os.path.join(folder, name + "_3.json"), "wb") as file:
        file.write(begin + f'"checksum": "{fnv1a(begin):016x}"}}\n'.encode())


def column(texts):
    return [[text] for text in texts]


os.makedirs(folder, exist_ok=True)
hard = column(HARD)
write("linear", "linear", [part(["0.1"], hard, **TOLD)], features=NAMES)
write("regressor", "regressor", [part(["0"], hard)])
diverged = dict(TOLD, objective='"inf"', gap="null", status="diverged")
write("activated", "activated", [part(["0.1"], hard, activation="exponential", **diverged)], features=NAMES)
write("classifier", "classifier", [part(["0.1"], hard, **TOLD)], ["-1", "1"], NAMES)
write("classifier_of_float", "classifier", [part(["0.1"], column(HARD_FLOATS), **TOLD)], ["-1", "1"], NAMES, "float")
write("probabilistic", "probabilistic-classifier", [part(["0.1"], hard, **TOLD)], ["0.1", "1e+22"], NAMES)
write("one_vs_rest", "one-vs-rest",
      [part(["0.1"], column(HARD[:4] + [str(k)] + HARD[5:]), ["-1", "1"], **dict(TOLD, objective=str(k)))
       for k in range(3)], ["2", "3", "7"], NAMES, part_kind="classifier")
write("softmax", "softmax",
      [part(["1", "0", "-1"], [["0.5", "-0", "-0.5"], ["0", "0.3333333333333333", "2"]], loss="softmax",
            penalty="l2 (lambda = 1)", **dict(LEARNT, objective="1.5"))], ["0", "1", "2"], ["left", "right"])
zeros = [["0", "0"] for _ in range(70)]
zeros[3][1], zeros[64][0] = "-0", "1.5"
write("multi_target", "multi-target", [part(["0.5", "2"], zeros, **dict(LEARNT, objective="0"))])
columns = [["town", "feature", "true", ["Bonn", "Ulm"], "0"], ["rooms", "feature", "false", [], "2.5"],
           ["spare", "left_out", "true", [], "0"], ["rent", "target", "false", [], "0"]]
encoder = ('{"missing": "mean", "hash_bits": 0, "separator": ";", "decimal": ",", "thousands": "", '
           '"missing_values": ["nothing"], "columns": ['
           + ",".join(f'\n{{"name": {text(name)}, "role": "{role}", "text": {is_text}, '
                      f'"categories": {numbers(map(text, categories))}, "fill": {fill}}}'
                      for name, role, is_text, categories, fill in columns) + "]}")
write("encoded", "regressor", [part(["7"], column(["0.25", "-0.5", "3"]))],
      features=["town=Bonn", "town=Ulm", "rooms"], encoder=encoder, notes=[["trained on", "june.csv"], ["", "two\nlines"]])
