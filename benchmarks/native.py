#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""native.py BUILD [TURNS [OPTION...]]: the gain by -march=native.

Runs epoch and scaling of the build folder and their twins compiled with -march=native turn by turn, and prints
the time of the plain program over that of its twin for each of their works. The options, --megabytes 100 say,
go to epoch.
"""
import pathlib
import statistics
import subprocess
import sys


def times_of(program, options):
    out = subprocess.run([program, "--seconds", "--turns", "1", *options], check=True, capture_output=True, text=True)
    return {name: float(time) for name, time in (line.split("\t") for line in out.stdout.splitlines())}


def main():
    folder = pathlib.Path(sys.argv[1])
    turns = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    programs = {"epoch": sys.argv[3:], "scaling": ["--most", "1e7"]}
    twins = [program + "_native" for program in programs]
    subprocess.run(["cmake", "--build", folder, "--target", *programs, *twins], check=True, stdout=subprocess.DEVNULL)
    print("| work | bar | measured | |\n|---|---|---|---|")
    for program, options in programs.items():
        ratios = {}
        for _ in range(turns):
            plain = times_of(folder / "benchmarks" / program, options)
            native = times_of(folder / "benchmarks" / (program + "_native"), options)
            for work, time in plain.items():
                ratios.setdefault(work, []).append(time / native[work])
        for work, values in ratios.items():
            low, median, high = statistics.quantiles(values, method="inclusive") if turns > 1 else values * 3
            is_linea = "read" not in work and "Eigen" not in work
            bar, verdict = ("≤ 1.25", "holds" if median <= 1.25 else "falls short") if is_linea else ("", "")
            print(f"| {work}: plain over -march=native, time | {bar} | {median:.2f} ({low:.2f}–{high:.2f}) | {verdict} |")


if __name__ == "__main__":
    main()
