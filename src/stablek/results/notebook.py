"""An answer as it is shown in a notebook."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


def card(lines: Iterable[str], table: pd.DataFrame) -> str:
    """Return sentences, the first of them set off, and a table, as HTML.

    Examples
    --------
    >>> import pandas as pd
    >>> card(["2 clusters.", "a < b"], pd.DataFrame({"x": [1]}))[:58]
    '<div><p><strong>2 clusters.</strong></p><p>a &lt; b</p><di'
    """
    first, *others = (escape(line) for line in lines if line)
    told = "".join(f"<p>{line}</p>" for line in others)
    return (
        f"<div><p><strong>{first}</strong></p>{told}"
        f"<div>{table.to_html(max_rows=12, float_format='{:.4g}'.format)}</div></div>"
    )
