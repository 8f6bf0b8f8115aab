"""The sentences of a verdict."""

from dataclasses import replace

import numpy as np
import pytest

from stablek.data import from_arrays
from stablek.data.replay import Step
from stablek.errors import command_line
from stablek.panel import hint_words, words
from stablek.panel.advice import Seen, batch_step, next_steps
from stablek.panel.finding import (
    COMPACT,
    CONNECTED,
    FEW_NULL_SETS,
    HINT,
    NO_DIRECTION,
    NOTHING,
)
from stablek.panel.item_words import (
    beside_one_sentence,
    copies_sentence,
    isolated_sentence,
    judged_sentence,
    rare_sentence,
)
from stablek.panel.one_column import OneColumn
from stablek.panel.p_value import PValue
from stablek.panel.scale import STANDARDISED, Scale
from stablek.results.annotations import Explained


def test_an_answer_at_the_largest_k_says_or_more():
    text = words.found_sentence(6, PValue(0.02, least=0.02), 12)
    assert text == (
        "6 clusters or more. Data without clusters rarely look like this (p ≤ 0.02). "
        "6 is the largest number tried; try up to 12."
    )


def test_pieces_of_a_continuum_are_doubted_at_once():
    text = words.found_sentence(7, PValue(0.02), continuum=True)
    assert text.startswith("7 clusters, perhaps pieces of a continuum. Data without")


def test_a_number_that_the_user_chose_is_no_finding():
    assert words.found_sentence(5, PValue(0.02, least=0.02), asked=True) == (
        "You asked for 5 clusters; no other number was tried. Data without clusters "
        "rarely look like this (p ≤ 0.02)."
    )


def test_a_column_that_makes_the_clusters_is_quoted():
    told = words.column_sentence(OneColumn("1", is_values=True))
    assert told == "Column '1' alone makes these clusters: they are its values."
    (step, *_) = next_steps(Seen(COMPACT, "strong", 90, column="1"))
    assert step.startswith("If column '1' is not what you look for")


@pytest.mark.parametrize(("p", "often"), [(0.02, "rarely"), (0.05, "rarely"),
                                          (0.06, "sometimes")])  # fmt: skip
def test_how_often_noise_looks_like_this_follows_p(p, often):
    told = words.found_sentence(3, PValue(p))
    assert f"{often} look like this (p = {p:g})" in told


def test_levels_are_coarser_or_finer():
    assert words.levels_sentence(3, [3]) == ""
    assert words.levels_sentence(3, [2, 3]) == "The clusters form 2 larger groups."
    both = words.levels_sentence(4, [2, 4, 8])
    assert both.startswith("The clusters form 2 larger groups. Inside the clusters, 8")


@pytest.mark.parametrize(("k", "levels", "near"), [(13, [12, 13, 14], "12 or 14"),
                                                   (4, [3, 4], "3"),
                                                   (3, [3, 4], "4")])  # fmt: skip
def test_levels_next_to_the_answer_fit_almost_as_well(k, levels, near):
    told = words.levels_sentence(k, levels)
    assert told == f"{near} clusters fit almost as well."


@pytest.mark.parametrize(("k", "other"), [(2, 3), (3, 2), (4, 6), (10, 15)])
def test_half_as_many_again_is_another_level(k, other):
    text = words.levels_sentence(k, sorted([k, other]))
    assert "larger groups" in text or "smaller groups" in text


def row(cluster, jaccard, size=9):
    return {"cluster": cluster, "jaccard": jaccard, "size": size}


def test_what_is_said_of_clusters():
    good = [row(1, 0.9), row(2, 0.8)]
    assert words.clusters_sentence(good, 0) == "Every cluster comes back in subsamples."
    text = words.clusters_sentence([row(1, 0.9), row(2, 0.5), row(3, 0.2, 1)], 1)
    assert text == (
        "Clusters 2 and 3 change from subsample to subsample. Cluster 3 has a single "
        "item. 1 item lies between clusters."
    )
    one = words.clusters_sentence([row(1, 0.9, 2), row(2, 0.5)], 2)
    assert one == (
        "Cluster 2 changes from subsample to subsample. Cluster 1 has only 2 items. "
        "2 items lie between clusters."
    )
    assert words.clusters_sentence([], 0) == ""
    both = words.clusters_sentence(good, 2, 15)
    assert both.endswith(
        "17 items do not clearly belong to their cluster: 2 lie between clusters, 15 "
        "are mostly in another."
    )
    assert "lie" not in words.clusters_sentence(good, 0, 15)
    assert "change" not in words.clusters_sentence([row(1, None), row(2, 0.9)], 0)


def test_no_clusters_has_a_reason():
    assert "independent noise" in hint_words.none_sentence(
        None, continuum=False, components=0
    )
    assert "the distances look like those of noise" in hint_words.none_sentence(
        None, continuum=False, components=0, what="distances"
    )
    text = hint_words.none_sentence(PValue(0.4), continuum=True, components=2)
    assert "(p = 0.4)." in text
    assert "continuum" in text
    assert "(" not in hint_words.none_sentence(None, continuum=False, components=None)
    near = hint_words.none_sentence(
        PValue(0.053), continuum=False, components=2, near=True
    )
    assert near == (
        "No evidence of clusters: the groups in these data are more compact than in "
        "most data without clusters (p = 0.053), but no further apart."
    )


def test_isolated_items_are_named_up_to_five():
    assert isolated_sentence([]) == ""
    assert isolated_sentence(["a"]) == (
        "One item (a) was set aside as isolated: it is farther from its neighbours "
        "than these are from theirs. It does not count as a cluster."
    )
    assert ": it is far from the other items." in isolated_sentence(["a"], tiny=True)
    two = isolated_sentence(["a", "b"], tiny=True)
    assert ": alone or in tiny groups, they are far from the other items." in two
    many = isolated_sentence(list("abcdefg"))
    assert many.startswith("7 items (a, b, c, d and e ...) were set aside as isolated:")


def test_how_many_items_were_judged_is_said_where_not_all_were():
    assert judged_sentence(98, 100, 2, joined=True) == ""
    drawn = judged_sentence(2500, 9000, 0, joined=True)
    assert drawn == (
        "The verdict rests on 2,500 of 9,000 items, drawn at random; the others joined "
        "the nearest cluster."
    )
    assert judged_sentence(2500, 9000, 0, joined=False).endswith("at random.")


def test_copies_count_once():
    assert copies_sentence(0) == ""
    assert copies_sentence(1) == "1 row repeats another exactly and counts once."
    assert copies_sentence(1200).startswith("1,200 rows repeat others exactly")


def test_a_scale_is_told_with_its_reason():
    assert words.scale_sentence("as given", "") == ""
    assert words.scale_sentence("log counts", "they are counts") == (
        "Logarithms of the counts were used, because they are counts."
    )


def test_the_small_group_is_told_with_its_share():
    assert rare_sentence([], 10) == ""
    assert "(0.05 %)" in rare_sentence([5], 10_000)


@pytest.mark.parametrize(
    ("seen", "wanted"),
    [
        (Seen(COMPACT, "strong", 90), "Use the partition"),
        (Seen(COMPACT, "moderate", 90), "Check the partition against what you know"),
        (Seen(COMPACT, "weak", 90), "Do not report one number"),
        (Seen(COMPACT, "weak", 90, levels=2), "Compare the levels in the report"),
        (Seen(COMPACT, "weak", 90, levels=1), "Compare other numbers of clusters in"),
        (Seen(CONNECTED, "weak", 90), "Look at the map of the items in the report"),
        (Seen(COMPACT, "weak", 90, wider=12), "ks=range(2, 13)"),
        (Seen(COMPACT, "strong", 90, between=1), "Leave out the item that lies"),
        (Seen(COMPACT, "strong", 90, between=2), "Leave out the items that lie"),
        (
            Seen(COMPACT, "strong", 90, far=1),
            "measurement errors: one of them lies far",
        ),
        (Seen(COMPACT, "strong", 90, far=2), "measurement errors: 2 of them lie far"),
        (Seen(NOTHING, "none", 90), "Describe the main directions"),
        (Seen(NOTHING, "none", 30), "With more items, weaker structure"),
        (Seen(NOTHING, "none", 90, unlike=True), "Check the scale of the columns"),
        (Seen(NOTHING, "none", 90, unlike=True), "To standardise columns or take log"),
        (Seen(HINT, "suggestive", 90), "only new data can tell"),
        (
            Seen(FEW_NULL_SETS, "suggestive", 90, null_sets=49),
            "Repeat with more null sets: null_sets=49.",
        ),
        (Seen(NOTHING, "none", 500, rare=9), "the 9 items in small groups: their ids"),
    ],
)
def test_there_is_something_to_do_next(seen, wanted):
    assert any(wanted in step for step in next_steps(seen))


def test_small_groups_can_be_found_where_the_advice_says():
    with command_line():
        (step, *_) = next_steps(Seen(NOTHING, "none", 500, rare=9))
    assert step.endswith("with -o DIR, the column rare of items.tsv marks them.")


def test_one_large_group_and_small_ones():
    text = beside_one_sentence([6, 9], 500, PValue(0.4))
    assert text == (
        "One large group without evidence of clusters inside, and 2 small groups far "
        "from it: 6 items (1.2 %) and 9 items (1.8 %). Larger groups are no more "
        "compact than those in data without clusters (p = 0.4)."
    )


def batch_seen(**facts):
    return Explained(sentences=("Beware.",), batches=("batch no",), **facts)


def test_a_batch_is_removed_first():
    data = from_arrays(np.eye(12))
    step = batch_step(data, batch_seen(), Scale())
    assert (
        "from stablek.data.adjustment import adjust; "
        "stablek.verdict(adjust(v.data, ['batch no']))" in step
    )
    steps = next_steps(Seen(COMPACT, "strong", 90, batch=step))
    assert steps == (step,)
    assert next_steps(Seen(NOTHING, "none", 90, rare=9, batch=step))[0] == step
    assert batch_step(data, Explained(), Scale()) == ""
    with command_line():
        plain = batch_step(data, batch_seen(), Scale(STANDARDISED))
        counts = batch_step(data, batch_seen(), Scale(("log1p",)))
    assert ": --adjust 'batch no'. If each class" in plain
    assert ": --prepare log1p --adjust 'batch no'. If" in counts
    counts = batch_step(data, batch_seen(), Scale(("log1p",)))
    assert "adjust(prepare(v.data, ['log1p']), ['batch no'])" in counts


def test_a_batch_that_cannot_be_removed_is_not_to_be_removed():
    data = from_arrays(np.eye(12))
    done = replace(data, steps=(Step("adjust", ("batch no",)),))
    assert "although its means were removed" in batch_step(done, batch_seen(), Scale())
    apart = replace(data, precomputed=True)
    assert "the values that the distances" in batch_step(apart, batch_seen(), Scale())


def test_more_items_help_only_where_all_were_looked_at():
    (few,) = next_steps(Seen(NO_DIRECTION, "none", 300))
    (many,) = next_steps(Seen(NO_DIRECTION, "none", 30_000, drawn=True))
    assert few.startswith("With more items")
    assert many.startswith("Look at single columns")


def test_no_advice_where_it_was_followed():
    alike = next_steps(Seen(NOTHING, "none", 90))
    assert not any("columns" in step for step in alike)
    few = next_steps(Seen(FEW_NULL_SETS, "suggestive", 90, null_sets=49))
    assert not any("Collect" in step for step in few)
    gaps = next_steps(Seen(CONNECTED, "weak", 90))
    assert not any("levels" in step for step in gaps)
    largest = next_steps(Seen(COMPACT, "weak", 90, wider=12))
    assert not any("Use the partition" in step for step in largest)
