"""The paradigm table: every measure, one ingredient per step, from the registry.

docs/make_cli.py writes the page.
"""

from __future__ import annotations

from stablek.measures import MEASURES

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
model the rule compares with. *samples* tells whether all ks of a repeat share what is
drawn (Fast_Stability_Measure); `--fast` makes them share it for every measure that
draws. `stablek run DATA --perturb ... --statistic ...` composes a measure of its own.

"""


def page() -> str:
    """Return the page as Markdown."""
    lines = ["| measure | " + " | ".join(STEPS) + " |", "|---" * (len(STEPS) + 1) + "|"]
    for name, factory in sorted(MEASURES.items()):
        steps = factory().steps()
        cells = " | ".join(steps[step] for step in STEPS)
        lines.append(f"| {name} | {cells} |")
    return HEAD + "\n".join(lines) + "\n"
