"""A null set that fails costs certainty, never the measure; and it is told."""

import numpy as np
import pytest
from wary_clusterers import DATA as X
from wary_clusterers import Refusing, Slices, Wary

from stablek.api.choose_k import choose_k
from stablek.api.significance import significance
from stablek.errors import PartFailedError

KS = range(1, 5)


class Moody(Slices):
    """Fail now and then, whatever the data."""

    def fit_predict(self, X):
        if self.random_state % 7 == 0:
            raise RuntimeError("no luck")
        return super().fit_predict(X)


def gap(clusterer, **how):
    how = {"backend": "serial", **how}
    return choose_k(X, "gap-ps", clusterer, KS, null_sets=12, runs=1, **how)


def missing_in(result):
    """Return which null sets have the curve of the data in their place."""
    own = result.columns[result.main]
    drawn = result.nulls.columns[result.main][0][:, : len(own)]
    return (drawn == own).all(axis=1)


def test_a_null_set_that_fails_counts_as_one_that_looks_like_the_data():
    whole, holes = gap(Slices()), gap(Wary())
    missing = missing_in(holes)
    assert 0 < missing.sum() < 12
    assert not missing_in(whole).any()
    assert holes.nulls.missing == missing.sum() == len(holes.failures)
    for name, column in whole.nulls.columns.items():
        kept = holes.nulls.columns[name][0][~missing]
        np.testing.assert_array_equal(kept, column[0][~missing])
    shrunk = holes.columns["gap"] / (1 - missing.mean())
    others = whole.nulls.columns[whole.main][0][~missing, : len(KS)].mean(axis=0)
    np.testing.assert_allclose(shrunk, others - whole.columns[whole.main])


def test_the_result_says_which_null_sets_are_missing_and_why():
    result = gap(Wary())
    first = 1 + int(np.flatnonzero(missing_in(result))[0])
    assert result.failures[0] == (
        f"null set {first}: Wary failed at k = 1: RuntimeError: not this one"
    )
    count = result.nulls.missing
    told = f"{count} null set(s) failed; they count as looking like the data"
    assert told in result.reason
    assert "null set(s)" not in gap(Slices()).reason


def test_what_is_missing_does_not_depend_on_who_did_the_work():
    one, two = gap(Wary()), gap(Wary(), backend="processes", jobs=2)
    assert one.to_json() == two.to_json()


def test_a_measure_of_which_all_null_sets_failed_has_failed():
    with pytest.raises(PartFailedError, match=r"null set 1: .*none of these"):
        gap(Refusing())


def test_calibration_counts_every_missing_set_against_the_data():
    def p_of(clusterer):
        found = choose_k(
            X, "fc", clusterer, range(2, 4), repeats=4, calibrate=9, backend="serial"
        )
        return found.facts["calibration"], found

    whole, _ = p_of(Slices())
    calibration, found = p_of(Wary())
    assert "missing" not in whole
    assert 0 < calibration["missing"] < 9
    wholly = [one for one in found.failures if "in some repeats" not in one]
    assert len(wholly) == calibration["missing"]
    lowest = (1 + calibration["missing"]) / 10
    assert calibration["p_any"] >= lowest - 1e-12
    assert (found.columns["p"] >= lowest - 1e-12).all()
    assert "failed; they count as looking like the data" in found.reason


@pytest.mark.parametrize("proportion", [False, True])
def test_the_p_value_of_a_partition_counts_every_missing_set(proportion):
    found = significance(
        X,
        3,
        Wary(),
        null_sets=19,
        backend="serial",
        proportion=proportion,
        better="low",
    )
    count = len(found.failures)
    assert 0 < count < 19
    drawn = found.null_values
    beyond = (drawn < found.value).sum()
    assert (drawn == found.value).sum() == count
    want = (beyond + count) / 19 if proportion else (1 + beyond + count) / 20
    assert found.p == pytest.approx(want)


def test_a_repeat_that_fails_within_a_null_set_is_left_out_and_told():
    found = choose_k(
        X, "clest", Moody(), range(2, 4), repeats=6, null_sets=5, backend="serial"
    )
    told = [line for line in found.failures if line.startswith("null set ")]
    assert told
    assert all(", in some repeats: " in line for line in told)
    assert all("RuntimeError: no luck" in line for line in told)
    assert found.nulls.missing == 0
    assert np.isfinite(found.nulls.columns[found.main]).all()
