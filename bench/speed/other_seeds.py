"""Would another seed choose another k? What a run says, beside runs with other seeds.

    python bench/speed/other_seeds.py [--seeds 6] [--from 110000]

On the 72 sets of `adaptive.py fresh`: fc with hier-a and 250 repeats is run with
several seeds. Each run tells how many of 40 simulated runs choose another k than it
does; beside it stands the share of the true runs, those with the other seeds, that do.
"""

from __future__ import annotations

import argparse
from itertools import pairwise

import numpy as np
from adaptive import fresh_sets

from stablek.api.choose_k import choose_k
from stablek.data import from_arrays

BORDERS = (0.0, 0.001, 0.1, 0.3, 0.6, 1.001)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--from", type=int, default=110_000, dest="first")
    given = parser.parse_args()
    said, true = [], []
    for values in fresh_sets(given.first).values():
        data = from_arrays(values)
        ks = range(2, min(30, int(np.ceil(0.8 * data.n)) - 1) + 1)
        runs = [choose_k(data, "fc", "hier-a", ks, seed=s) for s in range(given.seeds)]
        chosen = np.array([run.k_star for run in runs])
        for run in runs:
            others = run.facts["other_seeds"]
            said.append(1 - others.get(str(run.k_star), 0) / sum(others.values()))
            true.append((chosen != run.k_star).sum() / (given.seeds - 1))
    shares, truth = np.array(said), np.array(true)
    print("simulated runs that choose otherwise   runs   true runs that do")
    for low, high in pairwise(BORDERS):
        some = (shares >= low) & (shares < high)
        label = (
            "none" if high < 0.01 else f"{max(low, 0.025):.1%} to {min(high, 1):.0%}"
        )
        mean = f"{truth[some].mean():.1%}" if some.any() else "-"
        print(f"{label:38} {some.sum():5} {mean:>19}", flush=True)
    flips = truth > 0
    print(
        f"{flips.mean():.0%} of {len(truth)} runs are contradicted by another seed; "
        f"{(shares[flips] > 0).mean():.0%} of these say so, and "
        f"{(shares[~flips] > 0).mean():.0%} of those that are not"
    )


if __name__ == "__main__":
    main()
