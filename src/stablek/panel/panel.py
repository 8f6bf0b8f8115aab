"""The panel at work: data and null sets, stage by stage."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stablek.data.seeds import Streams
from stablek.engine.execution.execute import Execution, single_blas
from stablek.engine.run import Journal, Watch
from stablek.panel.gate import Gate, gate
from stablek.panel.observe import Observed, distances_of, separation
from stablek.panel.picks import MEMBERS, gap_pick, vote
from stablek.panel.prepare import Prepared
from stablek.panel.work import Work

Floats = NDArray[np.float64]

#: Null sets whose stability is looked at, for the picks: the gate needs all, but only
#: their separation, which costs a fortieth.
STABLE_SETS = 20

#: The null models of the gate, the one that ends most sets without clusters first.
NULLS = ("box", "skewed", "gaussian")


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
        first, *others = NULLS
        nulls = {first: work.null_sets(first, null_sets, 0)}
        found = gate(ks, observed.columns, nulls, n)
        for kind in others:
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


def gate_of_all(
    made: Prepared, ks: tuple[int, ...], streams: Streams, null_sets: int
) -> Gate:
    """Return the gate with a p-value against every null model, whatever the first says.

    :func:`sit` stops at the first null model that refutes; to know how each of them
    fares on a kind of data, all are asked. The p-values that both give are the same.
    """
    work = Work(made, ks, streams, Execution(1))
    with single_blas():
        scores = made.judged
        seen = separation(scores, distances_of(scores), ks, valleys=True)
        nulls = {kind: work.null_sets(kind, null_sets, 0) for kind in NULLS}
    return gate(ks, seen.columns, nulls, len(made.rows))
