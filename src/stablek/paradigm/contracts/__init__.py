"""What an ingredient must offer: the seams between the steps of the paradigm.

Users bring any object that fits; ``stablek.testing.check_*`` tells whether it does.
Ingredients are frozen dataclasses or top-level functions, so that they pickle.
"""

from stablek.paradigm.contracts.curves import (
    Column,
    Curve,
    Decision,
    Facts,
    NullCurves,
    Rule,
    Statistic,
    StopRule,
    Synopsis,
)
from stablek.paradigm.contracts.partitions import (
    Assign,
    Classifier,
    Clusterer,
    Describer,
    Description,
    DrawLabeller,
    Edge,
    NullModel,
    Parts,
    Perturbation,
    Refiner,
    Split,
)

__all__ = [
    "Assign",
    "Classifier",
    "Clusterer",
    "Column",
    "Curve",
    "Decision",
    "Describer",
    "Description",
    "DrawLabeller",
    "Edge",
    "Facts",
    "NullCurves",
    "NullModel",
    "Parts",
    "Perturbation",
    "Refiner",
    "Rule",
    "Split",
    "Statistic",
    "StopRule",
    "Synopsis",
]
