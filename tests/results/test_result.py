"""What a result shows of itself, and gives at any k."""

import json
import re

import numpy as np
import pytest
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

import stablek
from stablek.api.choose_k import choose_k
from stablek.api.verdict import verdict
from stablek.errors import InputError
from stablek.paradigm.indices import INDICES, contingency
from stablek.testing import some_data

DATA = some_data(60, 6, 3)


def test_the_partition_at_any_k_is_cut_from_the_consensus_matrix():
    """Oracle: SciPy on the same matrix."""
    result = choose_k(DATA, "fc", "hier-a", range(2, 7), repeats=40)
    for k in range(2, 7):
        apart = squareform(1 - result.consensus(k), checks=False)
        oracle = fcluster(linkage(apart, "average"), k, "maxclust")
        found = result.labels_at(k)
        assert len(set(found.tolist())) == k
        if len(set(oracle.tolist())) == k:  # no ties at the cut
            assert INDICES["adj"](contingency(oracle, found)) == 1
    np.testing.assert_array_equal(result.labels_at(result.k_star), result.labels)


def test_a_partition_that_was_not_kept_is_refused_with_the_remedy():
    fc = choose_k(DATA, "fc", "hier-a", range(2, 5), repeats=20)
    with pytest.raises(InputError, match="k = 9 was not run; the ks are 2 to 4"):
        fc.labels_at(9)
    wcss = choose_k(DATA, "wcss", "hier-a", range(1, 6))
    for k in wcss.ks:
        assert set(wcss.labels_at(k).tolist()) == set(range(1, k + 1))
    with pytest.raises(InputError, match="read from JSON"):
        type(fc).from_json(fc.to_json()).labels_at(4 if fc.k_star != 4 else 3)


def advised(refused, algorithm):
    """Return what the advice of a message gives, taken at its word."""
    call = r"stablek\.assess\(X, (\d+), algorithm=\.\.\.\)\.labels"
    k = int(re.search(call, str(refused.value))[1])
    return stablek.assess(DATA, k, algorithm=algorithm).labels.tolist()


def test_a_matrix_of_pairs_beyond_the_memory_is_refused_with_a_way_out(monkeypatch):
    fc = choose_k(DATA, "fc", "kmeans-r", range(2, 5), repeats=20)
    other = 4 if fc.k_star != 4 else 3
    monkeypatch.setattr("stablek.machine.memory.LEAST", 1)
    monkeypatch.setattr("stablek.machine.memory.free_memory", lambda: [40_000])
    told = r"matrix of 60 items takes 28.8 kB; the budget is 20 kB"
    for ask in (fc.labels_at, fc.consensus):
        with pytest.raises(InputError, match=told) as caught:
            ask(other)
    monkeypatch.undo()
    assert len(set(advised(caught, "kmeans-r"))) == other


def test_what_is_shown_of_an_answer_is_a_sentence():
    result = choose_k(DATA, "fc", "hier-a", range(2, 5), repeats=20)
    assert repr(result) == f"<Result: {result.sentence}>"
    found = verdict(DATA, range(2, 5), null_sets=19, repeats=10, jobs=1)
    assert repr(found).startswith(f"<Verdict: {found.sentence}")
    assert found.strength in repr(found)
    assert len(repr(found)) < 1000


def test_items_of_an_array_are_numbered_as_its_rows():
    X = np.vstack([np.array(DATA.values), np.full((1, 6), 900.0)])
    found = verdict(X, range(2, 5), null_sets=19, repeats=10, jobs=1)
    assert found.items["id"][60] == "60"
    assert found.isolated == ("60",)
    assert "One item (60) was set aside as isolated:" in found.sentence


def test_an_ingredient_among_the_settings_is_kept_in_words():
    from stablek.paradigm.perturb.resample import Stratified

    X = np.random.default_rng(0).normal(size=(20, 2))
    strata = Stratified(tuple(np.arange(20) % 2))
    found = choose_k(X, "composed", ks=range(2, 4), perturb=strata, repeats=3)
    kept = json.loads(found.to_json())["settings"]
    assert kept["perturb"] == "Stratified(strata=..., fraction=0.8)"
