"""Rules that read a consensus curve: what each says, and how they are counted."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from stablek.errors import InputError
from stablek_bench import eye, rules
from stablek_bench.command import command
from stablek_bench.grid import fast
from stablek_bench.markdown import END, fill
from stablek_bench.passes import READ
from stablek_bench.run import Bench
from stablek_bench.store import Answer, Store

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
        ("delta-below:0.05", 4),
    ],
)
def test_a_rule_reads_the_growth_of_the_area(name: str, k: int) -> None:
    assert rules.RULES[name](KS, SETTLING) == k


def test_a_late_growth_counts_for_the_last_but_not_for_the_first_small_one() -> None:
    area = list(0.5 * np.cumprod([1, 1.4, 1.01, 1.3, 1.01, 1.01, 1.01]))
    assert rules.RULES["Delta >= 5%"](KS, columns_of(area)) == 5
    assert rules.RULES["delta-below:0.05"](KS, columns_of(area)) == 3


def test_rules_of_other_columns_take_their_extreme() -> None:
    pac = columns_of([0.5] * 7, pac=[0.3, 0.1, 0.2, 0.3, 0.3, 0.3, 0.3])
    assert rules.RULES["pac"](KS, pac) == 3
    high = columns_of([0.5] * 7, cophenetic=[0.3, 0.1, 0.9, 0.3, 0.3, 0.3, 0.3])
    assert rules.RULES["cophenetic"](KS, high) == 4


def test_a_rule_of_a_column_that_is_not_known_names_the_first_k() -> None:
    unknown = columns_of([0.5] * 7, cophenetic=[np.nan] * 7)
    assert rules.RULES["cophenetic"](KS, unknown) == 2


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
        eye.Seen("A", "hier-a", KS, SETTLING, k=4, eye=(4,), gold=5),
        eye.Seen("B", "hier-a", KS, SETTLING, k=4, eye=(), gold=8),
    ]
    rows = {row["rule"]: row for row in eye.compare_with_eye(found)}
    row = rows["area settles 3 x, 2%"]  # answers 5
    assert (row["eye exact"].hits, row["eye exact"].of) == (0, 1)
    assert (row["eye within one"].hits, row["eye within one"].of) == (1, 1)
    assert (row["classes exact"].hits, row["classes exact"].of) == (1, 2)
    assert rows["the number of classes"]["classes exact"].hits == 2
    assert rows[rules.DEFAULT]["eye exact"].hits == 1  # what FC itself said


def test_over_seeds_the_mode_counts_and_who_agrees_is_told() -> None:
    other = {**SETTLING, "area": np.linspace(0.1, 0.9, len(KS))}
    found = [
        eye.Seen("A", "hier-a", KS, columns, k=5, eye=(5,), gold=5)
        for columns in (other, SETTLING, SETTLING)
    ]
    found.append(eye.Seen("B", "hier-a", KS, SETTLING, k=5, eye=(5,), gold=5))
    rows = {row["rule"]: row for row in eye.compare_with_eye(found)}
    row = rows["area settles 3 x, 2%"]
    assert (row["eye exact"].hits, row["eye exact"].of) == (2, 2)
    alike = row["all seeds alike"]
    assert (alike.hits, alike.of) == (1, 2)


def bench_saying(tmp_path: Path, ks: list[int], default: list[int]) -> Bench:
    """Return a store in which ten seeds of one cell gave these ks, with 250 repeats
    and by default."""
    bench = Bench(Store(tmp_path / "kept.sqlite"))
    loaded = bench.load("Gaussian5")
    assert loaded is not None
    curve = {name: [0.5] * len(KS) for name in READ}
    for repeats, said in ((250, ks), (None, default)):
        for seed, k in enumerate(said):
            facts = {"ks": list(KS), "columns": curve, "repeats": repeats or 500,
                     "other_seeds": {"5": 30, "6": 10}}  # fmt: skip
            answers = {fast("Hier-S", repeats): Answer(k, 1.0, 1, facts=facts)}
            bench.store.put("Gaussian5", loaded.digest, answers, seed)
    return bench


def test_seeds_are_held_against_one_another_and_against_what_was_said(tmp_path) -> None:
    bench = bench_saying(tmp_path, [5, 5, 5, 6, 6, 5, 5, 5, 5, 5], [5] * 9 + [6])
    fixed, default = eye.steadiness(bench)
    assert (fixed["repeats"], fixed["mean"]) == ("250", "250")
    assert (default["repeats"], default["mean"]) == ("by default", "500")
    assert [row["all seeds alike"].hits for row in (fixed, default)] == [0, 0]
    assert [row["at least nine of ten"].hits for row in (fixed, default)] == [0, 1]
    # Of 45 pairs, 28 and one of two seeds agree; by default 36.
    assert fixed["pairs of seeds alike"] == f"{100 * 29 / 45:.0f} %"
    assert default["pairs of seeds alike"] == "80 %"
    low, middle, every = eye.forecast(bench)
    assert low == {"with other seeds": "0% to 50%", "runs": "1", "said": "25%",
                   "found": "0%"}  # fmt: skip
    assert middle == {"with other seeds": "50% to 95%", "runs": "9", "said": "75%",
                      "found": "89%"}  # fmt: skip
    assert (every["runs"], every["said"], every["found"]) == ("10", "70%", "80%")


def test_the_page_holds_what_the_command_prints_from_a_store(tmp_path) -> None:
    bench_saying(tmp_path, [5] * 10, [5] * 10).store.close()
    page, store = tmp_path / "page.md", str(tmp_path / "kept.sqlite")
    places = [f"<!-- table: {n} --> {END}" for n in ("eye", "steadiness", "forecast")]
    page.write_text("Before.\n" + "\nBetween.\n".join(places) + "\nAfter.\n")
    asked = ["eye", "--store", store, "--page", str(page)]

    def invoke(*more: str) -> str:
        env = {"STABLEK_DATA": ""}
        done = CliRunner().invoke(command, [*asked, *more], env=env)
        assert done.exit_code == 0, done.output
        return done.output

    shown = invoke()
    text = page.read_text()
    in_page = [re.split(r" *\| *", line.strip("| ")) for line in text.splitlines()
               if line.startswith("|") and "---" not in line]  # fmt: skip
    printed = [re.split(r"  +", line) for line in shown.splitlines()]
    assert in_page == printed
    assert text.count("Between.") == 2
    assert text.endswith("After.\n")
    rows = json.loads(invoke("--json"))
    assert page.read_text() == text  # filled again with the same
    assert {row["eye exact"][1] for row in rows["eye"]} == {1}
    assert rows["steadiness"][0]["all seeds alike"] == [1, 1]


def test_a_page_without_a_place_for_the_table_is_left_alone(tmp_path) -> None:
    page = tmp_path / "page.md"
    page.write_text("no marks\n")
    with pytest.raises(InputError, match="no place for the table 'rules'"):
        fill(page, {"rules": [["a"], ["b"]]})
    assert page.read_text() == "no marks\n"
