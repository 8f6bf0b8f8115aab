"""What to cite: BibTeX of the methods, and the entries behind each name.

The entries are in references.bib; a measure, an algorithm or an index names its keys
on its card. ``stablek cite NAME`` prints them; the report holds those of what it used.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from stablek.errors import unknown_name
from stablek.measures import MEASURES
from stablek.measures.fixed_k import METHODS
from stablek.paradigm.card import card_of
from stablek.paradigm.cluster import ALGORITHMS
from stablek.paradigm.indices import INDICES

#: What has no function of its own. The thesis stands behind all.
OTHERS = {
    "stablek": ("utro2011", "giancarlo2008"),
    "verdict": ("senbabaoglu2014", "john2020", "hennig2007"),
}


@dataclass(frozen=True)
class Entry:
    """One publication: its key, its BibTeX, and the fields of that."""

    key: str
    bibtex: str
    fields: Mapping[str, str]

    def text(self) -> str:
        """Return the entry as a line to read."""
        field = self.fields.get
        places = ("journal", "booktitle", "publisher", "school")
        where = next((self.fields[p] for p in places if p in self.fields), "")
        where += f" {field('volume')}" if field("volume") else ""
        where += f", {field('pages', '').replace('--', '-')}" if field("pages") else ""
        title = re.sub("[{}]", "", self.fields["title"])
        authors = self.fields["author"].replace(" and ", "; ")
        return f"{authors} ({self.fields['year']}). {title}. {where}."


@cache
def all_entries() -> dict[str, Entry]:
    """Return the entries of references.bib by their keys."""
    text = files("stablek.measures").joinpath("references.bib").read_text("utf-8")
    entries = {}
    for entry in text.strip().split("\n\n"):
        key = entry[entry.index("{") + 1 : entry.index(",")]
        fields = dict(re.findall(r"^  (\w+) = \{(.*)\},?$", entry, re.MULTILINE))
        entries[key] = Entry(key, entry, fields)
    return entries


def keys_by_name() -> dict[str, tuple[str, ...]]:
    """Return what a user may name, and the keys of the entries it rests on."""
    registries = (MEASURES, METHODS, INDICES, ALGORITHMS)
    return OTHERS | {
        name: card_of(make).cites
        for registry in registries
        for name, make in registry.items()
    }


def entries_for(names: Iterable[str], *, strict: bool = False) -> list[Entry]:
    """Return the entries behind some names, each once, in the order of the names.

    A name without entries (a user's own measure) is passed over unless ``strict``.

    Examples
    --------
    >>> [entry.key for entry in entries_for(["fc", "hier-a"])]
    ['giancarlo2011', 'monti2003', 'senbabaoglu2014', 'mullner2011']
    """
    known = keys_by_name()
    keys: dict[str, None] = {}
    for name in names:
        if name not in known and strict:
            raise unknown_name("name to cite", name, known)
        keys.update(dict.fromkeys(known.get(name, ())))
    return [all_entries()[key] for key in keys]


def bibtex(names: Iterable[str]) -> str:
    """Return the BibTeX of some names; an unknown one is refused by name."""
    return "\n\n".join(e.bibtex for e in entries_for(names, strict=True)) + "\n"
