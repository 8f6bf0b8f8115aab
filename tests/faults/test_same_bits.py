"""The same bits with one worker, two threads, two processes, Dask, and after a kill.

The ordinary suite runs a pairwise cover; STABLEK_TEST_FULL=1 (``.ci/full``) every
measure with every algorithm, in every way.
"""

import importlib.util
import os
from pathlib import Path

import pytest
from combinations import FULL, groups, pairs, small

from stablek.api.choose_k import choose_k
from stablek.data import from_arrays
from stablek.io.store.folder import RunFolder
from stablek.io.store.manifest import manifest_of

DATA = from_arrays(groups(24, 3))
KS = range(2, 5)
WAYS = ["threads", "resumed"]
if FULL:
    WAYS += ["processes"]
    WAYS += ["dask"] if importlib.util.find_spec("distributed") else []


class Killed(BaseException):
    """Stops a run where nothing expects it."""


def undisturbed(measure, algorithm, **how):
    return choose_k(DATA, measure, algorithm, KS, **how, **small(measure)).to_json()


def resumed(measure, algorithm, folder):
    """Stop the run after its first, second, third ... batch; then let it finish."""
    for last in (1, 2, 3, 1000):
        seen = 0

        def watch(what, done, total, last=last):
            nonlocal seen
            seen += done > 0
            if seen > last:
                raise Killed

        try:
            with RunFolder(folder, manifest_of(DATA, {})) as kept:
                return undisturbed(
                    measure, algorithm, backend="serial", journal=kept.journal(),
                    watch=watch if last < 1000 else None,
                )  # fmt: skip
        except Killed:
            continue
    raise AssertionError


@pytest.mark.parametrize("way", WAYS)
def test_the_bits_are_the_same_in_every_way_of_running(
    way, tmp_path, monkeypatch, tally
):
    monkeypatch.setattr("stablek.engine.execution.execute.BATCH_SECONDS", 1e-9)
    monkeypatch.setattr("stablek.engine.execution.execute.WORTHWHILE", 0.0)
    lines = []
    for measure, algorithm in pairs(WAYS.index(way)):
        one = undisturbed(measure, algorithm, backend="serial")
        if way == "resumed":
            two = resumed(measure, algorithm, tmp_path / f"{measure}-{algorithm}")
        else:
            two = undisturbed(measure, algorithm, jobs=2, backend=way)
        assert one == two, (measure, algorithm)
        tally("bits compared", 8 * len(one))
        lines.append(f"{measure}\t{algorithm}\t{way}\tsame\t{8 * len(one)}")
    if os.environ.get("STABLEK_TABLE"):
        with Path(os.environ["STABLEK_TABLE"]).open("a") as file:
            file.write("\n".join(lines) + "\n")
