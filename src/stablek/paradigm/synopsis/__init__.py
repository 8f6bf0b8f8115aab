"""Synopsis: from a statistic to a curve over k.

A synopsis is a top-level function ``(collected, facts) -> Curve`` marked with what it
takes ("scores" or "pairs"), so that a mismatch is found before anything runs.
"""

from stablek.paradigm.synopsis.consensus import (
    ConsensusColumn,
    consensus_distribution,
    delta,
    delta_shifted,
)
from stablek.paradigm.synopsis.scores import (
    NamedColumns,
    agreement_distribution,
    figure_of_merit,
    log_within,
    loss_by_chance,
    mean_loss,
    mean_value,
    median_value,
    takes,
    within,
)

__all__ = [
    "ConsensusColumn",
    "NamedColumns",
    "agreement_distribution",
    "consensus_distribution",
    "delta",
    "delta_shifted",
    "figure_of_merit",
    "log_within",
    "loss_by_chance",
    "mean_loss",
    "mean_value",
    "median_value",
    "takes",
    "within",
]
