"""The panel at work: data and null sets, stage by stage."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stablek.engine.execute import Execution, single_blas
from stablek.engine.run import Journal, Watch
from stablek.judge.gate import Gate, gate
from stablek.judge.observe import Observed
from stablek.judge.picks import MEMBERS, gap_pick, vote
from stablek.judge.prepare import Prepared
from stablek.judge.work import Work
from stablek.seeds import Streams

Floats = NDArray[np.float64]

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
    journal: Journal | None = None,
    watch: Watch | None = None,
) -> Panel:
    """Observe the data and the null sets; return gate, votes and the k voted for.

    The boxes come first: data that they beat are done with, as p is the largest of
    the three. The picks need the stability of some of the Gaussian null sets.
    """
    work = Work(made, ks, streams, execution, journal, watch)
    with single_blas():
        observed = work.data(repeats)
        n = len(made.rows)
        nulls = {"box": work.null_sets("box", null_sets, 0)}
        found = gate(ks, observed.columns, nulls, n)
        for kind in ("skewed", "gaussian"):
            if found.p <= level + 1e-12:
                nulls[kind] = work.null_sets(kind, null_sets, 0)
                found = gate(ks, observed.columns, nulls, n)
        if found.p > level + 1e-12:
            return Panel(observed, nulls, found, {}, 1, np.empty(0))
        stable = work.null_sets("gaussian", min(STABLE_SETS, null_sets), repeats)
        nulls["gaussian"] |= {name: stable[name] for name in ("ent", "minjac", "ps")}
        bic = work.mixtures(observed.partitions)
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
    return Panel(observed, nulls, found, votes, vote(votes), bic)
