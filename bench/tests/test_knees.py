"""The comparison of knee rules: what it is made of, and that its choice stands."""

import inspect
from functools import partial
from pathlib import Path

import numpy as np

from stablek.measures.fom import fom
from stablek.measures.wcss import wcss
from stablek.paradigm.significance.knee import KNEES, Knee, drop_ratio
from stablek_bench.knee_page import page
from stablek_bench.knees import (
    CHOOSING,
    FLOORS,
    REPORTING,
    ROWS,
    WINDOWS,
    Known,
    Seen,
    choose,
    eye_near_gold,
    eye_scores,
    overall,
    read,
    scores,
    simulated_curves,
    simulated_data,
)


def test_the_default_rule_is_the_one_that_was_chosen_on_simulations():
    assert wcss().significance == Knee("drop-ratio") == Knee()
    assert fom().significance == Knee("hartigan-squares")  # chosen by bench fom
    found = inspect.signature(drop_ratio).parameters
    assert (found["window"].default, found["least"].default) == (1, 0.02)


def test_on_curves_with_a_known_knee_the_default_beats_every_published_rule():
    curves = list(simulated_curves(range(20, 22)))
    table = scores(curves, KNEES)
    best = max(table, key=lambda name: table[name][0])
    assert best == "drop-ratio"
    assert table["drop-ratio"][0] > 0.7


def test_curves_have_the_knee_they_promise():
    for curve in simulated_curves([0]):
        drops = -np.diff(np.log(curve.values))
        assert len(curve.ks) == len(curve.values) == 30
        # The gains end at the knee: the mean drop before it exceeds the next one.
        assert drops[: curve.knee - 1].mean() > drops[curve.knee - 1]


def test_simulated_data_give_a_curve_for_each_algorithm():
    curves = simulated_data([0], ("hier-a", "kmeans-c"))
    first, second = next(curves), next(curves)
    assert first.kind == second.kind == "wcss"
    assert first.ks == second.ks
    assert first.ks[0] == 1
    assert not np.array_equal(first.values, second.values)
    for rule in KNEES.values():
        assert read(rule, first.ks, first.values, first.n) in {*first.ks, None}


def test_kinds_weigh_alike_in_the_choice():
    curves = list(simulated_curves([0]))[:9]
    data = simulated_data([0], ("hier-a",))
    some = [*curves, *(next(data) for _ in range(4))]
    found = overall(some, KNEES)
    parts = [
        scores([c for c in some if c.kind == kind], KNEES)["chord"][0]
        for kind in ("curves", "wcss")
    ]
    assert found["chord"] == np.mean(parts)


def test_the_choice_takes_the_constants_and_rules_exact_most_often():
    curves = list(simulated_curves([0, 1]))
    data = simulated_data([0], ("hier-a",))
    some = [*curves, *(next(data) for _ in range(6))]
    choice = choose(some)
    exact = {
        (window, least): overall(
            some, {"this": partial(drop_ratio, window=window, least=least)}
        )["this"]
        for window in WINDOWS
        for least in FLOORS
    }
    assert exact[choice.window, choice.least] == max(exact.values())
    share = overall(some, choice.rules)
    assert share[choice.best] == max(share.values())


def test_no_seed_both_chooses_and_reports():
    # Seeds 6 and 7 had been looked at as well.
    assert not set(REPORTING) & {*CHOOSING, 6, 7}


def test_a_rule_is_held_against_the_eye_and_against_the_gold_number():
    ks = tuple(range(2, 8))
    values = np.array([100.0, 50.0, 20.0, 19.0, 18.0, 17.5])
    seen = [Seen(Known("wcss", ks, values, 50, 3), eye) for eye in [(4,), (6,)]]
    found = eye_scores(seen, {"drop-ratio": drop_ratio})
    assert found["drop-ratio"] == (0.5, 0.5, 1.0)  # it sees 4
    assert eye_near_gold(seen) == 0.5


def test_the_rows_of_the_tables_name_an_algorithm_and_a_refresh_step():
    assert ROWS["R-R5"] == ("kmeans-r", 5)
    assert ROWS["K-means-C"] == ("kmeans-c", None)


def test_the_page_says_which_seeds_chose_and_which_report(monkeypatch):
    def few(seeds, algorithms=("hier-a",)):
        curves = simulated_data_of(seeds, algorithms)
        return [next(curves) for _ in range(4)]

    simulated_data_of = simulated_data
    monkeypatch.setattr("stablek_bench.knee_page.simulated_data", few)
    text = page(None, range(1), range(100, 101))
    assert "seeds\n0, and on nothing else" in text
    assert "## On fresh simulations (seeds 100)" in text
    for rule in KNEES:
        assert text.count(f"| `{rule}` |") == 2
    assert "nan" not in text


def test_the_published_page_holds_the_defaults_of_the_package():
    text = " ".join(Path("docs/knees.md").read_text(encoding="utf-8").split())
    assert "the default of wcss and wcss-r. `drop-ratio`" in text
    assert "%), 1 and 2 % are exact most often" in text
    assert "On the thesis's tables" in text
    assert all(f"| `{rule}` |" in text for rule in KNEES)
