"""A model of clusters: new items, another cohort, and a file that keeps it."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import stablek
from stablek.api.new_data import SCALE_STEPS, Model
from stablek.api.validate import validate
from stablek.data import Dataset, from_arrays
from stablek.data.preparation import prepare
from stablek.data.replay import STEP_NUMBERS, Step
from stablek.errors import InputError
from stablek.panel.scale import scale_of
from stablek.results.assign import Projection


def cohort(seed, n=90, m=20, effect=3.0, k=3):
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % k
    values = rng.normal(size=(n, m))
    for c in range(k):
        values[labels == c, c * 4 : c * 4 + 4] += effect
    return values, labels


def plane(values, components=2):
    centred = values - values.mean(axis=0)
    axes = np.linalg.svd(centred, full_matrices=False)[2][:components]
    return Projection(values.mean(axis=0), axes.T)


def model(seed=0, **how):
    values, labels = cohort(seed, **how)
    frame = plane(values)
    names = tuple(f"g{j}" for j in range(values.shape[1]))
    return Model(
        3, frame, names, values.mean(axis=0), values.std(axis=0), frame.scores(values),
        {2: (labels > 0).astype(np.int64), 3: labels.astype(np.int64)},
    )  # fmt: skip


def test_training_items_go_back_to_their_clusters():
    values, labels = cohort(0)
    got = model().assign(values)
    assert (got.cluster - 1 == labels).mean() >= 0.99
    assert (model().assign(values, 2).cluster - 1 == (labels > 0)).mean() >= 0.99
    with pytest.raises(InputError, match="no partition at k = 7; there is one at 2, 3"):
        model().assign(values, 7)


def test_without_evidence_there_is_one_cluster_unless_k_is_given():
    values = np.random.default_rng(0).normal(size=(60, 4))
    v = stablek.verdict(values, range(2, 5), null_sets=19, level=0.05)
    assert v.k == 1
    got = v.predict(values)
    assert np.array_equal(got.cluster, v.labels)
    assert got.notes[-1] == (
        "the verdict found no evidence of clusters, so there is one; its best guess is "
        f"{v.best_guess} groups: k={v.best_guess}"
    )
    got = v.predict(values, v.best_guess)
    assert got.cluster.max() == v.best_guess
    assert "groups of a split, not clusters" in got.notes[-1]
    assert model().assign(cohort(0)[0]).notes == ()
    again = stablek.validate(v, values, null_sets=19)
    assert again.k == v.best_guess
    assert "no evidence of clusters" in again.notes[-1]


def test_columns_are_matched_by_name_and_one_item_is_enough():
    values, labels = cohort(1)
    frame = pd.DataFrame(values, columns=[f"g{j}" for j in range(20)])
    turned = frame[frame.columns[::-1]]
    assert np.array_equal(model().assign(turned).cluster, model().assign(frame).cluster)
    one = model().assign(turned.iloc[:1])
    assert one.cluster[0] == labels[0] + 1
    assert one.ids == ("0",)


def test_a_model_is_kept_in_a_file(tmp_path):
    made = model()
    path = made.save(tmp_path / "model.npz")
    again = Model.load(tmp_path)
    values, _ = cohort(2)
    first, second = made.assign(values), again.assign(values)
    assert np.array_equal(first.cluster, second.cluster)
    np.testing.assert_array_equal(first.distance, second.distance)
    before = path.read_bytes()
    assert again.save(path).read_bytes() == before


def test_the_preparation_is_kept_and_repeated(tmp_path):
    values, _ = cohort(0)
    names = tuple(f"g{j}" for j in range(20))
    steps = ["log2", "standardise-columns"]
    data = prepare(from_arrays(2.0**values, columns=names), steps)
    made = replace(model(), steps=data.steps)
    made.save(tmp_path / "model.npz")
    again = Model.load(tmp_path)
    new = from_arrays(2.0 ** values[:30, ::-1], columns=names[::-1])
    got, notes = again.matched(new)
    np.testing.assert_allclose(got, data.values[:30], atol=1e-12)
    assert notes[0] == "log2 of the values"
    assert "of the first data" in notes[1]


def test_what_is_no_model_is_refused(tmp_path):
    with pytest.raises(InputError, match="does not exist"):
        Model.load(tmp_path)
    (tmp_path / "model.npz").write_bytes(b"nothing")
    with pytest.raises(InputError, match="damaged"):
        Model.load(tmp_path)
    np.savez(tmp_path / "model.npz", schema=np.array(99))
    with pytest.raises(InputError, match="form 99"):
        Model.load(tmp_path)


def test_clusters_come_back_in_a_cohort_of_the_same_kind():
    values, _ = cohort(3)
    got = validate(model(), values, null_sets=39)
    assert [one.word for one in got.clusters] == ["comes back"] * 3
    assert got.rand > 0.9
    assert got.rand_p == got.p == 1 / 40
    assert got.score > 3
    assert got.sentence.startswith("All 3 clusters come back in the other cohort")
    again = validate(model(), values, null_sets=39)
    assert again.to_json() == got.to_json()
    assert list(got.table["size"]) == [30, 30, 30]


def test_clusters_do_not_come_back_where_there_are_none():
    values, _ = cohort(3)
    rng = np.random.default_rng(4)
    root = np.linalg.cholesky(np.cov(values.T) + 1e-9 * np.eye(20))
    null = values.mean(axis=0) + rng.normal(size=(90, 20)) @ root.T
    got = validate(model(), null, null_sets=39)
    assert got.p > 0.05
    assert "comes back" not in [one.word for one in got.clusters]


def test_another_platform_is_noticed_and_aligned():
    values, labels = cohort(5)
    moved = 7.0 + 3.0 * values
    got = validate(model(), moved, null_sets=19)
    assert any("another platform?" in note for note in got.notes)
    assert (got.assignment.cluster - 1 == labels).mean() > 0.95
    with pytest.raises(InputError, match="alignment"):
        validate(model(), values, align="sideways")


def test_an_absent_cluster_is_called_absent():
    values, labels = cohort(6)
    got = validate(model(), values[labels < 2], null_sets=19, align="none")
    assert got.clusters[2].word == "absent"


def test_one_cluster_cannot_be_validated():
    with pytest.raises(InputError, match="nothing to validate"):
        validate(model(), cohort(0)[0], k=1)


def test_what_a_verdict_does_to_scales_is_done_to_new_items_too():
    rng = np.random.default_rng(0)
    units = rng.normal(size=(60, 6)) * [1, 1, 30, 1, 900, 1]
    level = np.exp(rng.normal(1, 1, 60))
    counts = rng.poisson(level * 5, (40, 60))
    deep = rng.poisson(level * rng.uniform(0.5, 9, (40, 1)) * 5)
    for values in (units, counts, deep, rng.normal(size=(60, 6))):
        how = scale_of(Dataset(values.astype(float)))
        assert SCALE_STEPS[how.used] == how.steps


def test_new_items_of_columns_on_unlike_scales_go_to_their_clusters():
    values, labels = cohort(0, effect=5.0, m=12)
    scaled = values * np.geomspace(1, 1000, 12)
    v = stablek.verdict(scaled[:60], range(2, 5), null_sets=19, level=0.05)
    assert v.scale == "columns standardised"
    assert np.array_equal(v.predict(scaled[:60]).cluster, v.labels)
    new = v.predict(scaled[60:]).cluster
    for c in range(3):
        assert len(set(new[labels[60:] == c].tolist())) == 1


@pytest.mark.parametrize("steps", SCALE_STEPS.values())
def test_only_the_first_step_of_a_scale_takes_numbers(steps):
    # A model takes them from the values as they are.
    assert not set(steps[1:]) & set(STEP_NUMBERS)


def test_text_that_the_first_data_did_not_have_is_left_out_with_a_note():
    values, _ = cohort(0)
    frame = pd.DataFrame(values, columns=[f"g{j}" for j in range(20)])
    facts = frame.assign(kind=pd.Categorical([1, 2, 3] * 30), site="x")
    alone, got = model().assign(frame), model().assign(facts)
    assert np.array_equal(alone.cluster, got.cluster)
    assert got.notes == (
        "left out: columns 'kind', 'site' (text), which the clusters were not made "
        "from",
    )  # fmt: skip
    assert np.array_equal(model().distances(frame), model().distances(facts))
    again = validate(model(), facts, null_sets=19)
    assert got.notes[0] in again.notes
    assert again.p == validate(model(), frame, null_sets=19).p
    with pytest.raises(InputError, match=r"'g3' \('x' in row 0\)"):
        model().assign(facts.assign(g3="x"))
    with pytest.raises(InputError, match="'kind'"):  # nothing is known by name
        replace(model(), columns=()).assign(facts)


def test_columns_of_the_steps_before_are_known_and_annotations_are_not():
    values, _ = cohort(0)
    names = tuple(f"g{j}" for j in range(20))
    made = prepare(from_arrays(values, columns=names), ["most-variable:5", "pca:2"])
    steps = (*made.steps, Step("adjust", ("batch",)))
    known = replace(model(), columns=made.columns, steps=steps).known
    assert known == {*names, "PC1", "PC2"}
