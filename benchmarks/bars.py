#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bars.py [--write]

The tables that compare every machine of figures/ with the limits: all works in figures/README.md, those of SHOWN in README.md.
--write updates them; without it, they must be up to date."""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
SHOWN = (
    "proofs over LIBLINEAR's fastest, geometric mean, time",
    "proofs over LIBLINEAR's fastest, the worst, time",
    "an epoch of Sgd, hinge, on imdb.train.tfidf: speed over that of SGDClassifier",
    "an epoch of Sgd, hinge, on made-up samples: speed over that of SGDClassifier",
    "two threads' speed over one's, an epoch, imdb.train.tfidf",
    'closed form, 60000 × 784 double: time over scikit-learn\'s Ridge(solver="cholesky"), one BLAS thread',
    "RidgePath, 60000 × 784 double, 100 λ: time over that of one Ridge",
    "imdb.train.tfidf to double: speed over that of load_svmlight_file",
)
MARKS = ("<!-- bars.py writes from here -->\n", "<!-- to here -->\n")


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def name_of(work):
    """The work without parts that depend on the machine: the epochs of the best, the settings of a peer."""
    work = re.sub(r", \w+ over LIBLINEAR -.*, time", ", the best that proves over LIBLINEAR, time", work.strip("*"))
    work = re.sub(r"geometric mean of \d+", "geometric mean", re.sub(r", the worst: .*", ", the worst, time", work))
    return re.sub(r", the best: .*", ", the best over LIBLINEAR, time", work)


def bars_of(page):
    """Maps (work, bar) to the measurement, from the tables with a column named bar."""
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


def table(folder, shown=None):
    """The table of the works in `shown`, or of all, with links from `folder`."""
    pages = sorted(page for page in (HERE / "figures").glob("*.md") if page.name != "README.md")
    machines = [page.read_text(encoding="utf-8").split("\n", 1)[0].removeprefix("# Figures of ") for page in pages]
    bars = [bars_of(page) for page in pages]
    links = [f"[{machine}]({page.relative_to(folder)})" for machine, page in zip(machines, pages)]
    rows = ["| work | bar | " + " | ".join(links) + " |", "|---|---|" + "---|" * len(links)]
    keys = dict.fromkeys(key for found in bars for key in found)
    if shown:
        keys = sorted((key for key in keys if key[0] in shown), key=lambda key: shown.index(key[0]))
    for work, bar in keys:
        rows.append(f"| {work} | {bar} | " + " | ".join(found.get((work, bar), "–") for found in bars) + " |")
    return "\n".join(rows) + "\n"


def main():
    for page, shown in ((HERE / "README.md", SHOWN), (HERE / "figures" / "README.md", None)):
        text = page.read_text(encoding="utf-8")
        before, rest = text.split(MARKS[0])
        after = rest.split(MARKS[1])[1]
        wanted = before + MARKS[0] + "\n" + table(page.parent, shown) + "\n" + MARKS[1] + after
        if "--write" in sys.argv[1:]:
            page.write_text(wanted, encoding="utf-8")
        elif text != wanted:
            raise SystemExit(f"{page.name} has not the figures of figures/: run benchmarks/bars.py --write")


if __name__ == "__main__":
    main()
