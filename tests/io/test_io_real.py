"""Every file of the real data reads, quickly, or is refused for its gaps."""

import pytest

from stablek.errors import InputError
from stablek.io import read

SIZES = {
    "cns_rat": (112, 17),
    "cns_rat_std": (112, 17),
    "gaussian3": (60, 600),
    "leukemia": (38, 100),
    "leukemia_full": (38, 7129),
    "lymphoma62": (62, 100),
    "lymphoma62_full": (62, 4026),
    "lymphoma_80x50": (80, 50),
    "nci60": (57, 200),
    "nci60_full": (57, 6830),
    "novartis": (103, 1000),
    "stjude": (248, 985),
    "uniform1": (60, 600),
    "yeast": (702, 72),
}


@pytest.mark.real
@pytest.mark.parametrize("name", SIZES)
def test_real_data_is_read_with_its_labels(real_data, name):
    data = read(
        real_data / f"{name}.tsv.gz", labels_file=real_data / f"{name}.labels.tsv"
    )
    assert data.values.shape == SIZES[name]
    assert len(data.ids) == len(data.classes) == data.n
    assert data.name == name


@pytest.mark.real
def test_yeast_with_gaps_is_refused_and_filled(real_data):
    path = real_data / "yeast800_full.tsv.gz"
    with pytest.raises(InputError, match="2,510 missing values in 716 of 800 rows"):
        read(path)
    assert read(path, missing="row-mean").values.shape == (800, 73)


@pytest.mark.real
def test_every_table_of_the_real_data_is_listed_here(real_data):
    found = {path.name.removesuffix(".tsv.gz") for path in real_data.glob("*.tsv.gz")}
    assert found - {"yeast800_full"} == set(SIZES)
