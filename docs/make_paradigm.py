"""The paradigm table: every measure, one ingredient per step, from the registry.

docs/make_cli.py writes the page.
"""

from __future__ import annotations

from stablek.api.verdict import REPEATS
from stablek.measures import MEASURES
from stablek.panel.members import MEMBERS

STEPS = (
    "perturb",
    "split",
    "assign",
    "train",
    "cluster",
    "collect",
    "stop",
    "synopsis",
    "significance",
    "null",
    "samples",
)

HEAD = """# The paradigm

Every measure is one ingredient per step of the thesis's procedures (chapter 3), and
nothing else. The loops belong to the engine. This page is made from the registry by
`python docs/make_cli.py`; a test keeps it current.

Steps: *perturb* (1, one entry per data set drawn), *split* (2), *assign* (3 and 5),
*train* (4, the classifier), *cluster* (6, what is done to the algorithm), *collect* (7
and 8, the statistic), *stop* (the test H), *synopsis*, *significance*, and the *null*
model the rule compares with. *samples* says whether all k of a repeat share what is
drawn (Fast_Stability_Measure); `--fast` makes them share it for every measure that
draws. `stablek run DATA --perturb ... --statistic ...` composes a new measure.

"""


VERDICT = """
## The verdict

A verdict is a list of such measures, with K-means started from Ward. Members with the
same steps up to *cluster* share their clusterings. `stablek explain verdict` prints the
gate, the score and the strengths.

"""


def page() -> str:
    """Return the page as Markdown."""
    rows = [(name, factory().steps()) for name, factory in sorted(MEASURES.items())]
    members = [
        (f"{member.name} ({made.name})", made.steps())
        for member in MEMBERS
        if (made := member.make(REPEATS))
    ]
    return HEAD + table("measure", rows) + VERDICT + table("member", members)


def table(what: str, rows: list[tuple[str, dict[str, str]]]) -> str:
    """Return one row per measure, one column per step."""
    lines = [f"| {what} | " + " | ".join(STEPS) + " |", "|---" * (len(STEPS) + 1) + "|"]
    for name, steps in rows:
        cells = " | ".join(steps[step] for step in STEPS)
        lines.append(f"| {name} | {cells} |")
    return "\n".join(lines) + "\n"
