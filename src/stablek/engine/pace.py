"""How long a step will still take, from the pace of its own tasks."""

from collections import deque
from dataclasses import dataclass, field

#: The first task compiles kernels, and the second may: neither shows the pace.
SLOW_STARTS = 2

#: The pace is that of so many of the last ends, so that it follows the machine's load.
RECENT = 64


@dataclass
class Pace:
    """The ends of the tasks of one step, as they come."""

    skipped: int = 0
    last: int | None = None
    ends: deque[tuple[float, int]] = field(default_factory=lambda: deque(maxlen=RECENT))

    def note(self, now: float, done: int) -> None:
        """Note how many tasks are done by now."""
        before, self.last = self.last, done
        if before is None or done < before:  # it begins, or begins once more
            self.ends.clear()
            self.ends.append((now, done))
        elif done > before:
            if self.skipped < SLOW_STARTS:
                self.skipped += 1
                self.ends.clear()
            self.ends.append((now, done))

    def left(self, now: float, total: int) -> float | None:
        """Return the seconds that are left; None while that cannot be known.

        Examples
        --------
        >>> pace = Pace()
        >>> for second, done in [(0, 0), (60, 1), (61, 2), (62, 4)]:
        ...     pace.note(second, done)
        >>> pace.left(62, 10)
        3.0
        """
        if self.skipped < SLOW_STARTS or len(self.ends) < 2:
            return None
        (first, begun), (latest, done) = self.ends[0], self.ends[-1]
        each = (latest - first) / (done - begun)
        return max(each * (total - done) - (now - latest), 0.0)


def left_text(seconds: float | None) -> str:
    """Return how long it will take, in words.

    Examples
    --------
    >>> left_text(12.4), left_text(400.0), left_text(9000.0), left_text(None)
    ('about 12 s left', 'about 7 min left', 'about 2.5 h left', '')
    """
    if seconds is None:
        return ""
    if seconds < 120:
        return f"about {seconds:.0f} s left"
    if seconds < 7200:
        return f"about {seconds / 60:.0f} min left"
    return f"about {seconds / 3600:.1f} h left"
