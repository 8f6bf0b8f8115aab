"""Rules that read a consensus curve: what each says, and how they are counted."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

from stablek_bench import eye, rules
from stablek_bench.command import command

KS = tuple(range(2, 9))


def columns_of(area: list[float], **others: list[float]) -> dict[str, np.ndarray]:
    flat = {name: [0.5] * len(area) for name in ("pac", "entropy", "dispersion")}
    given = {**flat, "cophenetic": [0.5] * len(area), **others, "area": area}
    return {name: np.array(values, float) for name, values in given.items()}


#: Growth into 3, 4, 5, ...: 40 %, 21 %, 3 %, 1 %, 0.5 %, 0.2 %.
SETTLING = columns_of(list(0.5 * np.cumprod([1, 1.4, 1.21, 1.03, 1.01, 1.005, 1.002])))


@pytest.mark.parametrize(
    ("name", "k"),
    [
        ("area settles 3 x, 2%", 5),
        ("area settles 3 x, 5%", 4),
        ("Delta >= 2%", 5),
        ("Delta >= 10%", 4),
        ("before Delta < 5%", 4),
    ],
)
def test_a_rule_reads_the_growth_of_the_area(name: str, k: int) -> None:
    assert rules.RULES[name](KS, SETTLING) == k


def test_a_late_growth_counts_for_the_last_but_not_for_the_first_small_one() -> None:
    area = list(0.5 * np.cumprod([1, 1.4, 1.01, 1.3, 1.01, 1.01, 1.01]))
    assert rules.RULES["Delta >= 5%"](KS, columns_of(area)) == 5
    assert rules.RULES["before Delta < 5%"](KS, columns_of(area)) == 3


def test_rules_of_other_columns_take_their_extreme() -> None:
    pac = columns_of([0.5] * 7, pac=[0.3, 0.1, 0.2, 0.3, 0.3, 0.3, 0.3])
    assert rules.RULES["smallest PAC"](KS, pac) == 3
    high = columns_of([0.5] * 7, cophenetic=[0.3, 0.1, 0.9, 0.3, 0.3, 0.3, 0.3])
    assert rules.RULES["largest cophenetic"](KS, high) == 4


def test_a_rule_of_a_column_that_is_not_known_names_the_first_k() -> None:
    unknown = columns_of([0.5] * 7, cophenetic=[np.nan] * 7)
    assert rules.RULES["largest cophenetic"](KS, unknown) == 2


def test_certainty_is_one_where_all_pairs_are_settled_and_none_where_none_is() -> None:
    settled = {"area": np.array([0.5]), "entropy": np.array([0.0])}
    open_ = {"area": np.array([0.5]), "entropy": np.array([np.log(2)])}
    assert rules.certainty(settled)[0] == 1.0
    assert rules.certainty(open_)[0] == pytest.approx(0.0, abs=1e-12)


def test_rcsi_says_one_cluster_where_null_sets_are_as_unambiguous() -> None:
    nulls = {"pac": np.full((19, 7), 0.4)}
    clear = columns_of([0.5] * 7, pac=[0.4, 0.4, 0.01, 0.4, 0.4, 0.4, 0.4])
    assert rules.rcsi(KS, clear, nulls) == 4
    vague = columns_of([0.5] * 7, pac=[0.4] * 7)
    assert rules.rcsi(KS, vague, nulls) == 1


def test_a_share_counts_only_those_who_were_asked() -> None:
    def known(k: int, algorithm: str) -> rules.Known:
        return rules.Known("mixture", k, algorithm, KS, SETTLING, None)

    found = [
        (known(3, "hier-a"), {"rule": 3}),
        (known(3, "hier-w"), {"rule": 5}),
        (known(1, "hier-a"), {"rule": 2}),
        (known(3, rules.VERDICT), {rules.VERDICT: 4}),
        (known(1, rules.VERDICT), {rules.VERDICT: 1}),
    ]
    rows = {row["rule"]: row for row in rules.table(found)}
    assert (rows["rule"]["exact"].hits, rows["rule"]["exact"].of) == (1, 2)
    assert (rows["rule"]["hier-a"].hits, rows["rule"]["hier-a"].of) == (1, 1)
    own = rows[rules.VERDICT]
    assert (own["within one"].hits, own["within one"].of) == (1, 1)
    assert (own["claims on null sets"].hits, own["claims on null sets"].of) == (0, 1)


def test_a_rule_is_held_against_the_printed_k_and_against_the_classes() -> None:
    found = [
        eye.Seen("A", "hier-a", KS, SETTLING, eye=(4,), gold=5),
        eye.Seen("B", "hier-a", KS, SETTLING, eye=(), gold=8),
    ]
    rows = {row["rule"]: row for row in eye.compare_with_eye(found)}
    row = rows["area settles 3 x, 2%"]  # answers 5
    assert (row["eye exact"].hits, row["eye exact"].of) == (0, 1)
    assert (row["eye within one"].hits, row["eye within one"].of) == (1, 1)
    assert (row["classes exact"].hits, row["classes exact"].of) == (1, 2)
    assert rows["the number of classes"]["classes exact"].hits == 2


def test_over_seeds_the_mode_counts_and_who_agrees_is_told() -> None:
    other = {**SETTLING, "area": np.linspace(0.1, 0.9, len(KS))}
    found = [
        eye.Seen("A", "hier-a", KS, columns, eye=(5,), gold=5, seed=seed)
        for seed, columns in enumerate([other, SETTLING, SETTLING])
    ]
    found.append(eye.Seen("B", "hier-a", KS, SETTLING, eye=(5,), gold=5))
    rows = {row["rule"]: row for row in eye.compare_with_eye(found)}
    row = rows["area settles 3 x, 2%"]
    assert (row["eye exact"].hits, row["eye exact"].of) == (2, 2)
    alike = row["all seeds alike"]
    assert (alike.hits, alike.of) == (1, 2)


def test_runs_of_more_repeats_agree_more_often() -> None:
    rng = np.random.default_rng(4)
    three = np.array([0.40, 0.60, *np.linspace(0.61, 0.65, len(KS) - 2)])
    five = np.array([0.40, 0.55, 0.68, 0.78, *np.linspace(0.785, 0.8, len(KS) - 4)])
    # 55 % of the repeats settle at one k, 45 % at another, with some noise.
    picks = np.where(rng.random((250, 1)) < 0.55, three, five)
    noisy = {"shares": 1 - picks + rng.normal(scale=0.02, size=picks.shape)}
    sure = {"shares": 1 - three + np.zeros((250, 1))}
    found = [
        eye.Seen("A", "hier-a", KS, noisy, eye=(), gold=3),
        eye.Seen("B", "hier-a", KS, sure, eye=(), gold=3),
    ]
    rows = eye.steadiness(found)
    assert [row["repeats"] for row in rows] == list(eye.REPEATS)
    assert all(row["all runs alike"].of == 2 for row in rows)
    assert all(row["all runs alike"].hits >= 1 for row in rows)
    pairs = [float(row["pairs alike"].split()[0]) for row in rows]
    assert pairs[-1] >= pairs[0]


def test_the_command_holds_the_rules_against_the_eye_on_simulated_sets() -> None:
    done = CliRunner().invoke(
        command,
        ["eye", "-a", "hier-s", "--seeds", "2", "--json"],
        env={"STABLEK_DATA": ""},
    )
    assert done.exit_code == 0, done.output
    rows = json.loads(done.output)
    # Without a data folder only the thesis's simulated sets are there: three cells.
    assert {row["eye exact"][1] for row in rows} == {3}
