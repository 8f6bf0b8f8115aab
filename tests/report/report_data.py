"""A small data set for the tests of the report."""

import numpy as np

from stablek.data import Dataset

#: Ids that try to be markup, script, template, formula, terminal code.
HOSTILE = (
    "<img src=x onerror=window.PWN=1>",
    "</script><script>window.PWN=2</script>",
    "</title></svg><script>window.PWN=3</script>",
    '" onmouseover="window.PWN=4',
    "x onmouseover=window.PWN=5",
    "{{7*7}}{% raw %}",
    "line\u2028separator",
    "\u202eright to left",
    "\x1b[31mred",
    "[/foo][link=x]",
    "=cmd|' /C calc'!A0",
    "emoji 🧬",
    "CD4<b>high</b>&amp;",
    "javascript:window.PWN=6",
    "']); window.PWN=7; ('",
)


def mixture(n: int = 60, ids: tuple[str, ...] = (), **facts: object) -> Dataset:
    """Return three clusters that nobody can miss."""
    rng = np.random.default_rng(5)
    labels = np.arange(n) % 3
    centres = np.array([[0.0, 0.0, 0.0], [7.0, 0.0, 1.0], [0.0, 7.0, 2.0]])
    values = centres[labels] + rng.normal(0, 1.2, (n, 3))
    names = ids or tuple(f"item-{i}" for i in range(n))
    return Dataset(values, ids=names, **{"name": "mixture.tsv", **facts})


def hostile(n: int = 60) -> Dataset:
    """Return the same with hostile ids, classes and name."""
    ids = HOSTILE + tuple(f"item-{i}" for i in range(n - len(HOSTILE)))
    classes = tuple(HOSTILE[i % len(HOSTILE)] for i in range(n))
    return mixture(n, ids, classes=classes, name=HOSTILE[0])
