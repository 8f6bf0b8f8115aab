"""A rule that reads PAC first: when it has enough repeats, and what other seeds say."""

import numpy as np
import pytest

from stablek import choose_k
from stablek.measures.consensus import COUNTS, fc
from stablek.paradigm.contracts import Curve, Facts
from stablek.paradigm.cube import PartitionCube
from stablek.paradigm.significance.area import clear_k, clear_ks
from stablek.paradigm.significance.votes import ClearFirst
from stablek.paradigm.statistic.comembership import CoMembership
from stablek.paradigm.statistic.continuation import block_sizes, weighted_pacs
from stablek.paradigm.stop import Settled, other_runs
from stablek.paradigm.synopsis import consensus_distribution
from stablek.testing import some_data

KS = tuple(range(2, 7))


def noise_cube(repeats: int = 60, n: int = 30) -> PartitionCube:
    noise = np.random.default_rng(3).normal(size=(n, 3))
    cube = choose_k(noise, "fc", "kmeans-a", KS, repeats=repeats).cube
    assert cube is not None
    return cube


def pac_of(cube: PartitionCube, times: np.ndarray) -> np.ndarray:
    """Count pairs one by one, repeat h taken ``times[h]`` times."""
    found = []
    for column in range(len(cube.ks)):
        labels = np.repeat(cube.labels[:, column, 0], times, axis=0)
        m = []
        for i in range(cube.n):
            for j in range(i):
                both = (labels[:, i] != 255) & (labels[:, j] != 255)
                same = both & (labels[:, i] == labels[:, j])
                if both.any():
                    m.append(same.sum() / both.sum())
        found.append(np.mean((np.array(m) > 0.1) & (np.array(m) < 0.9)))
    return np.array(found)


def test_pac_of_weighted_blocks_is_that_of_repeats_taken_so_often() -> None:
    cube = noise_cube()
    sizes = block_sizes(60)
    assert sizes.sum() == 60
    times = np.array([np.ones(25), np.arange(25) % 3 + 1])
    found = weighted_pacs(cube, times)
    for row, one in zip(found, times.astype(int), strict=True):
        assert row == pytest.approx(pac_of(cube, np.repeat(one, sizes)), abs=1e-12)
    pairs = CoMembership(cophenetic=False).collect(cube, None)  # type: ignore[arg-type]
    facts = Facts(n=30, m=3, ks=cube.ks, asked=KS, repeats=60)
    assert found[0] == pytest.approx(
        consensus_distribution(pairs, facts).columns["pac"]
    )


def test_the_clear_ks_of_many_curves_are_those_of_each() -> None:
    """Oracle: the definition, one k after another."""
    rng = np.random.default_rng(0)
    pacs = rng.choice([0.0, 0.01, 0.03, 0.05, 0.06, 0.2], (400, len(KS)))
    facts = Facts(n=30, m=3, ks=KS, asked=KS[:-1])
    found = clear_ks(pacs, KS, facts)
    for row, k in zip(pacs, found, strict=True):
        best, clear = 2.0, None
        for i in range(len(KS) - 1):
            rise = (0.002 + row[i + 1 :].min()) / (0.002 + row[i])
            if row[i] <= 0.05 and rise >= best:
                best, clear = rise, KS[i]
        assert (
            (int(k) or None) == clear == clear_k(Curve(KS, {"pac": row}, "pac"), facts)
        )
    assert len(set(found.tolist())) > 3
    assert clear_ks(np.zeros((2, 1)), (2,), facts).tolist() == [0, 0]


def test_pac_decides_for_other_seeds_where_it_decides_for_this_one() -> None:
    data = some_data(60, 6, 3)
    result = choose_k(data, "fc", "kmeans-w", range(2, 9), seed=1)
    assert result.k_star == 3
    assert result.facts["other_seeds"] == {"3": 40}
    assert result.facts["repeats"] == COUNTS[0]


def test_a_run_by_pac_continues_while_seeds_might_disagree() -> None:
    noise = np.random.default_rng(8).normal(size=(40, 4))
    result = choose_k(noise, "fc", "kmeans-a", range(2, 9))
    assert result.facts["repeats"] > COUNTS[0]
    cube = noise_cube(250, 40)
    facts = Facts(n=40, m=3, ks=cube.ks, asked=KS, repeats=250)
    assert sum(other_runs(ClearFirst(), cube, facts).values()) == 40


def test_by_default_k_means_has_the_repeats_of_trees() -> None:
    own, trees = fc(rule="clear").stop, fc().stop
    assert isinstance(own, Settled)
    assert isinstance(trees, Settled)
    assert (own.counts, own.work) == (trees.counts, trees.work)
