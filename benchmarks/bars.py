#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bars.py [--write]

The tables that compare every machine of figures/ with the limits: all works in figures/README.md, those of SHOWN in README.md;
and in linea's README.md the times of SPEED from the newest page. --write updates them; without it, they must be up to date."""
import math
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
SPEED = (  # data, loss, relative gap, and the name of the data
    ("a9a", "hinge", "1e-03", "a9a"),
    ("a9a", "log", "1e-03", "a9a"),
    ("imdb.train.tfidf", "hinge", "1e-03", "imdb (text)"),
    ("imdb.train.tfidf", "log", "1e-03", "imdb (text)"),
    ("mnist", "hinge", "1e-03", "mnist, digit 0 against the others"),
    ("iris.svm", "log", "1e-05", "iris, setosa against the others"),
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


def tables_below(page, command):
    """The rows of the tables below a command of a page, up to the next command, as lists of cells."""
    sections = re.split(r"```sh\n(.*)\n```\n", page.read_text(encoding="utf-8"))
    for told, text in zip(sections[1::2], sections[2::2]):
        if told.startswith(command):
            yield told, [cells_of(line) for line in text.splitlines() if line.startswith("|")]


def speed():
    """The times of the newest page, with the machine, the commit and the day."""
    pages = {}
    for page in (HERE / "figures").glob("*.md"):
        facts = re.search(r"^# Figures of (.*)\n\n(.*); linea (\w+); (\d{4}-\d\d-\d\d)\.", page.read_text(encoding="utf-8"))
        if facts and any(tables_below(page, "certified ")):
            pages[facts[4], page] = facts
    (day, page), facts = max(pages.items())
    rows = ["| data, loss, λ, gap / F | linea | LIBLINEAR | linea / LIBLINEAR |", "|---|---|---|---|"]
    means = []
    for command, cells in tables_below(page, "certified "):
        strength = float((re.search(r"--lambda (\S+)", command) or ("", "1e-4"))[1])
        power = "10" + str(round(math.log10(strength))).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
        found = {tuple(row[:3]): row[3:] for row in cells if len(row) == 6}
        for data, loss, gap, name in SPEED:
            if (data, loss, gap) in found:
                times = [cell.split()[-2:] for cell in found[data, loss, gap][:2]]
                rows.append(f"| {name}, {loss}, {power}, 10{'⁻³' if gap == '1e-03' else '⁻⁵'} | " + " | ".join(" ".join(time) or "not as near" for time in times)
                            + f" | {found[data, loss, gap][2].split(' (')[0] if times[1] else ''} |")
        for row in cells:
            if mean := re.search(r"geometric mean of (\d+)", row[0]):
                measured = [key for key in found if key[2] in ("1e-03", "1e-05")]
                means.append(f"{row[2].split(' (')[0]} for λ = {power} ({mean[1]} of {len(measured)} rows)")
    bars = {key[0]: value.strip("*") for key, value in bars_of(page).items()}
    peers = dict(re.findall(r"(liblinear-dev|python3-sklearn) ([\d.]+\d)", page.read_text(encoding="utf-8")))
    return "\n".join(rows) + f"""

The geometric mean of all such ratios on [this page](benchmarks/{page.relative_to(HERE)}) is {", and ".join(means)}; in the other rows LIBLINEAR does not come as near.
With an offset LIBLINEAR {peers["liblinear-dev"]} solves another problem: it penalises the offset. An epoch of `Sgd` on imdb is {bars[SHOWN[2]]} times as fast as one of `SGDClassifier` of scikit-learn {peers["python3-sklearn"]}, and `Ridge` on
60,000 × 784 doubles takes {bars[SHOWN[5]]} of scikit-learn's time (`solver="cholesky"`). The page is of an {facts[1]}, commit {facts[3]}, {day}. The [benchmarks](benchmarks/README.md) explain the method and list the cases in which linea is slower.
"""


def main():
    for page, shown in ((HERE / "README.md", SHOWN), (HERE / "figures" / "README.md", None), (HERE.parent / "README.md", speed)):
        text = page.read_text(encoding="utf-8")
        before, rest = text.split(MARKS[0])
        after = rest.split(MARKS[1])[1]
        told = speed() if shown is speed else table(page.parent, shown)
        wanted = before + MARKS[0] + "\n" + told + "\n" + MARKS[1] + after
        if "--write" in sys.argv[1:]:
            page.write_text(wanted, encoding="utf-8")
        elif text != wanted:
            raise SystemExit(f"{page.name} has not the figures of figures/: run benchmarks/bars.py --write")


if __name__ == "__main__":
    main()
