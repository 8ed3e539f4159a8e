#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_pages.py <repository> <folder of the programs> <scratch folder> [<mpiexec, if linea_train_mpi is there>]

Runs the commands of the pages, with the files that they name, and compares the output with the pages."""
import csv
import gzip
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys

repository, programs, work = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
mpi = len(sys.argv) > 4
problems, ran = [], 0


def run(command):
    """The output of the command in the scratch folder; a failure is a problem."""
    global ran
    ran += 1
    told = dict(os.environ, PATH=f"{programs}:{os.environ['PATH']}")
    for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe",
                 "OMPI_MCA_mpi_yield_when_idle"):
        told[name] = "1"  # Open MPI needs options for root and few cores
    if "mpirun" in command:
        told["ASAN_OPTIONS"] = "detect_leaks=0"  # memory that MPI keeps until the end is not a leak of linea
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=work, env=told, capture_output=True, text=True)
    if done.returncode:
        problems.append(f"{command}\n  ended with {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def listings(page, kind="sh"):
    return re.findall(rf"```{kind}\n(.*?)```", (repository / page).read_text(), re.S)


def commands(listing):
    """The commands with their output, except those that build or install."""
    for line in listing.splitlines():
        command, _, remark = line.partition("#")
        if "linea_" in command and (mpi or "mpirun" not in command):
            yield command.strip().replace("~/.local/bin/", ""), remark.strip()


def require(condition, what):
    if not condition:
        problems.append(what)


def prepare():
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    data = repository / "examples" / "data"
    (work / "examples").mkdir()
    (work / "examples" / "data").symlink_to(data)
    shutil.copy(data / "flats.csv", work)
    lines = (data / "wdbc.svm").read_text().splitlines(keepends=True)
    for name in ("train.svm", "new.svm"):
        (work / name).write_text("".join(lines))
    with gzip.open(work / "big.svm.gz", "wt") as file:
        file.writelines(lines)
    for rank in range(4):
        (work / f"part-{rank}.svm").write_text("".join(lines[rank::4]))


def check_listing(page, listing):
    for command, remark in commands(listing):
        printed = run(command)
        if remark.startswith("{"):  # the output, with "…" for omitted parts
            at = 0
            for piece in remark.split("…"):
                at = printed.find(piece, at)
                require(at >= 0, f"{page}: {command}\n  printed {printed}  but not {piece}")


def check_header():
    """The sample in docs/programs.md has the rent that linea_predict predicts."""
    code = re.search(r"`(double x\[flats::columns\] = \{.*?\};)`", (repository / "docs/programs.md").read_text()).group(1)
    run("linea_train --missing mean --standardise --lambda auto examples/data/flats.csv flats.model")
    run("linea_predict --emit-header flats.model flats.hpp")
    (work / "rent.cpp").write_text('#include "flats.hpp"\n#include <cstdio>\nint main() {\n' + code +
                                   '\n  std::printf("%.10g\\n", flats::predict(x));\n}\n')
    by_header = run("c++ -std=c++11 rent.cpp -o rent && ./rent")
    with open(repository / "examples/data/flats.csv", newline="") as file:
        names = next(csv.reader(file))
    row = {"town": "Ulm", "rooms": "3", "size": "79.4", "year": "1968", "heating": "district"}
    require(set(row) | {names[-1]} == set(names), f"flats.csv has the columns {names}")
    (work / "flat.csv").write_text(",".join(names[:-1]) + "\n" + ",".join(row[name] for name in names[:-1]) + "\n")
    predicted = run("linea_predict flat.csv flats.model -").split()
    require(math.isclose(float(by_header), float(predicted[-1]), rel_tol=1e-5),
            f"the header says {by_header}, linea_predict {predicted}")


prepare()
for page in ("README.md", "docs/programs.md", "docs/troubleshooting.md", "docs/text_at_scale.md", "docs/distributed.md"):
    for listing in listings(page):
        check_listing(page, listing)
run(re.search(r"`(linea_convert --target .*?)`", (repository / "docs/getting_started.md").read_text()).group(1))
check_header()
print("\n".join(problems) or f"{ran} commands of the pages run")
sys.exit(bool(problems) or ran < 10)
