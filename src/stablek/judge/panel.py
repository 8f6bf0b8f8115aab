"""The panel at work: data and null sets, stage by stage, in threads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stablek.engine.execute import Execution, single_blas
from stablek.judge.gate import Gate, gate
from stablek.judge.gaussians import best_bic
from stablek.judge.nulls import draw_null, draw_skewed
from stablek.judge.observe import Observed, observe, observe_null
from stablek.judge.picks import MEMBERS, gap_pick, vote, weighted
from stablek.judge.prepare import Prepared
from stablek.seeds import Streams

Floats = NDArray[np.float64]
Watch = Callable[[str, int, int], None]

#: Null sets whose stability is looked at, for the picks: the gate needs all, but only
#: their separation, which costs a fortieth.
STABLE_SETS = 20


@dataclass(frozen=True, eq=False)
class Panel:
    """What the panel saw and said."""

    observed: Observed
    nulls: dict[str, dict[str, Floats]]
    gate: Gate
    votes: dict[str, int]
    k: int
    bic: Floats


def sit(
    made: Prepared,
    ks: tuple[int, ...],
    streams: Streams,
    *,
    repeats: int,
    null_sets: int,
    level: float,
    execution: Execution,
    watch: Watch | None = None,
) -> Panel:
    """Observe the data and the null sets; return gate, votes and the k voted for.

    The boxes come first: data that they beat are done with, as p is the largest of
    the three. The picks need the stability of some of the Gaussian null sets.
    """
    scores = made.judged
    work = _NullSets(made, ks, streams, execution, watch)
    with single_blas():
        observed = observe(scores, ks, streams.under("data"), repeats)
        nulls = {"box": work.seen("box", null_sets, 0)}
        found = gate(ks, observed.columns, nulls, len(scores))
        for kind in ("skewed", "gaussian"):
            if found.p <= level + 1e-12:
                nulls[kind] = work.seen(kind, null_sets, 0)
                found = gate(ks, observed.columns, nulls, len(scores))
        if found.p > level + 1e-12:
            return Panel(observed, nulls, found, {}, 1, np.empty(0))
        stable = work.seen("gaussian", min(STABLE_SETS, null_sets), repeats)
        nulls["gaussian"] |= {n: stable[n] for n in ("ent", "minjac", "ps")}
        whole = np.zeros(len(scores), dtype=np.intp)
        bic, _ = best_bic(scores, [whole, *observed.partitions], [1, *ks])
    votes = {m.name: m.pick(ks, observed.columns, nulls) for m in MEMBERS}
    gaussian = nulls["gaussian"]
    votes["gap"] = gap_pick(
        ks,
        observed.columns["gap"],
        observed.alone,
        gaussian["gap"],
        gaussian["alone"],
    )
    votes["mixture"] = max(2, [1, *ks][int(bic.argmin())])
    return Panel(observed, nulls, found, votes, vote(weighted(votes)), bic)


@dataclass(frozen=True, eq=False)
class _NullSets:
    """Null sets of one data set, each with streams of its own, in threads."""

    made: Prepared
    ks: tuple[int, ...]
    streams: Streams
    execution: Execution
    watch: Watch | None

    def seen(self, kind: str, sets: int, repeats: int) -> dict[str, Floats]:
        """Return the statistics of so many null sets, one row each."""
        import joblib

        alone = self.execution.backend == "serial"
        run = joblib.Parallel(
            n_jobs=1 if alone else self.execution.workers(),
            backend="threading",
            return_as="generator",
        )
        what = f"null sets ({kind}{', stability' if repeats else ''})"
        seen: list[Observed] = []
        for one in run(
            joblib.delayed(self._one)(kind, b, repeats) for b in range(sets)
        ):
            seen.append(one)
            if self.watch:
                self.watch(what, len(seen), sets)
        columns = {
            name: np.array([one.columns[name] for one in seen])
            for name in seen[0].columns
        }
        columns["alone"] = np.array([one.alone for one in seen])
        return columns

    def _one(self, kind: str, b: int, repeats: int) -> Observed:
        own = self.streams.under("null", kind, b)
        made = self.made
        if kind == "skewed":
            assert made.frame is not None  # prepare() keeps both
            assert made.values is not None
            rows = draw_skewed(made.values, own("draw"))
            if made.sphere is not None:
                rows = made.sphere.bend(rows)
            drawn = np.ascontiguousarray(made.frame.scores(rows))
        else:
            drawn = made.as_prepared(draw_null(kind, made.judged, own("draw")))
        return observe_null(drawn, self.ks, own, repeats)
