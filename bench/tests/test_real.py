"""``stablek bench real``: sets made from real ones, folds, peers, and the page."""

import gzip
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.metrics import davies_bouldin_score

import stablek
from stablek.cli import cli
from stablek.data.seeds import Streams
from stablek.errors import InputError
from stablek.panel.against_nulls import STATISTICS
from stablek.panel.choice import COEFFICIENTS
from stablek.panel.gate import FAR
from stablek_bench import real_fit
from stablek_bench.real_fit import (
    FOLDS,
    SHARES,
    design,
    fit,
    fit_in_folds,
    folds_of,
    pick,
    set_weights,
)
from stablek_bench.real_gate import (
    ALLOWED,
    IN_SOURCE,
    WEIGHED,
    claims_of,
    gate_text,
    opens,
)
from stablek_bench.real_look import RealOutcome, better_look, decided
from stablek_bench.real_made import centred, plasmode, residuals
from stablek_bench.real_nulls import steadiness_text
from stablek_bench.real_page import page
from stablek_bench.real_peers import davies_bouldin, majority
from stablek_bench.real_sets import (
    RealCase,
    cases,
    collection,
    make,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Three groups on a line, as a collection of two sets of one group."""
    where = tmp_path_factory.mktemp("real")
    rng = np.random.default_rng(0)
    labels = np.repeat(["a", "b", "c"], 20)
    values = rng.normal(size=(60, 4)) + 9.0 * np.repeat([0, 1, 2], 20)[:, None]
    lines = ["name\tn\tm\tK\tkind\tfair\tkm\tgroup"]
    for name, mark in (("prol_one", "fair"), ("two", "no")):
        head = "id\tx\ty\tz\tw\n"
        rows = "".join(
            f"s{i}\t" + "\t".join(f"{v:.5f}" for v in row) + "\n"
            for i, row in enumerate(values)
        )
        with gzip.open(where / f"{name}.tsv.gz", "wt") as file:
            file.write(head + rows)
        told = "".join(f"s{i}\t{c}\n" for i, c in enumerate(labels))
        (where / f"{name}.labels.tsv").write_text("id\tclass\n" + told)
        lines.append(f"{name}\t60\t4\t3\tother\t{mark}\t0.9\tone")
    (where / "stats.tsv").write_text("\n".join(lines) + "\n")
    return where


def an_outcome(part, group, kind="other", *, k_true=3, best=3, k=3, **more):
    """Return an outcome whose first term speaks for one k, the others for none."""
    ks = (2, 3, 4)
    terms = np.zeros((3, len(COEFFICIENTS)))
    terms[ks.index(best), 0] = 1.0
    table = terms.tolist()
    given = {
        "n": 60, "m": 4, "k_true": k_true, "k": k, "strength": "strong", "p": 0.02,
        "p_by": dict.fromkeys(STATISTICS, 0.02), "lead": 9.0, "valley": 0.1,
        "comes_back": 0.9, "p_connected": 1.0, "gap": 0.1, "most": "strong",
        "shape": "compact", "scale": "as given", "k_as_given": None,
        "levels": (k,), "ari_verdict": 0.9, "guess": best, "ks": ks,
        "ari": (0.5, 0.9, 0.7), "terms": dict.fromkeys(("all", "a", "b"), table),
        "alike": np.eye(3).tolist(), "nested": np.ones((3, 3)).tolist(),
        "peers": {"always 2": (2, 0.5)},
    }  # fmt: skip
    case = RealCase(part, group, kind, group, k_true)
    return RealOutcome(case, **{**given, **more})


def test_spatial_proteomics_are_a_kind_of_their_own(folder):
    assert collection(folder)["prol_one"].kind == "prol"
    assert collection(folder)["two"].kind == "other"


def test_a_folder_without_the_list_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"stats\.tsv is not there"):
        collection(tmp_path)


def test_residuals_have_no_class_means_and_keep_lengths_when_flipped(folder):
    values, labels = make(folder, RealCase("fair", "two", "other", "one", 3))
    left = centred(values, labels)
    for c in range(3):
        assert np.allclose(left[labels == c].mean(axis=0), 0)
    flipped = residuals(values, labels, "flip", Streams(0))
    assert np.allclose(np.abs(flipped), np.abs(left))
    permuted = residuals(values, labels, "permute", Streams(0))
    assert np.allclose((permuted**2).sum(), ((left - left.mean(axis=0)) ** 2).sum())


def test_the_nearest_centres_of_a_plasmode_are_as_far_as_stated(folder):
    values, labels = make(folder, RealCase("fair", "two", "other", "one", 3))
    made, truth = plasmode(values, labels, Streams(7, ("plasmode",)))
    assert len(made) == len(truth)
    apart = []
    for a in range(truth.max() + 1):
        for b in range(a):
            one, two = made[truth == a], made[truth == b]
            line = one.mean(axis=0) - two.mean(axis=0)
            length = np.linalg.norm(line)
            wide = (one @ line).std() + (two @ line).std()
            apart.append(length * length / wide)
    assert min(apart) == pytest.approx(
        min((2.0, 2.5, 3.0), key=lambda g: abs(g - min(apart)))
    )


def test_another_order_of_rows_is_the_same_set(folder):
    first = make(folder, RealCase("fair", "two", "other", "one", 3))
    again = make(folder, RealCase("order", "two", "other", "one", 3, "1"))
    assert not np.array_equal(first[0], again[0])
    assert np.array_equal(np.sort(first[0], axis=0), np.sort(again[0], axis=0))


def test_every_part_has_cases(folder):
    parts = {case.part for case in cases(folder)}
    assert {"fair", "no", "mixture", "null", "residual", "order", "seed"} <= parts


def test_what_the_bench_looks_at_is_what_the_verdict_says(folder):
    values, _ = make(folder, RealCase("fair", "two", "other", "one", 3))
    told = stablek.verdict(values, jobs=1)
    said = decided(*better_look(values, 0, ask="all"))
    assert (said.k, said.strength, said.p) == (told.k, told.strength, told.p)
    assert np.array_equal(said.labels, told.labels)


@pytest.mark.parametrize("wide", [0, 1])
def test_the_bench_scales_columns_as_the_verdict_does(wide):
    """A wide column that shows other clusters than the rest, or the only ones."""
    rng = np.random.default_rng(3)
    values = rng.normal(size=(120, 4))
    values[:, 0] = 100 * values[:, 0] + 2000 * (np.arange(120) % 2)
    values[:, 1:] += wide * 12 * (np.arange(120) % 3)[:, None]
    told = stablek.verdict(values, jobs=1)
    judged, scaling = better_look(values, 0, ask="all")
    said = decided(judged, scaling)
    assert (said.k, said.strength) == (told.k, told.strength)
    assert scaling.used == told.scale
    assert judged.k_as_given == told.facts.get("k_as_given")


def test_kinds_weigh_equally_and_so_do_the_groups_of_a_kind():
    where = (("x", "prol"), ("x", "prol"), ("y", "prol"), ("z", "uci"))
    sets = [an_outcome("fair", group, kind) for group, kind in where]
    weights = set_weights(sets)
    assert weights.sum() == pytest.approx(SHARES["fair"])
    assert weights[3] == pytest.approx(weights[:3].sum())
    assert weights[0] + weights[1] == pytest.approx(weights[2])


def test_folds_never_part_a_group():
    sets = [an_outcome("fair", f"g{i % 12}") for i in range(36)]
    sets += [an_outcome("plasmode", f"g{i}") for i in range(12)]
    sets += [an_outcome("mixture", f"m{i}") for i in range(FOLDS)]
    fold = folds_of(sets, 3)
    assert set(fold) == {s.case.group for s in sets}
    for first in "gm":  # real and simulated sets are in every fold
        assert {at for name, at in fold.items() if name[0] == first} == set(
            range(FOLDS)
        )
    assert fold != folds_of(sets, 4)


def test_a_term_that_names_the_truth_gets_the_weight():
    sets = [an_outcome("fair", f"g{i}", k_true=2 + i % 3, best=2 + i % 3,
                       ari=tuple(0.9 if k == 2 + i % 3 else 0.1 for k in (2, 3, 4)))
            for i in range(30)]  # fmt: skip
    found = fit(design(sets), np.ones(30, dtype=bool))
    assert found[0] > 1
    assert np.allclose(found[1:], 0, atol=1e-6)
    assert pick(sets[0], found).k == 2


def test_a_shut_gate_is_the_answer_one_and_groups_of_any_shape_are_theirs():
    sets = [an_outcome("fair", f"g{i}") for i in range(20)]
    shut = {"k": 1, "strength": "suggestive", "p": 0.9}
    sets.append(an_outcome("fair", "shut", **shut))
    sets.append(an_outcome("fair", "rings", k=2, shape="connected", ari_verdict=0.3))
    fitted = fit_in_folds(sets)
    free = {p.outcome.case.group: p for p in fitted.of("fair", gate=False)[0]}
    asked = {p.outcome.case.group: p for p in fitted.of("fair", gate=True)[0]}
    assert free["shut"].k == free["rings"].k == 3
    assert (asked["shut"].k, asked["shut"].ari) == (1, 0.0)
    assert (asked["rings"].k, asked["rings"].ari) == (2, 0.3)


def test_the_page_counts_right_answers_claims_and_changes():
    sets = [an_outcome("fair", f"g{i}") for i in range(19)]
    sets.append(an_outcome("fair", "shut", k=1, strength="none", valley=None))
    sets.append(an_outcome("null", "a", "ball", k_true=1, k=1, strength="none"))
    sets.append(an_outcome("null", "b", "ball", k_true=1, k=2, strength="weak"))
    sets.append(an_outcome("order", "g0", k=3))
    sets.append(an_outcome("order", "g1", k=2))
    text = page(sets, "stablek bench real --data DIR", image="wrong.svg")
    assert "On 20 real data sets" in text
    assert "classes in 95 %" in text.replace("\n", " ")
    assert "| **the verdict**, outer folds, gate asked | 95 / 95 / 0.855 |" in text
    assert "| always 2 | 0 / 100 / 0.500 |" in text
    assert "| simulated: ball | 2 | 1, 50.0 % (9-91) | 0 | 0 | 0 |" in text
    assert "k changed in 1 of 2 runs" in text


def test_other_seeds_are_counted_by_the_strength_of_the_first_answer():
    first = an_outcome("mixture", "m")
    again = replace(first.case, part="seed", of="mixture", seed=1)
    same, other = replace(first, case=again), replace(first, case=again, k=2)
    text = steadiness_text([first, same, other])
    assert "other seeds on simulated mixtures, k changed in 1 of 2 strong" in text


def test_an_answer_in_the_folds_is_lowered_as_that_of_the_verdict_is():
    one = an_outcome("fair", "g")
    certain = np.array([100.0, *np.zeros(len(COEFFICIENTS) - 1)])
    strengths = [
        pick(replace(one, **change), certain).gated().strength
        for change in ({}, {"k_as_given": 2}, {"k_as_given": 1}, {"most": "moderate"})
    ]
    assert strengths == ["strong", "moderate", "strong", "moderate"]


def test_davies_and_bouldin_as_scikit_learn_has_it():
    rng = np.random.default_rng(1)
    values, part = rng.normal(size=(40, 3)), np.arange(40) % 4
    want = davies_bouldin_score(values, part)
    assert davies_bouldin(values, part) == pytest.approx(want)
    assert majority([4, 4, 2, 3]) == 4


def test_outcomes_are_kept_and_not_run_again(folder, tmp_path):
    store = str(tmp_path / "kept")
    arguments = ["bench", "real", "--data", str(folder), "--part", "fair"]
    arguments += ["--store", store]
    page_file = tmp_path / "wrong.md"
    first = CliRunner().invoke(cli, [*arguments, "-q", "--page", str(page_file)])
    assert first.exit_code == 0, first.output
    assert "On 1 real data sets" in page_file.read_text()
    assert page_file.with_suffix(".svg").read_text().startswith("<svg")
    again = CliRunner().invoke(cli, arguments)
    assert "0 sets in" in again.stderr
    assert "prediction strength > 0.8" in again.stdout


def test_the_gate_opens_where_all_its_thresholds_are_met():
    assert opens(an_outcome("fair", "g"), IN_SOURCE)
    for worse in (
        {"p": 0.06},
        {"p_by": {**dict.fromkeys(STATISTICS, 0.03), "modularity": 0.51}},
        {"valley": 0.7, "lead": FAR - 0.1},
        {"comes_back": 0.5, "lead": FAR - 0.1},
        {"valley": None},
    ):
        assert not opens(an_outcome("fair", "g", **worse), IN_SOURCE)
    assert opens(
        an_outcome("fair", "g", valley=0.7, comes_back=0.5, lead=FAR), IN_SOURCE
    )


def test_the_gate_finds_as_much_as_is_allowed():
    """Shaky clusters lead by 9 where there are some, by 7.5 where there are none."""
    sets = [
        an_outcome(part, f"{part}-{i}", comes_back=0.5, lead=7.5 if without else 9.0)
        for part in WEIGHED
        for i in range(4)
        for without in [part in ALLOWED]
    ]
    claims = claims_of(sets)
    every = np.ones(len(sets), dtype=bool)
    assert claims.best(every).far == 8.0
    assert claims.best(claims.parts != "null") == IN_SOURCE  # a part is missing
    found = gate_text(claims, [(claims.best(every), sets)])
    assert "| fair | 4 | 100.0% | 100.0% |" in found
    assert "| single classes | 4 | 0.0% | 100.0% |" in found


def test_where_every_threshold_claims_too_much_those_in_the_source_stay():
    sets = [
        an_outcome(part, f"{part}-{i}", valley=0.1, lead=20.0)
        for part in WEIGHED
        for i in range(4)
    ]
    claims = claims_of(sets)
    assert claims.best(np.ones(len(sets), dtype=bool)) == IN_SOURCE


def test_continua_have_no_gap_and_as_many_items_as_they_say(folder):
    made = list(cases(folder, ("continuum",)))
    assert len(made) == len({case.name for case in made}) == 60
    for case in made[::7]:
        values, truth = make(folder, case)
        assert len(values) in (100, 200, 500)
        assert set(truth.tolist()) == {0}
    arc, _ = make(folder, made[0])
    steps = np.sort(np.linalg.norm(arc[:, None] - arc[None], axis=2), axis=1)[:, 1]
    assert steps.max() < 10 * np.median(steps)


def test_a_kind_that_is_left_out_is_judged_by_the_others_alone(monkeypatch):
    sets = [
        an_outcome("fair", "a", "cells"),
        an_outcome("plasmode", "a", "cells"),
        an_outcome("half", "b", "tables"),
        an_outcome("mixture", "m", "round"),
    ]
    fitted_on = []

    def spy(made, rows):
        fitted_on.append([made.outcomes[i].case.group for i in np.flatnonzero(rows)])
        return fit(made, rows)

    monkeypatch.setattr(real_fit, "fit", spy)
    picks = real_fit.fit_without_kinds(design(sets))
    assert fitted_on == [["b", "m"], ["a", "a", "m"]]
    assert [one.outcome.case.group for one in picks] == ["a", "b"]


def test_a_large_and_a_small_cluster_have_the_sizes_they_are_named_by(folder):
    made = list(cases(folder, ("unequal",)))
    assert len(made) == len({case.name for case in made}) == 96
    for case in made[::13]:
        values, truth = make(folder, case)
        assert f"{truth.mean():.0%}" == case.kind
        assert case.name.startswith(f"unequal-{len(values)}-{values.shape[1]}-")
