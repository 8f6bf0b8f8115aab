"""The panel at work: data and null sets, stage by stage, in threads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stablek.engine.execute import Execution, single_blas
from stablek.judge.gate import Gate, gate
from stablek.judge.gaussians import best_bic
from stablek.judge.nulls import KINDS, draw_null
from stablek.judge.observe import Observed, observe
from stablek.judge.picks import MEMBERS, gap_pick, vote
from stablek.seeds import Streams

Floats = NDArray[np.float64]
Watch = Callable[[str, int, int], None]

#: Null sets of each kind after which the data are looked at: once a null set beats
#: them, more would not bring p down to the level, and the answer is 1.
FIRST_STAGE = 20


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
    scores: Floats,
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

    The null sets come in two stages. After the first, data that some null set beats
    are done with: p cannot fall to the level any more, and stopping there only makes
    the test stricter.
    """
    with single_blas():
        observed = observe(scores, ks, streams.under("data"), repeats)
        nulls: dict[str, dict[str, Floats]] = {kind: {} for kind in KINDS}
        stages = [min(FIRST_STAGE, null_sets), null_sets]
        done = 0
        for stage in dict.fromkeys(stages):
            for kind in reversed(KINDS):
                more = _null_sets(
                    kind, scores, ks, streams, repeats, (done, stage), execution, watch
                )
                for name, rows in more.items():
                    before = nulls[kind].get(name)
                    nulls[kind][name] = (
                        rows if before is None else np.concatenate([before, rows])
                    )
            done = stage
            found = gate(ks, observed.columns, nulls, len(scores))
            if found.p > max(level, 1 / (1 + stage)) + 1e-12:
                break
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
    return Panel(observed, nulls, found, votes, vote(list(votes.values())), bic)


def _null_sets(
    kind: str,
    scores: Floats,
    ks: tuple[int, ...],
    streams: Streams,
    repeats: int,
    which: tuple[int, int],
    execution: Execution,
    watch: Watch | None,
) -> dict[str, Floats]:
    """Return the statistics of null sets which[0] .. which[1] - 1, one row each."""
    import joblib

    def one(b: int) -> tuple[dict[str, Floats], float]:
        own = streams.under("null", kind, b)
        drawn = draw_null(kind, scores, own("draw"))
        seen = observe(drawn, ks, own, repeats, full=False)
        return seen.columns, seen.alone

    first, last = which
    workers = 1 if execution.backend == "serial" else execution.workers()
    run = joblib.Parallel(n_jobs=workers, backend="threading", return_as="generator")
    seen = []
    for made in run(joblib.delayed(one)(b) for b in range(first, last)):
        seen.append(made)
        if watch:
            watch(f"null sets ({kind})", first + len(seen), last)
    columns = {name: np.array([c[name] for c, _ in seen]) for name in seen[0][0]}
    columns["alone"] = np.array([alone for _, alone in seen])
    return columns
