"""Compare the readers with pandas on made tables, of which everything is known.

``python tests/io/differential.py --tables 20000`` prints every disagreement. A table
counts as misread if it is read without a word and is not what was written. To refuse is
always allowed where the reader is told nothing; told how the table is written, it must
read what pandas reads.
"""

import argparse
import io
import re
import sys
import tempfile
import warnings
from collections import Counter
from contextlib import closing
from pathlib import Path

import numpy as np
import pandas as pd
from made_tables import MISSING, Made, made_table

from stablek.errors import InputError
from stablek.io import reader_of
from stablek.io.readers.detect import is_number
from stablek.io.readers.source import locate
from stablek.io.readers.table import Options

#: Why a table is refused although the reader was told how it is written; each stands
#: in docs/reading.md with its reason.
REASONS = {
    "thousands": "thousands marks",
    "looks cut off": "the last field of a file without a last line end",
}


#: What may become of a table beside being read rightly or asked about.
EXPLAINED = {
    "numbers under a name that is no id's are data",
    "three decimals everywhere are decimals",
    "refused: thousands marks",
    "refused: commas as delimiter and decimal mark",
    *(f"refused: {reason}" for reason in REASONS.values()),
}


def told(made: Made) -> dict[str, object]:
    """Return the options that say how a table is written."""
    found: dict[str, object] = {
        "delimiter": made.delimiter,
        "decimal": made.decimal,
        "encoding": made.encoding,
        "header": made.names is not None,
        "id_column": "1" if made.ids is not None else False,
    }
    if made.r_header:
        found["id_column"] = True
    return found


def ours(file: Path, **options: object):
    """Return the table that the reader makes of a file."""
    with closing(locate(file, 2**30)) as source:
        return reader_of(source)(source, Options(**options))


def of_pandas(made: Made) -> pd.DataFrame:
    """Return what pandas makes of a table, told how it is written."""
    width = len(made.truth[0])
    index = [0] if made.ids is not None else []
    lines = made.text().replace(made.end, "\n")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        frame = pd.read_csv(
            io.StringIO(lines),
            sep=r"\s+" if made.delimiter == " " else made.delimiter,
            float_precision="round_trip",
            decimal=made.decimal,
            header=None,
            skiprows=0 if made.names is None else 1,
            skipinitialspace=True,
            dtype=dict.fromkeys(index, str) or None,
            na_values={j: ["NA"] for j in range(len(index), width + len(index))},
            keep_default_na=True,
            usecols=range(width + len(index)),
        )
    return frame.iloc[:, len(index) :]


def as_numbers(column: pd.Series, decimal: str) -> pd.Series:
    """Return a column as numbers; pandas keeps blanks beside a number as text."""
    if column.dtype == object:
        column = column.str.strip().str.replace(decimal, ".")
        column = column.replace(dict.fromkeys(MISSING, "nan"))
    return column.astype(float)


def equal(found, wanted) -> bool:
    """Tell whether two tables of numbers are the same, missing ones included."""
    found, wanted = np.asarray(found, float), np.asarray(wanted, float)
    return found.shape == wanted.shape and np.array_equal(found, wanted, equal_nan=True)


def problem(made: Made, table) -> str:
    """Return how a table that was read differs from what was written."""
    width = len(made.truth[0])
    values = table.values
    if not equal(values, made.truth):
        return f"numbers: {values.tolist()}"
    ids = None if made.ids is None else tuple(i.strip() for i in made.ids)
    if ids is not None and table.ids != ids:
        return f"ids: {table.ids}"
    names = None if made.names is None else tuple(n.strip() for n in made.names)
    if names is not None and table.columns != names and len(table.columns) == width:
        return f"names: {table.columns}"
    return ""


def three_decimals(made: Made, values) -> bool:
    """Tell whether a column differs by its thousands points only, all of them alike."""
    truth = np.asarray(made.truth, float)
    if values.shape != truth.shape:
        return False
    same = np.isclose(values, truth, rtol=1e-12, atol=0, equal_nan=True)
    pointed = np.isclose(values * 1000, truth, rtol=1e-12, atol=0, equal_nan=True)
    return bool((same.all(axis=0) | pointed.all(axis=0)).all())


def compare(seed: int, folder: Path) -> tuple[str, str]:
    """Return what became of the table of a seed, and the words that go with it."""
    made = made_table(seed)
    file = folder / "x.csv"
    file.write_bytes(made.bytes())
    asked = ""
    try:
        wrong = problem(made, ours(file))
        outcome = "misread" if wrong else "read"
    except InputError as error:
        outcome, asked = "asked", str(error)
    if outcome == "misread":
        if made.ids is not None and all(map(is_number, made.ids)):
            return "numbers under a name that is no id's are data", wrong
        if "thousands" in made.traits and three_decimals(made, ours(file).values):
            return "three decimals everywhere are decimals", wrong
        return outcome, wrong
    try:
        wrong = problem(made, ours(file, **told(made)))
        if wrong:
            return "misread when told", wrong
    except InputError as error:
        return refused_when_told(made, str(error))
    if "thousands" not in made.traits:
        try:
            frame = of_pandas(made).apply(as_numbers, decimal=made.decimal)
        except (ValueError, pd.errors.ParserError) as error:
            return "pandas fails", str(error)
        if not equal(frame.to_numpy(float), made.truth):
            return "pandas differs", str(frame.to_numpy().tolist())
    return outcome, asked


def refused_when_told(made: Made, words: str) -> tuple[str, str]:
    """Return whether a refusal of a table that was explained has a known reason."""
    if made.delimiter == made.decimal == ",":
        return "refused: commas as delimiter and decimal mark", words
    if "thousands" in made.traits:
        return "refused: thousands marks", words
    for part, reason in REASONS.items():
        if part in words:
            return f"refused: {reason}", words
    return "refused when told", words


def main() -> int:
    """Compare, print the disagreements and the counts; 1 if anything was misread."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=5, help="examples of each outcome")
    given = parser.parse_args()
    counts: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(given.seed, given.seed + given.tables):
            outcome, words = compare(seed, Path(folder))
            counts[outcome] += 1
            if outcome == "asked":
                asked[re.sub(r"[\d']+.*|/tmp\S*", "", words)[:60]] += 1
            if outcome not in ("read", "asked") and counts[outcome] <= given.show:
                text = made_table(seed).text()
                print(f"--- {seed} {outcome}: {words}\n{text!r}")
    for outcome, count in counts.most_common():
        print(f"{count:8,}  {outcome}")
    print("asked:")
    for words, count in asked.most_common():
        print(f"{count:8,}    {words}")
    return 1 if set(counts) - EXPLAINED - {"read", "asked"} else 0


if __name__ == "__main__":
    sys.exit(main())
