#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bars.py [--write]

The table of README.md that holds every machine of figures/ against the bars. --write puts it there; without it, README.md
must have it already."""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
MARKS = ("<!-- bars.py writes from here -->\n", "<!-- to here -->\n")


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def name_of(work):
    """The work without what differs from machine to machine: the epochs of the best, the settings of a peer."""
    work = re.sub(r", \w+ over LIBLINEAR -.*, time", ", the best that proves over LIBLINEAR, time", work.strip("*"))
    work = re.sub(r"geometric mean of \d+", "geometric mean", re.sub(r", the worst: .*", ", the worst, time", work))
    return re.sub(r", the best: .*", ", the best over LIBLINEAR, time", work)


def bars_of(page):
    """(work, bar) to what was measured, from the tables that have a column named bar."""
    found, head = {}, []
    for line in page.read_text(encoding="utf-8").splitlines():
        if not line.startswith("|"):
            head = []
            continue
        cells = cells_of(line)
        if not head:
            head = cells
            where = head.index("bar") if "bar" in head else None
        elif where is not None and cells[where][:1] in ("≤", "≥"):
            measured = cells[head.index("measured") if "measured" in head else head.index("ratio")]
            outcome = "" if "holds" in cells else "**"
            found.setdefault((name_of(cells[0]), cells[where]), outcome + measured.split(" (")[0] + outcome)
    return found


def table():
    pages = sorted((HERE / "figures").glob("*.md"))
    machines = [page.read_text(encoding="utf-8").split("\n", 1)[0].removeprefix("# Figures of ") for page in pages]
    bars = [bars_of(page) for page in pages]
    links = [f"[{machine}](figures/{page.name})" for machine, page in zip(machines, pages)]
    rows = ["| work | bar | " + " | ".join(links) + " |", "|---|---|" + "---|" * len(links)]
    for work, bar in dict.fromkeys(key for found in bars for key in found):
        rows.append(f"| {work} | {bar} | " + " | ".join(found.get((work, bar), "–") for found in bars) + " |")
    return "\n".join(rows) + "\n"


def main():
    readme = HERE / "README.md"
    text = readme.read_text(encoding="utf-8")
    before, rest = text.split(MARKS[0])
    after = rest.split(MARKS[1])[1]
    wanted = before + MARKS[0] + "\n" + table() + "\n" + MARKS[1] + after
    if "--write" in sys.argv[1:]:
        readme.write_text(wanted, encoding="utf-8")
    elif text != wanted:
        raise SystemExit("README.md has not the figures of figures/: run benchmarks/bars.py --write")


if __name__ == "__main__":
    main()
