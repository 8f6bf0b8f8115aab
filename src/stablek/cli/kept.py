"""The command that a run folder keeps in run.json: written, read, and given again.

A folder may come from somebody else, so its command is carried out within the bounds
of :mod:`stablek.cli.trust`.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from stablek.cli.config import NOT_KEPT, config_arguments
from stablek.cli.trust import (
    needs_trust,
    on_the_word_of,
    refuse_elsewhere,
    unsafe_to_repeat,
)
from stablek.cli.words import without
from stablek.errors import InputError

#: The one file that may hold paths.
FILE = "run.json"

#: What each command that fills a folder with a page leaves last. Its folder keeps all
#: its work, so that giving it again costs little.
LAST = {
    "run": "result.json", "compare": "comparison.csv", "verdict": "verdict.json"
}  # fmt: skip

#: What is not done on the word of a folder.
BY_HAND = (
    "this run read stdin, a module of your own or a file that names others, or used a "
    "scheduler; run its command again, or add --trust if you trust the folder"
)


@dataclass(frozen=True)
class KeptCommand:
    """A command of a folder: its words, its options as parsed, and where it was given.

    ``trust`` says whether the user trusts the folder.
    """

    folder: Path
    words: list[str]
    options: dict[str, Any]
    place: str
    trust: bool

    @contextmanager
    def given_again(self, *, moved: bool = False) -> Iterator[None]:
        """Work where the command was given, on the word of its folder.

        Unless it may have been ``moved``, refuse a folder that the command does not
        fill.
        """
        here = self.folder.resolve()
        if not Path(self.place).is_dir():
            raise InputError(
                f"{self.folder} was filled by a command run in {self.place}, which is "
                "no longer a folder; run the command again where its data are"
            )
        with on_the_word_of(here, trust=self.trust), chdir(self.place):
            if not moved and Path(str(self.options.get("out"))).resolve() != here:
                raise InputError(
                    f"{self.folder} was moved since it was filled; run its command "
                    "again"
                )
            yield


def keep_command(folder: Path, words: Sequence[str]) -> None:
    """Write a command into its folder: without its log, its configuration written out.

    Nor is --trust kept: whom to trust is not for a folder to say.
    """
    from stablek.io.store.atomic import write_bytes

    if words[:1] in (["resume"], ["report"]):
        return
    plain = [*without(words, NOT_KEPT, ("--trust",)), *config_arguments()]
    kept = {"arguments": plain, "folder": str(Path.cwd())}
    write_bytes(folder / FILE, (json.dumps(kept, indent=1) + "\n").encode())


def kept_words(folder: Path) -> list[str]:
    """Return the command that filled a folder, to be shown; none if it is not known.

    It is not carried out, and so not distrusted as :func:`kept_command` does.
    """
    try:
        words, _ = _read(folder)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return []
    return words if words and words[0] in LAST else []


def kept_command(
    folder: Path, filled_by: Sequence[str] = tuple(LAST), *, trust: bool = False
) -> KeptCommand:
    """Return the command that a run folder keeps.

    Unless the user trusts the folder, the command may not read files far from it.
    """
    from stablek.io.store.manifest import read_manifest

    try:
        words, place = _read(folder)
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(
            f"{folder} is not the folder of a run, or nothing was kept in it yet (no "
            f"{FILE}); if a run was interrupted there, give the same command again"
        ) from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InputError(
            f"{folder / FILE} is damaged; run the original command again instead"
        ) from None
    if "-" in words or (unsafe_to_repeat(words) and not trust):
        raise InputError(BY_HAND)
    if not words or words[0] not in filled_by:
        raise InputError(f"{folder} was not filled by one of: {', '.join(filled_by)}")
    # Without it nobody could tell whether the command is the one that filled this
    # folder: it might read a file of ours for somebody else.
    read_manifest(folder)
    options = _parsed(words, folder)
    if not trust:
        if needs_trust(options):
            raise InputError(BY_HAND)
        refuse_elsewhere(options, place, folder)
    return KeptCommand(folder, words, options, place, trust)


def _read(folder: Path) -> tuple[list[str], str]:
    """Return the words of a folder's command, and where it was given."""
    from stablek.results.json_form import regular_text

    kept = json.loads(regular_text(folder / FILE))
    return list(map(str, kept["arguments"])), str(kept["folder"])


def _parsed(words: list[str], folder: Path) -> dict[str, Any]:
    """Return the options of a command."""
    from stablek.cli import cli

    try:
        chosen = cli.get_command(click.Context(cli), words[0])
        assert chosen is not None  # get_command() refuses what it does not know
        with chosen.make_context(words[0], words[1:]) as context:
            return dict(context.params)
    except click.UsageError as error:
        raise InputError(
            f"{folder / FILE} is damaged ({error.format_message()}); run the original "
            "command again instead"
        ) from None
