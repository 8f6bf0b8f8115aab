"""Choose the constant of Brunet's rule on simulated mixtures and nulls.

    python benchmarks/cophenetic_fall.py [--seeds 3]

k* is the smallest k after which the cophenetic correlation falls by more than a
constant. Restarts of kmeans-r (measure brunet) and subsamples (fc) are tried.
"""

from __future__ import annotations

import argparse
from collections import defaultdict

import numpy as np

from stablek.choose import choose_k
from stablek.contracts import Curve, Facts
from stablek.datasets import mixture
from stablek.significance.extremes import StartsToFall

FALLS = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1)
CASES = (("brunet", "kmeans-r"), ("fc", "kmeans-w"), ("fc", "hier-a"))
KS = range(2, 13)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    given = parser.parse_args()
    hits = defaultdict(list)
    for seed in range(given.seeds):
        for flavour in ("equal", "unequal", "noise"):
            for k in (2, 3, 5, 8):
                made = mixture(flavour, k, 20, 1000 + seed, bayes_error=0.01)
                for case in CASES:
                    found = choose_k(made.values, *case, KS, repeats=50)
                    rho = found.columns["cophenetic"]
                    curve = Curve(found.ks, {"cophenetic": rho}, "cophenetic")
                    facts = Facts(n=made.values.shape[0], m=20, ks=found.ks, asked=KS)
                    for fall in FALLS:
                        answer = StartsToFall(fall=fall)(curve, None, facts).k_star
                        hits[case, fall].append(answer == k)
    print("| fall | " + " | ".join(" ".join(case) for case in CASES) + " |")
    print("|---" * (len(CASES) + 1) + "|")
    for fall in FALLS:
        cells = [f"{100 * np.mean(hits[case, fall]):.0f}" for case in CASES]
        print(f"| {fall:g} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
