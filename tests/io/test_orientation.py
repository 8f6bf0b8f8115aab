"""Tables that may lie on their side: a note says so, and what to do."""

import numpy as np
import pytest

import stablek
from stablek.errors import InputError
from stablek.io import read

RNG = np.random.default_rng(0)


def table(rows, columns):
    values = RNG.normal(size=(len(rows), len(columns)))
    lines = ["\t".join(["", *columns])]
    lines += [
        "\t".join([name, *map("{:.3f}".format, row)])
        for name, row in zip(rows, values, strict=True)
    ]
    return "\n".join(lines) + "\n"


def names(word, count):
    return [f"{word}{i}" for i in range(count)]


def doubt(notes):
    return [note for note in notes if note.startswith("warning: ")]


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        (names("gene", 40), names("sample", 12)),
        (names("gene", 40), names("A", 12)),
        (names("ENSG000001415", 40), names("A", 12)),
        (names("A", 40), names("patient_", 12)),
        (["height", *names("probe ", 39)], names("GSM10", 12)),
    ],
)
def test_names_of_genes_in_rows_or_of_samples_in_columns_are_doubted(
    put, rows, columns
):
    file = put(table(rows, columns))
    [note] = doubt(read(file).notes)
    assert note.startswith("warning: by their names, the columns of the file are items")
    assert note.endswith("use --transpose")
    assert not doubt(read(file, transpose=True).notes)


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        (names("sample", 40), names("gene", 12)),
        (names("A", 40), names("B", 12)),
        (names("cell", 40), names("cell", 12)),
        (names("gene", 40), names("gene", 12)),
        (names("A", 40), ["height", "weight", "sample_mass", "cell_count"]),
        ([*names("gene", 20), *names("A", 20)], names("B", 12)),
    ],
)
def test_other_names_tell_nothing(put, rows, columns):
    assert not doubt(read(put(table(rows, columns))).notes)


def test_a_table_turned_by_mistake_is_doubted_too(put):
    file = put(table(names("sample", 40), names("gene", 12)))
    [note] = doubt(read(file, transpose=True).notes)
    assert note.endswith("the rows of the file are items; to group these, leave out "
                         "--transpose")  # fmt: skip


def test_few_rows_and_many_columns_are_doubted(put):
    file = put(table(names("A", 4), names("B", 30)))
    [note] = doubt(read(file).notes)
    assert note == (
        "warning: 4 items and 30 columns; if your items are in columns, add --transpose"
    )
    tall = put(table(names("A", 30), names("B", 4)))
    [note] = doubt(read(tall, transpose=True).notes)
    assert note.endswith("if your items are in rows, leave out --transpose")
    assert not doubt(read(tall).notes)
    # New items for known clusters may come one by one.
    assert not doubt(read(file, fewest=1).notes)
    two = put(table(names("A", 2), names("B", 30)))
    with pytest.raises(InputError, match="if your items are in columns, add --transp"):
        read(two)


def test_a_verdict_on_few_rows_says_it_in_its_next_steps(put, capsys):
    from stablek.cli import guarded

    X = RNG.normal(size=(4, 30))
    first, last = stablek.verdict(X).next_steps
    assert first == (
        "If your items are the 30 columns, pass the table transposed (X.T)."
    )
    assert last == "Collect more items."
    assert stablek.verdict(X[:, :4]).next_steps == (last,)
    file = put(table(names("A", 4), names("B", 30)))
    assert guarded(["verdict", str(file)]) == 0
    said = capsys.readouterr()
    assert "the 30 columns, transpose the table (--transpose)" in " ".join(
        said.out.split()
    )
    assert "if your items are in columns, add --transpose" in said.err
