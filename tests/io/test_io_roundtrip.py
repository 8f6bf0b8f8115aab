"""What was written is read back, bit for bit; or it is refused."""

import csv
import io
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from stablek.errors import InputError
from stablek.io import read

SETTINGS = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)

numbers = st.floats(min_value=-1e149, max_value=1e149, allow_nan=False)


def fine(values):
    """Tell whether the differences are not so small that their squares vanish."""
    spread = np.ptp(values, axis=0).max()
    return spread == 0 or spread >= 1e-130


matrices = (
    st.tuples(st.integers(3, 8), st.integers(1, 5))
    .flatmap(lambda shape: arrays(np.float64, shape, elements=numbers))
    .filter(lambda values: fine(values) and fine(values.T))
)
# No surrogates, which UTF-8 cannot write; no control characters, many of which make a
# file look binary, and of which CR becomes LF; no blanks at the ends.
names = st.text(
    st.characters(exclude_categories=("Cs", "Cc"), include_characters="\n\t"),
    min_size=1,
    max_size=12,
).map(lambda text: f"i{text}i")


def varied(values):
    """Return the columns that vary, as the reader keeps them."""
    keep = (values != values[:1]).any(axis=0)
    return values[:, keep] if keep.any() else values


def bits(values):
    return np.ascontiguousarray(values).view(np.uint64)


@SETTINGS
@given(values=matrices, data=st.data(), delimiter=st.sampled_from(",;\t"))
def test_tables_of_the_csv_module_come_back(tmp_path, values, data, delimiter):
    n, m = values.shape
    ids = data.draw(st.lists(names, min_size=n, max_size=n, unique=True))
    columns = data.draw(st.lists(names, min_size=m, max_size=m, unique=True))
    path = tmp_path / "data.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, delimiter=delimiter, quoting=csv.QUOTE_ALL)
        writer.writerow(["id", *columns])
        for name, row in zip(ids, values.tolist(), strict=True):
            writer.writerow([name, *map(repr, row)])
    found = read(path, delimiter=delimiter)
    assert found.ids == tuple(ids)
    assert np.array_equal(bits(found.values), bits(varied(values)))


@SETTINGS
@given(values=matrices)
@pytest.mark.parametrize("separator", [",", ";", "\t", " "])
def test_tables_of_pandas_come_back(tmp_path, separator, values):
    frame = pd.DataFrame(values, index=[f"s {i}" for i in range(len(values))])
    frame.columns = [f"c{j}" for j in range(values.shape[1])]
    path = tmp_path / "data.txt"
    frame.to_csv(path, sep=separator)
    found = read(path)
    assert found.ids == tuple(frame.index)
    assert np.array_equal(bits(found.values), bits(varied(values)))


@SETTINGS
@given(values=matrices)
def test_decimal_commas_come_back(tmp_path, values):
    frame = pd.DataFrame(values, index=[f"s{i}" for i in range(len(values))])
    frame.columns = [f"c{j}" for j in range(values.shape[1])]
    path = tmp_path / "data.csv"
    frame.to_csv(path, sep=";", decimal=",")
    found = read(path, decimal=",")
    assert np.array_equal(bits(found.values), bits(varied(values)))


@SETTINGS
@given(values=matrices)
def test_a_table_read_transposed_is_the_transposed_table(tmp_path, values):
    frame = pd.DataFrame(values.T, index=[f"g{i}" for i in range(values.shape[1])])
    frame.columns = [f"s{j}" for j in range(len(values))]
    path = tmp_path / "data.tsv"
    frame.to_csv(path, sep="\t")
    found = read(path, transpose=True)
    assert found.ids == tuple(frame.columns)
    assert np.array_equal(bits(found.values), bits(varied(values)))


@SETTINGS
@given(exponent=st.integers(-330, 320), mantissa=st.integers(1, 2**53))
def test_every_exponent_is_read_as_python_reads_it_or_refused(
    tmp_path, exponent, mantissa
):
    text = f"{mantissa}e{exponent}"
    path = tmp_path / "data.csv"
    path.write_text(f"id,a\nx,{text}\ny,1\nz,2\n", encoding="ascii")
    value = float(text)
    if not math.isfinite(value) or value > 1e150:
        with pytest.raises(InputError):
            read(path)
    else:
        assert read(path).values[0, 0] == value


fields = st.sampled_from(
    [
        "1",
        "2.5",
        "-3e2",
        "",
        "NA",
        "x",
        '"',
        '""',
        '"a',
        "1,5",
        "inf",
        " 7 ",
        "0x1",
        "é",
    ]
)
ends = st.sampled_from(["\n", "\r\n", "\n\n"])


@SETTINGS
@given(
    rows=st.lists(st.lists(fields, min_size=2, max_size=4), min_size=1, max_size=6),
    end=ends,
    delimiter=st.sampled_from([",", ";", "\t"]),
)
def test_whatever_is_read_from_a_wild_table_is_what_the_file_says(
    tmp_path, rows, end, delimiter
):
    text = end.join(delimiter.join(["r" + str(i), *row]) for i, row in enumerate(rows))
    text = delimiter.join(["id", *(f"c{j}" for j in range(len(rows[0])))]) + end + text
    path = tmp_path / "wild.csv"
    path.write_text(text + end, encoding="utf-8", newline="")
    try:
        found = read(path, delimiter=delimiter, decimal=".")
    except InputError:
        return
    parsed = list(csv.reader(io.StringIO(text), delimiter=delimiter))
    told = [row for row in parsed[1:] if row]
    wanted = np.array([[float(f) for f in row[1:]] for row in told])
    assert found.ids == tuple(row[0] for row in told)
    assert np.array_equal(found.values, varied(wanted))
