"""The rule for settings that are no ks, on hand-made curves."""

import numpy as np
import pytest

from stablek.paradigm.contracts import Curve, Facts
from stablek.paradigm.significance.settings import LastAsGood

NAN = float("nan")


def decide(agreement, errors, rule=None):
    ks = tuple(range(2, 2 + len(agreement)))
    columns = {
        "agreement": np.array(agreement, float),
        "agreement_error": np.array(errors, float),
        "clusters": np.array([2.0, 3.0, 5.5, 9.0])[: len(ks)],
    }
    curve = Curve(ks, columns, "agreement", "agreement_error")
    facts = Facts(n=50, m=2, ks=ks, asked=ks)
    return (rule or LastAsGood())(curve, None, facts)


def test_the_rule_goes_to_the_fine_side_within_the_error_and_no_further():
    decision = decide([0.80, 0.90, 0.88, 0.80], [0.01, 0.03, 0.01, 0.01])
    assert decision.k_star == 4
    assert decision.candidates == (3, 4)
    assert decision.rule == (
        "the last setting whose agreement is within 1 standard error(s) of the best"
    )
    assert decision.reason == (
        "agreement 0.880, best 0.900; 5.5 clusters in the median subsample"
    )


def test_the_error_is_that_of_the_best_and_its_end_counts():
    # At the end of one error, up to a rounding.
    assert decide([0.9, 0.7, 0.9 - 0.1], [0.1, 0.9, 0.0]).candidates == (2, 4)
    assert decide([0.9, 0.7, 0.79], [0.1, 0.9, 0.9]).candidates == (2,)


def test_more_errors_reach_further():
    given = [0.9, 0.85, 0.75, 0.3], [0.08, 0.0, 0.0, 0.0]
    assert decide(*given).k_star == 3
    assert decide(*given, LastAsGood(2.0)).k_star == 4
    assert "within 2 standard" in decide(*given, LastAsGood(2.0)).rule


@pytest.mark.parametrize("agreement", [[0.0, -0.1], [NAN, NAN], [-0.2, NAN]])
def test_settings_that_nothing_reproduces_are_no_answer(agreement):
    decision = decide(agreement, [0.5, 0.5])
    assert (decision.k_star, decision.candidates) == (1, (1,))
    assert "no setting gives clusters" in decision.reason


def test_a_setting_that_failed_is_passed_over():
    assert decide([NAN, 0.01, NAN], [NAN, 0.0, NAN]).candidates == (3,)
