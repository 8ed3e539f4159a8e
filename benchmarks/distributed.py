#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""distributed.py PROGRAM DATA [--turns N] [--most RANKS] [--made-up ROWS,COLUMNS,ENTRIES] [--small]

Tables of the program `distributed` (PROGRAM): sums and bytes of 1 to 64 ranks, which are the same on any machine;
the times of 1 and 2 ranks; and predictions for other ranks and links from rounds, bytes and the time of one rank.
DATA holds a9a, imdb.train.tfidf and mnist, or a9a.linea and so on as linea_convert writes them, which many ranks read faster. --small: generated samples only, for a quick run.

The model: a fit on R ranks takes t·(i/i1)/R + 2·m·steps·latency + bytes/bandwidth seconds, where t and i1 are the time and
the iterations of one rank, i the iterations of R ranks, m the sums (before each there is a short exchange, hence 2),
steps = ceil(log2 R), and bytes those that a rank sends. It ignores imbalance and memory shared by ranks. For more ranks
than were run, sums and iterations are those of the largest run, and bytes grow as (R - 1)/R."""
import argparse
import math
import os
import subprocess

LINKS = {"10 Gbit/s": (30e-6, 1.25e9), "200 Gbit/s": (2e-6, 25e9), "this machine": (2e-6, 4e9)}


def row(program, ranks, samples, work, *options):
    command = ["mpirun", "--oversubscribe", "-np", str(ranks), program, samples, "--work", work, *options]
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                       OMPI_MCA_mpi_yield_when_idle="1")
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
    names = ("samples", "work", "ranks", "iterations", "rounds", "megabytes", "objective", "gap", "status", "seconds")
    cells = [cell.strip() for cell in done.stdout.strip().strip("|").split("|")]
    found = dict(zip(names, cells))
    for name in ("ranks", "iterations", "rounds"):
        found[name] = int(found[name])
    for name in ("megabytes", "seconds", "objective"):
        found[name] = float(found[name])
    return found


def table(head, rows):
    print("\n| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for one in rows:
        print("| " + " | ".join(str(cell) for cell in one) + " |", flush=True)
    print(flush=True)


def exchanged(runs, title):
    """Iterations, sums and bytes by the number of ranks."""
    print(f"\n### {title}")
    table(["ranks", "iterations", "sums", "MB sent by a rank", "F", "relative gap", "status"],
          [[r["ranks"], r["iterations"], r["rounds"], r["megabytes"], r["objective"], r["gap"], r["status"]] for r in runs])


def predicted(one, last, ranks, link):
    """Seconds, from a run of one rank and the run of the most ranks there was."""
    latency, bandwidth = LINKS[link]
    share = (ranks - 1) / ranks / ((last["ranks"] - 1) / last["ranks"])
    work = one["seconds"] * last["iterations"] / max(one["iterations"], 1) / ranks
    return work + 2 * last["rounds"] * math.ceil(math.log2(ranks)) * latency + 1e6 * last["megabytes"] * share / bandwidth


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("data")
    arguments.add_argument("--turns", default="3")
    arguments.add_argument("--most", type=int, default=64)
    arguments.add_argument("--made-up", default="10000000,1000000,20")
    arguments.add_argument("--small", action="store_true")
    given = arguments.parse_args()
    sizes = [text for pair in zip(("--rows", "--columns", "--entries"), given.made_up.split(",")) for text in pair]
    def at(name):
        path = os.path.join(given.data, name)
        return path + ".linea" if os.path.exists(path + ".linea") else path

    all_ranks = [r for r in (1, 2, 4, 8, 16, 32, 64) if r <= given.most]
    if given.small:
        fits = {"made-up samples, Newton": ("made-up", "newton", *sizes), "made-up samples, Ridge": ("made-up", "ridge", *sizes)}
    else:
        fits = {"imdb, log loss, Newton": (at("imdb.train.tfidf"), "newton"),
                "a9a, log loss, Newton": (at("a9a"), "newton")}

    load = os.getloadavg()[0]
    print(f"load at the start: {load:.1f} on {os.cpu_count()} cores")
    print("\n## Sums and bytes to a proven relative gap of 1e-3")
    exchanges = {}
    for title, fit in fits.items():
        exchanges[title] = [row(given.program, ranks, *fit) for ranks in all_ranks]
        exchanged(exchanges[title], title)

    print("\n## Time of 1 and 2 ranks")
    timed = dict(fits) if given.small else {
        "mnist, log loss, Newton": (at("mnist"), "newton"),
        "mnist, Ridge": (at("mnist"), "ridge"),
        "imdb, log loss, Newton": (at("imdb.train.tfidf"), "newton"),
        "made-up, log loss, Newton": ("made-up", "newton", *sizes)}
    bars = {"Newton": 0.62, "Ridge": 0.62}
    rows = []
    for title, fit in timed.items():
        one, two = (row(given.program, ranks, *fit, "--turns", given.turns) for ranks in (1, 2))
        exchanges.setdefault(title, [one, two])[:2] = [one, two]
        bar = next(bar for name, bar in bars.items() if name in title)
        ratio = two["seconds"] / one["seconds"]
        model = predicted(one, two, 2, "this machine")
        rows.append([title, one["seconds"], two["seconds"], f"{ratio:.2f}", f"≤ {bar}", "holds" if ratio <= bar else "falls short",
                     f"{model:.3f}", f"{model / two['seconds']:.2f}"])
    table(["fit", "1 rank, s", "2 ranks, s", "ratio", "bar", "", "2 ranks by the model, s", "model over measured"], rows)

    print("\n## Predicted seconds")
    rows = []
    for title, runs in exchanges.items():
        if len(runs) > 1:
            rows.append([title, runs[-1]["ranks"], runs[0]["seconds"]] +
                        [f"{predicted(runs[0], runs[-1], ranks, link):.3g}" for ranks in (64, 1024)
                         for link in ("10 Gbit/s", "200 Gbit/s")])
    table(["fit", "sums of so many ranks", "1 rank", "64, 10 Gbit/s", "64, 200 Gbit/s", "1024, 10 Gbit/s", "1024, 200 Gbit/s"], rows)


if __name__ == "__main__":
    main()
