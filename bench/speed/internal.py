"""Speed of the internal measures: against R's clusGap, and against the thesis's times.

Run with ``python bench/speed/internal.py``; all ratios come from this one run. R with
the package cluster is used where Rscript is found (``--no-r`` leaves it out). Every
function is called once before it is timed, so that compilation does not count. Times
are by the clock; the processor's time stands in brackets, for a machine that has other
work to do.
"""

import argparse
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from r_packages import has

from stablek import choose_k
from stablek.datasets.mixtures import mixture

CLUSGAP = """
suppressMessages(library(cluster))
x <- as.matrix(read.csv("{path}", header = FALSE))
hc <- function(x, k) list(cluster = cutree(hclust(dist(x), "average"), k))
km <- function(x, k) kmeans(x, k, iter.max = 100)["cluster"]
set.seed(1)
took <- system.time(suppressWarnings(
  clusGap(x, {function}, K.max = 30, B = 10, d.power = 2, spaceH0 = "original",
          verbose = FALSE)))
cat(took[["elapsed"]], took[["user.self"]] + took[["sys.self"]])
"""


def data(n, m, k, seed=0):
    made = mixture("unequal", k, m, seed, bayes_error=0.05, n=n, smallest=5)
    return np.ascontiguousarray(made.values)


def timed(X, measure, algorithm, ks=None, times=3, **settings):
    """Return the least of several times, by clock and processor; first warms up."""
    small = X[:40]
    choose_k(small, measure, algorithm, range(2, 6), **settings)
    took = []
    for seed in range(times):
        began = time.perf_counter(), time.process_time()
        choose_k(X, measure, algorithm, ks, seed=seed, **settings)
        ended = time.perf_counter(), time.process_time()
        took.append((ended[0] - began[0], ended[1] - began[1]))
    return tuple(np.min(took, axis=0))


def r_clusgap(X, function):
    """Return the seconds R's clusGap takes, or None without it."""
    if not has("cluster"):
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.csv"
        np.savetxt(path, X, delimiter=",")
        script = Path(folder) / "gap.R"
        text = CLUSGAP.replace("{path}", path.as_posix())
        script.write_text(text.replace("{function}", function))
        done = subprocess.run(
            ["Rscript", str(script)], capture_output=True, text=True, check=False
        )
    if done.returncode:
        print(f"R: {done.stderr.strip().splitlines()[-1]}")
        return None
    return tuple(float(number) for number in done.stdout.split())


def line(what, ours, limit, theirs=None, goal=None, whose="R"):
    text = f"{what:46s} {ours[0]:8.4f} s [{ours[1]:.4f}]"
    good = True
    if limit is not None:
        good = ours[0] <= limit
        text += f"  limit {limit:g} s"
    if theirs is not None:
        ratio = theirs[0] / ours[0]
        text += f"  {whose} {theirs[0]:.3f} s"
        if len(theirs) > 1:
            text += f" [{theirs[1]:.3f}]"
        text += f"  ratio {ratio:.1f}"
        if len(theirs) > 1:
            text += f" [{theirs[1] / ours[1]:.1f}]"
        if goal is not None:
            good = ratio >= goal
            text += f" (goal {goal:g})"
    print(text + ("   ok" if good else "   MISSED"), flush=True)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--no-r", action="store_true", help="leave R out")
    given = parser.parse_args()
    rat, nci, yeast = data(112, 17, 6), data(57, 200, 8), data(698, 72, 5)
    ks = range(1, 31)
    good = []

    for algorithm, function, goal in (("hier-a", "hc", 200), ("kmeans-r", "km", 20)):
        theirs = None if given.no_r else r_clusgap(yeast, function)
        ours = timed(yeast, "gap-ps", algorithm, ks, null_sets=10, starts=1)
        what = f"gap-ps {algorithm} 698 x 72, k <= 30, B = 10"
        good.append(line(what, ours, None, theirs, goal, "clusGap"))

    whole = {}
    for algorithm, limit, thesis in (
        ("hier-a", 1, (270.0,)),
        ("kmeans-r", 5, (840.0,)),
    ):
        whole[algorithm] = timed(rat, "gap-ps", algorithm, ks, preset="thesis")
        what = f"gap-ps {algorithm} 112 x 17, 20 x 10 null sets"
        good.append(line(what, whole[algorithm], limit, thesis, None, "thesis"))

    for algorithm, limit, thesis in (
        ("hier-a", 0.5, (51.0,)),
        ("kmeans-c", 5, (550.0,)),
    ):
        ours = timed(nci, "fom", algorithm, range(2, 31))
        what = f"fom {algorithm} 57 x 200, k = 2..30"
        good.append(line(what, ours, limit, thesis, None, "thesis"))

    for name, X in (("112 x 17", rat), ("57 x 200", nci), ("698 x 72", yeast)):
        full = timed(X, "wcss", "kmeans-r", ks, times=9)
        fast = timed(X, "wcss-r", "kmeans-r", ks, times=9, refresh=0)
        good.append(line(f"wcss-r R = 0, kmeans-r {name}", fast, None, full, 3, "wcss"))

    for algorithm, runs in (("hier-a", whole["hier-a"]), ("kmeans-c", None)):
        gap = runs or timed(rat, "gap-ps", algorithm, ks, preset="thesis", times=1)
        ours = timed(rat, "g-gap", algorithm, ks, times=9)
        what = f"g-gap {algorithm} 112 x 17 against gap-ps 20 x 10"
        good.append(line(what, ours, None, gap, 100, "gap-ps"))
    print(f"{sum(good)} of {len(good)} figures reached")


if __name__ == "__main__":
    main()
