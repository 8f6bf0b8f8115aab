"""``stablek merge``: finish a run from its shards."""

from pathlib import Path

import click

from stablek.cli.kept import kept_command
from stablek.cli.options import QUIET_OPTION
from stablek.cli.report_path import PageOptions, page_options
from stablek.cli.trust import TRUST_FOLDER
from stablek.cli.words import without
from stablek.cli.write_guard import begin_command


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
    from stablek.io.store.shards import Shards

    places = [Path(folder).absolute() for folder in folders]
    shards = Shards(places)
    kept = kept_command(places[0], ("run", "verdict"), trust=trust)
    name = kept.words[0]
    asked = verdict if name == "verdict" else run
    target = Path(out).absolute() if out else places[0]
    # A merge gives the folder itself; its shards are there already.
    words = without(kept.words, ("--shard", "--out", "-o"), ("--restart",))
    whole = [*words, "-o", str(target)]
    aside = ["--quiet"] if quiet else []
    with (
        kept.given_again(moved=True),
        asked.command.make_context(f"stablek {name}", [*aside, *whole[1:]]) as context,
        page_options(PageOptions(command=tuple(whole))),
    ):
        begin_command(context)
        given = {**context.params, "restart": False}
        return int(asked.carry_out(given.pop("data"), given, shards))
