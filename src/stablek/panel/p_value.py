"""A p-value, and the least that the null sets can show."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PValue:
    """A p-value as it is written, "p = 0.04".

    Where it is the ``least`` that so many null sets can show, it may be less than that.

    Examples
    --------
    >>> print(PValue(0.04, least=0.02), PValue(0.02, least=0.02), sep="; ")
    p = 0.04; p ≤ 0.02
    """

    value: float
    least: float = 0.0

    def __str__(self) -> str:
        sign = "=" if self.value > self.least + 1e-12 else "≤"
        return f"p {sign} {self.value:.2g}"
