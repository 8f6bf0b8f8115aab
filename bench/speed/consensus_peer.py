"""FC against ConsensusClusterPlus (R): two small H, intercept and slope, H = 250.

    python bench/speed/consensus_peer.py 702x72 [--small 2 6] [--data FOLDER]
    python bench/speed/consensus_peer.py 2329x139       (R takes about ten minutes)

Only its resampling is timed (``ccRun``), without the heat maps that it always draws and
the dendrograms of the consensus matrices. Part of that does not depend on the number of
resamplings H, so its time is a + b H: a and b are fitted from the two H, in seconds of
the processor, and both are printed with the factor at H = 250. Average linkage of
Euclidean distances, 80 % of the items, k up to 30. R runs on one core; stablek's whole
run is timed on one core, in seconds of the processor too.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from r_packages import missing, run_r
from sizes import SIZES, values_of

from stablek import choose_k

SCRIPT = """
suppressPackageStartupMessages(library(ConsensusClusterPlus))
d <- dist(as.matrix(read.table("x.tsv")))
for (H in c({counts})) {{
  set.seed(1)
  t <- system.time(found <- ConsensusClusterPlus:::ccRun(
    d = d, maxK = {top}, repCount = H, diss = TRUE, pItem = 0.8, pFeature = 1,
    innerLinkage = "average", distance = "euclidean", clusterAlg = "hc",
    weightsItem = NULL, weightsFeature = NULL, verbose = FALSE,
    corUse = "everything"))
  cat("H", H, t[["elapsed"]], t[["user.self"]], "\\n")
}}
cat("version", as.character(packageVersion("ConsensusClusterPlus")), "\\n")
"""


def peer(
    values: np.ndarray, counts: list[int], top: int = 30
) -> tuple[dict[int, tuple[float, float]], str]:
    """Return what ConsensusClusterPlus takes for each H, and its version.

    What it takes: seconds by the clock on the wall, and of the processor.
    """
    script = SCRIPT.format(counts=", ".join(map(str, counts)), top=top)
    *lines, (_, version) = run_r(script, values)
    return {
        int(words[1]): (float(words[2]), float(words[3]))
        for words in lines
        if words[:1] == ["H"]
    }, version


def ours(values: np.ndarray) -> float:
    """Return the processor seconds of one whole run of fc on one core, best of two."""
    best = np.inf
    for _ in range(2):
        began = time.process_time()
        choose_k(values, "fc", "hier-a", range(2, 31), jobs=1, repeats=250)
        best = min(best, time.process_time() - began)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("size", choices=SIZES)
    parser.add_argument("--small", type=int, nargs=2, default=[2, 6])
    parser.add_argument("--data", help="a folder of real files")
    given = parser.parse_args()
    why = missing("ConsensusClusterPlus")
    if why:
        raise SystemExit(why)
    values = values_of(given.size, given.data)
    choose_k(values[:60], "fc", "hier-a", range(2, 5), repeats=3)
    mine = ours(values)
    taken, version = peer(values, given.small)
    (h1, (_, t1)), (h2, (_, t2)) = sorted(taken.items())
    slope = (t2 - t1) / (h2 - h1)
    intercept = t1 - slope * h1
    there = intercept + 250 * slope
    print(f"{given.size}: ConsensusClusterPlus {version}, k up to 30")
    print(f"  H = {h1}: {t1:.1f} s; H = {h2}: {t2:.1f} s")
    print(f"  fitted: {intercept:.1f} s + {slope:.2f} s x H; H = 250: {there:.0f} s")
    print(f"  stablek, one core: {mine:.2f} s; factor {there / mine:.0f}")


if __name__ == "__main__":
    main()
