"""What data there is: every set by name, whether it is here, and how to get it."""

import os
from dataclasses import dataclass
from typing import Literal

from stablek.datasets.folder import Labelled, available, data_folder, gold, load_folder
from stablek.datasets.packaged import PACKAGED, load_packaged
from stablek.datasets.simulated import SIMULATED, Simulated
from stablek.errors import InputError, unknown_name


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of ``stablek datasets``; n, m and k are None where not known."""

    name: str
    kind: Literal["simulated", "packaged", "folder"]
    n: int | None
    m: int | None
    k: int | None
    present: bool
    how: str


# The real sets of chapter 5 and where the project's own copies come from.
_ELSEWHERE = (
    ("cns_rat", 112, 17, 6, "R package tourr, 'ratcns'"),
    ("leukemia", 38, 100, 3, "see 'all-aml'; R packages diceR, NMF ('esGolub')"),
    ("lymphoma", 80, 100, 3, "R packages PPforest (80 x 50) and spls (62 x 4026)"),
    ("nci60", 57, 200, 8, "see 'nci60-6830'; keep the 200 genes of largest variance"),
    ("normal", 90, 1277, 13, "no public copy is known"),
    ("novartis", 103, 1000, 4, "R package catnet, 'novartis'"),
    ("pbm", 2329, 139, 18, "no public copy is known; 'pbm-sized' is as large"),
    ("stjude", 248, 985, 6, "R package conclus, 'stjude'"),
    ("yeast", 698, 72, 5, "Bioconductor package yeastCC; R package kohonen"),
)


def catalogue(folder: str | os.PathLike[str] | None = None) -> list[Entry]:
    """Return every known set: simulated, packaged, in the folder, and still to get."""
    rows = []
    for name, make in SIMULATED.items():
        made = make(0)
        n, m = made.values.shape
        rows.append(
            Entry(name, "simulated", n, m, made.k, present=True, how="built in")
        )
    for name, pack in PACKAGED.items():
        how = pack.summary if pack.present else pack.install
        rows.append(Entry(name, "packaged", pack.n, pack.m, pack.k, pack.present, how))
    here: list[str] = []
    if _has_folder(folder):
        path = data_folder(folder)
        here, known = available(path), gold(path)
        rows += [_in_folder(name, known.get(name, {})) for name in here]
    for name, n, m, k, how in _ELSEWHERE:
        if not any(other.startswith(name) for other in here):
            rows.append(Entry(name, "folder", n, m, k, present=False, how=how))
    return rows


def _has_folder(folder: str | os.PathLike[str] | None) -> bool:
    """Tell whether a folder was given at all."""
    return folder is not None or bool(os.environ.get("STABLEK_DATA"))


def _in_folder(name: str, row: dict[str, str]) -> Entry:
    """Return the line of a set in the folder, from its row of ``gold.tsv``."""
    n, m, k = (int(row[c]) if c in row else None for c in ("n", "m", "gold_k"))
    return Entry(name, "folder", n, m, k, present=True, how="in the data folder")


def load(
    name: str, seed: int = 0, folder: str | os.PathLike[str] | None = None
) -> Simulated | Labelled:
    """Return a set by name: from the folder if it is there, packaged, or simulated.

    The folder comes first, so that ``gaussian3`` is the real file where there is one.
    """
    names = available(folder) if _has_folder(folder) else []
    if name in names:
        return load_folder(name, folder)
    if name in PACKAGED:
        return load_packaged(name)
    if name in SIMULATED:
        return SIMULATED[name](seed)
    for missing, *_, how in _ELSEWHERE:
        if name == missing:
            raise InputError(
                f"'{name}' is not here; give a folder that has it with --data DIR or "
                f"STABLEK_DATA. Source: {how}"
            )
    raise unknown_name("data set", name, [*names, *PACKAGED, *SIMULATED])
