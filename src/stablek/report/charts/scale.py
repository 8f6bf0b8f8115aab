"""Axes: where a value lies, which ticks to draw, how to write a number."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

#: Typographic characters, named because they look like others.
MINUS, DASH, THIN = "\u2212", "\u2013", "\u202f"


@dataclass(frozen=True)
class Scale:
    """A straight map from values [low, high] to positions [start, stop]."""

    low: float
    high: float
    start: float
    stop: float

    def __call__(self, value: float) -> float:
        """Return the position of a value."""
        share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.stop - self.start)


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return round numbers within [low, high], at most ``most`` of them.

    Steps are 1, 2 or 5 times a power of ten.

    Examples
    --------
    >>> ticks(0, 1)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    if not (math.isfinite(low) and math.isfinite(high)) or high <= low:
        return [low] if math.isfinite(low) else []
    power = 10.0 ** math.floor(math.log10((high - low) / most))
    for step in (power, 2 * power, 5 * power, 10 * power, 20 * power):
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        if last - first + 1 <= most:
            return [round(i * step, 12) for i in range(first, last + 1)]
    return [low, high]


def whole_ticks(low: int, high: int, most: int = 15) -> list[int]:
    """Return whole numbers from low to high, every one or every few of them.

    Examples
    --------
    >>> whole_ticks(2, 30)
    [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30]
    """
    step = 1
    for step in (1, 2, 5, 10, 20, 50, 100, 1000):
        first = low if step <= 2 else -(-low // step) * step
        ticks = list(range(first, high + 1, step))
        if len(ticks) <= most:
            return ticks
    return [low, high]


def extent(*columns: Iterable[float], pad: float = 0.06) -> tuple[float, float]:
    """Return the range of all finite values, with some air; (0, 1) without any."""
    finite = [float(v) for column in columns for v in column if math.isfinite(v)]
    if not finite:
        return 0.0, 1.0
    low, high = min(finite), max(finite)
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        air = abs(high) * 0.1 or 0.5
        return low - air, high + air
    air = (high - low) * pad
    return (low if low == 0 else low - air), high + air


def number(value: float | None, digits: int = 3) -> str:
    """Return a number as people write it: few digits, no needless exponent.

    Examples
    --------
    >>> number(0.12345), number(1234567.0), number(3.0), number(float("nan"))
    ('0.123', '1.23e6', '3', '\u2013')
    """
    if value is None or not math.isfinite(value):
        return DASH
    if value == int(value) and abs(value) < 1e6:
        return f"{int(value):,}".replace(",", THIN).replace("-", MINUS)
    if abs(value) >= 1e6 or abs(value) < 10.0**-digits:
        mantissa, _, power = f"{value:.{digits - 1}e}".partition("e")
        return f"{mantissa.rstrip('0').rstrip('.')}e{int(power)}".replace("-", MINUS)
    decimals = digits if abs(value) < 100 else 1 if abs(value) < 1000 else 0
    text = f"{value:,.{decimals}f}".replace(",", THIN)
    return text.replace("-", MINUS)


def tick_labels(values: Sequence[float]) -> list[str]:
    """Return ticks as text, all with as many decimals as their step needs.

    Examples
    --------
    >>> tick_labels([0.0, 0.5, 1.0])
    ['0', '0.5', '1.0']
    """
    if len(values) < 2:
        return [number(value) for value in values]
    step = abs(values[1] - values[0])
    largest = max(abs(value) for value in values)
    if step >= 1e5 or largest >= 1e6 or step < 1e-5:
        return [number(value, 2) for value in values]
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    texts = [f"{value:,.{decimals}f}" if value else "0" for value in values]
    return [text.replace(",", THIN).replace("-", MINUS) for text in texts]
