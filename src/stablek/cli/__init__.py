"""The command line: parse, call the library, print. No numerics live here.

Results go to stdout, progress and notes to stderr. Exit codes: 0 done, 1 failed, 2
wrong options or input refused, 4 finished but a part failed, 75 try again and nothing
is lost, 130 and 143 interrupted.
"""

import contextlib
import errno
import os
import sys
from importlib import import_module
from pathlib import Path

import click

from stablek.cli.log import close_log
from stablek.cli.signals import exit_code, raise_missed_signals, stoppable
from stablek.cli.streams import open_streams
from stablek.errors import (
    NO_ROOM,
    SILENT,
    StablekError,
    command_line,
    describe_error,
    unknown_name,
)
from stablek.version import __version__

#: Each command, which is ``command`` in the module of its name, and one line on it.
COMMANDS = {
    "demo": "Try stablek on simulated data; needs no input.",
    "verdict": "Say how many clusters there are, and how far to trust them.",
    "run": "Choose k with one measure: one opinion, not a verdict.",
    "compare": "Run several measures and algorithms side by side.",
    "assess": "Assess a clustering at a fixed k, item by item.",
    "assign": "Assign new items to the clusters of a verdict.",
    "validate": "Check whether the clusters come back in another cohort.",
    "significance": "Test whether a partition could be due to chance.",
    "factorize": "Factorise non-negative data, and cluster by the factors.",
    "inspect": "Show how a file would be read, without running anything.",
    "measures": "List the measures and their settings.",
    "algorithms": "List the clustering algorithms.",
    "datasets": "List data to try, and how to get more.",
    "resume": "Resume a run that was interrupted.",
    "merge": "Finish a run from its shards.",
    "report": "Write the HTML report of finished results.",
    "explain": "Explain a measure, an algorithm or a word in the report.",
    "cite": "Print the references of methods as BibTeX.",
    "bench": "Reproduce the evidence: tables and simulations.",
    "doctor": "Check what stablek finds on this machine.",
}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command; a mistyped name gets the nearest one suggested."""
        if cmd_name not in COMMANDS:
            if "." in cmd_name or "/" in cmd_name:
                raise click.UsageError(
                    f"there is no file '{cmd_name}', and no command of that name", ctx
                )
            raise click.UsageError(
                str(unknown_name("command", cmd_name, COMMANDS)), ctx
            )
        if cmd_name == "bench":
            return _bench()
        module = import_module(f"stablek.cli.{cmd_name}")
        return module.command

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """List the commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])


def _bench() -> click.Command:
    """Return the command that the distribution stablek-bench brings."""
    from importlib.metadata import entry_points

    for entry in entry_points(group="stablek.commands", name="bench"):
        return entry.load()
    raise click.UsageError(
        "the evidence is a separate package: pip install ./bench (stablek-bench)"
    )


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Start with: stablek demo. With your own data: stablek FILE, which is short "
    "for stablek verdict FILE. Every command has a --help with an example.",
)
@click.version_option(__version__, message="stablek %(version)s")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def cli(*, debug: bool) -> None:
    """How many clusters are in my data, and can I trust them?"""  # noqa: D400
    click.get_current_context().with_resource(command_line())
    if debug:
        os.environ["STABLEK_DEBUG"] = "1"


def main() -> None:
    """Run the command line and exit with its code."""
    open_streams()
    sys.exit(guarded(sys.argv[1:]))


def guarded(arguments: list[str]) -> int:
    """Run the command line; turn every error into one message and an exit code."""
    try:
        with stoppable():
            return _run(arguments)
    except KeyboardInterrupt as stop:  # on the way out, when all was said
        return _say("interrupted", exit_code(stop))
    finally:
        close_log()


def with_command(arguments: list[str]) -> list[str]:
    """Return the arguments with "verdict" in front of a file that stands alone."""
    for place, word in enumerate(arguments):
        if not word.startswith("-"):
            if word in COMMANDS or not Path(word).is_file():
                return arguments
            return [*arguments[:place], "verdict", *arguments[place:]]
    return arguments


def _run(arguments: list[str]) -> int:
    arguments = with_command(arguments)
    try:
        with raise_missed_signals():
            code = cli.main(args=arguments, prog_name="stablek", standalone_mode=False)
        sys.stdout.flush()
    except (click.exceptions.Abort, KeyboardInterrupt) as error:
        return _say("interrupted", exit_code(error))
    except click.ClickException as error:
        with contextlib.suppress(OSError):
            error.show()
        return error.exit_code
    except BrokenPipeError:
        return _pipe_closed()
    except SystemExit as error:
        # click leaves this way when a pipe breaks, and only then.
        return _pipe_closed() if error.code == 1 else int(error.code or 0)
    except Exception as error:
        if os.environ.get("STABLEK_DEBUG"):
            raise
        if _starved(error):
            return _say(
                "out of memory; try --jobs 1, a smaller range of k, or fewer --repeats",
                75,
            )
        if isinstance(error, StablekError):
            return _say(str(error), error.exit_code)
        if isinstance(error, OSError) and error.errno in NO_ROOM:
            where = f" ({error.filename})" if error.filename else ""
            return _say(f"{error.strerror}{where}; free some, then try again", 75)
        if isinstance(error, OSError) and error.filename and error.strerror:
            return _say(f"{error.filename}: {error.strerror}; check the path", 2)
        if isinstance(error, FileNotFoundError) and not error.filename:
            return _say("the current folder no longer exists; change to another one", 2)
        return _say(
            f"unexpected {type(error).__name__}: {error}. This is a bug; "
            "`stablek --debug ...` shows where",
            1,
        )
    return code if isinstance(code, int) else 0


def _starved(error: BaseException | None) -> bool:
    """Tell whether an error, or one behind it, means that there was no memory."""
    # The stack of a thread, the code of a module, an object of a compiled function.
    words = (
        "can't start new thread",
        "cannot allocate memory",
        "failed to map segment",
        *SILENT,
    )
    seen: list[BaseException] = []
    while error is not None and error not in seen:
        if (
            isinstance(error, MemoryError)
            or (isinstance(error, OSError) and error.errno == errno.ENOMEM)
            or any(word in describe_error(error).lower() for word in words)
        ):
            return True
        seen.append(error)
        error = error.__cause__ or error.__context__
    return False


def _pipe_closed() -> int:
    """Stop writing: the reader has seen enough (| head), which is not an error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 0


def _say(message: str, code: int) -> int:
    # Names of files and items may hold what steers a terminal.
    shown = "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in message)
    with contextlib.suppress(OSError):  # a stderr that takes nothing
        click.echo(f"stablek: {shown}", err=True)
    return code
