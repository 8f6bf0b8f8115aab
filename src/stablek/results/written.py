"""Answers that write themselves: as JSON, as a table, as a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from stablek.results.json_form import json_text, plain_form

if TYPE_CHECKING:
    import pandas as pd

    from stablek.results.result import Result
    from stablek.results.verdict import Verdict


class Written:
    """An answer with a plain form: it lists its keys, and the attributes behind them.

    ``SCHEMA`` is raised whenever the form changes in a way that old readers cannot
    follow. ``BEHIND`` has the keys that are not the name of their attribute.
    """

    SCHEMA: ClassVar[int] = 1
    KEYS: ClassVar[tuple[str, ...]]
    BEHIND: ClassVar[Mapping[str, str]] = {"data": "_data_in_short"}

    @property
    def _data_in_short(self: Any) -> dict[str, Any]:
        return {"name": self.data_name, "n": self.n, "m": self.m}

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain numbers, strings, lists and dictionaries.

        NaN becomes None. No time, date or path is in it: equal runs give equal text.
        """
        parts = {key: getattr(self, self.BEHIND.get(key, key)) for key in self.KEYS}
        return {"schema": self.SCHEMA, **plain_form(parts)}

    def to_json(self, path: str | Path | None = None) -> str:
        """Return the answer as JSON text; write it too, if a path is given."""
        return json_text(self.to_dict(), path)


class Curves(Written):
    """An answer with one entry per k in every column, and a page of its own."""

    ks: tuple[int, ...]
    columns: Mapping[str, NDArray[np.float64]]

    @property
    def table(self) -> pd.DataFrame:
        """The numbers as a DataFrame, one row per k."""
        import pandas as pd

        return pd.DataFrame(dict(self.columns), index=pd.Index(self.ks, name="k"))

    def shown_by(self) -> tuple[Sequence[Result], Verdict | None]:
        """Return the results and the verdict that the page is made of."""
        raise NotImplementedError

    def report(
        self,
        path: str | Path,
        *,
        title: str | None = None,
        anonymous: bool = False,
        embedding: Any = None,
    ) -> Path:
        """Write the answer as one self-contained HTML page; return its path.

        ``anonymous``: numbers instead of ids, classes and names. ``embedding``:
        two columns to draw the items in, such as a UMAP.
        """
        from stablek.report.page.html import write_report

        results, verdict = self.shown_by()
        return write_report(
            results, path, verdict=verdict, title=title, anonymous=anonymous,
            embedding=embedding,
        )  # fmt: skip
