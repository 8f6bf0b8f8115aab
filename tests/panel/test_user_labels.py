"""Labels that a user brings, and the verdict's finding, which they must agree with."""

import numpy as np
import pytest
from made_sets import QUICK, grouped, noise, rings

import stablek
from stablek.cli.verdict_description import class_rows
from stablek.errors import InputError
from stablek.panel.finding import (
    COMPACT,
    CONNECTED,
    NO_DIRECTION,
    NOTHING,
    OTHER_GROUPS,
)
from stablek.panel.label_words import HINTS, index_text, labels_sentence
from stablek.panel.user_labels import best_matches, nameless_sentence, shared_clusters
from stablek.report.page.verdicts import hiding


def class_row(name, *, is_cluster=True, cluster=1, share=1.0):
    return {"class": name, "is_cluster": is_cluster, "main_cluster": cluster,
            "share_in_main_cluster": share}  # fmt: skip


def answer(finding, **more):
    made = {
        "classes": ["a", "b", "c"], "count": 3, "finding": finding, "k": 3, "rand": 0.9,
        "rand_at_classes": 0.8, "shared": [],
        "clusters": [class_row("a"), class_row("b"), class_row("c", is_cluster=False)],
    }  # fmt: skip
    return {**made, **more}


def test_a_class_is_a_stable_cluster_or_such_a_group():
    assert labels_sentence(answer(COMPACT)) == (
        "2 of your 3 classes are stable clusters (a and b). The clusters match your "
        "classes very well (adjusted Rand index 0.90)."
    )
    assert labels_sentence(answer(CONNECTED)) == (
        "2 of your 3 classes are such groups (a and b). The groups match your classes "
        "very well (adjusted Rand index 0.90)."
    )


@pytest.mark.parametrize(
    ("found", "says"),
    [
        *((kind, "There is only a hint that these groups are clusters.")
          for kind in HINTS),
        *((kind, "There is no evidence that these groups are clusters.")
          for kind in (NOTHING, NO_DIRECTION, OTHER_GROUPS)),
    ],
)  # fmt: skip
def test_the_sentence_claims_neither_more_nor_less_than_the_finding(found, says):
    assert labels_sentence(answer(found)) == (
        "A split into 3 groups matches your classes fairly well (adjusted Rand index "
        f"0.80). {says}"
    )


def test_classes_that_share_a_cluster_are_named():
    one = {"cluster": 1, "classes": ["a", "b"], "told_apart": True}
    told = labels_sentence(answer(COMPACT, shared=[one]))
    assert told.endswith(
        "Cluster 1 holds a and b together; at k = 3 they are told apart (adjusted Rand "
        "index 0.80)."
    )
    never = labels_sentence(answer(COMPACT, shared=[{**one, "told_apart": False}]))
    assert never.endswith("Cluster 1 holds a and b together.")
    many = {**one, "classes": list("abcdefg"), "told_apart": False}
    told = labels_sentence(answer(CONNECTED, shared=[many]))
    assert told.endswith("Group 1 holds a, b, c, d and 3 more together.")
    told = labels_sentence(answer(COMPACT, shared=[one] * 3))
    assert told.endswith("3 clusters hold two or more of your classes.")


def test_an_index_of_nearly_nothing_has_no_sign():
    assert index_text(-0.004) == "adjusted Rand index 0.00"
    assert index_text(-0.02) == "adjusted Rand index -0.02"


def test_classes_are_told_apart_where_each_lies_in_a_cluster_of_its_own():
    rows = [class_row("a", cluster=2), class_row("b"), class_row("c")]
    apart = [(1, 1.0, 1.0), (2, 0.9, 0.9), (3, 0.8, 0.8)]
    (seen,) = shared_clusters(rows, apart)
    assert seen == {"cluster": 1, "classes": ["b", "c"], "told_apart": True}
    torn = [*apart[:2], (3, 0.5, 0.5)]
    assert not shared_clusters(rows, torn)[0]["told_apart"]
    assert not shared_clusters(rows, ())[0]["told_apart"]
    assert shared_clusters([*rows[:2], class_row("c", share=0.5)], apart) == []
    assert best_matches(np.array([0, 0, 1]), np.array([2, 2, 1]))[0] == (2, 1.0, 1.0)


@pytest.fixture(scope="module")
def four():
    values, truth = grouped()
    return stablek.verdict(values, labels=truth, **QUICK)


def test_classes_that_are_the_clusters(four):
    assert "All 4 of your classes are stable clusters. The clusters match" in (
        four.sentence
    )
    user = four.user_labels
    assert (user["rand"], user["k"], user["shared"]) == (1, 4, [])
    own = [row["main_cluster"] for row in user["clusters"]]
    assert own == four.labels[[0, 25, 50, 75]].tolist()
    assert class_rows(four)[0] == [
        "class", "items", "mostly in", "share", "overlap", "nearest", "jaccard", "",
    ]  # fmt: skip


def test_two_classes_in_one_cluster_are_said_to_share_it():
    values, truth = grouped(3, 40, apart=15.0)
    values[truth == 2] = values[truth == 1] + [0.0, 0.0, 2.5]
    found = stablek.verdict(values, labels=truth, scale="as given", **QUICK)
    assert found.k == 2
    assert "1 of your 3 classes is a stable cluster (0)." in found.sentence
    assert "Cluster 1 holds 1 and 2 together; at k = 3 they are told apart" in (
        found.sentence
    )
    assert class_rows(found)[0][-2] == "jaccard at k = 3"
    assert "(class 1)" in nameless_sentence(found.user_labels)
    hidden = hiding(found, found.ids)
    assert "Cluster 1 holds class 2 and class 3 together" in hidden.sentence


def test_classes_that_are_groups_of_any_shape_are_not_called_dissolved():
    values, truth = rings()
    found = stablek.verdict(values, labels=truth, **QUICK)
    assert found.facts["shape"] == "connected"
    assert "Both of your classes are such groups." in found.sentence
    rows = class_rows(found)
    assert rows[0] == ["class", "items", "mostly in", "share", "overlap"]
    assert rows[1][-1] == "1.00"
    assert found.class_items.empty


def test_without_clusters_no_class_is_in_one():
    values = noise("normal")
    found = stablek.verdict(values, labels=values[:, 0] > 0, **QUICK)
    assert found.k == 1
    assert found.sentence.endswith(
        "There is no evidence that these groups are clusters."
    )
    assert "stable" not in found.sentence
    rows = class_rows(found)
    assert rows[0] == ["class", "items", "nearest", "jaccard at k = 2"]
    assert not any("Cluster membership" in text for text in found.annotations.sentences)


def test_a_hint_of_clusters_stays_a_hint(monkeypatch):
    values, truth = grouped()
    monkeypatch.setattr("stablek.panel.against_nulls.tail", lambda top: 0.1)
    monkeypatch.setattr("stablek.panel.gate.GAP", 99.0)  # and no gap counts
    found = stablek.verdict(values, labels=truth, **QUICK)
    assert (found.k, found.strength) == (1, "suggestive")
    assert found.sentence.endswith(
        "A split into 4 groups matches your classes very well (adjusted Rand index "
        "1.00). There is only a hint that these groups are clusters."
    )
    # The sentence on the labels says it.
    assert found.annotations.sentences == ()
    assert {row.annotation for row in found.annotations.rows} == {"your labels"}


def test_one_class_is_nothing_to_judge_and_labels_must_fit():
    values = noise("normal")
    one = stablek.verdict(values, labels=["a"] * 100, **QUICK)
    assert "name a single class" in one.sentence
    assert nameless_sentence(one.user_labels) == one.user_labels["sentence"]
    assert class_rows(one) == []
    with pytest.raises(InputError, match="3 labels for 100 items"):
        stablek.verdict(values, labels=["a", "b", "c"])
