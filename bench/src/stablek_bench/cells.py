"""Finished cells as text that can be kept with the code: one line of JSON per cell.

A line holds all seeds of a cell and what pages read of them, but no curves. Seconds
have three digits. The lines are sorted, so that a change of few cells is a change of
few lines. Each says by which version of stablek it was computed; those of another are
not read.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from stablek.errors import InputError
from stablek.io.store.atomic import write_text
from stablek.version import __version__
from stablek_bench.beyond import BEYOND
from stablek_bench.grid import TABLES
from stablek_bench.kept import check
from stablek_bench.store import Answer, Place, Store

#: The facts that are kept, beside the range of ks.
FACTS = ("failure", "repeats", "other_seeds", "outcomes", "which", "of", "adj", "fm",
         "f", "apart", "at")  # fmt: skip


def write_cells(store: Store, file: Path) -> int:
    """Write the cells of this version, and return how many there are.

    Cells that no table has any more are left out.
    """
    tables = {**TABLES, **BEYOND}.values()
    known = {recipe.key for table in tables for recipe in table.rows.values()}
    lines: dict[tuple[str, str, str], dict[str, Any]] = {}
    for place, one in store.everything().items():
        if place.recipe not in known:
            continue
        facts = one.facts or {}
        new = {
            "recipe": json.loads(place.recipe),
            "dataset": place.dataset,
            "digest": place.digest,
            "stablek": __version__,
            "runs": {},
        }
        line = lines.setdefault(place[:3], new)
        if "ks" in facts:
            line["ks"] = [facts["ks"][0], facts["ks"][-1]]
        kept = {name: facts[name] for name in FACTS if name in facts}
        seconds = float(f"{one.seconds:.3g}")
        line["runs"][place.seed] = [one.k, one.value, seconds, one.jobs, kept]
    texts = []
    for line in lines.values():
        full = {**line, "check": check(line)}
        texts.append(json.dumps(full, sort_keys=True, separators=(",", ":")))
    write_text(file, "".join(f"{text}\n" for text in texts))
    return len(texts)


def read_cells(file: Path, store: Store) -> list[str]:
    """Put the cells of a file into a store that has not got them; return notes."""
    answers: dict[Place, Answer] = {}
    damaged = others = 0
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        msg = f"cannot read the cells in {file} ({error})"
        raise InputError(msg) from None
    for line in lines:
        try:
            found = json.loads(line)
            right = found.pop("check") == check(found)
            if found["stablek"] != __version__:
                others += 1
            elif right:
                answers.update(_answers(found))
            else:
                damaged += 1
        except (ValueError, KeyError, TypeError, AttributeError):
            damaged += 1
    store.fill(answers)
    notes = []
    if damaged:
        notes.append(f"{damaged} damaged line(s) in {file}: run again")
    if others:
        notes.append(f"{others} cell(s) of another version in {file}: run again")
    return notes


def _answers(line: dict[str, Any]) -> dict[Place, Answer]:
    """Return the answers that a line holds."""
    recipe = json.dumps(line["recipe"], sort_keys=True)
    common: dict[str, Any] = {}
    if "ks" in line:
        first, last = line["ks"]
        common["ks"] = list(range(first, last + 1))
    found = {}
    for seed, (k, value, seconds, jobs, facts) in line["runs"].items():
        place = Place(recipe, line["dataset"], line["digest"], int(seed))
        found[place] = Answer(k, seconds, jobs, value, {**common, **facts})
    return found
