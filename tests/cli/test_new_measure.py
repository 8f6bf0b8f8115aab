"""The proof of the architecture: a new measure, made outside src, runs everywhere.

This module is imported by the command line as ``test_new_measure:halves``, and by
worker processes when they unpickle its ingredients.
"""

import json
import os
import runpy
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from stablek.cli import guarded
from stablek.cli.workflow import complete
from stablek.data import Sample
from stablek.measures import MEASURES
from stablek.measures.presets import preset_settings
from stablek.paradigm.card import card
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


@card("For this test.", "monti2003", thesis={"repeats": 7})
def thinned(*, repeats: int = 60) -> Measure:
    """Return agreement between two thinned samples: a new measure.

    It is made of one new ingredient and of old ones.
    """
    return halves().with_(stop=FixedRepeats(repeats))


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


#: Another process gives the command once for every backend.
ON_EVERY_BACKEND = """
import sys
from stablek.cli import guarded
for backend in ("serial", "threads", "processes"):
    if guarded([*sys.argv[1:], "--backend", backend]):
        raise SystemExit(f"{backend} failed")
    print(flush=True)
"""


def test_a_new_measure_runs_through_the_command_line_on_every_backend(table):
    here = str(Path(__file__).parent)
    paths = os.pathsep.join([here, *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [
            sys.executable, "-c", ON_EVERY_BACKEND, "run", str(table), "-k", "2:7",
            "--json", "-m", "test_new_measure:halves", "-a", "kmeans-w", "--jobs", "2",
        ],
        capture_output=True, text=True, timeout=240, check=False,
        env={**os.environ, "PYTHONPATH": paths},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    answers = map(json.loads, done.stdout.split("\n\n")[:3])
    serial, threads, processes = (
        {name: value for name, value in answer.items() if name != "seconds"}
        for answer in answers
    )
    assert serial["k_star"] == 4
    assert serial["measure"] == "thinned"
    assert serial == threads == processes


def test_one_file_and_one_line_of_the_registry_are_all_it_needs(
    table, monkeypatch, capsys
):
    """What commands, presets and citations know of it stands beside it."""
    monkeypatch.setitem(MEASURES, "thinned", thinned)

    def told(*arguments):
        assert guarded(list(arguments)) == 0
        return capsys.readouterr().out

    assert "thinned" in json.loads(told("measures", "--json"))
    explained = json.loads(told("explain", "thinned", "--json"))
    assert explained["title"] == "agreement between two thinned samples: a new measure"
    assert explained["when to use"] == "For this test."
    assert explained["settings"] == {"repeats": "60"}
    assert "60 repeats; each clusters 2 samples" in explained["cost"]
    assert told("cite", "thinned").startswith("@article{monti2003")
    assert preset_settings("thesis", "thinned") == {"repeats": 7}
    assert complete("measure")(None, None, "thin") == ["thinned"]
    few = ("-k", "2:7", "-a", "kmeans-w", "-q")
    found = json.loads(told("run", str(table), "-m", "thinned", "--json", *few))
    assert (found["k_star"], found["measure"]) == (4, "thinned")
    both = told("compare", str(table), "-m", "thinned,fc", "--repeats", "20", *few)
    assert [line.split()[0] for line in both.splitlines()[1:3]] == ["thinned", "fc"]
    maker = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "make_cli.py"))
    row = "| [`thinned`](thinned.md) | agreement between two thinned samples"
    assert row in maker["measures_page"]()
