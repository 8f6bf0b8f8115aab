"""Tell whether the first column of a table names its items.

Text does. Numbers do where the name of the column says so for certain; where it may as
well be a count or a measurement, the table is refused with both readings.
"""

import re
from collections.abc import Sequence

from stablek.errors import InputError
from stablek.io.readers.detect import is_like_number, is_missing, is_number
from stablek.io.readers.table import shown

#: What is called an id, and nothing else: an index without a name is one, too.
SURE = (
    r"|unnamed: 0|__index_level_0__|ids?|(?:.*[ _.])?id|barcodes?|row\.?names?"
    r"|row_names?"
)

#: What names one item. A table may also hold measurements of these names.
ONE = (
    r"sample|gene|name|probe|cell|item|feature|patient|subject|participant|donor"
    r"|specimen|symbols?|orf|(?:gene|sample|probe|cell)[ _.]?(?:names?|symbols?)"
)

#: What may as well be a count ("genes": how many) or a measurement ("index").
SEVERAL = (
    r"samples|genes|names|probes|cells|items|features|patients|subjects|participants"
    r"|donors|specimens|index"
)

ID_NAME = re.compile(rf"#?(?:{SURE}|{ONE}|{SEVERAL})", re.IGNORECASE)
SURE_NAME = re.compile(rf"#?(?:{SURE})", re.IGNORECASE)
ONE_NAME = re.compile(rf"#?(?:{ONE})", re.IGNORECASE)


def first_column_is_id(
    name: str | None, values: Sequence[tuple[int, str]], label: str
) -> bool:
    """Tell whether the first column names the items.

    It does if it is called so, or if none of its values (given with their lines) is a
    number. A mixture is refused: it may be ids, or a mistake in a column of numbers.
    """
    if name is not None and SURE_NAME.fullmatch(name.strip()):
        return True
    known = [(line, v) for line, v in values if not is_missing(v)]
    texts = [(i, v) for i, v in known if not is_number(v) and not is_like_number(v)]
    called = name is not None and ID_NAME.fullmatch(name.strip()) is not None
    if texts and (called or len(texts) == len(known)):
        return True
    if not texts:
        numbers = [v.strip() for _, v in known]
        return called and numbers_are_ids(str(name).strip(), numbers, label)
    line, text = texts[0]
    what = "the first column" if name is None else f"column {shown(name)}"
    wanted = "1" if name is None else name
    raise InputError(
        f"{what} of {label} mixes numbers and text ({shown(text)} at line {line}): if "
        f"it holds ids, use --id-column {wanted}; if not, correct it"
    )


def numbers_are_ids(name: str, values: Sequence[str], label: str) -> bool:
    """Tell whether numbers under the name of an id column are ids; refuse a doubt.

    They are if they count the rows, or if the name is that of one item ("gene", not
    "genes") and they are different whole numbers.
    """
    if not values or counts_rows(values):
        return True
    whole = all(re.fullmatch(r"\d+", v) for v in values)
    if ONE_NAME.fullmatch(name) and whole and len(set(values)) == len(values):
        return True
    raise InputError(
        f"column {shown(name)} of {label} holds numbers, such as {shown(values[0])}: "
        f"are they ids or data? If ids, use --id-column {name}; if data, use "
        "--id-column none"
    )


def counts_rows(values: Sequence[str]) -> bool:
    """Tell whether values count on by one, from wherever they begin.

    Examples
    --------
    >>> counts_rows(["7", "8", "9"]), counts_rows(["7", "8", "8"]), counts_rows(["1.5"])
    (True, False, False)
    """
    if not all(re.fullmatch(r"\d{1,15}", v) for v in values):
        return False
    start = int(values[0])
    return all(int(v) == start + i for i, v in enumerate(values))
