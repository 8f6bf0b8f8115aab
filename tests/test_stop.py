import numpy as np
import pytest

from stablek.choose import choose_k
from stablek.errors import InputError
from stablek.measures.consensus import fc
from stablek.significance.curve import AreaSettles
from stablek.stop import FixedRepeats, Settled
from stablek.testing import some_data


def test_clear_structure_needs_few_repeats_and_gives_the_same_k():
    data = some_data(60, 6, 3)
    whole = choose_k(data, "fc", "hier-a", range(2, 9))
    early = choose_k(data, "fc", "hier-a", range(2, 9), adaptive=True)
    assert early.k_star == whole.k_star == 3
    assert early.facts["repeats"] < 250
    assert "each of 4 disjoint parts" in early.facts["stopped"]


def test_what_an_adaptive_run_saw_is_a_prefix_of_the_whole_run():
    data = some_data(60, 6, 3)
    whole = choose_k(data, "fc", "hier-a", range(2, 6))
    early = choose_k(data, "fc", "hier-a", range(2, 6), adaptive=True)
    count = early.facts["repeats"]
    assert np.array_equal(early.cube.labels, whole.cube.first(count).labels)


def test_noise_runs_to_the_limit_and_says_so():
    noise = np.random.default_rng(0).normal(size=(40, 5))
    result = choose_k(noise, "fc", "hier-a", range(2, 12), adaptive=True, repeats=60)
    assert result.facts["repeats"] == 60
    assert result.facts["stopped"] == "the limit of 60 repeats was reached"


def test_the_workers_do_not_change_where_an_adaptive_run_stops():
    data = some_data(50, 4, 4)
    one = choose_k(data, "fc", "kmeans-r", range(2, 8), adaptive=True, backend="serial")
    two = choose_k(
        data, "fc", "kmeans-r", range(2, 8), adaptive=True, jobs=2, backend="threads"
    )
    assert one.to_json() == two.to_json()


def test_the_limit_is_the_last_checkpoint():
    assert fc(adaptive=True, repeats=60).stop.counts == (24, 48, 60)
    assert isinstance(fc().stop, FixedRepeats)


def test_too_few_repeats_for_parts_are_not_enough():
    data = some_data(30)
    cube = choose_k(data, "fc", "hier-a", range(2, 5), repeats=4).cube
    assert Settled(AreaSettles()).enough(cube, (2, 3, 4)) is None


def test_no_repeats_at_all_are_refused():
    with pytest.raises(InputError, match="at least 1"):
        FixedRepeats(0)
