"""The answer of ``stablek.choose_setting``: a setting, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stablek.results.notebook import Shown
from stablek.results.result import Result

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class Setting(Shown):
    """The setting chosen, and why.

    Attributes
    ----------
    setting
        The setting; None where none gives clusters that are reproduced (or, with
        ``calibrate``, none that stand out from the null sets).
    settings
        All settings tried, in order.
    candidates
        The settings the rule finds equally good.
    result
        The :class:`stablek.Result` behind it; its ks count the settings from 2.
    """

    setting: Any
    settings: tuple[Any, ...]
    candidates: tuple[Any, ...]
    result: Result

    @property
    def labels(self) -> NDArray[np.int64] | None:
        """The partition of all items at the setting; None without one."""
        return None if self.setting is None else self.result.labels

    @property
    def table(self) -> pd.DataFrame:
        """One row per setting."""
        import pandas as pd

        names = pd.Index(list(self.settings), name="setting", tupleize_cols=False)
        return pd.DataFrame(dict(self.result.columns), index=names)

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        if self.setting is None:
            return f"No setting of {self.result.algorithm}: {self.result.reason}."
        return f"{self.result.algorithm} at {self.setting!r}: {self.result.reason}."
