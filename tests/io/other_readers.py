"""The numbers of a file as other libraries read them, to notice a misread.

What stablek reads leaves out columns (ids, labels, constant ones) and rows (titles,
names), and never puts a number elsewhere: it must be found in the other reading, in the
same order, row by row.
"""

import gzip
import re
from itertools import chain

import h5py
import numpy as np
import openpyxl
import pyarrow.parquet
import scipy.io


def words_of(path, options):
    """Return the words of a text file, whatever delimits them."""
    raw = path.read_bytes()
    raw = gzip.decompress(raw) if raw.startswith(b"\x1f\x8b") else raw
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = raw.decode("utf-16")
    else:
        try:
            text = raw.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = raw.decode("latin-1")
    comma = options.get("decimal") == ","
    delimiters = r"[;|\s\"']+" if comma else r"[,;|\s\"']+"
    text = text.replace("\N{MINUS SIGN}", "-")
    words = re.split(delimiters, text)
    return [word.replace(",", ".") for word in words] if comma else words


def cells_of(path, options):
    """Return the cells of the first sheet that is not hidden."""
    del options
    book = openpyxl.load_workbook(path, data_only=True)
    (sheet, *_) = [one for one in book.worksheets if one.sheet_state == "visible"]
    return chain(*sheet.values)


def table_of(path, options):
    """Return the cells of a Parquet file."""
    del options
    columns = pyarrow.parquet.read_table(path, use_threads=False).columns
    return chain(*zip(*(column.to_pylist() for column in columns), strict=True))


def matrix_of(path, options):
    """Return the entries of a MatrixMarket file."""
    del options
    found = scipy.io.mmread(path)
    return np.asarray(found if isinstance(found, np.ndarray) else found.todense()).flat


def hdf5_of(path, options):
    """Return the entries of a dense X."""
    del options
    with h5py.File(path) as file:
        return np.asarray(file["X"][()]).flat


#: How each kind of file is read otherwise.
OTHERS = {
    "csv": words_of,
    "tsv.gz": words_of,
    "gct": words_of,
    "npy": lambda path, _: np.load(path).flat,
    "npz": lambda path, _: np.load(path)["X"].flat,
    "member": lambda path, _: np.load(path)["X"].flat,
    "mtx": matrix_of,
    "parquet": table_of,
    "xlsx": cells_of,
    "sheet": cells_of,
    "h5ad": hdf5_of,
}


def misread(kind, path, options, values):
    """Return the first number that the other reading does not have in its place.

    None if there is none, or if the other library cannot read the file.
    """
    if kind not in OTHERS or options.keys() & {"missing", "precomputed"}:
        return None
    try:
        others = list(OTHERS[kind](path, options))
    except Exception:
        return None
    # The rest of an iterator: each number is looked for behind the one before it.
    rest = iter(others)
    wanted = values.T if options.get("transpose") else values
    for number in wanted.flat:
        if not any(number == _number(other) for other in rest):
            return number
    return None


def _number(other):
    """Return a cell as a number, NaN if it is none."""
    try:
        return float(other)
    except (TypeError, ValueError, OverflowError):
        return np.nan
