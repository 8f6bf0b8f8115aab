"""The few errors stablek raises; every message says what, where, and what to do.

The command line turns each class into an exit code (``exit_code``), so that a
pipeline can tell a wrong input from a full disk.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class StablekError(Exception):
    """Something went wrong; the message says what to do next."""

    exit_code = 1


class InputError(StablekError, ValueError):
    """The input or an option was refused: value, place and remedy are in the text."""

    exit_code = 2


class TryAgainError(StablekError):
    """Nothing is lost and the same command may be given again (lock, disk, memory)."""

    exit_code = 75


class InterruptedRunError(StablekError):
    """The run was interrupted; what was finished is kept, and can be resumed."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code


class Terminated(KeyboardInterrupt):
    """SIGTERM: stop as Ctrl-C does, but exit with 143."""


class PartFailedError(StablekError):
    """The run finished, but a part of it failed; the result says which."""

    exit_code = 4


def unknown_name(kind: str, name: str, known: Iterable[str]) -> InputError:
    """Return the error for a mistyped name, with the nearest known one.

    Examples
    --------
    >>> print(unknown_name("measure", "gapps", ["gap-ps", "fc"]))
    unknown measure 'gapps'; did you mean 'gap-ps'? Known: fc, gap-ps
    """
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"; did you mean '{near[0]}'?" if near else "."
    return InputError(f"unknown {kind} '{name}'{hint} Known: {', '.join(names)}")
