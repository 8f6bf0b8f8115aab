"""The few errors stablek raises; every message says what, where, and what to do.

The command line turns each class into an exit code (``exit_code``), so that a
pipeline can tell a wrong input from a full disk.
"""

import difflib
import errno
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from numbers import Integral

#: Errors of a disk that is full, by one name or another.
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class StablekError(Exception):
    """Something went wrong; the message says what to do next."""

    exit_code = 1


class InputError(StablekError, ValueError):
    """The input or an option was refused: value, place and remedy are in the text."""

    exit_code = 2


class TextColumnError(InputError):
    """Some columns hold text: the table can be read without them."""

    def __init__(self, message: str, columns: tuple[str, ...]) -> None:
        super().__init__(message)
        self.columns = columns


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


class OutOfTime(BaseException):
    """A task took too long; no ``except Exception`` of foreign code may swallow it."""


#: What signals raise; whatever else foreign code raises is a failure of its own.
STOPS = (KeyboardInterrupt, OutOfTime)


@contextmanager
def reraise_signals() -> Iterator[None]:
    """Let through what a signal raised while foreign code ran.

    That code may raise another error from it, which would be taken for a failure:
    numba's kernels return a result anyway, and Python then raises a SystemError.
    """
    try:
        yield
    except Exception as error:
        seen: list[BaseException] = []  # errors may be behind one another in a ring
        behind: BaseException | None = error
        while isinstance(behind, Exception) and behind not in seen:
            seen.append(behind)
            context = None if behind.__suppress_context__ else behind.__context__
            behind = behind.__cause__ or context
        if not isinstance(behind, STOPS):
            raise
        # A new one: else each of the two would be behind the other.
        raise type(behind)(*behind.args) from None


#: Compiled code that cannot allocate may fail without saying why. Python then says:
SILENT = ("error return without exception set", "without setting an exception")


def describe_error(error: BaseException) -> str:
    """Return an error's class and message, whatever its class makes of ``str``.

    Examples
    --------
    >>> describe_error(ValueError("no such thing"))
    'ValueError: no such thing'
    >>> describe_error(SystemError("it ended without setting an exception"))
    'SystemError: it ended without setting an exception (out of memory?)'
    """
    name = type(error).__name__
    try:
        text = f"{name}: {error}"
        return f"{text} (out of memory?)" if text.endswith(SILENT) else text
    except STOPS:
        raise
    except BaseException as second:
        return f"{name} (its message cannot be shown: {type(second).__name__})"


#: Whether the caller is the command line: see :func:`advice`.
_caller = {"command line": False}


@contextmanager
def command_line() -> Iterator[None]:
    """Let messages name options of the command line instead of arguments."""
    before = _caller["command line"]
    _caller["command line"] = True
    try:
        yield
    finally:
        _caller["command line"] = before


def advice(option: str, argument: str) -> str:
    """Return the option for the command line, and the argument for Python.

    Examples
    --------
    >>> advice("--jobs 1", "jobs=1")
    'jobs=1'
    >>> with command_line():
    ...     advice("--jobs 1", "jobs=1")
    '--jobs 1'
    """
    return option if _caller["command line"] else argument


def ks_advice(first: int, last: int) -> str:
    """Return how to ask for these ks.

    Examples
    --------
    >>> ks_advice(2, 10)
    'ks=range(2, 11)'
    """
    return advice(f"-k {first}:{last}", f"ks=range({first}, {last + 1})")


def renamed(old: str, new: str) -> None:
    """Warn that a public name has changed; CONTRIBUTING says how long it stays."""
    msg = f"{old} is now {new}; the old name will be removed in a later version"
    warnings.warn(msg, DeprecationWarning, stacklevel=3)


class PartFailedError(StablekError):
    """The run finished, but a part of it failed; the result says which."""

    exit_code = 4


#: What people type who come from elsewhere, and what it is called here.
ELSEWHERE = {
    "gap": "gap-pc",
    "elbow": "wcss",
    "inertia": "wcss",
    "consensuscluster": "fc",
    "pac": "fc",
    "cnmf": "brunet",
    "ward": "hier-w",
    "average": "hier-a",
    "upgma": "hier-a",
    "complete": "hier-c",
    "single": "hier-s",
    "hierarchical": "hier-a",
    "hc": "hier-a",
    "kmeans": "kmeans-w",
    "k-means": "kmeans-w",
    "km": "kmeans-w",
    "minibatch": "kmeans-mb",
    "nmf": "nmf-r",
}

#: What has no name here, and where to go instead.
INSTEAD = {
    "leiden": "it has a resolution and no k: see stablek.integrations.anndata",
    "louvain": "it has a resolution and no k: see stablek.choose_setting",
    "dbscan": "it has a radius and no k: see stablek.choose_setting",
    "hdbscan": "it has settings and no k: see stablek.choose_setting",
}


def unknown_name(
    kind: str, name: str, known: Iterable[str], listed: str | None = None
) -> InputError:
    """Return the error for a mistyped name, with the nearest known one.

    ``listed`` says where the known names are, if they are too many for a message.

    Examples
    --------
    >>> print(unknown_name("measure", "gapps", ["gap-ps", "fc"]))
    unknown measure 'gapps'; did you mean 'gap-ps'? Known: fc, gap-ps
    >>> print(unknown_name("algorithm", "Ward", ["hier-a", "hier-w"]))
    unknown algorithm 'Ward'; did you mean 'hier-w'? Known: hier-a, hier-w
    """
    names = sorted(known)
    known_ones = f"Known: {', '.join(names)}" if names else f"There is no {kind}"
    listed = listed or known_ones
    word = name.lower()
    if kind in ("measure", "algorithm", "word") and word in INSTEAD:
        return InputError(f"unknown {kind} '{name}': {INSTEAD[word]}. {listed}")
    if ELSEWHERE.get(word) in names:
        near = [ELSEWHERE[word]]
    else:
        near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"; did you mean '{near[0]}'?" if near else "."
    return InputError(f"unknown {kind} '{name}'{hint} {listed}")


def check_share(name: str, value: float, example: str) -> None:
    """Refuse a setting that does not lie strictly between 0 and 1."""
    if not 0 < value < 1:
        raise InputError(f"{name} = {value:g} must lie between 0 and 1, e.g. {example}")


def whole_ks(ks: Iterable[int] | int) -> tuple[int, ...]:
    """Return the ks as a tuple, one k too; refuse anything but whole numbers."""
    try:
        given = (ks,) if isinstance(ks, Integral) else tuple(ks)  # type: ignore[arg-type]
    except TypeError:
        raise InputError(
            f"ks = {ks!r} is not a sequence; pass e.g. range(2, 11)"
        ) from None
    for k in given:
        if not isinstance(k, Integral):
            raise InputError(f"ks has {k!r}; pass whole numbers, e.g. range(2, 11)")
    return tuple(map(int, given))


def check_count(name: str, value: int) -> None:
    """Refuse a setting that is not a whole number of at least 1."""
    if not isinstance(value, Integral):
        raise InputError(f"{name} = {value!r} must be a whole number")
    if value < 1:
        raise InputError(f"{name} = {value} must be at least 1")
