"""The answer of ``stablek.significance``: how unusual a partition is."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.errors import advice, renamed
from stablek.results.json_form import plain_form
from stablek.results.notebook import Shown


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Significance(Shown):
    """How unusual a partition is, and what exactly was tested.

    Attributes
    ----------
    tested
        "algorithm": null sets were clustered by the same algorithm; "labels": the
        user's labels were permuted.
    value, null_values
        The statistic on the data, and on the null sets.
    p, level
        The p-value and the level of the test; the null hypothesis of no structure is
        rejected where p < level.
    failures
        Null sets that an algorithm of your own failed on; each counts as one that gives
        the same value as the data.
    """

    tested: str
    statistic: str
    better: str
    null: str
    k: int
    value: float
    null_values: NDArray[np.float64]
    p: float
    level: float
    seed: int
    algorithm: str | None = None
    notes: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()

    @property
    def rejected(self) -> bool:
        """Whether "no structure" is rejected at this level."""
        return self.p < self.level

    @property
    def alpha(self) -> float:
        """The old name of ``level``."""
        renamed("Significance.alpha", "level")
        return self.level

    def how(self) -> str:
        """Return which of the two tests was done, in words."""
        sets = len(self.null_values)
        if self.tested == "labels":
            k = self.k
            use = advice(f"add -k {k}", f"give k={k} in place of the labels")
            return (
                f"your labels ({k} classes) compared with {sets} random orders; "
                "nothing was clustered. This p holds only if the labels were not made "
                "from these data: clusters that were found in them have a small p even "
                f"in noise. To test such clusters, {use}"
            )
        return (
            f"the {self.k} clusters of {self.algorithm} compared with its clusters in "
            f"{sets} null sets ({self.null})"
        )

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        claim = "more" if self.rejected else "no more"
        return (
            f"p = {self.p:.4g}: {claim} structure than expected by chance (level "
            f"{self.level:g}), by {self.statistic}: {self.how()}."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the outcome as plain numbers, strings and lists; NaN becomes None."""
        return {**plain_form(vars(self)), "rejected": self.rejected, "how": self.how()}
