"""What explain says of the cost of a measure."""

from types import SimpleNamespace

from stablek.cli.explain import cost
from stablek.measures import measure


def test_a_measure_that_stops_by_another_rule_has_several_repeats():
    made = measure("fc").with_(stop=SimpleNamespace())
    assert cost(made).startswith("several repeats; each clusters one sample")
