"""Tables of which everything is known, written in every way that people write them."""

import gzip
import math
import random
from dataclasses import dataclass, field

DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", " ": "space", "|": "pipe"}
MISSING = ("NA", "", "NaN", "nan", "null", "N/A", "None", "#N/A")
ID_NAMES = (
    "id", "", "sample", "gene", "genes", "index", "patient_id", "features", "ID",
    "case", "Probe Set", "name", "patient", "samples", "Unnamed: 0", "row.names",
)  # fmt: skip
NAMES = (
    "a", "b", "CD33", "x1", "Na", "2001", "glucose level", "T.cell", "β", "NA", "q,r",
    "p;q", "é", "id2", "class", "1-Sep", "log2(x)", "A|B", '5" gun', "x", "y", "z",
)  # fmt: skip
TEXT_IDS = ("s", "AML_", "p ", "TCGA-", "gène", "x,", "y;", "1-Sep-", "NA", "a|", "'")


@dataclass
class Made:
    """A table and how it was written; ``cells`` are the numbers as text."""

    cells: list[list[str]]
    truth: list[list[float]]
    ids: list[str] | None
    id_name: str
    names: list[str] | None
    delimiter: str
    decimal: str = "."
    r_header: bool = False
    quotes: str = "minimal"
    encoding: str = "utf-8"
    end: str = "\n"
    last_end: bool = True
    trailing: bool = False
    blanks: bool = False
    padded: bool = False
    packed: bool = False
    traits: set[str] = field(default_factory=set)

    def text(self) -> str:
        """Return the table as text."""
        lines = []
        if self.names is not None:
            ids = [] if self.ids is None or self.r_header else [self.id_name]
            lines.append(self.line([*ids, *self.names], numbers=False))
        for row, cells in enumerate(self.cells):
            ids = [] if self.ids is None else [self.ids[row]]
            lines.append(self.line([*ids, *cells], numbers=True, after=len(ids)))
            if self.blanks and row == 1:
                lines.append("")
        return self.end.join(lines) + (self.end if self.last_end else "")

    def line(self, fields: list[str], *, numbers: bool, after: int = 0) -> str:
        """Return the fields as one line, quoted as is the manner of the table."""
        done = []
        for place, text in enumerate(fields):
            number = numbers and place >= after
            must = any(c in text for c in (self.delimiter, '"', "\n"))
            must |= self.delimiter == " " and (not text or "\t" in text)
            wish = self.quotes == "all" or (self.quotes == "text" and not number)
            quoted = '"' + text.replace('"', '""') + '"'
            done.append(quoted if must or wish else text)
        pad = " " if self.padded else ""
        line = (pad + self.delimiter + pad).join(done)
        return line + (self.delimiter if self.trailing else "")

    def bytes(self) -> bytes:
        """Return the table as a file holds it."""
        raw = self.text().encode(self.encoding)
        return gzip.compress(raw, mtime=0) if self.packed else raw


def number(rng: random.Random, kind: str) -> str:
    """Return a number as text, with a decimal point if any."""
    sign = "-" if rng.random() < 0.25 and kind != "count" else ""
    if kind == "count":
        return str(rng.randrange(0, 5000))
    if kind == "whole":
        return sign + str(rng.randrange(0, 10 ** rng.randrange(1, 7)))
    if kind == "three":
        return f"{sign}{rng.randrange(1, 999)}.{rng.randrange(1000):03d}"
    if kind == "short":
        return f"{sign}{rng.randrange(0, 99)}.{rng.randrange(10)}"
    if kind == "exact":
        return repr(rng.gauss(0, 10.0 ** rng.randrange(-3, 4)))
    return f"{sign}{rng.randrange(1, 9)}.{rng.randrange(99)}e{rng.randrange(-9, 9)}"


KINDS = ("count", "whole", "three", "short", "exact", "power")


def grouped(text: str, mark: str) -> str:
    """Return a number with a mark between its thousands."""
    whole, point, rest = text.partition(".")
    sign, digits = ("-", whole[1:]) if whole.startswith("-") else ("", whole)
    if "e" in text or len(digits) < 4:
        return text
    return f"{sign}{int(digits):,}".replace(",", mark) + point + rest


def made_table(seed: int) -> Made:
    """Return the table of a seed."""
    rng = random.Random(seed)
    chance = rng.random
    n, m = rng.randrange(3, 13), rng.randrange(1, 6)
    kinds = [rng.choice(KINDS) for _ in range(m)]
    cells = [[number(rng, kind) for kind in kinds] for _ in range(n)]
    truth = [[float(cell) for cell in row] for row in cells]
    delimiter = rng.choices(list(DELIMITERS), [6, 5, 5, 2, 1])[0]
    made = Made(cells, truth, None, "", None, delimiter)
    if chance() < 0.75:
        made.ids, made.id_name = some_ids(rng, n), rng.choice(ID_NAMES)
    if chance() < 0.85:
        made.names = rng.sample(NAMES, m)
        if made.ids is None and m == 1:
            made.names = ["x"]  # "q,r" would be two names
        made.r_header = made.ids is not None and chance() < 0.2
        if made.r_header or delimiter == " ":
            without_marks(made)
    made.decimal = "," if chance() < 0.3 else "."
    mark_numbers(made, rng)
    made.quotes = rng.choices(["minimal", "all", "text"], [6, 2, 2])[0]
    made.encoding = rng.choices(
        ["utf-8", "utf-8-sig", "utf-16", "latin-1"], [7, 1, 1, 1]
    )[0]
    try:
        made.text().encode(made.encoding)
    except UnicodeEncodeError:
        made.encoding = "utf-8"
    made.end = rng.choices(["\n", "\r\n", "\r"], [7, 2, 1])[0]
    made.last_end = chance() < 0.9
    made.trailing = chance() < 0.05 and delimiter != " " and made.names is not None
    made.blanks = chance() < 0.05 and (m > 1 or made.ids is not None)
    made.padded = chance() < 0.05 and delimiter != " "
    made.packed = chance() < 0.05
    return made


def without_marks(made: Made) -> None:
    """Take delimiters out of names, where a file without quotes would be another."""
    marks = str.maketrans(",;|", "___")
    made.names = [name.translate(marks) for name in made.names or ()]
    made.ids = made.ids and [name.translate(marks) for name in made.ids]


def some_ids(rng: random.Random, n: int) -> list[str]:
    """Return ids: words, running numbers, numbers in any order, or numbers twice."""
    how = rng.random()
    if how < 0.7:
        start = rng.choice(TEXT_IDS)
        return [f"{start}{i}" for i in range(n)]
    if how < 0.8:
        first = rng.choice((0, 1, 100))
        return [str(first + i) for i in range(n)]
    if how < 0.9:
        return [str(v) for v in rng.sample(range(9999), n)]
    return [f"{rng.randrange(9)}.{rng.randrange(99)}" for _ in range(n)]


def mark_numbers(made: Made, rng: random.Random) -> None:
    """Write the numbers with decimal commas, thousands marks and missing values."""
    thousands = ""
    if rng.random() < 0.08:
        usual = "." if made.decimal == "," else ","
        # Nobody can tell 1.234 with a comma between the columns.
        both = made.decimal == made.delimiter == ","
        thousands = rng.choice((" " if both else usual, " ", "'"))
        made.traits.add("thousands")
    gaps = rng.random() < 0.2
    word = rng.choice(MISSING)
    if made.ids is None:
        word = word or "NA"  # a line without anything is no row
    for row, cells in enumerate(made.cells):
        for column, text in enumerate(cells):
            if gaps and rng.random() < 0.2:
                cells[column], made.truth[row][column] = word, math.nan
                continue
            whole, point, rest = text.partition(".")
            if thousands:
                whole = grouped(whole, thousands)
            cells[column] = whole + (made.decimal if point else "") + rest
