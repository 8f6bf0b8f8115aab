"""The sentences of a verdict."""

import pytest

from stablek.panel import words
from stablek.panel.advice import Seen, next_steps
from stablek.panel.finding import COMPACT, CONNECTED, FEW_NULL_SETS, HINT, NOTHING
from stablek.panel.item_words import (
    copies_sentence,
    isolated_sentence,
    judged_sentence,
    rare_sentence,
)


def test_an_answer_at_the_largest_k_says_or_more():
    text = words.found_sentence(6, 0.02, "All favour 6.", 12)
    assert text == (
        "6 clusters or more. Data without clusters rarely look like this (p = 0.02). "
        "All favour 6. 6 is the largest number tried; try up to 12."
    )


@pytest.mark.parametrize(("p", "often"), [(0.02, "rarely"), (0.05, "rarely"),
                                          (0.06, "sometimes")])  # fmt: skip
def test_how_often_noise_looks_like_this_follows_p(p, often):
    assert f"{often} look like this (p = {p:g})" in words.found_sentence(3, p, "")


def test_levels_are_coarser_or_finer():
    assert words.levels_sentence(3, [3]) == ""
    assert words.levels_sentence(3, [2, 3]) == "They form 2 larger groups."
    both = words.levels_sentence(4, [2, 4, 8])
    assert both.startswith("They form 2 larger groups. Inside them, 8")


@pytest.mark.parametrize(("k", "levels", "near"), [(13, [12, 13, 14], "12 or 14"),
                                                   (4, [3, 4], "3"),
                                                   (3, [3, 4], "4")])  # fmt: skip
def test_levels_next_to_the_answer_fit_almost_as_well(k, levels, near):
    told = words.levels_sentence(k, levels)
    assert told == f"{near} clusters fit almost as well."


@pytest.mark.parametrize(("k", "other"), [(2, 3), (3, 2), (4, 6), (10, 15)])
def test_half_as_many_again_is_another_level(k, other):
    assert "almost" not in words.levels_sentence(k, sorted([k, other]))


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
    assert "change" not in words.clusters_sentence([row(1, None), row(2, 0.9)], 0)


def test_no_clusters_has_a_reason():
    assert "independent noise" in words.none_sentence(
        None, continuum=False, components=0
    )
    text = words.none_sentence(0.4, continuum=True, components=2)
    assert "(p = 0.4)." in text
    assert "continuum" in text
    assert "(" not in words.none_sentence(None, continuum=False, components=None)


def test_isolated_items_are_named_up_to_five():
    assert isolated_sentence([]) == ""
    assert "One item (a) lies far" in isolated_sentence(["a"])
    many = isolated_sentence(list("abcdefg"))
    assert many.startswith("7 isolated items (a, b, c, d and e ...) were set aside")


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
        (Seen(COMPACT, "strong", 90, isolated=1), "measurement errors"),
        (Seen(NOTHING, "none", 90), "Describe the main directions"),
        (Seen(NOTHING, "none", 30), "With more items, weaker structure"),
        (Seen(NOTHING, "none", 90), "Check the scale of the columns"),
        (Seen(NOTHING, "none", 90), "To standardise columns or take logarithms, use"),
        (Seen(HINT, "suggestive", 90), "Collect more items"),
        (
            Seen(FEW_NULL_SETS, "suggestive", 90, null_sets=49),
            "Repeat with more null sets: null_sets=49.",
        ),
        (Seen(NOTHING, "none", 500, rare=9), "the 9 items of small groups"),
    ],
)
def test_there_is_something_to_do_next(seen, wanted):
    assert any(wanted in step for step in next_steps(seen))


def test_no_advice_where_it_was_followed():
    prepared = next_steps(Seen(NOTHING, "none", 90, prepared=True))
    assert not any("columns" in step for step in prepared)
    few = next_steps(Seen(FEW_NULL_SETS, "suggestive", 90, null_sets=49))
    assert not any("Collect" in step for step in few)
    gaps = next_steps(Seen(CONNECTED, "weak", 90))
    assert not any("levels" in step for step in gaps)
    largest = next_steps(Seen(COMPACT, "weak", 90, wider=12))
    assert not any("Use the partition" in step for step in largest)
