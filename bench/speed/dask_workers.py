"""What a Dask cluster costs and gives: a verdict and fc on 1, 2 and 4 workers.

    python bench/speed/dask_workers.py [--items 2000] [--rounds 3]

Prints the seconds of every turn and a table of the best, the bytes that go out and come
back per task, and how many tasks a second the scheduler takes; from these follows what
many workers would do.
"""

from __future__ import annotations

import argparse
import pickle
import time

import numpy as np

import stablek
from stablek.api.verdict_plan import verdict_parts
from stablek.engine.execution import dask_cluster
from stablek.engine.execution.execute import Execution
from stablek.engine.plan import Plan, sections
from stablek.engine.steps import carry_out

WORKERS = (1, 2, 4)


def blobs(n: int, m: int = 50) -> np.ndarray:
    """Return n items in four groups."""
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(4, m)) * 3
    return centres[np.arange(n) % 4] + rng.normal(size=(n, m))


def bytes_moved(values: np.ndarray) -> None:
    """Print the bytes of every plan, which go once per worker, and of its tasks."""
    for part in verdict_parts(values, repeats=40, null_sets=49):
        plan: Plan = part.plan
        plan.clusterer.prepare(plan.data)
        light = dask_cluster.light(plan)
        for what, tasks, model in sections(plan, part.nulls):
            carry_out(plan, tasks[0], model)  # compiles
            began = time.perf_counter()
            back = carry_out(plan, tasks[0], model)
            took = time.perf_counter() - began
            print(
                f"{part.name:28s} {what:24s} {len(tasks):4d} tasks, "
                f"{len(pickle.dumps((light, model))):9,d} B once per worker, "
                f"{len(pickle.dumps(tasks[0])):5,d} B out and "
                f"{len(pickle.dumps(back)):7,d} B back per task, {took:.3f} s"
            )


def scheduler_pace(workers: int, count: int = 2000) -> float:
    """Return how many empty tasks a second go through the scheduler."""
    client = dask_cluster._client(None, workers)
    client.gather(client.map(_nothing, range(10), pure=False))
    began = time.perf_counter()
    client.gather(client.map(_nothing, range(count), pure=False))
    return count / (time.perf_counter() - began)


def _nothing(number: int) -> int:
    return number


def main() -> None:
    """Measure, and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--items", type=int, default=2000)
    options.add_argument("--rounds", type=int, default=3)
    given = options.parse_args()
    values = blobs(given.items)
    bytes_moved(values)
    answers = set()
    best: dict[tuple[str, int], float] = {}
    for turn in range(given.rounds):
        for workers in WORKERS:
            dask_cluster.dask_workers(Execution(workers, "dask"))  # started, not timed
            if turn == 0:
                pace = scheduler_pace(workers)
                print(
                    f"{workers} worker(s): {pace:,.0f} empty tasks a second", flush=True
                )
            for name, ask in {
                "verdict": lambda w: stablek.verdict(values, backend="dask", jobs=w),
                "fc": lambda w: stablek.choose_k(
                    values, "fc", "kmeans-r", range(2, 16), backend="dask", jobs=w
                ),
            }.items():
                began = time.perf_counter()
                answers.add((name, ask(workers).to_json()))
                took = time.perf_counter() - began
                best[name, workers] = min(took, best.get((name, workers), np.inf))
                print(f"{workers} worker(s), {name}: {took:.2f} s", flush=True)
            dask_cluster._client(None, workers).shutdown()
            dask_cluster._client.cache_clear()
    print("the same bits everywhere:", len(answers) == 2)
    print(f"| {given.items} x 50 | {' | '.join(f'{w} worker(s)' for w in WORKERS)} |")
    print("|---" * (len(WORKERS) + 1) + "|")
    for name in ("verdict", "fc"):
        times = (f"{best[name, w]:.1f} s" for w in WORKERS)
        print(f"| {name} | {' | '.join(times)} |")


if __name__ == "__main__":
    main()
