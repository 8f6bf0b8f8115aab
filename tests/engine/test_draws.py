"""Many repeats in one go give what one after another gives."""

from dataclasses import replace

import numpy as np
import pytest

from stablek.api.choose_k import request
from stablek.engine import steps
from stablek.engine.steps import carry_out, carry_out_all
from stablek.paradigm.perturb.resample import Bootstrap, Stratified
from stablek.paradigm.perturb.transform import Noise
from stablek.testing import some_data


def planned(algorithm="hier-a", measure="fc", n=40, ks=range(2, 7), **settings):
    return request(some_data(n, 3, 3), measure, algorithm, ks, **settings).plan


def both_ways(plan, repeats=9):
    tasks = plan.repeat_tasks(0, repeats)
    one_by_one = [carry_out(plan, task) for task in tasks]
    at_once = list(carry_out_all(plan, tasks))
    assert [o.task for o in at_once] == tasks
    for one, other in zip(one_by_one, at_once, strict=True):
        assert one.labels.dtype == other.labels.dtype
        assert np.array_equal(one.labels, other.labels)
    return at_once


@pytest.mark.parametrize(
    "algorithm",
    ["hier-a", "hier-c", "hier-s", "hier-w", "kmeans-a", "kmeans-w", "kmeans-r"],
)
def test_repeats_at_once_have_the_labels_of_repeats_one_by_one(algorithm):
    both_ways(planned(algorithm))


@pytest.mark.parametrize(
    "measure", ["consensus", "me", "clest", "fom", "levine-domany", "mosram"]
)
def test_whatever_else_a_measure_does_it_is_done_for_every_repeat(measure):
    both_ways(planned(measure=measure), 2)


@pytest.mark.parametrize("algorithm", ["hier-a", "kmeans-a"])
@pytest.mark.parametrize("ks", [range(2, 7), range(15, 31)])
def test_an_item_drawn_twice_keeps_its_first_label(algorithm, ks):
    plan = planned(algorithm, ks=ks)
    both_ways(replace(plan, measure=replace(plan.measure, perturb=(Bootstrap(),))))


def test_strata_are_drawn_as_one_by_one():
    plan = planned()
    strata = Stratified(tuple(i % 3 for i in range(40)))
    both_ways(replace(plan, measure=replace(plan.measure, perturb=(strata,))))


def test_a_draw_that_changes_values_is_clustered_on_its_own():
    class Shifted:
        def draw(self, data, rng, repeat):
            shift = rng.normal(size=data.values.shape)
            return replace(data.whole(), changed=data.values + shift)

        def size(self, n):
            return n

    plan = planned()
    both_ways(replace(plan, measure=replace(plan.measure, perturb=(Shifted(),))))


@pytest.mark.parametrize("piece", [0, 5 * 40**2, 10**9])
@pytest.mark.parametrize("algorithm", ["hier-a", "kmeans-c"])
@pytest.mark.parametrize("measure", ["consensus", "me"])
def test_samples_of_their_own_for_every_k_are_cut_into_pieces_anywhere(
    measure, algorithm, piece, monkeypatch
):
    monkeypatch.setattr(steps, "PIECE", piece)
    both_ways(planned(algorithm, measure), 3)


def test_two_samples_of_which_one_has_other_values_are_clustered_one_by_one():
    plan = planned(measure="me")
    perturb = (Bootstrap(), Noise())
    both_ways(replace(plan, measure=replace(plan.measure, perturb=perturb)), 2)


def test_more_labels_than_a_byte_holds_and_pieces_of_one_repeat(monkeypatch):
    monkeypatch.setattr(steps, "PIECE", 0)
    outputs = both_ways(planned(n=330, ks=range(255, 258)), 2)
    assert outputs[0].labels.dtype == np.uint16


def test_equal_items_are_merged_alike_in_both_ways():
    values = np.repeat(np.arange(12.0), 4).reshape(-1, 1)
    plan = request(values, "fc", "hier-a", range(2, 7)).plan
    both_ways(plan)
