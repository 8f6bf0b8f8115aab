"""FC against ConsensusClusterPlus (R): two small H, intercept and slope, H = 250.

    python benchmarks/consensus_peer.py 702x72 [--small 2 6] [--data FOLDER]
    python benchmarks/consensus_peer.py 2329x139       (R takes about ten minutes)

ConsensusClusterPlus spends much of its time on work that does not depend on the number
of resamplings H (an n x n matrix per k, its dendrogram), so its time is a + b H: a and
b are fitted from the two H and both are printed with the factor at H = 250. Average
linkage of Euclidean distances, 80 % of the items, k up to 30, no plots. R runs on one
core; stablek is timed on one core and on all of them.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from sizes import SIZES, values_of

from stablek import choose_k

SCRIPT = """
suppressPackageStartupMessages(library(ConsensusClusterPlus))
x <- t(as.matrix(read.table("{table}")))
d <- dist(t(x))
pdf(NULL)
for (H in c({small})) {{
  t <- system.time(suppressMessages(invisible(capture.output(ConsensusClusterPlus(
    d, maxK = 30, reps = H, pItem = 0.8, clusterAlg = "hc", innerLinkage = "average",
    finalLinkage = "average", distance = "euclidean", seed = 1, plot = NULL,
    verbose = FALSE)))))
  cat("H", H, t[["elapsed"]], "\\n")
  flush(stdout())
}}
cat("version", as.character(packageVersion("ConsensusClusterPlus")), "\\n")
"""


def peer(values: np.ndarray, small: list[int]) -> tuple[dict[int, float], str]:
    """Return the seconds ConsensusClusterPlus takes for each H, and its version."""
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "x.tsv"
        np.savetxt(table, values)
        script = SCRIPT.format(table=table, small=", ".join(map(str, small)))
        done = subprocess.run(
            ["Rscript", "-e", script],
            cwd=folder, check=True, capture_output=True, text=True,
        )  # fmt: skip
    taken, version = {}, ""
    for line in done.stdout.splitlines():
        words = line.split()
        if words[:1] == ["H"]:
            taken[int(words[1])] = float(words[2])
        elif words[:1] == ["version"]:
            version = words[1]
    return taken, version


def ours(values: np.ndarray, jobs: int) -> float:
    """Return the seconds of one whole run of fc, the best of two."""
    best = np.inf
    for _ in range(2):
        began = time.perf_counter()
        choose_k(values, "fc", "hier-a", range(2, 31), jobs=jobs)
        best = min(best, time.perf_counter() - began)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("size", choices=SIZES)
    parser.add_argument("--small", type=int, nargs=2, default=[2, 6])
    parser.add_argument("--data", help="a folder of real files")
    given = parser.parse_args()
    if shutil.which("Rscript") is None:
        raise SystemExit("Rscript is not here: nothing to compare with")
    values = values_of(given.size, given.data)
    choose_k(values[:60], "fc", "hier-a", range(2, 5), repeats=3)
    one, all_cores = ours(values, 1), ours(values, 0)
    taken, version = peer(values, given.small)
    (h1, t1), (h2, t2) = sorted(taken.items())
    slope = (t2 - t1) / (h2 - h1)
    intercept = t1 - slope * h1
    there = intercept + 250 * slope
    print(f"{given.size}: ConsensusClusterPlus {version}, k up to 30")
    print(f"  H = {h1}: {t1:.1f} s; H = {h2}: {t2:.1f} s")
    print(f"  fitted: {intercept:.1f} s + {slope:.2f} s x H; H = 250: {there:.0f} s")
    for cores, seconds in (("one core", one), ("all cores", all_cores)):
        print(f"  stablek, {cores}: {seconds:.2f} s; factor {there / seconds:.0f}")


if __name__ == "__main__":
    main()
