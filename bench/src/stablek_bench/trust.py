"""How often the verdict is wrong: simulated sets with fresh seeds, and peers beside it.

``stablek bench trust`` runs it. Nothing here is used to choose a constant: designs were
made with seeds below 100,000, and these sets start at seed 1,000,000.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from stablek.data.seeds import Streams
from stablek.datasets.mixtures import mixture
from stablek.datasets.nulls import FAMILY, OUTSIDE, null_set
from stablek.datasets.simulated import Simulated
from stablek_bench.peers import peers
from stablek_bench.wilson import Share

FIRST_SEED = 1_000_000

#: Sizes of null sets, in turn: from wide to long.
SIZES = ((60, 600), (100, 100), (60, 10), (150, 4), (120, 15), (300, 50))
COLUMNS = (2, 10, 100)
ERRORS = (0.01, 0.05, 0.1)
KS = tuple(range(2, 11))
FLAVOURS = ("equal", "anisotropic", "skewed", "uniform", "t5", "noise", "two-level")
ITEMS = (100, 200, 400, 800)
FEW_KS = (2, 3, 4, 5)  # clusters that a hundred items can hold, twenty in each

PARTS = ("null", "outside", "mixture", "power", "items", "flavour")


@dataclass(frozen=True)
class Case:
    """One simulated set: which table it belongs to, and how to make it."""

    part: str
    kind: str
    n: int
    m: int
    k: int
    error: float
    seed: int

    @property
    def with_peers(self) -> bool:
        """Whether the peers answer too: on every fifth set, for the sake of time."""
        return self.seed % 5 == 0

    def make(self) -> Simulated:
        """Return the set."""
        if self.k == 1:
            return null_set(self.kind, self.n, self.m, self.seed)
        return mixture(
            self.kind,
            self.k,
            self.m,
            self.seed,
            bayes_error=self.error,
            n=self.n or None,
        )


@dataclass(frozen=True)
class Outcome:
    """What was said about one set.

    ``agree`` is how many members of the panel favour k; p is None where the verdict
    answers 1 without the gate, as no component stands out.
    """

    case: Case
    n: int
    k: int | None
    strength: str
    agree: int
    p: float | None
    p_of: dict[str, float]
    levels: tuple[int, ...]
    peers: dict[str, int]
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain numbers and strings."""
        return asdict(self)

    @classmethod
    def from_dict(cls, found: dict[str, Any]) -> Outcome:
        """Return the outcome that :meth:`to_dict` wrote."""
        rest = {k: v for k, v in found.items() if k not in ("case", "levels")}
        return cls(case=Case(**found["case"]), levels=tuple(found["levels"]), **rest)


def cases(sets: int, seed: int = 0, parts: Iterable[str] = ()) -> Iterator[Case]:
    """Yield the sets: nulls of six kinds and of six more, mixtures, other mixtures.

    ``sets`` per kind of null set and per number of columns of the separated mixtures;
    a quarter for the rest.
    """
    wanted = tuple(parts) or PARTS
    start = FIRST_SEED + 10_000 * seed
    few = max(1, sets // 4)
    for part, kinds, count in (
        ("null", FAMILY, sets),
        ("outside", OUTSIDE, few),
    ):
        if part in wanted:
            for i in range(count):
                n, m = SIZES[i % len(SIZES)]
                for kind in kinds:
                    yield Case(part, kind, n, m, 1, 0.0, start + i)
    for error in ERRORS:
        part = "mixture" if error == ERRORS[0] else "power"
        if part in wanted:
            for i in range(sets if part == "mixture" else few):
                for m in COLUMNS:
                    k = KS[i % len(KS)]
                    yield Case(part, "unequal", 0, m, k, error, start + i)
    if "items" in wanted:
        for i in range(few):
            k, m = FEW_KS[i % len(FEW_KS)], COLUMNS[i % len(COLUMNS)]
            for n in ITEMS:
                yield Case("items", "unequal", n, m, k, 0.01, start + i)
    if "flavour" in wanted:
        for i in range(few):
            for kind in FLAVOURS:
                k = KS[i % len(KS)]
                if kind == "two-level":
                    k = (4, 6, 8)[i % 3]
                m = COLUMNS[i % len(COLUMNS)]
                yield Case("flavour", kind, 0, m, k, 0.01, start + i)


def run_case(case: Case) -> Outcome:
    """Return the verdict on one set, and the peers' answers."""
    from stablek.api.verdict import verdict
    from stablek.engine.execution.execute import single_blas

    made = case.make()
    began = time.perf_counter()
    found = verdict(made.values, seed=case.seed, jobs=1)
    seconds = time.perf_counter() - began
    others: dict[str, int] = {}
    if case.with_peers:
        k_max = max(found.ks) if found.ks else 10
        with single_blas():
            others = peers(made.values, k_max, Streams(case.seed, ("peers",)))
    votes = sum(k == found.k for k in found.votes.values())
    return Outcome(
        case,
        len(made.values),
        found.k,
        found.strength,
        votes,
        found.p,
        dict(found.p_of),
        tuple(level.k for level in found.levels),
        others,
        round(seconds, 3),
    )


def said(outcome: Outcome, who: str = "verdict") -> int | None:
    """Return the k an answerer gives."""
    return outcome.k if who == "verdict" else outcome.peers[who]


def right(outcomes: Iterable[Outcome], who: str, within: int = 0) -> Share:
    """Count answers within so many of the truth, among the sets it was asked about."""
    known = [o for o in outcomes if who == "verdict" or who in o.peers]
    hits = [
        (k := said(o, who)) is not None and abs(k - o.case.k) <= within for o in known
    ]
    return Share(sum(hits), len(hits))
