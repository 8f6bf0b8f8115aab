"""Every sentence of a verdict that a reader may meet."""

from dataclasses import replace

import numpy as np
import pytest

import stablek
from stablek.api.verdict import wanted_ks
from stablek.data import Dataset, from_arrays
from stablek.data import preparation as preprocess
from stablek.errors import InputError
from stablek.panel import prepare as preparing
from stablek.panel import words
from stablek.panel.answers import wider_range
from stablek.panel.prepare import Sphere, isolated_rows, sphere_of
from stablek.panel.scaling import Scaling
from stablek.panel.steps import column_step, next_steps
from stablek.panel.user_labels import _sentence, judge_labels
from stablek.report.page.verdicts import Parts

FAST = {"ks": range(2, 5), "repeats": 6, "null_sets": 19, "level": 0.06, "jobs": 1}


def cluster(number, size=20, jaccard=0.9):
    return {"cluster": number, "size": size, "jaccard": jaccard}


@pytest.mark.parametrize(
    ("clusters", "between", "told"),
    [
        ([cluster(1), cluster(2)], 0, "Every cluster is found again in subsamples."),
        ([cluster(1, jaccard=0.5), cluster(2)], 0,
         "Cluster 1 is not found again reliably in subsamples."),
        ([cluster(1, jaccard=0.5), cluster(2, jaccard=0.1)], 1,
         "Clusters 1 and 2 are not found again reliably in subsamples; "
         "1 item sits between clusters."),
        ([cluster(1, 1), cluster(2, 2)], 3,
         "Every cluster is found again in subsamples; cluster 1 has a single item; "
         "cluster 2 has only 2 items; 3 items sit between clusters."),
        ([cluster(1, jaccard=None)], 0, ""),
    ],
)  # fmt: skip
def test_clusters_that_are_shaky_or_small_are_named(clusters, between, told):
    assert words.clusters_sentence(clusters, between) == told


def test_coarser_and_finer_levels_are_told():
    text = words.found_sentence(4, (3, 5), 0.01, (2, 4, 8))
    assert "They form 2 larger groups at a coarser level." in text
    assert "A finer level of 8 clusters is also visible." in text
    assert "level" not in words.found_sentence(4, (3, 5), 0.01, ())


def test_a_panel_that_disagrees_says_so_and_whether_splits_go_on():
    text = words.unclear_sentence(3, {2: 0.4, 3: 0.6}, 0.01, endless=False)
    assert "3 is the best guess, and no more than that." in text
    assert "continuum" not in text
    assert "continuum" in words.unclear_sentence(3, {3: 1.0}, 0.01, endless=True)


def test_no_clusters_may_mean_a_continuum_or_nothing_at_all():
    along = words.none_sentence(0.5, continuum=True, components=2)
    assert along.endswith("a choice and not a finding.")
    assert "no direction" in words.none_sentence(None, continuum=False, components=0)
    assert words.none_sentence(None, continuum=False, components=1).endswith(
        "clusters."
    )


@pytest.mark.parametrize(
    ("k", "agree", "n", "wider", "first", "last"),
    [
        (1, 0, 40, None, "Do not interpret a partition", "If columns differ in scale"),
        (3, 2, 90, None, "Look at the plausible numbers", "Look at the plausible"),
        (3, 3, 90, None, "Check the partition against", "Check the partition"),
        (3, 4, 90, None, "Use the partition; name the", "Use the partition"),
        (6, 5, 90, 12, "The answer is the largest k tried", "The answer is the"),
    ],
)
def test_what_to_do_next_follows_from_the_answer(k, agree, n, wider, first, last):
    steps = next_steps(
        k, agree=agree, between=0, isolated=0, n=n, scaling=Scaling(), wider=wider
    )
    assert steps[0].startswith(first)
    assert steps[-1].startswith(last)
    assert ("With more items" in " ".join(steps)) == (k == 1)


def test_isolated_and_in_between_items_are_to_be_looked_at():
    steps = next_steps(3, agree=4, between=2, isolated=1, n=90, scaling=Scaling())
    assert "Leave the 2 items between clusters out" in steps[1]
    assert "Check the isolated items" in steps[2]
    assert words.isolated_sentence(()) == ""
    assert words.isolated_sentence(["a"]).startswith("One item (a) lies far")
    many = words.isolated_sentence(list("abcdefg"))
    assert many.startswith("7 isolated items (a, b, c, d and e ...)")
    one = next_steps(3, agree=4, between=1, isolated=0, n=90, scaling=Scaling())
    assert "Leave the item between clusters out of comparisons, or mark it." in one


def test_items_join_a_cluster_only_where_there_is_one():
    assert words.judged_sentence(58, 60, 2, joined=True) == (
        "They then joined the nearest cluster."
    )
    assert words.judged_sentence(58, 60, 2, joined=False) == ""
    assert words.judged_sentence(2495, 20_000, 5, joined=True) == (
        "Judged on 2,495 of 20,000 items drawn at random; the others joined the "
        "nearest cluster."
    )
    assert words.judged_sentence(2495, 20_000, 5, joined=False) == (
        "Judged on 2,495 of 20,000 items drawn at random."
    )
    values = np.random.default_rng(0).normal(size=(60, 4))
    values[[7, 8]] += [[50.0], [-70.0]]
    found = stablek.verdict(values, **FAST)
    assert found.k == 1
    assert len(found.isolated) > 1
    assert "joined" not in found.sentence


def test_the_largest_k_tried_is_never_a_strong_answer():
    values = 9.0 * np.eye(6)[np.arange(90) % 6]
    values += np.random.default_rng(3).normal(size=(90, 6))
    found = stablek.verdict(values, **FAST)
    assert found.k == 4
    told = "4 is the largest number tried; try -k 2:8."
    assert told in found.sentence
    assert found.strength.startswith("weak")
    assert found.next_steps[0].endswith("repeat with -k 2:8.")
    assert words.found_sentence(15, (4, 5), 0.01, (), 30).startswith(
        "15 clusters or more: 15 is the largest number tried; try -k 2:30. These data"
    )
    assert words.strength(4, 5, 0.01, agreed=True, wider=30) == (
        "weak, the largest k tried: 4 of 5 votes, p = 0.01"
    )
    assert words.strength(4, 5, 0.01, agreed=True).startswith("strong")


@pytest.mark.parametrize(
    ("k", "largest", "n", "wider"),
    [(15, 15, 1000, 30), (15, 15, 50, 24), (14, 15, 1000, None), (9, 9, 20, None)],
)
def test_a_wider_range_is_proposed_only_where_it_is_allowed(k, largest, n, wider):
    assert wider_range(k, largest, n) == wider
    if wider is not None:
        assert wanted_ks(range(2, wider + 1), n)[-1] == wider


def unequal_columns():
    values = np.random.default_rng(4).normal(size=(40, 3)) * [1.0, 300.0, 2.0] + 999
    return Dataset(values, columns=("ash", "proline", "hue"))


def test_a_column_with_nearly_all_of_the_variance_is_named_first():
    data = unequal_columns()
    scaling = Scaling.of(data)
    assert scaling.widest is not None
    for k in (1, 3):
        steps = next_steps(k, agree=4, between=0, isolated=0, n=90, scaling=scaling)
        assert steps[0] == (
            "Column 'proline' holds 99 % of the variance: try --prepare "
            "standardise-columns."
        )
        assert sum("standardise-columns" in step for step in steps) == 1
    assert Scaling.of(replace(data, columns=())).widest[0] == "2"
    two = Dataset(np.ascontiguousarray(data.values[:, :2]))
    assert Scaling.of(two).widest is None


@pytest.mark.parametrize(
    ("steps", "hints"),
    [
        (("log2",), "If columns differ in scale, try --prepare standardise-columns."),
        (("standardise-columns",), None),
        (("log2", "standardise-columns"), None),
        (("standardise-columns", "pca:2"), None),
        ((), "For counts or intensities, try --prepare log2."),
    ],
)
def test_what_was_done_already_is_not_proposed(steps, hints):
    data = preprocess.prepare(unequal_columns(), steps)
    scaling = replace(Scaling.of(data), widest=None)
    told = next_steps(1, agree=0, between=0, isolated=0, n=90, scaling=scaling)
    if hints is None:
        assert len(told) == 1
    elif steps:
        assert told[1].startswith(hints)
    else:
        assert "try --prepare log2" in told[1]


def test_rows_that_repeat_are_counted_in_words_that_fit():
    assert words.copies_sentence(1).startswith("1 row repeats another exactly;")
    assert words.copies_sentence(2).startswith("2 rows repeat others exactly;")


def test_an_anonymous_report_names_no_column():
    steps = (column_step("HIV 'status' holds", 0.95), "Use the partition.")
    hidden = Parts(next_steps=steps).hiding(("a", "b"))
    assert hidden.next_steps == (
        "One column holds 95 % of the variance: try --prepare standardise-columns.",
        "Use the partition.",
    )


def test_a_single_class_is_nothing_to_judge():
    told = judge_labels(("a",) * 4, None, None, None, np.arange(4))
    assert told["sentence"] == "Your labels name a single class: nothing to judge."
    told = judge_labels(("a", "a", "b", "b"), None, None, None, np.arange(4))
    assert told["sentence"].endswith("are not visible as clusters in these data.")


def test_labels_of_data_without_clusters_are_judged_all_the_same():
    flat = np.random.default_rng(2).uniform(size=(48, 2))
    own = ["left" if x < 0.5 else "right" for x in flat[:, 0]]
    found = stablek.verdict(flat, labels=own, **FAST)
    assert found.k == 1
    assert "But the data themselves give no evidence of any clusters" in found.sentence
    assert "our partition" not in found.sentence
    rand = found.brought["rand_at_classes"]
    assert f"agreement with that split is {rand:.2f}" in found.sentence
    assert "where these data are split into 2 all the same" in found.sentence
    noise = np.random.default_rng(2).normal(size=(60, 12))
    found = stablek.verdict(noise, labels=["a", "b"] * 30, **FAST)
    assert found.k == 1
    assert found.p is None
    assert "Your 2 classes are not visible as clusters" in found.sentence


@pytest.mark.parametrize(
    ("stable", "told"),
    [(0, "none is a stable cluster"), (1, "1 is a stable cluster of these data (a);"),
     (2, "2 are stable clusters of these data (a and b);")],
)  # fmt: skip
def test_classes_are_counted_in_words_that_fit(stable, told):
    rows = [
        {"class": name, "jaccard": 0.9 if i < stable else 0.1}
        for i, name in enumerate("abc")
    ]
    found = {"clusters": rows, "count": 3, "rand": 0.5}
    assert f"Of your 3 classes, {told}" in _sentence(found, clusters=True)


@pytest.mark.parametrize("ks", [(), (0, 1, 2), (2, 4), (3, 2)])
def test_ks_that_do_not_follow_one_another_are_refused(ks):
    with pytest.raises(InputError, match="the ks must follow one another"):
        wanted_ks(ks, 40)


def test_more_ks_than_halves_allow_are_refused():
    with pytest.raises(InputError, match=r"20 items allow 2 to 9 \(use -k 2:9\)"):
        wanted_ks(range(2, 11), 20)


def test_of_many_items_some_are_judged_and_the_others_join(monkeypatch):
    rng = np.random.default_rng(0)
    values = 9.0 * np.eye(3)[np.arange(90) % 3] + rng.normal(size=(90, 3))
    monkeypatch.setattr(preparing, "LARGEST", 60)
    found = stablek.verdict(values, **FAST)
    assert found.k == 3
    assert any("judged on 60 of 90 items" in note for note in found.notes)
    assert "Judged on 60 of 90 items drawn at random; the others joined the " in (
        found.sentence
    )
    assert len(found.labels) == 90
    for group in range(3):
        assert len(set(found.labels[group::3].tolist())) == 1


def test_rows_of_one_length_are_bent_back_onto_their_sphere():
    rows = np.random.default_rng(0).normal(size=(8, 4)) + 1
    length = np.sqrt((rows**2).sum(axis=1, keepdims=True))
    assert sphere_of(rows) is None
    assert sphere_of(rows[:, :2] / 1.0) is None
    flat = sphere_of(3 * rows / length)
    assert flat == Sphere(centred=False, radius=pytest.approx(3.0))
    bent = flat.bend(rows)
    np.testing.assert_allclose((bent**2).sum(axis=1), 9.0)
    np.testing.assert_allclose(bent / rows, (3 / length) * np.ones((1, 4)))
    middle = rows - rows.mean(axis=1, keepdims=True)
    centred = sphere_of(middle / np.sqrt((middle**2).sum(axis=1, keepdims=True)))
    assert centred.centred
    np.testing.assert_allclose(centred.bend(rows).mean(axis=1), 0, atol=1e-12)


def test_few_or_equal_rows_have_no_isolated_ones():
    assert not len(isolated_rows(np.arange(10.0)[:, None]))
    assert not len(isolated_rows(np.zeros((20, 2))))


def test_row_standardised_data_are_held_against_null_sets_on_the_sphere():
    rng = np.random.default_rng(1)
    shapes = rng.normal(size=(3, 6)) * 3
    rows = shapes[np.arange(48) % 3] + rng.normal(size=(48, 6))
    rows -= rows.mean(axis=1, keepdims=True)
    rows /= rows.std(axis=1, keepdims=True)
    found = stablek.verdict(rows, **FAST)
    assert found.k == 3
    assert found.between() == tuple(
        str(item["id"]) for item in found.items if item["between"]
    )


def test_counts_of_uneven_depth_are_told_how_to_be_made_even():
    rng = np.random.default_rng(0)
    depth = rng.lognormal(2, 0.6, 40)
    counts = rng.poisson(depth[:, None] * np.ones(30)).astype(float)
    steps = stablek.verdict(counts, range(2, 5), null_sets=19).next_steps
    assert "totals of rows differ" in steps[0]
    assert steps[0].endswith("try --prepare equal-totals --prepare log1p.")
    assert not any("intensities" in step for step in steps)
    even = preprocess.prepare(from_arrays(counts), ["equal-totals", "log1p"])
    told = stablek.verdict(even, range(2, 5), null_sets=19).next_steps
    assert not any("equal-totals" in step for step in told)


@pytest.mark.parametrize("least", [0.0, 1.0])
def test_zeros_have_no_logarithm(least):
    values = np.random.default_rng(0).exponential(size=(40, 3)) + 1
    values[0, 0] = least
    which = "log1p" if least == 0 else "log2"
    assert Scaling.of(from_arrays(values)).zeros is (least == 0)
    told = next_steps(
        1, agree=0, between=0, isolated=0, n=90, scaling=Scaling.of(from_arrays(values))
    )
    assert f"try --prepare {which}." in told[-1]
