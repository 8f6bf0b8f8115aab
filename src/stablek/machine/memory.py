"""Memory: what is free, what may be used, and how sizes are written and read.

What a step is going to need is compared with a budget before anything is allocated:
a run that cannot finish says so at its start, and says what to do instead.
"""

import math
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from stablek.errors import InputError

UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
#: Where nobody set a budget, it is this many bytes at least.
LEAST = 2**26

BINARY_UNITS = {"ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}


def parse_size(text: str) -> int:
    """Return the number of bytes that a person wrote, such as "8G" or "500 MB".

    Examples
    --------
    >>> parse_size("8G"), parse_size("500 MB"), parse_size("2GiB")
    (8000000000, 500000000, 2147483648)
    """
    match = re.fullmatch(
        r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?i?)b?\s*", text, re.IGNORECASE | re.ASCII
    )
    unit = match[2].lower() if match else ""
    factor = {**UNITS, **BINARY_UNITS}.get(unit)
    if match is None or factor is None:
        raise InputError(f"memory '{text}' is not a size; write it like 8G or 500M")
    return int(float(match[1]) * factor)


def budget(memory: int | str | None = None) -> int:
    """Return the bytes that a read may hold: what was asked, or half of what is free.

    Free is the least of the memory the system calls available, the limit of the
    process (``RLIMIT_AS``) and the limit of its control group.
    """
    if memory is not None:
        size = parse_size(memory) if isinstance(memory, str) else int(memory)
        if size <= 0:
            raise InputError(
                f"memory {memory} is not positive; write it like 8G or 500M"
            )
        return size
    return max(LEAST, min(free_memory()) // 2)


def affordable(size: float, memory: int | str | None = None) -> bool:
    """Tell whether so many bytes fit the budget.

    What fits any budget is not compared: to ask the system what is free takes as long
    as a small run.
    """
    return (memory is None and size <= LEAST) or size <= budget(memory)


def free_memory() -> list[int]:
    """Return every known bound on the memory that is still free."""
    bounds = [2**40]
    try:
        text = Path("/proc/meminfo").read_text(encoding="ascii")
        match = re.search(r"^MemAvailable:\s+(\d+) kB", text, re.MULTILINE)
        if match:
            bounds.append(int(match[1]) * 1024)
        limit = Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii").strip()
        if limit.isdigit():
            bounds.append(int(limit))
    except OSError:
        pass  # not Linux: the bounds below remain
    if len(bounds) == 1 and hasattr(os, "sysconf"):
        bounds.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    try:
        import resource
    except ImportError:  # Windows
        return bounds
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    if soft != resource.RLIM_INFINITY:
        bounds.append(soft)
    return bounds


def peak_memory() -> int:
    """Return the most bytes that this process has held so far.

    On Linux ``ru_maxrss`` starts at what the parent held when it made the process, so
    the kernel's own mark is read instead.
    """
    try:
        text = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        mark = re.search(r"^VmHWM:\s+(\d+) kB", text, re.MULTILINE)
    except OSError:
        mark = None  # not Linux
    if mark:
        return int(mark[1]) * 1024
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def shown_size(size: float) -> str:
    """Return a number of bytes as people read it.

    Examples
    --------
    >>> shown_size(80e9), shown_size(1500)
    ('80 GB', '1.5 kB')
    """
    for power, name in ((18, "EB"), (15, "PB"), (12, "TB"), (9, "GB"), (6, "MB")):
        if size >= 10**power:
            return f"{size / 10**power:.3g} {name}"
    if size >= 1000:
        return f"{size / 1000:.3g} kB"
    return f"{size:.0f} bytes"


def afford(what: str, shape: Iterable[int], allowed: int, itemsize: int = 8) -> None:
    """Refuse an array that would not fit the budget, before it is allocated."""
    sizes = [int(s) for s in shape]
    needed = math.prod(sizes) * itemsize
    if any(s < 0 for s in sizes):
        raise InputError(
            f"{what} declares a negative size ({sizes}): the file is damaged"
        )
    if needed > allowed:
        raise InputError(
            f"{what} needs {shown_size(needed)} "
            f"({' x '.join(f'{s:,}' for s in sizes)}), the budget is "
            f"{shown_size(allowed)}; raise it with --memory, or select fewer columns "
            "or rows"
        )
