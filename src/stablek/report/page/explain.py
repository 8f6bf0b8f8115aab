"""What stands under each figure: what it shows, and how to read it.

The texts are in explanations.toml.
"""

import tomllib
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True)
class Explanation:
    """Text of the fold under a figure."""

    shows: str
    read: str
    formula: str = ""
    reference: str = ""


_TEXTS = files("stablek.report.page").joinpath("explanations.toml").read_text("utf-8")
#: By the name of the figure.
EXPLANATIONS = {
    name: Explanation(**texts) for name, texts in tomllib.loads(_TEXTS).items()
}
