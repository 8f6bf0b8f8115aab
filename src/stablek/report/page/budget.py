"""One result on its way into the page, and its share of the page."""

from dataclasses import dataclass

from stablek.report.charts.embed import Embedding
from stablek.report.page.look import Look, has_consensus, look_at
from stablek.results.result import Result


@dataclass(frozen=True)
class PageShare:
    """How much of a page one result may take, so that the page stays small.

    ``heat`` are characters for all its heat maps together, ``points`` items in a
    scatter plot, and ``rows`` those of the table of items; ``look`` and ``columns`` say
    whether its partitions, and its other columns, are shown at all.
    """

    heat: int
    points: int
    rows: int
    look: bool = True
    columns: bool = True


def page_shares(results: list[Result]) -> list[PageShare]:
    """Share the room of a page among results; consensus measures are shown first."""
    count = len(results)
    if not results:
        return []
    if count == 1:
        return [PageShare(130_000, 600, 500)]
    with_heat = [has_consensus(result) for result in results]
    order = sorted(range(count), key=lambda i: (not with_heat[i], i))
    shown = set(order[:6])
    heat = 200_000 // max(sum(with_heat[i] for i in shown), 1)
    points = max(100, 1000 // min(count, 6))
    rows = max(50, 600 // count)
    return [PageShare(heat, points, rows, i in shown, count <= 6) for i in range(count)]


@dataclass(frozen=True)
class Part:
    """A result with what is seen in it, and the names its items go by."""

    result: Result
    name: str
    look: Look | None
    ids: tuple[str, ...]
    classes: tuple[str, ...] | None
    share: PageShare
    embedding: Embedding | None = None
    anonymous: bool = False

    @property
    def drawn_word(self) -> str:
        """What happened to the items of the run."""
        return "judged" if "judged" in self.result.facts else "drawn"


def part(
    result: Result,
    place: int,
    share: PageShare,
    *,
    anonymous: bool,
    embedding: Embedding | None = None,
) -> Part:
    """Return a result with what is seen in it."""
    data = result.data
    if data is None or anonymous:
        ids = tuple(str(i + 1) for i in range(result.n))
    else:
        ids = data.item_ids()
    classes = None if data is None else data.classes
    if classes is not None and anonymous:
        numbers = {name: i + 1 for i, name in enumerate(dict.fromkeys(classes))}
        classes = tuple(f"class {numbers[name]}" for name in classes)
    look = look_at(result) if share.look else None
    return Part(
        result, f"r{place + 1}", look, ids, classes, share, embedding, anonymous
    )
