import numpy as np
import pytest
from sklearn.cluster import KMeans

from stablek.api.choose_k import choose_k
from stablek.errors import InputError
from stablek.measures.consensus import fc
from stablek.paradigm.cluster import algorithm
from stablek.paradigm.contracts import Curve, Decision, Facts
from stablek.paradigm.cube import PartitionCube
from stablek.paradigm.significance.area import AreaSettles
from stablek.paradigm.statistic.comembership import CoMembership
from stablek.paradigm.statistic.continuation import continued_pairs
from stablek.paradigm.stop import FixedRepeats, Settled, other_runs
from stablek.paradigm.synopsis import consensus_distribution
from stablek.testing import some_data


def test_clear_structure_needs_few_repeats_and_gives_the_same_k():
    data = some_data(60, 6, 3)
    whole = choose_k(data, "fc", "hier-a", range(2, 9))
    early = choose_k(data, "fc", "hier-a", range(2, 9), adaptive=True)
    assert early.k_star == whole.k_star == 3
    assert early.facts["repeats"] < 250
    assert (
        "each of 40 simulated continuations up to 250 chooses k = 3"
        in (early.facts["stopped"])
    )


def test_what_an_adaptive_run_saw_is_a_prefix_of_the_whole_run():
    data = some_data(60, 6, 3)
    whole = choose_k(data, "fc", "hier-a", range(2, 6))
    early = choose_k(data, "fc", "hier-a", range(2, 6), adaptive=True)
    count = early.facts["repeats"]
    assert np.array_equal(early.cube.labels, whole.cube.first(count).labels)


def test_noise_runs_to_the_limit_and_says_so():
    noise = np.random.default_rng(5).normal(size=(40, 5))
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
    assert fc(adaptive=True, repeats=60).stop.counts == (24, 36, 48, 60)
    assert fc(repeats=60).stop == FixedRepeats(60, fc().significance)
    assert isinstance(fc(rule="pac").stop, FixedRepeats)


def test_without_a_number_a_run_goes_on_until_other_seeds_agree():
    clear = choose_k(some_data(60, 6, 3), "fc", "hier-a", range(2, 9))
    assert clear.facts["repeats"] == 250
    noise = np.random.default_rng(4).normal(size=(40, 5))
    doubtful = choose_k(noise, "fc", "hier-a", range(2, 12))
    assert doubtful.facts["repeats"] > 250
    shorter = choose_k(noise, "fc", "hier-a", range(2, 12), repeats=250)
    assert np.array_equal(doubtful.cube.first(250).labels, shorter.cube.labels)


def test_it_goes_on_no_longer_than_items_and_algorithm_bear():
    stop = fc().stop
    few, more, many = (some_data(n, 2) for n in (125, 500, 1001))
    assert stop.checkpoints(few, algorithm("hier-a")) == (250, 500, 1000, 2000, 4000)
    assert stop.checkpoints(few, algorithm("nmf-r")) == (250,)
    assert stop.checkpoints(few, algorithm(KMeans())) == (250,)
    assert stop.checkpoints(more, algorithm("hier-a")) == (250, 500, 1000)
    assert stop.checkpoints(many, algorithm("hier-a")) == (250,)


def test_beside_null_sets_there_are_as_many_repeats_as_ever():
    noise = np.random.default_rng(4).normal(size=(40, 5))
    how = {"calibrate": 2, "level": 0.5}
    assert choose_k(noise, "fc", ks=range(2, 5), **how).facts["repeats"] == 250
    assert fc(adaptive=True).stop.beside_null_sets() == fc(adaptive=True).stop


def test_too_few_repeats_are_never_enough():
    data = some_data(30)
    cube = choose_k(data, "fc", "hier-a", range(2, 5), repeats=4).cube
    assert Settled(AreaSettles()).enough(cube, (2, 3, 4)) is None


def test_no_repeats_at_all_are_refused():
    with pytest.raises(InputError, match="at least 1"):
        FixedRepeats(0)


def shares_cube(per_repeat):
    """Return a cube of one k in which each repeat has the cluster sizes given."""
    n = sum(per_repeat[0])
    cube = PartitionCube(len(per_repeat), (2,), 1, n)
    for repeat, sizes in enumerate(per_repeat):
        labels = np.repeat(np.arange(len(sizes)), sizes).astype(np.uint8)
        cube.put(repeat, (2,), labels[None, None])
    return cube


class AboveHalf:
    """Choose 2 if the area is above one half, else 3."""

    reads = ("area",)

    def __call__(self, curve, nulls, facts):
        return Decision(2 if curve.columns["area"][0] > 0.5 else 3, "above half", "")


def test_repeats_that_all_say_the_same_are_enough():
    cube = shares_cube([(10, 10)] * 24)
    assert "chooses k = 2" in Settled(AboveHalf()).enough(cube, (2,))


def test_a_mean_within_its_error_of_the_border_is_not_enough():
    # Areas 0.526 and 0.479 in turn: the mean is 0.5026, its standard error 0.005.
    cube = shares_cube([(10, 10), (13, 7)] * 12)
    assert Settled(AboveHalf()).enough(cube, (2,)) is None


def test_near_the_limit_the_repeats_seen_weigh_more_than_those_to_come():
    cube = shares_cube([(10, 10), (13, 7)] * 12)
    assert Settled(AboveHalf(), (24, 25)).enough(cube, (2,)) is not None


def test_a_rule_on_another_column_is_given_the_whole_curve():
    class LastLeastPac:
        def __call__(self, curve, nulls, facts):
            pac = curve.columns["pac"]
            return Decision(curve.ks[np.flatnonzero(pac == pac.min())[-1]], "pac", "")

    cube = choose_k(some_data(60, 6, 3), "fc", "hier-a", range(2, 5), repeats=24).cube
    stop = Settled(LastLeastPac(), synopsis=consensus_distribution)
    assert "chooses k = 3" in stop.enough(cube, (2, 3, 4))


def test_the_pairs_seen_are_counted_as_the_statistic_counts_them():
    data = some_data(40, 4, 2)
    result = choose_k(data, "fc", "hier-a", range(2, 5), repeats=30)
    whole = CoMembership().collect(result.cube, data)
    seen = next(
        continued_pairs(result.cube, whole.shares, np.ones((1, 30), dtype=np.int64))
    )
    for mine, theirs in zip(
        (*seen.drawn, *seen.together, *seen.weight),
        (*whole.drawn, *whole.together, *whole.weight),
        strict=True,
    ):
        assert np.array_equal(mine, theirs)


def test_the_choices_for_many_curves_are_those_for_each_of_them():
    rng = np.random.default_rng(5)
    ks, asked = tuple(range(2, 13)), tuple(range(2, 12))
    areas = np.cumsum(rng.exponential(0.1, (200, 11)) ** 2, axis=1)
    areas[:40] = np.cumsum(rng.normal(0, 0.1, (40, 11)), axis=1)  # may fall, or be < 0
    areas[40:50] = 0.5  # never grows: the smallest k
    facts = Facts(n=50, m=0, ks=ks, asked=asked, repeats=250)
    rule = AreaSettles()
    alone = [
        rule(Curve(ks, {"area": area}, "area"), None, facts).k_star for area in areas
    ]
    assert rule.choices(areas, ks, facts).tolist() == alone
    assert len(set(alone)) > 5


def test_a_run_goes_on_where_the_curve_itself_chooses_another_k(monkeypatch):
    data = some_data(60, 6, 3)
    early = choose_k(data, "fc", "hier-a", range(2, 9), adaptive=True)
    count = early.facts["repeats"]
    refused = []

    def once(self, curve, facts):
        refused.append(facts.repeats)
        return facts.repeats > count

    monkeypatch.setattr(Settled, "confirms", once)
    later = choose_k(data, "fc", "hier-a", range(2, 9), adaptive=True)
    assert refused[0] == count < later.facts["repeats"]


def test_the_two_areas_must_choose_the_same_k():
    ks = tuple(range(2, 9))
    facts = Facts(n=50, m=0, ks=ks, asked=ks, repeats=24)
    at_3 = np.array([0.5, 0.7, 0.705, 0.71, 0.715, 0.72, 0.725])
    at_4 = np.array([0.5, 0.7, 0.78, 0.785, 0.79, 0.795, 0.8])
    stop = Settled(AreaSettles())
    assert stop.confirms(Curve(ks, {"area": at_3, "area_pooled": at_3}, "area"), facts)
    assert not stop.confirms(
        Curve(ks, {"area": at_3, "area_pooled": at_4}, "area"), facts
    )
    other = Settled(lambda curve, nulls, facts: None)  # reads more than areas
    assert other.confirms(Curve(ks, {"area": at_3, "area_pooled": at_4}, "area"), facts)


def near_the_border(repeats):
    """Return areas of two kinds in turn, of which the mean is close to one half."""
    return shares_cube([(10, 10), (13, 7)] * (repeats // 2))


class OftenAboveHalf(AboveHalf):
    def choices(self, areas, ks, facts):
        return np.where(areas[:, 0] > 0.5026, 2, 3)


def test_other_seeds_choose_otherwise_as_often_as_their_repeats_would():
    """Oracle: runs whose repeats are drawn from the two kinds, one by one."""
    facts = Facts(n=20, m=0, ks=(2,), asked=(2,), repeats=24)
    found = other_runs(OftenAboveHalf(), near_the_border(24), facts)
    assert sum(found.values()) == 40
    rng = np.random.default_rng(1)
    kinds = 1 - np.array([2 * 45, 78 + 21]) / 190  # pairs together in 10+10, in 13+7
    true = np.mean(rng.choice(kinds, size=(4000, 24)).mean(axis=1) > 0.5026)
    assert abs(found[2] / 40 - true) < 3 * np.sqrt(0.25 / 40)


def test_other_seeds_agree_where_all_repeats_do():
    facts = Facts(n=20, m=0, ks=(2,), asked=(2,), repeats=24)
    assert other_runs(OftenAboveHalf(), shares_cube([(10, 10)] * 24), facts) == {2: 40}


def test_nothing_is_said_of_other_seeds_where_too_little_is_known():
    facts = Facts(n=20, m=0, ks=(2,), asked=(2,), repeats=24)
    assert other_runs(OftenAboveHalf(), near_the_border(6), facts) == {}
    assert other_runs(AboveHalf(), near_the_border(24), facts) == {}
    assert other_runs(None, near_the_border(24), facts) == {}


@pytest.mark.parametrize("adaptive", [False, True])
def test_a_result_says_what_other_seeds_would_choose(adaptive):
    how = {"adaptive": adaptive, "repeats": 60}
    clear = choose_k(some_data(60, 6, 3), "fc", "hier-a", range(2, 9), **how)
    assert clear.facts["other_seeds"] == {"3": 40}
    told = "with other seeds: k = 3 in 40 of 40 simulated runs"
    assert clear.other_seeds() == told
    assert type(clear).from_json(clear.to_json()).other_seeds() == told
    noise = np.random.default_rng(0).normal(size=(40, 5))
    doubtful = choose_k(noise, "fc", "hier-a", range(2, 12), **how)
    counts = [*doubtful.facts["other_seeds"].values()]
    assert len(counts) > 1
    assert counts == sorted(counts, reverse=True)
    assert f", {[*doubtful.facts['other_seeds']][1]} in " in doubtful.other_seeds()


def test_a_decision_that_the_null_sets_took_back_says_nothing_of_other_seeds():
    noise = np.random.default_rng(3).normal(size=(40, 5))
    result = choose_k(noise, "fc", "hier-a", range(2, 6), repeats=30, calibrate=19)
    assert result.k_star == 1
    assert result.other_seeds() == ""
