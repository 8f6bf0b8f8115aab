"""Composed measures: they fit or are refused, and equal the named ones."""

import numpy as np
import pytest
from click.testing import CliRunner

import stablek
from stablek.cli import cli
from stablek.datasets import mixture
from stablek.errors import InputError
from stablek.measures import MEASURES
from stablek.measures.compose import (
    PERTURBATIONS,
    READS,
    RULES,
    SPLITS,
    STATISTICS,
    SYNOPSES,
    compose,
)
from stablek.paradigm.measure import Measure


def made():
    return mixture("equal", 3, 6, 0, separation=6.0, n=60).values


def test_fc_composed_of_its_ingredients_gives_the_numbers_of_fc():
    values = made()
    named = stablek.choose_k(values, "fc", ks=range(2, 7), repeats=20, seed=4)
    own = compose(synopsis="area", significance="settles", repeats=20)
    found = stablek.choose_k(values, own, ks=range(2, 7), seed=4)
    for name, column in named.columns.items():
        np.testing.assert_array_equal(column, found.columns[name])
    assert found.k_star == named.k_star
    np.testing.assert_array_equal(found.labels, named.labels)


def test_clest_composed_of_its_ingredients_gives_the_numbers_of_clest():
    values = made()
    settings = {"repeats": 5, "null_sets": 3}
    named = stablek.choose_k(values, "clest", "kmeans-r", range(2, 5), **settings)
    found = stablek.choose_k(
        values,
        "composed",
        "kmeans-r",
        range(2, 5),
        perturb="restarts",
        split="two-thirds",
        statistic="agreement",
        index="fm",
        synopsis="median",
        significance="clest",
        null_model="ps",
        fast=False,
        **settings,
    )
    for name, column in named.columns.items():
        np.testing.assert_array_equal(column, found.columns[name])


def all_mixtures():
    for perturb in PERTURBATIONS:
        for split in SPLITS:
            for statistic in STATISTICS:
                for synopsis in SYNOPSES:
                    for rule in RULES:
                        yield perturb, split, statistic, synopsis, rule


def test_every_mixture_is_a_measure_or_is_refused_with_a_remedy():
    fitting, refused = 0, []
    for perturb, split, statistic, synopsis, rule in all_mixtures():
        try:
            found = compose(
                perturb=perturb,
                split=split,
                statistic=statistic,
                synopsis=synopsis,
                significance=rule,
            )
        except InputError as error:
            refused.append(str(error))
        else:
            assert isinstance(found, Measure)
            fitting += 1
    assert all("use --" in said for said in refused)
    assert fitting > 300


#: The gap reads wcss, which needs all items and columns.
PAIRS = [
    (rule, perturb)
    for rule in sorted(RULES)
    for perturb in ("noise", "columns", "bootstrap")
    if rule != "gap" or perturb == "noise"
]


@pytest.mark.parametrize(("rule", "perturb"), PAIRS)
def test_every_rule_runs_on_a_perturbation_that_no_named_measure_has(rule, perturb):
    synopsis = READS.get(rule, ("distribution",))[0]
    statistic = "comembership" if synopsis in ("area", "cophenetic") else "agreement"
    if rule == "gap":
        statistic = "wcss"
    own = compose(
        perturb=perturb,
        statistic=statistic,
        synopsis=synopsis,
        significance=rule,
        repeats=6,
        null_sets=4,
    )
    result = stablek.choose_k(made(), own, "kmeans-r", range(2, 6))
    assert result.k_star is None or 1 <= result.k_star <= 6
    assert result.reason


def test_noise_comembership_pac_against_null_finds_three_clusters_and_none():
    own = compose(perturb="noise", significance="against-null", null_sets=19)
    assert stablek.choose_k(made(), own, "kmeans-w", range(2, 7), seed=1).k_star == 3
    noise = np.random.default_rng(0).normal(size=(60, 6))
    assert stablek.choose_k(noise, own, "kmeans-w", range(2, 7)).k_star == 1


def test_a_composed_measure_is_the_same_for_any_number_of_workers():
    texts = {
        stablek.choose_k(
            made(),
            "composed",
            "kmeans-r",
            range(2, 5),
            perturb="noise",
            significance="against-null",
            repeats=8,
            null_sets=3,
            seed=2,
            jobs=jobs,
        ).to_json()
        for jobs in (1, 2)
    }
    assert len(texts) == 1


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({"perturb": "nois"}, "did you mean 'noise'"),
        ({"split": "halves"}, "use --statistic agreement"),
        ({"statistic": "agreement", "synopsis": "pac"}, "use --synopsis distribution"),
        ({"significance": "gap"}, "use --synopsis log-wcss"),
        ({"statistic": "wcss", "perturb": "columns"}, "use --perturb restarts"),
        ({"index": "adj"}, "statistic agreement"),
        ({"perturb": "noise", "fraction": 0.5}, "subsample, stratified and columns"),
    ],
)
def test_ingredients_that_do_not_fit_are_refused_by_name(wish, said):
    with pytest.raises(InputError, match=said):
        compose(**wish)


def test_the_command_line_composes_and_refuses_half_a_measure(tmp_path):
    table = tmp_path / "x.csv"
    lines = ["id,a,b"] + [
        f"i{i},{x:.4f},{y:.4f}" for i, (x, y) in enumerate(made()[:, :2])
    ]
    table.write_text("\n".join(lines) + "\n", encoding="utf-8")
    steps = ["run", str(table), "-k", "2:4", "--perturb", "noise", "-q"]
    more = ["--repeats", "5", "--significance", "against-null", "--null-sets", "4"]
    done = CliRunner().invoke(cli, [*steps, *more, "--null", "ps", "--json"])
    assert done.exit_code == 0, done.output
    assert "noise+comembership+pac+against-null" in done.output
    done = CliRunner().invoke(cli, [*steps, "-m", "me"])
    assert done.exit_code == 2
    assert "leave one of them out" in done.output


def test_the_registry_holds_the_composed_measure():
    assert MEASURES["composed"] is compose
