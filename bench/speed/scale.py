"""Speed and size: time, peak memory, and the k that was found.

    python bench/speed/scale.py [items|million|growth|dask ...]
    python bench/speed/scale.py growth --plot docs/growth.png
    python bench/speed/consensus_peer.py 702x72           ConsensusClusterPlus, apart

Every figure is taken in a process of its own, so that its peak memory is its own, and
after a small run of the same kind, so that nothing is compiled while the clock runs.
Load on the machine is printed with it: compare figures of one run.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

import numpy as np

from stablek.api.choose_k import choose_k
from stablek.data import from_arrays
from stablek.machine.memory import peak_memory

FIGURES = {
    "items": {"n": 100_000, "m": 50, "true": 7, "last": 15, "repeats": 50},
    "million": {"n": 1_000_000, "m": 20, "true": 5, "last": 10, "repeats": 25},
}
LIMITS = {"items": (180, 2000), "million": (360, 4000)}
GROWTH = (25_000, 50_000, 100_000, 200_000)


def mixture(n: int, m: int, k: int) -> np.ndarray:
    """Return n items of k normal clusters of about equal sizes, in m columns.

    Two centres are about 8 standard deviations apart whatever m.
    """
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(k, m)) * 6 / np.sqrt(m)
    labels = rng.integers(k, size=n)
    values = rng.normal(size=(n, m))
    values += centres[labels]
    return values


def one(n: int, m: int, true: int, last: int, repeats: int, **how: object) -> dict:
    """Run fc with kmeans-mb once, here; return what it took and found."""
    choose_k(mixture(12_000, m, true), "fc", "kmeans-mb", range(2, 5), repeats=3)
    data = from_arrays(mixture(n, m, true))
    began, used = time.perf_counter(), time.process_time()
    result = choose_k(
        data, "fc", "kmeans-mb", range(2, last + 1), repeats=repeats, **how
    )
    return {
        "seconds": time.perf_counter() - began,
        "cpu": time.process_time() - used,
        "peak_mb": peak_memory() / 10**6,
        "k": result.k_star,
        "true": true,
    }


def apart(what: dict) -> dict:
    """Run :func:`one` in a process of its own."""
    found = subprocess.run(
        [sys.executable, __file__, "--one", json.dumps(what)],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    return json.loads(found.stdout)


def show(name: str, what: dict, got: dict) -> None:
    size = f"{what['n']:,} x {what['m']}, k = 2..{what['last']}, H = {what['repeats']}"
    print(
        f"{name:8} {size}: {got['seconds']:.1f} s ({got['cpu']:.1f} s of processor), "
        f"peak {got['peak_mb']:,.0f} MB, k* = {got['k']} (true {got['true']})",
        flush=True,
    )


def large(name: str) -> None:
    """Print one of the large figures beside its limits."""
    got = apart(FIGURES[name])
    show(name, FIGURES[name], got)
    seconds, memory = LIMITS[name]
    print(f"         limits: {seconds} s, {memory:,} MB")


def growth(plot: str | None = None) -> None:
    """Print how time grows when the items double; draw it, if asked."""
    found = []
    for n in GROWTH:
        what = {**FIGURES["million"], "n": n}
        found.append(apart(what))
        show("growth", what, found[-1])
        if len(found) > 1:
            wall, used = (found[-1][u] / found[-2][u] for u in ("seconds", "cpu"))
            print(
                f"         doubled: {wall:.2f} x the time, {used:.2f} x the processor "
                "(limit 2.3)"
            )
    if plot:
        draw([got["seconds"] for got in found], [got["cpu"] for got in found], plot)


def draw(seconds: list[float], cpu: list[float], path: str) -> None:
    """Draw time over items, both axes logarithmic, beside growth in proportion."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(5, 3.4))
    axes.loglog(GROWTH, seconds, "o-", label="elapsed")
    axes.loglog(GROWTH, cpu, "s-", label="processor time")
    line = [cpu[-1] * n / GROWTH[-1] for n in GROWTH]
    axes.loglog(GROWTH, line, "k:", label="in proportion to n")
    axes.set_xticks(GROWTH, [f"{n // 1000},000" for n in GROWTH])
    axes.set_yticks([0.5, 1, 2, 4, 8], ["0.5", "1", "2", "4", "8"])
    axes.minorticks_off()
    axes.set(xlabel="items", ylabel="seconds")
    axes.legend(frameon=False)
    figure.savefig(path, dpi=110, bbox_inches="tight")


def dask(repeats: int = 250, rounds: int = 3) -> None:
    """Print two Dask workers against one, on the size of PBM with kmeans-r.

    The two take turns, and the best of each counts: other work comes and goes.
    """
    from stablek.datasets.simulated import pbm_sized
    from stablek.engine.execution import dask_cluster as cluster_backend
    from stablek.engine.execution.execute import Execution

    data = from_arrays(pbm_sized().values)
    taken: dict[int, list[float]] = {1: [], 2: []}
    for workers in taken:
        cluster_backend.dask_workers(Execution(workers, "dask"))  # started, not timed
    for again in range(rounds + 1):
        for workers, times in taken.items():
            began = time.perf_counter()
            choose_k(
                data, "fc", "kmeans-r", range(2, 31), backend="dask", jobs=workers,
                repeats=repeats if again else 12,
            )  # fmt: skip
            if again:  # the first round compiles in the workers
                times.append(time.perf_counter() - began)
                print(f"dask     {workers} worker(s): {times[-1]:.1f} s", flush=True)
    ratio = min(taken[1]) / min(taken[2])
    print(f"         two against one: {ratio:.2f} x (wanted 1.7)")


def main(wanted: list[str], plot: str | None) -> None:
    load = ", ".join(f"{x:.1f}" for x in os.getloadavg())
    print(f"{os.cpu_count()} cores, load {load}")
    others = {"growth": lambda: growth(plot), "dask": dask}
    for name in wanted or [*FIGURES, *others]:
        if name in FIGURES:
            large(name)
        else:
            others[name]()


if __name__ == "__main__":
    import argparse

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wanted", nargs="*", help="which figures; all if none is named")
    parser.add_argument("--plot", help="draw the growth into this file")
    parser.add_argument("--one", type=json.loads, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(json.dumps(one(**given.one)))
    else:
        main(given.wanted, given.plot)
