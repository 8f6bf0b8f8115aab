"""One way to say how to run: fields of an Execution, or the object, everywhere."""

import inspect
from dataclasses import fields

import numpy as np
import pytest

import stablek
from stablek import Execution, StableK
from stablek.cli import COMMANDS, cli
from stablek.errors import InputError

X = np.repeat([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]], 12, axis=0)
X = X + np.random.default_rng(0).normal(size=X.shape)
FIELDS = [one.name for one in fields(Execution)]


def first_column(values, width, rng):
    return (values[:, 0] > width).astype(int)


CALLS = {
    stablek.choose_k: lambda **how: stablek.choose_k(
        X, "fc", "kmeans-r", range(2, 5), repeats=8, **how
    ).columns["pac"],
    stablek.compare: lambda **how: stablek.compare(
        X, ["fc"], ["kmeans-r"], range(2, 5), repeats=8, **how
    ).results[0].columns["pac"],
    stablek.assess: lambda **how: stablek.assess(
        X, 3, "bagclust1", "kmeans-r", repeats=8, **how
    ).confidence,
    stablek.significance: lambda **how: stablek.significance(
        X, 3, "kmeans-r", null_sets=9, **how
    ).null_values,
    stablek.choose_setting: lambda **how: stablek.choose_setting(
        X, [1.0, 5.0], first_column, repeats=8, **how
    ).result.columns["agreement"],
    stablek.verdict: lambda **how: stablek.verdict(
        X, range(2, 5), repeats=10, null_sets=9, level=0.1, **how
    ).result.labels,
}  # fmt: skip
EVERY = pytest.mark.parametrize("function", CALLS, ids=lambda one: one.__name__)


@EVERY
def test_every_call_takes_the_object_or_its_fields(function):
    here = Execution(jobs=1, backend="serial")
    first = CALLS[function](execution=here)
    np.testing.assert_array_equal(first, CALLS[function](jobs=1, backend="serial"))


@EVERY
def test_every_call_has_the_same_defaults(function):
    parameters = inspect.signature(function).parameters
    assert parameters["execution"].default is None
    for name in FIELDS:
        assert parameters[name].default == getattr(Execution, name), name


@EVERY
def test_a_field_beside_the_object_is_refused(function):
    with pytest.raises(InputError, match=r"write Execution\(jobs=\.\.\.\)"):
        CALLS[function](execution=Execution(), jobs=2)


def test_the_command_line_lists_them_once():
    import click

    for name in ("run", "compare", "verdict", "assess", "significance"):
        assert name in COMMANDS
        command = cli.get_command(click.Context(cli), name)
        names = [param.name for param in command.params]
        assert [n for n in names if n in FIELDS] == FIELDS


def test_words_of_scikit_learn_mean_the_same():
    few = {"ks": range(2, 5), "repeats": 10}
    one = stablek.choose_k(X, "fc", "kmeans-r", seed=5, jobs=1, **few)
    two = stablek.choose_k(X, "fc", "kmeans-r", random_state=5, n_jobs=1, **few)
    assert (two.seed, two.to_json()) == (5, one.to_json())
    three = stablek.verdict(
        X, range(2, 5), random_state=5, n_jobs=1, null_sets=9, repeats=10
    )
    assert three.seed == 5
    for twice in ({"seed": 1, "random_state": 2}, {"jobs": 1, "n_jobs": 2}):
        with pytest.raises(InputError, match="mean the same; give one of them"):
            stablek.choose_k(X, **twice)


def test_the_estimator_takes_the_object():
    made = StableK(
        "fc", ks=(2, 3), settings={"repeats": 4}, execution=Execution(1, "serial")
    )
    assert made.fit(X).n_clusters_ in (2, 3)
    with pytest.raises(InputError, match="jobs and execution are both given"):
        made.set_params(n_jobs=2).fit(X)


def test_k_has_one_name_for_all_answers():
    found = stablek.choose_k(X, "fc", "hier-a", range(2, 5), repeats=8)
    assert found.k == found.k_star
