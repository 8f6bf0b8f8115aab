"""An answer as Python and a notebook show it, and what to say if there is none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


class Shown:
    """An answer that is shown by its sentence, and in a notebook with its table."""

    sentence: Any

    def __repr__(self) -> str:
        """Return the answer; the arrays are attributes."""
        return f"<{type(self).__name__}: {self.sentence}>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        return card([self.sentence], getattr(self, "table", None))


def card(
    lines: Iterable[str], table: pd.DataFrame | None = None, after: Iterable[str] = ()
) -> str:
    """Return sentences, the first of them in bold, a table, and more, as HTML.

    Examples
    --------
    >>> import pandas as pd
    >>> card(["2 clusters.", "a < b"], pd.DataFrame({"x": [1]}))[:58]
    '<div><p><strong>2 clusters.</strong></p><p>a &lt; b</p><di'
    """
    first, *others = (escape(line) for line in lines if line)
    shown = ""
    if table is not None:
        named = table.index.name is not None
        shown = table.to_html(max_rows=12, float_format="{:.4g}".format, index=named)
    return (
        f"<div><p><strong>{first}</strong></p>{_paragraphs(others)}"
        f"<div>{shown}</div>{_paragraphs(escape(line) for line in after)}</div>"
    )


def _paragraphs(lines: Iterable[str]) -> str:
    return "".join(f"<p>{line}</p>" for line in lines)


def no_partition(k: int, ks: Sequence[int], held: int | None) -> str:
    """Return that there is no partition at k; after JSON only that at ``held`` is left.

    Examples
    --------
    >>> no_partition(9, (2, 3, 4), None)
    'there is no partition at k = 9; tried: 2 to 4'
    """
    if held is not None and k in ks:
        return (
            f"a verdict read from JSON holds the partition at k = {held} only; "
            "labels.tsv in its folder has one column per k"
        )
    tried = " to ".join(map(str, dict.fromkeys((*ks[:1], *ks[-1:])))) or "none"
    return f"there is no partition at k = {k}; tried: {tried}"
