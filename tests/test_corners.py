"""Corners that ordinary data do not reach, one behaviour each."""

import os
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import stablek
from stablek.api.choose_k import choose_k, request
from stablek.api.choose_setting import choose_setting, over_settings
from stablek.cli.explain import cost
from stablek.cli.report import read_results
from stablek.cli.report_path import read_embedding
from stablek.cli.user_code import load_named
from stablek.data import Sample, from_arrays
from stablek.datasets import packaged
from stablek.datasets.folder import Labelled
from stablek.datasets.listing import catalogue
from stablek.engine.run import Outcome, run
from stablek.errors import InputError
from stablek.factorize.init import _larger_part
from stablek.measures import measure
from stablek.paradigm import cube as cubes
from stablek.paradigm.classify import classifier
from stablek.paradigm.cluster.merge_down import MergedDown
from stablek.paradigm.contracts import Curve, Facts, NullCurves
from stablek.paradigm.cube import PartitionCube
from stablek.paradigm.perturb.transform import distortion
from stablek.paradigm.significance.against_null import (
    Gap,
    MonteCarlo,
    next_local_maximum,
)
from stablek.paradigm.statistic.continuation import PAIRS, some_pairs
from stablek.paradigm.statistic.dispersion import HeldOut, WithinSS
from stablek.paradigm.statistic.quality import Quality
from stablek.results.from_outcome import partition

X = np.random.default_rng(0).normal(size=(20, 3))


def test_pairs_to_go_on_with_are_all_or_enough_and_never_an_item_with_itself():
    assert len(some_pairs(10)) == 45
    many = some_pairs(300)
    assert many.shape == (PAIRS, 2)
    assert (many[:, 0] != many[:, 1]).all()
    assert many.max() < 300
    np.testing.assert_array_equal(many, some_pairs(300))


def test_room_for_a_file_is_not_reserved_where_that_cannot_be_asked(
    tmp_path, monkeypatch
):
    file = tmp_path / "x"
    file.write_bytes(b"1234")
    monkeypatch.delattr(os, "posix_fallocate")
    cubes.reserve(file)
    assert file.read_bytes() == b"1234"


def test_a_file_that_is_still_mapped_is_removed_at_the_end(monkeypatch):
    left = []
    monkeypatch.setattr(cubes.atexit, "register", lambda *call, **_: left.append(call))

    def held(path, missing_ok=False):
        raise PermissionError

    with monkeypatch.context() as mapped:
        mapped.setattr(cubes.Path, "unlink", held)
        with cubes.passing_file() as path:
            path.write_bytes(b"x")
    assert [call[0].__self__ for call in left] == [path]
    path.unlink()


@pytest.mark.parametrize("statistic", [WithinSS(), HeldOut(), Quality("wcss")])
def test_repeats_that_are_not_there_have_no_score(statistic):
    data = from_arrays(X)
    cube = PartitionCube(3, (2,), 1, 20)
    cube.put(1, (2,), (np.arange(20) % 2).astype(np.uint8)[None, None])
    scores = statistic.collect(cube, data)
    assert np.isnan(scores[[0, 2]]).all()
    assert np.isfinite(scores[1]).all()
    empty = statistic.collect(PartitionCube(2, (2,), 1, 20), data)
    assert np.isnan(empty).all()


def test_one_cluster_has_no_silhouette():
    labels = np.zeros((1, 20), np.uint8)
    assert Quality("silhouette").of(from_arrays(X), labels) == [0.0]


def test_equal_items_are_not_distorted():
    data = from_arrays(np.ones((5, 2)))
    found = distortion(Sample(data, np.arange(5), changed=X[:5, :2]))
    assert (found.smallest, found.largest, found.within) == (1.0, 1.0, 1.0)


def test_a_classifier_bears_columns_of_any_scale():
    rng = np.random.default_rng(1)
    labels = np.repeat([0, 1], 10)
    values = rng.normal(size=(20, 2)) + 4 * labels[:, None]
    dlda = classifier("dlda")
    plain = dlda.predict(values, labels, values, 2)
    for power in (-600, 480):
        scaled = np.ldexp(values, [power, 0])
        np.testing.assert_array_equal(dlda.predict(scaled, labels, scaled, 2), plain)


def test_parts_of_a_set_that_do_not_fit_are_refused():
    with pytest.raises(InputError, match="toy: 20 x 3 values, 19 ids"):
        Labelled(X, ("a",) * 19, ("x",) * 3, ("u",) * 20, 1, "toy")


def test_sets_in_the_folder_are_not_told_to_be_elsewhere(tmp_path):
    import gzip

    every = {entry.name for entry in catalogue(None) if not entry.present}
    known = {e.name for e in catalogue(str(tmp_path)) if e.kind == "folder"}
    name = sorted(known & every)[0]
    with gzip.open(tmp_path / f"{name}.tsv.gz", "wt") as file:
        file.write("id\ta\nx\t1\n")
    (tmp_path / f"{name}.labels.tsv").write_text("id\tclass\nx\tu\n")
    here = [entry for entry in catalogue(str(tmp_path)) if entry.name == name]
    assert [entry.present for entry in here] == [True]


def test_sets_of_a_package_are_read_from_its_files(tmp_path, monkeypatch):
    folder = tmp_path / "data"
    folder.mkdir()
    np.save(folder / "NCI60data.npy", np.arange(8.0).reshape(4, 2))
    (folder / "NCI60labs.csv").write_text("x\nCNS\nUNKNOWN\nRENAL\nCNS\n")
    for part, rows in (("train", "1,2\n3,4\n"), ("test", "5,6\n")):
        (folder / f"Khan_x{part}.csv").write_text("a,b\n" + rows)
        (folder / f"Khan_y{part}.csv").write_text("x\n" + "2\n" * rows.count("\n"))
    monkeypatch.setattr(
        packaged, "_file", lambda package, *parts: tmp_path.joinpath(*parts)
    )
    lines = packaged._nci60("nci60-6830")
    np.testing.assert_array_equal(lines.values, [[0, 1], [4, 5], [6, 7]])
    assert lines.classes == ("CNS", "RENAL", "CNS")
    tumours = packaged._khan("khan")
    np.testing.assert_array_equal(tumours.values, [[1, 2], [3, 4], [5, 6]])
    assert tumours.ids[-1] == "tumour03"


def test_settings_are_compared_by_a_measure_given_as_an_object():
    def slices(values, setting, seed):
        return values[:, 0].argsort().argsort() * setting // len(values)

    named_one = choose_setting(X, (2, 3), slices, repeats=4)
    made = over_settings("fc", repeats=4)
    assert named_one.settings == (2, 3)
    found = choose_setting(X, (2, 3), slices, measure=made)
    assert found.settings == (2, 3)


def test_the_public_names_are_listed():
    assert {"choose_k", "verdict", "Result"} <= set(dir(stablek))


def test_a_measure_that_stops_by_another_rule_has_its_repeats():
    made = measure("fc").with_(stop=SimpleNamespace())
    assert cost(made).startswith("its repeats, each clustering one sample")


def test_a_module_beside_the_data_is_found(tmp_path, monkeypatch):
    (tmp_path / "just_here_one.py").write_text("value = 3\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    assert load_named("just_here_one:value") == 3
    assert load_named("just_here_one:value") == 3
    assert sys.path.count(str(tmp_path)) == 1


def test_an_embedding_of_another_length_is_refused_with_its_name(tmp_path, monkeypatch):
    from stablek.cli.report_path import _ASKED

    file = tmp_path / "plane.csv"
    file.write_text("a,b\n1,2\n3,4\n5,6\n")
    token = _ASKED.set(str(file))
    try:
        with pytest.raises(InputError, match=r"--embedding .*plane.csv: "):
            read_embedding("x.csv", from_arrays(X), {})
    finally:
        _ASKED.reset(token)


def test_a_verdict_is_read_from_its_folder(tmp_path):
    rng = np.random.default_rng(0)
    values = 9.0 * np.eye(3)[np.arange(42) % 3] + rng.normal(size=(42, 3))
    found = stablek.verdict(
        values, range(2, 5), repeats=6, null_sets=19, level=0.06, jobs=1
    )
    (tmp_path / "verdict.json").write_text(found.to_json())
    results, judged = read_results(tmp_path)
    assert results == []
    assert judged.to_json() == found.to_json()


def test_what_cannot_be_merged_further_stays(monkeypatch):
    class Fewer:
        name, random, native = "fewer", False, False

        def partitions(self, sample, ks, streams):
            return np.array([[0, 0, 1, 1, 1]], np.uint16)

        def refine(self, sample, labels, k):
            return labels

    down = MergedDown(Fewer(), refresh=9)
    found = down.partitions(from_arrays(X[:5]).whole(), (2, 3, 4), None)
    np.testing.assert_array_equal(found, [[0, 0, 1, 1, 1]] * 3)


FACTS = Facts(n=20, m=3, ks=(1, 2, 3), asked=(1, 2, 3), repeats=1)


def test_rules_on_null_sets_need_them():
    curve = Curve((1, 2, 3), {"x": np.zeros(3)}, "x")
    for rule in (Gap(), MonteCarlo()):
        with pytest.raises(InputError, match="null sets; give"):
            rule(curve, None, FACTS)


def test_a_gap_that_never_rises_again_has_no_later_maximum():
    curve = Curve((1, 2, 3), {"x": np.array([0.0, 0.0, 0.0])}, "x")
    falling = NullCurves("m", {"x": np.array([[[3.0, 2.0, 1.0], [3.1, 2.1, 1.1]]])})
    found = Gap()(curve, falling, FACTS)
    assert found.k_star == 1
    assert "next_local_maximum" not in found.facts
    assert next_local_maximum((1, 2, 3), np.array([3.0, 2.0, 1.0]), 1, 3) is None
    rising = NullCurves("m", {"x": np.array([[[1.0, 2.0, 9.0], [1.1, 2.1, 9.1]]])})
    last = Gap()(curve, rising, FACTS)
    assert last.k_star == 3
    assert "Gap(4)" not in last.reason


def test_a_singular_pair_that_is_nan_is_refused():
    with pytest.raises(InputError, match="a singular pair is NaN"):
        _larger_part(np.full(4, np.nan), np.ones(3))


class Halves:
    def __init__(self, n_clusters=2):
        self.n_clusters = n_clusters

    def fit_predict(self, X):
        if len(X) == 20:
            raise RuntimeError("not all of them")
        return np.minimum(X[:, 0] // (100 / self.n_clusters), self.n_clusters - 1)


def test_a_partition_of_all_items_that_fails_is_told_and_the_rest_stands():
    apart = np.abs(X) + 90 * (np.arange(20) % 2)[:, None]
    found = choose_k(apart, "me", Halves(), range(2, 4), repeats=3, backend="serial")
    assert found.labels is None
    assert found.k_star is not None
    (failure,) = found.failures
    assert failure.startswith("the partition of all items at k = ")
    planned = request(X, "me", "hier-a", range(2, 4), repeats=3).plan
    outcome = run(planned)
    assert isinstance(outcome, Outcome)
    assert partition(planned, outcome, None) is None


def test_an_original_partition_that_fails_fails_the_measure():
    from stablek.errors import PartFailedError

    with pytest.raises(PartFailedError, match="not all of them"):
        choose_k(X, "levine-domany", Halves(), range(2, 4), repeats=3, backend="serial")


@pytest.mark.parametrize("name", ["fc", "consensus", "brunet"])
def test_a_single_repeat_has_no_spread_and_warns_of_nothing(name):
    found = choose_k(X, name, "hier-a", range(2, 4), repeats=1, jobs=1)
    np.testing.assert_array_equal(found.columns["area_error"], 0)


def test_distances_that_are_all_zero_are_one_cluster():
    found = choose_k(np.zeros((12, 12)), "fc", "hier-a", metric="precomputed")
    assert found.k_star == 1
    assert found.reason == "all distances are 0: no clusters to look for"
