"""The thesis's data sets, and the files or simulators that stand for them here."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from stablek.data import Dataset, from_arrays
from stablek.datasets.folder import available, load_folder
from stablek.datasets.simulated import SIMULATED
from stablek.errors import InputError, unknown_name
from stablek_bench.preparations import named


@dataclass(frozen=True)
class Source:
    """Where a data set of the thesis comes from.

    ``file`` is its name in the data folder, ``simulator`` the one used without it;
    ``preparation`` names what is done to its values (:mod:`.preparations`); ``close``
    says how near it is to the thesis's own: "identified" where its fingerprints
    (:mod:`.fingerprints`) leave no doubt, "near" for any other real set.
    """

    name: str
    gold: int
    file: str | None
    simulator: str | None = None
    close: str = "near"
    note: str = ""
    preparation: str = "as stored"


SOURCES: dict[str, Source] = {
    source.name: source
    for source in (
        Source("CNS Rat", 6, "cns_rat",
               note="time courses standardised, as chapter 5 says; the six-class "
               "partition is missing, so memberships are not scored",
               preparation="items standardised"),
        Source("Leukemia", 3, "leukemia_full", close="identified",
               preparation="log10, 100 genes of largest variance"),
        Source("NCI60", 8, "nci60",
               note="same cell lines, 200 genes chosen from another list"),
        Source("Lymphoma", 3, "lymphoma_80x50",
               note="same samples, 50 genes chosen with the labels instead of 100"),
        Source("Yeast", 5, "yeast", note="702 genes instead of 698; stored "
               "standardised"),
        Source("PBM", 18, None, "pbm-sized", "stand-in",
               "simulated, of PBM's size: for times only"),
        Source("Novartis", 4, "novartis", close="identified",
               preparation="items standardised"),
        Source("St.Jude", 6, "stjude", close="identified",
               preparation="items standardised"),
        Source("Normal", 13, None, close="absent", note="no copy was found"),
        Source("Gaussian3", 3, "gaussian3", "gaussian3",
               note="the file of Monti et al.; simulated without it"),
        Source("Gaussian5", 5, None, "gaussian5-3", "simulated",
               "lambda = 3, spread 0.5: the thesis gives no spread"),
        Source("Simulated6", 6, None, "simulated6", "simulated",
               "spreads and sharpness chosen: the thesis gives none"),
    )
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Loaded:
    """A data set ready to run; ``labels_are_gold`` where memberships may be scored.

    ``raw`` are the values before they were prepared.
    """

    source: Source
    data: Dataset
    gold: int
    labels_are_gold: bool
    digest: str
    raw: Dataset

    @property
    def classes(self) -> tuple[str, ...]:
        """The gold classes of the items."""
        return self.data.classes or ()

    def algorithm(self, word: str) -> str:
        """Return the word of an algorithm, without "+fold" if no value is negative.

        There is nothing to fold then: it would only add as many columns of zeros.
        """
        folds = bool((self.data.values < 0).any())
        return word if folds else word.replace("+fold", "")


def chosen(uses: Mapping[str, str] | None = None) -> dict[str, Source]:
    """Return the sources, with other files for some: ``{"CNS Rat": "cns_rat"}``."""
    found = dict(SOURCES)
    for name, file in (uses or {}).items():
        if name not in found:
            raise unknown_name("data set of the thesis", name, found)
        found[name] = replace(found[name], file=file, close="chosen", note=file,
                              preparation="as stored")  # fmt: skip
    return found


def load_source(source: Source, folder: str | None = None) -> Loaded | None:
    """Return the data set, or None where neither file nor simulator is at hand."""
    if source.file is not None and _present(source.file, folder):
        real = load_folder(source.file, folder)
        if not np.isfinite(real.values).all():
            raise InputError(
                f"{source.file} has missing values; use a complete file for "
                f"{source.name}"
            )
        raw = from_arrays(real.values, ids=real.ids, columns=real.columns,
                          classes=real.classes, name=real.name)  # fmt: skip
        data = named(source.preparation)(raw)
        trusted = bool(real.facts.get("labels_are_gold", True))
        return Loaded(source, data, real.k, trusted, digest_of(data), raw)
    if source.simulator is None:
        return None
    made = SIMULATED[source.simulator](0)
    classes = tuple(str(label) for label in made.labels)
    data = from_arrays(made.values, classes=classes, name=made.name)
    return Loaded(
        source, data, made.k, labels_are_gold=True, digest=digest_of(data), raw=data
    )


def _present(file: str, folder: str | None) -> bool:
    try:
        return file in available(folder)
    except InputError:
        # Without a folder the simulated sets remain; a folder that is named but not
        # there is a mistake to tell.
        if folder is not None:
            raise
        return False


def digest_of(data: Dataset) -> str:
    """Return a short digest of the values: other values are another data set."""
    values = np.ascontiguousarray(data.values, dtype=np.float64)
    shape = f"{data.n}x{data.m}".encode()
    return hashlib.sha256(shape + values.tobytes()).hexdigest()[:16]
