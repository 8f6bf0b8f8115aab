"""FC with an adaptive number of repeats: its cost beside WCSS, and its answers.

    python bench/speed/adaptive.py cost [--data FOLDER]
    python bench/speed/adaptive.py answers [--data FOLDER] [--seeds 10]
    python bench/speed/adaptive.py fresh [--seeds 5] [--from 7000]

"cost": on 57 x 200, 702 x 72 and 2329 x 139, k = 2..30, all cores: WCSS with K-means
started from complete linkage (the cheapest measure of the thesis that works), FC with
average linkage and adaptive repeats, and FC with 250. The three take turns; the best
of the rounds counts. With --data the two smaller sizes are the real files.

"answers": the k of adaptive repeats beside that of 250, for several seeds, on every
simulated set and every file of the folder. Where 250 repeats do not agree between
seeds it is a tie. 250 repeats begin with those an adaptive run saw, so the adaptive
answer is read from the same run.

"fresh": the same on 72 sets that no choice was made on: mixtures of 2 to 12 clusters of
four shapes, close together and far apart, and noise of three kinds, of 40 to 300 items
in 2 to 60 columns. --from is the seed of the first set.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from sizes import SIZES, values_of

from stablek.api.choose_k import choose_k, request
from stablek.data import Dataset, from_arrays
from stablek.datasets import SIMULATED, available, load_folder
from stablek.engine.steps import curve_of
from stablek.paradigm.contracts import Curve

#: Seconds in the thesis (one core of 2008): WCSS with K-means-C, FC and Consensus with
#: Hier-A, H = 250. It timed WCSS on no larger set.
THESIS = {
    "57x200": (5.0, 70.0, 2000.0),
    "702x72": (None, 1500.0, None),
    "2329x139": (None, 42000.0, None),
}


def timed(work) -> tuple[float, float, object]:
    began, used = time.perf_counter(), time.process_time()
    result = work()
    return time.perf_counter() - began, time.process_time() - used, result


def cost(folder: str | None = None, rounds: int = 5) -> None:
    """Print the table of costs."""
    print(
        "milliseconds elapsed (of the processor); the ratio of both\n"
        "size      WCSS kmeans-c      FC adaptive        ratio        FC 250"
        "           repeats   k*  k* of 250"
    )
    for size in SIZES:
        values = values_of(size, folder)
        ways = (
            ("wcss", "kmeans-c", {}),
            ("fc", "hier-a", {"adaptive": True}),
            ("fc", "hier-a", {"repeats": 250}),
        )
        best = np.full((3, 2), np.inf)
        found = [None] * 3
        for turn in range(rounds + 1):
            for i, (measure, algorithm, settings) in enumerate(ways):
                # A new data set every time: no one finds the distances ready.
                *taken, found[i] = timed(
                    lambda m=measure, a=algorithm, s=settings, v=values: choose_k(
                        from_arrays(v), m, a, range(2, 31), **s
                    )
                )
                if turn:  # the first turn compiles
                    best[i] = np.minimum(best[i], taken)
        wcss, early, whole = (
            f"{1e3 * wall:8.1f} ({1e3 * cpu:7.1f})" for wall, cpu in best
        )
        wall, cpu = best[1] / best[0]
        print(
            f"{size:9} {wcss}  {early}  {wall:5.1f} ({cpu:4.1f})  {whole}"
            f" {found[1].facts['repeats']:6d} {found[1].k_star:7}"
            f" {found[2].k_star:6}",
            flush=True,
        )
    print("goal: a ratio of at most 3, k* as with 250. In the thesis:")
    for size, (wcss, fc, consensus) in THESIS.items():
        parts = [f"FC {fc:,.0f} s"]
        if wcss:
            parts.append(f"WCSS {wcss:g} s, {fc / wcss:.0f} times")
            parts.append(f"Consensus {consensus:,.0f} s, {consensus / wcss:.0f} times")
        print(f"{size:9} " + "; ".join(parts))


def sets(folder: str | None) -> dict[str, np.ndarray]:
    """Return every set: the simulated ones, then the files of the folder."""
    found = {name: np.array(make().values) for name, make in SIMULATED.items()}
    for name in available(folder) if folder else ():
        if not name.endswith("_full"):
            values = np.array(load_folder(name, folder).values)
            if np.isfinite(values).all():
                found[f"{name} (real)"] = values
    return found


def both_answers(data: Dataset, seed: int) -> tuple[int | None, int | None, int]:
    """Return k* of 250 repeats, k* of adaptive ones, and how many these were."""
    ks = range(2, min(30, int(np.ceil(0.8 * data.n)) - 1) + 1)
    whole = choose_k(data, "fc", "hier-a", ks, seed=seed, repeats=250)
    plan = request(data, "fc", "hier-a", ks, seed=seed, adaptive=True).plan
    stop = plan.measure.stop
    for count in stop.counts:
        cube = whole.cube.first(count)
        last = count == stop.counts[-1]
        if last or stop.enough(cube, plan.asked):
            curve: Curve = curve_of(plan, cube)
            if last or stop.confirms(curve, plan.facts(count)):
                break
    early = plan.measure.significance(curve, None, plan.facts(count))
    return whole.k_star, early.k_star, count


def answers(every: dict[str, np.ndarray], seeds: int = 10) -> None:
    """Print, for every set, the answers of both over the seeds."""
    print("set                    k* of 250       the same   repeats (median)")
    same_all, all_runs, ties, same_tied, tied_runs = 0, 0, 0, 0, 0
    taken = []
    for name, values in every.items():
        data = from_arrays(values)
        runs = [both_answers(data, s) for s in range(seeds if data.n < 2000 else 3)]
        whole = sorted({k for k, _, _ in runs})
        same = sum(k == early for k, early, _ in runs)
        tie = len(whole) > 1
        ties += tie
        if tie:
            same_tied, tied_runs = same_tied + same, tied_runs + len(runs)
        else:
            same_all, all_runs = same_all + same, all_runs + len(runs)
        taken += [h for *_, h in runs]
        print(
            f"{name:26} {', '.join(map(str, whole)):14} {same:3} of {len(runs)}"
            f"{' (tie)' if tie else '      '} {np.median([h for *_, h in runs]):8.0f}",
            flush=True,
        )
    at_once = np.mean(np.equal(taken, 24))
    print(
        f"without ties: {same_all} of {all_runs} the same. {ties} of {len(every)} sets "
        f"are ties: there {same_tied} of {tied_runs} as 250 repeats of the same seed. "
        f"Repeats: {np.mean(taken):.0f} on average, 24 in {at_once:.0%} of the runs"
    )


#: Items, columns, clusters of the fresh mixtures.
SHAPES = (
    (40, 30, 2),
    (60, 5, 3),
    (80, 60, 4),
    (120, 2, 5),
    (200, 12, 8),
    (300, 20, 12),
)
CLOUDS = ("round", "unequal", "long", "heavy")


def fresh_mixture(
    n: int, m: int, k: int, cloud: str, apart: float, seed: int
) -> np.ndarray:
    """Return k clusters whose centres are about ``apart`` standard deviations apart.

    "unequal": sizes from 1 to 4; "long": three times as wide along a direction of
    their own; "heavy": Student's t with 4 degrees of freedom.
    """
    rng = np.random.default_rng(seed)
    share = np.geomspace(1, 4, k) if cloud == "unequal" else np.ones(k)
    labels = rng.choice(k, size=n, p=share / share.sum())
    centres = rng.normal(size=(k, m)) * apart / np.sqrt(2 * m)
    items = rng.normal(size=(n, m))
    if cloud == "heavy":
        items *= np.sqrt(4 / rng.chisquare(4, size=(n, 1)))
    if cloud == "long":
        along = rng.normal(size=(k, m))
        along /= np.linalg.norm(along, axis=1, keepdims=True)
        items += 2 * rng.normal(size=(n, 1)) * along[labels]
    return centres[labels] + items


def fresh_noise(n: int, m: int, kind: str, seed: int) -> np.ndarray:
    """Return one cloud: normal, uniform, or normal with correlated columns."""
    rng = np.random.default_rng(seed)
    if kind == "uniform":
        return rng.random((n, m))
    items = rng.normal(size=(n, m))
    if kind == "correlated":
        items = items @ rng.normal(size=(m, m))
    return items


def fresh_sets(first: int) -> dict[str, np.ndarray]:
    """Return the fresh sets; the seed of a set is ``first`` plus its number."""
    found: dict[str, np.ndarray] = {}
    for n, m, k in SHAPES:
        for cloud in CLOUDS:
            for apart in (5.0, 10.0):
                name = f"{n}x{m}, {k} {cloud}, {apart:g}"
                seed = first + len(found)
                found[name] = fresh_mixture(n, m, k, cloud, apart, seed)
    for n, m, _ in SHAPES:
        for kind in ("normal", "uniform", "correlated"):
            seed = first + len(found)
            found[f"{n}x{m}, {kind} noise"] = fresh_noise(n, m, kind, seed)
    for cloud in CLOUDS[:3]:  # two levels of nearness: pairs of clusters
        for n, m, k in SHAPES[2:4]:
            seed = first + len(found)
            near = fresh_mixture(n, m, k, cloud, 4.0, seed)
            pair = np.random.default_rng([seed, 1]).integers(2, size=n)
            near[:, 0] += 12.0 * pair
            found[f"{n}x{m}, 2 x {k} {cloud}"] = near
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="+", choices=["cost", "answers", "fresh"])
    parser.add_argument("--data", help="a folder of real files")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--from", type=int, default=7000, dest="first")
    given = parser.parse_args()
    if "cost" in given.what:
        cost(given.data)
    if "answers" in given.what:
        answers(sets(given.data), given.seeds)
    if "fresh" in given.what:
        answers(fresh_sets(given.first), given.seeds)


if __name__ == "__main__":
    main()
