"""``stablek merge``: finish a run from its shards."""

from __future__ import annotations

from pathlib import Path

import click

from stablek.cli.options import QUIET_OPTION
from stablek.cli.trust import TRUST_FOLDER, on_the_word_of
from stablek.cli.words import without


@click.command("merge")
@click.argument("folders", nargs=-1, required=True, metavar="DIR...")
@click.option(
    "-o", "--out", metavar="DIR", help="Folder for the result; default: the first DIR."
)
@TRUST_FOLDER
@QUIET_OPTION
def command(
    folders: tuple[str, ...], out: str | None, *, trust: bool, quiet: bool
) -> int:
    """Finish the run or verdict whose shards are in DIR, one folder or several.

    The result is bit-identical to one undivided run. All shards must be finished,
    and the data must still be in the same place.

    Example: stablek merge results/
    """
    from stablek.cli import run, verdict
    from stablek.cli.report_path import PageOptions, page_options
    from stablek.cli.resume import kept_command, options_of, working_in
    from stablek.cli.write_guard import begin_command
    from stablek.io.store.shards import Shards

    places = [Path(folder).absolute() for folder in folders]
    shards = Shards(places)
    arguments, home = kept_command(places[0], ("run", "verdict"), trust=trust)
    asked = verdict if arguments[0] == "verdict" else run
    target = Path(out).absolute() if out else places[0]
    # A merge gives the folder itself; its shards are there already.
    kept = without(arguments, ("--shard", "--out", "-o"), ("--restart",))
    whole = [*kept, "-o", str(target)]
    with working_in(home, places[0]), on_the_word_of(places[0], trust=trust):
        options_of(whole, places[0], trust=trust)
        aside = ["--quiet"] if quiet else []
        name = f"stablek {arguments[0]}"
        with asked.command.make_context(name, [*aside, *whole[1:]]) as context:
            begin_command(context)
            given = {**context.params, "restart": False}
            with page_options(PageOptions(command=tuple(whole))):
                return int(asked.carry_out(given.pop("data"), given, shards))
