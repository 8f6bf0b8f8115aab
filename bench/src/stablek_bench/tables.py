"""A table in the thesis's layout: ours and theirs side by side, and how they agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from stablek_bench.grid import Table
from stablek_bench.reference import numbers_of_clusters, printed, real
from stablek_bench.run import Bench, bearable
from stablek_bench.seeds import SEEDS, is_random
from stablek_bench.store import Answer

#: Marks, as the thesis's circled figures: the gold k, off by one, further off.
EXACT, NEAR, OFF = "*", "~", ""


@dataclass(frozen=True)
class Cell:
    """One cell: what the thesis prints, what we find, the gold k, and our seconds.

    ``ours`` is k*, milliseconds or an index, as the table's kind says; None where there
    is nothing, ``state`` then says why: "absent" data, "not run", "left out", "no
    indication" or the reason of a failure. Over several ``seeds``, k* (or the index) is
    the mode, which ``agree`` of them give, and seconds are those of the fastest run.
    The Monte Carlo runs of Gap count as its seeds. ``random``: another seed may give
    another answer.
    """

    row: str
    dataset: str
    kind: str
    thesis: str | None
    ours: float | int | None
    gold: int | None
    seconds: float | None
    state: str = ""
    seeds: int = 1
    agree: int = 1
    random: bool = False

    @property
    def theirs(self) -> tuple[int, ...]:
        """The ks of the thesis, in a precision table."""
        return numbers_of_clusters(self.thesis) if self.kind == "k" else ()

    def to_dict(self) -> dict[str, Any]:
        """Return the cell as the JSON output has it."""
        return {
            "row": self.row,
            "dataset": self.dataset,
            "thesis": self.thesis,
            "ours": self.ours,
            "gold": self.gold,
            "seconds": self.seconds,
            "seeds": self.seeds,
            "agree": self.agree,
        }


def cells_of(table: Table, bench: Bench) -> list[Cell]:
    """Return the cells of a table from what the store holds; nothing is computed."""
    reference = printed()
    found = []
    for row, recipe in table.rows.items():
        for dataset in table.columns:
            loaded = bench.load(dataset)
            gold = loaded.gold if loaded else bench.sources[dataset].gold
            thesis = reference.get((table.name, row, dataset))
            answers = bench.answers(recipe, dataset)
            good = [one for one in answers if not one.failure]
            ours: float | int | None = None
            state, seconds, agree, count = "", None, 1, max(len(good), 1)
            if loaded is None:
                state = "absent"
            elif not answers:
                state = "not run" if bearable(recipe, dataset) else "left out"
            elif not good:
                state = answers[0].failure or ""
            else:
                # Other work on the machine can only add to a time.
                seconds = round(min(one.seconds for one in good), 4)
                k, agree = mode([one.k for one in good])
                runs = outcomes_of(good[0])
                if len(good) == 1 and runs:
                    agree, count = runs.get(str(k), 0), sum(runs.values())
                if table.kind == "time":
                    ours = round(1000 * seconds, 1)
                elif table.kind == "matches":
                    ours = k
                elif table.kind == "k":
                    ours, state = k, "" if k else "no indication"
                else:
                    values = [o.value for o in good]
                    ours, agree = mode(
                        [None if v is None else round(v, 6) for v in values]
                    )
                    state = "labels are not the gold classes" if ours is None else ""
            found.append(Cell(row, dataset, table.kind, thesis, ours, gold, seconds,
                              state, count, agree, is_random(recipe)))  # fmt: skip
    return found


def outcomes_of(answer: Answer) -> dict[str, int]:
    """Return how many Monte Carlo runs chose each k, for a measure that has several."""
    counts: dict[str, int] = (answer.facts or {}).get("outcomes", {})
    return counts


Found = TypeVar("Found")


def mode(ks: Sequence[Found]) -> tuple[Found, int]:
    """Return the k that most seeds give, and how many; of several, the first seed's.

    Examples
    --------
    >>> mode([5, 7, 7]), mode([5, 7]), mode([7, 5, 5, 7])
    ((7, 2), (5, 1), (7, 2))
    """
    counts = Counter(ks)  # in the order of the seeds, which ties keep
    return counts.most_common(1)[0]


def distance(ks: Iterable[int], other: int) -> int | None:
    """Return how far the nearest of some ks is from another; None without any."""
    return min((abs(k - other) for k in ks), default=None)


def mark(ks: Iterable[int], gold: int | None) -> str:
    """Return the mark of an answer against the gold k."""
    away = None if gold is None else distance(ks, gold)
    return OFF if away is None or away > 1 else (EXACT, NEAR)[away]


@dataclass(frozen=True)
class Score:
    """How a precision table compares, in numbers of cells.

    ``compared`` cells have an answer on both sides and real or simulated data (no
    stand-in). ``exact`` and ``within`` are ours against the thesis's; ``gold_exact``
    and ``gold_within`` what always answering the gold k would score against the
    thesis's, which is the thesis's own precision. ``ours_gold`` and its ``_within`` are
    our precision: agreement with the gold k.
    """

    compared: int = 0
    exact: int = 0
    within: int = 0
    gold_exact: int = 0
    gold_within: int = 0
    ours_gold: int = 0
    ours_gold_within: int = 0

    def __add__(self, other: Score) -> Score:
        pairs = zip(self.counts(), other.counts(), strict=True)
        return Score(*(a + b for a, b in pairs))

    def counts(self) -> tuple[int, ...]:
        """Return the numbers in order."""
        return tuple(getattr(self, name) for name in self.__dataclass_fields__)


def score(cells: Iterable[Cell]) -> Score:
    """Return how the cells of a precision table compare; PBM is not scored."""
    total = Score()
    for cell in cells:
        if cell.kind != "k" or cell.dataset == "PBM" or cell.gold is None:
            continue
        if cell.ours is None:
            continue
        ours = int(cell.ours)
        apart = distance(cell.theirs, ours)
        guess = distance(cell.theirs, cell.gold)
        if apart is None or guess is None:
            continue
        mine = abs(ours - cell.gold)
        flags = (True, apart == 0, apart <= 1, guess == 0, guess <= 1, mine == 0,
                 mine <= 1)  # fmt: skip
        total += Score(*(int(flag) for flag in flags))
    return total


def cell_text(cell: Cell) -> str:
    """Return a cell as text: ours, then theirs in parentheses.

    Where seeds differ, or a random cell has fewer than ten, it says how many agree.
    """
    few = cell.random and cell.seeds < SEEDS
    told = f" {cell.agree}/{cell.seeds}" if few or cell.agree < cell.seeds else ""
    if cell.kind == "k":
        ours = "-"
        if cell.ours is not None:
            ours = f"{cell.ours}{mark([int(cell.ours)], cell.gold)}{told}"
        theirs = f"{cell.thesis}{mark(cell.theirs, cell.gold)}"
    elif cell.kind == "matches":
        return "-" if cell.ours is None else str(cell.ours)
    elif cell.kind == "time":
        ours = "-" if cell.ours is None else duration(cell.ours / 1000)
        ms = real(cell.thesis)
        theirs = "-" if ms is None else duration(ms / 1000)
        if ms and cell.ours:
            theirs += f", x{ms / cell.ours:.3g}"
    else:
        ours = "-" if cell.ours is None else f"{cell.ours:.3f}{told}"
        value = real(cell.thesis)
        theirs = "-" if value is None else f"{value:.3f}"
    return ours if cell.thesis is None else f"{ours} ({theirs})"


def duration(seconds: float) -> str:
    """Return seconds in a fitting unit.

    Examples
    --------
    >>> duration(0.0123), duration(12.3), duration(7200)
    ('12 ms', '12 s', '2.0 h')
    """
    if seconds < 0.1:
        return f"{1000 * seconds:.2g} ms"
    if seconds < 10:
        return f"{seconds:.2g} s"
    if seconds < 3600:
        return f"{seconds:.0f} s"
    return f"{seconds / 3600:.1f} h"


def layout(table: Table, cells: list[Cell]) -> list[list[str]]:
    """Return the table as rows of text, with the gold row below a precision table."""
    at = {(cell.row, cell.dataset): cell for cell in cells}
    rows = [["", *table.columns]]
    rows += [
        [row, *(cell_text(at[row, column]) for column in table.columns)]
        for row in table.rows
    ]
    if table.kind == "k":
        gold = {cell.dataset: cell.gold for cell in cells}
        rows.append(["gold k", *(str(gold[column]) for column in table.columns)])
    return rows


def sentence(found: Score) -> str:
    """Return a score in words."""
    if not found.compared:
        return "No cell to compare yet."

    def share(count: int) -> str:
        return f"{count} ({100 * count / found.compared:.0f} %)"

    return (
        f"Cells with an answer on both sides: {found.compared}. They agree exactly in "
        f"{share(found.exact)} and within one in {share(found.within)}. Always "
        f"answering the gold k would agree in {share(found.gold_exact)} and "
        f"{share(found.gold_within)}. Ours is the gold k in {share(found.ours_gold)} "
        f"and within one of it in {share(found.ours_gold_within)}, the thesis's in "
        f"{share(found.gold_exact)} and {share(found.gold_within)}."
    )
