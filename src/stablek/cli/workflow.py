"""Options for pipelines: a file of options, a log, more to read, and a dry run."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

#: Options that a command kept in a folder must not bring back: they name files.
NOT_KEPT = ("--config", "--log")

#: Options that trust somebody; that is for the user to say, and not for a folder.
TRUSTING = ("--scheduler", "--allow-external")

#: The files a run leaves in its folder; a stub leaves them empty.
FILES = (
    "result.json", "curve.tsv", "labels.tsv", "report.html", "stablek_mqc.json",
    "versions.yml",
)  # fmt: skip


class Tee:
    """Text that goes to a stream and, plain, to a file as well.

    A file that takes no more (a full disk) is told once, and sinks no run.
    """

    def __init__(self, stream: TextIO, file: TextIO) -> None:
        self.stream = stream
        self.file = file
        self.failed = False

    def write(self, text: str) -> int:
        """Write to both; colour and cursor movements stay on the terminal."""
        self._try(lambda: self.file.write(click.unstyle(text).replace("\r", "")))
        return self.stream.write(text)

    def flush(self) -> None:
        """Flush both."""
        self._try(self.file.flush)
        self.stream.flush()

    def end(self) -> TextIO:
        """Close the file and return the stream."""
        self._try(self.file.close)
        return self.stream

    def _try(self, act: Callable[[], object]) -> None:
        try:
            act()
        except OSError as error:
            if not self.failed:
                self.failed = True
                name = getattr(self.file, "name", "the log")
                self.stream.write(f"the log {name} is not whole: {error.strerror}\n")

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def _config(
    ctx: click.Context, param: click.Parameter, value: Path | None
) -> Path | None:
    """Read options from a TOML file; those on the command line win."""
    del param
    if value is None:
        return None
    import tomllib

    from stablek.errors import InputError, unknown_name

    try:
        found = tomllib.loads(value.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        msg = f"cannot read {value}: {error}"
        raise InputError(msg) from None
    known = _names(ctx.command)
    for name, given in found.items():
        if name.replace("_", "-") not in known:
            raise unknown_name(f"option in {value}:", name, known)
        if isinstance(given, dict):
            msg = f"{value}: [{name}] is a table; write {name} = ..., one per line"
            raise InputError(msg)
    plain = {known[n.replace("_", "-")]: given for n, given in found.items()}
    ctx.default_map = {**(ctx.default_map or {}), **plain}
    return value


def _names(command: click.Command) -> dict[str, str]:
    """Return the long names of a command's options, and of the parameter behind."""
    return {
        text.removeprefix("--"): param.name or ""
        for param in command.params
        for text in (*param.opts, *param.secondary_opts)
        if text.startswith("--") and text not in (*NOT_KEPT, "--help")
    }


def _log(ctx: click.Context, param: click.Parameter, value: Path | None) -> Path | None:
    del ctx, param
    if value is None or isinstance(sys.stderr, Tee):
        return value
    from stablek.errors import InputError

    try:
        file = value.open("w", encoding="utf-8")
    except OSError as error:
        msg = f"cannot write the log {value}: {error.strerror}"
        raise InputError(msg) from None
    sys.stderr = Tee(sys.stderr, file)
    return value


def close_log() -> None:
    """End the log, if there is one; the last error message is in it by now."""
    if isinstance(sys.stderr, Tee):
        sys.stderr = sys.stderr.end()


def _verbose(ctx: click.Context, param: click.Parameter, value: bool) -> bool:  # noqa: FBT001
    del param
    if value and not ctx.resilient_parsing:
        began = time.perf_counter()
        ctx.call_on_close(lambda: click.echo(what_was_used(began), err=True))
    return value


def what_was_used(began: float) -> str:
    """Return versions, time and memory of this process, in one line."""
    import platform
    import resource
    from importlib.metadata import version as installed

    from stablek.version import __version__

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    peak *= 1 if sys.platform == "darwin" else 1024
    return (
        f"stablek {__version__}, numpy {installed('numpy')}, "
        f"scipy {installed('scipy')}, numba {installed('numba')}, "
        f"python {platform.python_version()}; {time.perf_counter() - began:.2f} s; "
        f"peak memory {peak / 2**20:.0f} MiB"
    )


def _safe_tables(ctx: click.Context, param: click.Parameter, value: bool) -> bool:  # noqa: FBT001
    del param
    if value:
        from stablek.io.results import SAFE_TABLES

        token = SAFE_TABLES.set(True)
        ctx.call_on_close(lambda: SAFE_TABLES.reset(token))
    return value


WORKFLOW_OPTIONS: tuple[Callable[[F], F], ...] = (
    click.option(
        "--config",
        type=click.Path(dir_okay=False, path_type=Path),
        is_eager=True,
        expose_value=False,
        callback=_config,
        metavar="FILE",
        help="Options from a TOML file, by their long names; those given here win.",
    ),
    click.option(
        "--log",
        type=click.Path(dir_okay=False, path_type=Path),
        is_eager=True,
        expose_value=False,
        callback=_log,
        metavar="FILE",
        help="Write notes, progress and errors to a file, too.",
    ),
    click.option(
        "--safe-tables",
        is_flag=True,
        expose_value=False,
        callback=_safe_tables,
        help="In TSV files, put ' before ids that a spreadsheet would run.",
    ),
    click.option(
        "-v",
        "--verbose",
        is_flag=True,
        expose_value=False,
        callback=_verbose,
        help="Say at the end what was used: versions, time, memory.",
    ),
)


def not_safe_again(arguments: Sequence[str]) -> bool:
    """Tell whether a kept command must not be given again from its folder.

    A folder may come from somebody else: it must not choose what is imported
    (module:name, in whatever form an option takes it), which scheduler is obeyed, nor
    name other files to read options from or to write. :func:`reaches_out` looks at the
    options once they are parsed.

    Examples
    --------
    >>> not_safe_again(["run", "x.tsv", "-k", "2:9", "--prepare", "pca:5"])
    False
    >>> [not_safe_again([t]) for t in ("a.b:c", "-ma:b", "--measure=a:b", "--log=x")]
    [True, True, True, True]
    """
    own = re.compile(r"[^\W\d][\w.]*:[^\W\d]")
    return any(
        own.search(text)
        or text == "-"
        or text.partition("=")[0] in (*NOT_KEPT, *TRUSTING)
        for text in arguments
    )


def reaches_out(given: Mapping[str, Any]) -> bool:
    """Tell whether options, as parsed, import code or trust somebody.

    Whatever has a colon is imported as module:name, be it a name or not ("1:x").

    Examples
    --------
    >>> reaches_out({"measure": "fc", "ks": range(2, 5), "prepare": ("pca:5",)})
    False
    >>> reaches_out({"measure": "1:x"}), reaches_out({"scheduler": "tcp://host:8786"})
    (True, True)
    """
    imported = ("measure", "measures", "algorithm", "algorithms")
    return any(":" in str(given.get(name)) for name in imported) or any(
        given.get(text.strip("-").replace("-", "_")) for text in TRUSTING
    )


def to_keep(arguments: Sequence[str]) -> list[str]:
    """Return a command as it is kept: without its log, its config written out."""
    kept, skip = [], False
    for text in arguments:
        if skip:
            skip = False
        elif text in NOT_KEPT:
            skip = True
        elif text.partition("=")[0] not in NOT_KEPT:
            kept.append(text)
    return [*kept, *written_out()]


def written_out() -> list[str]:
    """Return the options that came from --config, as they would be typed."""
    ctx = click.get_current_context(silent=True)
    if ctx is None or not ctx.default_map:
        return []
    from_file = click.core.ParameterSource.DEFAULT_MAP
    texts: list[str] = []
    for param in ctx.command.params:
        name = param.name or ""
        if ctx.get_parameter_source(name) is not from_file:
            continue
        value, long = ctx.default_map[name], param.opts[-1]
        if isinstance(param, click.Option) and param.is_flag:
            texts += [long] if value else param.secondary_opts[-1:]
        else:
            several = value if isinstance(value, list) else [value]
            texts += [part for one in several for part in (long, str(one))]
    return texts


def write_stub(out: str | None) -> None:
    """Write the files of a run, empty, so that a pipeline can be tried out."""
    from stablek.errors import InputError
    from stablek.io.results import check_writable

    if out is None:
        msg = "--stub writes empty results; name a folder for them with -o"
        raise InputError(msg)
    folder = check_writable(Path(out))
    for name in FILES:
        (folder / name).touch()
    click.echo(f"stub: data and options are fine; empty files in {folder}", err=True)


def complete(kind: str) -> Callable[..., list[str]]:
    """Return a function that completes names of measures or algorithms in a shell."""

    def names(ctx: click.Context, param: click.Parameter, start: str) -> list[str]:
        del ctx, param
        from stablek.cli.explain import WHEN

        algorithm = ("hier-", "kmeans-", "nmf-")
        return [
            name
            for name in WHEN
            if name.startswith(start)
            and name.startswith(algorithm) == (kind == "algorithm")
        ]

    return names
