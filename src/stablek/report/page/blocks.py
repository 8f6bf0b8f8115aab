"""The parts a page is made of; the template has one macro for each ``kind``."""

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from stablek.report.page.explain import Explanation
from stablek.report.page.markup import Element
from stablek.report.page.tables import Table


@dataclass(frozen=True)
class Figure:
    """A drawing with a title and the fold that explains it."""

    title: str
    drawing: Element
    explanation: Explanation | None = None
    wide: bool = False
    note: str = ""
    kind: str = "figure"


@dataclass(frozen=True)
class Multiples:
    """Many small drawings that are read together."""

    title: str
    drawings: tuple[tuple[str, Element], ...]
    explanation: Explanation | None = None
    kind: str = "multiples"


@dataclass(frozen=True)
class Heat:
    """A heat map at one k: an image, and the strip of clusters along it."""

    k: int
    image: str
    side: int
    strip: Element
    name: str


@dataclass(frozen=True)
class Explorer:
    """Figures that follow one slider over k: maps of the items, heat maps, the rest."""

    name: str
    ks: tuple[int, ...]
    now: int
    chosen: int | None
    maps: tuple[Figure, ...]
    heats: tuple[Heat, ...]
    figures: tuple[Figure, ...]
    note: str = ""
    explanation: Explanation | None = None
    kind: str = "explorer"


@dataclass(frozen=True)
class Notice:
    """A remark; ``level`` is "failed", "warning" or "note"."""

    level: str
    text: str
    lines: tuple[str, ...] = ()
    kind: str = "notice"


@dataclass(frozen=True)
class Facts:
    """Names and values."""

    title: str
    rows: tuple[tuple[str, str], ...]
    kind: str = "facts"


@dataclass(frozen=True)
class Code:
    """Text to copy."""

    title: str
    text: str
    kind: str = "code"


Block: TypeAlias = Figure | Multiples | Explorer | Table | Notice | Facts | Code


@dataclass(frozen=True)
class Section:
    """A heading with what stands under it."""

    name: str
    title: str
    blocks: tuple[Block, ...]
    lead: str = ""
    level: int = 2


@dataclass(frozen=True)
class Hero:
    """The answer, on top of the page.

    ``badge`` says in a word or two how sure it is; ``levels`` holds the number of
    clusters, its weight, the reason, and "the answer" or "best guess" next to one;
    ``doubtful`` says which items do not clearly belong to their cluster, ``details``
    what else there is to say. ``look`` is the section with a slider over k, and
    ``shown`` the ks that it has: there levels are links.
    """

    figure: str
    unit: str
    sentence: str
    strength: str = ""
    tone: str = "plain"
    remarks: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    chips: tuple[str, ...] = ()
    badge: str = ""
    levels: tuple[tuple[int, str, str, str], ...] = ()
    doubtful: str = ""
    details: tuple[str, ...] = ()
    look: str = ""
    shown: tuple[int, ...] = ()


@dataclass(frozen=True)
class Page:
    """All that the template needs.

    ``banner`` is said above all else, on a page of a run that is not finished;
    ``reload`` is after how many seconds a browser loads it again.
    """

    title: str
    hero: Hero
    sections: tuple[Section, ...]
    island: dict[str, Any] = field(default_factory=dict)
    holds: str = ""
    banner: str = ""
    reload: int = 0
