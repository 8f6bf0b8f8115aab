"""How the values of a thesis data set are prepared before anything is clustered.

The thesis says of time courses alone that they are standardised. Its similarity tables
tell the rest: see :mod:`stablek_bench.fingerprints`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from stablek.data import Dataset
from stablek.data.preparation import (
    most_variable,
    standardise_columns,
    standardise_rows,
    with_columns,
)

#: Golub et al.'s thresholds, and the two conditions a gene must meet.
FLOOR, CEILING = 100.0, 16_000.0
FOLD, RANGE = 5.0, 500.0
#: So many genes of largest variance make the thesis's Leukemia.
GENES = 100


def as_stored(data: Dataset) -> Dataset:
    """Return the data as they are in the file."""
    return data


def both(data: Dataset) -> Dataset:
    """Return the data with items, then columns standardised."""
    return standardise_columns(standardise_rows(data))


def columns_first(data: Dataset) -> Dataset:
    """Return the data with columns, then items standardised."""
    return standardise_rows(standardise_columns(data))


def items_by_median(data: Dataset) -> Dataset:
    """Return the data with median 0 and median absolute deviation 1 in every item."""
    values = np.asarray(data.values, dtype=np.float64)
    centred = values - np.median(values, axis=1, keepdims=True)
    spread = np.median(np.abs(centred), axis=1, keepdims=True)
    return data.with_values(centred / np.where(spread > 0, spread, 1.0), "by median")


def items_of_length_one(data: Dataset) -> Dataset:
    """Return the data with every item divided by its Euclidean length."""
    values = np.asarray(data.values, dtype=np.float64)
    length = np.linalg.norm(values, axis=1, keepdims=True)
    return data.with_values(values / np.where(length > 0, length, 1.0), "of length 1")


def logs(data: Dataset) -> Dataset:
    """Return log10 of the values between Golub et al.'s thresholds."""
    values = np.asarray(data.values, dtype=np.float64)
    return data.with_values(np.log10(np.clip(values, FLOOR, CEILING)), "log10")


def golub(data: Dataset) -> Dataset:
    """Return the hundred most variable genes of the leukaemia arrays, as log10.

    Values are cut to [100, 16000]; genes with max / min <= 5 or max - min <= 500 are
    left out; patients are not standardised.

    References
    ----------
    Golub et al. (1999), Science 286, 531-537. Dudoit, Fridlyand, Speed (2002), JASA 97,
    77-87, section 3.1. Handl, Knowles, Kell (2005), Bioinformatics 21, 3201-3212.
    """
    kept = _varying(data)
    return most_variable(kept, min(GENES, kept.m))


def golub_standardised(data: Dataset) -> Dataset:
    """Return the genes most variable once every patient is standardised."""
    kept = standardise_rows(_varying(data))
    return most_variable(kept, min(GENES, kept.m))


def _varying(data: Dataset) -> Dataset:
    """Return log10 of the genes that vary enough for Golub et al."""
    values = np.clip(np.asarray(data.values, dtype=np.float64), FLOOR, CEILING)
    low, high = values.min(axis=0), values.max(axis=0)
    varies = (high / low > FOLD) & (high - low > RANGE)
    return with_columns(logs(data), varies, "Golub et al.'s filter")


#: Name, and what it does to the values of a file.
PREPARATIONS: dict[str, Callable[[Dataset], Dataset]] = {
    "as stored": as_stored,
    "items standardised": standardise_rows,
    "columns standardised": standardise_columns,
    "items, then columns standardised": both,
    "columns, then items standardised": columns_first,
    "items by their median": items_by_median,
    "items of length one": items_of_length_one,
    "log10": logs,
}

#: Those that choose genes, for the file of all genes of Leukemia.
OF_ALL_GENES: dict[str, Callable[[Dataset], Dataset]] = {
    "log10, 100 genes of largest variance": golub,
    "log10, items standardised, 100 genes of largest variance": golub_standardised,
}


def named(name: str) -> Callable[[Dataset], Dataset]:
    """Return a preparation by its name."""
    return {**PREPARATIONS, **OF_ALL_GENES}[name]
