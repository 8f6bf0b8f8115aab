"""What else explains the clusters, against scikit-learn and SciPy."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.metrics import adjusted_mutual_info_score, mutual_info_score
from sklearn.metrics.cluster import expected_mutual_information

import stablek
from stablek.data.annotations import annotation, as_annotations, is_batch_name
from stablek.data.seeds import Streams
from stablek.errors import InputError
from stablek.paradigm.indices import contingency
from stablek.results.annotations import class_table, explain
from stablek.results.association import (
    adjusted_information,
    eta_squared,
    expected_information,
    mutual_information,
)


@pytest.mark.parametrize("seed", range(6))
def test_adjusted_information_is_that_of_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 90))
    a, b = rng.integers(0, 4, n), rng.integers(0, 6, n)
    b[: n // 2] = a[: n // 2]
    table = contingency(a, b)
    assert mutual_information(table) == pytest.approx(mutual_info_score(a, b))
    expected = expected_mutual_information(table, n)
    got = expected_information(table.sum(1), table.sum(0))
    assert got == pytest.approx(expected)
    assert adjusted_information(table) == pytest.approx(
        adjusted_mutual_info_score(a, b), abs=1e-10
    )


def test_adjusted_information_at_the_ends():
    same = contingency([0, 0, 1, 1], ["x", "x", "y", "y"])
    assert adjusted_information(same) == 1.0
    assert adjusted_information(contingency([0, 0, 0, 0], [0, 1, 0, 1])) == 0.0


def test_eta_squared_is_kruskal_s_h():
    rng = np.random.default_rng(1)
    values, labels = rng.normal(size=60).round(1), rng.integers(0, 3, 60)
    h = stats.kruskal(*(values[labels == c] for c in range(3))).statistic
    correction = stats.tiecorrect(stats.rankdata(values))
    total = (60**3 - 60) / 12 * correction
    ranks = stats.rankdata(values) - 30.5
    assert float(ranks @ ranks) == pytest.approx(total)
    assert eta_squared(values, labels) == pytest.approx(h / 59)


def made(n=60, seed=0):
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 3
    columns = as_annotations(
        {
            "plate": [f"P{c}" for c in labels],
            "sex": rng.choice(["f", "m"], n).tolist(),
            "age": (50 + 10 * labels + rng.normal(size=n)).tolist(),
            "weight": rng.normal(size=n).tolist(),
        },
        n,
    )
    return columns, labels


def test_what_explains_the_clusters_is_named():
    columns, labels = made()
    seen = explain(columns, {3: labels}, Streams(0), shuffles=199)
    by = {row.annotation: row for row in seen.rows}
    assert by["plate"].association == 1.0
    assert by["age"].measure == "eta squared"
    assert by["age"].association > 0.8
    assert by["plate"].p_corrected == by["age"].p_corrected == 1 / 200
    assert not by["sex"].follows
    assert not by["weight"].follows
    assert seen.batch is by["plate"]
    assert seen.sentences[0].startswith(
        "Cluster membership follows 'plate' (AMI 1.00, p = 0.005): these clusters may "
        "be a batch effect"
    )
    assert "'age' (eta squared" in seen.sentences[1]
    assert len(seen.sentences) == 2
    assert seen.tables["plate"] == {
        "P0": (20, 0, 0),
        "P1": (0, 20, 0),
        "P2": (0, 0, 20),
    }


def test_the_main_level_is_spoken_of_if_it_is_nearly_as_good():
    columns, labels = made(n=120)
    finer = labels * 2 + (np.arange(120) // 3) % 2
    levels = {3: labels, 6: finer}
    named = as_annotations({"kind": [f"P{c}" for c in labels]}, 120)
    seen = explain(named, levels, Streams(0), main=6, shuffles=99)
    assert "membership at k = 3 follows 'kind' (AMI 1.00" in seen.sentences[0]
    mixed = labels.copy()
    mixed[0] = 1  # one item elsewhere
    levels = {2: (labels > 0).astype(int), 3: mixed, 4: labels}
    seen = explain(columns[:1], levels, Streams(0), main=3, shuffles=99)
    assert "membership follows 'plate'" in seen.sentences[0]


def test_a_batch_is_spoken_of_at_the_answer():
    """Six clusters that each lie within one of two batches are not spared."""
    batch, kind = np.arange(120) % 2, np.arange(120) // 2 % 3
    columns = as_annotations({"batch": batch.tolist(), "sex": batch.tolist()}, 120)
    levels = {2: batch, 3: kind, 6: 2 * kind + batch}
    seen = explain(columns, levels, Streams(0), main=6, shuffles=99)
    assert seen.sentences[0] == (
        "Each of the 6 clusters lies within one class of 'batch' (AMI 0.55, p = 0.01; "
        "AMI 1.00 at k = 2): these clusters may be a batch effect."
    )
    assert seen.warnings == seen.sentences[:1]
    assert seen.batches == ("batch",)
    assert seen.sentences[1].startswith("Cluster membership at k = 2 follows 'sex'")
    mixed = {**levels, 6: np.where(np.arange(120) == 0, 1, levels[6])}
    seen = explain(columns, mixed, Streams(0), main=6, shuffles=99)
    assert "lies almost within one class of 'batch'" in seen.sentences[0]
    seen = explain(columns, levels, Streams(0), main=6, shuffles=99, evident=False)
    assert "In a split into 6 groups each lies within one class" in seen.sentences[0]
    # Where the answer has nothing to do with it, a level may.
    seen = explain(columns, levels, Streams(0), main=3, shuffles=99)
    assert seen.sentences[0].startswith("Cluster membership at k = 2 follows 'batch'")


def test_one_class_in_all_clusters_is_no_batch():
    rare = ["B2"] * 4 + ["B1"] * 116
    labels = np.repeat(np.arange(6), 20)
    seen = explain(
        as_annotations({"batch": rare}, 120), {6: labels}, Streams(0), shuffles=99
    )
    assert seen.batches == ()


def test_corrected_p_values_hold_their_level():
    """Of fifty random tables of ten columns few may show anything at all."""
    shown = 0
    for seed in range(50):
        rng = np.random.default_rng(seed)
        n = 40
        columns = as_annotations(
            {
                f"c{j}": (
                    rng.choice(list("abc"), n) if j % 2 else rng.normal(size=n)
                ).tolist()
                for j in range(10)
            },
            n,
        )
        labels = {2: rng.integers(0, 2, n), 4: rng.integers(0, 4, n)}
        seen = explain(columns, labels, Streams(seed), shuffles=99)
        shown += any(row.p_corrected <= 0.05 for row in seen.rows)
    assert shown <= stats.binom.ppf(0.999, 50, 0.05)


def test_one_column_is_not_corrected():
    columns, labels = made()
    seen = explain(columns[1:2], {3: labels}, Streams(0), shuffles=99)
    assert seen.rows[0].p_corrected == pytest.approx(seen.rows[0].p, abs=1e-12)


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        (["a"] * 40, "the same for all items"),
        ([f"s{i}" for i in range(40)], "different for every item (an id?)"),
        ([str(i + 7) for i in range(40)], "numbers the items (an id?)"),
        ([f"s{max(i - 10, 0)}" for i in range(40)], "levels for 40 items"),
        ([""] * 38 + ["a", "b"], "known for 2 items only"),
    ],
)
def test_columns_that_explain_nothing_get_a_sentence(entries, words):
    columns = as_annotations({"x": entries}, 40)
    seen = explain(columns, {2: np.arange(40) % 2}, Streams(0), shuffles=19)
    assert seen.rows == ()
    assert words in seen.problems[0]


def test_ten_thousand_levels_do_no_harm():
    n = 30000
    columns = as_annotations({"x": [f"l{i % 10000}" for i in range(n)]}, n)
    seen = explain(columns, {2: np.arange(n) % 2}, Streams(0), shuffles=9)
    assert len(seen.rows) == 1
    assert seen.rows[0].levels == 10000
    more = as_annotations({"x": [f"l{i % 20000}" for i in range(n)]}, n)
    assert (
        "20,000 levels" in explain(more, {2: np.arange(n) % 2}, Streams(0)).problems[0]
    )


def test_items_without_an_entry_are_left_out():
    columns, labels = made()
    plate = columns[0]
    known = [plate.levels[code] for code in plate.codes[2:]]
    holes = as_annotations({"plate": ["NA", None, *known]}, 60)
    seen = explain(holes, {3: labels}, Streams(0), shuffles=49)
    assert seen.rows[0].items == 58
    assert seen.rows[0].association == 1.0
    assert class_table(holes[0], labels)["P0"] == (19, 0, 0)


def test_numbers_or_names():
    assert annotation("age", ["1.5", "2", "3"]).numeric
    assert not annotation("stage", ["1", "2", "3", "2", "1", "2"]).numeric
    assert annotation("dose", [str(i % 15) for i in range(60)]).numeric
    assert not annotation("plate", [str(i % 15) for i in range(60)]).numeric
    assert annotation("stage", ["10", "9", "9", "10"]).levels == ("9", "10")


@pytest.mark.parametrize(
    "name", ["batch", "Batch_2", "PlateID", "seq.date", "chip", "LANE", "total_counts"]
)
def test_names_of_batches(name):
    assert is_batch_name(name)


@pytest.mark.parametrize("name", ["sex", "stage", "tumor_site", "grunt", "collate"])
def test_names_of_other_things(name):
    assert not is_batch_name(name)


def test_annotations_need_one_entry_per_item():
    with pytest.raises(InputError, match="2 entries for 3 items"):
        as_annotations({"a": [1, 2]}, 3)
    with pytest.raises(InputError, match="DataFrame or a mapping"):
        as_annotations(7, 3)


def test_a_verdict_takes_annotations_and_gives_tables():
    rng = np.random.default_rng(0)
    X = 9 * np.eye(3)[np.arange(60) % 3] + rng.normal(size=(60, 3))
    known = {"plate": [f"P{i % 3}" for i in range(60)], "age": rng.normal(50, 9, 60)}
    how = {"ks": range(2, 5), "null_sets": 19, "level": 0.05, "jobs": 1}
    for given in (known, pd.DataFrame(known)):
        judged = stablek.verdict(X, annotations=given, **how)
        assert judged.evidence.startswith(
            "This rates how sure the groups are. Whether they are kinds of items is "
            "doubtful because of 'plate'. On "
        )
        found = judged.annotations
        assert found.batch.annotation == "plate"
        assert "batch effect" in found.sentence
        assert found.table["annotation"].isin(["plate", "age"]).all()
        counts = found.counts("plate")
        assert counts.index.tolist() == ["P0", "P1", "P2"]
        assert counts.columns.tolist() == [1, 2, 3]
        assert counts.to_numpy().max(axis=1).tolist() == [20, 20, 20]
    harmless = stablek.verdict(X, annotations={"age": known["age"]}, **how)
    assert harmless.evidence.startswith("On ")
    with pytest.raises(InputError, match="did you mean 'plate'"):
        found.counts("plat")
    with pytest.raises(InputError, match="59 entries for 60 items"):
        stablek.verdict(X, annotations={"plate": ["a"] * 59}, **how)


def test_a_batch_is_no_doubt_of_an_answer_that_it_does_not_touch():
    """Only at a k that nobody takes for clusters does membership follow the batch."""
    batch, kind = np.arange(120) % 2, np.arange(120) // 2 % 3
    columns = as_annotations({"batch": batch.tolist()}, 120)
    levels = {3: kind, 6: 2 * kind + batch}
    seen = explain(columns, levels, Streams(0), main=3, shown=[3], shuffles=99)
    assert seen.batches == ()
    assert seen.warnings == ()
    assert seen.sentences == (
        "Cluster membership at k = 6 follows 'batch' (AMI 0.55, p = 0.01).",
    )
    level = explain(columns, levels, Streams(0), main=3, shown=[3, 6], shuffles=99)
    assert level.batches == ("batch",)
    assert "these clusters may be a batch effect" in level.sentences[0]
