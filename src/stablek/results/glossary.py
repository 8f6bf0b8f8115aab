"""Words of the report and columns of the tables, each in a sentence or two.

The texts are in glossary.toml.
"""

import tomllib
from collections.abc import Iterator
from importlib.resources import files

_TEXTS = tomllib.loads(
    files("stablek.results").joinpath("glossary.toml").read_text("utf-8")
)

#: Words that the report, the terminal and the documentation use.
WORDS: dict[str, str] = _TEXTS["words"]
#: The columns of every table and the entries of a verdict's JSON, by file.
COLUMNS: dict[str, dict[str, str]] = _TEXTS["columns"]


#: Words of more letters may stand in the plural, such as "null sets".
FEW_LETTERS = 3


def entries(name: str) -> Iterator[tuple[str, str]]:
    """Yield where a word or a column is used, and what it means there.

    Examples
    --------
    >>> [where for where, _ in entries("pac")]
    ['word', 'curve.tsv']
    """
    plain = _plain(name)
    one = plain.removesuffix("s") if len(plain) > FEW_LETTERS else plain
    for word, text in WORDS.items():
        if _plain(word) in (plain, one):
            yield "word", text
    for file, columns in COLUMNS.items():
        for column, text in columns.items():
            if plain == _plain(column):
                yield file, text


def _plain(name: str) -> str:
    """Return a name as all its spellings are: "best_guess" is "best guess"."""
    return name.strip().lower().replace("_", " ").replace("-", " ")


def known_words() -> list[str]:
    """Return every word and column that is explained."""
    columns = {name for table in COLUMNS.values() for name in table}
    return sorted({*WORDS, *columns})
