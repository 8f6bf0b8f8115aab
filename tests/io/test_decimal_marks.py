"""One number that can be read in one way only tells the decimal mark of its table."""

import gzip

import pytest

from stablek.errors import InputError
from stablek.io import read

ASKED = "a decimal point or a thousands separator"


def rows_of(first, later=(), delimiter="\t"):
    """Return a table of ids and two columns."""
    rows = [("id", "a", "b"), *((f"s{i}", *row) for i, row in enumerate(first))]
    rows += [(f"t{i}", *row) for i, row in enumerate(later)]
    return "".join(delimiter.join(row) + "\n" for row in rows)


DOUBTFUL = [("11.023", "4"), ("12", "3"), ("0", "8")]


@pytest.mark.parametrize("delimiter", ["\t", ",", ";"])
@pytest.mark.parametrize("sure", ["5.9445", "0.125", "12.5", "7.0", ".5", "1234.567"])
def test_a_decimal_point_in_another_column_settles_it(put, sure, delimiter):
    table = rows_of(DOUBTFUL, delimiter=delimiter)
    with pytest.raises(InputError, match=ASKED):
        read(put(table))
    data = read(put(rows_of(DOUBTFUL, [("3", sure)], delimiter)))
    assert data.values[0, 0] == 11.023
    assert data.values[-1, 1] == float(sure)


def test_a_table_of_log_counts_is_read(tmp_path):
    rows = [("5.9445", "0"), ("5.9681", "11.023"), ("0", "0")]
    file = tmp_path / "counts.tsv.gz"
    file.write_bytes(gzip.compress(rows_of(rows).encode()))
    assert read(file).values.tolist() == [[5.9445, 0], [5.9681, 11.023], [0, 0]]


@pytest.mark.parametrize(
    "options", [{"drop": "b"}, {"labels": "b"}, {"id_column": "b", "drop": "id"}]
)
def test_a_point_outside_the_data_settles_nothing(put, options):
    rows = [("11.023", "0.5"), ("12", "1.5"), ("0", "2.5")]
    with pytest.raises(InputError, match=ASKED):
        read(put(rows_of(rows)), **options)


@pytest.mark.parametrize("missing", ["nan", "NA", ""])
def test_a_missing_value_settles_nothing(put, missing):
    with pytest.raises(InputError, match=ASKED):
        read(put(rows_of([*DOUBTFUL, (missing, "3")])), missing="drop-rows")


def test_a_number_above_a_thousand_without_a_mark_clears_its_column(put):
    data = read(put(rows_of([*DOUBTFUL, ("1234", "3")])))
    assert data.values[0, 0] == 11.023


def test_whole_thousands_are_seen_beside_three_decimals(put):
    rows = [("1.000", "1.234"), ("2.000", "2.345"), ("3", "3.456")]
    with pytest.raises(InputError, match=ASKED):
        read(put(rows_of(rows)))


COMMAS = [("11,023", "4"), ("12", "3"), ("0", "8")]


@pytest.mark.parametrize("sure", ["5,94", "0,125", "1234,567"])
@pytest.mark.parametrize("between", [0, 300])
def test_a_decimal_comma_settles_it_however_far_down(put, sure, between):
    whole = [("7", "9")] * between
    with pytest.raises(InputError, match="'11,023' a decimal comma or a thousands"):
        read(put(rows_of([*COMMAS, *whole], delimiter=";")))
    data = read(put(rows_of([*COMMAS, *whole], [("3", sure)], ";")))
    assert data.values[0, 0] == 11.023
    assert data.values[-1, 1] == float(sure.replace(",", "."))
    assert any("decimal commas" in note for note in data.notes)


@pytest.mark.parametrize("sure", ["5.94", "1,234.5"])
@pytest.mark.parametrize("between", [0, 300])
def test_beside_decimal_points_commas_separate_thousands(put, sure, between):
    table = rows_of([*COMMAS, *[("7", "9")] * between], [("3", sure)], ";")
    with pytest.raises(InputError, match=r"'11,023' at line 2\. Remove the thous"):
        read(put(table))


@pytest.mark.parametrize(
    ("sure", "remedy"),
    [
        ("5,94", "It looks like decimal commas: --decimal ,"),
        ("5.94", "Remove the thousands separators"),
        ("5", "A thousands separator? Remove it. A decimal comma?"),
    ],
)
@pytest.mark.parametrize("between", [0, 300])
def test_between_tabs_the_remedy_is_the_one_that_fits(put, sure, remedy, between):
    table = rows_of([*COMMAS, *[("7,000", "9")] * between], [("3", sure)])
    with pytest.raises(InputError) as refused:
        read(put(table))
    assert remedy in str(refused.value)


def test_commas_alone_are_asked_about_between_tabs(put):
    text = "id\ta\nx\t1,234\ny\t2,345\nz\t3,456\n"
    with pytest.raises(InputError, match=r"no numeric .* A thousands separator\?"):
        read(put(text))


def test_both_marks_settle_nothing(put):
    table = rows_of([*COMMAS, ("5,94", "5.94")])
    with pytest.raises(InputError, match=r"A thousands separator\? .* --decimal ,"):
        read(put(table))


def test_points_are_decimal_in_a_gct_file(tmp_path):
    file = tmp_path / "x.gct"
    head = "#1.2\n3\t2\nName\tDescription\ts1\ts2\n"
    file.write_text(head + "g1\tna\t1.234\t1\ng2\tna\t3\t4\ng3\tna\t7\t2.345\n")
    assert read(file).values[0, 0] == 1.234
