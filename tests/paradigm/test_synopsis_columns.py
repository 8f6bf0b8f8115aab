"""Every column of a curve against its definition, written out by hand."""

import math

import numpy as np
import pytest

from stablek.paradigm.contracts import Facts
from stablek.paradigm.statistic.comembership import PairCounts
from stablek.paradigm.synopsis import (
    ConsensusColumn,
    agreement_distribution,
    consensus_distribution,
    delta,
    delta_shifted,
    figure_of_merit,
    log_within,
    mean_loss,
    mean_value,
    median_value,
    within,
)

FACTS = Facts(n=12, m=2, ks=(2, 3), asked=(2, 3), repeats=4)
SCORES = np.array([[0.2, 0.95], [0.4, 0.90], [1.0, 0.91], [-0.3, np.nan]])


def close(found, wanted):
    assert found == pytest.approx(wanted, rel=1e-12, abs=1e-15, nan_ok=True)


def spread(values):
    middle = sum(values) / len(values)
    return math.sqrt(sum((v - middle) ** 2 for v in values) / (len(values) - 1))


def test_mean_and_median_come_with_their_error_and_spread():
    known = [[0.2, 0.4, 1.0, -0.3], [0.95, 0.90, 0.91]]
    for function, main, wanted in (
        (mean_value, "mean", [0.325, 2.76 / 3]),
        (median_value, "median", [0.3, 0.91]),
        (mean_loss, "mean", [0.325, 2.76 / 3]),
    ):
        curve = function(SCORES, FACTS)
        assert (curve.main, curve.error) == (main, f"{main}_error")
        assert curve.ks == (2, 3)
        close(list(curve.columns[main]), wanted)
        close(list(curve.columns["min"]), [-0.3, 0.90])
        close(list(curve.columns["max"]), [1.0, 0.95])
        close(list(curve.columns["sd"]), [spread(v) for v in known])
        error = [spread(v) / math.sqrt(len(v)) for v in known]
        close(list(curve.columns[f"{main}_error"]), error)
    assert mean_loss(SCORES, FACTS).better == "low"
    assert mean_value(SCORES, FACTS).better != "low"


def test_one_score_has_no_spread_and_no_score_has_nothing():
    curve = mean_value(np.array([[0.5, np.nan]]), FACTS)
    close(list(curve.columns["sd"]), [0.0, math.nan])
    close(list(curve.columns["mean_error"]), [0.0, math.nan])


def test_the_histogram_of_agreements_has_every_repeat_once():
    edges = np.array([[-0.2, 0.05], [0.0, 0.049], [0.94999, 1.0], [0.95, 0.5]])
    curve = agreement_distribution(edges, FACTS)
    bins = {b: curve.columns[f"bin_{5 * b:02d}"] for b in range(20)}
    assert {b: list(v) for b, v in bins.items() if v.any()} == {
        0: [0.5, 0.25], 1: [0.0, 0.25], 10: [0.0, 0.25], 18: [0.25, 0.0],
        19: [0.25, 0.25],
    }  # fmt: skip
    assert set(curve.columns) >= {"lower", "above", "mean", "sd"}
    close(list(curve.columns["above"]), [0.5, 0.25])
    close(list(curve.columns["lower"]), list(np.quantile(edges, 0.1, axis=0)))
    missing = agreement_distribution(SCORES, FACTS).columns
    close(list(missing["above"]), [0.25, 2 / 3])
    close(missing["lower"][1], np.quantile([0.95, 0.90, 0.91], 0.1))
    close(sum(missing[f"bin_{5 * b:02d}"][1] for b in range(20)), 1.0)


def test_within_shows_a_spread_only_where_there_are_several_starts():
    assert set(within(np.array([[4.0, 1.0]]), FACTS).columns) == {"wcss", "wcss_error"}
    several = within(np.array([[4.0, 1.0], [6.0, 1.0]]), FACTS)
    assert {"wcss", "wcss_error", "sd", "min"} <= set(several.columns)
    assert (several.main, several.error, several.better) == (
        "wcss", "wcss_error", "knee"
    )  # fmt: skip
    close(list(several.columns["wcss"]), [5.0, 1.0])


def test_the_logarithm_of_nothing_is_far_below_all_others():
    curve = log_within(np.array([[math.e, 0.0], [math.e**3, 0.0]]), FACTS)
    assert (curve.main, curve.error, curve.better) == (
        "log_wcss", "log_wcss_error", "knee"
    )  # fmt: skip
    close(list(curve.columns["log_wcss"]), [2.0, math.log(1e-12) + 3])
    close(list(curve.columns["wcss"]), [(math.e + math.e**3) / 2, 0.0])
    close(list(log_within(np.zeros((1, 2)), FACTS).columns["log_wcss"]), [0.0, 0.0])


def test_the_figure_of_merit_is_summed_over_columns_and_adjusted():
    facts = Facts(n=12, m=2, ks=(3, 12), asked=(3, 12), repeats=4)
    scores = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0], [99.0, 99.0]])
    curve = figure_of_merit(scores, facts)
    assert (curve.main, curve.error, curve.better) == ("fom", "fom_error", "knee")
    close(list(curve.columns["aggregate"]), [8.0, 10.0])
    close(curve.columns["fom"][0], 8.0 / math.sqrt(9 / 12))
    assert np.isnan(curve.columns["fom"][1])
    close(curve.columns["sd"][0], spread([4.0, 12.0]) / math.sqrt(9 / 12))
    once = figure_of_merit(scores[:2], facts)
    assert set(once.columns) == {"fom", "fom_error", "aggregate"}
    close(once.columns["aggregate"][0], 4.0)


def test_delta_looks_forward_and_its_shifted_form_backward():
    area = np.array([0.5, 0.6, 0.75])
    close(list(delta((2, 3, 4), area)), [0.5, 0.25, math.nan])
    close(list(delta((3, 4, 5), area)), [0.2, 0.25, math.nan])
    close(list(delta_shifted((2, 3, 4), area)), [0.5, 0.2, 0.25])
    close(list(delta_shifted((3, 4, 5), area)), [math.nan, 0.2, 0.25])
    flat = np.array([0.0, 0.6])
    close(list(delta((3, 4), flat)), [math.nan, math.nan])
    close(list(delta_shifted((3, 4), flat)), [math.nan, math.nan])


def counts(*, sampled=None):
    """Return pairs: at k = 2 (drawn, together, how many); at k = 3 none at all."""
    empty = np.array([], dtype=np.int64)
    return PairCounts(
        ks=(2, 3),
        drawn=[np.array([4, 4, 5, 2, 10]), empty],
        together=[np.array([4, 2, 0, 1, 9]), empty],
        weight=[np.array([3, 2, 4, 1, 2]), empty],
        never=np.array([5, 9]),
        shares=np.array([[0.5, np.nan], [0.7, np.nan], [0.6, np.nan]]),
        cophenetic=np.array([0.9, np.nan]),
        sampled=sampled,
    )


def test_the_distribution_of_co_membership_by_hand():
    curve = consensus_distribution(counts(), FACTS)
    assert (curve.main, curve.error, curve.better) == ("area", "area_error", "knee")
    found = {name: column[0] for name, column in curve.columns.items()}
    pairs = [1.0] * 3 + [0.5] * 2 + [0.0] * 4 + [0.5] + [0.9] * 2
    close(found["area"], 1 - sum(pairs) / 12)
    # Values 0, 0.5, 0.9, 1 with the CDF at each right end.
    literal = 0.5 * 7 / 12 + 0.4 * 9 / 12 + 0.1 * 1
    # 2 of 4 and 1 of 2 are one value: the CDF there counts both.
    close(found["area_literal"], literal)
    drawn, together = 3 * 4 + 2 * 4 + 4 * 5 + 2 + 20, 3 * 4 + 2 * 2 + 0 + 1 + 18
    close(found["area_pooled"], 1 - together / drawn)
    close(found["pac"], 3 / 12)
    square = sum(4 * (m - 0.5) ** 2 for m in pairs) / 12
    close(found["dispersion"], (11 * square + 1) / 12)
    entropy = -sum(
        m * math.log(m) + (1 - m) * math.log(1 - m) for m in pairs if 0 < m < 1
    )
    close(found["entropy"], entropy / 12)
    close(found["area_error"], spread([0.5, 0.7, 0.6]) / math.sqrt(3))
    assert (found["cophenetic"], found["never"]) == (0.9, 5.0)
    close(found["delta"], found["area"])
    for name in ("area", "area_literal", "area_pooled", "pac", "dispersion", "entropy"):
        assert np.isnan(curve.columns[name][1])


def test_the_error_of_one_repeat_that_did_not_fail_is_nothing():
    kept = counts()
    kept.shares[1:, 0] = np.nan
    close(
        list(consensus_distribution(kept, FACTS).columns["area_error"]), [0, math.nan]
    )


def test_looking_at_some_pairs_only_adds_to_the_error():
    pairs = [1.0] * 3 + [0.5] * 2 + [0.0] * 4 + [0.5] + [0.9] * 2
    one = counts(sampled=None)
    some = PairCounts(
        **{
            **{name: getattr(one, name) for name in one.__dataclass_fields__},
            "ks": (2,), "drawn": one.drawn[:1], "together": one.together[:1],
            "weight": one.weight[:1], "never": one.never[:1],
            "shares": one.shares[:, :1], "cophenetic": one.cophenetic[:1],
            "sampled": 12,
        }
    )  # fmt: skip
    facts = Facts(n=12, m=2, ks=(2,), asked=(2,), repeats=3)
    columns = consensus_distribution(some, facts).columns
    middle = sum(pairs) / 12
    sd = math.sqrt(sum((m - middle) ** 2 for m in pairs) / 12)
    close(columns["pairs_error"][0], sd / math.sqrt(12))
    plain = spread([0.5, 0.7, 0.6]) / math.sqrt(3)
    close(columns["area_error"][0], math.hypot(plain, sd / math.sqrt(12)))


@pytest.mark.parametrize(
    ("column", "better"),
    [
        ("pac", "low"),
        ("entropy", "low"),
        ("dispersion", "high"),
        ("cophenetic", "high"),
    ],
)
def test_another_column_may_be_the_one_to_read(column, better):
    curve = ConsensusColumn(column)(counts(), FACTS)
    assert (curve.main, curve.error, curve.better) == (column, None, better)
