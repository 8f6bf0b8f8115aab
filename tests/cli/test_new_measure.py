"""The proof of the architecture: a new measure, made outside src, runs everywhere.

This module is imported by the command line as ``test_new_measure:halves``, and by
worker processes when they unpickle its ingredients.
"""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from stablek.data import Sample
from stablek.paradigm.contracts import Curve, Decision
from stablek.paradigm.measure import Measure
from stablek.paradigm.statistic.agreement import Agreement
from stablek.paradigm.stop import FixedRepeats
from stablek.paradigm.synopsis import mean_value


@dataclass(frozen=True)
class Thinned:
    """A new ingredient: a random share of the items, at least two thirds."""

    def draw(self, data, rng, repeat):
        size = self.size(data.n) + int(rng.integers(data.n // 10 + 1))
        return Sample(data, np.sort(rng.permutation(data.n)[:size]))

    def size(self, n):
        return -(-2 * n // 3)


def highest(curve: Curve, nulls, facts) -> Decision:
    """Take the k with the highest mean agreement; the largest of equals."""
    values = np.round(curve.values, 9)
    k = max(k for k, v in zip(curve.ks, values, strict=True) if v == values.max())
    return Decision(
        k, "the highest mean agreement", f"mean agreement {values.max():.3f}"
    )


def halves() -> Measure:
    """Return agreement between two thinned samples."""
    return Measure(
        name="thinned",
        perturb=(Thinned(), Thinned()),
        collect=Agreement("adj"),
        stop=FixedRepeats(60),
        synopsis=mean_value,
        significance=highest,
        share_samples=True,
    )


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    rng = np.random.default_rng(1)
    values = rng.normal(size=(4, 5))[np.arange(80) % 4] * 9 + rng.normal(size=(80, 5))
    path = tmp_path_factory.mktemp("new") / "blobs.csv"
    np.savetxt(path, values, delimiter=",", header="a,b,c,d,e", comments="")
    return path


def run(table, backend):
    here = str(Path(__file__).parent)
    paths = os.pathsep.join([here, *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [
            sys.executable, "-m", "stablek", "run", str(table), "-k", "2:7", "--json",
            "-m", "test_new_measure:halves", "-a", "kmeans-w", "--jobs", "2",
            "--backend", backend,
        ],
        capture_output=True, text=True, timeout=240, check=False,
        env={**os.environ, "PYTHONPATH": paths},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    found.pop("seconds")
    return found


def test_a_new_measure_runs_through_the_command_line_on_every_backend(table):
    serial, threads, processes = (
        run(table, backend) for backend in ("serial", "threads", "processes")
    )
    assert serial["k_star"] == 4
    assert serial["measure"] == "thinned"
    assert serial == threads == processes
