"""``stablek.verdict`` from a table to its answer."""

import json
from dataclasses import replace

import numpy as np
import pytest
from made_sets import QUICK, grouped, noise
from scipy.spatial.distance import pdist, squareform

import stablek
from stablek.data import from_arrays
from stablek.errors import InputError
from stablek.io import read
from stablek.io.store.results import labels_table
from stablek.panel import panel
from stablek.panel.scale import STANDARDISED, Scale, better_scale
from stablek.panel.user_labels import nameless_sentence
from stablek.paradigm.indices import adjusted_rand, contingency
from stablek.report.page.look import look_at
from stablek.results.verdict import Verdict

STRENGTHS = {"strong", "moderate", "weak", "suggestive", "none"}


def agreement(first, second):
    return adjusted_rand(contingency(first, second))


@pytest.fixture(scope="module")
def four():
    values, truth = grouped()
    return stablek.verdict(values, labels=truth, **QUICK)


def test_four_blobs_are_four_clusters(four):
    _, truth = grouped()
    # Of 19 null sets each one may look like this by chance: weak, however clear.
    assert (four.k, four.best_guess, four.strength) == (4, 4, "weak")
    assert agreement(four.labels, truth) == 1
    assert set(four.labels.tolist()) == {1, 2, 3, 4}
    assert four.p == 0.05
    assert four.sentence.startswith("4 clusters. Data without clusters rarely look")
    assert four.clusters["size"].tolist() == [25] * 4
    assert (four.clusters["jaccard"] > 0.95).all()
    assert [level.k for level in four.levels if level.main] == [4]
    assert sum(four.plausible.values()) == pytest.approx(1)
    assert max(four.plausible, key=four.plausible.get) == 4
    assert list(four.table.index) == list(four.ks) == [2, 3, 4, 5, 6]
    assert four.scale == "as given"


def test_noise_has_no_clusters_and_a_best_guess():
    found = stablek.verdict(noise("normal"), **QUICK)
    assert (found.k, found.strength) == (1, "none")
    assert found.best_guess in found.ks
    assert f"the best guess is {found.best_guess} groups" in found.sentence
    assert set(found.labels.tolist()) == {1}
    assert len(set(found.labels_at(found.best_guess).tolist())) == found.best_guess
    assert [one.k for one in found.levels if one.main] == [found.best_guess]
    assert found.dissent == ()
    assert found.cluster_records == ()


def test_noise_in_many_columns_has_no_direction():
    found = stablek.verdict(np.random.default_rng(2).normal(size=(60, 40)), **QUICK)
    assert (found.k, found.p) == (1, None)
    assert "the columns look like independent noise" in found.sentence
    assert found.next_steps[0] == "With more items, weaker structure could be seen."
    assert found.best_guess > 1


def test_a_hint_is_between_noise_and_evidence(monkeypatch):
    values, _ = grouped()
    monkeypatch.setattr("stablek.panel.against_nulls.tail", lambda top: 0.1)
    monkeypatch.setattr("stablek.panel.gate.GAP", 99.0)  # and no gap counts
    found = stablek.verdict(values, **{**QUICK, "level": 0.05})
    assert (found.k, found.strength, found.best_guess) == (1, "suggestive", 4)
    assert found.sentence.startswith("A hint of clusters, but no evidence")
    assert "only new data can tell" in found.next_steps[0]


def test_an_answer_that_depends_on_the_draws_says_so(four, monkeypatch):
    assert (four.facts["other_draws"], "draws" in four.evidence) == ([], False)
    chosen = panel.choose
    monkeypatch.setattr(
        panel, "choose", lambda *given: replace(chosen(*given), other_draws=(3, 5))
    )
    found = stablek.verdict(grouped()[0], **QUICK)
    assert found.evidence.endswith("With other random draws the answer may be 3 or 5.")
    assert json.loads(found.to_json())["facts"]["other_draws"] == [3, 5]


def test_columns_on_unlike_scales_are_standardised_and_the_other_answer_said():
    values, truth = grouped(apart=6.0)
    far = np.random.default_rng(3).normal(size=len(values)) * 5000
    table = np.column_stack([values, far])
    found = stablek.verdict(table, **QUICK)
    assert found.scale == "columns standardised"
    assert found.k == 4
    assert agreement(found.labels, truth) > 0.9
    assert (
        "because they are on very different scales: one column holds most"
        in found.sentence
    )
    plain = stablek.verdict(table, scale="as given", **QUICK)
    assert plain.k == 1
    assert found.sentence.endswith(
        "As given, the answer would be: no evidence of clusters."
    )
    assert found.facts["k_as_given"] == plain.k
    assert plain.scale == "as given"
    assert plain.settings["scale"] == "as given"


@pytest.mark.parametrize("seed", [2, 3])
def test_it_is_not_strong_where_the_columns_as_given_say_another_k(seed):
    """Four groups along one wide column; standardised, two of each lie together."""
    rng = np.random.default_rng(seed)
    table = np.repeat([[0.0, 0.0], [5, 0], [40, 0], [45, 0]], 50, axis=0)
    found = stablek.verdict(table + rng.normal(size=table.shape), jobs=1)
    assert (found.k, found.facts["k_as_given"]) == (2, 4)
    assert found.strength == "moderate"
    assert "such answers named" in found.evidence


def test_the_same_answer_as_given_is_said_to_be_the_same():
    scaling = Scale(STANDARDISED, "columns standardised")
    one = stablek.verdict(noise("normal"), **QUICK)
    assert better_scale(scaling, one, one).sentence == (
        f"{one.sentence} As given, the answer is the same."
    )


def test_columns_are_to_be_scaled_only_where_they_differ_in_scale():
    alike, rng = noise("normal"), np.random.default_rng(0)
    unlike = alike * [1, 1, 1, 3]
    for values, asked in ((alike, 0), (unlike, 1), (rng.normal(size=(60, 1)), 0)):
        found = stablek.verdict(values, **QUICK)
        assert found.k == 1
        assert sum("scale of the columns" in one for one in found.next_steps) == asked


def test_standardising_does_not_hide_clusters():
    values = np.random.default_rng(4).normal(size=(120, 5))
    values[:60, 0] += 15.0
    found = stablek.verdict(values, **QUICK)
    assert (found.k, found.scale) == (2, "as given")
    assert found.sentence.endswith(
        "The columns are used as given. If they are standardised, the answer is: "
        "no evidence of clusters."
    )
    assert found.details[-1].startswith("The columns are used as given.")
    assert found.facts["k_scaled"] == 1


def test_counts_are_logged():
    rng = np.random.default_rng(0)
    types = rng.pareto(1.0, (3, 300)) * rng.choice([0.2, 5.0], (3, 300))
    truth = np.arange(60) % 3
    found = stablek.verdict(rng.poisson(types[truth]).astype(float), **QUICK)
    assert found.scale.startswith("log counts")
    assert "because the values are counts" in found.sentence
    assert found.k == 3
    assert agreement(found.labels, truth) > 0.95


def test_clusters_that_are_batches_are_told_at_once():
    rng = np.random.default_rng(1)
    kinds, shifts = rng.normal(0, 1.5, (3, 300)), rng.normal(0, 1, (2, 300))
    kind, batch = np.repeat([0, 1, 2], 40), np.tile(np.repeat([0, 1], 20), 3)
    values = kinds[kind] + shifts[batch] + rng.normal(size=(120, 300))
    known, how = {"batch": batch, "kind": kind}, {**QUICK, "ks": range(2, 9)}
    found = stablek.verdict(values, annotations=known, **how)
    assert found.k == 6
    assert found.sentence.startswith(
        "6 clusters. Each of the 6 clusters lies within one class of 'batch'"
    )
    assert found.next_steps[0].startswith("Run it again without the effect of 'batch'")
    assert not any("Use the partition" in step for step in found.next_steps)
    use = found.next_steps[0].partition("remain: ")[2].partition(". If")[0]
    again = eval_last(use, v=found)
    assert (again.k, "batch effect" in again.sentence) == (3, False)
    biology = stablek.verdict(values, annotations={"kind": batch}, **QUICK)
    assert "batch effect" not in biology.sentence
    assert "'kind'" not in biology.next_steps[0]


def eval_last(code, **known):
    """Run statements and return the value of the last one."""
    *first, last = code.split("; ")
    names = {"stablek": stablek, **known}
    exec("; ".join(first), names)
    return eval(last, names)  # noqa: S307


def test_a_large_group_and_a_small_one_far_from_it_are_one_story():
    rng = np.random.default_rng(0)
    far = rng.normal(12, 0.5, (6, 5))
    values = np.vstack([rng.normal(0, 1, (500, 5)), far])
    own = ["most"] * 500 + ["few"] * 6
    found = stablek.verdict(values, labels=own, **QUICK)
    assert found.k == 1
    assert found.sentence.startswith(
        "One large group without evidence of clusters inside, and a small group of 6 "
        "items (1.2 %) far from it."
    )
    assert found.sentence.endswith(
        "Of your classes, few is the small group, and most is the large one."
    )
    assert "no evidence that" not in found.sentence
    assert "must split" not in found.sentence
    assert "their ids are in v.rare_items" in found.next_steps[0]
    assert set(found.rare_items) == {str(i) for i in range(500, 506)}
    half = rng.integers(0, 2, 500).astype(str).tolist()
    found = stablek.verdict(values, labels=[*half, *["few"] * 6], **QUICK)
    assert found.sentence.endswith(
        "There is no evidence that your other classes are clusters."
    )
    assert nameless_sentence(found.user_labels).startswith(
        "Of your classes, class 3 is"
    )


def test_copies_count_once_and_stay_together():
    values, _ = grouped(3, 20)
    table = np.vstack([values, values[:10], values[:10]])
    found, once = stablek.verdict(table, **QUICK), stablek.verdict(values, **QUICK)
    assert (found.k, found.p) == (once.k, once.p) == (3, 0.05)
    assert "20 rows repeat others exactly and count once." in found.sentence
    np.testing.assert_array_equal(found.labels[60:70], found.labels[:10])
    np.testing.assert_array_equal(found.labels[70:], found.labels[:10])
    assert agreement(found.labels[:60], once.labels) == 1


def test_isolated_items_are_set_aside():
    values, _ = grouped(3, 20)
    table = np.vstack([values, [[90.0, 90, 90]], [[-80.0, 70, 0]]])
    found = stablek.verdict(table, **QUICK)
    assert found.k == 3
    assert set(found.isolated) == {"60", "61"}
    assert "were set aside as isolated" in found.sentence
    assert found.items["isolated"].tolist() == [False] * 60 + [True] * 2
    assert np.isnan(found.items["consensus"][60:]).all()
    assert (found.labels[60:] >= 1).all()


@pytest.mark.parametrize(
    ("values", "k", "strength", "says"),
    [
        (np.ones((20, 2)), 1, "certain", "All items are equal"),
        (np.arange(8.0)[:, None], None, "not judged", "8 items are too few"),
        (np.repeat([[0.0], [1], [2]], 9, axis=0), 3, "not judged", "3 groups of"),
    ],
)
def test_data_that_need_a_sentence_and_no_panel(values, k, strength, says):
    found = stablek.verdict(values)
    assert (found.k, found.strength) == (k, strength)
    assert says in found.sentence
    assert found.result is None
    assert len(found.labels) == len(values)
    assert found.labels.min() == 1
    assert Verdict.from_json(found.to_json()).to_json() == found.to_json()


def test_few_items_are_judged_with_fewer_ks():
    values, truth = grouped(2, 8, 2)
    values[truth == 1, 1] += 8
    found = stablek.verdict(values)
    assert found.ks[-1] == 6
    assert found.k == 2
    assert agreement(found.labels, truth) == 1


def test_distances_give_the_answer_of_the_values(four):
    square = squareform(pdist(grouped()[0]))
    found = stablek.verdict(square, metric="precomputed", **QUICK)
    assert (found.k, found.strength) == (four.k, four.strength)
    assert agreement(found.labels, four.labels) == 1


def test_labels_at_every_k_are_those_of_the_table_and_the_page(four):
    table = labels_table(four)
    assert list(table.columns) == ["id", "cluster", *(f"k{k}" for k in four.ks)]
    np.testing.assert_array_equal(table["cluster"], four.labels)
    seen = look_at(four.result)
    for k in four.ks:
        at = four.labels_at(k)
        assert set(at.tolist()) == set(range(1, k + 1))
        np.testing.assert_array_equal(table[f"k{k}"], at)
        # The page gives clusters the number of the cluster they came from.
        shown = seen.at(k).labels
        ids = [int(i) for i in four.result.data.ids]
        assert agreement(shown, at[ids]) == 1
    np.testing.assert_array_equal(four.labels_at(four.k), four.labels)
    np.testing.assert_array_equal(four.labels_at(1), 1)
    with pytest.raises(InputError, match="no partition at k = 9"):
        four.labels_at(9)


def test_the_json_form_comes_back(four, tmp_path):
    text = four.to_json(tmp_path / "verdict.json")
    back = Verdict.from_json(tmp_path / "verdict.json")
    assert back.to_json() == text
    assert json.loads(text)["schema"] == 2
    np.testing.assert_array_equal(back.labels, four.labels)
    assert back.levels == four.levels
    assert back.plausible == four.plausible
    assert back.clusters.equals(four.clusters)
    with pytest.raises(InputError, match="read from JSON holds the partition"):
        back.labels_at(3)


@pytest.mark.parametrize("how", [{"jobs": 2}, {"backend": "serial"}, {"n_jobs": 1}])
def test_how_it_is_run_changes_no_byte(four, how):
    values, truth = grouped()
    run = {**{key: v for key, v in QUICK.items() if key != "jobs"}, **how}
    assert stablek.verdict(values, labels=truth, **run).to_json() == four.to_json()


def test_what_was_kept_is_not_done_again_and_gives_the_same_bytes(four):
    values, truth = grouped()
    kept, fresh = {}, []

    class Keeper:
        def __init__(self, name):
            self.own = kept.setdefault(name, {})

        def kept(self, tasks):
            return [self.own[task] for task in tasks if task in self.own]

        def keep(self, outputs):
            fresh.extend(outputs)
            self.own.update({output.task: output for output in outputs})

    def stop(what, done, total):
        if len(fresh) > 30:
            raise KeyboardInterrupt

    run = {**QUICK, "labels": truth, "journal": Keeper}
    with pytest.raises(KeyboardInterrupt):
        stablek.verdict(values, watch=stop, **run)
    before = len(fresh)
    assert stablek.verdict(values, **run).to_json() == four.to_json()
    first = len(fresh)
    assert first > before > 30
    assert stablek.verdict(values, **run).to_json() == four.to_json()
    assert len(fresh) == first
    assert first == len({id(o) for own in kept.values() for o in own.values()})


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"repeats": 9}, "repeats = 9 must be at least 10"),
        ({"null_sets": 0}, "null_sets = 0 at least 1"),
        ({"level": 0}, "level = 0 in"),
        ({"scale": "wide"}, "unknown scale 'wide'"),
        ({"ks": [2, 4]}, "must be consecutive"),
        ({"ks": range(5)}, r"k = 0 is not .*begin at 2; use ks=range\(2, 5\)"),
        ({"ks": [0, 1]}, r"k = 0 is not .*begin at 2; use ks=range\(2, 3\)"),
        ({"ks": range(-3, 90)}, r"k = -3 is not .*use ks=range\(2, 50\)"),
        ({"ks": range(5, 2)}, r"range of ks is empty; .* ks=range\(2, 11\)"),
        ({"metric": "manhattan"}, "matrix of distances, with metric='precomputed'"),
        ({"ks": range(2, 60)}, "100 items allow 2 to 49"),
    ],
)
def test_what_cannot_be_judged_is_refused(given, says):
    with pytest.raises(InputError, match=says):
        stablek.verdict(grouped()[0], **given)


def test_the_run_behind_a_verdict_is_one_that_can_be_repeated(four):
    result = four.result
    assert result.k_star == 4
    again = stablek.choose_k(
        result.data, "fc", "kmeans-w", result.ks, repeats=10, seed=four.seed
    )
    np.testing.assert_array_equal(again.cube.labels, result.cube.labels)
    for name, column in result.columns.items():
        np.testing.assert_array_equal(again.columns[name], column)


def test_a_small_group_apart_is_named():
    rng = np.random.default_rng(0)
    values = np.vstack([rng.normal(size=(300, 3)), rng.normal(size=(8, 3)) / 4 + 20])
    found = stablek.verdict(values, **QUICK)
    assert set(found.rare_items) == {str(i) for i in range(300, 308)}
    assert "a small group of 8 items (2.6 %) far from it" in found.sentence
    assert "without a gap" not in found.sentence


def test_a_small_group_that_is_a_cluster_is_not_named_again():
    values = grouped(3, 120)[0][: 2 * 120 + 10]
    values[240:] = [0.0, 9.0, 0.0] + (values[240:] - values[240:].mean(axis=0)) / 4
    found = stablek.verdict(values, **QUICK)
    assert found.k == 3
    assert found.rare_items == ()


def test_ids_and_classes_of_a_table_are_used(tmp_path):
    values, truth = grouped(3, 12)
    lines = ["id,kind,a,b,c"]
    for i, (row, t) in enumerate(zip(values, truth, strict=True)):
        lines.append(f"s{i},{'xyz'[t]}," + ",".join(repr(float(v)) for v in row))
    path = tmp_path / "t.csv"
    path.write_text("\n".join(lines) + "\n")
    found = stablek.verdict(read(path, labels="kind"), **QUICK)
    assert found.ids[0] == "s0"
    assert found.user_labels["classes"] == ["x", "y", "z"]
    assert found.items["id"].tolist() == [f"s{i}" for i in range(36)]
    assert from_arrays(values).n == found.n == 36
    assert found.strength in STRENGTHS
