"""The verdict: its parts by hand-made numbers, and its answers on small data."""

import json

import numpy as np
import pandas as pd
import pytest

import stablek
from stablek.data import Dataset
from stablek.data.seeds import Streams, stream
from stablek.datasets.mixtures import mixture
from stablek.datasets.nulls import null_set
from stablek.errors import InputError
from stablek.panel.answers import without_end, without_gaps
from stablek.panel.gate import gate
from stablek.panel.nulls import draw_null, draw_skewed
from stablek.panel.picks import Member, vote, weighted
from stablek.panel.prepare import isolated_rows, prepare, sphere_of
from stablek.panel.rare import rare_group
from stablek.panel.words import dissent, panel_line
from stablek.paradigm.statistic.mixture import log_likelihood, parameters
from stablek.report.charts.panel import panel
from stablek.report.page.verdicts import Parts

FAST = {"repeats": 15, "null_sets": 19, "level": 0.05}


@pytest.fixture(scope="module")
def three():
    return mixture("unequal", 3, 5, 4, bayes_error=0.001)


@pytest.fixture(scope="module")
def judged(three):
    return stablek.verdict(three.values, range(2, 7), labels=three.labels, **FAST)


def test_three_separated_clusters_are_three(judged, three):
    assert judged.k == 3
    assert judged.agreed
    assert judged.strength.startswith("strong")
    assert sum(judged.plausible.values()) == pytest.approx(1)
    assert judged.brought["rand"] > 0.95
    assert len(judged.items) == len(three.values)
    assert [c["cluster"] for c in judged.clusters] == [1, 2, 3]


def test_threads_change_no_bit(judged, three):
    again = stablek.verdict(
        three.values, range(2, 7), labels=three.labels, jobs=1, **FAST
    )
    assert again.to_json() == judged.to_json()


def test_json_comes_back_as_it_went(judged):
    text = judged.to_json()
    assert stablek.Verdict.from_json(text).to_json() == text
    with pytest.raises(InputError, match="schema"):
        stablek.Verdict.from_json("{}")


def test_a_verdict_writes_a_report(judged, tmp_path):
    page = judged.report(tmp_path / "v.html").read_text(encoding="utf-8")
    assert "3 clusters" in page


@pytest.mark.parametrize("kind", ["gaussian", "factor", "skewed"])
@pytest.mark.parametrize("size", [(80, 4), (60, 60)])
def test_one_cloud_is_one_cluster(kind, size):
    found = stablek.verdict(null_set(kind, *size, seed=5).values, **FAST)
    assert found.k == 1
    assert "No evidence of clusters" in found.sentence
    assert found.next_steps


def test_a_frame_with_labels_is_judged_under_its_own_names(three):
    names = [f"item {i}" for i in range(len(three.values))]
    frame = pd.DataFrame(three.values, index=names)
    classes = pd.Series([f"c{label}" for label in three.labels], index=names)
    found = stablek.verdict(frame, range(2, 7), labels=classes, **FAST)
    assert found.k == 3
    assert found.ids == tuple(names)
    assert found.brought["classes"] == list(dict.fromkeys(classes))
    assert found.brought["rand"] > 0.95


def test_few_items_get_a_sentence_and_no_number():
    found = stablek.verdict(np.arange(16.0).reshape(8, 2))
    assert found.k is None
    assert "too few" in found.sentence


def test_equal_items_are_one_cluster():
    assert stablek.verdict(np.ones((20, 3))).k == 1


def test_two_values_repeated_are_said_to_be_just_that():
    found = stablek.verdict(np.repeat([[0.0, 0.0], [1.0, 1.0]], 10, axis=0))
    assert found.k == 2
    assert "identical rows" in found.sentence


def test_a_copy_of_every_row_changes_nothing(three):
    values = three.values
    once = stablek.verdict(values, range(2, 7), **FAST)
    twice = stablek.verdict(np.vstack([values, values]), range(2, 7), **FAST)
    assert twice.k == once.k
    assert twice.p == once.p
    np.testing.assert_array_equal(twice.labels[: len(values)], once.labels)
    np.testing.assert_array_equal(twice.labels[len(values) :], once.labels)
    assert "repeat" in twice.sentence


def test_one_far_item_is_no_cluster_and_is_named():
    values = np.random.default_rng(0).normal(size=(60, 4))
    values[7] += 50
    found = stablek.verdict(values, **FAST)
    assert found.k == 1
    assert found.isolated == ("7",)
    assert "(7)" in found.sentence


def test_a_line_without_gaps_is_called_a_continuum():
    rng = np.random.default_rng(2)
    place = rng.uniform(0, 20, 120)
    values = np.column_stack([place, 0.5 * place]) + rng.normal(size=(120, 2))
    found = stablek.verdict(values, **FAST)
    assert found.k == 1
    assert "continuum" in found.sentence


def test_items_along_a_curve_give_no_number_but_a_sentence():
    rng = np.random.default_rng(2)
    t = rng.uniform(0, 1, 120)
    curve = np.column_stack([t, t**2, np.sin(3 * t), np.cos(3 * t)])
    values = curve @ rng.normal(size=(4, 20)) + 0.05 * rng.normal(size=(120, 20))
    found = stablek.verdict(values, null_sets=49)
    assert not found.agreed
    assert "continuum" in found.sentence
    assert found.strength.startswith("weak")


def test_items_along_a_ring_are_a_continuum_though_the_mixtures_need_many():
    rng = np.random.default_rng(3)
    turn = rng.uniform(0, 2 * np.pi, 150)
    ring = np.column_stack([np.cos(turn), np.sin(turn)])
    found = stablek.verdict(ring + 0.08 * rng.normal(size=(150, 2)), **FAST)
    assert not found.agreed
    assert "continuum" in found.sentence


@pytest.mark.parametrize(
    ("votes", "k", "valley", "said"),
    [
        ((10, 8, 3, 2), 2, 0.0002, False),  # finer splits, but two clusters apart
        ((15, 14, 13, 8), 8, 0.8, True),
        ((8, 6, 7, 8), 8, 0.8, False),  # nothing finer holds
    ],
)
def test_clusters_with_a_gap_between_them_are_no_continuum(votes, k, valley, said):
    named = dict(zip(("prediction", "consensus", "gap", "mixture"), votes, strict=True))
    assert without_gaps(named, k, valley) is said


@pytest.mark.parametrize(
    ("stable", "mixture", "endless"), [(15, 5, True), (9, 5, False), (6, 5, False)]
)
def test_splits_without_end_are_those_far_beyond_the_mixtures(stable, mixture, endless):
    votes = {"prediction": stable, "consensus": 4, "gap": 7, "mixture": mixture}
    assert without_end(votes) is endless


def test_wrong_labels_and_ks_are_refused():
    with pytest.raises(InputError, match="3 labels"):
        stablek.verdict(np.random.default_rng(0).normal(size=(12, 2)), labels=[1, 2, 3])
    with pytest.raises(InputError, match="2:"):
        stablek.verdict(np.random.default_rng(0).normal(size=(20, 2)), range(2, 15))


def test_an_anonymous_report_names_no_item_and_no_class(three, tmp_path):
    values = np.vstack([three.values, 50 * np.ones((1, 5))])
    own = [("sick", "well", "3")[label] for label in (*three.labels, 0)]
    ids = tuple(str(i) for i in range(1000, 1000 + len(values)))
    data = Dataset(values, ids=ids, classes=tuple(own), name="secret")
    found = stablek.verdict(data, range(2, 5), **FAST)
    assert f"One item ({ids[-1]})" in found.sentence
    assert "sick" in found.sentence
    found.report(tmp_path / "v.html", anonymous=True)
    page = (tmp_path / "v.html").read_text(encoding="utf-8")
    assert f"One item (item {len(ids)})" in page
    for word in ("sick", "well)", "secret", ids[-1]):
        assert word not in page
    assert "3 clusters: these data" in page
    places = [list(dict.fromkeys(own)).index(name) + 1 for name in ("sick", "well")]
    assert all(f"class {place}" in page for place in places)


@pytest.mark.parametrize("wrong", [{"repeats": 0}, {"null_sets": 0}, {"level": 2}])
def test_numbers_of_which_nothing_could_be_computed_are_refused(wrong, three):
    with pytest.raises(InputError, match="must be at least 1, level"):
        stablek.verdict(three.values, **wrong)


def test_the_run_behind_a_verdict_has_its_seed_and_versions(three):
    found = stablek.verdict(three.values, range(2, 5), seed=7, **FAST)
    assert (found.result.seed, found.result.versions) == (7, found.versions)


def test_ks_below_the_smallest_asked_for_are_tried_too(three):
    found = stablek.verdict(three.values, range(5, 7), **FAST)
    assert (found.k, found.ks) == (3, (2, 3, 4, 5, 6))


def test_components_stand_out_of_noise_only_where_there_are_some():
    rng = np.random.default_rng(8)
    noise = rng.normal(size=(70, 40))
    assert prepare(Dataset(noise), Streams(0)).components == 0
    noise[:35, :3] += 6
    assert prepare(Dataset(noise), Streams(0)).components == 1


def scores(values, count):
    centred = values - values.mean(axis=0)
    axes = np.linalg.svd(centred, full_matrices=False)[2]
    return centred @ axes[:count].T


def test_clusters_are_seen_where_columns_are_not_correlated():
    """In scores of a PCA, and in one column; signs leave the widths of columns."""
    rng = np.random.default_rng(3)
    centres = rng.normal(0, 4, (3, 12))[np.arange(90) % 3]
    values = centres + rng.normal(size=(90, 12))
    lone = rng.normal(size=(90, 12))
    lone[:45, 4] += 9
    for given, k in ((values, 3), (scores(values, 8), 3), (lone, 2)):
        found = stablek.verdict(given, range(2, 6), **FAST)
        assert found.k == k
    noise = np.random.default_rng(0).normal(size=(150, 30))
    for given in (noise, scores(noise, 8), noise * rng.lognormal(0, 1, 30)):
        assert stablek.verdict(given, range(2, 6), **FAST).k == 1


def test_a_group_too_small_to_be_judged_is_told_and_named():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(215, 6))
    values[200:208] += 5
    values[208:] = values[:7]  # copies of others are in no group
    found = stablek.verdict(values, range(2, 6), **FAST)
    assert found.k == 1
    assert "8 items (3.7 %) lie apart from all others: too few" in found.sentence
    assert "continuum" not in found.sentence
    assert found.apart == tuple(str(i) for i in range(200, 208))
    assert found.next_steps[0].startswith("Look at the 8 items that lie apart")
    again = type(found).from_json(found.to_json())
    assert again.apart == found.apart
    assert "items (" not in stablek.verdict(values[:200], range(2, 6), **FAST).sentence


def test_items_that_were_not_judged_go_with_their_group(monkeypatch):
    monkeypatch.setattr("stablek.panel.prepare.LARGEST", 300)
    rng = np.random.default_rng(1)
    values = rng.normal(size=(600, 5))
    values[:20] += 6
    found = stablek.verdict(values, range(2, 5), **FAST)
    assert "20 items (3.3 %) lie apart" in found.sentence
    assert found.apart == tuple(map(str, range(20)))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("draw", ["normal", "standard_t", "exponential"])
def test_no_small_group_lies_apart_in_noise(draw, seed):
    rng = np.random.default_rng(seed)
    values = rng.standard_t(5, (200, 4)) if draw == "standard_t" else None
    if values is None:
        values = getattr(rng, draw)(size=(200, 4))
    assert len(rare_group(values)) == 0
    assert len(rare_group(values[:90])) == 0  # five would be more than a twentieth
    values[:6] += 40
    assert rare_group(values).tolist() == list(range(6))


def test_too_few_null_sets_for_the_level_are_told(three):
    found = stablek.verdict(three.values, range(2, 5), null_sets=9, level=0.02)
    told = "9 null sets show no p below 0.1: that is the level, not 0.02 (49 would do)"
    assert told in found.notes
    found = stablek.verdict(three.values, range(2, 5), null_sets=9, level=0.1)
    assert not any("null sets show" in note for note in found.notes)


@pytest.mark.parametrize(("n", "m"), [(60, 2000), (40, 5000), (200, 2000)])
def test_noise_in_many_columns_does_not_stand_out_beside_true_components(n, m):
    found = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        values = rng.normal(size=(n, m))
        values[:, : m // 20] += rng.normal(0, 1.5, (3, m // 20))[np.arange(n) % 3]
        found.append(prepare(Dataset(values), Streams(seed)).components)
    assert max(found) <= 3  # two are true
    assert 2 in found


def test_a_cluster_of_another_spread_shows_in_the_length_of_the_rest():
    rng = np.random.default_rng(8)
    wide = rng.normal(size=(70, 40)) * np.repeat([0.5, 1.5], 35)[:, None]
    made = prepare(Dataset(wide), Streams(0))
    assert made.frame.length is not None
    last = made.scores[:, -1]
    assert last[:35].max() < last[35:].min()
    even = prepare(Dataset(rng.normal(size=(70, 40))), Streams(0))
    assert even.frame.length is None


def test_items_measured_more_or_less_well_are_no_clusters_of_another_spread():
    rng = np.random.default_rng(8)
    quality = rng.lognormal(0, 0.4, 90)
    values = rng.normal(size=(90, 60)) * quality[:, None]
    values[:45, :10] += 4
    frame = prepare(Dataset(values), Streams(0)).frame
    assert frame.uneven
    assert frame.length is None
    found = stablek.verdict(values, range(2, 4), null_sets=19)
    assert any("not by cluster" in note for note in found.notes)


def test_members_of_a_wide_cluster_are_not_isolated():
    rng = np.random.default_rng(4)
    values = rng.normal(size=(100, 2))
    values[:30] = values[:30] * 4 + 30
    assert len(isolated_rows(values)) <= 3
    values[99] = 500
    assert 99 in isolated_rows(values)


def test_null_sets_of_standardised_rows_are_standardised():
    curves = null_set("curves", 60, 20, 1).values
    made = prepare(Dataset(curves), Streams(0))
    assert made.sphere is not None
    assert made.sphere.centred
    drawn = made.as_prepared(draw_null("box", made.judged, stream(0)))
    rows = drawn @ made.axes.T + made.mean
    length = np.sqrt((rows * rows).sum(axis=1))
    assert np.ptp(length) < 0.2 * made.sphere.radius
    assert sphere_of(null_set("gaussian", 60, 20, 1).values) is None


def test_the_skewed_null_keeps_mean_spread_skewness_and_correlation():
    rng = np.random.default_rng(3)
    first = rng.standard_exponential(4000)
    values = np.column_stack([first, -first + 0.5 * rng.normal(size=4000)])
    drawn = draw_skewed(values, stream(4))
    np.testing.assert_allclose(drawn.mean(axis=0), values.mean(axis=0), atol=0.06)
    np.testing.assert_allclose(drawn.std(axis=0), values.std(axis=0), rtol=0.1)
    skew = [((x - x.mean(0)) ** 3).mean(0) / x.std(0) ** 3 for x in (drawn, values)]
    np.testing.assert_allclose(skew[0], skew[1], rtol=0.35)
    assert np.corrcoef(drawn.T)[0, 1] < -0.6


def test_the_gaussian_null_has_the_covariance_of_the_scores():
    scores = np.random.default_rng(0).normal(size=(50, 3)) * [3, 2, 1]
    drawn = draw_null("gaussian", scores, stream(1))
    np.testing.assert_allclose(
        np.cov(drawn.T), np.diag(scores.var(axis=0, ddof=1)), atol=1e-10
    )


def test_the_gate_needs_both_nulls_beaten():
    rng = np.random.default_rng(0)
    data = {
        "minj": np.array([9.0, 1.0]), "sil": np.array([0.9, 0.1]),
        "least": np.array([20.0, 20.0]), "val": np.array([0.0, 0.0]),
    }  # fmt: skip
    data |= {f"{name}_spread": column for name, column in data.items()}
    weak = {"minj": rng.normal(size=(19, 2)), "sil": rng.normal(size=(19, 2)) * 0.1}
    weak["least"] = np.full((19, 2), 20.0)
    weak |= {f"{name}_spread": column for name, column in weak.items()}
    strong = {"minj": weak["minj"] + 9, "sil": weak["sil"] + 0.9}
    strong["least"] = weak["least"]
    strong |= {f"{name}_spread": column for name, column in strong.items()}
    both = gate((2, 3), data, {"gaussian": weak, "box": weak}, 100)
    assert both.p == 1 / 20
    assert both.k_at == 2
    assert gate((2, 3), data, {"gaussian": weak, "box": strong}, 100).p > 0.2
    shallow = {**data, "val": np.ones(2), "val_spread": np.ones(2)}
    assert gate((2, 3), shallow, {"gaussian": weak, "box": weak}, 100).p == 1


def test_null_sets_may_no_more_use_tiny_clusters_than_the_data():
    rng = np.random.default_rng(1)
    data = {"minj": np.array([2.0]), "sil": np.array([0.5]),
            "least": np.array([20.0]), "val": np.array([0.0])}  # fmt: skip
    data |= {f"{name}_spread": column for name, column in data.items()}
    null = {"minj": rng.normal(size=(19, 1)) * 0.1, "sil": np.full((19, 1), 0.1)}
    null["minj"][:3] += 9  # the end of a tail, far from the rest
    for sizes, p in (((2.0, 4.0, 4.0), 1 / 20), ((2.0, 5.0, 6.0), 3 / 20)):
        null["least"] = np.full((19, 1), 20.0)
        null["least"][:3, 0] = sizes
        own = null | {f"{name}_spread": column for name, column in null.items()}
        assert gate((2,), data, {"box": own}, 100).p == p


def test_a_member_names_the_largest_k_near_its_best():
    member = Member("x", ("a",), ("gaussian",), 0.75)
    nulls = {"gaussian": {"a": np.zeros((3, 4))}}
    assert member.pick((2, 3, 4, 5), {"a": np.array([1.0, 0.5, 0.8, 0.1])}, nulls) == 4
    assert member.pick((2, 3, 4, 5), {"a": np.array([-3.0, -1, -2, -4])}, nulls) == 3


def test_the_mixture_has_two_votes_and_a_tie_goes_to_it():
    votes = {"prediction": 3, "consensus": 3, "gap": 7, "mixture": 4}
    assert sorted(weighted(votes)) == [3, 3, 4, 4, 7]
    assert vote(votes) == 4
    assert vote({**votes, "gap": 2, "mixture": 9}) == 9
    assert vote({**votes, "gap": 3}) == 3


def test_a_member_with_two_votes_says_so_wherever_it_is_named(judged, tmp_path):
    assert judged.weights == {
        "prediction": 1, "consensus": 1, "gap": 1, "mixture": 2,
    }  # fmt: skip
    assert sum(judged.weights.values()) == 5
    line = panel_line({"gap": 3, "mixture": 4}, judged.weights)
    assert line == "gap 3, mixture (2 votes) 4"
    (told,) = dissent({"gap": 3, "mixture": 4}, 3, judged.weights)
    assert told.startswith("'mixture' (Gaussian mixtures with BIC; 2 votes) says 4")
    page = judged.report(tmp_path / "v.html").read_text(encoding="utf-8")
    assert "mixture (2 votes)" in page
    assert "4 members" in page
    assert "5 votes" in page


def test_the_shaded_column_of_the_figure_is_the_k_with_most_votes():
    votes = {"prediction": 3, "consensus": 3, "gap": 4, "mixture": 4}
    weights = {"prediction": 1, "consensus": 1, "gap": 1, "mixture": 2}
    heavy = panel(Parts(votes=votes, weights=weights)).drawing.__html__()
    plain = panel(Parts(votes=votes)).drawing.__html__()
    assert plain.count('"mode"') == 2  # two and two: a tie
    assert heavy.count('"mode"') == 1


def test_a_verdict_written_before_weights_were_known_opens(judged):
    old = json.loads(judged.to_json())
    del old["weights"]
    opened = stablek.Verdict.from_json(json.dumps(old))
    assert opened.votes == judged.votes
    assert opened.weights == {}


def test_one_gaussian_has_the_likelihood_of_its_moments():
    scores = np.random.default_rng(0).normal(size=(40, 2))
    var = scores.var(axis=0)
    expected = -0.5 * 40 * (np.log(2 * np.pi * var) + 1).sum()
    found = log_likelihood(scores, np.zeros(40, int), 1, "diagonal")
    assert found == pytest.approx(expected)
    assert parameters(3, 2, "full") == 2 + 6 + 9
