"""Shares with their intervals."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Share:
    """So many of so many, with Wilson's 95 % interval.

    References
    ----------
    Wilson (1927), JASA 22, 209-212.

    Examples
    --------
    >>> print(Share(0, 72))
    0/72 = 0.0 % (0.0-5.1)
    """

    hits: int
    of: int

    @property
    def value(self) -> float:
        """The share itself; NaN of nothing."""
        return self.hits / self.of if self.of else float("nan")

    def interval(self, z: float = 1.959964) -> tuple[float, float]:
        """Return Wilson's interval."""
        if not self.of:
            return 0.0, 1.0
        n, p = self.of, self.hits / self.of
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * (p * (1 - p) / n + z * z / (4 * n * n)) ** 0.5
        return max(0.0, middle - half), min(1.0, middle + half)

    def __str__(self) -> str:
        low, high = self.interval()
        return (
            f"{self.hits}/{self.of} = {100 * self.value:.1f} % "
            f"({100 * low:.1f}-{100 * high:.1f})"
        )
