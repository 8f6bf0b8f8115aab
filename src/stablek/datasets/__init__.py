"""Data sets: simulated ones with their truth, and loaders of real ones.

Everything is array-only and seeded; see ``simulated`` for the sets of the thesis,
``nulls`` and ``mixtures`` for the sets on which rules are chosen, ``folder`` and
``packaged`` for real data, ``listing`` for the list of all.
"""

from stablek.datasets.folder import Labelled, available, data_folder, load_folder
from stablek.datasets.listing import Entry, catalogue, load
from stablek.datasets.mixtures import MIXTURES, mixture
from stablek.datasets.nulls import FAMILY, NULLS, OUTSIDE, null_set
from stablek.datasets.packaged import PACKAGED, load_packaged
from stablek.datasets.simulated import (
    SIMULATED,
    Simulated,
    demo,
    gaussian3,
    gaussian5,
    pbm_sized,
    simulated6,
)

__all__ = [
    "FAMILY",
    "MIXTURES",
    "NULLS",
    "OUTSIDE",
    "PACKAGED",
    "SIMULATED",
    "Entry",
    "Labelled",
    "Simulated",
    "available",
    "catalogue",
    "data_folder",
    "demo",
    "gaussian3",
    "gaussian5",
    "load",
    "load_folder",
    "load_packaged",
    "mixture",
    "null_set",
    "pbm_sized",
    "simulated6",
]
