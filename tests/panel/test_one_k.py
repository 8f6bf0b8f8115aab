"""A verdict on one number of clusters: is there evidence, and how firm are they?"""

import json

import numpy as np
import pytest
from made_sets import QUICK, grouped, noise, rings

import stablek
from stablek.errors import InputError
from stablek.results.verdict import Verdict

FEW = {name: value for name, value in QUICK.items() if name != "ks"}


@pytest.fixture(scope="module")
def values():
    return grouped()[0]


@pytest.fixture(scope="module")
def four(values):
    return stablek.verdict(values, 4, null_sets=49, repeats=20)


def test_only_the_k_asked_for_is_tried(values, four):
    assert (four.k, four.best_guess, four.ks) == (4, 4, (4,))
    assert dict(four.plausible) == {4: 1.0}
    assert dict(four.votes) == {}
    assert four.dissent == ()
    assert [level.k for level in four.levels] == [4]
    assert list(four.table.index) == [4]
    whole = stablek.verdict(values, range(2, 7), null_sets=49, repeats=20)
    np.testing.assert_array_equal(four.labels, whole.labels_at(4))
    assert (four.p, four.strength) == (whole.p, "moderate")
    assert whole.strength == "strong"


def test_one_k_may_be_a_number_a_list_or_a_range(values, four):
    for ks in ([4], range(4, 5), np.int64(4)):
        again = stablek.verdict(values, ks, null_sets=49, repeats=20)
        assert again.to_dict() == four.to_dict()


def test_the_words_do_not_praise_a_number_that_the_user_chose(four):
    assert "You asked for 4 clusters; no other number was tried." in four.sentence
    assert "or more" not in four.sentence
    assert "Whether 4 is the right number was not tested" in four.evidence
    assert four.next_steps[0] == (
        "Leave out ks to see which number of clusters fits best."
    )


def test_clusters_that_do_not_come_back_are_weak(values):
    five = stablek.verdict(values, 5, null_sets=49, repeats=20)
    assert (five.k, five.strength) == (5, "weak")
    assert five.clusters["jaccard"].min() < 0.75


def test_without_evidence_the_answer_is_one_and_the_split_is_kept():
    found = stablek.verdict(noise("normal"), 5, **FEW)
    assert (found.k, found.best_guess, found.ks) == (1, 5, (5,))
    assert "call the parts groups, not clusters" in found.sentence
    assert len(set(found.labels_at(5).tolist())) == 5
    with pytest.raises(InputError, match=r"no partition at k = 3; tried: 5$"):
        found.labels_at(3)


def test_groups_of_any_shape_are_an_answer_only_if_there_are_as_many():
    values = rings()[0]
    two = stablek.verdict(values, 2, **FEW)
    assert two.k == 2
    assert two.facts["shape"] == "connected"
    five = stablek.verdict(values, 5, **FEW)
    assert (five.k, five.strength) == (1, "suggestive")
    assert five.sentence.startswith(
        "No evidence of 5 clusters: the data fall into 2 groups"
    )
    assert five.p == five.facts["p_connected"]
    assert five.next_steps[0] == "Ask for 2 groups: ks=2."


def test_the_report_and_the_json_of_one_k_are_whole(four, tmp_path):
    page = four.report(tmp_path / "r.html").read_text(encoding="utf-8")
    for title in ("How plausible is each k?", "Tree of clusters", "Area under the CDF"):
        assert title not in page
    assert "Consensus matrix" in page
    assert four.moves.empty
    assert "k = 4</" in page
    assert "k = 4 to 4" not in page
    assert "ks=4, " in page
    again = Verdict.from_json(json.dumps(four.to_dict()))
    assert again.to_dict() == four.to_dict()


@pytest.mark.parametrize(
    ("k", "told"),
    [
        (1, "k = 1 is not a split; ask for 2 to 49, or leave out ks"),
        (50, "k = 50: 100 items allow 2 to 49; use ks=49 or less"),
        (0, "k = 0 is not a split"),
        (range(2, 51), r"use ks=range\(2, 50\)"),
    ],
)
def test_a_k_that_cannot_be_judged_is_refused(values, k, told):
    with pytest.raises(InputError, match=told):
        stablek.verdict(values, k, **FEW)


def test_other_functions_take_one_k_as_well(values):
    assert stablek.choose_k(values, ks=4, repeats=20).ks == (4,)
    found = stablek.StableK(ks=4).fit(values)
    assert (found.n_clusters_, len(set(found.labels_))) == (4, 4)
