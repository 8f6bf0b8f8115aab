"""A verdict described: markers with their stability, annotations, classes."""

from types import SimpleNamespace

import numpy as np
import pytest

from stablek.data import from_arrays
from stablek.data.annotations import as_annotations
from stablek.errors import InputError
from stablek.paradigm.cube import PartitionCube
from stablek.results.describe import (
    class_codes,
    class_items,
    drawn_at,
    explained_of,
    markers_of,
    shown_levels,
)


def verdict(k=3, **facts):
    """Return what a verdict on three groups offers, all but two items judged."""
    rng = np.random.default_rng(0)
    n = 62
    labels = np.arange(n) % 3
    values = rng.normal(size=(n, 20))
    for c in range(3):
        values[labels == c, c * 4 : c * 4 + 4] += 4
    ids = tuple(f"s{i}" for i in range(n))
    known = as_annotations({"plate": [f"P{c}" for c in labels]}, n)
    data = from_arrays(values, ids=ids, annotations=known)
    cube = PartitionCube(12, (2, 3), 1, n - 2)
    for repeat in range(12):
        for at, parts in ((2, labels > 0), (3, labels)):
            row = parts[: n - 2].astype(np.uint8)
            row[rng.random(n - 2) < 0.2] = cube.missing
            cube.put(repeat, [at], row[None, None])
    result = SimpleNamespace(
        cube=cube, data=from_arrays(values[: n - 2], ids=ids[: n - 2])
    )
    parts = {1: np.ones(n, dtype=int), 2: (labels > 0) + 1, 3: labels + 1}
    made = {
        "k": k, "best_guess": 3, "n": n, "ids": ids, "data": data, "result": result,
        "levels": (SimpleNamespace(k=2), SimpleNamespace(k=3)), "seed": 0,
        "labels_at": lambda at: parts[at], "user_labels": None, "partitions": parts,
        "facts": {}, "explained": None,
    }  # fmt: skip
    return SimpleNamespace(**{**made, **facts})


def test_markers_of_a_verdict_are_stable_where_subsamples_agree():
    found = markers_of(verdict(), top=4)
    assert len(found) == 12
    assert all((int(one.column) - 1) // 4 == one.cluster - 1 for one in found)
    assert all(one.stable for one in found)
    assert {one.k for one in markers_of(verdict(), 2)} == {2}


def test_without_evidence_no_column_is_stable():
    found = markers_of(verdict(k=1), top=4)
    assert found
    assert not any(one.stable for one in found)


def test_many_items_are_described_by_those_judged(monkeypatch):
    whole = markers_of(verdict(), top=4)
    monkeypatch.setattr("stablek.results.describe.MOST_ITEMS", 10)
    few = markers_of(verdict(), top=4)
    assert {one.column for one in few} == {one.column for one in whole}
    assert few[0].mean_inside != whole[0].mean_inside  # two items fewer


def test_subsamples_are_spread_over_all_items():
    drawn, seen = drawn_at(verdict(), 9)  # the nearest k is 3
    assert drawn.shape == (12, 62)
    assert (drawn[:, 60:] == 255).all()
    assert len(seen) == 60


def test_annotations_are_held_against_every_level():
    found = explained_of(verdict())
    assert [(row.annotation, row.k) for row in found.rows] == [
        ("plate", 2),
        ("plate", 3),
    ]
    assert found.batch.k == 3
    assert shown_levels(verdict()) == (2, 3)


def test_classes_are_held_against_clusters_too():
    own = tuple("abc"[i % 3] for i in range(62))
    found = explained_of(verdict(user_labels={"labels": own}))
    assert found.tables["your labels"]["a"] == (21, 0, 0)
    names, codes = class_codes(own)
    assert names == ("a", "b", "c")
    assert markers_of(verdict(), labels=codes, top=2)[0].k == 3


def test_items_that_sit_elsewhere_are_named():
    own = ["abc"[i % 3] for i in range(62)]
    own[7] = "a"  # it falls with the others of b
    rows = class_items(verdict(user_labels={"labels": own}))
    assert [row["id"] for row in rows if row["sits_elsewhere"]] == ["s7"]
    assert rows[0]["id"] == "s7"
    assert rows[0]["runner_up"] == "b"
    assert len(rows) == 60
    assert class_items(verdict()) == []


def test_distances_and_json_have_no_markers():
    square = np.abs(np.subtract.outer(np.arange(5.0), np.arange(5.0)))
    far = verdict(data=from_arrays(square, precomputed=True))
    assert markers_of(far) == ()
    with pytest.raises(InputError, match=r"markers\.tsv"):
        markers_of(verdict(data=None))
