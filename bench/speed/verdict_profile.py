"""Where the processor time of a verdict goes, by stage, on one core.

    python bench/speed/verdict_profile.py [--write]    (--write fills docs/profile.md)

Stages are timed where the verdict calls them; a stage inside another is taken out of
it. Times are of the processor, so that other work on the machine hardly counts.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from pkgutil import resolve_name
from typing import Any
from unittest.mock import patch

import numpy as np
from verdict import blobs

import stablek
from stablek_bench.markdown import show

#: What is timed, and what its time is for.
STAGES = {
    "stablek.api.verdict.in_coordinates": "rows and columns in order, scaled",
    "stablek.api.verdict.prepare": "components, isolated rows",
    "stablek.api.verdict.gate": "gate, the data",
    "stablek.panel.gate.null_curves": "gate, null sets",
    "stablek.api.verdict.run_panel": "panel: clusterings, stability",
    "stablek.paradigm.statistic.valley.HeldOutValley.collect": "panel: valleys",
    "stablek.paradigm.statistic.mixture.MixtureBic.collect": "panel: mixtures",
    "stablek.api.verdict.decide": "trust, sentences, tables",
    "stablek.panel.decide.rare_groups": "rare groups",
    "stablek.api.verdict._judged": "the rest",
}
SIZES = ((200, 50), (2000, 50), (100_000, 50), (1_000_000, 20))
PAGE = Path(__file__).parents[2] / "docs" / "profile.md"


def profile(values: np.ndarray) -> dict[str, float]:
    """Return the seconds of processor time of each stage of a verdict."""
    spent: dict[str, float] = defaultdict(float)
    inner = [0.0]  # of the stages inside those that are under way

    def timed(stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            inner.append(0.0)
            began = time.process_time()
            try:
                return function(*given, **named)
            finally:
                took = time.process_time() - began
                spent[stage] += took - inner.pop()
                inner[-1] += took

        return call

    with ExitStack() as stack:
        for place, stage in STAGES.items():
            stack.enter_context(patch(place, timed(stage, resolve_name(place))))
        stablek.verdict(values, backend="serial")
    return dict(spent)


def table(sizes: tuple[tuple[int, int], ...] = SIZES) -> list[list[str]]:
    """Return the shares of the stages at every size."""
    found = {}
    for n, m in sizes:
        values = blobs(n, m)
        if n > 500_000:
            values = values.astype(np.float32)
        profile(blobs(min(n, 3000), m))  # compiles
        found[n, m] = profile(values)
        print(n, m, found[n, m], flush=True)
    totals = {size: sum(parts.values()) for size, parts in found.items()}
    lines = [["stage", *(f"{n:,} x {m}" for n, m in found)]]
    for stage in STAGES.values():
        shares = (parts.get(stage, 0.0) / totals[size] for size, parts in found.items())
        lines.append([stage, *(f"{share:.0%}" for share in shares)])
    seconds = (f"{total:.2f} s" for total in totals.values())
    return [*lines, ["processor time, one core", *seconds]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="fill docs/profile.md")
    given = parser.parse_args()
    show({"verdict": table()}, PAGE if given.write else None)


if __name__ == "__main__":
    main()
