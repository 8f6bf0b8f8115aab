"""Rare groups in data of which a part is judged."""

from __future__ import annotations

import numpy as np
import pytest

import stablek
from stablek.data.seeds import Streams
from stablek.datasets.nulls import null_set
from stablek.panel import far_groups as module
from stablek.panel.far_groups import chance, far_groups, valley_of
from stablek.panel.surroundings import Surroundings, distances, steps_of

N = 20_000


def clusters_and(sizes, m=5, n=N, seed=0, apart=8.0):
    """Return two clusters and small groups, each apart along an axis of its own."""
    rng = np.random.default_rng(seed)
    which = rng.integers(0, 2, n)
    for g, size in enumerate(sizes):
        which[g * 1000 : g * 1000 + size] = 2 + g
    centres = np.zeros((2 + len(sizes), m))
    centres[1:] = apart * np.eye(m)[: 1 + len(sizes)]
    return rng.normal(size=(n, m)) + centres[which], which


def groups_in(values, part_of, seed=0):
    drawn = np.sort(np.random.default_rng(seed).permutation(len(values))[:2500])
    around = Surroundings.of(values[drawn], part_of(drawn))
    return far_groups(values, around, Streams(seed, ("rare",)))


@pytest.mark.parametrize("m", [3, 20])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_group_of_half_a_percent_is_found_item_by_item(m, seed):
    values, which = clusters_and([100], m, seed=seed)
    found = groups_in(values, lambda rows: np.minimum(which[rows], 1))
    assert found.max() == 1
    assert (found[which == 2] == 1).mean() > 0.9
    assert (which[found == 1] == 2).mean() > 0.95


def test_several_groups_are_numbered_by_size():
    values, which = clusters_and([80, 200])
    found = groups_in(values, lambda rows: np.minimum(which[rows], 1))
    assert found.max() == 2
    assert (found[which == 3] == 1).mean() > 0.9
    assert (found[which == 2] == 2).mean() > 0.9


@pytest.mark.parametrize(
    "kind", ["gaussian", "heavy", "skewed", "elliptical-t5", "factor", "correlated"]
)
@pytest.mark.parametrize("m", [2, 10])
def test_no_tail_is_a_group(kind, m):
    values = null_set(kind, N, m, seed=5).values
    assert not groups_in(values, lambda rows: np.zeros(len(rows), np.int64)).any()


def test_the_steps_of_a_count_are_no_gaps():
    counts = np.random.default_rng(0).poisson([0.02, 0.05, 0.3], (N, 3)).astype(float)
    assert (steps_of(counts[:2500]) == 1).all()
    assert not groups_in(counts, lambda rows: np.zeros(len(rows), np.int64)).any()


def test_a_valley_that_only_one_half_has_is_none(monkeypatch):
    # Items that one half holds alone cannot be told from those picked by chance.
    monkeypatch.setattr(module, "matched", lambda one, other, centres: (one, one))
    values, which = clusters_and([100])
    half = Streams(0, ("rare",))("halves").integers(0, 2, N, dtype=np.int8) > 0
    values[(which == 2) & half] -= 8.0 * np.eye(5)[1]
    found = groups_in(values, lambda rows: np.minimum(which[rows], 1))
    assert not found.any()


def test_the_windows_of_a_line_find_the_valley():
    line = np.concatenate([np.arange(100, 0, -5), np.zeros(6, int), np.full(12, 40),
                           np.zeros(10, int)])  # fmt: skip
    valley = valley_of(line)
    high, low = valley.counts(line)
    assert high > 10 * low
    assert 15 <= valley.floor <= 26


def test_a_falling_line_has_no_valley():
    line = (1000 * 0.8 ** np.arange(48)).astype(int)
    high, low = valley_of(line).counts(line)
    assert high <= low


def test_chance_is_the_upper_tail_of_a_fair_coin():
    from scipy.stats import binom

    for high, low in ((0, 3), (5, 0), (9, 4), (40, 10)):
        expected = binom.sf(high - 1, high + low, 0.5)
        assert chance(high, low) == pytest.approx(expected)


def test_distances_are_those_of_scipy():
    from scipy.spatial.distance import cdist

    rng = np.random.default_rng(0)
    rows, centres = rng.normal(size=(7, 3)), rng.normal(size=(4, 3))
    assert np.allclose(distances(rows, centres), cdist(rows, centres))


def test_far_rows_do_not_hide_themselves():
    """One in ten rows lies 9 away: a spread that counts them would be three."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(1000, 2))
    values[:40, 0] += 9.0
    around = Surroundings.of(values, np.zeros(1000, np.int64))
    far = distances((values - around.mean) @ around.axes, around.centres)[:, 0]
    assert (far[:40] > around.fences[0]).all()
    assert far[:40].mean() > 7


@pytest.fixture(scope="module")
def judged():
    values, which = clusters_and([60], seed=4)
    return values, which, stablek.verdict(values, range(2, 5), null_sets=19, level=0.05)


def test_a_verdict_names_the_group_and_its_items(judged):
    _, which, verdict = judged
    rare = verdict.item_columns["rare"]
    assert verdict.k == 2
    assert rare.max() == 1
    assert (rare[which == 2] == 1).mean() > 0.9
    assert set(verdict.rare_items) == {str(i) for i in np.flatnonzero(rare)}
    assert "form a small group that is well separated" in verdict.sentence
    assert not set(verdict.rare_items) & set(verdict.isolated)
    assert (verdict.items["rare"].to_numpy() == rare).all()


def test_labels_tsv_has_the_group(judged, tmp_path):
    import pandas as pd

    from stablek.io.store.results import write_verdict

    verdict = judged[2]
    write_verdict(verdict, tmp_path)
    table = pd.read_csv(tmp_path / "labels.tsv", sep="\t")
    assert (table["rare"].to_numpy() == verdict.item_columns["rare"]).all()
    assert (table["cluster"].to_numpy() == verdict.labels).all()


def test_the_order_of_rows_changes_no_group(judged):
    values, _, verdict = judged
    order = np.random.default_rng(1).permutation(len(values))
    other = stablek.verdict(values[order], range(2, 5), null_sets=19, level=0.05)
    assert (other.item_columns["rare"] == verdict.item_columns["rare"][order]).all()
